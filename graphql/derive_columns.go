package graphql

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/owl"
	"github.com/ontogate/ontogate/domains/rdf"
)

// draft is a column while the schema is derived.
type draft struct {
	*Column
	property *domains.Property
	starts   []int32 // the classes that have it, without those below them
	text     columnText
}

// notFields are properties that no field reads: they have a place of their own in the
// schema, or hold RDF together.
var notFields = map[string]bool{
	rdf.RDFType: true, rdf.RDFSLabel: true, rdf.OWLSameAs: true, rdf.RDFFirst: true, rdf.RDFRest: true,
}

// makeColumns decides which fields there are, from the properties of the ontology and
// those of its vocabularies that entities use.
func (b *deriver) makeColumns(ctx context.Context) {
	properties := b.properties()
	terms := make([]named, 0, len(properties))
	for _, p := range properties {
		terms = append(terms, named{p.IRI, b.rank(p.IRI, p.Declared)})
	}
	used := reserve(reservedFields...)
	b.fieldNames = used.allot(terms, "field")
	var homeless, unused, large []string
	left := maxStarts
	for i, p := range properties {
		if i%1024 == 0 && ctx.Err() != nil {
			return
		}
		starts, ok := b.startsOf(p, left)
		left -= len(starts)
		switch {
		case !ok:
			large = append(large, b.fieldNames[p.IRI])
		case len(starts) > 0:
			b.addFields(p, starts)
		case p.Kind == domains.AnnotationProperty:
			unused = append(unused, b.fieldNames[p.IRI])
		case p.Declared || b.usage[p.IRI] != nil:
			homeless = append(homeless, b.fieldNames[p.IRI])
		}
	}
	b.nameValues(used)
	slices.SortFunc(b.drafts, func(x, y *draft) int {
		return cmp.Or(cmp.Compare(x.part(), y.part()), cmp.Compare(x.Name, y.Name))
	})
	b.noteNames("Properties without a field, since they have no domain and no entity with a class uses them", homeless)
	b.noteNames("Annotation properties without a field, since no entity with a class uses them", unused)
	b.noteNames("Properties without a field, since the schema would be too large", large)
}

// addFields adds the fields of a property.
func (b *deriver) addFields(p *domains.Property, starts []int32) {
	has, name := b.has(p), b.fieldNames[p.IRI]
	if has.entities {
		b.drafts = append(b.drafts, &draft{Column: b.relation(p, name), property: p, starts: starts})
	}
	if has.literals {
		b.drafts = append(b.drafts, &draft{Column: b.value(p, name, has), property: p, starts: starts})
	}
}

// nameValues names the fields for the literals of properties that have a field for
// entities too.
func (b *deriver) nameValues(used nameSet) {
	var list []*draft
	for _, d := range b.drafts {
		if d.Scalar != None && d.Steps[0].Literals {
			list = append(list, d)
		}
	}
	slices.SortFunc(list, func(x, y *draft) int { return cmp.Compare(x.Name, y.Name) })
	for _, d := range list {
		d.Name = used.free(d.Name + "Value")
	}
}

// part is 0 for a value and 1 for a relation.
func (d *draft) part() int {
	if d.Scalar == None {
		return 1
	}
	return 0
}

// noteNames notes properties without a field: the first of their names, and how many
// there are more.
func (b *deriver) noteNames(what string, names []string) {
	const most = 10
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	text := what + ": " + strings.Join(names[:min(most, len(names))], ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %s more", domains.Number(more))
	}
	b.note(text + ".")
}

// properties are those that may have fields, by IRI.
func (b *deriver) properties() []*domains.Property {
	out := make([]*domains.Property, 0, len(b.Ontology.Properties))
	for i := range b.Ontology.Properties {
		if p := &b.Ontology.Properties[i]; p.IRI != "" && !notFields[p.IRI] {
			out = append(out, p)
		}
	}
	if b.Usage == nil {
		return out
	}
	for _, u := range b.Usage.Properties {
		if u.IRI != "" && !notFields[u.IRI] && b.Ontology.Property(u.IRI) == nil {
			kind := domains.MixedProperty
			if owl.IsMeta(u.IRI) {
				kind = domains.AnnotationProperty
			}
			out = append(out, &domains.Property{IRI: u.IRI, Kind: kind})
		}
	}
	slices.SortFunc(out, func(x, y *domains.Property) int { return cmp.Compare(x.IRI, y.IRI) })
	return slices.CompactFunc(out, func(x, y *domains.Property) bool { return x.IRI == y.IRI })
}

// startsOf are the classes that have a property: its domains, or else what its inverses
// lead to, or else the domains of the properties above it; and the classes of the
// entities that use it. ok is false where they are more than most.
func (b *deriver) startsOf(p *domains.Property, most int) (starts []int32, ok bool) {
	starts = b.classesOf(p.Domains)
	if len(starts) == 0 {
		for _, q := range b.inverses(p) {
			if len(starts)+len(q.Ranges) > most {
				return nil, false
			}
			starts = append(starts, b.classesOf(q.Ranges)...)
		}
	}
	if len(starts) == 0 {
		starts = b.domainsAbove(p)
	}
	if u := b.usage[p.IRI]; u != nil {
		starts = append(starts, b.classesOf(u.Classes)...)
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)
	return starts, len(starts) <= most
}

// domainsAbove are the domains of the nearest properties above one that have any, of
// the 100 nearest.
func (b *deriver) domainsAbove(p *domains.Property) []int32 {
	seen := map[string]bool{p.IRI: true}
	for level := p.Supers; len(level) > 0 && len(seen) < 100; {
		var out []int32
		var next []string
		for _, iri := range level {
			if q := b.Ontology.Property(iri); q != nil && !seen[iri] && len(seen) < 100 {
				seen[iri] = true
				out = append(out, b.classesOf(q.Domains)...)
				next = append(next, q.Supers...)
			}
		}
		if len(out) > 0 {
			return out
		}
		level = next
	}
	return nil
}

// classesOf are those of some IRIs that are classes of entities.
func (b *deriver) classesOf(iris []string) []int32 {
	var out []int32
	for _, iri := range iris {
		if c, ok := b.index[iri]; ok && b.entity[c] {
			out = append(out, c)
		}
	}
	return out
}

// inverses are the properties of the ontology that one is an inverse of.
func (b *deriver) inverses(p *domains.Property) []*domains.Property {
	var out []*domains.Property
	for _, iri := range p.Inverses {
		if q := b.Ontology.Property(iri); q != nil {
			out = append(out, q)
		}
	}
	return out
}

// values says of which kinds the values of a property are, and so which fields it has.
type values struct {
	entities, literals bool
	texts              bool // the literals are IRIs, or of no kind that is known
}

// has decides which fields a property has: by its kind and ranges, and by the values
// that the graph has.
func (b *deriver) has(p *domains.Property) values {
	var v values
	u := b.usage[p.IRI]
	inUse := u != nil && (u.Literals || u.Entities)
	switch p.Kind {
	case domains.DataProperty:
		v.literals = true
		v.entities = u != nil && u.Entities && u.Literals
		v.texts = u != nil && !u.Literals
	case domains.ObjectProperty:
		v.literals = u != nil && u.Literals
		v.entities = !v.literals || u.Entities
	default:
		for _, r := range p.Ranges {
			if b.isDatatype(r) {
				v.literals = true
			} else {
				v.entities = true
			}
		}
		v.entities = v.entities || len(b.inverses(p)) > 0 || inUse && u.Entities
		v.literals = v.literals || inUse && u.Literals || !v.entities
		v.texts = u != nil && !u.Literals && len(b.datatypes(p)) == 0
	}
	return v
}

// isDatatype reports whether a range is one: the ontology has datatypes among the
// ranges only, and no classes of theirs.
func (b *deriver) isDatatype(iri string) bool {
	c, ok := b.index[iri]
	return !ok || b.literal[c]
}

// datatypes are the ranges of a property that are datatypes.
func (b *deriver) datatypes(p *domains.Property) []string {
	return slices.DeleteFunc(slices.Clone(p.Ranges), func(r string) bool { return !b.isDatatype(r) })
}

// relation is the column of a property's entities.
func (b *deriver) relation(p *domains.Property, name string) *Column {
	c := &Column{Name: name, List: true, Target: entityType, Steps: []domains.Step{{Property: p.IRI}}}
	for _, q := range b.inverses(p) {
		c.Steps = append(c.Steps, domains.Step{Property: q.IRI, Inverse: true})
	}
	if i, ok := b.index[b.onlyRange(p)]; ok && b.types[i] != nil {
		c.Target = b.types[i].Name
	}
	return c
}

// onlyRange is the one class that a property leads to: its range, or else the domain of
// its inverses; empty where there are several or none.
func (b *deriver) onlyRange(p *domains.Property) (only string) {
	for _, r := range p.Ranges {
		if r != only && !b.isDatatype(r) {
			if only != "" {
				return ""
			}
			only = r
		}
	}
	if len(p.Ranges) > 0 {
		return only
	}
	for _, q := range b.inverses(p) {
		for _, d := range q.Domains {
			if d != only && only != "" {
				return ""
			}
			only = d
		}
	}
	return only
}

// value is the column of a property's literals.
func (b *deriver) value(p *domains.Property, name string, has values) *Column {
	c := &Column{Name: name, Scalar: String, List: isMany(p), Steps: []domains.Step{{Property: p.IRI, Literals: has.entities}}}
	datatypes := b.datatypes(p)
	u := b.usage[p.IRI]
	if u != nil {
		c.List = c.List || u.Many
		if len(datatypes) == 0 {
			datatypes = u.Datatypes
		}
	}
	if !has.texts {
		c.Scalar = b.scalarOf(datatypes)
	}
	c.Language = c.Scalar == String && (u != nil && u.Languages || slices.ContainsFunc(datatypes, hasLanguage))
	return c
}

// isMany reports whether the cardinalities of a property allow several values: they
// name a number above one. Where they say nothing a field is no list.
func isMany(p *domains.Property) bool {
	return !p.Functional && slices.ContainsFunc(p.Cardinalities, func(c domains.Cardinality) bool { return c.Min > 1 || c.Max > 1 })
}

func hasLanguage(datatype string) bool {
	return datatype == rdf.RDFLangString || datatype == rdf.RDF+"PlainLiteral" || datatype == rdf.RDF+"dirLangString"
}

// scalarOf is the scalar of datatypes: that of all of them, or else String.
func (b *deriver) scalarOf(datatypes []string) Scalar {
	out := None
	for _, d := range datatypes {
		s := scalarFor(d)
		if out != None && s != out {
			return String
		}
		out = s
	}
	return max(out, String)
}

// xsdScalars are the scalars of the datatypes of XML Schema, by local name. The others
// are read as String.
var xsdScalars = map[string]Scalar{
	"int": Int, "short": Int, "byte": Int, "unsignedShort": Int, "unsignedByte": Int,
	"integer": Long, "long": Long, "unsignedInt": Long, "unsignedLong": Long,
	"nonNegativeInteger": Long, "positiveInteger": Long, "nonPositiveInteger": Long, "negativeInteger": Long,
	"decimal": Decimal, "float": Float, "double": Float, "boolean": Boolean,
	"date": Date, "dateTime": DateTime, "dateTimeStamp": DateTime, "time": Time,
}

// schemaOrgScalars are the scalars of schema.org's datatypes, by local name.
var schemaOrgScalars = map[string]Scalar{
	"DataType": String, "Text": String, "URL": String, "Number": Decimal, "Integer": Long, "Float": Float, "Boolean": Boolean,
	"Date": Date, "DateTime": DateTime, "Time": Time,
}

// schemaOrgScalar is the scalar of a datatype of schema.org; ok is false for anything
// else.
func schemaOrgScalar(iri string) (s Scalar, ok bool) {
	for _, namespace := range []string{"https://schema.org/", "http://schema.org/"} {
		if local, found := strings.CutPrefix(iri, namespace); found {
			s, ok = schemaOrgScalars[local]
		}
	}
	return s, ok
}

func scalarFor(datatype string) Scalar {
	if s, ok := schemaOrgScalar(datatype); ok {
		return s
	}
	if local, ok := strings.CutPrefix(datatype, rdf.XSD); ok && xsdScalars[local] != None {
		return xsdScalars[local]
	}
	return String
}
