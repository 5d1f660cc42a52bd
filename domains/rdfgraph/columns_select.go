package rdfgraph

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// narrowSelect says how to read less to select entities.
const narrowSelect = "filter by an exact value or an id, search for a rarer name, or ask for a class with fewer instances."

// Select implements domains.Columns.
//
// Of a condition the part that an index answers with fewest entities is looked up, and
// the others are held against these; where no part is better than the instances of
// the classes, these are gone through.
func (g *columns) Select(ctx context.Context, sel domains.Selection) (*domains.Selected, error) {
	c := g.column(ctx, sel.Languages)
	defer c.r.Done()
	c.most = g.selected
	sel.Offset, sel.Limit = max(sel.Offset, 0), max(sel.Limit, 0)
	sel.Limit = min(sel.Limit, math.MaxInt-sel.Offset)
	s := &selection{column: c, Selection: sel}
	if len(sel.Classes) > 0 {
		s.classes = c.classIDs(sel.Classes)
	}
	if sel.Where != nil {
		where, err := c.compile(*sel.Where)
		if err != nil {
			return nil, err
		}
		s.where = &where
	}
	s.Text = strings.TrimSpace(sel.Text)
	out := &domains.Selected{}
	var err error
	if s.classes != nil && s.Text == "" && s.where == nil && len(s.Order) == 0 {
		err = s.list(out)
	} else {
		err = s.sift(out)
	}
	if failed := c.err(narrowSelect); failed != nil {
		err = failed
	} else if s.tooCommon {
		err = s.commonText()
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// selection is a domains.Selection that is being read.
type selection struct {
	*column
	domains.Selection
	classes []store.ID // nil when all will do
	where   *test      // nil when nothing has to hold
	// tooCommon is set when more was asked for than the names that were read can tell.
	tooCommon bool
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

// sift goes through those who may fit and keeps those who do.
func (s *selection) sift(out *domains.Selected) error {
	candidates, err := s.candidates()
	if err != nil {
		return err
	}
	need := s.Offset + s.Limit
	var sorted *best
	if len(s.Order) > 0 {
		sorted = s.newBest(need)
		if s.Limit == 0 {
			sorted.need = 0
		}
	}
	step := 0
	for c := range candidates {
		if s.ended(step) || s.spent() {
			return nil // Select tells
		}
		step++
		if s.where != nil && !s.holds(s.where, c.id) {
			continue
		}
		switch {
		case sorted != nil:
			sorted.add(c)
		case out.Total >= s.Offset && len(out.Nodes) < s.Limit:
			out.Nodes = append(out.Nodes, domains.Node(c.id))
		}
		out.Total++
		if sorted == nil && !s.Count && out.Total >= need {
			break
		}
	}
	if sorted != nil {
		sorted.sort()
		list := sorted.list[min(s.Offset, len(sorted.list)):]
		for _, c := range list[:min(s.Limit, len(list))] {
			out.Nodes = append(out.Nodes, domains.Node(c.id))
		}
	}
	if !s.Count {
		out.Total = 0
	}
	return nil
}

// candidates yields the entities that may fit, each once and in the order of answers that
// are not sorted otherwise.
func (s *selection) candidates() (iter.Seq[pick], error) {
	if s.Text != "" {
		return s.named()
	}
	lists, sum := s.instanceLists()
	if s.classes == nil {
		sum = int(s.s.FirstLiteral())
	}
	if s.where != nil && sum > s.columns.few {
		if ids, ok := s.byIndex(sum / 2); ok {
			return s.among(ids), nil
		}
	}
	if s.classes == nil {
		return s.everybody(), nil
	}
	m, err := newMerge(s.call, lists, 0)
	return func(yield func(pick) bool) {
		for id, ok := m.next(); ok && yield(pick{id: id}); id, ok = m.next() {
		}
	}, err
}

// byIndex finds entities by index among which are all of whom the condition holds, at most
// limit. It leaves enough to be read to go through the instances where there are too many.
func (s *selection) byIndex(limit int) ([]store.ID, bool) {
	limit = min(limit, s.most/3)
	s.tries = limit
	return s.narrow(s.where, limit)
}

// among yields those of some entities that have one of the classes, in order. Some may
// be given twice.
func (s *selection) among(ids []store.ID) iter.Seq[pick] {
	ids = slices.Clone(ids)
	slices.SortFunc(ids, func(a, b store.ID) int { return cmp.Compare(s.place(a), s.place(b)) })
	ids = slices.Compact(ids)
	return func(yield func(pick) bool) {
		for _, id := range ids {
			fits := s.classes == nil && s.isListed(id) || s.classes != nil && !s.schema[id] && s.isTyped(id, s.classes)
			if fits && !yield(pick{id: id}) {
				return
			}
		}
	}
}

// everybody yields all entities in order.
func (s *selection) everybody() iter.Seq[pick] {
	return func(yield func(pick) bool) {
		for _, part := range [][2]store.ID{{1, s.skolem.after + 1}, {s.s.FirstBlank(), s.s.FirstLiteral()}, {s.skolem.after + 1, s.s.FirstBlank()}} {
			for id := part[0]; id < part[1]; id++ {
				s.r.Posting()
				if s.spent() || s.ended(int(id)) || s.isListed(id) && !yield(pick{id: id}) {
					return
				}
			}
		}
	}
}

// isListed says whether a term is an entity when no class is asked for: it is shown as
// one, is no schema term, and not what a list is made of.
func (s *selection) isListed(id store.ID) bool {
	return id < s.s.FirstLiteral() && !s.schema[id] && s.shown(id) == id && s.isEntity(id) && !s.isCell(id)
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
