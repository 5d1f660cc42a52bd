package format

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// nothing is the answer when no entity was found: what was searched, what may
// have been meant, what to try.
func (e *entities) nothing(ctx context.Context) (string, error) {
	lines := []string{"No matching entities found for " + e.asked() + "."}
	if e.matches.AtLeast && e.resumed.at == 0 {
		lines[0] += " Too many names may fit to look at all of them: give more letters or another word."
	}
	lines = append(lines, e.shortened()...)
	alone, err := e.foundAlone(ctx)
	if err != nil {
		return "", err
	}
	class, call, err := e.typeNamed(ctx)
	if err != nil {
		return "", err
	}
	near := slices.DeleteFunc(worthSuggesting(e.o.Search, e.matches.Suggestions), func(name string) bool {
		return call != "" && folded(name) == folded(class) // told with the call
	})
	switch {
	case alone != "":
		lines = append(lines, alone)
	case len(near) > 0:
		lines = append(lines, "Did you mean: "+strings.Join(near, ", ")+"?")
	}
	if call != "" {
		lines = append(lines, call)
	}
	if alone == "" && call == "" {
		lines = append(lines, cmp.Or(e.term(), e.wider()))
	}
	f := e.f
	f.From = nil // the earlier pieces had nothing either
	return document{closing: lines}.text(f), nil
}

// shortened says which part of the search text was looked for, when that was not
// all of it.
func (e *entities) shortened() []string {
	if !e.matches.Shortened {
		return nil
	}
	return []string{fmt.Sprintf("Only the beginning of search was looked for: its first %d different words, within its first %d letters. Give fewer words.",
		domains.MaxWords, domains.MaxText)}
}

// asked repeats the arguments.
func (e *entities) asked() string {
	var parts []string
	for _, a := range []struct{ name, value string }{
		{"search", e.o.Search}, {"entity_type", e.o.EntityType}, {"entity_uri", e.o.EntityURI},
	} {
		if strings.TrimSpace(a.value) != "" {
			parts = append(parts, a.name+"="+quoted(a.value))
		}
	}
	return strings.Join(parts, " and ")
}

// foundAlone says what the search, or else the URI, finds without the other arguments;
// empty when there are none, or when it finds nothing.
func (e *entities) foundAlone(ctx context.Context) (string, error) {
	search := strings.TrimSpace(e.o.Search)
	q, alone := domains.Query{Text: search}, "search="+quoted(search)
	switch {
	case search != "" && (len(e.o.Types) > 0 || e.o.EntityURI != ""):
	case search == "" && len(e.o.Types) > 0 && e.o.EntityURI != "":
		q, alone = domains.Query{IRI: e.o.EntityURI}, "entity_uri"
	default:
		return "", nil
	}
	found, err := e.probe(ctx, q)
	if err != nil || len(found.Hits) == 0 {
		return "", err
	}
	h := found.Hits[0]
	return fmt.Sprintf("With %s alone there is %s %s, URI %s.", alone, title(h.Label, h.IRI),
		e.names.kind(h.IRI, h.Types, h.Schema, false), oneLine(h.IRI)), nil
}

// term says that a URI is one of the ontology, of which the graph has no facts; empty when
// it is none.
func (e *entities) term() string {
	iri, o := e.o.EntityURI, e.names.ontology
	tells := ": describe_ontology tells of it"
	if !e.f.offers("describe_ontology") {
		tells = ""
	}
	if c := o.Class(iri); c != nil && c.Declared {
		joint := ": "
		if tells != "" {
			joint = ", and "
		}
		return fmt.Sprintf("It is a class of the ontology%s%sentity_type=\"%s\" finds its entities.", tells, joint, oneLine(iri))
	}
	if p := o.Property(iri); p != nil && p.Declared {
		return "It is a property of the ontology" + tells + "."
	}
	return ""
}

// wider says which call may find something. A tool that is not offered is not
// advised.
func (e *entities) wider() string {
	types := func(sentence string) string {
		if !e.f.offers("list_entity_types") {
			return ""
		}
		return sentence
	}
	switch {
	case e.o.EntityURI != "":
		return fmt.Sprintf("Try search=%s.", quoted(domains.LocalID(e.o.EntityURI))) + types(" list_entity_types shows what the graph holds.")
	case strings.TrimSpace(e.o.Search) != "":
		return "Try fewer or other words in search; it looks in names and local ids." + types(" list_entity_types shows what the graph holds.")
	}
	return "The type has no entities here." + types(" list_entity_types shows the types that have.")
}
