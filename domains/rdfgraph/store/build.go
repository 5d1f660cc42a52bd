package store

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains/rdf"
)

// BuildSteps is how many steps building has.
const BuildSteps = 6

// Build makes the snapshot, with all processors, and takes the builder over, which must
// not be used afterwards.
func (b *Builder) Build() *Snapshot { return b.BuildInSteps(func() {}) }

// BuildInSteps is Build, which calls step after each of its BuildSteps, one call at a
// time.
func (b *Builder) BuildInSteps(step func()) *Snapshot {
	s := &Snapshot{}
	n := b.number(&s.dict, step)
	b.terms, b.tags = termTable{}, nil
	Parallel(2, func(part int) {
		if part == 0 {
			s.dict.text = n.texts()
			return
		}
		s.spo = sortedIndex(b.rows(n))
		step()
	})
	s.osp = newIndex(s.dict.len(), s.spo.parts(), func(from, to ID, yield func(o, s, p ID)) {
		s.spo.rows(from, to, func(s, p, o ID) { yield(o, s, p) })
	})
	step()
	s.pos = newIndex(s.dict.iris, s.osp.parts(), func(from, to ID, yield func(p, o, s ID)) {
		s.osp.rows(from, to, func(o, s, p ID) { yield(p, o, s) })
	})
	s.describe()
	step()
	return s
}

// numbering is the terms in order, and the number of each.
type numbering struct {
	terms [][]sorting // IRIs, blank nodes, literals
	ids   [][]ID      // of the places of each shard
}

func (n *numbering) id(key uint32) ID { return n.ids[key&(1<<shardBits-1)][key>>shardBits] }

// texts joins the texts of all terms but triple terms.
func (n *numbering) texts() texts {
	size, count := 0, 0
	for _, list := range n.terms {
		count += len(list)
		for i := range list {
			size += len(list[i].text)
		}
	}
	var all strings.Builder
	all.Grow(size)
	ends := make([]uint64, 1, count+1)
	for i, list := range n.terms {
		for j := range list {
			all.WriteString(list[j].text)
			ends = append(ends, uint64(all.Len()))
		}
		n.terms[i] = nil
	}
	return texts{all.String(), ends}
}

// number sorts the terms into the dictionary, except for their texts.
func (b *Builder) number(d *dictionary, step func()) *numbering {
	tagNumber := b.sortTags(d)
	n := &numbering{ids: make([][]ID, len(b.terms.shards))}
	lists, quoted := b.terms.bySort(n.ids)
	for i := range lists[2] {
		lists[2][i].tag = tagNumber[lists[2][i].tag-sortLiteral]
	}
	var last ID
	for _, list := range lists {
		sortTexts(list)
		first := last + 1
		workers := Workers(len(list), leastRows)
		Parallel(workers, func(w int) {
			from, to := share(len(list), w, workers)
			for i := from; i < to; i++ {
				key := list[i].key
				n.ids[key&(1<<shardBits-1)][key>>shardBits] = first + ID(i)
			}
		})
		last += ID(len(list))
		step()
	}
	d.iris = ID(len(lists[0]))
	d.blanks = d.iris + ID(len(lists[1]))
	d.literals = last
	d.tag = make([]uint32, len(lists[2]))
	for i := range lists[2] {
		d.tag[i] = lists[2][i].tag
	}
	n.terms = lists
	n.numberQuoted(d, quoted)
	return n
}

// sortTags puts the tags of literals into the dictionary and returns the place of each.
func (b *Builder) sortTags(d *dictionary) []uint32 {
	order := make([]uint32, len(b.listed))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(i, j uint32) int { return b.listed[i].compare(b.listed[j]) })
	number := make([]uint32, len(order))
	d.tags = make([]literalTag, len(order))
	for place, i := range order {
		d.tags[place], number[i] = b.listed[i], uint32(place)
	}
	return number
}

// bySort takes the terms out: IRIs, blank nodes and literals with their sorts as
// tags, and the triple terms. It makes room in ids for the number of each.
func (t *termTable) bySort(ids [][]ID) (lists [][]sorting, quoted []sorting) {
	var sizes [4]int
	for i := range t.shards {
		ids[i] = make([]ID, len(t.shards[i].values))
		for _, v := range t.shards[i].values {
			sizes[min(v.sort, sortLiteral)]++
		}
	}
	var by [4][]sorting
	for i, n := range sizes {
		by[i] = make([]sorting, 0, n)
	}
	for i := range t.shards {
		for place, v := range t.shards[i].values {
			sort := min(v.sort, sortLiteral)
			by[sort] = append(by[sort], sorting{text: v.text, tag: v.sort, key: uint32(place)<<shardBits | uint32(i)})
		}
		t.shards[i] = shard{}
	}
	return [][]sorting{by[sortIRI], by[sortBlank], by[sortLiteral]}, by[sortQuoted]
}

// numberQuoted adds the triple terms. Parts that are triple terms themselves are made
// first.
func (n *numbering) numberQuoted(d *dictionary, quoted []sorting) {
	if len(quoted) == 0 {
		return
	}
	byKey := map[uint32]string{} // key → keys of the parts
	for _, q := range quoted {
		byKey[q.key] = q.text
	}
	made := map[uint32]rdf.Term{}
	var term func(key uint32) rdf.Term
	term = func(key uint32) rdf.Term {
		parts, ok := byKey[key]
		if !ok {
			return n.term(d, n.id(key))
		}
		if _, ok := made[key]; !ok {
			part := func(i int) rdf.Term { return term(binary.BigEndian.Uint32([]byte(parts[4*i : 4*i+4]))) }
			made[key] = rdf.Term{Kind: rdf.TripleTerm, Triple: &rdf.Triple{Subject: part(0), Predicate: part(1), Object: part(2)}}
		}
		return made[key]
	}
	for _, q := range quoted {
		term(q.key)
	}
	slices.SortFunc(quoted, func(a, b sorting) int { return compareTerms(made[a.key], made[b.key]) })
	for place, q := range quoted {
		n.ids[q.key&(1<<shardBits-1)][q.key>>shardBits] = d.literals + ID(place) + 1
		d.quoted = append(d.quoted, made[q.key])
	}
}

// term is a term that is not a triple term, before the dictionary has the texts.
func (n *numbering) term(d *dictionary, id ID) rdf.Term {
	switch {
	case id <= d.iris:
		return rdf.NewIRI(strings.Clone(n.terms[0][id-1].text))
	case id <= d.blanks:
		return rdf.NewBlank(strings.Clone(n.terms[1][id-d.iris-1].text))
	}
	l := n.terms[2][id-d.blanks-1]
	tag := d.tags[l.tag]
	return rdf.Term{Kind: rdf.Literal, Value: strings.Clone(l.text), Datatype: tag.datatype, Lang: tag.lang, Dir: tag.dir}
}

// rows are the triples by numbers, in parts, and the largest subject.
func (b *Builder) rows(n *numbering) (parts [][][3]uint32, first ID) {
	for _, a := range b.adders {
		parts = append(parts, a.full...)
		if len(a.next) > 0 {
			parts = append(parts, a.next)
		}
		*a = Adder{}
	}
	b.adders = nil
	workers := Workers(len(parts), 2)
	most := make([]ID, workers)
	Parallel(workers, func(w int) {
		from, to := share(len(parts), w, workers)
		for _, part := range parts[from:to] {
			for i := range part {
				t := &part[i]
				for j := range t {
					t[j] = uint32(n.id(t[j]))
				}
				most[w] = max(most[w], ID(t[0]))
			}
		}
	})
	return parts, slices.Max(most)
}
