package rdfgraph_test

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/xsd"
)

// naive answers what Columns answers by going through all triples, again and again, with
// no index: it is what Columns means.
type naive struct {
	triples []rdf.Triple
	schema  map[rdf.Term]bool
	shown   map[rdf.Term]rdf.Term
	labels  []string
}

var (
	rdfFirst  = rdf.NewIRI(rdf.RDFFirst)
	rdfRest   = rdf.NewIRI(rdf.RDFRest)
	rdfNil    = rdf.NewIRI(rdf.RDFNil)
	rdfTyped  = rdf.NewIRI(rdf.RDFType)
	owlSameAs = rdf.NewIRI(rdf.OWLSameAs)
)

func newNaive(triples []rdf.Triple, schema map[rdf.Term]bool, labels []string) *naive {
	n := &naive{triples: triples, schema: schema, shown: map[rdf.Term]rdf.Term{}, labels: labels}
	root := map[rdf.Term]rdf.Term{}
	find := func(t rdf.Term) rdf.Term {
		for r, ok := root[t]; ok && r != t; r, ok = root[t] {
			t = r
		}
		return t
	}
	for _, t := range triples {
		if t.Predicate == owlSameAs && t.Object.Kind == rdf.IRI && t.Subject.Kind == rdf.IRI && !schema[t.Subject] && !schema[t.Object] {
			a, b := find(t.Subject), find(t.Object)
			root[t.Subject], root[t.Object] = find(t.Subject), find(t.Object)
			root[a], root[b] = b, b
		}
	}
	groups := map[rdf.Term][]rdf.Term{}
	for t := range root {
		groups[find(t)] = append(groups[find(t)], t)
	}
	for _, members := range groups {
		best := slices.MinFunc(members, func(a, b rdf.Term) int {
			return cmp.Or(cmp.Compare(len(n.match(b, rdf.Term{}, rdf.Term{})), len(n.match(a, rdf.Term{}, rdf.Term{}))),
				cmp.Compare(len(b.Value), len(a.Value)), cmp.Compare(a.Value, b.Value))
		})
		for _, m := range members {
			n.shown[m] = best
		}
	}
	return n
}

func (n *naive) match(s, p, o rdf.Term) []rdf.Triple {
	var out []rdf.Triple
	for _, t := range n.triples {
		if (s.IsZero() || t.Subject == s) && (p.IsZero() || t.Predicate == p) && (o.IsZero() || t.Object == o) {
			out = append(out, t)
		}
	}
	return out
}

func (n *naive) show(t rdf.Term) rdf.Term {
	if s, ok := n.shown[t]; ok {
		return s
	}
	return t
}

func (n *naive) members(t rdf.Term) []rdf.Term {
	out := []rdf.Term{t}
	for m, s := range n.shown {
		if s == t && m != t {
			out = append(out, m)
		}
	}
	slices.SortFunc(out[1:], compareTerms)
	return out
}

func (n *naive) iri(t rdf.Term) string {
	if t.Kind == rdf.Blank {
		return "http://base.org/.well-known/genid/" + t.Value
	}
	return t.Value
}

func (n *naive) isCell(t rdf.Term) bool {
	return t.Kind == rdf.Blank && len(n.match(t, rdfFirst, rdf.Term{})) == 1 && len(n.match(t, rdfRest, rdf.Term{})) < 2
}

func (n *naive) list(cell rdf.Term) (out []rdf.Term) {
	seen := map[rdf.Term]bool{}
	for cell != rdfNil && !seen[cell] {
		if !n.isCell(cell) {
			return append(out, cell)
		}
		seen[cell] = true
		out = append(out, n.match(cell, rdfFirst, rdf.Term{})[0].Object)
		rest := n.match(cell, rdfRest, rdf.Term{})
		if len(rest) == 0 {
			break
		}
		cell = rest[0].Object
	}
	return out
}

// follow is what a step leads to, each once.
func (n *naive) follow(node rdf.Term, s domains.Step) []rdf.Term {
	p := rdf.NewIRI(s.Property)
	if s.Inverse {
		if s.Literals {
			return nil
		}
		var out []rdf.Term
		for _, subject := range n.nodes() {
			if slices.Contains(n.follow(subject, domains.Step{Property: s.Property}), node) {
				out = append(out, subject)
			}
		}
		return out
	}
	if (p == rdfFirst || p == rdfRest) && n.isCell(node) {
		return nil
	}
	var values []rdf.Term
	add := func(list *[]rdf.Term, t rdf.Term) {
		if t != rdfNil && !slices.Contains(*list, t) {
			*list = append(*list, t)
		}
	}
	for _, m := range n.members(node) {
		for _, t := range n.match(m, p, rdf.Term{}) {
			add(&values, t.Object)
		}
	}
	var out []rdf.Term
	for _, v := range values {
		list := []rdf.Term{v}
		if n.isCell(v) {
			list = n.list(v)
		}
		for _, v := range list {
			if v = n.show(v); (p != owlSameAs || v != node) && (!s.Literals || v.Kind == rdf.Literal) {
				add(&out, v)
			}
		}
	}
	return out
}

// nodes are all subjects and objects that are no literals, as they are shown.
func (n *naive) nodes() []rdf.Term {
	var out []rdf.Term
	for _, t := range n.triples {
		for _, term := range []rdf.Term{n.show(t.Subject), n.show(t.Object)} {
			if term.Kind != rdf.Literal && !slices.Contains(out, term) {
				out = append(out, term)
			}
		}
	}
	n.sort(out)
	return out
}

func (n *naive) sort(list []rdf.Term) {
	slices.SortFunc(list, func(a, b rdf.Term) int { return strings.Compare(n.iri(a), n.iri(b)) })
}

func (n *naive) related(node rdf.Term, steps []domains.Step) []rdf.Term {
	var out []rdf.Term
	for _, s := range steps {
		for _, v := range n.follow(node, s) {
			if v.Kind != rdf.Literal && !s.Literals && !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	n.sort(out)
	return out
}

func (n *naive) values(node rdf.Term, steps []domains.Step) []rdf.Term {
	var out []rdf.Term
	for _, s := range steps {
		if s.Inverse {
			continue
		}
		for _, v := range n.follow(node, s) {
			if !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	slices.SortFunc(out, compareTerms)
	for i, v := range out {
		if v.Kind == rdf.Blank {
			out[i] = rdf.NewIRI(n.iri(v))
		}
	}
	return out
}

func compareTerms(a, b rdf.Term) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Value, b.Value), cmp.Compare(a.Datatype, b.Datatype), cmp.Compare(a.Lang, b.Lang))
}

func (n *naive) hasClass(node rdf.Term, classes []string) bool {
	for _, m := range n.members(node) {
		for _, t := range n.match(m, rdfTyped, rdf.Term{}) {
			if slices.Contains(classes, t.Object.Value) {
				return true
			}
		}
	}
	return false
}

// texts are the labels of a node in the order of properties.
func (n *naive) texts(node rdf.Term) []domains.Text {
	var out []domains.Text
	for _, p := range n.labels {
		for _, m := range n.members(node) {
			triples := n.match(m, rdf.NewIRI(p), rdf.Term{})
			slices.SortFunc(triples, func(a, b rdf.Triple) int { return compareTerms(a.Object, b.Object) })
			for _, t := range triples {
				if t.Object.Kind == rdf.Literal && strings.TrimSpace(t.Object.Value) != "" {
					out = append(out, domains.Text{Value: t.Object.Value, Lang: t.Object.Lang})
				}
			}
		}
	}
	return out
}

func (n *naive) holds(c domains.Condition, node rdf.Term, id map[domains.Node]rdf.Term) bool {
	every := func(p domains.Condition) bool { return n.holds(p, node, id) }
	switch c.Op {
	case domains.OpAnd:
		for _, p := range c.Parts {
			if !every(p) {
				return false
			}
		}
		return true
	case domains.OpOr:
		return slices.ContainsFunc(c.Parts, every)
	case domains.OpNot:
		return !every(c.Parts[0])
	case domains.OpExists:
		return slices.ContainsFunc(c.Steps, func(s domains.Step) bool { return len(n.follow(node, s)) > 0 })
	case domains.OpValue:
		return slices.ContainsFunc(n.values(node, c.Steps), func(v rdf.Term) bool { return passes(c, v) })
	case domains.OpLabel:
		return slices.ContainsFunc(n.texts(node), func(t domains.Text) bool { return passes(c, rdf.NewString(t.Value)) })
	case domains.OpSome:
		return slices.ContainsFunc(n.related(node, c.Steps), func(v rdf.Term) bool { return n.holds(c.Parts[0], v, id) })
	case domains.OpIs:
		return slices.ContainsFunc(c.Nodes, func(m domains.Node) bool { return id[m] == node })
	case domains.OpTyped:
		return n.hasClass(node, c.Classes)
	}
	return false
}

var plainText = strings.NewReplacer("é", "e", "É", "e")

func passes(c domains.Condition, value rdf.Term) bool {
	text := value.Value
	for _, want := range c.Values {
		if value.Kind != rdf.Literal && want.Kind() != xsd.String {
			continue
		}
		fold := func(s string) string { return strings.ToLower(plainText.Replace(s)) }
		switch c.Test {
		case domains.TestContains:
			return strings.Contains(fold(text), fold(want.String()))
		case domains.TestStarts:
			return strings.HasPrefix(fold(text), fold(want.String()))
		}
		v, err := xsd.Parse(want.Kind(), text)
		if err != nil {
			continue
		}
		order, ok := v.Compare(want)
		if ok && (c.Test == domains.TestEqual && order == 0 || c.Test == domains.TestLess && order < 0 || c.Test == domains.TestAtMost && order <= 0 ||
			c.Test == domains.TestGreater && order > 0 || c.Test == domains.TestAtLeast && order >= 0) {
			return true
		}
	}
	return false
}

// selected is all that a selection finds, before Offset and Limit. ranks are those of a
// text; nil without one.
func (n *naive) selected(s domains.Selection, ranks map[rdf.Term]int, id map[domains.Node]rdf.Term) []rdf.Term {
	var out []rdf.Term
	for _, node := range n.nodes() {
		if n.schema[node] || n.isCell(node) || !n.isEntity(node) {
			continue
		}
		if len(s.Classes) > 0 && !n.hasClass(node, s.Classes) || s.Text != "" && ranks[node] == 0 || s.Where != nil && !n.holds(*s.Where, node, id) {
			continue
		}
		out = append(out, node)
	}
	slices.SortStableFunc(out, func(a, b rdf.Term) int {
		for _, o := range s.Order {
			k, l := n.key(a, o, s.Languages), n.key(b, o, s.Languages)
			switch {
			case k != nil && l != nil:
				order, _ := k.Compare(*l)
				if o.Descending {
					order = -order
				}
				if order != 0 {
					return order
				}
			case k != nil:
				return -1
			case l != nil:
				return 1
			}
		}
		return cmp.Compare(ranks[a], ranks[b])
	})
	return out
}

func (n *naive) isEntity(node rdf.Term) bool {
	in := 0
	for _, m := range n.members(node) {
		if len(n.match(m, rdf.Term{}, rdf.Term{})) > 0 {
			return true
		}
		in += len(n.match(rdf.Term{}, rdf.Term{}, m))
	}
	return in > 1 && !strings.HasPrefix(node.Value, rdf.RDF) && !strings.HasPrefix(node.Value, rdf.OWL)
}

func (n *naive) key(node rdf.Term, o domains.Order, langs []string) *xsd.Value {
	var texts []string
	if len(o.Steps) == 0 {
		if t, ok := domains.ChooseText(n.texts(node), langs); ok {
			texts = append(texts, t.Value)
		}
	} else {
		for _, v := range n.values(node, o.Steps) {
			if v.Kind == rdf.Literal || o.Kind == xsd.String {
				texts = append(texts, v.Value)
			}
		}
	}
	var least *xsd.Value
	for _, t := range texts {
		if v, err := xsd.Parse(o.Kind, t); err == nil && v.Equal(v) {
			if least == nil {
				least = &v
			} else if order, _ := v.Compare(*least); order < 0 {
				least = &v
			}
		}
	}
	return least
}

// randomLiteral is a text, a number or a date; it may be a text that is no number.
func randomLiteral(r *rand.Rand) rdf.Term {
	switch r.IntN(6) {
	case 0:
		return rdf.NewTyped(strconv.Itoa(r.IntN(12)), rdf.XSDInteger)
	case 1:
		return rdf.NewTyped([]string{"1.0", "01", "2.50", "oops", "NaN", "-3"}[r.IntN(6)], rdf.XSDDecimal)
	case 2:
		return rdf.Term{Kind: rdf.Literal, Value: []string{"Été", "summer", "ete"}[r.IntN(3)], Lang: []string{"fr", "en"}[r.IntN(2)]}
	case 3:
		return rdf.NewTyped("2024-0"+strconv.Itoa(1+r.IntN(9))+"-01", rdf.XSD+"date")
	}
	return rdf.NewString([]string{"red", "Red", "green apple", "blue", ""}[r.IntN(5)])
}

// randomTriples are a small graph with classes, aliases, lists, blank nodes and literals
// of several kinds.
func randomTriples(r *rand.Rand) []rdf.Triple {
	iri := func(s string) rdf.Term { return rdf.NewIRI(big + s) }
	var out []rdf.Triple
	seen := map[rdf.Triple]bool{}
	put := func(s, p, o rdf.Term) {
		if t := (rdf.Triple{Subject: s, Predicate: p, Object: o}); !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	for _, c := range []string{"ClassA", "ClassB", "ClassC"} {
		put(iri(c), rdfTyped, rdf.NewIRI(rdf.OWL+"Class"))
	}
	put(iri("ClassB"), rdf.NewIRI(rdf.RDFS+"subClassOf"), iri("ClassA"))
	things := 4 + r.IntN(8)
	thing := func() rdf.Term {
		if r.IntN(6) == 0 {
			return rdf.NewBlank("b" + strconv.Itoa(r.IntN(3)))
		}
		return iri("x" + strconv.Itoa(r.IntN(things)))
	}
	literal := func() rdf.Term { return randomLiteral(r) }
	property := func() rdf.Term { return iri([]string{"p", "q", "name"}[r.IntN(3)]) }
	cells := 0
	newList := func() rdf.Term {
		head := rdfNil
		for range r.IntN(4) {
			cells++
			cell := rdf.NewBlank("cell" + strconv.Itoa(cells))
			member := thing()
			if r.IntN(2) == 0 {
				member = literal()
			}
			put(cell, rdfFirst, member)
			if r.IntN(8) > 0 {
				put(cell, rdfRest, head)
			}
			head = cell
		}
		return head
	}
	for range 5 + r.IntN(35) {
		s := thing()
		switch r.IntN(12) {
		case 0, 1, 2:
			put(s, rdfTyped, iri([]string{"ClassA", "ClassB", "ClassC"}[r.IntN(3)]))
		case 3, 4, 5, 6:
			put(s, property(), thing())
		case 7, 8, 9:
			put(s, property(), literal())
		case 10:
			put(s, property(), newList())
		case 11:
			if cells > 0 && r.IntN(2) == 0 { // a cell that is led to from elsewhere
				put(s, property(), rdf.NewBlank("cell"+strconv.Itoa(1+r.IntN(cells))))
			} else if r.IntN(3) == 0 {
				put(s, owlSameAs, thing())
			}
		}
	}
	return out
}

func (n *naive) usage() []domains.PropertyUsage {
	all := map[string]*domains.PropertyUsage{}
	add := func(list *[]string, s string) {
		if !slices.Contains(*list, s) {
			*list = append(*list, s)
			slices.Sort(*list)
		}
	}
	for _, node := range n.nodes() {
		if n.schema[node] {
			continue
		}
		for _, t := range n.triples {
			p := t.Predicate.Value
			values := n.follow(node, domains.Step{Property: p})
			if len(values) == 0 || p == rdf.RDFType {
				continue
			}
			u := all[p]
			if u == nil {
				u = &domains.PropertyUsage{IRI: p}
				all[p] = u
			}
			for _, class := range []string{big + "ClassA", big + "ClassB", big + "ClassC"} {
				if n.hasClass(node, []string{class}) {
					add(&u.Classes, class)
				}
			}
			langs := map[string]int{}
			for _, v := range values {
				langs[v.Lang]++
				isText := v.Lang != "" || v.Kind == rdf.Literal && cmp.Or(v.Datatype, rdf.XSDString) == rdf.XSDString
				u.Many = u.Many || langs[v.Lang] > 1 || !isText && len(values) > 1
				u.Languages = u.Languages || v.Lang != ""
				switch {
				case v.Kind != rdf.Literal:
					u.Entities = u.Entities || n.isEntity(v)
				case v.Lang != "":
					u.Literals = true
					add(&u.Datatypes, rdf.RDFLangString)
				default:
					u.Literals = true
					add(&u.Datatypes, cmp.Or(v.Datatype, rdf.XSDString))
				}
			}
		}
	}
	var out []domains.PropertyUsage
	for _, p := range slices.Sorted(maps.Keys(all)) {
		out = append(out, *all[p])
	}
	return out
}
