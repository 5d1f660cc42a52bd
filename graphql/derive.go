package graphql

import (
	"context"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/owl"
)

// Derivation is what a schema is derived from.
type Derivation struct {
	// Name is the domain's name, for the description of the schema.
	Name string
	// Ontology gives types and fields, Usage what the ontology does not say; nil for a
	// domain without a graph.
	Ontology *domains.Ontology
	Usage    *domains.Usage
	// Languages choose descriptions, best first.
	Languages []string
}

// Limits of a schema, for ontologies that are large beyond use. DESIGN.md says what is
// left out.
const (
	maxTypes  = 10_000    // types of classes
	maxBelow  = 1_000_000 // entries of all Type.Classes
	maxFields = 200_000   // fields of all types, those of Entity not counted
	maxTexts  = 1 << 20   // bytes of the descriptions of all fields
	maxStarts = 4_000_000 // classes that properties begin at, those below them not counted
)

// Derive derives a schema. Equal ontologies give equal bytes, whatever the order of the
// files that they were read from. What can't be mapped is left out and noted. The only
// error is that ctx ended.
func Derive(ctx context.Context, d Derivation) (*Model, error) {
	return deriveWithin(ctx, d, limitsOfSchema{maxTypes, maxBelow, maxFields, maxTexts})
}

func deriveWithin(ctx context.Context, d Derivation, limits limitsOfSchema) (*Model, error) {
	if d.Ontology == nil {
		d.Ontology = domains.NewOntology(domains.Ontology{})
	}
	b := &deriver{
		Derivation: d, model: &Model{Base: baseOf(d.Ontology)},
		index: make(map[string]int32, len(d.Ontology.Classes)), usage: map[string]*domains.PropertyUsage{},
		limits: limits, main: mainNamespace(d.Ontology),
	}
	return b.derive(ctx)
}

// limitsOfSchema are the limits, which tests set lower.
type limitsOfSchema struct{ types, below, fields, texts int }

// deriver holds a schema while it is derived. Classes are numbers: their places in the
// ontology.
type deriver struct {
	Derivation
	limits limitsOfSchema
	model  *Model
	usage  map[string]*domains.PropertyUsage // IRI → how the graph uses it
	said   saidOfTerms
	main   string // see mainNamespace

	index      map[string]int32  // IRI → class
	subs       [][]int32         // class → those directly below it
	literal    []bool            // class → its instances are literals
	entity     []bool            // class → it can have a type
	types      []*Type           // class → its type, nil for one without
	drafts     []*draft          // in the order of the schema: values by name, then relations
	fieldNames map[string]string // property → the plain name of its fields
	own        [][]bool          // place in model.Types → for each of its fields, whether it is not inherited
}

func (b *deriver) derive(ctx context.Context) (*Model, error) {
	for _, stage := range []func(context.Context){
		b.readTerms, b.readClasses, b.makeTypes, b.makeColumns, b.spread, b.nameRoots, b.write,
	} {
		stage(ctx)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return b.model, nil
}

// note says what is not in the schema.
func (b *deriver) note(text string) { b.model.Notes = append(b.model.Notes, clean(text, 1000)) }

// baseOf is what ids are relative to: the ontology's base with a '/' where it ends
// in no character that ends a namespace.
func baseOf(o *domains.Ontology) string {
	if o.Base == "" || strings.ContainsAny(o.Base[len(o.Base)-1:], "/#:=") {
		return o.Base
	}
	return o.Base + "/"
}

// readClasses indexes the classes, and finds those whose instances are literals.
func (b *deriver) readClasses(context.Context) {
	classes := b.Ontology.Classes
	b.subs, b.literal = make([][]int32, len(classes)), make([]bool, len(classes))
	for i, c := range classes {
		b.index[c.IRI] = int32(i)
	}
	var todo []int32
	for i, c := range classes {
		if _, ok := schemaOrgScalar(c.IRI); ok {
			todo = append(todo, int32(i))
		}
		for _, super := range c.Supers {
			if s, ok := b.index[super]; ok && s != int32(i) {
				b.subs[s] = append(b.subs[s], int32(i))
			}
		}
	}
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !b.literal[c] {
			b.literal[c] = true
			todo = append(todo, b.subs[c]...)
		}
	}
	b.entity = make([]bool, len(classes))
	for i, c := range classes {
		b.entity[i] = c.IRI != "" && !b.literal[i] && !owl.IsMeta(c.IRI) && !domains.SaysNothing(c.IRI)
	}
	if b.Usage != nil {
		for i := range b.Usage.Properties {
			b.usage[b.Usage.Properties[i].IRI] = &b.Usage.Properties[i]
		}
	}
}

// makeTypes makes the types of classes, from the top of the tree down until there are
// enough.
func (b *deriver) makeTypes(ctx context.Context) {
	classes := b.Ontology.Classes
	var terms []named
	for i := range classes {
		if b.entity[i] {
			terms = append(terms, named{classes[i].IRI, b.rank(classes[i].IRI, classes[i].Declared)})
		}
	}
	used := reserve(reservedTypes...)
	names := used.allot(terms, "Type")
	b.types = make([]*Type, len(classes))
	seen, below, left := make([]int32, len(classes)), 0, 0
	for _, c := range b.fromTheTop() {
		if !b.entity[c] {
			continue
		}
		if len(b.model.Types) >= b.limits.types || below > b.limits.below || ctx.Err() != nil {
			left++
			continue
		}
		t := &Type{Name: names[classes[c].IRI], Class: classes[c].IRI, Classes: b.below(c, seen)}
		below += len(t.Classes)
		b.types[c] = t
		b.model.Types = append(b.model.Types, t)
	}
	if left > 0 {
		b.note(domains.Number(left) + " classes far from the top of the tree have no type of their own, since the schema would be too large. Their entities are found as those of the classes above them.")
	}
	slices.SortFunc(b.model.Types, func(x, y *Type) int { return strings.Compare(x.Name, y.Name) })
	b.model.byName = make(map[string]*Type, len(b.model.Types))
	for _, t := range b.model.Types {
		t.Filter, t.Order = used.free(t.Name+"Filter"), used.free(t.Name+"Order")
		b.model.byName[t.Name] = t
	}
}

// rank says how good a claim of a term to its plain name is; less is better. Terms of
// the ontology's own namespaces come first, then those that are declared.
func (b *deriver) rank(iri string, declared bool) int {
	rank := 0
	if !isUnder(iri, b.Ontology.IRI) && !isUnder(iri, b.Ontology.Base) && !isUnder(iri, b.main) {
		rank += 2
	}
	if !declared {
		rank++
	}
	if owl.IsMeta(iri) {
		rank += 4
	}
	return rank
}

// mainNamespace is the namespace of most of the terms of an ontology; of several the
// first. It is empty for an ontology that says itself what its namespace is.
func mainNamespace(o *domains.Ontology) string {
	if o.IRI != "" || o.Base != "" {
		return ""
	}
	counts := map[string]int{}
	for _, c := range o.Classes {
		namespace, _ := splitName(c.IRI)
		counts[namespace]++
	}
	for _, p := range o.Properties {
		namespace, _ := splitName(p.IRI)
		counts[namespace]++
	}
	main := ""
	for namespace, n := range counts {
		if n > counts[main] || n == counts[main] && namespace < main {
			main = namespace
		}
	}
	return main
}

// isUnder reports whether an IRI is in the namespace of a base or in one below it.
func isUnder(iri, base string) bool {
	stem := strings.TrimRight(base, "#/:")
	rest, ok := strings.CutPrefix(iri, stem)
	return ok && stem != "" && rest != "" && strings.ContainsAny(rest[:1], "#/:")
}

// fromTheTop lists all classes, those with nothing above them first, and each before
// those below it.
func (b *deriver) fromTheTop() []int32 {
	n := int32(len(b.subs))
	hasSuper, seen := make([]bool, n), make([]bool, n)
	for _, subs := range b.subs {
		for _, s := range subs {
			hasSuper[s] = true
		}
	}
	order := make([]int32, 0, n)
	add := func(c int32) {
		if !seen[c] {
			seen[c] = true
			order = append(order, c)
		}
	}
	for c := range n {
		if !hasSuper[c] {
			add(c)
		}
	}
	for done, next := 0, int32(0); ; {
		for ; done < len(order); done++ {
			for _, s := range b.subs[order[done]] {
				add(s)
			}
		}
		for next < n && seen[next] {
			next++
		}
		if next == n {
			return order
		}
		add(next) // of a circle that nothing leads to
	}
}

// below lists the IRIs of a class and of all below it, itself first, the others in
// order. seen is for its use alone.
func (b *deriver) below(class int32, seen []int32) []string {
	mark := class + 1
	seen[class] = mark
	found := []int32{class}
	for i := 0; i < len(found); i++ {
		for _, s := range b.subs[found[i]] {
			if seen[s] != mark {
				seen[s] = mark
				found = append(found, s)
			}
		}
	}
	slices.Sort(found[1:])
	out := make([]string, len(found))
	for i, c := range found {
		out[i] = b.Ontology.Classes[c].IRI
	}
	return out
}

// nameRoots names the fields of Query.
func (b *deriver) nameRoots(context.Context) {
	m := b.model
	used := reserve("entity", "search")
	m.roots = make(map[string]Root, 3*len(m.Types)+2)
	m.roots["entity"], m.roots["search"] = Root{Kind: RootEntity}, Root{Kind: RootSearch}
	for _, t := range m.Types {
		t.All, t.Count = used.free("all"+t.Name), used.free("count"+t.Name)
		m.roots[t.All], m.roots[t.Count] = Root{RootAll, t}, Root{RootCount, t}
	}
	for _, t := range m.Types {
		t.One = used.free(lowerFirst(t.Name))
		m.roots[t.One] = Root{RootOne, t}
	}
}
