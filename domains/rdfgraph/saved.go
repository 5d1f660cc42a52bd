package rdfgraph

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// prepared is what newGraph works out of a whole graph.
type prepared struct {
	groups   groups
	classes  map[store.ID]*instances
	names    *store.Names
	stats    domains.Stats
	combined []combination
}

// into gives a graph what was worked out. measureClasses went before.
func (p *prepared) into(g *graph) {
	g.groups, g.names, g.stats, g.combined = p.groups, p.names, p.stats, p.combined
	maps.Copy(g.classes, p.classes)
}

// savedGraph is what newGraph worked out as it is in a snapshot file: as parts that are
// written, or read into an empty one.
//
//	groups    groups.sets
//	classes   the classes in use, in order; facts and kinds are parallel to it
//	own       instances.own of those classes that have it, in order
//	names     the name index
//	counts    stats and combined, packed
type savedGraph struct {
	groups  lists
	classes []store.ID
	facts   []uint32
	kinds   []uint32 // bits: isShared, hasOwn
	own     lists
	names   *store.SavedNames
	counts  string
}

const (
	isShared = 1 << iota
	hasOwn
)

// saved makes what was worked out ready to be written. It shares the graph's memory.
func (g *graph) saved() *savedGraph {
	v := &savedGraph{
		groups: g.groups.sets, own: lists{start: []uint32{0}},
		classes: slices.Sorted(maps.Keys(g.classes)), names: g.names.Saved(), counts: packCounts(g.stats, g.combined),
	}
	for _, class := range v.classes {
		in, kind := g.classes[class], uint32(0)
		if in.shared {
			kind |= isShared
		}
		if in.own != nil {
			kind |= hasOwn
			v.own.all = append(v.own.all, in.own...)
			v.own.start = append(v.own.start, uint32(len(v.own.all)))
		}
		v.facts, v.kinds = append(v.facts, uint32(in.facts)), append(v.kinds, kind)
	}
	return v
}

// parts are the parts of the file, always in the same order.
func (v *savedGraph) parts() []store.Part {
	if v.names == nil {
		v.names = &store.SavedNames{}
	}
	return append([]store.Part{
		store.Numbers(&v.groups.start), store.Numbers(&v.groups.all),
		store.Numbers(&v.classes), store.Numbers(&v.facts), store.Numbers(&v.kinds),
		store.Numbers(&v.own.start), store.Numbers(&v.own.all), store.Text(&v.counts),
	}, v.names.Parts()...)
}

// prepared is what parts that were read say of a snapshot. Nothing in them is trusted:
// what no graph could be asked about is store.ErrDamaged. The only other error is that
// ctx ended.
func (v *savedGraph) prepared(ctx context.Context, s *store.Snapshot) (*prepared, error) {
	if err := v.checkGroups(s); err != nil {
		return nil, err
	}
	p := &prepared{groups: newGroups(v.groups), classes: map[store.ID]*instances{}}
	if err := v.unpackClasses(s, p.classes); err != nil {
		return nil, err
	}
	var err error
	if p.stats, p.combined, err = unpackCounts(v.counts, s); err != nil {
		return nil, err
	}
	p.names, err = v.names.Names(ctx, s)
	return p, err
}

func damaged(what string) error { return fmt.Errorf("%w: %s", store.ErrDamaged, what) }

// check says whether lists lie one behind the other and hold numbers from 1 to last.
func (l *lists) check(last store.ID) bool {
	if len(l.start) == 0 {
		return len(l.all) == 0
	}
	return l.start[0] == 0 && int(l.start[len(l.start)-1]) == len(l.all) && slices.IsSorted(l.start) &&
		!slices.ContainsFunc(l.all, func(id store.ID) bool { return id == 0 || id > last })
}

// checkGroups says whether the sets are as groups has them.
func (v *savedGraph) checkGroups(s *store.Snapshot) error {
	if !v.groups.check(s.FirstBlank() - 1) {
		return damaged("groups lie elsewhere")
	}
	seen := make([]uint64, s.FirstBlank()/64+1)
	for i := range v.groups.len() {
		set := v.groups.at(i)
		if len(set) < 2 || !slices.IsSorted(set[1:]) || i > 0 && v.groups.first(i-1) >= set[0] {
			return damaged("groups are not in order")
		}
		for _, id := range set {
			if seen[id/64]&(1<<(id%64)) != 0 {
				return damaged("an IRI is in two groups")
			}
			seen[id/64] |= 1 << (id % 64)
		}
	}
	return nil
}

// unpackClasses fills the instances of the classes in use, which must be those of the
// file.
func (v *savedGraph) unpackClasses(s *store.Snapshot, to map[store.ID]*instances) error {
	if len(v.facts) != len(v.classes) || len(v.kinds) != len(v.classes) || !v.own.check(s.FirstLiteral()-1) {
		return damaged("classes lie elsewhere")
	}
	r := s.Reader()
	defer r.Done()
	var typed store.Rows // no rows where the graph has no types
	if id, ok := s.LookupIRI(rdf.RDFType); ok {
		typed = r.Rows(0, id, 0)
	}
	i, own := 0, 0
	for run := typed; typed.Len() > 0; i++ {
		run, typed = typed.Run()
		class := run.Second()
		if s.Kind(class) != rdf.IRI {
			break // what follows is none either
		}
		if i == len(v.classes) || v.classes[i] != class {
			return damaged("it has other classes")
		}
		in, most := &instances{facts: int(v.facts[i]), shared: v.kinds[i]&isShared != 0}, run.Len()
		if v.kinds[i]&hasOwn != 0 {
			if own == v.own.len() || !inPlaces(s, v.own.at(own), in.facts) {
				return damaged("instances are not in order")
			}
			in.own = v.own.at(own)
			most = len(in.own)
			own++
		}
		if most == 0 || in.facts > most {
			return damaged("a class has too few instances")
		}
		to[class] = in
	}
	if i != len(v.classes) || own != v.own.len() {
		return damaged("it has other classes")
	}
	return nil
}

// inPlaces says whether instances are in an order of places: those that are facts and
// the others each with rising IRIs, between two of which all blank nodes are.
func inPlaces(s *store.Snapshot, own []store.ID, facts int) bool {
	if facts > len(own) {
		return false
	}
	for _, part := range [][]store.ID{own[:facts], own[facts:]} {
		blank := func(id store.ID) bool { return id >= s.FirstBlank() }
		first := max(slices.IndexFunc(part, blank), 0)
		end := first
		for end < len(part) && blank(part[end]) {
			end++
		}
		iris := slices.Concat(part[:first], part[end:])
		if !rises(iris) || !rises(part[first:end]) || slices.ContainsFunc(iris, blank) {
			return false
		}
	}
	return true
}

func rises(ids []store.ID) bool {
	for i := 1; i < len(ids); i++ {
		if ids[i-1] >= ids[i] {
			return false
		}
	}
	return true
}

// counters are the numbers of stats in the order in which they are packed.
func counters(s *domains.Stats) []*int {
	return []*int{&s.Triples, &s.Subjects, &s.Predicates, &s.Entities, &s.Labels, &s.TypeAssertions, &s.Attributes, &s.Relationships, &s.Inferred}
}

func packCounts(s domains.Stats, combined []combination) string {
	var p store.Packer
	for _, n := range counters(&s) {
		p.Number(uint64(*n))
	}
	for _, list := range [][]domains.Count{s.Types, s.Properties} {
		p.Number(uint64(len(list)))
		for _, c := range list {
			p.Text(c.IRI)
			p.Number(uint64(c.Count))
			p.Number(uint64(c.Below))
		}
	}
	if combined == nil {
		p.Number(0)
		return p.String()
	}
	p.Number(uint64(len(combined)) + 1)
	ordered := slices.Clone(combined)
	slices.SortFunc(ordered, func(a, b combination) int { return cmp.Or(slices.Compare(a.classes, b.classes), cmp.Compare(a.n, b.n)) })
	for _, c := range ordered {
		p.Number(uint64(c.n))
		p.Number(uint64(len(c.classes)))
		for _, id := range c.classes {
			p.Number(uint64(id))
		}
	}
	return p.String()
}

func unpackCounts(packed string, s *store.Snapshot) (domains.Stats, []combination, error) {
	var stats domains.Stats
	u := store.NewUnpacker(packed)
	most := uint64(s.Len()) + uint64(s.FirstQuoted()) // more than there is of anything
	number := func() int { return int(u.Number(most)) }
	for _, n := range counters(&stats) {
		*n = number()
	}
	for _, list := range []*[]domains.Count{&stats.Types, &stats.Properties} {
		for n := min(u.Count(3), int(most)); n > 0 && !u.Failed(); n-- {
			*list = append(*list, domains.Count{IRI: u.Text(), Count: number(), Below: number()})
		}
	}
	var combined []combination
	if n := int(u.Number(mostCombinations + 1)); n > 0 {
		combined = []combination{}
		for ; n > 1 && !u.Failed(); n-- {
			c := combination{n: number()}
			for n := u.Count(1); n > 0 && !u.Failed(); n-- {
				c.classes = append(c.classes, store.ID(u.Number(uint64(s.FirstBlank())-1)))
			}
			if !rises(c.classes) {
				return stats, nil, damaged("combined classes are not in order")
			}
			combined = append(combined, c)
		}
	}
	return stats, combined, u.Err()
}
