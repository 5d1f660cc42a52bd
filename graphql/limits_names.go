package graphql

import "github.com/vektah/gqlparser/v2/ast"

// names looks at every part of an answer, with all that is asked for it in different
// places put together, and counts the names of each field and how often each name is
// given. The document is within the other limits, so that this is little work: no
// selection of the expanded query is looked at twice.
func (s *surveyor) names() {
	for _, o := range s.doc.Operations {
		s.merged([]ast.SelectionSet{o.SelectionSet})
	}
	for _, f := range s.doc.Fragments {
		if !s.spread[f] { // refused later, but not before its fields are compared
			s.merged([]ast.SelectionSet{f.SelectionSet})
		}
	}
}

func (s *surveyor) merged(sets []ast.SelectionSet) {
	t := tally{s: s, keys: map[string]*tallied{}, aliases: map[string]int{}}
	for _, set := range sets {
		t.set(set)
	}
	for _, k := range t.order {
		if s.fault != nil {
			return
		}
		if len(k.below) > 0 {
			s.merged(k.below)
		}
	}
}

// tally counts the names in one part of an answer.
type tally struct {
	s       *surveyor
	keys    map[string]*tallied
	order   []*tallied
	aliases map[string]int // field → how many names it has
}

// tallied is one name of a part of an answer.
type tallied struct {
	times int
	below []ast.SelectionSet
}

func (t *tally) set(set ast.SelectionSet) {
	for _, sel := range set {
		t.s.work++
		switch sel := sel.(type) {
		case *ast.Field:
			t.field(sel)
		case *ast.InlineFragment:
			t.set(sel.SelectionSet)
		case *ast.FragmentSpread:
			if f := t.s.fragments[sel.Name]; f != nil {
				t.set(f.SelectionSet)
			}
		}
	}
}

func (t *tally) field(f *ast.Field) {
	k := t.keys[f.Alias]
	if k == nil {
		k = &tallied{}
		t.keys[f.Alias] = k
		t.order = append(t.order, k)
		t.aliases[f.Name]++
	}
	if len(f.SelectionSet) > 0 {
		k.below = append(k.below, f.SelectionSet)
	}
	if k.times > 0 {
		t.s.pairs = min(t.s.pairs+k.times*t.s.weight(f), much)
	}
	k.times++
	switch {
	case t.aliases[f.Name] > MaxAliases:
		t.s.refuse(f.Position, "The field '%s' has more than %d names (aliases) in one place: use an argument that takes a list, or send several queries.",
			shorten(f.Name), MaxAliases)
	case t.s.pairs > maxPairs:
		t.s.refuse(f.Position, "The query asks for the same names again and again (here '%s'): once is enough.", shorten(f.Alias))
	}
}

// weight is what it costs to compare a field with another: two values in its arguments
// cost as much as the field.
func (s *surveyor) weight(f *ast.Field) int {
	if len(f.Arguments) == 0 {
		return 1
	}
	w, known := s.weights[f]
	if !known {
		for _, a := range f.Arguments {
			w += s.values(a.Value)
		}
		w = 1 + w/2
		s.weights[f] = w
	}
	return w
}

// values counts a value and those in it.
func (s *surveyor) values(v *ast.Value) int {
	n := 1
	s.work++
	for _, child := range v.Children {
		n += s.values(child.Value)
	}
	return n
}
