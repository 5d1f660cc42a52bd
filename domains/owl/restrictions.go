package owl

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// readRestrictions applies what classes say of their properties, by restrictions
// and by SHACL shapes: numbers of values become cardinalities. Both also tell that
// the class has the property, and of what kind its values are (allValuesFrom,
// sh:class and the like); that counts where the property has no domain, or no range,
// of its own. A shape adds its class to domains that do not cover it.
func (b *builder) readRestrictions() {
	found := map[string][]restriction{} // class → what it says
	for _, name := range sortedKeys(b.classes) {
		found[name] = append(b.restrictionsOn(name), b.shaped(name)...)
	}
	loose := b.looseShapes(found)
	own := map[string]stated{}
	for name, p := range b.properties {
		own[name] = stated{
			domains: p.Domains[:len(p.Domains):len(p.Domains)],
			domain:  len(p.Domains) > 0 || !b.object(iri(name), rdfsDomain).IsZero(),
			rang:    len(p.Ranges) > 0 || !b.object(iri(name), rdfsRange).IsZero(),
		}
	}
	a := additions{builder: b, ranged: map[addedRange]bool{}, shapesOf: map[rdf.Term]string{}}
	for _, name := range sortedKeys(found) {
		a.class, a.above = name, nil
		for _, r := range found[name] {
			if p := b.properties[r.property]; p != nil {
				a.add(p, own[r.property], r)
			}
		}
	}
	for _, r := range loose {
		a.addValues(b.properties[r.property], own[r.property], r)
	}
	b.shapesOf = a.shapesOf
}

// stated is what a property says of itself.
type stated struct {
	domains      []string
	domain, rang bool // it names any, be it one that says nothing
}

// additions adds to properties what the classes say, one class after another.
type additions struct {
	*builder
	class    string
	above    map[string]bool     // classes above it, once they are asked for
	ranged   map[addedRange]bool // what has been taken as a range
	shapesOf map[rdf.Term]string // property shape → property
}

// addedRange is a range that a property got from classes.
type addedRange struct {
	property string
	values   rdf.Term
}

// add adds what the class says of a property.
func (a *additions) add(p *property, own stated, r restriction) {
	switch isShape := !r.shape.IsZero(); {
	case r.inverse:
		if !own.domain {
			p.Domains = append(p.Domains, r.domains...)
		}
	case !own.domain, isShape && len(own.domains) > 0 && !a.isCovered(own.domains):
		p.Domains = append(p.Domains, a.class)
	}
	if !r.shape.IsZero() && !r.inverse {
		a.shapesOf[r.shape] = p.IRI
	}
	a.addValues(p, own, r)
	if r.min > 0 || r.max >= 0 {
		p.Cardinalities = bound(p.Cardinalities, domains.Cardinality{Class: a.class, Min: r.min, Max: r.max})
	}
}

// addValues adds what the values of a property are, where it does not say so itself.
func (a *additions) addValues(p *property, own stated, r restriction) {
	if own.rang {
		return
	}
	for _, v := range r.values {
		if at := (addedRange{p.IRI, v}); !a.ranged[at] {
			a.ranged[at] = true
			a.addRange(p, v)
		}
	}
	if r.entities {
		p.kinds |= entityRange
	}
}

// isCovered reports whether the class is one of some domains, or below one.
func (a *additions) isCovered(domains []string) bool {
	if a.above == nil {
		a.above = a.builder.above(a.class)
	}
	return slices.ContainsFunc(domains, func(d string) bool { return d == a.class || a.above[d] })
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

// restriction is what an owl:Restriction or a property shape says of a property of
// a class.
type restriction struct {
	property string
	min, max int        // number of values; max is -1 when unbounded
	values   []rdf.Term // classes and datatypes of all values, any of them
	entities bool       // the values are entities, of whatever class
	shape    rdf.Term   // the property shape, or the zero Term
	inverse  bool       // the class is that of the values, and domains have the property
	domains  []string
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
	r := restriction{property: property, max: -1}
	if all := b.object(e, owlAllValuesFrom); !all.IsZero() {
		r.values = []rdf.Term{all}
	}
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
