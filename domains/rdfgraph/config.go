package rdfgraph

import (
	"github.com/ontogate/ontogate/domains"
)

// settingsFile is the optional file of a domain's folder that says what the
// folder alone does not.
const settingsFile = domains.SettingsFile

// settings is a domain.yaml. The yaml tags are its keys; [Keys] documents each.
// The zero settings are those of a folder without the file.
type settings struct {
	Name        string                   `yaml:"name"`
	Description string                   `yaml:"description"`
	Publish     *bool                    `yaml:"publish"`
	Active      string                   `yaml:"active"`
	Versions    map[string]string        `yaml:"versions"` // sub-folder → state
	Base        string                   `yaml:"base"`
	Languages   []string                 `yaml:"languages"`
	Labels      []string                 `yaml:"labels"`
	Prefixes    map[string]string        `yaml:"prefixes"` // name without colon → IRI
	Ontology    []string                 `yaml:"ontology"`
	Data        []string                 `yaml:"data"`
	Policy      policySettings           `yaml:"policy"`
	Endpoints   endpointSettings         `yaml:"endpoints"`
	Classes     map[string]classSettings `yaml:"classes"` // class → its context
}

type policySettings struct {
	DisabledTools []string          `yaml:"disabled_tools"`
	Context       map[string]string `yaml:"context"` // element → mode
}

type endpointSettings struct {
	GraphQL       *bool `yaml:"graphql"`
	Introspection *bool `yaml:"introspection"`
	REST          *bool `yaml:"rest"`
	SPARQL        *bool `yaml:"sparql"`
}

type classSettings struct {
	Dataset           *datasetSettings    `yaml:"dataset"`
	Bridges           []bridgeSettings    `yaml:"bridges"`
	Actions           []actionSettings    `yaml:"actions"`
	VirtualAttributes []attributeSettings `yaml:"virtual_attributes"`
	BusinessRules     []ruleSettings      `yaml:"business_rules"`
}

type datasetSettings struct {
	File        string `yaml:"file"`
	Name        string `yaml:"name"`
	Key         string `yaml:"key"`
	Description string `yaml:"description"`
}

type bridgeSettings struct {
	Domain string `yaml:"domain"`
	Class  string `yaml:"class"`
	Label  string `yaml:"label"`
}

type actionSettings struct {
	Name         string `yaml:"name"`
	Function     string `yaml:"function"`
	Description  string `yaml:"description"`
	ReturnsTable *bool  `yaml:"returns_table"`
	URL          string `yaml:"url"`
}

type attributeSettings struct {
	Name         string           `yaml:"name"`
	Function     string           `yaml:"function"`
	Description  string           `yaml:"description"`
	ReturnsTable *bool            `yaml:"returns_table"`
	URL          string           `yaml:"url"`
	Attributes   []columnSettings `yaml:"attributes"`
}

type columnSettings struct {
	Name   string `yaml:"name"`
	Column string `yaml:"column"`
	Label  string `yaml:"label"`
	Type   string `yaml:"type"`
}

type ruleSettings struct {
	Name        string `yaml:"name"`
	Description string `yaml:"description"`
	Antecedent  string `yaml:"antecedent"`
	Consequent  string `yaml:"consequent"`
}

// isPublished reports whether the domain may be listed at all.
func (s *settings) isPublished() bool { return s.Publish == nil || *s.Publish }

// datasets counts the classes that declare one.
func (s *settings) datasets() int {
	n := 0
	for _, c := range s.Classes {
		if c.Dataset != nil {
			n++
		}
	}
	return n
}

// policy is the domain's policy.
func (s *settings) policy() domains.Policy {
	p := domains.Policy{DisabledTools: s.Policy.DisabledTools}
	for element, mode := range s.Policy.Context {
		if p.Context == nil {
			p.Context = map[domains.Element]domains.Mode{}
		}
		p.Context[domains.Element(element)] = domains.Mode(mode)
	}
	p.Closed = s.Endpoints.closed()
	return p
}

// closed are the endpoints that are off.
func (e endpointSettings) closed() (out []domains.Endpoint) {
	for _, setting := range []struct {
		on       *bool
		endpoint domains.Endpoint
	}{
		{e.GraphQL, domains.EndpointGraphQL},
		{e.Introspection, domains.EndpointIntrospection},
		{e.REST, domains.EndpointREST},
		{e.SPARQL, domains.EndpointSPARQL},
	} {
		if setting.on != nil && !*setting.on {
			out = append(out, setting.endpoint)
		}
	}
	return out
}
