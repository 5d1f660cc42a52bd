package domains

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/ontogate/ontogate/domains/rdf"
)

// Ontology is the schema of a domain: classes, properties and how they hang
// together. Build it with NewOntology; it is immutable afterwards and may be used
// concurrently.
type Ontology struct {
	// IRI is the ontology's own IRI; empty when it has none.
	IRI string
	// Base is the IRI against which short ids are read; empty when unknown.
	Base string
	// Prefixes are the namespace names to print with.
	Prefixes []rdf.Prefix
	// Classes and Properties are ordered by IRI.
	Classes    []Class
	Properties []Property
	// Schemes are the concept schemes of SKOS, by IRI.
	Schemes []Scheme
	// Triples yields the statements about schema terms, blank nodes that hang
	// on them included, grouped by subject; nil when not kept.
	Triples iter.Seq[rdf.Triple]

	class    map[string]int   // IRI → index in Classes
	property map[string]int   // IRI → index in Properties
	subs     map[string][]int // class IRI → direct sub-classes
	order    hierarchy        // of Classes

	sameClass, sameProperty namesakes
}

// Scheme is a concept scheme: a thesaurus or list of terms whose concepts are entities.
type Scheme struct {
	IRI    string
	Labels []Text
	// Concepts is the number of its concepts, -1 when it is not known.
	Concepts int
	// Top are the first of the concepts at the top of its hierarchy, by IRI.
	Top []Concept
}

// Concept is a concept of a scheme.
type Concept struct {
	IRI    string
	Labels []Text
}

// Class is a class of an ontology.
type Class struct {
	IRI              string
	Labels, Comments []Text
	// Synonyms are other names, by which the class is found and not shown.
	Synonyms []Text
	// Supers are the named direct super-classes, by IRI.
	Supers []string
	// Declared is false for a class that is used as a type, or named by another
	// term, without being declared.
	Declared   bool
	Deprecated bool
}

// PropertyKind separates properties by what their values are.
type PropertyKind uint8

// The kinds of properties.
const (
	DataProperty       PropertyKind = iota + 1 // values are literals
	ObjectProperty                             // values are entities
	AnnotationProperty                         // notes on terms and entities
	MixedProperty                              // either; what plain rdf:Property allows
)

// Property is a property of an ontology.
type Property struct {
	IRI              string
	Kind             PropertyKind
	Labels, Comments []Text
	// Domains are the classes that have the property (any of them), Ranges the
	// classes or datatypes of its values (any of them), by IRI.
	Domains, Ranges []string
	// Supers are the named direct super-properties, Inverses the inverse ones; a
	// symmetric property is its own inverse.
	Supers, Inverses []string
	// Functional properties have at most one value.
	Functional, InverseFunctional bool
	// Cardinalities are bounds on the number of values for certain classes, by class.
	Cardinalities []Cardinality
	Declared      bool
	Deprecated    bool
}

// Cardinality bounds the number of values of a property on one class.
type Cardinality struct {
	Class string
	// Min is at least 0; Max is -1 when unbounded.
	Min, Max int
}

// NewOntology orders an ontology's terms and indexes them. It takes o over.
func NewOntology(o Ontology) *Ontology {
	slices.SortFunc(o.Classes, func(a, b Class) int { return cmp.Compare(a.IRI, b.IRI) })
	slices.SortFunc(o.Properties, func(a, b Property) int { return cmp.Compare(a.IRI, b.IRI) })
	o.class = make(map[string]int, len(o.Classes))
	o.property = make(map[string]int, len(o.Properties))
	o.subs = map[string][]int{}
	for i, c := range o.Classes {
		o.class[c.IRI] = i
		for _, s := range c.Supers {
			o.subs[s] = append(o.subs[s], i)
		}
	}
	for i, p := range o.Properties {
		o.property[p.IRI] = i
		slices.SortStableFunc(p.Cardinalities, func(a, b Cardinality) int { return cmp.Compare(a.Class, b.Class) })
	}
	o.order = newHierarchy(&o)
	o.sameClass = newNamesakes(len(o.Classes), func(i int) (string, []Text) { return o.Classes[i].IRI, o.Classes[i].Labels })
	o.sameProperty = newNamesakes(len(o.Properties), func(i int) (string, []Text) { return o.Properties[i].IRI, o.Properties[i].Labels })
	return &o
}

// CardinalitiesOn are the bounds that a property of an ontology has for a class.
func (p *Property) CardinalitiesOn(class string) []Cardinality {
	first, _ := slices.BinarySearchFunc(p.Cardinalities, class, func(c Cardinality, class string) int { return cmp.Compare(c.Class, class) })
	n := 0
	for first+n < len(p.Cardinalities) && p.Cardinalities[first+n].Class == class {
		n++
	}
	return p.Cardinalities[first : first+n]
}

// Class returns a class by IRI, or nil.
func (o *Ontology) Class(iri string) *Class {
	if i, ok := o.class[iri]; ok {
		return &o.Classes[i]
	}
	return nil
}

// Property returns a property by IRI, or nil.
func (o *Ontology) Property(iri string) *Property {
	if i, ok := o.property[iri]; ok {
		return &o.Properties[i]
	}
	return nil
}

// NameOf is the shown name of a class or property: its label in the preferred
// language; without a label, the prettified local name.
func (o *Ontology) NameOf(iri string, langs []string) string {
	var labels []Text
	if c := o.Class(iri); c != nil {
		labels = c.Labels
	}
	if p := o.Property(iri); p != nil && len(labels) == 0 {
		labels = p.Labels
	}
	if t, ok := ChooseText(labels, langs); ok && strings.TrimSpace(t.Value) != "" {
		return t.Value
	}
	return Prettify(LocalName(iri))
}

// SubClasses returns the direct sub-classes of a class, by IRI.
func (o *Ontology) SubClasses(iri string) []string {
	out := make([]string, 0, len(o.subs[iri]))
	for _, i := range o.subs[iri] {
		out = append(out, o.Classes[i].IRI)
	}
	return out
}

// WithSubClasses returns a class and all classes below it, the class first and
// the others by IRI. Cycles are harmless.
func (o *Ontology) WithSubClasses(iri string) []string {
	return closure(iri, o.SubClasses)
}

// WithSuperClasses returns a class and all classes above it, the class first and
// the others by IRI. Cycles are harmless.
func (o *Ontology) WithSuperClasses(iri string) []string {
	return closure(iri, func(iri string) []string {
		if c := o.Class(iri); c != nil {
			return c.Supers
		}
		return nil
	})
}

// IsSubClass reports whether sub is super or below it.
func (o *Ontology) IsSubClass(sub, super string) bool {
	return sub == super || slices.Contains(o.WithSuperClasses(sub), super)
}

func closure(start string, next func(string) []string) []string {
	seen := map[string]bool{start: true}
	out := []string{start}
	for i := 0; i < len(out); i++ {
		for _, n := range next(out[i]) {
			if !seen[n] {
				seen[n] = true
				out = append(out, n)
			}
		}
	}
	slices.Sort(out[1:])
	return out
}

// ResolveClass finds the class that a person or model means: an IRI (with or
// without angle brackets), a prefixed name, a local name, a label in any language, a synonym,
// or a name with what tells it apart as texts show it (see Apart); case, spaces and '_' are
// forgiven after an exact look. ok is false when there is none, and then near holds the
// nearest names. When several classes fit equally, all are returned, by IRI.
func (o *Ontology) ResolveClass(name string) (iris []string, near []string, ok bool) {
	name = strings.TrimSpace(name)
	if iris = o.classesNamed(name); len(iris) > 0 {
		return iris, nil, true
	}
	if plain, tag, found := cutApart(name); found {
		for _, iri := range o.classesNamed(plain) {
			if o.meansApart(iri, tag) {
				iris = append(iris, iri)
			}
		}
		if len(iris) > 0 {
			return iris, nil, true
		}
	}
	names := make([]string, 0, len(o.Classes))
	for _, c := range o.Classes {
		names = append(names, o.NameOf(c.IRI, nil))
	}
	return nil, Nearest(name, names, 5), false
}

// classesNamed are the classes that a name fits best.
func (o *Ontology) classesNamed(name string) []string {
	want := o.Expand(name)
	exact := func(s string) bool { return s == name }
	folded := fold(name)
	loose := func(s string) bool { return fold(s) == folded }
	var iris []string
	for _, meets := range []func(c *Class) bool{
		func(c *Class) bool { return c.IRI == want },
		func(c *Class) bool { return exact(LocalName(c.IRI)) },
		func(c *Class) bool { return anyLabel(c.Labels, exact) },
		func(c *Class) bool { return loose(LocalName(c.IRI)) || anyLabel(c.Labels, loose) },
		func(c *Class) bool { return anyLabel(c.Synonyms, loose) },
	} {
		for i := range o.Classes {
			if meets(&o.Classes[i]) {
				iris = append(iris, o.Classes[i].IRI)
			}
		}
		if len(iris) > 0 {
			break
		}
	}
	return iris
}

func anyLabel(labels []Text, meets func(string) bool) bool {
	return slices.ContainsFunc(labels, func(t Text) bool { return meets(t.Value) })
}

// fold drops what people vary when they type a name: case, spaces, '_' and '-'.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '_' || r == '-' {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// Expand turns a prefixed name or an IRI in angle brackets into the IRI; anything
// else stays as it is.
func (o *Ontology) Expand(name string) string {
	if strings.HasPrefix(name, "<") && strings.HasSuffix(name, ">") {
		return name[1 : len(name)-1]
	}
	if prefix, local, found := strings.Cut(name, ":"); found && !strings.HasPrefix(local, "//") {
		for _, p := range o.Prefixes {
			if p.Name == prefix {
				return p.IRI + local
			}
		}
	}
	return name
}
