package bricktest

import (
	"encoding/json"
	"html"
	"strings"
)

const (
	noClassesText    = "Ontology has no classes — add classes in the Designer before querying the knowledge graph via GraphQL."
	noPropertiesText = "Ontology has classes but no relationships or data properties — GraphQL needs at least one property to expose " +
		"meaningful query fields. Add properties in the Designer or via OWL import."
)

// graphql answers the routes below /graphql; rest is the path after it.
func (c *call) graphql(rest string) (any, error) {
	name, tail, _ := strings.Cut(strings.TrimPrefix(rest, "/"), "/")
	switch {
	case rest == "" || rest == "/":
		return c.get(c.graphqlDomains)
	case name == "settings" && tail == "depth":
		return c.get(func() (any, error) { return object{"default": 2, "max": 5}, nil })
	case tail == "schema":
		return c.get(func() (any, error) { return c.schema(name) })
	case tail != "":
		return nil, &Error{Status: 404, body: object{"detail": "Not Found"}}
	case c.r.Method == "POST":
		return c.execute(name)
	default:
		return c.get(func() (any, error) {
			return raw{200, "text/html; charset=utf-8", []byte("<!doctype html><title>GraphiQL — " + html.EscapeString(name) + "</title>")}, nil
		})
	}
}

func (c *call) get(answer func() (any, error)) (any, error) {
	if c.r.Method != "GET" {
		return nil, errMethod
	}
	return answer()
}

func (c *call) graphqlDomains() (any, error) {
	if !c.configured() {
		return object{"success": false, "domains": []object{}, "message": "Registry not configured"}, nil
	}
	list := []object{}
	for _, s := range c.listed() {
		if len(s.classes()) > 0 {
			list = append(list, object{"name": s.Name, "description": s.Description})
		}
	}
	return object{"success": true, "domains": list, "message": nil}, nil
}

// typed is the domain of a GraphQL route.
func (c *call) typed(name string) (*state, error) {
	if !c.configured() {
		return nil, invalid("Registry not configured")
	}
	s := c.domains[name]
	if s == nil {
		return nil, notFound(`No PUBLISHED version available for domain "` + name + `"`)
	}
	return s, nil
}

// notReady says why there is no schema.
func (s *state) notReady() (reason, message string) {
	if len(s.classes()) == 0 {
		return "no_classes", noClassesText
	}
	return "no_properties", noPropertiesText
}

func (c *call) schema(name string) (any, error) {
	s, err := c.typed(name)
	if err != nil {
		return nil, err
	}
	if s.SDL == "" {
		reason, message := s.notReady()
		return object{
			"sdl": nil, "ready": false, "reason": reason, "message": message,
			"stats": object{"classes": len(s.classes()), "properties": s.properties()},
		}, nil
	}
	return object{"sdl": s.SDL, "ready": true}, nil
}

func (c *call) execute(name string) (any, error) {
	s, err := c.typed(name)
	if err != nil {
		return nil, err
	}
	var body struct {
		Query     *string         `json:"query"`
		Variables json.RawMessage `json:"variables"`
	}
	switch {
	case json.Unmarshal(c.body, &body) != nil:
		return nil, unprocessable("json_invalid", "body", "0", "JSON decode error", nil)
	case body.Query == nil:
		return nil, unprocessable("missing", "body", "query", "Field required", nil)
	case s.SDL == "":
		reason, message := s.notReady()
		return nil, &Error{Status: 400, Code: "validation", Message: message, Detail: reason}
	case !s.hasGraph():
		return nil, broken("Graph backend not configured or unreachable.")
	case s.GraphQL == nil:
		return jsonOf(400, object{"errors": []object{{"message": "The query could not be executed.", "path": nil}}}), nil
	}
	status, answer := s.GraphQL(*body.Query, body.Variables)
	return raw{status, "application/json", answer}, nil
}
