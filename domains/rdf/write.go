package rdf

import (
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Statement is everything that is said of one subject, in Turtle.
type Statement struct {
	Subject Term
	// Text is one or more lines without a final newline, and ends with " .".
	Text string
	// Prefixes are the names of the prefixes that Text uses, sorted.
	Prefixes []string
}

// Statements writes a graph as Turtle, one statement for each subject, in the order in
// which subjects first come; triples need not be grouped. The texts, after the
// PrefixLines of the prefixes they use and joined by newlines, are a Turtle file.
//
// A blank node that is the object of exactly one triple is written in its place, as
// [ … ] or, where it begins a well-formed collection, as ( … ), and gets no statement of
// its own. Others get the labels b1, b2 and so on in the order in which they are written;
// so does one in each cycle, and every node that would come 17 deep.
//
// Within a statement rdf:type comes first, then label and comment, then the other
// predicates by IRI; objects are ordered IRIs, literals, blank nodes. Repeated triples are
// written once. IRIs are shortened where a prefix leaves a name without "/", "#" and "?".
//
// The whole graph is held in memory while the sequence runs, and read anew
// each time that it runs.
func Statements(triples iter.Seq[Triple], prefixes []Prefix) iter.Seq[Statement] {
	return func(yield func(Statement) bool) {
		w := newStatementWriter(newDocument(triples, nil), newNamespaces(prefixes))
		for subject := range w.roots() {
			w.prefixes = make(map[string]bool)
			text := w.statement(subject)
			if !yield(Statement{Subject: subject, Text: text, Prefixes: slices.Sorted(maps.Keys(w.prefixes))}) {
				return
			}
		}
	}
}

// lineWidth is the most characters of a list or bracket that is written in one line.
const lineWidth = 80

// statementWriter writes the statements of a document.
type statementWriter struct {
	*document
	termWriter
	labels   map[string]string // blank node → label that is written
	prefixes map[string]bool   // used in what was written
}

func newStatementWriter(d *document, names namespaces) *statementWriter {
	w := &statementWriter{document: d, labels: make(map[string]string), prefixes: make(map[string]bool)}
	w.termWriter = termWriter{
		names:     names,
		blank:     w.label,
		used:      func(prefix string) { w.prefixes[prefix] = true },
		shorthand: true,
	}
	return w
}

// label writes a blank node that has a label.
func (w *statementWriter) label(node string) string {
	if w.labels[node] == "" {
		w.labels[node] = "_:b" + strconv.Itoa(len(w.labels)+1)
	}
	return w.labels[node]
}

// statement writes what is said of a subject.
func (w *statementWriter) statement(subject Term) string {
	start := "[]"
	if subject.Kind != Blank || len(w.owners[subject.Value]) > 0 || w.needsLabel(subject.Value) {
		start = w.term(subject)
	}
	return start + " " + strings.Join(w.claims(w.said[subject], 1), " ;\n"+indent(1)) + " ."
}

// claims writes what is said of a subject, one text for each predicate, for lines
// that are indented to a depth.
func (w *statementWriter) claims(claims []claim, depth int) []string {
	var out []string
	for len(claims) > 0 {
		n := 1
		for n < len(claims) && claims[n].predicate == claims[0].predicate {
			n++
		}
		out = append(out, w.predicate(claims[0].predicate)+w.objects(claims[:n], depth))
		claims = claims[n:]
	}
	return out
}

// objects writes the objects of one predicate with the space before them: several in
// one line where that is short, else one a line.
func (w *statementWriter) objects(claims []claim, depth int) string {
	if len(claims) == 1 {
		return " " + w.object(claims[0].object, depth)
	}
	var objects []string
	for _, c := range claims {
		objects = append(objects, w.object(c.object, depth+1))
	}
	if line := strings.Join(objects, ", "); fits(line) {
		return " " + line
	}
	in := "\n" + indent(depth+1)
	return in + strings.Join(objects, ","+in)
}

func (w *statementWriter) predicate(p Term) string {
	if p.Kind == IRI && p.Value == RDFType {
		return "a"
	}
	return w.term(p)
}

// object writes an object, and all that is nested in it.
func (w *statementWriter) object(t Term, depth int) string {
	switch {
	case t.Kind != Blank || !w.nested[t.Value]:
		if t.Kind == IRI && t.Value == RDFNil {
			return "()"
		}
		return w.term(t)
	case w.cells[t.Value]:
		return w.collection(t, depth)
	}
	return bracket("[", w.claims(w.said[t], depth+1), " ;", "]", depth)
}

// collection writes the collection that begins with a cell. The cells that follow the
// first are nested as it is, because the depth doesn't grow along them.
func (w *statementWriter) collection(cell Term, depth int) string {
	var items []string
	for ; cell.Kind == Blank; cell = w.rest(cell) {
		items = append(items, w.object(w.first(cell), depth+1))
	}
	return bracket("(", items, "", ")", depth)
}

// bracket puts parts between brackets: in one line where that is short and no part
// has several, else one a line.
func bracket(open string, parts []string, separator, end string, depth int) string {
	if len(parts) == 0 {
		return open + end
	}
	line := open + " " + strings.Join(parts, separator+" ") + " " + end
	if fits(line) {
		return line
	}
	in := "\n" + indent(depth+1)
	return open + in + strings.Join(parts, separator+in) + "\n" + indent(depth) + end
}

// fits reports whether a text is short and has one line.
func fits(text string) bool {
	return utf8.RuneCountInString(text) <= lineWidth && !strings.Contains(text, "\n")
}

func indent(depth int) string { return strings.Repeat("    ", depth) }
