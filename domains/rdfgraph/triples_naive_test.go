package rdfgraph_test

import (
	order "cmp"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// naiveTriples is what domains.Triples means, as OntoBricks' documentation has it: lists
// of texts, read from end to end for each question.
type naiveTriples struct {
	all  []rdf.Triple // about no schema term, blank nodes as IRIs, in order
	rows [][3]string  // all as texts
}

func newNaiveTriples(all []rdf.Triple, schema map[rdf.Term]bool) *naiveTriples {
	n := &naiveTriples{}
	for _, t := range all {
		if !schema[t.Subject] {
			n.all = append(n.all, rdf.Triple{Subject: skolemized(t.Subject), Predicate: t.Predicate, Object: skolemized(t.Object)})
		}
	}
	kind := func(t rdf.Term) string { return t.Datatype + "\x00" + t.Lang }
	slices.SortStableFunc(n.all, func(a, b rdf.Triple) int {
		return order.Or(order.Compare(rawText(a.Subject), rawText(b.Subject)), order.Compare(rawText(a.Predicate), rawText(b.Predicate)),
			order.Compare(rawText(a.Object), rawText(b.Object)), order.Compare(a.Object.Kind, b.Object.Kind), order.Compare(kind(a.Object), kind(b.Object)))
	})
	n.all = slices.CompactFunc(n.all, func(a, b rdf.Triple) bool {
		return rawText(a.Subject) == rawText(b.Subject) && a.Predicate == b.Predicate && a.Object.Equal(b.Object)
	})
	for _, t := range n.all {
		n.rows = append(n.rows, [3]string{rawText(t.Subject), rawText(t.Predicate), rawText(t.Object)})
	}
	return n
}

func skolemized(t rdf.Term) rdf.Term {
	if t.Kind == rdf.Blank {
		return rdf.NewIRI("http://base.org/.well-known/genid/" + t.Value)
	}
	return t
}

func rawText(t rdf.Term) string {
	if t.Kind == rdf.TripleTerm {
		return t.String()
	}
	return t.Value
}

// find answers domains.Triples.Find without words.
func (n *naiveTriples) find(q domains.TripleQuery) *domains.TriplePage {
	label := func(p string) bool {
		return p == rdf.RDFSLabel || slices.ContainsFunc([]string{"#label", "/label", "#name", "/name"}, func(e string) bool { return strings.HasSuffix(p, e) })
	}
	typed, named, nodes := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, r := range n.rows {
		if q.Type != "" && r[1] == rdf.RDFType && (naiveLike("%/"+q.Type, r[2]) || naiveLike("%#"+q.Type, r[2])) {
			typed[r[0]] = true
		}
		if q.Search == "" || named[r[0]] {
			continue
		}
		if label(r[1]) && naiveLike("%"+q.Search+"%", r[2]) || naiveLike("%/"+q.Search+"%", r[0]) || naiveLike("%#"+q.Search+"%", r[0]) {
			named[r[0]] = true
		}
	}
	for _, r := range n.rows {
		if (q.Type == "" || typed[r[0]]) && (q.Search == "" || named[r[0]]) {
			nodes[r[0]] = true
		}
	}
	out := &domains.TriplePage{Seeds: len(nodes)}
	for range q.Depth {
		reached := map[string]bool{}
		for i, r := range n.rows {
			if n.all[i].Object.Kind != rdf.IRI || !strings.HasPrefix(r[2], "http://") && !strings.HasPrefix(r[2], "https://") || r[1] == rdf.RDFType || label(r[1]) {
				continue
			}
			if nodes[r[0]] {
				reached[r[2]] = true
			}
			if nodes[r[2]] {
				reached[r[0]] = true
			}
		}
		for r := range reached {
			nodes[r] = true
		}
	}
	ids := map[string]bool{} // local ids of the nodes
	for node := range nodes {
		id := node[strings.LastIndex(node, "#")+1:]
		ids[id[strings.LastIndex(id, "/")+1:]] = true
	}
	for _, r := range n.rows {
		if i := strings.LastIndex(r[0], "/"); i >= 0 && ids[r[0][i+1:]] {
			nodes[r[0]] = true
		}
	}
	out.Entities = len(nodes)
	return n.page(out, func(i int) bool { return nodes[n.rows[i][0]] }, q.Offset, q.Limit)
}

// list answers domains.Triples.List.
func (n *naiveTriples) list(p domains.TriplePattern) *domains.TriplePage {
	return n.page(&domains.TriplePage{}, func(i int) bool {
		r := n.rows[i]
		typed := p.Type == "" || slices.ContainsFunc(n.rows, func(u [3]string) bool {
			return u[0] == r[0] && u[1] == rdf.RDFType && strings.Contains(u[2], p.Type)
		})
		return typed && strings.Contains(r[0], p.Subject) && (p.Predicate == "" || r[1] == p.Predicate) && strings.Contains(r[2], p.Object) &&
			slices.ContainsFunc(r[:], func(s string) bool { return strings.Contains(s, p.Search) })
	}, p.Offset, p.Limit)
}

func (n *naiveTriples) page(out *domains.TriplePage, has func(i int) bool, offset, limit int) *domains.TriplePage {
	for i, t := range n.all {
		if !has(i) {
			continue
		}
		if out.Total >= offset && len(out.Triples) < limit {
			out.Triples = append(out.Triples, domains.RankedTriple{Triple: t})
		}
		out.Total++
	}
	return out
}

// naiveLike is SQL's LIKE, whatever the case, by trying everything.
func naiveLike(pattern, text string) bool {
	return naiveFits([]rune(strings.ToLower(pattern)), []rune(strings.ToLower(text)))
}

func naiveFits(p, t []rune) bool {
	// fits[j]: the part of the pattern so far fits the first j characters.
	fits := make([]bool, len(t)+1)
	fits[0] = true
	for _, c := range p {
		next := make([]bool, len(t)+1)
		for j := range next {
			switch {
			case c == '%':
				next[j] = fits[j] || j > 0 && next[j-1]
			case j > 0:
				next[j] = fits[j-1] && (c == '_' || c == t[j-1])
			}
		}
		fits = next
	}
	return fits[len(t)]
}
