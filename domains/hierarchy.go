package domains

import (
	"maps"
	"slices"
)

// hierarchy is the order of an ontology's classes, in which the classes of a circle
// share one place. Places are numbered from the top: those above a place have
// smaller numbers.
type hierarchy struct {
	place []int   // index in Classes → place
	above [][]int // place → places directly above; one may come twice
}

// newHierarchy orders the classes of an ontology. It takes one step for each class
// and each super-class.
func newHierarchy(o *Ontology) hierarchy {
	n := len(o.Classes)
	b := circles{ontology: o, reached: make([]int, n), leadsTo: make([]int, n)}
	b.place = slices.Repeat([]int{-1}, n)
	for class := range o.Classes {
		if b.reached[class] == 0 {
			b.visit(class)
		}
	}
	return b.hierarchy
}

// circles finds the strongly connected components of the classes (Tarjan). It
// completes a circle after all that are above it; until then its classes have no
// place, which is -1.
type circles struct {
	hierarchy
	ontology *Ontology
	count    int   // of the classes reached
	reached  []int // class → its number in the order of reaching, from 1
	leadsTo  []int // class → the smallest such number in its circle known so far
	open     []int // classes without a place, as reached
}

func (b *circles) visit(class int) {
	b.count++
	b.reached[class], b.leadsTo[class] = b.count, b.count
	b.open = append(b.open, class)
	for _, super := range b.supers(class) {
		if b.reached[super] == 0 {
			b.visit(super)
		}
		if b.place[super] < 0 {
			b.leadsTo[class] = min(b.leadsTo[class], b.leadsTo[super])
		}
	}
	if b.leadsTo[class] == b.reached[class] {
		b.complete(class)
	}
}

// complete gives the classes of a circle their place: those that were reached since
// its first one.
func (b *circles) complete(first int) {
	place := len(b.above)
	var above []int
	for class := -1; class != first; {
		class = b.open[len(b.open)-1]
		b.open = b.open[:len(b.open)-1]
		b.place[class] = place
		for _, super := range b.supers(class) {
			if p := b.place[super]; p >= 0 && p != place {
				above = append(above, p)
			}
		}
	}
	b.above = append(b.above, above)
}

// supers are the super-classes of a class that the ontology has, by index.
func (b *circles) supers(class int) []int {
	c := b.ontology.Classes[class]
	out := make([]int, 0, len(c.Supers))
	for _, s := range c.Supers {
		if i, ok := b.ontology.class[s]; ok {
			out = append(out, i)
		}
	}
	return out
}

// Topmost keeps the classes of a list that are not below another of it, in order;
// those that are above one another, in a circle, do not count as below. It looks once
// at each class above the list.
func (o *Ontology) Topmost(classes []string) []string {
	if len(classes) < 2 {
		return slices.Clone(classes)
	}
	h := o.order
	listed := map[int]bool{} // place → it has a class of the list
	for _, iri := range classes {
		if i, ok := o.class[iri]; ok {
			listed[h.place[i]] = true
		}
	}
	reached := maps.Clone(listed)
	order := slices.Collect(maps.Keys(reached))
	for i := 0; i < len(order); i++ {
		for _, p := range h.above[order[i]] {
			if !reached[p] {
				reached[p] = true
				order = append(order, p)
			}
		}
	}
	slices.Sort(order) // what is above a place comes before it
	below := map[int]bool{}
	for _, p := range order {
		below[p] = slices.ContainsFunc(h.above[p], func(up int) bool { return listed[up] || below[up] })
	}
	return slices.DeleteFunc(slices.Clone(classes), func(iri string) bool {
		i, ok := o.class[iri]
		return ok && below[h.place[i]]
	})
}
