package api

import (
	"context"
	"sync"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/wire"
)

// endpoint is an address.
type endpoint struct {
	method, path     string
	summary, details string
	params           []param
	// body makes what the body is read into, besides the parameters; nil for nothing.
	body func() any
	// domain says whether the request is about a domain.
	domain domainUse
	// tool is the domain tool whose policy closes the address; empty for none.
	tool string
	// gives is a value of the type of the answer.
	gives  any
	answer func(context.Context, *asked) (any, error)
}

// domainUse says what an endpoint has to do with a domain.
type domainUse uint8

const (
	noDomain   domainUse = iota
	namedOnly            // domain_name is required, and any version will do
	servedOnly           // the domain is opened
)

// param is the parameter with a name; the zero param where there is none.
func (e *endpoint) param(name string) param {
	for _, p := range e.params {
		if p.name == name {
			return p
		}
	}
	return param{}
}

// Parameters that many endpoints have (OntoBricks contract 1.0).
var (
	registryParams = []param{
		{name: "registry_catalog", doc: "Taken and not used: there is one registry."},
		{name: "registry_schema", doc: "Taken and not used."},
		{name: "registry_volume", doc: "Taken and not used."},
	}
	domainParam  = param{name: "domain_name", doc: "The domain, as /api/v1/domains names it.", example: "customer360"}
	versionParam = param{name: "domain_version", doc: "The version; only the one that is served can be asked for, which is the usual one."}
	// twinDomain are the parameters of a domain with their older names.
	twinDomain = []param{older(domainParam, "project_name"), older(versionParam, "project_version")}
	nodeDomain = []param{older(domainParam, "project_name"), versionParam}
	ofDomain   = []param{domainParam, versionParam}
	entityURI  = param{name: "entity_uri", required: true, doc: "The IRI of an entity.", example: "https://ontobricks.com/ontology/Customer/CUST00094"}
)

func older(p param, names ...string) param {
	p.older = names
	return p
}

func join(lists ...[]param) (out []param) {
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

// paging are limit and offset of lists of triples.
func paging(most int) []param {
	return []param{
		{name: "limit", kind: number, otherwise: "1000", bounded: true, clamped: true, low: 1, high: most, doc: "The most triples of an answer."},
		{name: "offset", kind: number, otherwise: "0", bounded: true, clamped: true, low: 0, high: 1 << 31, doc: "Triples that are passed over."},
	}
}

// mostTriples is the most triples of an answer.
const mostTriples = 10_000

// endpoints are all addresses, in the order of the document.
var endpoints = sync.OnceValue(func() []*endpoint {
	return append([]*endpoint{
		{
			method: "GET", path: "/api/v1/health", summary: "Whether the program answers", gives: wire.Health{}, answer: health,
		},
		{
			method: "GET", path: "/api/v1/domains", summary: "List the domains", params: registryParams, gives: wire.Domains{}, answer: listDomains,
			details: "Only domains that are published, and whose settings leave this interface open.",
		},
		{
			method: "GET", path: "/api/v1/domain/versions", summary: "List the versions of a domain, newest first", domain: namedOnly,
			params: join([]param{required(domainParam)}, registryParams), gives: wire.Versions{}, answer: versions,
		},
		{
			method: "GET", path: "/api/v1/domain/design-status", summary: "How far a domain is designed", domain: servedOnly,
			params: join(ofDomain, registryParams), gives: wire.Design{}, answer: design,
		},
		{
			method: "GET", path: "/api/v1/domain/classes", summary: "What classes have besides facts", domain: servedOnly,
			params: join(ofDomain, registryParams), gives: wire.Classes{}, answer: classes,
			details: "Classes with a dataset, bridges, actions or virtual attributes. What the domain's policy disables is left out.",
		},
		{
			method: "GET", path: "/api/v1/domain/ontology", summary: "The ontology, as Turtle", domain: servedOnly,
			params: join(ofDomain, registryParams, ontologyParams), gives: wire.Ontology{}, answer: ontology,
		},
		{
			method: "GET", path: "/api/v1/digitaltwin/registry", summary: "Where the domains are kept", gives: wire.Registry{}, answer: registry,
		},
		{
			method: "GET", path: "/api/v1/digitaltwin/status", summary: "Where the data of a domain is, and in which state", domain: servedOnly,
			params: join(twinDomain, registryParams), gives: wire.Status{}, answer: status,
		},
		{
			method: "GET", path: "/api/v1/digitaltwin/stats", summary: "How much of what the graph holds", domain: servedOnly, tool: "list_entity_types",
			params: join(twinDomain, registryParams), gives: wire.Stats{}, answer: stats,
		},
		{
			method: "GET", path: "/api/v1/digitaltwin/triples/find", summary: "Find entities, and all triples of them and of what is around them",
			domain: servedOnly, tool: "describe_entity", gives: wire.Found{}, answer: findTriples,
			details: "At least one of entity_type and search is needed. Triples come by subject, predicate and object.",
			params: join([]param{
				{name: "entity_type", doc: "The end of a class's IRI, behind / or #, whatever the case.", example: "Customer"},
				{name: "search", doc: "A part of a label, or the beginning of a part of the IRI, whatever the case; % stands for any characters and _ for one.", example: "CUST00094"},
				{name: "search_mode", doc: "words looks for the text as describe_entity does, and ranks what it finds (match_rank).", values: []string{"words"}},
				{name: "depth", kind: number, otherwise: "1", bounded: true, clamped: true, low: 1, high: 10, doc: "How far to go along links, in both directions."},
			}, paging(mostTriples), []param{
				{name: "cache", doc: "Whether a search cache may be used: true, 1, yes or on; false, 0, no or off."},
			}, twinDomain, registryParams),
		},
		{
			method: "GET", path: "/api/v1/digitaltwin/triples", summary: "List triples", domain: servedOnly, tool: "describe_entity",
			gives: wire.Triples{}, answer: listTriples, details: "Texts are compared as they are written. Triples come by subject, predicate and object.",
			params: join([]param{
				{name: "subject", doc: "A part of the subject."}, {name: "predicate", doc: "The whole IRI of the predicate."},
				{name: "object", doc: "A part of the object."}, {name: "entity_type", doc: "A part of the IRI of a class of the subject."},
				{name: "search", doc: "A part of subject, predicate or object.", example: "Jacob"}, {name: "backend", doc: "Taken and not used."},
			}, paging(mostTriples), twinDomain, registryParams),
		},
		{
			method: "GET", path: "/api/v1/digitaltwin/nodes/context", summary: "What an entity has besides facts", domain: servedOnly, tool: "get_entity_context",
			gives: wire.NodeContext{}, answer: nodeContext,
			params: join([]param{
				entityURI, {name: "fetch_dataset_rows", kind: flag, otherwise: "false", doc: "Whether to read its rows of the dataset."},
				{name: "dataset_row_limit", kind: number, otherwise: "5", bounded: true, low: 1, high: 20, doc: "The most rows."},
				{name: "follow_bridges", kind: flag, otherwise: "false", doc: "Whether to look in the domains that bridges lead to."},
				{name: "bridge_depth", kind: number, otherwise: "1", bounded: true, low: 1, high: 5, doc: "How far to look there."},
				{name: "compute_virtual_attributes", kind: flag, otherwise: "false", doc: "Whether to compute the values of virtual attributes."},
			}, nodeDomain, registryParams),
		},
		{
			method: "GET", path: "/api/v1/digitaltwin/nodes/virtual-attributes", summary: "Compute the virtual attributes of an entity", domain: servedOnly,
			tool: "compute_virtual_attributes", gives: wire.NodeContext{}, answer: virtualAttributes,
			params: join([]param{entityURI, {name: "function", doc: "The full name of one function; all without it.", example: "main.analytics.customer_value"}}, nodeDomain, registryParams),
		},
		{
			method: "POST", path: "/api/v1/digitaltwin/nodes/action", summary: "Run an action of an entity's class, once", domain: servedOnly,
			tool: "invoke_entity_action", gives: wire.ActionResult{}, answer: action,
			params: join([]param{entityURI, {name: "action_full_name", required: true, doc: "The full name of the action.", example: "main.ops.open_ticket"}}, ofDomain, registryParams),
		},
		{
			method: "POST", path: "/api/v1/digitaltwin/nodes/business-rule", summary: "Apply a business rule to an entity, once", domain: servedOnly,
			tool: "run_entity_business_rule", gives: wire.RuleResult{}, answer: businessRule,
			params:  join([]param{entityURI, {name: "rule", required: true, doc: "The name of the rule."}}, ofDomain, registryParams),
			details: "Domains of folders have no business rules.",
		},
	}, entityEndpoints()...)
})

func required(p param) param {
	p.required = true
	return p
}

// asked is a request that was read.
type asked struct {
	endpoint *endpoint
	site     Site
	values   map[string]value
	body     any // of endpoint.body
	name     domains.Name
	d        *domains.Domain
}
