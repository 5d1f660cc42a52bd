package graphql

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/lexer"
	"github.com/vektah/gqlparser/v2/parser"
)

// Kind is a kind of operation.
type Kind string

// The kinds of operations. Only a Query reads and nothing else.
const (
	Query        Kind = "query"
	Mutation     Kind = "mutation"
	Subscription Kind = "subscription"
)

// Operation is one operation of a document.
type Operation struct {
	Kind Kind
	// Name is empty for an operation without one.
	Name string
}

// The limits of a query. The parser limits nesting.
const (
	MaxQuery  = 100_000 // bytes
	MaxTokens = 5_000
)

// Operations are the operations of a document in their order. The error is a *Fault.
func Operations(query string) ([]Operation, error) {
	doc, fault := parse(query)
	if fault != nil {
		return nil, fault
	}
	out := make([]Operation, 0, len(doc.Operations))
	for _, o := range doc.Operations {
		out = append(out, Operation{Kind: Kind(o.Operation), Name: o.Name})
	}
	return out, nil
}

// Limits says which limit a query goes over: MaxQuery or MaxTokens. It is nil for all
// others, also those with faults. The error is a *Fault.
func Limits(query string) error {
	fault, over := limits(query)
	if !over {
		return nil
	}
	return fault
}

// parse parses a document within the limits.
func parse(query string) (*ast.QueryDocument, *Fault) {
	src := &ast.Source{Input: query}
	if fault, _ := limits(query); fault != nil {
		return nil, fault
	}
	doc, err := parser.ParseQuery(src)
	if err != nil {
		return nil, faultOf(err)
	}
	if len(doc.Operations) == 0 {
		return nil, &Fault{Message: "The query has no operation: write { … } with the fields to read."}
	}
	return doc, nil
}

// limits looks for a limit that a query goes over, and on the way for what is no word
// and no sign.
func limits(query string) (fault *Fault, over bool) {
	if len(query) > MaxQuery {
		return &Fault{Message: fmt.Sprintf("The query has %d bytes, more than the %d that are allowed: ask for less at once.", len(query), MaxQuery)}, true
	}
	l := lexer.New(&ast.Source{Input: query})
	for n := 1; ; n++ {
		t, err := l.ReadToken()
		switch {
		case err != nil:
			return faultOf(err), false
		case t.Kind == lexer.EOF:
			return nil, false
		case n > MaxTokens:
			f := faultAt(&t.Pos, "The query has more than %d words and signs: ask for less at once.", MaxTokens)
			return &f, true
		}
	}
}
