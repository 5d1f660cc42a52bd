package rdfgraph

import (
	"cmp"
	"slices"
	"sync"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// findGroups joins the IRIs that are one entity (domains.SameEntity). Each IRI
// proposes itself without a segment, so the cost grows with the number of IRIs.
// Schema terms are never joined: a class is described as it is written.
func (c *call) findGroups() groups {
	said := c.saidToBeSame()
	sets := said.Sets()
	alone, others := c.apart(c.alike(said, sets), sets)
	several := newSaidTypes(c, said, sets).join(domains.Unambiguous(said, others)).Sets()
	return c.choose(alone, several)
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
// whose entities' types agree, in no certain order.
func (c *call) alike(said *domains.Union[store.ID], sets map[store.ID][]store.ID) []twins {
	names := c.classNames()
	if len(names) == 0 {
		return nil
	}
	var out []twins
	var adding sync.Mutex // guards out
	c.spread(int(c.s.FirstBlank())-1, func(own *call) func(from, to int) {
		types, iris := newSaidTypes(own, said, sets), own.s.IRIFinder()
		var id store.ID
		var iri string
		var short []byte
		var found []twins
		look := func(before, after string) bool {
			short = append(append(short[:0], before...), after...)
			other, ok := iris.Find(short)
			if ok && own.mayJoin(id) && own.mayJoin(other) && types.kinship(id, other).Same(iri, own.s.Text(other)) {
				found = append(found, twins{id, other})
			}
			return true
		}
		return func(from, to int) {
			for i := from; i < to; i++ {
				id = store.ID(i + 1)
				iri = own.s.Text(id)
				domains.EachShortening(iri, names, look)
			}
			adding.Lock()
			defer adding.Unlock()
			out = append(out, found...)
			found = found[:0]
		}
	})
	return out
}

// apart splits off the pairs of IRIs that are in no other pair or set: each is a group,
// and most groups are such.
func (c *call) apart(pairs []twins, sets map[store.ID][]store.ID) (alone, others []twins) {
	once, more := make(idSet, c.s.FirstBlank()/64+1), make(idSet, c.s.FirstBlank()/64+1)
	for _, members := range sets {
		for _, id := range members {
			more.add(id)
		}
	}
	for _, p := range pairs {
		for _, id := range p {
			if once.has(id) {
				more.add(id)
			}
			once.add(id)
		}
	}
	for _, p := range pairs {
		if more.has(p[0]) || more.has(p[1]) {
			others = append(others, p)
		}
	}
	alone = slices.DeleteFunc(pairs, func(p twins) bool { return more.has(p[0]) || more.has(p[1]) })
	return alone, others
}

// idSet has a bit for each ID.
type idSet []uint64

func (s idSet) add(id store.ID)      { s[id/64] |= 1 << (id % 64) }
func (s idSet) has(id store.ID) bool { return s[id/64]&(1<<(id%64)) != 0 }

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

// choose picks the shown IRI of each group: the one with most facts, then the
// longer, then the first in order.
func (c *call) choose(alone []twins, several map[store.ID][]store.ID) groups {
	all := make([][]store.ID, 0, len(alone)+len(several))
	for i := range alone {
		slices.Sort(alone[i][:])
		all = append(all, alone[i][:])
	}
	iris := 2 * len(alone)
	for _, members := range several {
		if len(members) > 1 {
			all = append(all, members)
			iris += len(members)
		}
	}
	for _, members := range all {
		at := slices.Index(members, slices.MinFunc(members, func(a, b store.ID) int {
			return cmp.Or(
				cmp.Compare(c.r.Rows(b, 0, 0).Len(), c.r.Rows(a, 0, 0).Len()),
				cmp.Compare(len(c.s.Text(b)), len(c.s.Text(a))),
				cmp.Compare(a, b))
		}))
		shown := members[at]
		copy(members[1:at+1], members[:at])
		members[0] = shown
	}
	slices.SortFunc(all, func(a, b []store.ID) int { return cmp.Compare(a[0], b[0]) })
	if len(all) == 0 {
		return groups{}
	}
	out := lists{start: make([]uint32, 1, len(all)+1), all: make([]store.ID, 0, iris)}
	for _, members := range all {
		out.all = append(out.all, members...)
		out.start = append(out.start, uint32(len(out.all)))
	}
	return newGroups(out)
}
