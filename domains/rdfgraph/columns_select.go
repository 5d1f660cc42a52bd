package rdfgraph

import (
	"context"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// Select implements domains.Columns.
func (g *columns) Select(ctx context.Context, s domains.Selection) (*domains.Selected, error) {
	c := g.column(ctx, s.Languages)
	defer c.r.Done()
	c.most = mostSelected
	sel := &selection{column: c, Selection: s}
	if len(s.Classes) > 0 {
		sel.classes = c.classIDs(s.Classes)
	}
	out := &domains.Selected{}
	err := sel.list(out)
	if err == nil {
		err = c.err(narrowSelect)
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

const narrowSelect = "filter by an exact value or an id, search for a rarer name, or ask for a class with fewer instances."

// selection is a domains.Selection that is being read.
type selection struct {
	*column
	domains.Selection
	classes []store.ID // nil when all will do
}

// instanceLists are the lists of the instances of the classes, without schema terms.
func (s *selection) instanceLists() (lists []instanceList, sum int) {
	for i, class := range s.classes {
		if s.ended(i) {
			break
		}
		l := s.instances(class)
		n := s.graph.classes[class].facts
		if l.own != nil {
			l.own = l.own[:n]
		} else {
			l.rows = l.rows.Slice(0, n)
		}
		if n > 0 {
			lists = append(lists, l)
			sum += n
		}
	}
	return lists, sum
}

// list lists what has nothing to fit: it goes straight to its place.
func (s *selection) list(out *domains.Selected) error {
	lists, sum := s.instanceLists()
	from := 0
	if len(lists) == 1 {
		from = min(s.Offset, sum)
	}
	if s.Count {
		total, ok := s.countInstances(lists, sum)
		if !ok {
			return s.err(narrowSelect)
		}
		out.Total = total
	}
	if s.Limit <= 0 {
		return nil
	}
	m, err := newMerge(s.call, lists, from)
	if err != nil {
		return err
	}
	for i := from; i < s.Offset+s.Limit; i++ {
		if s.ended(i) || s.spent() {
			return s.err(narrowSelect)
		}
		id, ok := m.next()
		if !ok {
			break
		}
		if i >= s.Offset {
			out.Nodes = append(out.Nodes, domains.Node(id))
		}
	}
	return nil
}

// countInstances counts the entities of the classes, without reading them where that
// can be.
func (s *selection) countInstances(lists []instanceList, sum int) (n int, ok bool) {
	if len(lists) < 2 {
		return sum, true
	}
	certain, shared := true, 0
	for _, class := range s.classes {
		certain = certain && !domains.SaysNothing(s.s.Text(class))
		if s.graph.classes[class].shared {
			shared++
		}
	}
	if certain && shared < 2 {
		return sum, true
	}
	if certain && s.combined != nil {
		for _, c := range s.combined {
			for _, class := range c.classes {
				if contains(s.classes, class) {
					n += c.n
					break
				}
			}
		}
		return n, true
	}
	m, err := newMerge(s.call, lists, 0)
	if err != nil {
		return 0, false
	}
	for {
		if s.ended(n) || s.spent() {
			return 0, false
		}
		if _, more := m.next(); !more {
			return n, true
		}
		n++
	}
}
