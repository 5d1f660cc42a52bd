package ontobricks

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/wire"
)

// graphSource is what the facts of a domain are read from. All functions are called
// concurrently.
type graphSource struct {
	// find asks GET /digitaltwin/triples/find. It returns an answer with success or an
	// error for the caller.
	find func(ctx context.Context, p findParams) (*wire.Found, error)
	// stats asks GET /digitaltwin/stats.
	stats func(ctx context.Context) (*wire.Stats, error)
	// ontology is the domain's; never nil without an error.
	ontology func(ctx context.Context) (*domains.Ontology, error)
	name     domains.Name
}

// findParams are the parameters of triples/find (OntoBricks contract 1.1). Empty
// EntityType and Search, and CacheAuto, are left out of the request.
type findParams struct {
	EntityType, Search   string
	Depth, Limit, Offset int
	Cache                domains.CacheUse
	// Words asks for a search by words, which an Ontogate has; OntoBricks ignores it.
	Words bool
}

// What one Find reads at most.
const (
	pageTriples = 1_000 // triples of one request
	mostPages   = 10    // requests
)

// deepest is how many hops the service walks at most.
const deepest = 10

// suggested is how many names are suggested when nothing matched.
const suggested = 5

func newFacts(s graphSource) domains.Facts {
	return &facts{graphSource: s, limit: pageTriples, pages: mostPages}
}

// facts implements domains.Facts. The service gives the triples of what matches and of
// everything around it, and does not say which is which: matches are told apart here,
// by the rule that the service has for them (OntoBricks contract 1.1, triples/find).
// Nothing is kept between calls: what a Find has read goes to the Walk that follows
// through domains.Matches.Read.
type facts struct {
	graphSource
	limit, pages int
}

// picture implements domains.Reading: what was read of the graph, how far around the
// matches, and in how many requests of the tool call. After a probe it has no graph.
type picture struct {
	*graph
	depth, requests int
	partial         bool // not all around the matches was read
}

// edge reports whether triples that lead to an entity at a distance from the matches may not
// have been read: the service gives those of what is within the depth alone.
func (p *picture) edge(distance int) bool { return p.partial || distance >= p.depth }

// holds reports whether an entity and what is around it was read.
func (p *picture) holds(iri string, depth int) bool {
	return p != nil && p.graph != nil && p.depth >= depth && p.nodes[iri] != nil
}

// String counts what was read.
func (p *picture) String() string {
	subjects := 0
	if p.graph != nil {
		subjects = len(p.order)
	}
	return fmt.Sprintf("%d subjects, depth %d, %d requests", subjects, p.depth, p.requests)
}

// Find implements domains.Facts.
//
// The service looks for the text as it stands in labels and behind the slashes of
// IRIs. When that finds nothing and the text has several words, entities are looked
// for that have all of them, in any order; names that have some are suggested. Every hit that the service counts is told,
// those that hold the text inside words last.
func (f *facts) Find(ctx context.Context, q domains.Query) (*domains.Matches, error) {
	o, err := f.ontology(ctx)
	if err != nil {
		return nil, err
	}
	text := strings.TrimSpace(q.Text)
	if q.IRI != "" {
		return f.findIRI(ctx, o, q, text)
	}
	if text == "" && len(q.Types) == 0 {
		return nil, domains.Invalid("Nothing to look for: give a text, a class or an IRI.")
	}
	r := f.newReading(q)
	if r.usedUp() {
		return &domains.Matches{AtLeast: true, Unpinned: true, Read: q.After}, nil
	}
	r.question(typeNames(o, q.Types), searchText(text))
	r.leaveUnused(ctx)
	if err := r.read(ctx); err != nil {
		return nil, err
	}
	s := selection{read: r, graph: newGraph(o, r.triples), text: text}
	words := longestFirst(text)
	if len(words) > 1 && r.foundNothing() {
		r.again = true
		r.question(r.names, words[0])
		if err := r.read(ctx); err != nil {
			return nil, err
		}
		s.graph = newGraph(o, r.triples)
	}
	m, err := s.matches(ctx)
	if err != nil {
		return nil, err
	}
	if len(words) > 1 && r.foundNothing() && !q.Probe {
		if m.Suggestions, err = f.near(ctx, o, r, words[1:], text); err != nil {
			return nil, err
		}
	}
	s.hand(m, q)
	return m, nil
}

// hand gives matches what the caller asked for: a page of the hits, and what a walk from
// them has to know.
func (s *selection) hand(m *domains.Matches, q domains.Query) {
	m.Hits = page(m.Hits, q)
	read := &picture{depth: s.read.depth, requests: s.read.requests, partial: m.Partial}
	if !q.Probe {
		read.graph = s.graph
	}
	m.Read = read
}

// page is the part of the hits that was asked for.
func page(hits []domains.Hit, q domains.Query) []domains.Hit {
	hits = hits[min(max(q.Offset, 0), len(hits)):]
	return hits[:min(max(q.Limit, 1), len(hits))]
}

// longestFirst are the words of a text, each once; one that is equal to the one before
// it or empty is none.
func longestFirst(text string) []string {
	words := strings.Fields(text)
	slices.SortStableFunc(words, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	return slices.Compact(words)
}

// What is read of one text for names near to it: one request for each of so many words
// of at least so many bytes. Shorter ones are in too many names.
const (
	mostNear  = 2
	leastNear = 3
)

// near are names that have one of a text's words, where no name has the longest: that
// one may be misspelt. The requests count as those of the reading that found nothing.
func (f *facts) near(ctx context.Context, o *domains.Ontology, nothing *reading, words []string, text string) ([]string, error) {
	for _, word := range words[:min(len(words), mostNear)] {
		if len(word) < leastNear || nothing.usedUp() {
			break
		}
		r := f.newReading(domains.Query{Probe: true, Cache: nothing.cache})
		r.requests = nothing.requests
		r.question(nothing.names, word)
		err := r.read(ctx)
		nothing.requests = r.requests
		if err != nil {
			return nil, err
		}
		s := selection{read: r, graph: newGraph(o, r.triples), text: word}
		m, err := s.matches(ctx)
		if err != nil {
			return nil, err
		}
		var labels []string
		for _, h := range m.Hits {
			labels = append(labels, shortLabels([]string{h.Label})...)
		}
		if near := domains.Nearest(text, labels, suggested); len(near) > 0 {
			return near, nil
		}
		if len(labels) > 0 { // the best of those that have the word
			return labels[:min(len(labels), suggested)], nil
		}
	}
	return nil, nil
}

// typeNames are the names by which classes are asked for, each once: those of the
// topmost classes first, so that one request finds most. A class whose IRI has neither
// slash nor number sign has none.
func typeNames(o *domains.Ontology, types []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, t := range slices.Concat(o.Topmost(types), types) {
		name := domains.LocalName(t)
		if folded := strings.ToLower(name); name != t && !seen[folded] {
			seen[folded] = true
			out = append(out, name)
		}
	}
	return out
}

// searchText is what a text is asked for with. The service looks into IRIs behind
// their slashes only, so an IRI goes without its scheme.
func searchText(text string) string {
	if strings.ContainsAny(text, " \t\n\"") {
		return text
	}
	iri := strings.TrimSuffix(strings.TrimPrefix(text, "<"), ">")
	if _, rest, ok := strings.Cut(iri, "://"); ok && rest != "" {
		return rest
	}
	return text
}
