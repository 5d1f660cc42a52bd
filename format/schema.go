package format

import (
	"cmp"
	"context"
	"slices"

	"github.com/ontogate/ontogate/domains"
)

// schema is an ontology prepared for printing.
type schema struct {
	namer
	tree tree
	// own maps a class to the properties that are declared for it and not for a
	// class above it, and those that it restricts; free are those of no class.
	own  map[string][]*domains.Property
	free []*domains.Property
	// into maps a class to the properties that have it as a range.
	into map[string][]*domains.Property
	// contexts are what classes have besides facts.
	contexts contexts
}

// newSchema prepares an ontology. The only error is that ctx ended.
func newSchema(ctx context.Context, o *domains.Ontology, langs []string) (schema, error) {
	s := schema{namer: namer{ontology: o, langs: langs}, tree: newTree(o),
		own: map[string][]*domains.Property{}, into: map[string][]*domains.Property{}}
	for i := range o.Properties {
		if err := ctx.Err(); err != nil {
			return schema{}, err
		}
		p := &o.Properties[i]
		classes := s.carriers(p)
		for _, c := range classes {
			s.own[c] = append(s.own[c], p)
		}
		if len(classes) == 0 {
			s.free = append(s.free, p)
		}
		for _, r := range p.Ranges {
			if o.Class(r) != nil {
				s.into[r] = append(s.into[r], p)
			}
		}
	}
	for _, properties := range s.own {
		slices.SortStableFunc(properties, func(a, b *domains.Property) int { return cmp.Compare(s.rank(a), s.rank(b)) })
	}
	return s, nil
}

// entry is the name of a term where it is described: as name, or followed by the
// local name where a reader could not guess it: "biological process (GO_0008150)".
func (s schema) entry(iri string) string {
	name, local := s.plain(iri), oneLine(domains.LocalName(iri))
	if s.apart(iri) != "" || letters(name) == letters(domains.Prettify(local)) || letters(name) == letters(local) {
		return s.name(iri)
	}
	return name + " (" + shorten(local, nameSize) + ")"
}

// rank puts attributes before relationships.
func (s schema) rank(p *domains.Property) int {
	if s.relation(p) {
		return 1
	}
	return 0
}

// carriers are the classes under which a property is printed: its domains,
// without those below another one, and the classes that bound it.
func (s schema) carriers(p *domains.Property) []string {
	var out []string
	seen := map[string]bool{}
	take := func(c string) {
		if !seen[c] && s.ontology.Class(c) != nil {
			seen[c] = true
			out = append(out, c)
		}
	}
	for _, d := range s.ontology.Topmost(p.Domains) {
		take(d)
	}
	for _, c := range p.Cardinalities {
		take(c.Class)
	}
	return out
}
