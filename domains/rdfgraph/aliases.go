package rdfgraph

import (
	"cmp"
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// findGroups joins the IRIs that are one entity (domains.SameEntity). Each IRI
// proposes itself without a segment, so the cost grows with the number of IRIs.
// Schema terms are never joined: a class is described as it is written.
func (c *call) findGroups() groups {
	said := c.saidToBeSame()
	types := saidTypes{c, said, said.Sets(), map[store.ID][]string{}}
	return c.choose(types.join(domains.Unambiguous(said, c.alike(types))))
}

// mostTypes is how many classes an entity has that is joined by its IRI alone: all
// pairs of classes are compared.
const mostTypes = 64

// twins are two IRIs that may be one entity.
type twins [2]store.ID

// saidToBeSame joins what owl:sameAs joins.
func (c *call) saidToBeSame() *domains.Union[store.ID] {
	u := domains.NewUnion[store.ID]()
	if c.known.sameAs == 0 {
		return u
	}
	rows := c.r.Rows(0, c.known.sameAs, 0)
	for i := range rows.Len() {
		if c.ended(i) {
			return u
		}
		if row := rows.At(i); c.mayJoin(row.S) && c.mayJoin(row.O) {
			u.Join(row.S, row.O)
		}
	}
	return u
}

func (g *graph) mayJoin(id store.ID) bool { return g.s.Kind(id) == rdf.IRI && !g.schema[id] }

// alike finds the pairs of which one IRI is the other with a class inserted and
// whose entities' types agree.
func (c *call) alike(types saidTypes) []twins {
	names := c.classNames()
	if len(names) == 0 {
		return nil
	}
	same := func(a, b store.ID) bool {
		x := domains.Identity{IRI: c.s.Text(a), Types: types.of(a)}
		y := domains.Identity{IRI: c.s.Text(b), Types: types.of(b)}
		return len(x.Types) <= mostTypes && len(y.Types) <= mostTypes && domains.SameEntity(x, y, c.ontology)
	}
	var out []twins
	for id := store.ID(1); id < c.s.FirstBlank(); id++ {
		if c.ended(int(id)) {
			return nil
		}
		if !c.mayJoin(id) {
			continue
		}
		for _, short := range domains.Shortenings(c.s.Text(id), names) {
			other, ok := c.s.LookupIRI(short)
			if ok && c.mayJoin(other) && same(id, other) {
				out = append(out, twins{id, other})
			}
		}
	}
	return out
}

// classNames are the names of all classes that an entity of the graph may have:
// those in use and those above them.
func (g *graph) classNames() domains.ClassNames {
	var classes []string
	seen := map[string]bool{}
	add := func(class string) {
		if !seen[class] {
			seen[class] = true
			classes = append(classes, class)
		}
	}
	for class := range g.classes {
		add(g.s.Text(class))
	}
	for i := 0; i < len(classes); i++ {
		if c := g.ontology.Class(classes[i]); c != nil {
			for _, super := range c.Supers {
				add(super)
			}
		}
	}
	return domains.NewClassNames(g.ontology, classes)
}

// saidTypes are the classes of what owl:sameAs joins. They are read once for each
// entity of several IRIs or of many classes.
type saidTypes struct {
	c      *call
	said   *domains.Union[store.ID]
	groups map[store.ID][]store.ID // root in said → its IRIs in order
	known  map[store.ID][]string   // root → classes, each once
}

// of are the classes of the entity that has an IRI, by what is said alone.
func (t saidTypes) of(id store.ID) []string {
	root := t.said.Root(id)
	types, ok := t.known[root]
	if ok {
		return types
	}
	members := t.groups[root]
	if members == nil {
		if types = t.c.texts(t.c.classesOf(id)); len(types) > mostTypes {
			t.known[root] = types
		}
		return types
	}
	var classes []store.ID
	for _, m := range members {
		classes = append(classes, t.c.classesOf(m)...)
	}
	slices.Sort(classes)
	types = t.c.texts(slices.Compact(classes))
	t.known[root] = types
	return types
}

// join adds the pairs to what is said to be the same, without those by which a
// group would come to hold entities with conflicting types.
func (t saidTypes) join(pairs []twins) *domains.Union[store.ID] {
	all := t.said.Clone()
	for _, p := range pairs {
		all.Join(p[0], p[1])
	}
	parts := map[store.ID][]store.ID{} // root in all → roots in said that it joins
	added := map[store.ID]bool{}       // roots in said
	for _, p := range pairs {
		for _, id := range p {
			if part := t.said.Root(id); !added[part] {
				added[part] = true
				root := all.Root(id)
				parts[root] = append(parts[root], part)
			}
		}
	}
	torn := map[store.ID]bool{}
	for root, roots := range parts {
		torn[root] = len(roots) > 2 && t.conflict(roots)
	}
	out := t.said.Clone()
	for _, p := range pairs {
		if !torn[all.Root(p[0])] {
			out.Join(p[0], p[1])
		}
	}
	return out
}

// mostParts is how many entities may be joined by their IRIs into one.
const mostParts = 32

func (t saidTypes) conflict(roots []store.ID) bool {
	if len(roots) > mostParts {
		return true
	}
	for i, root := range roots {
		for _, before := range roots[:i] {
			if domains.TypesConflict(t.of(before), t.of(root), t.c.ontology) {
				return true
			}
		}
	}
	return false
}

// choose picks the shown IRI of each group: the one with most facts, then the
// longer, then the first in order.
func (c *call) choose(u *domains.Union[store.ID]) groups {
	var several [][]store.ID
	for _, members := range u.Sets() {
		if len(members) < 2 {
			continue
		}
		shown := slices.MinFunc(members, func(a, b store.ID) int {
			return cmp.Or(
				cmp.Compare(c.r.Rows(b, 0, 0).Len(), c.r.Rows(a, 0, 0).Len()),
				cmp.Compare(len(c.s.Text(b)), len(c.s.Text(a))),
				cmp.Compare(a, b))
		})
		at := slices.Index(members, shown)
		copy(members[1:at+1], members[:at])
		members[0] = shown
		several = append(several, members)
	}
	slices.SortFunc(several, func(a, b []store.ID) int { return cmp.Compare(a[0], b[0]) })
	out := lists{start: make([]uint32, 1, len(several)+1)}
	for _, members := range several {
		out.all = append(out.all, members...)
		out.start = append(out.start, uint32(len(out.all)))
	}
	return newGroups(out)
}
