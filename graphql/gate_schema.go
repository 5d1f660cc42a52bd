package graphql

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	gql "github.com/graph-gophers/graphql-go"
	gqlerrors "github.com/graph-gophers/graphql-go/errors"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// newGate parses a schema, once with each library. Its cost grows with the schema.
func newGate(sdl string, introspection bool) (*gate, error) {
	var strict *gql.Schema
	var strictErr error
	var both sync.WaitGroup
	both.Go(func() {
		strict, strictErr = gql.ParseSchema(sdl, nil, gql.UseStringDescriptions(), gql.OverlapValidationLimit(4*maxPairs))
		if strictErr == nil {
			compactStrict(strict.AST())
		}
	})
	t, err := parseTyped(sdl)
	both.Wait()
	if err != nil {
		return nil, fmt.Errorf("reading the schema: %w", err)
	}
	if strictErr != nil {
		return nil, fmt.Errorf("checking the schema: %w", strictErr)
	}
	schema := t.schema
	likeGraphQLJS(schema)
	g := &gate{schema: schema, strict: strict, introspection: introspection, meta: newMetaSchema(t, len(sdl))}
	g.explain = sync.OnceValue(func() *Schema { return schemaOf(schema) })
	return g, nil
}

// likeGraphQLJS makes the part of the schema that every schema has what graphql-js 16.15
// has: directives can be deprecated, and @defer is not there.
func likeGraphQLJS(schema *ast.Schema) {
	delete(schema.Directives, "defer")
	if d := schema.Types["__Schema"]; d != nil {
		if f := d.Fields.ForName("directives"); f != nil && len(f.Arguments) == 0 {
			f.Arguments = ast.ArgumentDefinitionList{{
				Name: "includeDeprecated", Type: ast.NonNullNamedType("Boolean", f.Position),
				DefaultValue: &ast.Value{Raw: "false", Kind: ast.BooleanValue, Position: f.Position}, Position: f.Position,
			}}
		}
	}
	if d := schema.Types["__Directive"]; d != nil && d.Fields.ForName("isDeprecated") == nil {
		d.Fields = append(d.Fields,
			&ast.FieldDefinition{Name: "isDeprecated", Type: ast.NonNullNamedType("Boolean", d.Position), Position: d.Position},
			&ast.FieldDefinition{Name: "deprecationReason", Type: ast.NamedType("String", d.Position), Position: d.Position})
	}
}

// schemaOf is the view of a schema that Check needs. It shares the definitions, so that
// it costs little besides them.
func schemaOf(schema *ast.Schema) *Schema {
	s := &Schema{types: map[string]*ast.Definition{}, directives: map[string]bool{}, roots: map[Kind]string{}}
	for name, d := range schema.Types {
		s.types[name] = d
		if built[name] == "" && !strings.HasPrefix(name, "__") {
			s.names = append(s.names, name)
		}
	}
	slices.Sort(s.names)
	for name := range schema.Directives {
		s.directives[name] = true
	}
	if schema.Query != nil {
		root := *schema.Query
		root.Fields = slices.DeleteFunc(slices.Clone(root.Fields), func(f *ast.FieldDefinition) bool { return strings.HasPrefix(f.Name, "__") })
		s.types[root.Name], s.roots[Query] = &root, root.Name
	}
	s.findExamples()
	return s
}

// placesOf and strictPlaces are the places of errors of the two libraries.
func placesOf(e *gqlerror.Error) []Location {
	var out []Location
	for _, l := range e.Locations {
		out = append(out, Location{Line: l.Line, Column: l.Column})
	}
	return out
}

func strictPlaces(e *gqlerrors.QueryError) []Location {
	var out []Location
	for _, l := range e.Locations {
		out = append(out, Location{Line: l.Line, Column: l.Column})
	}
	return out
}
