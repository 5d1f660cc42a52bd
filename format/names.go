package format

import (
	"slices"
	"strings"
	"unicode"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// namer gives the terms of one ontology their shown names.
type namer struct {
	ontology *domains.Ontology
	langs    []string
	// builtIns are the names of the properties of RDF, RDFS and OWL of the entity that is
	// being told.
	builtIns map[string]bool
}

// nameSize is the most code points of a name or label in a line of ours.
const nameSize = 120

// name is the shown name of a class or property, on one line, with what tells it apart
// where others of its kind have the name too: "Person (foaf:Person)".
func (n namer) name(iri string) string {
	if tag := n.apart(iri); tag != "" {
		return n.plain(iri) + " (" + tag + ")"
	}
	return n.plain(iri)
}

// apart is what tells a class or property from others of its name; empty where nothing
// has to.
func (n namer) apart(iri string) string {
	return shorten(oneLine(n.ontology.Apart(iri, n.langs)), longIRI)
}

// plain is name without what tells it apart.
func (n namer) plain(iri string) string {
	if name, ok := builtIn(iri); ok {
		return name
	}
	return shorten(oneLine(n.ontology.NameOf(iri, n.langs)), nameSize)
}

// names are the shown names of several terms, in their order.
func (n namer) names(iris []string) []string {
	out := make([]string, 0, len(iris))
	for _, iri := range iris {
		out = append(out, n.name(iri))
	}
	return out
}

// short writes an IRI as a prefixed name, or in angle brackets where no prefix
// fits.
func (n namer) short(iri string) string {
	for _, p := range n.ontology.Prefixes {
		if local, ok := strings.CutPrefix(iri, p.IRI); ok && p.IRI != "" && local != "" && !strings.ContainsAny(local, "/#") {
			return oneLine(p.Name + ":" + local)
		}
	}
	return "<" + oneLine(iri) + ">"
}

// letters is a name without what a prettified name can differ in.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '_' || r == '-' {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// types writes the types of an entity for its title: "(Customer)". A type above
// another one of the entity is left out unless all are asked for.
func (n namer) types(types []string, everything bool) string {
	if len(types) == 1 {
		return "(" + n.name(types[0]) + ")"
	}
	shown := types
	if !everything {
		shown = slices.DeleteFunc(slices.Clone(types), func(t string) bool {
			return domains.SaysNothing(t) || slices.ContainsFunc(types, func(u string) bool {
				return u != t && n.ontology.IsSubClass(u, t) && !n.ontology.IsSubClass(t, u)
			})
		})
		if len(shown) == 0 {
			shown = types
		}
	}
	if len(shown) == 0 {
		return "(Unknown type)"
	}
	names := n.names(shown)
	const most = 8
	if len(names) > most {
		names = append(names[:most:most], "…")
	}
	return "(" + strings.Join(slices.Compact(names), ", ") + ")"
}

// kind is types, or what a schema term is: "(Class)". One that is an individual too has
// its classes beside that: "(Class, species)".
func (n namer) kind(iri string, types []string, schema, everything bool) string {
	what := ""
	switch {
	case !schema:
	case n.ontology.Class(iri) != nil:
		what = "Class"
	case n.ontology.Property(iri) != nil:
		what = "Property"
	}
	if what == "" {
		return n.types(types, everything)
	}
	own := slices.DeleteFunc(slices.Clone(types), func(t string) bool { return n.ontology.Class(t) == nil || strings.HasPrefix(t, rdf.SH) })
	if len(own) == 0 {
		return "(" + what + ")"
	}
	return "(" + what + ", " + strings.TrimPrefix(n.types(own, everything), "(")
}

// ref is a mention of an entity: its label and its local id, "Service_Activation
// (INT000019)". An id that is the label is not said twice.
func ref(r *domains.Ref) string {
	id, label := shorten(oneLine(domains.LocalID(r.IRI)), nameSize), shorten(oneLine(r.Label), nameSize)
	if label == "" || label == id {
		return id
	}
	return label + " (" + id + ")"
}

// title is the name of an entity: its label, else its local id.
func title(label, iri string) string {
	if label = shorten(oneLine(label), nameSize); label != "" {
		return label
	}
	return shorten(oneLine(domains.LocalID(iri)), nameSize)
}

// datatype is the short name of a datatype: xsd:date.
func (n namer) datatype(iri string) string {
	if local, ok := strings.CutPrefix(iri, rdf.XSD); ok {
		return "xsd:" + oneLine(local)
	}
	return n.short(iri)
}
