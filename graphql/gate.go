package graphql

import (
	"errors"
	"strings"

	gql "github.com/graph-gophers/graphql-go"
	gqlerrors "github.com/graph-gophers/graphql-go/errors"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// gate lets requests through that are within the limits and valid. It may be used
// concurrently.
type gate struct {
	schema *ast.Schema
	strict *gql.Schema
	meta   *metaSchema
	// explain is the view of the schema that Check needs.
	explain func() *Schema
	// introspection says whether questions about the schema are answered.
	introspection bool
}

// admit lets a request through, or says why not: in the order of the document, at most
// five errors, each with the next step. depth is how many relations may follow each
// other, at most; 0 means mostDepth. Its work grows with the text of the request, and
// with what is asked of the schema.
//
// What costs least comes first, so that a hostile document meets no validator: size,
// syntax, which operation, what the document stands for, and then what the rules of the
// specification say.
func (g *gate) admit(r Request, depth int) (*document, []Error) {
	if depth <= 0 || depth > mostDepth {
		depth = mostDepth
	}
	doc, fault := parse(r.Query)
	if fault == nil {
		fault = limitVariables(r.Variables)
	}
	if fault != nil {
		return nil, []Error{fault.refusal()}
	}
	operation, fault := g.operation(doc, r.Operation)
	if fault != nil {
		return nil, []Error{fault.refusal()}
	}
	s, fault := survey(doc, depth)
	if fault != nil {
		return nil, []Error{fault.refusal()}
	}
	if s.meta != nil && !g.introspection {
		f := faultAt(s.meta.Position, "Introspection is switched off for this domain: GET …/schema has the schema.")
		return nil, []Error{f.refusal()}
	}
	if errs := g.validate(r, doc, s.meta != nil); len(errs) > 0 {
		return nil, errs
	}
	c := coercion{schema: g.schema}
	values := c.variables(operation, r.Variables)
	if len(c.errs) > 0 {
		return nil, sortRefusals(c.errs)
	}
	d := &document{schema: g.schema, doc: doc, operation: operation, variables: values, nulls: hasNulls(operation, values)}
	if fault := d.nullConditions(); fault != nil {
		return nil, []Error{fault.refusal()}
	}
	if s.meta != nil {
		if fault := d.answerMeta(g.meta); fault != nil {
			return nil, []Error{fault.refusal()}
		}
	}
	return d, nil
}

// operation finds the operation that runs.
func (g *gate) operation(doc *ast.QueryDocument, name string) (*ast.OperationDefinition, *Fault) {
	var names []string
	for _, o := range doc.Operations {
		if o.Name != "" {
			names = append(names, shorten(o.Name))
		}
	}
	var o *ast.OperationDefinition
	switch {
	case name != "":
		if o = doc.Operations.ForName(name); o == nil && len(names) == 0 {
			return nil, &Fault{Message: "The query has no operation '" + shorten(name) + "': its only one has no name, so leave operationName out."}
		} else if o == nil {
			return nil, &Fault{Message: "The query has no operation '" + shorten(name) + "'. " + instead(name, names, "Its operations")}
		}
	case len(doc.Operations) > 1 && len(names) < len(doc.Operations):
		f := faultAt(doc.Operations[0].Position, "With several operations each needs a name, and operationName says which one runs.")
		return nil, &f
	case len(doc.Operations) > 1:
		f := faultAt(doc.Operations[1].Position, "The query has several operations: say in operationName which one runs, %s.", oneOf(names[:min(len(names), mostListed)]))
		return nil, &f
	default:
		o = doc.Operations[0]
	}
	if o.Operation != ast.Query {
		f := faultAt(o.Position, "The service has no %ss, it only answers queries: send a query.", o.Operation)
		return nil, &f
	}
	return o, nil
}

// validate says what the rules of the specification have against a document. It fills in
// the definitions of one that is valid.
func (g *gate) validate(r Request, doc *ast.QueryDocument, meta bool) []Error {
	found, ok := []Error(nil), false
	if !meta {
		found, ok = g.validateStrict(r.Query)
	}
	if !ok {
		found = g.validateTyped(doc, metaRules())
	}
	if len(found) == 0 && ok {
		found = g.validateTyped(doc, rules.NewRules(rules.OverlappingFieldsCanBeMergedRule))
	}
	if len(found) == 0 {
		found = g.literals(doc)
	}
	if len(found) == 0 {
		return nil
	}
	if faults := Check(g.explain(), r); len(faults) > 0 {
		found = found[:0]
		for i := range faults {
			found = append(found, faults[i].refusal())
		}
	}
	return sortRefusals(found)
}

// validateStrict asks graph-gophers. ok is false where it can't tell: it can't read
// integers of more than 64 bits.
func (g *gate) validateStrict(query string) (found []Error, ok bool) {
	defer func() {
		if recover() != nil { // it reads some numbers only when it compares them
			found, ok = nil, false
		}
	}()
	for _, e := range g.strict.ValidateWithVariables(query, nil) {
		switch {
		case errors.Is(e.Err, gqlerrors.ErrSyntax) || strings.HasPrefix(e.Message, "syntax error"):
			return nil, false
		case !notOurs[e.Rule]:
			found = append(found, refusalOf(e.Rule, e.Message, strictPlaces(e)))
		}
	}
	return found, true
}

// validateTyped asks gqlparser, which fills in the definitions.
func (g *gate) validateTyped(doc *ast.QueryDocument, by *rules.Rules) []Error {
	var found []Error
	for _, e := range validator.ValidateWithRules(g.schema, doc, by) {
		found = append(found, refusalOf(e.Rule, e.Message, placesOf(e)))
	}
	return found
}

// notOurs are rules of graph-gophers that the specification does not have (a default for
// a variable that must not be null is allowed since 2018), or that are held afterwards:
// the values of variables are coerced, which tells each that does not fit, and variables
// are compared with their places by literals.
var notOurs = map[string]bool{"DefaultValuesOfCorrectType": true, "VariablesOfCorrectType": true, "VariablesInAllowedPositionRule": true}

// metaRules are the rules of gqlparser, without the one that the limits hold and the one
// that literals does better.
func metaRules() *rules.Rules {
	all := rules.NewDefaultRules()
	all.RemoveRule(rules.MaxIntrospectionDepth.Name)
	all.RemoveRule(rules.ValuesOfCorrectTypeRule.Name)
	return all
}

// hints maps a rule to what to do about it.
var hints = map[string]string{
	"PossibleFragmentSpreads":        "Remove it, or put it on a type that can stand there.",
	"UniqueArgumentNames":            "Give each argument once.",
	"UniqueInputFieldNames":          "Give each field once.",
	"UniqueVariableNames":            "Define each variable once.",
	"UniqueFragmentNames":            "Give each fragment a name of its own.",
	"UniqueOperationNames":           "Give each operation a name of its own.",
	"UniqueDirectivesPerLocation":    "Write the directive once.",
	"VariablesAreInputTypes":         "Give it a scalar, an enum or an input type.",
	"LoneAnonymousOperation":         "Give each operation a name.",
	"FragmentsOnCompositeTypes":      "Put it on an object type or an interface.",
	"OverlapValidationLimitExceeded": "Ask for less at once.",
}

// refusalOf is an error of a library, with the next step where it says none.
func refusalOf(rule, message string, places []Location) Error {
	message = strings.ReplaceAll(sentence(strings.ReplaceAll(message, "\n", " ")), "?.", "?")
	if hint := hints[strings.TrimSuffix(rule, "Rule")]; hint != "" {
		message += " " + hint
	}
	return Error{Message: message, Locations: places}
}
