package graphql

import (
	"context"
	"fmt"
	"slices"

	"github.com/ontogate/ontogate/domains"
)

// spread gives the columns to the types: each to those of its classes and to all below
// them. Of a schema that would be too large it leaves out what is inherited from far up.
func (b *deriver) spread(ctx context.Context) {
	s := &spreader{b: b, seen: make([]int32, len(b.types)), fields: make([]int, len(b.types))}
	steps := len(b.types) // of inheritance; no way is longer
	total, ok := s.count(ctx, steps)
	for far := 32; !ok && far >= 0 && ctx.Err() == nil; far-- {
		steps = far
		total, ok = s.count(ctx, steps)
	}
	switch {
	case !ok:
		b.note(fmt.Sprintf("Types have the fields of their own properties alone, and only the first %s in the order of names, since the schema would be too large.", domains.Number(b.limits.fields)))
	case steps < len(b.types):
		b.note(fmt.Sprintf("Types have the fields of classes at most %s above their own, since the schema would be too large.", steps1(steps)))
	}
	s.fill(ctx, steps, min(total, b.limits.fields))
}

func steps1(n int) string {
	if n == 1 {
		return "1 step"
	}
	return fmt.Sprintf("%d steps", n)
}

// spreader visits the classes that a column comes to.
type spreader struct {
	b      *deriver
	seen   []int32 // class → the last column that came to it, from 1
	queue  []int32
	fields []int // class → fields of its type
}

// walk calls visit for each class with a type that a column comes to in so many steps,
// with the number of steps, until it returns false.
func (s *spreader) walk(column int, steps int, visit func(class int32, step int) bool) bool {
	mark := int32(column) + 1
	s.queue = s.queue[:0]
	for _, c := range s.b.drafts[column].starts {
		s.seen[c] = mark
		s.queue = append(s.queue, c)
	}
	step, end := 0, len(s.queue)
	for i := 0; i < len(s.queue); i++ {
		if i == end {
			step, end = step+1, len(s.queue)
		}
		c := s.queue[i]
		if !visit(c, step) {
			return false
		}
		if step == steps {
			continue
		}
		for _, sub := range s.b.subs[c] {
			if s.seen[sub] != mark {
				s.seen[sub] = mark
				s.queue = append(s.queue, sub)
			}
		}
	}
	return true
}

// count counts the fields of each type, if they are inherited over at most so many
// steps. ok is false when they are too many, or the way to them too long.
func (s *spreader) count(ctx context.Context, steps int) (total int, ok bool) {
	clear(s.fields)
	clear(s.seen)
	visits, most := 0, s.b.limits.fields
	for column := range s.b.drafts {
		ok := ctx.Err() == nil && s.walk(column, steps, func(class int32, _ int) bool {
			if visits++; s.b.types[class] != nil {
				s.fields[class]++
				total++
			}
			return total <= most && visits <= 20*most
		})
		if !ok {
			return total, false
		}
	}
	return total, true
}

// fill lists the fields of each type. All lists are parts of one.
func (s *spreader) fill(ctx context.Context, steps, total int) {
	b := s.b
	columns, own := make([]*Column, total), make([]bool, total)
	place := make(map[*Type]int, len(b.model.Types))
	end := 0
	clear(s.seen)
	lists, owns := make([][]*Column, len(b.types)), make([][]bool, len(b.types))
	for class, t := range b.types {
		if t != nil {
			n := min(s.fields[class], total-end)
			lists[class], owns[class] = columns[end:end:end+n], own[end:end:end+n]
			end += n
		}
	}
	for column := range b.drafts {
		if ctx.Err() != nil {
			return
		}
		s.walk(column, steps, func(class int32, step int) bool {
			if b.types[class] == nil {
				return true
			}
			if len(lists[class]) < cap(lists[class]) {
				lists[class] = append(lists[class], b.drafts[column].Column)
				owns[class] = append(owns[class], step == 0)
			}
			return true
		})
	}
	for i, t := range b.model.Types {
		place[t] = i
	}
	b.own = make([][]bool, len(b.model.Types))
	for class, t := range b.types {
		if t != nil {
			t.Fields, b.own[place[t]] = slices.Clip(lists[class]), owns[class]
			t.values = slices.IndexFunc(t.Fields, func(c *Column) bool { return c.Scalar == None })
			if t.values < 0 {
				t.values = len(t.Fields)
			}
		}
	}
}
