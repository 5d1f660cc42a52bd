package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// toolName is what model APIs accept as the name of a tool or of an argument. The
// protocol allows more, and such a name would fail only when it is used.
var toolName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// Most characters of a definition on the wire, which every client pays for in every
// request, and of an answer.
const (
	mostDefinition = 700
	mostBudget     = 20_000
)

// mostOf are the tools that need more for their arguments.
var mostOf = map[string]int{"describe_entity": 1_300, "get_entity_context": 1_000}

// checkTools is the self-check of the start. A definition that some client would
// refuse is refused here, with all that is wrong.
func checkTools(tools []*tool) error {
	var errs []error
	seen := map[string]bool{}
	for _, t := range tools {
		if err := t.check(); err != nil {
			errs = append(errs, fmt.Errorf("tool %q: %w", t.Name, err))
		}
		if seen[t.Name] {
			errs = append(errs, fmt.Errorf("tool %q is defined twice", t.Name))
		}
		seen[t.Name] = true
	}
	if len(tools) == 0 {
		errs = append(errs, errors.New("there are no tools"))
	}
	return errors.Join(errs...)
}

// check makes the definition of a tool and looks at what it has to meet.
func (t *tool) check() error {
	if t.fault != nil {
		return t.fault
	}
	most := mostDefinition
	if n, ok := mostOf[t.Name]; ok {
		most = n
	}
	var err error
	t.defined = t.definition()
	t.wire, err = json.Marshal(t.defined)
	switch {
	case err != nil:
		return err
	case !toolName.MatchString(t.Name):
		return fmt.Errorf("the name must match %s: model APIs refuse others", toolName)
	case t.Kind == 0:
		return errors.New("the kind is missing")
	case t.title == "" || t.description == "":
		return errors.New("title or description is missing")
	case t.budget <= 0 || t.budget > mostBudget:
		return fmt.Errorf("the budget must be 1–%d characters", mostBudget)
	case utf8.RuneCount(t.wire) > most:
		return fmt.Errorf("the definition has %d characters, more than %d", utf8.RuneCount(t.wire), most)
	}
	_, notes, err := t.bind(json.RawMessage(t.example))
	if err != nil {
		return fmt.Errorf("the example %s does not fit: %w", t.example, err)
	}
	if len(notes) > 0 {
		return fmt.Errorf("the example %s needs notes: %s", t.example, strings.Join(notes, " "))
	}
	return checkSchema(t.defined.RawInputSchema)
}

// refusedKeywords are JSON Schema keywords that at least one model API or client
// refuses, together with the whole request.
var refusedKeywords = []string{
	"$ref", "$defs", "$schema", "$dynamicRef", "$id", "definitions", "anyOf", "oneOf", "allOf", "not", "if", "then", "else", "format",
}

// checkSchema looks for what clients refuse: refused keywords and type lists,
// anywhere.
func checkSchema(schema json.RawMessage) error {
	var v any
	if err := json.Unmarshal(schema, &v); err != nil {
		return fmt.Errorf("reading the schema: %w", err)
	}
	root, ok := v.(map[string]any)
	if !ok || root["type"] != "object" {
		return errors.New("the schema must be of type object")
	}
	properties, ok := root["properties"].(map[string]any)
	if !ok {
		return errors.New("the schema has no properties")
	}
	delete(root, "properties")
	nodes := map[string]any{"schema": root}
	for name, p := range properties {
		nodes["argument "+name] = p
	}
	for _, name := range slices.Sorted(maps.Keys(nodes)) {
		if err := checkNode(nodes[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func checkNode(v any) error {
	node, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	for _, k := range refusedKeywords {
		if _, found := node[k]; found {
			return fmt.Errorf("the keyword %s is refused by clients", k)
		}
	}
	if t, found := node["type"]; found {
		if _, isText := t.(string); !isText {
			return errors.New("a list of types is refused by clients")
		}
	}
	return checkNode(node["items"])
}
