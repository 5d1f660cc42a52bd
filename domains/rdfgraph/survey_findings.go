package rdfgraph

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/owl"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// wellFormedTag is the syntax of language tags (BCP 47 §2.1), extensions and private use
// included; grandfathered tags that do not fit it begin with i-.
var wellFormedTag = regexp.MustCompile(`(?i)^(([a-z]{2,3}(-[a-z]{3}){0,3}|[a-z]{4,8})(-[a-z]{4})?(-([a-z]{2}|[0-9]{3}))?(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*(-[0-9a-wy-z](-[a-z0-9]{2,8})+)*(-x(-[a-z0-9]{1,8})+)?|x(-[a-z0-9]{1,8})+|i-[a-z]+|en-GB-oed|sgn-(BE|CH)-[A-Z]{2})$`)

// borrowed are vocabularies that people use without declaring their terms: nobody would
// thank for being told.
var borrowed = []string{
	rdf.SKOS, rdf.SH, "http://purl.org/dc/", "http://xmlns.com/foaf/0.1/", "http://schema.org/", "https://schema.org/",
	"http://www.w3.org/ns/", "http://purl.org/vocab/vann/", "http://rdfs.org/ns/void#", "http://www.geneontology.org/formats/oboInOwl#",
}

// findings looks for what will hurt. It is asked for once a domain is built.
type findings struct {
	onto  *domains.Ontology
	langs []string
	out   []Finding
	// declared counts terms of borrowed vocabularies that the domain declares; nil until needed.
	declared map[string]int
}

// findings are those of a version that was built.
func (l *loader) findingsOf(ctx context.Context, v version, made *built) []Finding {
	if l.survey == nil {
		return nil
	}
	f := &findings{onto: made.ontology, langs: l.settings.Languages}
	if g := factsOf(made); g != nil {
		f.unlabelled(ctx, g)
		f.unused(&g.stats)
		f.undeclared(&g.stats)
		f.deprecated(&g.stats)
	}
	f.unbound()
	f.clashes()
	for _, file := range made.content.read {
		f.ofFile(v.inVersion(file), l.survey.files[file].found)
	}
	return f.out
}

// tell adds a finding; what it says of one or of several follows the number, and the
// examples that.
func (f *findings) tell(kind string, n, of int, examples []string, one, several, next string) {
	if n == 0 {
		return
	}
	what := several
	if n == 1 && of <= 1 {
		what = one
	}
	examples = examples[:min(len(examples), mostExamples)]
	message := domains.Number(n)
	if of > 0 {
		message += " of " + domains.Number(of)
	}
	message += " " + what
	if len(examples) > 0 {
		message += ", such as " + strings.Join(examples, ", ")
	}
	f.out = append(f.out, Finding{Kind: kind, Count: n, Of: of, Examples: examples, Message: message + ": " + next})
}

// unlabelled tells of entities without label, when they are more than half.
func (f *findings) unlabelled(ctx context.Context, g *graph) {
	var mu sync.Mutex // guards what follows
	bare, all := 0, 0
	var examples []store.ID
	c := g.call(ctx, nil)
	c.spread(int(c.s.FirstBlank())-1, func(own *call) func(from, to int) {
		return func(from, to int) {
			var found []store.ID
			entities := 0
			for id := store.ID(from + 1); id <= store.ID(to); id++ {
				if own.schema[id] || own.shown(id) != id || !own.isSubject(id) {
					continue
				}
				if entities++; !own.hasLabel(id) {
					found = append(found, id)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			bare, all = bare+len(found), all+entities
			examples = append(examples, found[:min(len(found), mostExamples)]...)
			slices.Sort(examples)
			examples = examples[:min(len(examples), mostExamples)]
		}
	})
	if 2*bare <= all {
		return
	}
	var names []string
	for _, id := range examples {
		names = append(names, f.name(g.s.Text(id)))
	}
	f.tell("no-labels", bare, all, names, "entity with an IRI has no label", "entities with an IRI have no label", "add rdfs:label, or name your label property under labels: in "+settingsFile)
}

// hasLabel says whether an entity has a label that is shown.
func (c *call) hasLabel(shown store.ID) bool {
	for _, m := range c.members(shown) {
		for _, p := range c.labels.shown {
			if _, rows := c.r.Rows(m, p, 0).Split(c.s.FirstLiteral()); rows.Len() > 0 {
				return true
			}
		}
	}
	return false
}

// unused tells of declared classes without instances, where most classes have some: of a
// vocabulary that is larger than the data, they are no fault.
func (f *findings) unused(s *domains.Stats) {
	used := map[string]bool{}
	for _, t := range s.Types {
		used[t.IRI] = true
	}
	var names []string
	all := 0
	for _, c := range f.onto.Classes {
		if !c.Declared || c.Deprecated || domains.SaysNothing(c.IRI) {
			continue
		}
		if all++; !used[c.IRI] {
			names = append(names, f.name(c.IRI))
		}
	}
	if 2*len(names) < all {
		f.tell("classes-without-instances", len(names), all, names, "class has no instances", "classes have no instances", "remove what is not needed, or correct the types in the data")
	}
}

// undeclared tells of types and properties that entities use and nobody declares.
func (f *findings) undeclared(s *domains.Stats) {
	var types, properties []string
	for _, t := range s.Types {
		if c := f.onto.Class(t.IRI); t.Count > 0 && (c == nil || !c.Declared) && !f.isBorrowed(t.IRI) {
			types = append(types, f.name(t.IRI))
		}
	}
	for _, t := range s.Properties {
		if p := f.onto.Property(t.IRI); (p == nil || !p.Declared) && !f.isBorrowed(t.IRI) {
			properties = append(properties, f.name(t.IRI))
		}
	}
	next := "correct the IRI, declare it, or add the file that does"
	f.tell("types-not-declared", len(types), 0, types, "type is used and not declared", "types are used and not declared", next)
	f.tell("properties-not-declared", len(properties), 0, properties, "property is used and not declared", "properties are used and not declared", next)
}

// isBorrowed reports whether a term is of another vocabulary that nobody is expected to
// declare. One that the domain itself holds, as schema.org's own file does, is its own.
func (f *findings) isBorrowed(iri string) bool {
	for _, ns := range borrowed {
		if strings.HasPrefix(iri, ns) {
			return !f.holds(ns)
		}
	}
	return owl.IsMeta(iri)
}

// mostBorrowed is how many terms of another vocabulary people declare again in their own files.
const mostBorrowed = 20

// holds reports whether the domain declares so many terms of a vocabulary that it is its own.
func (f *findings) holds(ns string) bool {
	if f.declared == nil {
		f.declared = map[string]int{}
		count := func(iri string) {
			for _, ns := range borrowed {
				if strings.HasPrefix(iri, ns) {
					f.declared[ns]++
				}
			}
		}
		for _, c := range f.onto.Classes {
			if c.Declared {
				count(c.IRI)
			}
		}
		for _, p := range f.onto.Properties {
			if p.Declared {
				count(p.IRI)
			}
		}
	}
	return f.declared[ns] > mostBorrowed
}

// deprecated tells of deprecated terms that entities use.
func (f *findings) deprecated(s *domains.Stats) {
	var names []string
	for _, t := range s.Types {
		if c := f.onto.Class(t.IRI); t.Count > 0 && c != nil && c.Deprecated {
			names = append(names, f.name(t.IRI))
		}
	}
	for _, t := range s.Properties {
		if p := f.onto.Property(t.IRI); p != nil && p.Deprecated {
			names = append(names, f.name(t.IRI))
		}
	}
	f.tell("deprecated-in-use", len(names), 0, names, "deprecated term is in use", "deprecated terms are in use", "use what replaces them")
}

// unbound tells of properties that say neither whose nor what they are.
func (f *findings) unbound() {
	var names []string
	all := 0
	for _, p := range f.onto.Properties {
		if !p.Declared || p.Deprecated || p.Kind == domains.AnnotationProperty || f.isBorrowed(p.IRI) {
			continue
		}
		if all++; len(p.Domains) == 0 && len(p.Ranges) == 0 {
			names = append(names, f.name(p.IRI))
		}
	}
	f.tell("properties-without-domain-and-range", len(names), all, names, "property has neither domain nor range", "properties have neither domain nor range", "add rdfs:domain and rdfs:range, so that it is clear which class has them")
}

// clashes tells of names that several classes, or several properties, are shown with.
func (f *findings) clashes() {
	find := func(kind, noun string, n int, iri func(int) string) {
		named := map[string][]string{} // shown name → names of the terms
		for i := range n {
			name := f.onto.NameOf(iri(i), f.langs)
			named[name] = append(named[name], f.name(iri(i)))
		}
		var examples []string
		for _, name := range slices.Sorted(maps.Keys(named)) {
			if terms := named[name]; len(terms) > 1 {
				examples = append(examples, fmt.Sprintf("%q (%s)", name, strings.Join(terms[:min(len(terms), mostExamples)], ", ")))
			}
		}
		f.tell(kind, len(examples), 0, examples, "name is shared by several "+noun+"", "names are shared by several "+noun, "give each a label of its own")
	}
	find("class-names-clash", "classes", len(f.onto.Classes), func(i int) string { return f.onto.Classes[i].IRI })
	find("property-names-clash", "properties", len(f.onto.Properties), func(i int) string { return f.onto.Properties[i].IRI })
}

// ofFile tells of literals and language tags of a file.
func (f *findings) ofFile(file string, found *fileSurvey) {
	if found == nil {
		return
	}
	f.tell("bad-literals", found.bad.n, 0, found.bad.examples, "literal in "+file+" is no value of its datatype", "literals in "+file+" are no values of their datatype", "correct the text or the datatype")
	var tags []string
	n := 0
	for _, tag := range slices.Sorted(maps.Keys(found.languages)) {
		if !wellFormedTag.MatchString(tag) {
			tags = append(tags, fmt.Sprintf("%q", tag))
			n += found.languages[tag]
		}
	}
	f.tell("bad-language-tags", n, 0, tags, "literal in "+file+" has a language tag that is not well formed", "literals in "+file+" have language tags that are not well formed", "write tags such as en or pt-BR (BCP 47)")
}

// name is how a term is written in a finding: with its prefix where it has one.
func (f *findings) name(iri string) string {
	best := rdf.Prefix{}
	for _, p := range f.onto.Prefixes {
		if strings.HasPrefix(iri, p.IRI) && cmp.Compare(len(p.IRI), len(best.IRI)) > 0 && !strings.ContainsAny(iri[len(p.IRI):], "/#") {
			best = p
		}
	}
	if best.IRI == "" {
		return "<" + iri + ">"
	}
	return best.Name + ":" + iri[len(best.IRI):]
}

// smallest adds a text to the few smallest, which are in order and without doubles.
func smallest(few []string, text string) []string {
	i, known := slices.BinarySearch(few, text)
	if known || i >= mostExamples {
		return few
	}
	few = slices.Insert(few, i, text)
	return few[:min(len(few), mostExamples)]
}
