package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// marks say what is unusual about a term.
func marks(declared, deprecated bool) string {
	text := ""
	if deprecated {
		text += "  (deprecated)"
	}
	if !declared {
		text += "  (not declared)"
	}
	return text
}

// property is one line about a property, as a class has it:
// "firstname: string [1]", "→ hasinteraction: Interaction [inverse: of customer]".
func (s schema) property(p *domains.Property, class string) string {
	line := s.entry(p.IRI) + ": " + s.ranges(p)
	if s.relation(p) {
		line = "→ " + line
	}
	line += s.cardinality(p, class)
	line += s.inverses(p)
	if p.Kind == domains.AnnotationProperty {
		line += "  (annotation)"
	}
	return line + marks(p.Declared, p.Deprecated)
}

// inverses names the inverses of a property; a symmetric one is its own.
func (s schema) inverses(p *domains.Property) string {
	text := ""
	others := slices.DeleteFunc(slices.Clone(p.Inverses), func(iri string) bool { return iri == p.IRI })
	if len(others) < len(p.Inverses) {
		text = " [symmetric]"
	}
	if len(others) > 0 {
		text += " [inverse: " + strings.Join(s.names(others), ", ") + "]"
	}
	return text
}

// relation reports whether a property leads to entities.
func (s schema) relation(p *domains.Property) bool {
	if p.Kind == domains.MixedProperty {
		for _, r := range p.Ranges {
			if s.ontology.Class(r) != nil {
				return true
			}
		}
	}
	return p.Kind == domains.ObjectProperty
}

// ranges names the values of a property.
func (s schema) ranges(p *domains.Property) string {
	if len(p.Ranges) == 0 {
		return "any"
	}
	const most = 6
	var names []string
	for _, r := range p.Ranges {
		switch {
		case len(names) == most:
			return strings.Join(names, " or ") + fmt.Sprintf(" or %d more", len(p.Ranges)-most)
		case strings.HasPrefix(r, rdf.XSD):
			names = append(names, strings.TrimPrefix(r, rdf.XSD))
		case r == rdf.RDFLangString:
			names = append(names, "text")
		case r == rdf.RDFS+"Literal":
			names = append(names, "literal")
		default:
			names = append(names, s.name(r))
		}
	}
	return strings.Join(names, " or ")
}

// cardinality is how many values of a property an entity of a class has: " [1]",
// " [0..1]", " [1..*]"; empty when that is not said.
func (s schema) cardinality(p *domains.Property, class string) string {
	low, high := 0, -1
	if p.Functional {
		high = 1
	}
	for _, c := range p.CardinalitiesOn(class) {
		low = max(low, c.Min)
		if c.Max >= 0 && (high < 0 || c.Max < high) {
			high = c.Max
		}
	}
	switch {
	case low == 0 && high < 0:
		return ""
	case high < 0:
		return fmt.Sprintf(" [%d..*]", low)
	case low == high:
		return fmt.Sprintf(" [%d]", low)
	}
	return fmt.Sprintf(" [%d..%d]", low, high)
}
