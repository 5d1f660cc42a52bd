package rdfgraph

import (
	"context"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// rawTriples answers domains.Triples from a graph. What a schema term is the subject of is
// left out, as Stats leaves it out: OntoBricks keeps no ontology in a graph. Terms are
// compared and ordered as texts, and a blank node's text is the IRI that it is shown with.
// It is immutable.
type rawTriples struct {
	graph *graph
	// labels are the predicates whose values a search looks at, edges those that are
	// walked, both in order.
	labels, edges []store.ID
	isEdge        map[store.ID]bool
	// web are the IRIs that begin as those of the web do: from the first to before the
	// second, twice. blanks is set when those of blank nodes do.
	web    [2][2]store.ID
	blanks bool
}

var _ domains.Triples = (*rawTriples)(nil)

// The beginnings of IRIs of the web.
const (
	webPrefix    = "http://"
	securePrefix = "https://"
)

func newRawTriples(g *graph) *rawTriples {
	t := &rawTriples{graph: g, isEdge: map[store.ID]bool{}}
	for _, p := range g.s.PredicateIDs() {
		switch {
		case isLabelPredicate(g.s.Text(p)):
			t.labels = append(t.labels, p)
		case p != g.known.rdfType:
			t.edges = append(t.edges, p)
			t.isEdge[p] = true
		}
	}
	for i, prefix := range []string{webPrefix, securePrefix} {
		t.web[i][0], t.web[i][1] = g.s.IRIRange(prefix)
		t.blanks = t.blanks || strings.HasPrefix(g.skolem.prefix, prefix)
	}
	return t
}

// isLabelPredicate reports whether a search looks at the values of a predicate (OntoBricks
// contract 1.1, triples/find). It is not what this program shows as a label.
func isLabelPredicate(iri string) bool {
	if iri == rdf.RDFSLabel {
		return true
	}
	for _, end := range []string{"#label", "/label", "#name", "/name"} {
		if strings.HasSuffix(iri, end) {
			return true
		}
	}
	return false
}

// rawCall is one question to rawTriples.
type rawCall struct {
	*call
	t *rawTriples
	// steps counts what was looked at, and over is set when the context ended.
	steps int
	over  bool
}

func (t *rawTriples) call(ctx context.Context) *rawCall {
	return &rawCall{call: t.graph.call(ctx, nil), t: t}
}

// step counts a step, and looks at the context at the first of 1,024. true means that the
// call is over.
func (c *rawCall) step() bool {
	if !c.over {
		c.over = c.ended(c.steps)
		c.steps++
	}
	return c.over
}

// text is the text of a term as it is compared and ordered.
func (c *rawCall) text(id store.ID) string {
	if c.s.Kind(id) == rdf.TripleTerm {
		return c.term(id).String()
	}
	return c.iri(id)
}

// term is a term as it is told: blank nodes are IRIs.
func (c *rawCall) term(id store.ID) rdf.Term { return c.told(c.s.Term(id)) }

func (c *rawCall) told(t rdf.Term) rdf.Term {
	switch {
	case t.Kind == rdf.Blank:
		return rdf.NewIRI(c.skolem.iri(t.Value))
	case t.Kind == rdf.TripleTerm && t.Triple != nil:
		return rdf.Term{Kind: rdf.TripleTerm, Triple: &rdf.Triple{
			Subject: c.told(t.Triple.Subject), Predicate: c.told(t.Triple.Predicate), Object: c.told(t.Triple.Object),
		}}
	}
	return t
}

// isOnWeb reports whether the text of an IRI or a blank node begins as IRIs of the web do.
func (c *rawCall) isOnWeb(id store.ID) bool {
	if id >= c.s.FirstBlank() {
		return c.t.blanks && id < c.s.FirstLiteral()
	}
	for _, w := range c.t.web {
		if w[0] <= id && id < w[1] {
			return true
		}
	}
	return false
}

// describes reports whether a term is the subject of facts.
func (c *rawCall) describes(id store.ID) bool { return !c.schema[id] && c.r.Rows(id, 0, 0).Len() > 0 }

// nodeSet are IRIs and blank nodes, in the order in which they were added.
type nodeSet struct {
	is  idSet
	ids []store.ID
}

func (c *rawCall) newNodeSet() *nodeSet { return &nodeSet{is: make(idSet, c.s.FirstLiteral()/64+1)} }

func (n *nodeSet) has(id store.ID) bool { return n.is.has(id) }

func (n *nodeSet) add(id store.ID) {
	if !n.is.has(id) {
		n.is.add(id)
		n.ids = append(n.ids, id)
	}
}

// Find implements domains.Triples (OntoBricks contract 1.1, triples/find). A search reads
// every label and every IRI once, unless a class leaves few to look at; one by words reads
// the index of names. Aliases cost one pass over the IRIs. The triples of what was found
// are counted, and only those of the page are read.
//
// With Words the seeds are all IRIs of the first 1,000 entities that Facts.Find finds. A
// search cache there is none: Cache changes nothing.
func (t *rawTriples) Find(ctx context.Context, q domains.TripleQuery) (*domains.TriplePage, error) {
	c := t.call(ctx)
	defer c.r.Done()
	if q.Words {
		q.Search = strings.TrimSpace(q.Search)
	}
	switch {
	case q.Type == "" && q.Search == "":
		return nil, domains.Invalid("Provide at least entity_type or search")
	case len(q.Type) > longestPattern || len(q.Search) > longestPattern:
		return nil, domains.Invalid("The text to look for is too long: at most 1,000 bytes are compared. Give a part of it.")
	}
	page := &pageOfTriples{c: c, skip: max(q.Offset, 0), limit: min(max(q.Limit, 1), mostFound)}
	nodes, err := c.seeds(q, page)
	if err != nil {
		return nil, err
	}
	if page.out.Seeds = len(nodes.ids); page.out.Seeds > 0 {
		c.walk(nodes, min(max(q.Depth, 1), deepest))
		c.addAliases(nodes)
		page.out.Entities = len(nodes.ids)
		for id := range c.inOrder(nodes.is) {
			if !c.schema[id] {
				page.add(id, c.r.Rows(id, 0, 0), nil)
			}
		}
	}
	return &page.out, ctx.Err()
}

// mostFound is how many triples Find returns at most.
const mostFound = 10_000

// walk adds what is so many edges away from a set, in both directions.
func (c *rawCall) walk(nodes *nodeSet, depth int) {
	for from := 0; depth > 0 && from < len(nodes.ids); depth-- {
		to := len(nodes.ids)
		for _, id := range nodes.ids[from:to] {
			if c.step() {
				return
			}
			if !c.schema[id] {
				c.walkOut(nodes, id)
			}
			if c.isOnWeb(id) {
				c.walkIn(nodes, id)
			}
		}
		from = to
	}
}

// walkOut adds what the edges of a subject lead to.
func (c *rawCall) walkOut(nodes *nodeSet, id store.ID) {
	for run, rest := c.r.Rows(id, 0, 0).Run(); run.Len() > 0; run, rest = rest.Run() {
		if c.step() {
			return
		}
		if !c.t.isEdge[run.Second()] {
			continue
		}
		run, _ = run.Split(c.s.FirstLiteral())
		for i := range run.Len() {
			if c.step() {
				return
			}
			if o := run.Third(i); c.isOnWeb(o) {
				nodes.add(o)
			}
		}
	}
}

// walkIn adds the subjects whose edges lead to a node. Of many triples only those of edges
// are read: a class is the object of all its instances.
func (c *rawCall) walkIn(nodes *nodeSet, id store.ID) {
	rows := c.r.Rows(0, 0, id)
	if rows.Len() <= 4*len(c.t.edges) {
		for i := range rows.Len() {
			if c.step() {
				return
			}
			if row := rows.At(i); c.t.isEdge[row.P] && !c.schema[row.S] {
				nodes.add(row.S)
			}
		}
		return
	}
	for _, p := range c.t.edges {
		rows := c.r.Rows(0, p, id)
		for i := range rows.Len() {
			if c.step() {
				return
			}
			if s := rows.Third(i); !c.schema[s] {
				nodes.add(s)
			}
		}
	}
}
