package domains

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains/rdf"
)

// Identity is what SameEntity knows of an IRI.
type Identity struct {
	IRI string
	// Types are the classes of the entity that has the IRI. Those that say
	// nothing (see SaysNothing) do not count.
	Types []string
	// SameAs are the IRIs that owl:sameAs joins with this one, in either direction.
	SameAs []string
}

// SameEntity reports whether two IRIs are one entity: owl:sameAs says so, or one
// IRI is the other with one path segment inserted that names a class of the
// entity, and their types do not conflict. So …/Customer/CUST00094 and …/CUST00094
// of a Customer are one; Customer/42 and Order/42 are two, and so are
// …/Jagger/Richards and …/Richards.
//
// Types conflict when some class of one side, super-classes of another of its
// classes aside, is neither equal to nor above nor below any of the other side. A
// side without types conflicts with nothing. o knows which class is above which,
// and the labels of classes; nil knows nothing.
func SameEntity(a, b Identity, o *Ontology) bool {
	if a.IRI == b.IRI || slices.Contains(a.SameAs, b.IRI) || slices.Contains(b.SameAs, a.IRI) {
		return true
	}
	return differByClass(a.IRI, b.IRI, classNamesOf(a.Types, b.Types, o)) && !TypesConflict(a.Types, b.Types, o)
}

// Kinship is what SameEntity works out of the types of two entities alone. Whoever compares
// many pairs of few types makes it once. It may be used concurrently.
type Kinship struct {
	classes  ClassNames
	conflict bool
}

// NewKinship compares the types of two entities.
func NewKinship(a, b []string, o *Ontology) Kinship {
	return Kinship{classNamesOf(a, b, o), TypesConflict(a, b, o)}
}

// Same is what SameEntity says of two different IRIs of entities with these types, without
// owl:sameAs.
func (k Kinship) Same(a, b string) bool { return !k.conflict && differByClass(a, b, k.classes) }

func classNamesOf(a, b []string, o *Ontology) ClassNames {
	return NewClassNames(o, slices.Concat(withSupers(o, a), withSupers(o, b)))
}

// differByClass says whether one of two IRIs is the other with a segment inserted that
// names a class.
func differByClass(a, b string, classes ClassNames) bool {
	if len(classes) == 0 {
		return false
	}
	found := false
	inserted := func(long, short string) bool {
		EachShortening(long, classes, func(before, after string) bool {
			found = len(before)+len(after) == len(short) && strings.HasPrefix(short, before) && strings.HasSuffix(short, after)
			return !found
		})
		return found
	}
	return inserted(a, b) || inserted(b, a)
}

// TypesConflict is the part of SameEntity that compares types.
func TypesConflict(a, b []string, o *Ontology) bool {
	a, b = mostSpecific(a, o), mostSpecific(b, o)
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	relatedTo := func(others []string) func(string) bool {
		return func(t string) bool {
			return slices.ContainsFunc(others, func(u string) bool { return isBelow(o, t, u) || isBelow(o, u, t) })
		}
	}
	return slices.ContainsFunc(a, not(relatedTo(b))) || slices.ContainsFunc(b, not(relatedTo(a)))
}

func not(f func(string) bool) func(string) bool { return func(s string) bool { return !f(s) } }

// mostSpecific drops the types that say nothing and those above another type of
// the list.
func mostSpecific(types []string, o *Ontology) []string {
	var out []string
	for _, t := range types {
		above := slices.ContainsFunc(types, func(u string) bool { return u != t && isBelow(o, u, t) && !isBelow(o, t, u) })
		if !above && !SaysNothing(t) {
			out = append(out, t)
		}
	}
	return out
}

func isBelow(o *Ontology, sub, super string) bool {
	return sub == super || o != nil && o.IsSubClass(sub, super)
}

func withSupers(o *Ontology, types []string) []string {
	if o == nil {
		return types
	}
	var out []string
	for _, t := range types {
		out = append(out, o.WithSuperClasses(t)...)
	}
	return out
}

// SaysNothing reports whether a class is one that everything may have:
// owl:NamedIndividual, owl:Thing, rdfs:Resource. Such a type is not shown.
func SaysNothing(class string) bool {
	switch class {
	case rdf.OWL + "NamedIndividual", rdf.OWL + "Thing", rdf.RDFS + "Resource":
		return true
	}
	return false
}

// ClassNames is a set of names by which IRIs mention classes: local names and
// labels, whatever their case.
type ClassNames map[string]bool

// NewClassNames collects the names of classes; o knows their labels and may be nil.
func NewClassNames(o *Ontology, classes []string) ClassNames {
	names := ClassNames{}
	for _, iri := range classes {
		if SaysNothing(iri) {
			continue
		}
		names[fold(LocalName(iri))] = true
		if o == nil {
			continue
		}
		if c := o.Class(iri); c != nil {
			for _, l := range c.Labels {
				names[fold(l.Value)] = true
			}
		}
	}
	delete(names, "")
	return names
}

// Has reports whether a path segment names one of the classes.
func (n ClassNames) Has(segment string) bool {
	var folded [64]byte // as fold does it, without memory for each segment
	size := 0
	if len(segment) > len(folded) {
		return n[fold(segment)]
	}
	for i := range len(segment) {
		c := segment[i]
		switch {
		case c >= utf8.RuneSelf:
			return n[fold(segment)]
		case c == ' ', c == '_', c == '-':
			continue
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		}
		folded[size] = c
		size++
	}
	return n[string(folded[:size])]
}

// Shortenings returns the IRIs that one gets by leaving out one segment that names
// a class, for IRIs with an authority. The last segment, the local id, always
// stays. Segments begin with '/' or '#'.
//
//	https://x.org/onto/Customer/42   →   https://x.org/onto/42
//	https://x.org/onto#Customer/42   →   https://x.org/onto/42, https://x.org/onto#42
func Shortenings(iri string, classes ClassNames) []string {
	var out []string
	EachShortening(iri, classes, func(before, after string) bool {
		out = append(out, before+after)
		return true
	})
	return out
}

// EachShortening yields what Shortenings returns, each in two parts, until yield returns
// false.
func EachShortening(iri string, classes ClassNames, yield func(before, after string) bool) {
	_, rest, found := strings.Cut(iri, "://")
	if !found {
		return
	}
	path := iri
	if i := strings.IndexByte(path, '?'); i >= 0 {
		path = path[:i]
	}
	next := func(after int) int { // where the segment after a place begins
		for i := after; i < len(path); i++ {
			if path[i] == '/' || path[i] == '#' {
				return i
			}
		}
		return -1
	}
	for from := next(len(iri) - len(rest)); from >= 0; {
		to := next(from + 1)
		if to < 0 || to+1 == len(iri) {
			break
		}
		if classes.Has(path[from+1 : to]) {
			if !yield(iri[:from], iri[to:]) || iri[from] != iri[to] && !yield(iri[:from+1], iri[to+1:]) {
				return
			}
		}
		from = to
	}
}
