package ontobricks

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/wire"
)

// graph is the triples of an answer, ordered, with the IRIs of one entity joined. It
// is immutable.
type graph struct {
	ontology *domains.Ontology
	nodes    map[string]*node // subject → node
	order    []*node          // by IRI
	entities []*entity        // by IRI
	depths   map[string]int   // class in use → number of classes above it
	ranks    map[string]int   // predicate → labelRank
}

// node is one subject.
type node struct {
	iri     string
	triples []wire.Triple // by predicate, then object, each once
	types   []string      // those that say something
	entity  *entity
}

// entity is the nodes that are one.
type entity struct {
	iri      string  // the one shown
	nodes    []*node // the one shown first, then by IRI
	labels   []string
	types    []string // most specific first
	schema   bool
	incoming []incoming
}

// incoming is a triple that leads to an entity.
type incoming struct {
	predicate string
	from      *entity
}

func newGraph(o *domains.Ontology, triples []wire.Triple) *graph {
	g := &graph{ontology: o, nodes: map[string]*node{}, depths: map[string]int{}, ranks: map[string]int{}}
	for _, t := range triples {
		if t.Subject == "" || t.Predicate == "" {
			continue
		}
		n := g.nodes[t.Subject]
		if n == nil {
			n = &node{iri: t.Subject}
			g.nodes[t.Subject] = n
			g.order = append(g.order, n)
		}
		n.triples = append(n.triples, t)
	}
	slices.SortFunc(g.order, func(a, b *node) int { return cmp.Compare(a.iri, b.iri) })
	for _, n := range g.order {
		g.settle(n)
	}
	g.join()
	for _, e := range g.entities {
		g.describe(e)
	}
	for _, n := range g.order {
		g.lead(n)
	}
	return g
}

// settle orders the triples of a node and finds its types.
func (g *graph) settle(n *node) {
	slices.SortFunc(n.triples, compareTriples)
	n.triples = slices.Compact(n.triples)
	for _, t := range n.triples {
		if t.Predicate == rdf.RDFType && t.Object != "" && !domains.SaysNothing(t.Object) {
			n.types = append(n.types, t.Object)
		}
	}
}

func compareTriples(a, b wire.Triple) int {
	return cmp.Or(cmp.Compare(a.Predicate, b.Predicate), cmp.Compare(a.Object, b.Object))
}

// describe fills in what is told of an entity wherever it is mentioned.
func (g *graph) describe(e *entity) {
	types, labels := map[string]bool{}, map[string]bool{}
	var said []label
	for _, n := range e.nodes {
		for _, t := range n.types {
			if !types[t] {
				types[t] = true
				e.types = append(e.types, t)
			}
		}
		for _, t := range n.triples {
			if g.isLabel(t) && strings.TrimSpace(t.Object) != "" && len(said) < mostLabels {
				said = append(said, label{g.labelRank(t.Predicate), t.Predicate, t.Object})
			}
		}
		e.schema = e.schema || g.isSchema(n.iri)
	}
	slices.SortFunc(e.types, func(a, b string) int {
		return cmp.Or(cmp.Compare(g.depth(b), g.depth(a)), cmp.Compare(a, b))
	})
	slices.SortStableFunc(said, func(a, b label) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.predicate, b.predicate))
	})
	for _, l := range said {
		if !labels[l.value] {
			labels[l.value] = true
			e.labels = append(e.labels, l.value)
		}
	}
}

// label is a value of a label property.
type label struct {
	rank             int
	predicate, value string
}

// mostLabels is how many labels of an entity are read.
const mostLabels = 500

// depth is how many classes are above a class.
func (g *graph) depth(class string) int {
	d, ok := g.depths[class]
	if !ok {
		if g.ontology.Class(class) != nil {
			d = len(g.ontology.WithSuperClasses(class))
		}
		g.depths[class] = d
	}
	return d
}

// isSchema reports whether an IRI is a term of the ontology.
func (g *graph) isSchema(iri string) bool {
	if c := g.ontology.Class(iri); c != nil && c.Declared {
		return true
	}
	p := g.ontology.Property(iri)
	return p != nil && p.Declared
}

// lead tells the entities that a node's triples lead to.
func (g *graph) lead(n *node) {
	for _, t := range n.triples {
		if t.Predicate == rdf.RDFType || g.isLabel(t) || !g.refers(t) {
			continue
		}
		if to := g.nodes[t.Object]; to != nil && to.entity != n.entity {
			to.entity.incoming = append(to.entity.incoming, incoming{t.Predicate, n.entity})
		}
	}
}

// ref mentions an IRI.
func (g *graph) ref(iri string) domains.Ref {
	n := g.nodes[iri]
	if n == nil {
		return domains.Ref{IRI: iri}
	}
	return n.entity.ref()
}

func (e *entity) ref() domains.Ref {
	r := domains.Ref{IRI: e.iri, Types: slices.Clip(e.types)}
	if len(e.labels) > 0 {
		r.Label = e.labels[0]
	}
	return r
}

// names are the names by which an entity is searched: its labels and the local ids of
// its IRIs, as they are and split into words.
func (e *entity) names() []string {
	out := slices.Clone(e.labels)
	for _, n := range e.nodes {
		id, local := domains.LocalID(n.iri), domains.LocalName(n.iri)
		out = append(out, id, local, domains.Prettify(id))
		for _, t := range n.triples {
			if searchedLabel(t.Predicate) && len(out) < mostLabels {
				out = append(out, t.Object)
			}
		}
	}
	return out
}

// labelProperties are the standard ones, best first; then come those that the service
// knows, by their local names.
var labelProperties = []string{
	rdf.SKOS + "prefLabel", rdf.RDFSLabel, "http://schema.org/name", "https://schema.org/name",
	"http://xmlns.com/foaf/0.1/name", "http://purl.org/dc/terms/title", "http://purl.org/dc/elements/1.1/title",
}

// labelRank is the place of a predicate among the label properties, -1 for others.
func (g *graph) labelRank(predicate string) int {
	rank, ok := g.ranks[predicate]
	if !ok {
		rank = slices.Index(labelProperties, predicate)
		local := domains.LocalName(predicate)
		if rank < 0 && (strings.EqualFold(local, "label") || strings.EqualFold(local, "name")) {
			rank = len(labelProperties)
		}
		g.ranks[predicate] = rank
	}
	return rank
}

// isLabel reports whether a triple gives its subject a name. A value that is an entity
// is none.
func (g *graph) isLabel(t wire.Triple) bool {
	if g.labelRank(t.Predicate) < 0 {
		return false
	}
	p := g.ontology.Property(t.Predicate)
	return !(isIRI(t.Object) && (g.nodes[t.Object] != nil || p != nil && p.Kind == domains.ObjectProperty))
}

// refers reports whether the object of a triple is an entity rather than a text: the
// wire does not tell them apart. It is one when it is described here, or looks like
// a web address and the ontology does not call the property one of texts.
func (g *graph) refers(t wire.Triple) bool {
	switch {
	case !isIRI(t.Object):
		return false
	case g.nodes[t.Object] != nil:
		return true
	case !strings.HasPrefix(t.Object, "http://") && !strings.HasPrefix(t.Object, "https://"):
		return false
	}
	p := g.ontology.Property(t.Predicate)
	return p == nil || p.Kind != domains.DataProperty
}

// isIRI reports whether a text has a scheme and nothing that an IRI can't hold. What
// looks like a blank node is none.
func isIRI(s string) bool {
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || rest == "" || len(scheme) > 64 || strings.ContainsAny(s, " \t\r\n\"<>") {
		return false
	}
	for i, c := range []byte(scheme) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", rune(c))) {
			return false
		}
	}
	return scheme != ""
}

// classNames are the names of the classes in use and of those above them.
func (g *graph) classNames() domains.ClassNames {
	classes := map[string]bool{}
	var order []string
	add := func(class string) {
		if !classes[class] {
			classes[class] = true
			order = append(order, class)
		}
	}
	for _, n := range g.order {
		for _, t := range n.types {
			add(t)
		}
	}
	for i := 0; i < len(order); i++ {
		if c := g.ontology.Class(order[i]); c != nil {
			for _, super := range c.Supers {
				add(super)
			}
		}
	}
	return domains.NewClassNames(g.ontology, slices.Sorted(maps.Keys(classes)))
}
