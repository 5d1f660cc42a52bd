package api

import (
	"encoding/json"
	"strconv"
	"strings"
)

// object is an object of JSON. Its members are written by name.
type object map[string]any

// Document is the OpenAPI 3.1 document of all addresses, for a version of the program. It
// is the same bytes each time.
func Document(version string) []byte {
	s := &schemas{all: object{}}
	paths := object{}
	for _, e := range endpoints() {
		item, ok := paths[e.path].(object)
		if !ok {
			item = object{}
			paths[e.path] = item
		}
		item[strings.ToLower(e.method)] = s.operation(e)
	}
	s.all["Error"] = errorSchema
	s.all["Unfit"] = unfitSchema
	out, err := json.MarshalIndent(object{
		"openapi": "3.1.0",
		"info": object{
			"title": "Ontogate", "version": version,
			"description": "Ontology domains over the REST interface of OntoBricks. Members and parameters that OntoBricks does not have are ours, and its clients ignore them.",
		},
		"servers": []object{{"url": "/"}},
		"tags":    []object{{"name": "domain"}, {"name": "digitaltwin"}, {"name": "server"}},
		"paths":   paths, "components": object{"schemas": s.all},
	}, "", "  ")
	if err != nil {
		panic(err) // these are maps, lists and texts
	}
	return append(out, '\n')
}

// operation describes an endpoint.
func (s *schemas) operation(e *endpoint) object {
	out := object{
		"operationId": operationID(e.path), "summary": e.summary, "tags": []string{tag(e.path)},
		"responses": object{
			"200":     object{"description": "The answer.", "content": asJSON(s.of(e.gives))},
			"422":     object{"description": "A parameter is missing, has another type or is out of bounds.", "content": asJSON(reference("Unfit"))},
			"default": object{"description": "The request was refused, or failed.", "content": asJSON(reference("Error"))},
		},
	}
	if e.details != "" {
		out["description"] = e.details
	}
	if e.method == "POST" {
		out["requestBody"] = object{"required": true, "content": asJSON(s.bodySchema(e))}
		return out
	}
	list := []object{}
	for _, p := range e.params {
		for i, name := range append([]string{p.name}, p.older...) {
			one := object{"name": name, "in": "query", "schema": p.schema(), "description": p.doc}
			if p.required {
				one["required"] = true
			}
			if i > 0 {
				one["deprecated"], one["description"] = true, "The older name of "+p.name+"."
			} else if p.example != "" {
				one["example"] = p.example
			}
			list = append(list, one)
		}
	}
	out["parameters"] = list
	return out
}

// bodySchema is the schema of a body: its parameters, and what is read besides.
func (s *schemas) bodySchema(e *endpoint) object {
	members, needed := object{}, []string{}
	if e.body != nil {
		own := s.inline(e.body())
		for name, schema := range own["properties"].(object) {
			members[name] = schema
		}
		needed = append(needed, own["required"].([]string)...)
	}
	for _, p := range e.params {
		schema := p.schema()
		schema["description"] = p.doc
		if p.example != "" {
			schema["examples"] = []string{p.example}
		}
		if members[p.name] = schema; p.required {
			needed = append(needed, p.name)
		}
	}
	return object{"type": "object", "properties": members, "required": needed}
}

// schema is the schema of a parameter.
func (p param) schema() object {
	switch p.kind {
	case number:
		out := object{"type": "integer"}
		if n, err := strconv.Atoi(p.otherwise); err == nil {
			out["default"] = n
		}
		if p.bounded && !p.clamped {
			out["minimum"], out["maximum"] = p.low, p.high
		}
		if p.clamped {
			out["description"] = "Brought within " + strconv.Itoa(p.low) + " and " + strconv.Itoa(p.high) + "."
		}
		return out
	case flag:
		return object{"type": "boolean", "default": p.otherwise == "true"}
	}
	out := object{"type": "string"}
	if p.values != nil {
		out["enum"] = p.values
	}
	return out
}

// operationID is made of a path: domain_design_status.
func operationID(path string) string {
	return strings.NewReplacer("/", "_", "-", "_").Replace(strings.TrimPrefix(path, "/api/v1/"))
}

// tag groups the endpoints.
func tag(path string) string {
	switch group, _, below := strings.Cut(strings.TrimPrefix(path, "/api/v1/"), "/"); {
	case below:
		return group
	default:
		return "server"
	}
}

func asJSON(schema object) object { return object{"application/json": object{"schema": schema}} }

func reference(name string) object { return object{"$ref": "#/components/schemas/" + name} }

// errorSchema is that of errors (OntoBricks contract 1.0).
var errorSchema = object{
	"type": "object", "required": []string{"error", "message", "request_id"}, "additionalProperties": false,
	"properties": object{
		"error": object{"type": "string", "enum": []string{
			"validation", "unauthorized", "authorization", "not_found", "method_not_allowed", "infrastructure", "internal_error",
		}},
		"message": object{"type": "string"}, "request_id": object{"type": "string"}, "service": object{"type": "string"},
	},
}

// unfitSchema is that of refusals for the form of a request.
var unfitSchema = object{
	"type": "object", "required": []string{"detail"}, "additionalProperties": false,
	"properties": object{"detail": object{"type": []string{"array", "string"}, "items": object{
		"type": "object", "required": []string{"type", "loc", "msg", "input"},
		"properties": object{
			"type": object{"type": "string"}, "msg": object{"type": "string"}, "input": object{},
			"loc": object{"type": "array", "items": object{"type": "string"}},
		},
	}}},
}
