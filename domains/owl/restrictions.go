package owl

import (
	"strconv"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// readRestrictions applies what classes say of their properties: numbers of
// values become cardinalities. A restriction also tells that the class has the
// property, and allValuesFrom what its values are; that counts where the property
// has no domain, or no range, of its own.
func (b *builder) readRestrictions() {
	domainless, rangeless := map[string]bool{}, map[string]bool{}
	for name, p := range b.properties {
		domainless[name] = len(p.Domains) == 0 && b.object(iri(name), rdfsDomain).IsZero()
		rangeless[name] = len(p.Ranges) == 0 && b.object(iri(name), rdfsRange).IsZero()
	}
	type allOf struct {
		property string
		values   rdf.Term
	}
	ranged := map[allOf]bool{}          // what has been taken as a range
	found := map[string][]restriction{} // class → its restrictions
	for name := range b.classes {
		found[name] = b.restrictionsOn(name)
	}
	for _, name := range sortedKeys(found) {
		for _, r := range found[name] {
			p := b.properties[r.property]
			if p == nil {
				continue
			}
			if domainless[r.property] {
				p.Domains = append(p.Domains, name)
			}
			if all := (allOf{r.property, r.values}); rangeless[r.property] && !r.values.IsZero() && !ranged[all] {
				ranged[all] = true
				b.addRange(p, r.values)
			}
			if r.min > 0 || r.max >= 0 {
				p.Cardinalities = bound(p.Cardinalities, domains.Cardinality{Class: name, Min: r.min, Max: r.max})
			}
		}
	}
}

// bound adds a cardinality to those of a property, which come class by class; of
// several on one class the narrowest bounds hold.
func bound(cs []domains.Cardinality, c domains.Cardinality) []domains.Cardinality {
	i := len(cs) - 1
	if i < 0 || cs[i].Class != c.Class {
		return append(cs, c)
	}
	cs[i].Min = max(cs[i].Min, c.Min)
	if c.Max >= 0 && (cs[i].Max < 0 || c.Max < cs[i].Max) {
		cs[i].Max = c.Max
	}
	return cs
}

// restriction is what an owl:Restriction says of a property.
type restriction struct {
	property string
	min, max int      // number of values; max is -1 when unbounded
	values   rdf.Term // the class of all values, or the zero Term
}

// restrictionsOn collects the restrictions among the super-classes and
// definitions of a class, intersections included.
func (b *builder) restrictionsOn(class string) []restriction {
	var out []restriction
	t := iri(class)
	todo := append(b.objects(t, rdfsSubClassOf), b.objects(t, owlEquivalentClass)...)
	todo = append(todo, b.list(b.object(t, owlIntersectionOf))...)
	seen := map[rdf.Term]bool{}
	for i := 0; i < len(todo); i++ {
		e := todo[i]
		if e.Kind != rdf.Blank || seen[e] {
			continue
		}
		seen[e] = true
		todo = append(todo, b.list(b.object(e, owlIntersectionOf))...)
		if p := b.object(e, owlOnProperty); p.Kind == rdf.IRI {
			out = append(out, b.restriction(e, p.Value))
		}
	}
	return out
}

// restriction reads one owl:Restriction (OWL 2 Mapping to RDF, table 13). A
// qualified maximum bounds all values only when all values are of its class.
func (b *builder) restriction(e rdf.Term, property string) restriction {
	r := restriction{property: property, max: -1, values: b.object(e, owlAllValuesFrom)}
	if !b.object(e, owlSomeValuesFrom).IsZero() || !b.object(e, owlHasValue).IsZero() {
		r.min = 1
	}
	for _, q := range []struct {
		suffix       string
		isMin, isMax bool
	}{
		{"minCardinality", true, false}, {"minQualifiedCardinality", true, false},
		{"maxCardinality", false, true}, {"maxQualifiedCardinality", false, true},
		{"cardinality", true, true}, {"qualifiedCardinality", true, true},
	} {
		n, err := strconv.Atoi(strings.TrimSpace(b.object(e, rdf.OWL+q.suffix).Value))
		if err != nil || n < 0 {
			continue
		}
		if q.isMin {
			r.min = max(r.min, n)
		}
		if q.isMax && b.qualifiesAll(e, property) && (r.max < 0 || n < r.max) {
			r.max = n
		}
	}
	return r
}

// qualifiesAll reports whether a restriction counts all values of its property:
// it names no class for them, or one that the property's only range is anyway.
func (b *builder) qualifiesAll(e rdf.Term, property string) bool {
	for _, p := range []string{owlOnClass, owlOnDataRange} {
		switch q := b.object(e, p); {
		case q.IsZero(), q == iri(owlThing), q == iri(rdfsLiteral):
		case q.Kind != rdf.IRI:
			return false
		default:
			if p := b.properties[property]; p == nil || len(p.Ranges) != 1 || p.Ranges[0] != q.Value {
				return false
			}
		}
	}
	return true
}
