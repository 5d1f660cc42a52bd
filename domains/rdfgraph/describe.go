package rdfgraph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// How far blank nodes are described inside their owner; what lies deeper or
// beyond is mentioned by its IRI.
const (
	nestedDepth = 5
	nestedMost  = 200
)

// description describes one entity.
type description struct {
	*call
	self   store.ID
	fanout int
	// meet is called for every entity that a fact leads to as a neighbour; nil
	// when nobody asks.
	meet func(store.ID)
	// passed and window are Passed and Shown of domains.WalkOptions; quiet is set when
	// nothing is told and only meet counts.
	passed domains.Passed
	window int
	quiet  bool
	// later is set when not all was met that meet is to be called for.
	later bool
	// inside are the blank nodes that are being described, outermost first; left
	// is how many more may be.
	inside  []store.ID
	left    int
	triples int
}

// entity describes an entity, or returns the context's error.
func (d *description) entity(distance int) (domains.Entity, error) {
	d.left = nestedMost
	out := domains.Entity{IRI: d.iri(d.self), Distance: distance, Schema: d.schema[d.self]}
	if !d.quiet {
		out.Labels, out.Types = d.labelsOf(d.self), d.types(d.self)
	}
	members := d.members(d.self)
	out.Aliases = d.texts(members[1:])
	for _, m := range members {
		d.triples += d.r.Rows(m, 0, 0).Len()
	}
	facts, err := d.outgoing(members)
	if err != nil {
		return out, err
	}
	if out.Facts, err = d.incoming(facts, members); err != nil {
		return out, err
	}
	out.Triples = d.triples
	return out, nil
}

// span says which values of a fact are told: up to most, of those that are entities up
// to entities, and the first bare of them with their IRI alone.
type span struct{ most, entities, bare int }

// span is that of the fact with an index.
func (d *description) span(index int) span {
	s := span{most: d.fanout, entities: d.fanout}
	switch {
	case d.quiet:
		return s
	case index < d.passed.Fact:
		s.bare = d.fanout
		return s
	case index == d.passed.Fact:
		s.bare = d.passed.Value
	}
	if d.window > 0 && d.window < d.fanout-s.bare {
		s.entities = s.bare + d.window
	}
	return s
}

// property is what the IRIs of an entity have of one property in one direction,
// one Rows for each IRI that has any.
type property struct {
	id   store.ID
	rows []store.Rows
}

func (p property) total() int {
	n := 0
	for _, r := range p.rows {
		n += r.Len()
	}
	return n
}

// byProperty collects rows under their property, in the order of properties.
func byProperty(list []property) []property {
	slices.SortStableFunc(list, func(a, b property) int { return cmp.Compare(a.id, b.id) })
	out := list[:0]
	for _, p := range list {
		if n := len(out); n > 0 && out[n-1].id == p.id {
			out[n-1].rows = append(out[n-1].rows, p.rows...)
			continue
		}
		out = append(out, p)
	}
	return out
}

// incomingRoom is for how many incoming facts there is room behind the outgoing ones: more
// take new memory.
const incomingRoom = 2

// outgoing describes the facts that a blank node or the IRIs of an entity are the
// subject of. A cell of a list has the members from there on, as rdfs:member.
func (d *description) outgoing(members []store.ID) ([]domains.Fact, error) {
	var list []property
	var out []domains.Fact
	cell := d.isCell(members[0])
	for _, m := range members {
		for run, rest := d.r.Rows(m, 0, 0).Run(); run.Len() > 0; run, rest = rest.Run() {
			p := run.Second()
			if p == d.known.rdfType || cell && (p == d.known.first || p == d.known.rest) {
				continue
			}
			if d.labels.is[p] {
				run, _ = run.Split(d.s.FirstLiteral()) // the literals are labels
			}
			if run.Len() > 0 {
				list = append(list, property{p, d.room.one(run)})
			}
		}
	}
	if cell {
		fact := domains.Fact{Property: rdf.RDFS + "member"}
		d.triples -= d.r.Rows(members[0], 0, 0).Len() // the list counts its first cell
		d.addList(&fact, d.known.first, members[0], span{most: d.fanout, entities: d.fanout})
		out = append(out, fact)
	}
	list = byProperty(list)
	if len(list) > 0 {
		out = slices.Grow(out, len(list)+incomingRoom)
	}
	for _, p := range list {
		told := span{most: d.fanout, entities: d.fanout}
		if !cell && len(d.inside) == 0 {
			told = d.span(len(out))
		}
		fact, err := d.fact(p, told)
		if err != nil {
			return nil, err
		}
		if fact.Total > 0 {
			out = append(out, fact)
		}
	}
	if cell {
		slices.SortStableFunc(out, func(a, b domains.Fact) int { return cmp.Compare(a.Property, b.Property) })
	}
	return out, nil
}

// addList adds the members of a list to a fact of property p.
func (d *description) addList(fact *domains.Fact, p, head store.ID, told span) {
	members, n, more, triples := d.list(head, told.most-len(fact.Values))
	fact.Total += n
	fact.AtLeast = fact.AtLeast || more
	d.triples += triples
	entities := 0
	for _, m := range members {
		if d.s.Kind(m) != rdf.Literal {
			entities++
		}
		fact.Values = append(fact.Values, d.value(p, m, entities <= told.bare))
	}
}

// fact describes the values of a property. The members of a list stand for it when
// it is the only value; several lists stay apart. An empty list is no value.
func (d *description) fact(p property, told span) (domains.Fact, error) {
	fact := domains.Fact{Property: d.s.Text(p.id)}
	empty := slices.ContainsFunc(p.rows, func(r store.Rows) bool { return d.known.null != 0 && r.HasThird(d.known.null) })
	limit := told.most
	if told.entities < limit && !d.hasLiterals(p) {
		limit = told.entities
	}
	if empty {
		limit++ // it may be among the first
	}
	values, total, err := d.values(p, limit)
	if err != nil {
		return fact, err
	}
	if empty {
		total--
		values = slices.DeleteFunc(values, func(v store.ID) bool { return v == d.known.null })
	}
	values = d.preferredFirst(p, values)
	values = values[:min(told.most, len(values))]
	fact.Total = total
	d.cut(&fact, limit < told.most && len(values) < min(total, told.most))
	if len(values) > 0 {
		fact.Values = d.room.valueList(len(values))
	}
	seen := map[store.ID]bool{}
	entities := 0
	for _, v := range values {
		if total == 1 && d.isCell(v) {
			fact.Total--
			d.addList(&fact, p.id, v, told)
			continue
		}
		v = d.shown(v)
		if seen[v] || p.id == d.known.sameAs && v == d.self {
			fact.Total--
			continue
		}
		seen[v] = true
		if d.s.Kind(v) != rdf.Literal {
			if entities++; entities > told.entities {
				d.cut(&fact, true)
				continue
			}
		}
		if len(fact.Values) < told.most {
			fact.Values = append(fact.Values, d.value(p.id, v, entities <= told.bare))
		}
	}
	return fact, nil
}

// cut notes that values are left out which count, unless there are more than are ever
// told.
func (d *description) cut(fact *domains.Fact, is bool) {
	if is {
		d.later = true
		fact.Cut = fact.Total <= d.fanout
	}
}

// hasLiterals says whether a property has literals, which are never left out: an entity's
// texts stand before what it leads to.
func (d *description) hasLiterals(p property) bool {
	return slices.ContainsFunc(p.rows, func(r store.Rows) bool {
		_, literals := r.Split(d.s.FirstLiteral())
		return literals.Len() > 0
	})
}

// value describes one value; IRIs are those shown. A bare one is not asked about.
func (d *description) value(p, id store.ID, bare bool) domains.Value {
	id = d.shown(id)
	switch d.s.Kind(id) {
	case rdf.Literal:
		return domains.Value{Literal: d.s.Term(id)}
	case rdf.TripleTerm:
		return domains.Value{Nested: d.tripleTerm(d.s.Term(id))}
	}
	if len(d.inside) < nestedDepth && d.left > 0 && id != d.self && !slices.Contains(d.inside, id) && d.nestable(id) {
		return domains.Value{Nested: d.nested(id)}
	}
	return domains.Value{Ref: d.mention(p, id, bare)}
}

// mention tells of an entity that a fact leads to, and follows the fact. A bare one is
// named and no more: it is followed when it has to be.
func (d *description) mention(p, id store.ID, bare bool) *domains.Ref {
	if bare {
		d.later = true
		return &domains.Ref{IRI: d.iri(id)}
	}
	if d.follows(p, id) {
		d.meet(id)
	}
	if d.quiet {
		return &domains.Ref{}
	}
	return d.room.ref(d.ref(id))
}

// nested describes a blank node in place.
func (d *description) nested(id store.ID) *domains.Entity {
	d.left--
	d.inside = append(d.inside, id)
	defer func() { d.inside = d.inside[:len(d.inside)-1] }()
	before := d.triples
	d.triples += d.r.Rows(id, 0, 0).Len()
	facts, _ := d.outgoing([]store.ID{id}) // an error of the context comes again
	out := &domains.Entity{IRI: d.iri(id), Facts: facts, Triples: d.triples - before, Schema: d.schema[id]}
	if !d.quiet {
		out.Labels, out.Types = d.labelsOf(id), d.types(id)
	}
	return out
}

// tripleTerm describes a triple term (RDF 1.2) by its parts, with the properties
// of RDF reification.
func (d *description) tripleTerm(t rdf.Term) *domains.Entity {
	out := &domains.Entity{}
	for _, part := range []struct {
		property string
		term     rdf.Term
	}{{rdf.RDF + "subject", t.Triple.Subject}, {rdf.RDF + "predicate", t.Triple.Predicate}, {rdf.RDF + "object", t.Triple.Object}} {
		value := domains.Value{Literal: part.term}
		switch part.term.Kind {
		case rdf.IRI, rdf.Blank:
			ref := domains.Ref{IRI: part.term.Value}
			if id, ok := d.s.Lookup(part.term); ok {
				ref = d.ref(d.shown(id))
			}
			value = domains.Value{Ref: &ref}
		case rdf.TripleTerm:
			value = domains.Value{Nested: d.tripleTerm(part.term)}
		}
		out.Facts = append(out.Facts, domains.Fact{Property: part.property, Total: 1, Values: []domains.Value{value}})
	}
	return out
}

// follows says whether a fact leads to a neighbour. An entity's class is none, nor
// is any other schema term, nor what is only mentioned; from a schema term all
// facts lead on that lead to something described.
func (d *description) follows(p, id store.ID) bool {
	switch {
	case d.meet == nil || p == d.known.rdfType || d.labels.is[p]:
		return false
	case d.schema[d.self]:
		return d.isSubject(id)
	}
	return !d.schema[id] && !isSchemaProperty(d.s.Text(p)) && d.isEntity(id)
}

// isSchemaProperty says whether a property describes schemas rather than things.
func isSchemaProperty(iri string) bool {
	if local, ok := strings.CutPrefix(iri, rdf.OWL); ok {
		return local != "sameAs" && local != "differentFrom"
	}
	switch iri {
	case rdf.RDFS + "subClassOf", rdf.RDFS + "subPropertyOf", rdf.RDFS + "domain", rdf.RDFS + "range", rdf.RDFS + "isDefinedBy":
		return true
	}
	return false
}
