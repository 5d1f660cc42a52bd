package bricktest

import (
	"encoding/json"
	"strings"
)

func health(*call) (any, error) {
	return object{
		"status": "ok", "version": "0.9.0", "service": "OntoBricks", "framework": "FastAPI",
		"summary": object{"total": 0, "ok": 0, "warnings": 0, "errors": 0}, "checks": []object{},
	}, nil
}

func apiHealth(*call) (any, error) {
	return object{"status": "healthy", "version": "0.9.0", "service": "OntoBricks API", "framework": "FastAPI"}, nil
}

func registry(c *call) (any, error) {
	r := c.registry
	return object{"catalog": r.Catalog, "schema": r.Schema, "volume": r.Volume, "configured": r.Catalog != "" && r.Schema != ""}, nil
}

// listDomains answers GET /domains.
func listDomains(c *call) (any, error) {
	if !c.configured() {
		return nil, invalid("Registry not configured")
	}
	list := []object{}
	for _, s := range c.listed() {
		policy := s.Policy
		if policy == nil {
			policy = object{}
		}
		list = append(list, object{
			"name": s.Name, "description": s.Description, "graph_backend": s.backend(), "mcp_policy": policy, "has_graph": s.hasGraph(),
		}.without(s.Omit))
	}
	return object{"success": true, "domains": list, "message": nil}, nil
}

// listed are the domains that have a PUBLISHED version.
func (c *call) listed() []*state {
	var out []*state
	for _, name := range c.order {
		if s := c.domains[name]; s.published() != "" {
			out = append(out, s)
		}
	}
	return out
}

// versions answers GET /domain/versions.
func versions(c *call) (any, error) {
	name, err := c.required("query", "domain_name")
	if err != nil {
		return nil, err
	}
	if !c.configured() {
		return nil, invalid("Registry not configured — cannot resolve domain_name")
	}
	s := c.domains[name]
	if s == nil {
		return nil, notFound("No versions found for domain '" + name + "'")
	}
	list := []object{}
	for i, v := range s.Versions {
		list = append(list, object{"version": v.Version, "is_latest": i == 0, "status": v.Status, "is_published": v.Status == published})
	}
	return object{"success": true, "domain_name": name, "versions": list, "latest_version": s.Versions[0].Version, "message": nil}, nil
}

// design answers GET /domain/design-status.
func design(c *call) (any, error) {
	s := c.domain
	n := len(s.classes())
	return object{
		"success": true, "domain_name": s.Name,
		"ontology": object{
			"ready": s.Ontology != "", "base_uri": nullable(s.BaseURI), "class_count": n, "property_count": s.properties(),
			"constraint_count": 0, "has_owl": s.Ontology != "",
		},
		"metadata": object{"ready": n > 0, "table_count": n},
		"assignment": object{
			"ready": s.hasGraph(), "entity_total": n, "entity_mapped": n, "relationship_total": 0, "relationship_mapped": 0,
			"attribute_total": 0, "attribute_mapped": 0, "progress_percent": 100, "status": "complete", "has_r2rml": s.hasGraph(),
		},
		"build_ready": s.hasGraph() && s.Ontology != "", "message": nil,
	}.with(s.Design), nil
}

// ontology answers GET /domain/ontology.
func ontology(c *call) (any, error) {
	s := c.domain
	if s.Ontology == "" {
		return nil, invalid("Domain has no ontology classes defined")
	}
	return object{
		"success": true, "format": "turtle", "content": s.Ontology, "base_uri": s.BaseURI,
		"class_count": strings.Count(s.Ontology, "owl:Class"), "property_count": s.properties(), "message": nil,
	}, nil
}

// properties counts the declared properties of the ontology, as far as it is written
// with the usual prefix.
func (s *state) properties() int {
	return strings.Count(s.Ontology, "owl:ObjectProperty") + strings.Count(s.Ontology, "owl:DatatypeProperty")
}

// class is a class with its context as authored.
type class map[string]json.RawMessage

func (s *state) classes() []class {
	var out []class
	_ = json.Unmarshal(s.Classes, &out) // classes of another shape are sent as they are
	return out
}

// text is a member that is a string.
func (c class) text(name string) string { return text(c[name]) }

func text(data json.RawMessage) string {
	var s string
	_ = json.Unmarshal(data, &s) // what is no string is none
	return s
}

// elements maps a policy's context element to the member of a class.
var elements = map[string]string{
	"dataset": "dataset", "bridges": "bridges", "actions": "actions", "business_rules": "business_rules", "virtual_attributes": "virtualAttributes",
}

// classes answers GET /domain/classes: what is authored, without what the policy
// disables and without bridges to domains that are not listed.
func classes(c *call) (any, error) {
	list := c.domain.classes()
	if list == nil && len(c.domain.Classes) > 0 {
		return object{"success": true, "domain_name": c.domain.Name, "classes": c.domain.Classes}, nil
	}
	out := []class{}
	for _, declared := range list {
		out = append(out, c.shown(declared))
	}
	return object{"success": true, "domain_name": c.domain.Name, "classes": out}, nil
}

// shown is a class as the deployment answers it.
func (c *call) shown(declared class) class {
	out := class{"bridges": empty, "actions": empty, "business_rules": empty, "virtualAttributes": empty}
	for k, v := range declared {
		out[k] = v
	}
	for element, member := range elements {
		if c.domain.disables(element) {
			out[member] = empty
		}
	}
	if c.domain.disables("dataset") {
		delete(out, "dataset")
	}
	out["bridges"] = c.bridges(out["bridges"])
	for _, name := range c.domain.Omit {
		delete(out, name)
	}
	return out
}

var empty = json.RawMessage("[]")

// bridges keeps those whose target is listed, and describes the target.
func (c *call) bridges(data json.RawMessage) json.RawMessage {
	var list []class
	if json.Unmarshal(data, &list) != nil {
		return data
	}
	descriptions := map[string]string{}
	for _, s := range c.listed() {
		descriptions[s.Name] = s.Description
	}
	out := []class{}
	for _, b := range list {
		if _, set := b["target_domain"]; !set {
			b["target_domain"] = b["target_project"]
		}
		if description, ok := descriptions[b.text("target_domain")]; ok {
			b["target_domain_description"] = jsonOf(0, description).body
			out = append(out, b)
		}
	}
	return jsonOf(0, out).body
}

func nullable(s string) any {
	if s == "" {
		return nil
	}
	return s
}
