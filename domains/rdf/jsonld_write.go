package rdf

import (
	"fmt"
	"io"
	"iter"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// writeJSONLD writes quads as a JSON-LD 1.1 document: an object with the prefixes that are
// used as its @context, and in @graph a node object for each subject in the order in
// which it first comes, then one with a @graph for each named graph. What is nested in Turtle is
// nested here (see Statements), collections as @list.
//
// Numbers and booleans are JSON's own where reading makes the same literal of them, and
// other programs do too. Blank nodes that need one get the labels b1, b2 and so on.
//
// Errors: an *UnsayableError for triple terms; w's error, wrapped.
func writeJSONLD(w io.Writer, o WriteOptions, quads iter.Seq[Quad]) error {
	p := newPage(JSONLD, nil)
	var refused error
	err := p.take(func(yield func(Quad) bool) {
		for q := range quads {
			if q.Object.Kind == TripleTerm {
				refused = &UnsayableError{Format: JSONLD, What: "a triple term: write Turtle, TriG, N-Triples or N-Quads, or say it with rdf:subject, rdf:predicate and rdf:object", Quad: q}
				return
			}
			if !yield(q) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	if refused != nil {
		return refused
	}
	j := &jsonWriter{page: p, names: compactNames(o.Prefixes, p.triples), used: make(map[string]string)}
	text := j.document()
	if _, err := io.WriteString(w, text+"\n"); err != nil {
		return fmt.Errorf("writing %s: %w", JSONLD, err)
	}
	return nil
}

// jsonWriter makes the objects of a JSON-LD document.
type jsonWriter struct {
	*page
	names []Prefix          // longest IRI first
	used  map[string]string // prefix → IRI
	graph *document         // the one that is written
}

// member is one of an object.
type member struct {
	name  string
	value any // string, rawJSON, []any or []member
}

// rawJSON is a value that is JSON already.
type rawJSON string

// document is the whole document as text.
func (j *jsonWriter) document() string {
	nodes := j.nodes(Term{})
	for _, name := range j.graphs {
		if !name.IsZero() {
			nodes = append(nodes, []member{{"@id", j.id(name)}, {"@graph", j.nodes(name)}})
		}
	}
	var context []member
	for _, name := range slices.Sorted(maps.Keys(j.used)) {
		iri := j.used[name]
		if strings.ContainsRune(":/?#[]@", rune(iri[len(iri)-1])) {
			context = append(context, member{name, iri})
		} else {
			context = append(context, member{name, []member{{"@id", iri}, {"@prefix", rawJSON("true")}}})
		}
	}
	var members []member
	if len(context) > 0 {
		members = append(members, member{"@context", context})
	}
	members = append(members, member{"@graph", nodes})
	var b strings.Builder
	writeJSON(&b, members, 0)
	return b.String()
}

// nodes are the node objects of a graph.
func (j *jsonWriter) nodes(graph Term) []any {
	j.graph = newDocument(slices.Values(j.triples[graph]), j.shared)
	nodes := []any{}
	for subject := range j.graph.roots() {
		var members []member
		if subject.Kind != Blank || len(j.graph.owners[subject.Value]) > 0 || j.graph.needsLabel(subject.Value) {
			members = []member{{"@id", j.id(subject)}}
		}
		nodes = append(nodes, append(members, j.properties(subject)...))
	}
	return nodes
}

// id is what stands for an IRI or a blank node.
func (j *jsonWriter) id(t Term) string {
	if t.Kind == IRI {
		return j.compact(t.Value)
	}
	if j.labels[t.Value] == "" {
		j.labels[t.Value] = "_:b" + strconv.Itoa(len(j.labels)+1)
	}
	return j.labels[t.Value]
}

// properties are the members of the node object for a subject, without @id.
func (j *jsonWriter) properties(subject Term) []member {
	var members []member
	for claims := j.graph.said[subject]; len(claims) > 0; {
		predicate := claims[0].predicate
		n := 1
		for n < len(claims) && claims[n].predicate == predicate {
			n++
		}
		var types, values []any
		for _, c := range claims[:n] {
			if predicate.Value == RDFType && c.object.Kind == IRI {
				types = append(types, j.compact(c.object.Value))
			} else {
				values = append(values, j.object(c.object))
			}
		}
		if len(types) > 0 {
			members = append(members, member{"@type", oneOrAll(types)})
		}
		if len(values) > 0 {
			members = append(members, member{j.compact(predicate.Value), oneOrAll(values)})
		}
		claims = claims[n:]
	}
	return members
}

func oneOrAll(values []any) any {
	if len(values) == 1 {
		return values[0]
	}
	return values
}

// object is the value for an object, with all that is nested in it.
func (j *jsonWriter) object(t Term) any {
	switch {
	case t.Kind == Literal:
		return j.literal(t)
	case t.Kind == IRI && t.Value == RDFNil:
		return []member{{"@list", []any{}}}
	case t.Kind != Blank || !j.graph.nested[t.Value]:
		return []member{{"@id", j.id(t)}}
	case !j.graph.cells[t.Value]:
		return j.properties(t)
	}
	items := []any{}
	for ; t.Kind == Blank; t = j.graph.rest(t) {
		items = append(items, j.object(j.graph.first(t)))
	}
	return []member{{"@list", items}}
}

// literal is the value for a literal.
func (j *jsonWriter) literal(t Term) any {
	switch {
	case t.Lang != "":
		members := []member{{"@value", t.Value}, {"@language", t.Lang}}
		if t.Dir != "" {
			members = append(members, member{"@direction", t.Dir})
		}
		return members
	case t.Datatype == "":
		return t.Value
	case isNative(t):
		return rawJSON(t.Value)
	case t.Datatype == rdfJSON && isCanonicalJSON(t.Value):
		return []member{{"@value", rawJSON(t.Value)}, {"@type", "@json"}}
	}
	return []member{{"@value", t.Value}, {"@type", j.compact(t.Datatype)}}
}

// canonicalInteger is the canonical form of an xsd:integer of a size that every program
// that reads JSON keeps.
var canonicalInteger = regexp.MustCompile(`^(0|-?[1-9][0-9]{0,14})$`)

// isNative reports whether JSON's own number or boolean is read as the literal, by every
// program: doubles are not, since programs round them and write them in ways of their own.
func isNative(t Term) bool {
	switch t.Datatype {
	case XSDBoolean:
		return t.Value == "true" || t.Value == "false"
	case XSDInteger:
		return canonicalInteger.MatchString(t.Value)
	}
	return false
}

// isCanonicalJSON reports whether a text is JSON that is read as the same literal: in
// canonical form, flat enough, and without keywords, which mean something to those that
// read.
func isCanonicalJSON(text string) bool {
	const deepest = 50
	if strings.Count(text, "[")+strings.Count(text, "{") > deepest || strings.Contains(text, `"@`) {
		return false
	}
	value, err := jsonText{text: []byte(text)}.decode()
	if err != nil {
		return false
	}
	again, err := canonicalJSON(value)
	return err == nil && again == text
}

// compactNames are the prefixes that can make compact IRIs. A name that is also the scheme
// of an IRI in the data could be taken for it, and is left out.
func compactNames(prefixes []Prefix, graphs map[Term][]Triple) []Prefix {
	schemes := make(map[string]bool)
	note := func(iri string) {
		if n := schemeLen(iri); !strings.HasPrefix(iri[n:], "://") {
			schemes[iri[:n]] = true
		}
	}
	for graph, triples := range graphs {
		note(graph.Value)
		for _, t := range triples {
			for _, term := range []Term{t.Subject, t.Predicate, t.Object} {
				switch term.Kind {
				case IRI:
					note(term.Value)
				case Literal:
					note(term.Datatype)
				}
			}
		}
	}
	return slices.DeleteFunc(newNamespaces(prefixes), func(p Prefix) bool {
		_, err := url.Parse(p.IRI) // readers refuse the others in a context
		return err != nil || p.Name == "" || schemes[p.Name] || len(p.IRI) > MaxNamespace
	})
}

// compact shortens an IRI where a prefix leaves a name without "/", "#" and "?".
func (j *jsonWriter) compact(iri string) string {
	for _, p := range j.names {
		if local, ok := strings.CutPrefix(iri, p.IRI); ok && !strings.ContainsAny(local, "/#?") {
			j.used[p.Name] = p.IRI
			return p.Name + ":" + local
		}
	}
	return iri
}

// writeJSON writes a value for lines that are indented to a depth: in one line where that is
// short, else each item or member in a line of its own.
func writeJSON(b *strings.Builder, value any, depth int) {
	var parts []string
	open, end := "[", "]"
	switch v := value.(type) {
	case rawJSON:
		b.WriteString(string(v))
		return
	case string:
		b.WriteString(jsonString(v))
		return
	case []any:
		for _, item := range v {
			var part strings.Builder
			writeJSON(&part, item, depth+1)
			parts = append(parts, part.String())
		}
	case []member:
		open, end = "{", "}"
		for _, m := range v {
			var part strings.Builder
			part.WriteString(jsonString(m.name) + ": ")
			writeJSON(&part, m.value, depth+1)
			parts = append(parts, part.String())
		}
	}
	if depth > 1 && fits(strings.Join(parts, ", ")) || len(parts) == 0 {
		b.WriteString(open + strings.Join(parts, ", ") + end)
		return
	}
	in := "\n" + strings.Repeat("  ", depth+1)
	b.WriteString(open + in + strings.Join(parts, ","+in) + "\n" + strings.Repeat("  ", depth) + end)
}

// jsonString writes a string, with invisible characters escaped.
func jsonString(s string) string {
	var plain, b strings.Builder
	appendJSONString(&plain, s)
	for _, r := range plain.String() {
		if Hidden(r) {
			b.WriteString(escapeUTF16(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
