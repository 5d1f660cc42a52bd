package bricktest

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Domain is a domain of the deployment. The zero value of each field is what a
// domain has that says nothing about it. Functions may be called concurrently.
type Domain struct {
	// Name is the domain's name in the registry, as it stands in domain_name.
	Name, Description string
	// Policy is the mcp_policy as JSON is made of it; nil means {}.
	Policy any
	// HasGraph is has_graph; nil means that there are triples.
	HasGraph *bool
	// Backend is the graph_backend; empty means lakebase, or none without a graph.
	Backend string
	// Versions, in any order; none means version 1, PUBLISHED. All versions have the
	// same content.
	Versions []Version
	// Triples are the facts, subject, predicate and object as the store has them.
	Triples [][3]string
	// Inferred is what the statistics say of inferred triples.
	Inferred int
	// Ontology is OWL in Turtle; empty answers that no classes are defined.
	Ontology string
	// BaseURI stands in the ontology and the design status.
	BaseURI string
	// Classes is the list of classes with their context, as authored (contract 1.1,
	// GET /domain/classes).
	Classes json.RawMessage
	// Status, Stats and Design replace or add members of these answers, and remove
	// those whose value is Absent.
	Status, Stats, Design map[string]any
	// SDL is the GraphQL schema; empty means that the ontology is not ready for it.
	SDL string
	// GraphQL answers queries; nil means that none can be executed.
	GraphQL func(query string, variables json.RawMessage) (status int, body []byte)
	// Context maps an entity's IRI to the whole answer of GET /nodes/context, where
	// Classes should not decide it.
	Context map[string]json.RawMessage
	// Rows reads dataset rows for a local id; nil means that the warehouse fails.
	Rows func(table, key, localID string, limit int) ([]json.RawMessage, error)
	// Bridged finds an entity in a bridge's target domain; nil finds nothing.
	Bridged func(domain, class, localID string) []json.RawMessage
	// VirtualAttributes runs a function for a local id; nil means that every function
	// fails. Rows are objects, column → value.
	VirtualAttributes func(function, localID string) ([]map[string]any, error)
	// Action runs an action for a local id; nil means that it gives no rows. An error's
	// text is what the SQL warehouse said.
	Action func(action, localID string) ([]json.RawMessage, error)
	// Rule applies a rule to an entity; nil means that it infers nothing. An *Error is
	// answered as it is.
	Rule func(rule, entity string) (RuleResult, error)
	// Omit names members of answers that this deployment does not know yet: has_graph,
	// mcp_policy, graph_backend, has_more, cache_used, cache_mode, business_rules,
	// virtualAttributes.
	Omit []string
}

// Absent removes a member of an answer.
var Absent any = absent{}

type absent struct{}

// Version is a version of a domain.
type Version struct {
	// Version is made of integers with dots between them.
	Version string
	// Status is DRAFT, IN-REVIEW or PUBLISHED; empty means DRAFT.
	Status string
}

// RuleResult is what a business rule did.
type RuleResult struct {
	Inferred, Materialized int
	Triples                [][3]string
}

// state is a domain as it was at one moment; it is never changed.
type state struct {
	Domain
	once  sync.Once
	graph *graph
}

// newState keeps a copy of a domain, so that what the test does with its own later
// changes nothing.
func newState(d Domain) *state {
	d.Versions, d.Triples, d.Omit = slices.Clone(d.Versions), slices.Clone(d.Triples), slices.Clone(d.Omit)
	d.Status, d.Stats, d.Design, d.Context = maps.Clone(d.Status), maps.Clone(d.Stats), maps.Clone(d.Design), maps.Clone(d.Context)
	if len(d.Versions) == 0 {
		d.Versions = []Version{{"1", published}}
	}
	for i := range d.Versions {
		if d.Versions[i].Status == "" {
			d.Versions[i].Status = "DRAFT"
		}
	}
	slices.SortFunc(d.Versions, func(a, b Version) int { return compareVersions(b.Version, a.Version) })
	return &state{Domain: d}
}

const published = "PUBLISHED"

// compareVersions compares dotted integers by number.
func compareVersions(a, b string) int {
	return slices.Compare(numbers(a), numbers(b))
}

func numbers(version string) []int {
	var out []int
	for part := range strings.SplitSeq(version, ".") {
		n, _ := strconv.Atoi(part)
		out = append(out, n)
	}
	return out
}

// published is the highest PUBLISHED version, or "".
func (s *state) published() string {
	for _, v := range s.Versions {
		if v.Status == published {
			return v.Version
		}
	}
	return ""
}

// hasGraph tells whether the domain says that it has a graph.
func (s *state) hasGraph() bool {
	if s.HasGraph != nil {
		return *s.HasGraph
	}
	return len(s.Triples) > 0
}

func (s *state) backend() string {
	switch {
	case s.Backend != "":
		return s.Backend
	case s.hasGraph():
		return "lakebase"
	default:
		return "none"
	}
}

// disables tells whether the policy disables a context element.
func (s *state) disables(element string) bool {
	data, err := json.Marshal(s.Policy)
	if err != nil {
		return false
	}
	var p struct {
		Context map[string]string `json:"context"`
	}
	_ = json.Unmarshal(data, &p) // a policy of another shape disables nothing
	return p.Context[element] == "disabled"
}

// indexed is the graph, indexed on first use.
func (s *state) indexed() *graph {
	s.once.Do(func() { s.graph = newGraph(s.Triples) })
	return s.graph
}

// object is a JSON object being made.
type object map[string]any

// with replaces members, and removes those that are Absent.
func (o object) with(members map[string]any) object {
	for k, v := range members {
		if v == Absent {
			delete(o, k)
		} else {
			o[k] = v
		}
	}
	return o
}

// without removes the members that a deployment does not know.
func (o object) without(names []string) object {
	for _, n := range names {
		delete(o, n)
	}
	return o
}
