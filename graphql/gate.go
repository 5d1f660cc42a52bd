package graphql

import (
	"encoding/json"
	"errors"
	"fmt"

	gql "github.com/graph-gophers/graphql-go"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// gate lets requests through that are within the limits and valid.
type gate struct {
	schema        *ast.Schema
	strict        *gql.Schema
	introspection bool
}

// newGate parses a schema. Its cost grows with the schema.
func newGate(sdl string, introspection bool) (*gate, error) {
	schema, err := validator.LoadSchema(validator.Prelude, &ast.Source{Input: sdl})
	if err != nil {
		return nil, fmt.Errorf("reading the schema: %w", err)
	}
	strict, err := gql.ParseSchema(sdl, nil, gql.UseStringDescriptions())
	if err != nil {
		return nil, fmt.Errorf("checking the schema: %w", err)
	}
	return &gate{schema: schema, strict: strict, introspection: introspection}, nil
}

// admit lets a request through, or says why not. depth is how many relations may follow
// each other.
func (g *gate) admit(r Request, depth int) (*document, []Error) {
	doc, fault := parse(r.Query)
	if fault != nil {
		return nil, []Error{{Message: fault.Message}}
	}
	c := checker{doc: doc}
	operation := c.chosen(r.Operation)
	if operation == nil {
		return nil, []Error{{Message: "The query has no such operation."}}
	}
	if errs := validator.ValidateWithRules(g.schema, doc, rules.NewDefaultRules()); len(errs) > 0 {
		var out []Error
		for _, e := range errs {
			out = append(out, errorOf(e))
		}
		return nil, out
	}
	var given map[string]any
	if len(r.Variables) > 0 {
		if err := json.Unmarshal(r.Variables, &given); err != nil {
			return nil, []Error{{Message: "The variables must be a JSON object."}}
		}
	}
	values, err := validator.VariableValues(g.schema, operation, given)
	if err != nil {
		return nil, []Error{errorOf(err)}
	}
	return &document{schema: g.schema, doc: doc, operation: operation, variables: values}, nil
}

func errorOf(err error) Error {
	out := Error{Message: err.Error()}
	var of *gqlerror.Error
	if errors.As(err, &of) {
		out.Message = of.Message
		for _, l := range of.Locations {
			out.Locations = append(out.Locations, Location{Line: l.Line, Column: l.Column})
		}
	}
	return out
}
