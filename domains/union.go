package domains

import (
	"cmp"
	"maps"
	"slices"
)

// Union joins names of entities (IRIs, or a back end's numbers for them) into sets: the
// names of one entity. A name that was never joined is a set of its own. It is for one
// goroutine.
type Union[K cmp.Ordered] struct{ up map[K]K }

// NewUnion has joined nothing yet.
func NewUnion[K cmp.Ordered]() *Union[K] { return &Union[K]{map[K]K{}} }

// Clone is a copy that can be joined further by itself.
func (u *Union[K]) Clone() *Union[K] { return &Union[K]{maps.Clone(u.up)} }

// Root is the smallest name of a set.
func (u *Union[K]) Root(k K) K {
	root := k
	for up, ok := u.up[root]; ok && up != root; up, ok = u.up[root] {
		root = up
	}
	for k != root {
		up := u.up[k]
		if up != root {
			u.up[k] = root
		}
		k = up
	}
	return root
}

// Join makes one set of those of two names.
func (u *Union[K]) Join(a, b K) {
	a, b = u.Root(a), u.Root(b)
	root := min(a, b)
	u.up[a], u.up[b], u.up[root] = root, root, root
}

// Sets are the sets of all names that were joined: root → its names in order. Until the
// next Join, Root may then be called by several goroutines.
func (u *Union[K]) Sets() map[K][]K {
	out := map[K][]K{}
	for _, k := range slices.Sorted(maps.Keys(u.up)) {
		root := u.Root(k)
		out[root] = append(out[root], k)
	}
	return out
}

// Unambiguous drops, of pairs that SameEntity takes for one, those of every name that
// would join entities which are not the same: two partners of one name never differ by
// one segment themselves, so they are the same only when they are said to be. pairs is
// used up.
func Unambiguous[K cmp.Ordered, P ~[2]K](said *Union[K], pairs []P) []P {
	partner, torn := map[K]K{}, map[K]bool{} // partner: name → root of its partner
	for _, p := range pairs {
		for i, k := range [2]K(p) {
			root := said.Root(p[1-i])
			if before, ok := partner[k]; ok && before != root {
				torn[k] = true
			}
			partner[k] = root
		}
	}
	return slices.DeleteFunc(pairs, func(p P) bool { return torn[p[0]] || torn[p[1]] })
}
