package rdfgraph

import (
	"cmp"
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

const (
	// readAll is up to how many incoming triples are read to see which properties
	// they have; a hub with more is asked for each property of the graph instead.
	readAll = 64
	// mostClimbs is how many blank nodes that lead to an entity by one property are
	// followed to the entities that show them; none is begun after mostSteps.
	mostClimbs = 1_000
	mostSteps  = 100_000
)

// origins are the entities from which one property leads to an entity.
type origins struct {
	iri      string            // of the property
	property store.ID          // for rdfs:member of a list, the one of its cells
	direct   property          // the triples whose subject is an IRI
	homes    []store.ID        // those that were read, each once
	seen     map[store.ID]bool // the homes, once they are more than fewHomes
	total    int
	atLeast  bool
	// told are the entities to which the entity itself leads by an inverse of the
	// property: the same facts, which are not told again.
	told told
}

// incoming describes the facts that the IRIs of an entity are the object of. A
// subject that is a blank node inside another entity stands for that entity, and a
// cell of a list for the property that has the list. From a list that has no owner
// its members come by rdfs:member, as the list itself is described. They are added to the
// other facts of the entity.
func (d *description) incoming(to []domains.Fact, members []store.ID) ([]domains.Fact, error) {
	var few [8]property
	list := few[:0]
	for _, m := range members {
		properties, err := d.incomingProperties(m)
		if err != nil {
			return nil, err
		}
		for _, p := range properties {
			list = append(list, property{p, d.room.one(d.r.Rows(0, p, m))})
		}
	}
	if len(list) == 0 {
		return to, nil
	}
	list = byProperty(list)
	in := inbound{description: d, memory: make([]origins, 0, len(list))}
	for _, p := range list {
		if err := in.addDirect(p); err != nil {
			return nil, err
		}
	}
	for _, p := range list {
		if err := in.addNested(p); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(in.found, func(a, b *origins) int { return cmp.Compare(a.iri, b.iri) })
	for _, from := range in.found {
		if from.total > 0 {
			to = append(to, d.incomingFact(from, d.span(len(to))))
		}
	}
	return to, nil
}

// incomingProperties are the properties by which triples lead to an IRI, in
// order, without rdf:type.
func (d *description) incomingProperties(object store.ID) ([]store.ID, error) {
	rows := d.r.Rows(0, 0, object)
	out := d.room.idList(min(rows.Len(), fewIDs))
	if rows.Len() > max(readAll, len(d.s.PredicateIDs())) {
		for _, p := range d.s.PredicateIDs() {
			if p != d.known.rdfType && d.r.Rows(0, p, object).Len() > 0 {
				out = append(out, p)
			}
		}
		return out, nil
	}
	for i := range rows.Len() {
		if d.ended(i) {
			return nil, d.ctx.Err()
		}
		if p := rows.Third(i); p != d.known.rdfType {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// inbound gathers what leads to an entity.
type inbound struct {
	*description
	found  []*origins          // each of another property
	byIRI  map[string]*origins // the same, once they are more than fewOrigins
	memory []origins           // for some of them
}

// fewOrigins are looked through faster than they are looked up.
const fewOrigins = 16

// at returns the origins of a property.
func (in *inbound) at(iri string, p store.ID) *origins {
	if from := in.foundAt(iri); from != nil {
		return from
	}
	if len(in.memory) == cap(in.memory) {
		in.memory = make([]origins, 0, max(4, len(in.found)))
	}
	in.memory = append(in.memory, origins{iri: iri, property: p, told: in.toldBy(p)})
	from := &in.memory[len(in.memory)-1]
	in.found = append(in.found, from)
	if in.byIRI != nil {
		in.byIRI[iri] = from
	}
	return from
}

// foundAt are the origins of a property that were found already; nil when none were.
func (in *inbound) foundAt(iri string) *origins {
	if len(in.found) <= fewOrigins {
		for _, from := range in.found {
			if from.iri == iri {
				return from
			}
		}
		return nil
	}
	if in.byIRI == nil {
		in.byIRI = make(map[string]*origins, 2*len(in.found))
		for _, from := range in.found {
			in.byIRI[from.iri] = from
		}
	}
	return in.byIRI[iri]
}

// add adds an entity once. What leads to itself is shown as outgoing, and so is what an
// inverse property tells.
func (in *inbound) add(from *origins, home store.ID) {
	if home == in.self || from.has(home) || from.told.shown[home] {
		return
	}
	if from.seen != nil {
		from.seen[home] = true
	}
	from.homes = append(from.homes, home)
	from.total++
}

// fewHomes are looked through faster than they are looked up.
const fewHomes = 16

// has reports whether an entity was added.
func (o *origins) has(home store.ID) bool {
	if len(o.homes) <= fewHomes {
		return slices.Contains(o.homes, home)
	}
	if o.seen == nil {
		o.seen = make(map[store.ID]bool, 2*len(o.homes))
		for _, h := range o.homes {
			o.seen[h] = true
		}
	}
	return o.seen[home]
}

// addDirect adds the subjects of a property that are IRIs. Those that are not read
// are counted.
func (in *inbound) addDirect(p property) error {
	direct := property{id: p.id}
	for _, rows := range p.rows {
		iris, _ := rows.Split(in.s.FirstBlank())
		switch {
		case iris.Len() == 0:
		case len(p.rows) == 1:
			direct.rows = in.room.one(iris)
		default:
			direct.rows = append(direct.rows, iris)
		}
	}
	if len(direct.rows) == 0 {
		return nil
	}
	from := in.at(in.s.Text(p.id), p.id)
	subjects, total, err := in.values(direct, in.mostSubjects()+len(from.told.ids))
	if err != nil {
		return err
	}
	from.direct = direct
	if from.homes == nil {
		from.homes = in.room.idList(len(subjects))
	}
	from.total += total - len(subjects) - from.told.unread(direct, subjects)
	for _, s := range subjects {
		in.add(from, in.shown(s))
	}
	return nil
}

// mostSubjects is how many subjects of a property are read: as many as are told, where all
// are shown as they are and so come in the order in which they are told.
func (d *description) mostSubjects() int {
	if d.quiet || d.window == 0 || d.groups.sets.len() > 0 {
		return d.fanout
	}
	return min(d.fanout, d.passed.Value+d.window)
}

// addNested adds the entities that show the subjects of a property that are blank
// nodes. When these are too many to follow them all, there are more than are counted.
func (in *inbound) addNested(p property) error {
	met := map[*origins]bool{}
	climbs, steps := 0, 0
	for _, rows := range p.rows {
		_, blanks := rows.Split(in.s.FirstBlank())
		for i := range blanks.Len() {
			if in.ended(climbs) {
				return in.ctx.Err()
			}
			if climbs == mostClimbs || steps >= mostSteps {
				for from := range met {
					from.atLeast = true
				}
				return nil
			}
			climbs++
			from, home, n := in.origin(p.id, blanks.Third(i))
			steps += n
			if in.schema[home] && in.s.Kind(home) == rdf.Blank { // an axiom, such as owl:AllDifferent, is told with the ontology
				continue
			}
			met[from] = true
			if !in.isDirect(from, home) {
				in.add(from, home)
			}
		}
	}
	return nil
}

// origin finds whence a triple with a blank node as subject leads to the entity.
func (in *inbound) origin(p, subject store.ID) (from *origins, home store.ID, steps int) {
	inList := (p == in.known.first || p == in.known.rest) && in.isCell(subject)
	home, via, steps := in.home(subject, inList, mostSteps)
	switch {
	case via != 0:
		return in.at(in.s.Text(via), via), home, steps
	case inList:
		return in.at(rdf.RDFS+"member", p), home, steps
	}
	return in.at(in.s.Text(p), p), home, steps
}

// isDirect says whether an entity is the subject of a triple with the property
// itself, and so is counted already.
func (in *inbound) isDirect(from *origins, home store.ID) bool {
	for _, rows := range from.direct.rows {
		if slices.ContainsFunc(in.members(home), rows.HasThird) {
			return true
		}
	}
	return false
}

// incomingFact shows the first origins.
func (d *description) incomingFact(from *origins, told span) domains.Fact {
	out := domains.Fact{Property: from.iri, Incoming: true, Total: from.total, AtLeast: from.atLeast}
	slices.SortFunc(from.homes, func(a, b store.ID) int { return cmp.Compare(d.place(a), d.place(b)) })
	n := min(told.entities, len(from.homes))
	d.cut(&out, n == told.entities && n < min(from.total, d.fanout))
	if n > 0 {
		out.Values = d.room.valueList(n)
	}
	for i, home := range from.homes[:n] {
		out.Values = append(out.Values, domains.Value{Ref: d.mention(from.property, home, i < told.bare)})
	}
	return out
}
