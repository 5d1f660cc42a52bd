package graphql

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/ontogate/ontogate/domains"
)

// The limits of what a query asks for. They hold for every operation and fragment of a
// document, and for the query as it is once fragments stand where they are used.
const (
	// MaxAliases is how many names one field may have in one selection set.
	MaxAliases = 30
	// maxSelections is how many fields a query may ask for.
	maxSelections = 1_000

	// maxPairs is how many pairs of selections may have one name and place in the answer:
	// validation compares each with each, and all of their arguments.
	maxPairs = 4_000
	// maxMeta is how many fields a query may ask about the schema; graphql-js's own
	// query has about 250. maxMetaLists is how many lists of the schema may stand in each
	// other: graphql-js allows two too.
	maxMeta, maxMetaLists = 4_000, 2
	// maxAll is how many selections all operations and all fragments may have, each
	// expanded: validation walks from each of them.
	maxAll = 20_000
)

// extent is how much a selection set asks for, fragments included.
type extent struct {
	data, meta int // fields of the data, and of __schema and __type
	all        int // selections of any kind
	levels     int // of fields with fields below them; introspection has none
	lists      int // of lists of the schema inside each other, wherever they stand
	metaLists  int // the same, below __schema and __type
}

// much is more than any limit, so that sums can't overflow.
const much = 1 << 30

func (e *extent) add(o extent) {
	e.data, e.meta, e.all = min(e.data+o.data, much), min(e.meta+o.meta, much), min(e.all+o.all, much)
	e.levels, e.lists, e.metaLists = max(e.levels, o.levels), max(e.lists, o.lists), max(e.metaLists, o.metaLists)
}

// surveyor measures a document. It looks at each selection of the text once, however
// often fragments repeat it.
type surveyor struct {
	doc       *ast.QueryDocument
	fragments map[string]*ast.FragmentDefinition
	measured  map[*ast.FragmentDefinition]extent
	open      []*ast.FragmentDefinition // those that the walk is in
	spread    map[*ast.FragmentDefinition]bool
	fault     *Fault
	meta      *ast.Field // the first that asks about the schema
	pairs     int        // of selections with one name and place, more for those with long arguments
	weights   map[*ast.Field]int
	// work counts selections that were looked at. Tests read it.
	work int
}

// survey measures a document against the limits. depth is how many relations may follow
// each other.
func survey(doc *ast.QueryDocument, depth int) (*surveyor, *Fault) {
	s := &surveyor{doc: doc, measured: map[*ast.FragmentDefinition]extent{},
		fragments: map[string]*ast.FragmentDefinition{}, spread: map[*ast.FragmentDefinition]bool{}, weights: map[*ast.Field]int{}}
	for _, f := range doc.Fragments {
		if s.fragments[f.Name] == nil {
			s.fragments[f.Name] = f
		}
	}
	var total extent
	for _, f := range doc.Fragments {
		e := s.fragment(f)
		total.add(e)
		if s.fault == nil {
			s.judge(e, f.Position)
		}
	}
	for _, o := range doc.Operations {
		e := s.set(o.SelectionSet)
		total.add(e)
		if s.fault == nil {
			s.judge(e, o.Position)
		}
		if s.fault == nil && e.levels > depth+1 {
			s.tooDeep(o, e.levels-1, depth)
		}
	}
	if s.fault == nil && total.all > maxAll {
		s.refuse(nil, "The operations and fragments stand for %s selections in all, more than %s: send fewer of them at once.", grouped(total.all), grouped(maxAll))
	}
	if s.fault == nil {
		s.names()
	}
	return s, s.fault
}

func (s *surveyor) refuse(pos *ast.Position, format string, args ...any) {
	if s.fault == nil {
		f := faultAt(pos, format, args...)
		s.fault = &f
	}
}

// judge compares an extent with the limits that have nothing to do with depth.
func (s *surveyor) judge(e extent, pos *ast.Position) {
	switch {
	case e.data > maxSelections:
		s.refuse(pos, "The query asks for %s fields once its fragments stand where they are used, more than the %s that are allowed: ask for fewer fields, or in several queries.",
			grouped(e.data), grouped(maxSelections))
	case e.meta > maxMeta || e.all > maxAll:
		s.refuse(pos, "The query asks for %s fields of the schema once its fragments stand where they are used, more than the %s that are allowed: ask for fewer, or in several queries.",
			grouped(max(e.meta, e.all)), grouped(maxMeta))
	case e.metaLists > maxMetaLists:
		s.refuse(pos, "The query asks for lists of the schema inside each other (fields, inputFields, interfaces, possibleTypes), %d levels where %d are allowed: ask for the types by their names with __type(name:).",
			e.metaLists, maxMetaLists)
	}
}

func (s *surveyor) set(set ast.SelectionSet) (e extent) {
	for _, sel := range set {
		if s.fault != nil {
			return e
		}
		s.work++
		switch sel := sel.(type) {
		case *ast.Field:
			e.add(s.field(sel))
		case *ast.InlineFragment:
			e.add(s.set(sel.SelectionSet))
		case *ast.FragmentSpread:
			if f := s.fragments[sel.Name]; f != nil {
				s.spread[f] = true
				e.add(s.fragment(f))
			}
		}
		e.add(extent{all: 1})
	}
	return e
}

func (s *surveyor) field(f *ast.Field) extent {
	e := s.set(f.SelectionSet)
	if isMeta(f) {
		if s.meta == nil {
			s.meta = f
		}
		e.meta, e.data = min(e.meta+e.data+1, much), 0
		e.levels, e.metaLists = 0, e.lists
		return e
	}
	e.data = min(e.data+1, much)
	if len(f.SelectionSet) > 0 {
		e.levels++
	}
	if slices.Contains(metaLists, f.Name) {
		e.lists++
	}
	return e
}

// isMeta reports whether a field asks about the schema.
func isMeta(f *ast.Field) bool { return f.Name == "__schema" || f.Name == "__type" }

// metaLists are the fields of the schema that can stand in each other without end.
var metaLists = []string{"fields", "inputFields", "interfaces", "possibleTypes"}

func (s *surveyor) fragment(f *ast.FragmentDefinition) extent {
	if e, ok := s.measured[f]; ok {
		return e
	}
	if at := slices.Index(s.open, f); at >= 0 {
		s.cycle(s.open[at:], f)
		return extent{}
	}
	s.open = append(s.open, f)
	e := s.set(f.SelectionSet)
	s.open = s.open[:len(s.open)-1]
	s.measured[f] = e
	return e
}

// cycle says that a fragment contains itself.
func (s *surveyor) cycle(way []*ast.FragmentDefinition, f *ast.FragmentDefinition) {
	var names []string
	for _, on := range way {
		names = append(names, shorten(on.Name))
	}
	if len(names) > mostListed {
		names = append(names[:mostListed-1], "…")
	}
	s.refuse(f.Position, "The fragment '%s' contains itself (%s): remove ...%s where it closes the circle.",
		shorten(f.Name), strings.Join(append(names, shorten(f.Name)), " → "), shorten(f.Name))
}

// tooDeep says where an operation is too deep: the way to the first field that is.
func (s *surveyor) tooDeep(o *ast.OperationDefinition, levels, depth int) {
	var way []string
	set, need := o.SelectionSet, levels+1
	var at *ast.Position
	for len(way) < depth+2 {
		f := s.deepest(set, need)
		if f == nil {
			break
		}
		way, at = append(way, f.Name), f.Position
		set, need = f.SelectionSet, need-1
	}
	if len(way) < 2 {
		way = append(way, "", "") // not reached: there are as many levels
	}
	s.refuse(at, "The query follows %d relations from '%s', more than the %d that are allowed (depth): end at '%s', and read on from there in another query.",
		levels, shorten(way[0]), depth, shorten(way[len(way)-2]))
}

// deepest is the first field of a set that has as many levels as needed.
func (s *surveyor) deepest(set ast.SelectionSet, need int) *ast.Field {
	for _, sel := range set {
		s.work++
		switch sel := sel.(type) {
		case *ast.Field:
			if len(sel.SelectionSet) > 0 && !isMeta(sel) && s.set(sel.SelectionSet).levels+1 >= need {
				return sel
			}
		case *ast.InlineFragment:
			if f := s.deepest(sel.SelectionSet, need); f != nil {
				return f
			}
		case *ast.FragmentSpread:
			if f := s.fragments[sel.Name]; f != nil && s.fragment(f).levels >= need {
				return s.deepest(f.SelectionSet, need)
			}
		}
	}
	return nil
}

// grouped is a number with commas: 1,000.
func grouped(n int) string {
	if n >= much {
		return "more than a billion"
	}
	return domains.Number(n)
}
