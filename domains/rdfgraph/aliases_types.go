package rdfgraph

import (
	"encoding/binary"
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// saidTypes are the classes of what owl:sameAs joins, and how these go together. Most
// entities have the classes of another, so each combination is looked at once. It is not
// for concurrent use.
type saidTypes struct {
	c      *call
	said   *domains.Union[store.ID]
	sets   map[store.ID][]store.ID // root in said → its IRIs in order
	known  map[store.ID]*typeSet   // root → classes, where there are many
	byIDs  map[string]*typeSet     // IDs of classes, as bytes → classes
	pairs  map[[2]*typeSet]domains.Kinship
	ids    []store.ID
	buffer []byte
}

// typeSet are classes in order, each once.
type typeSet struct{ texts []string }

// newSaidTypes reads through a call; sets are those of said.
func newSaidTypes(c *call, said *domains.Union[store.ID], sets map[store.ID][]store.ID) *saidTypes {
	return &saidTypes{
		c: c, said: said, sets: sets,
		known: map[store.ID]*typeSet{}, byIDs: map[string]*typeSet{}, pairs: map[[2]*typeSet]domains.Kinship{},
	}
}

// kinship is how the types of two entities go together. Those with very many are kin to
// nobody.
func (t *saidTypes) kinship(a, b store.ID) domains.Kinship {
	pair := [2]*typeSet{t.of(a), t.of(b)}
	kin, ok := t.pairs[pair]
	if !ok && len(pair[0].texts) <= mostTypes && len(pair[1].texts) <= mostTypes {
		kin = domains.NewKinship(pair[0].texts, pair[1].texts, t.c.ontology)
		t.pairs[pair] = kin
	}
	return kin
}

// of are the classes of the entity that has an IRI, by what is said alone.
func (t *saidTypes) of(id store.ID) *typeSet {
	root := t.said.Root(id)
	if set, ok := t.known[root]; ok {
		return set
	}
	members := t.sets[root]
	t.ids = t.ids[:0]
	if members == nil {
		t.ids = t.c.appendClasses(t.ids, id)
	} else {
		for _, m := range members {
			t.ids = t.c.appendClasses(t.ids, m)
		}
		slices.Sort(t.ids)
		t.ids = slices.Compact(t.ids)
	}
	t.buffer = t.buffer[:0]
	for _, id := range t.ids {
		t.buffer = binary.LittleEndian.AppendUint32(t.buffer, uint32(id))
	}
	set := t.byIDs[string(t.buffer)]
	if set == nil {
		set = &typeSet{t.c.texts(t.ids)}
		t.byIDs[string(t.buffer)] = set
	}
	if members != nil || len(t.ids) > mostTypes {
		t.known[root] = set
	}
	return set
}

// join adds the pairs to what is said to be the same, without those by which a
// group would come to hold entities with conflicting types.
func (t *saidTypes) join(pairs []twins) *domains.Union[store.ID] {
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

func (t *saidTypes) conflict(roots []store.ID) bool {
	if len(roots) > mostParts {
		return true
	}
	for i, root := range roots {
		for _, before := range roots[:i] {
			if domains.TypesConflict(t.of(before).texts, t.of(root).texts, t.c.ontology) {
				return true
			}
		}
	}
	return false
}
