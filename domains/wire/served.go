package wire

import "github.com/ontogate/ontogate/domains"

// Served is what an Ontogate tells of the version that it serves, so that another one in
// front of it serves the same. OntoBricks does not send it.
type Served struct {
	Version   string    `json:"version"`
	Revision  string    `json:"revision"`
	Languages []string  `json:"languages,omitempty"`
	Problems  []Problem `json:"problems,omitempty"`
	Refused   []Problem `json:"refused,omitempty"`
	Notes     []Problem `json:"notes,omitempty"`
	// What the domain has; GraphQL is "derived" where the service is that of an ontology,
	// and "own" where the back end has one.
	GraphQL   string `json:"graphql,omitempty"`
	Context   bool   `json:"context,omitempty"`
	Functions bool   `json:"functions,omitempty"`
	Actions   bool   `json:"actions,omitempty"`
	Rules     bool   `json:"rules,omitempty"`
}

// The values of Served.GraphQL.
const (
	GraphQLDerived = "derived"
	GraphQLOwn     = "own"
)

// Problem is a fault with its place.
type Problem struct {
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}

// NewServed tells of a domain with its status.
func NewServed(d *domains.Domain, st *domains.Status) *Served {
	out := &Served{
		Version: d.Version, Revision: d.Revision, Languages: d.Languages, Problems: newProblems(d.Problems), Refused: newProblems(d.Refused),
		Notes: newProblems(st.Notes), Context: d.Context != nil, Functions: domains.NeedsFunctions(d), Actions: d.Actions != nil, Rules: d.Rules != nil,
	}
	switch {
	case d.GraphQL != nil && !d.DerivedGraphQL:
		out.GraphQL = GraphQLOwn
	case d.GraphQL != nil || d.Columns != nil:
		out.GraphQL = GraphQLDerived
	}
	return out
}

func newProblems(in []domains.Problem) (out []Problem) {
	for _, p := range in {
		out = append(out, Problem(p))
	}
	return out
}

// Problems are problems in the words of package domains.
func Problems(in []Problem) (out []domains.Problem) {
	for _, p := range in {
		out = append(out, domains.Problem(p))
	}
	return out
}
