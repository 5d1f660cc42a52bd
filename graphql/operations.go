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

// The limits of a query. Nesting is limited by the parser, to
// parser.MaxNestingDepth.
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

// parse parses a document within the limits.
func parse(query string) (*ast.QueryDocument, *Fault) {
	if len(query) > MaxQuery {
		return nil, &Fault{Message: fmt.Sprintf("The query has %d bytes, more than the %d that are allowed: ask for less at once.", len(query), MaxQuery)}
	}
	src := &ast.Source{Input: query}
	if fault := count(src); fault != nil {
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

// count looks for more tokens than are allowed.
func count(src *ast.Source) *Fault {
	l := lexer.New(src)
	for n := 1; ; n++ {
		t, err := l.ReadToken()
		switch {
		case err != nil:
			return faultOf(err)
		case t.Kind == lexer.EOF:
			return nil
		case n > MaxTokens:
			f := faultAt(&t.Pos, "The query has more than %d words and signs: ask for less at once.", MaxTokens)
			return &f
		}
	}
}
