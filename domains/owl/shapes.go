package owl

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// mostShapes is how many shapes are read for one class, and for the values of one
// property. Those beyond are left out.
const mostShapes = 1_000

// shapeParts lead from a shape to shapes that hold where it holds.
var shapeParts = []string{shNode, shAnd}

// shapeChoices lead from a shape to shapes of which one holds where it holds.
var shapeChoices = []string{shOr, shXone}

// findShapes notes which shapes speak of which class: by sh:targetClass, or because
// the class is a shape itself (SHACL §2.1.3). What shapes name as classes and
// properties is listed.
func (b *builder) findShapes() {
	b.shapes = map[string][]rdf.Term{}
	for tr := range b.g.Match(rdf.Term{}, iri(shTargetClass), rdf.Term{}) {
		if c := b.namedBy(tr); c != nil {
			b.shapes[c.IRI] = append(b.shapes[c.IRI], tr.Subject)
		}
	}
	for tr := range b.g.Match(rdf.Term{}, iri(shClass), rdf.Term{}) {
		b.namedBy(tr)
	}
	for _, p := range slices.Concat([]string{shProperty}, shapeParts, shapeChoices) {
		for s := range b.subjects(p, rdf.Term{}) {
			if s.Kind == rdf.IRI && !b.isDeactivated(s) {
				b.shapes[s.Value] = append(b.shapes[s.Value], s)
			}
		}
	}
	for class, shapes := range b.shapes {
		slices.SortFunc(shapes, compareTerms)
		b.shapes[class] = slices.Compact(shapes)
	}
}

// namedBy lists the class that is the object of a statement about a shape; nil when
// it is none, or the shape does not count.
func (b *builder) namedBy(tr rdf.Triple) *domains.Class {
	if tr.Object.Kind != rdf.IRI || b.isDeactivated(tr.Subject) {
		return nil
	}
	return b.class(tr.Object.Value)
}

// isDeactivated reports whether a shape is switched off (SHACL §2.1.3.4), or is a
// property shape of such shapes alone.
func (b *builder) isDeactivated(shape rdf.Term) bool {
	if slices.ContainsFunc(b.objects(shape, shDeactivated), isTrue) {
		return true
	}
	isPart := false
	for parent := range b.subjects(shProperty, shape) {
		if !slices.ContainsFunc(b.objects(parent, shDeactivated), isTrue) {
			return false
		}
		isPart = true
	}
	return isPart
}

// looseShapes are what the property shapes say that no class has.
func (b *builder) looseShapes(found map[string][]restriction) []restriction {
	taken := map[rdf.Term]bool{}
	for _, rs := range found {
		for _, r := range rs {
			taken[r.shape] = true
		}
	}
	var out []restriction
	for _, s := range sortedTerms(b.subjects(shPath, rdf.Term{})) {
		if taken[s] {
			continue
		}
		if r, ok := b.propertyShape(s, ""); ok && !r.inverse {
			out = append(out, r)
		}
	}
	return out
}

// shaped is what the shapes of a class say of its properties, in the order of the
// shapes.
func (b *builder) shaped(class string) []restriction {
	type step struct {
		shape  rdf.Term
		choice bool // it need not hold
	}
	var out []restriction
	var todo []step
	for _, s := range b.shapes[class] {
		todo = append(todo, step{s, false})
	}
	seen := map[step]bool{}
	for i := 0; i < len(todo) && i < mostShapes; i++ {
		at := todo[i]
		if seen[at] || b.isDeactivated(at.shape) {
			continue
		}
		seen[at] = true
		for _, p := range b.objects(at.shape, shProperty) {
			if r, ok := b.propertyShape(p, class); ok {
				if at.choice {
					r.min, r.max = 0, -1
				}
				out = append(out, r)
			}
		}
		for _, s := range b.inner(at.shape, shapeParts) {
			todo = append(todo, step{s, at.choice})
		}
		for _, s := range b.inner(at.shape, shapeChoices) {
			todo = append(todo, step{s, true})
		}
	}
	return out
}

// inner are the shapes to which certain predicates lead from a shape: their values,
// or the members of these where they are lists.
func (b *builder) inner(shape rdf.Term, predicates []string) []rdf.Term {
	var out []rdf.Term
	for _, p := range predicates {
		for _, o := range b.objects(shape, p) {
			if p == shNode {
				out = append(out, o)
			} else {
				out = append(out, b.list(o)...)
			}
		}
	}
	return out
}

// propertyShape reads a property shape that a class has. Its path has to be a
// property, or the inverse of one; then the class is what the values are (SHACL
// §2.3.1). Qualified counts do not bound all values, so they are no bounds here.
func (b *builder) propertyShape(shape rdf.Term, class string) (r restriction, ok bool) {
	if b.isDeactivated(shape) {
		return r, false
	}
	r = restriction{max: -1, shape: shape}
	values := b.valuesOf(shape)
	switch path := b.object(shape, shPath); path.Kind {
	case rdf.IRI:
		r.property, r.entities = path.Value, values.entities
		for _, v := range values.ranges {
			r.values = append(r.values, iri(v))
		}
	case rdf.Blank:
		inverse := b.object(path, shInversePath)
		if inverse.Kind != rdf.IRI {
			return r, false
		}
		r.property, r.inverse = inverse.Value, true
		r.values, r.entities = []rdf.Term{iri(class)}, true
		r.domains = slices.DeleteFunc(values.ranges, func(v string) bool { return b.isDatatype(v) || b.class(v) == nil })
	}
	if r.property == "" || b.property(r.property) == nil {
		return r, false
	}
	if r.inverse {
		return r, true
	}
	if n, ok := count(b.object(shape, shMinCount)); ok {
		r.min = n
	} else if !b.object(shape, shHasValue).IsZero() {
		r.min = 1
	}
	if n, ok := count(b.object(shape, shMaxCount)); ok {
		r.max = n
	}
	return r, true
}

// count reads a number of values; ok is false when it is none.
func count(t rdf.Term) (n int, ok bool) {
	n, err := strconv.Atoi(strings.TrimSpace(t.Value))
	return n, err == nil && n >= 0
}

// shapeValues is what a shape says of the values of a property.
type shapeValues struct {
	ranges   []string // classes and datatypes
	entities bool     // they are entities, of whatever class
}

// valuesOf reads what a property shape says of its values, itself or by the shapes
// to which it leads. A shape that says nothing stands for the classes that it
// targets.
func (b *builder) valuesOf(shape rdf.Term) shapeValues {
	var v shapeValues
	seen := map[rdf.Term]bool{}
	for todo := []rdf.Term{shape}; len(todo) > 0 && len(seen) < mostShapes; {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[s] || s != shape && b.isDeactivated(s) {
			continue
		}
		seen[s] = true
		for _, p := range []string{shDatatype, shClass} {
			for _, o := range b.objects(s, p) {
				v.ranges = append(v.ranges, b.alternatives(o)...)
			}
		}
		for _, head := range b.objects(s, shIn) {
			b.addListed(&v, b.list(head))
		}
		b.addNodeKind(&v, b.object(s, shNodeKind).Value)
		if s != shape {
			v.ranges = append(v.ranges, b.targets(s)...)
		}
		todo = append(todo, b.inner(s, append(shapeParts, shapeChoices...))...)
	}
	slices.Sort(v.ranges)
	v.ranges = slices.Compact(v.ranges)
	if len(v.ranges) > 1 {
		v.ranges = slices.DeleteFunc(v.ranges, func(r string) bool { return r == rdfsLiteral })
	}
	return v
}

// addListed adds what the values of an enumeration are.
func (b *builder) addListed(v *shapeValues, values []rdf.Term) {
	for _, o := range values {
		switch {
		case o.Kind == rdf.IRI:
			v.entities = true
		case o.Kind != rdf.Literal:
		case o.Lang != "":
			v.ranges = append(v.ranges, rdf.RDFLangString)
		case o.Datatype == "":
			v.ranges = append(v.ranges, rdf.XSD+"string")
		case b.isDatatype(o.Datatype):
			v.ranges = append(v.ranges, o.Datatype)
		default:
			v.ranges = append(v.ranges, rdfsLiteral)
		}
	}
}

// addNodeKind adds what sh:nodeKind says (SHACL §4.1.3).
func (b *builder) addNodeKind(v *shapeValues, kind string) {
	switch kind {
	case rdf.SH + "IRI", rdf.SH + "BlankNode", rdf.SH + "BlankNodeOrIRI":
		v.entities = true
	case rdf.SH + "Literal":
		v.ranges = append(v.ranges, rdfsLiteral)
	}
}

// targets are the classes of which a shape speaks.
func (b *builder) targets(shape rdf.Term) []string {
	var out []string
	for _, o := range b.objects(shape, shTargetClass) {
		if o.Kind == rdf.IRI && b.class(o.Value) != nil {
			out = append(out, o.Value)
		}
	}
	if shape.Kind == rdf.IRI && b.classes[shape.Value] != nil {
		out = append(out, shape.Value)
	}
	return out
}

// nameByShapes gives properties that have no label, or no comment, those of their
// shapes. Where shapes say different things in one language, none is taken: they are
// about the property on one class.
func (b *builder) nameByShapes() {
	for _, t := range []struct {
		predicate string
		texts     func(p *property) *[]domains.Text
	}{
		{shName, func(p *property) *[]domains.Text { return &p.Labels }},
		{shDescription, func(p *property) *[]domains.Text { return &p.Comments }},
	} {
		said := map[string]map[domains.Text]bool{} // property → texts
		for shape, property := range b.shapesOf {
			for _, text := range b.texts(shape, []string{t.predicate}) {
				if said[property] == nil {
					said[property] = map[domains.Text]bool{}
				}
				said[property][text] = true
			}
		}
		for name, texts := range said {
			p := b.properties[name]
			if p == nil || len(*t.texts(p)) > 0 {
				continue
			}
			*t.texts(p) = agreed(texts)
		}
	}
}

// agreed returns texts by language, if there is one for each language.
func agreed(texts map[domains.Text]bool) []domains.Text {
	var out []domains.Text
	seen := map[string]bool{}
	for t := range texts {
		lang := strings.ToLower(t.Lang)
		if seen[lang] {
			return nil
		}
		seen[lang] = true
		out = append(out, t)
	}
	slices.SortFunc(out, func(a, b domains.Text) int { return strings.Compare(a.Lang, b.Lang) })
	return out
}
