package domains

import (
	"slices"
	"strings"
	"unicode"
)

// mostApart is how many terms of one name are compared to tell them apart; where there
// are more, each is told apart by its IRI.
const mostApart = 64

// namesakes are the terms of one kind that may be shown with the same name: name →
// indexes, of two or more.
type namesakes map[string][]int32

// newNamesakes finds what several of n terms may be called: by a label in any language,
// or by the local name.
func newNamesakes(n int, term func(i int) (iri string, labels []Text)) namesakes {
	first := make(map[string]int32, n)
	out := namesakes{}
	note := func(name string, i int32) {
		switch at, ok := first[name]; {
		case !ok:
			first[name] = i
		case at != i:
			list := out[name]
			if list == nil {
				list = []int32{at}
			}
			if list[len(list)-1] != i {
				list = append(list, i)
			}
			out[name] = list
		}
	}
	for i := range n {
		iri, labels := term(i)
		for _, l := range labels {
			note(spaced(l.Value), int32(i))
		}
		note(Prettify(LocalName(iri)), int32(i))
	}
	return out
}

// spaced is a text with one space between its words.
func spaced(s string) string {
	words := strings.Fields(s)
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words, " ")
}

// Apart is what tells a class or a property from another one that NameOf gives the same
// name: its prefixed name where a prefix fits, else the last part of the IRI that no other of
// that name has there, else the IRI in angle brackets. It is empty where nothing else has
// the name; a class and a property may share one. It depends on the terms of that name
// alone.
func (o *Ontology) Apart(iri string, langs []string) string {
	if i, ok := o.class[iri]; ok {
		if tag := o.apartFrom(o.sameClass, int32(i), iri, langs, func(i int32) string { return o.Classes[i].IRI }); tag != "" {
			return tag
		}
	}
	if i, ok := o.property[iri]; ok {
		return o.apartFrom(o.sameProperty, int32(i), iri, langs, func(i int32) string { return o.Properties[i].IRI })
	}
	return ""
}

func (o *Ontology) apartFrom(same namesakes, self int32, iri string, langs []string, iriOf func(int32) string) string {
	if len(same) == 0 {
		return ""
	}
	name := spaced(o.NameOf(iri, langs))
	perhaps := same[name]
	if _, ok := slices.BinarySearch(perhaps, self); !ok {
		return ""
	}
	var others []string
	if len(perhaps) <= mostApart {
		for _, i := range perhaps {
			if other := iriOf(i); other != iri && spaced(o.NameOf(other, langs)) == name {
				others = append(others, other)
			}
		}
		if len(others) == 0 {
			return ""
		}
	}
	if prefixed, ok := o.prefixed(iri); ok {
		return prefixed
	}
	if len(others) > 0 {
		if part, ok := differingPart(iri, others, name); ok {
			return part
		}
	}
	return "<" + iri + ">"
}

// prefixed is the prefixed name of an IRI; ok is false where no prefix fits.
func (o *Ontology) prefixed(iri string) (name string, ok bool) {
	for _, p := range o.Prefixes {
		if local, found := strings.CutPrefix(iri, p.IRI); found && p.IRI != "" && local != "" && !strings.ContainsAny(local, "/#") {
			return p.Name + ":" + local, true
		}
	}
	return "", false
}

// differingPart is the last part of an IRI that no other IRI has at that place from the
// end. The local name counts where it is not the name once more.
func differingPart(iri string, others []string, name string) (part string, ok bool) {
	parts := partsFromEnd(iri)
	theirs := make([][]string, 0, len(others))
	for _, other := range others {
		theirs = append(theirs, partsFromEnd(other))
	}
	for i, part := range parts {
		isTaken := slices.ContainsFunc(theirs, func(t []string) bool { return i < len(t) && t[i] == part })
		if hasLetter(part) && !isTaken && (i > 0 || fold(part) != fold(name)) {
			return part, true
		}
	}
	return "", false
}

// hasLetter reports whether a part of an IRI says something: a version number does not.
func hasLetter(part string) bool { return strings.ContainsFunc(part, unicode.IsLetter) }

// partsFromEnd are the parts of an IRI between '/' and '#', the last one first and the
// scheme last.
func partsFromEnd(iri string) []string {
	parts := strings.FieldsFunc(iri, func(r rune) bool { return r == '/' || r == '#' })
	if len(parts) > 0 && strings.Contains(iri, "://") {
		parts[0] = strings.TrimSuffix(parts[0], ":")
	}
	slices.Reverse(parts)
	return parts
}

// cutApart splits a name as it is shown with what tells it apart: "Person (foaf:Person)".
func cutApart(shown string) (name, tag string, ok bool) {
	rest, ok := strings.CutSuffix(shown, ")")
	i := strings.LastIndex(rest, " (")
	if !ok || i <= 0 {
		return "", "", false
	}
	return strings.TrimSpace(rest[:i]), rest[i+2:], true
}

// meansApart reports whether a tag tells of an IRI: its prefixed name, the IRI itself or
// a part of it.
func (o *Ontology) meansApart(iri, tag string) bool {
	return o.Expand(tag) == iri || LocalName(iri) == tag || slices.Contains(partsFromEnd(iri), tag)
}
