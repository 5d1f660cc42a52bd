package server

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/ontogate/ontogate/domains"
)

// tools are all tools in the order in which people should meet them: find a
// domain, look at it, select it, read its ontology, count, describe, act, check.
func tools() []*tool {
	return []*tool{
		listDomains(),
		selectDomain(),
		listDomainVersions(),
		getDesignStatus(),
		describeOntology(),
		listEntityTypes(),
		describeEntity(),
		getGraphQLSchema(),
		queryGraphQL(),
		getEntityContext(),
		computeVirtualAttributes(),
		invokeEntityAction(),
		runEntityBusinessRule(),
		getStatus(),
	}
}

// tool is one tool: the right that is decided about, what clients are told of it,
// and what it does.
type tool struct {
	domains.Tool
	title, description string
	// example is a JSON object of arguments; it is part of the definition.
	example string
	// budget is the most characters of an answer.
	budget int
	// acts marks a tool that runs something in the world: what that changes is not
	// known, and a second call does it a second time.
	acts bool
	// fault is what is wrong with the input struct; the self-check refuses it.
	fault  error
	params []param
	// byName are the indexes of params in the order of their names.
	byName []int
	// ways are the narrowing of params.
	ways []string
	// bind reads arguments into a new input struct.
	bind func(raw json.RawMessage) (in input, notes []string, err error)
	run  func(ctx context.Context, c *call, in input) (string, error)
	// defined is the definition, and wire the same as JSON; they are made at the start,
	// since every client asks for them.
	defined mcp.Tool
	wire    []byte
}

// narrowing are the ways in which arguments make a call smaller.
func (t *tool) narrowing() []string {
	var ways []string
	for _, p := range t.params {
		if p.narrow != "" {
			ways = append(ways, p.narrow)
		}
	}
	return ways
}

// input is what every input struct has through the structs it embeds.
type input interface {
	domainName() string
	page() string
}

// inDomain is embedded by inputs of tools that speak of one domain.
type inDomain struct {
	DomainName string `json:"domain_name"`
}

func (i inDomain) domainName() string { return i.DomainName }

// paged is embedded by inputs of tools whose answers have pages.
type paged struct {
	Cursor string `json:"cursor"`
}

func (p paged) page() string { return p.Cursor }

// unpaged is embedded by the inputs of all other tools.
type unpaged struct{}

func (unpaged) page() string { return "" }

// oneDomain is the input of tools that tell one thing of a domain.
type oneDomain struct {
	inDomain
	unpaged
}

// define completes a tool with its input type and what it does.
func define[In input](t tool, run func(ctx context.Context, c *call, in In) (string, error)) *tool {
	t.params, t.fault = paramsOf(reflect.TypeFor[In]())
	for i := range t.params {
		t.byName = append(t.byName, i)
	}
	slices.SortFunc(t.byName, func(a, b int) int { return strings.Compare(t.params[a].name, t.params[b].name) })
	t.ways = t.narrowing()
	t.bind = func(raw json.RawMessage) (input, []string, error) {
		var in In
		notes, err := bind(t.Name, t.params, raw, &in)
		return in, notes, err
	}
	t.run = func(ctx context.Context, c *call, in input) (string, error) {
		text, err := run(ctx, c, in.(In))
		return text, c.withinReach(err)
	}
	return &t
}
