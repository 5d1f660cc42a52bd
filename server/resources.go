package server

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/wire"
)

// resource is one resource: whole JSON in the structures of OntoBricks (wire).
type resource struct {
	uri, name, title, description string
	// tool shows the same facts as text: where the domain does not offer it, the
	// resource is closed too. nil for resources that are always open.
	tool *tool
	read func(ctx context.Context, c *caller, d *domains.Domain) (any, error)
}

// resources are all resources, in the order of lists.
func (s *Server) resources() []resource {
	return []resource{
		{
			uri: "ontobricks://domains", name: "domains", title: "Domains", description: "The domains with their policies, as JSON.",
			read: func(ctx context.Context, c *caller, _ *domains.Domain) (any, error) {
				infos, err := s.backend(c).Domains(ctx)
				if len(infos) > 0 {
					err = nil // list_domains says that there may be more
				}
				return wire.NewDomains(infos), err
			},
		},
		{
			uri: "ontobricks://status", name: "status", title: "Graph status", tool: s.tool("get_status"),
			description: "Where the data of the selected domain is, as JSON.",
			read: func(ctx context.Context, _ *caller, d *domains.Domain) (any, error) {
				status, err := d.Status(ctx)
				if err != nil {
					return nil, err
				}
				return wire.NewStatus(status, wire.NewScope(d)), nil
			},
		},
		{
			uri: "ontobricks://stats", name: "stats", title: "Graph statistics", tool: s.tool("list_entity_types"),
			description: "How much of what the graph of the selected domain holds, as JSON.",
			read: func(ctx context.Context, _ *caller, d *domains.Domain) (any, error) {
				stats, err := d.Facts.Stats(ctx)
				if err != nil {
					return nil, err
				}
				return wire.NewStats(stats, wire.NewScope(d)), nil
			},
		},
		{
			uri: "ontobricks://graphql-schema", name: "graphql-schema", title: "GraphQL schema", tool: s.tool("get_graphql_schema"),
			description: "The GraphQL schema of the selected domain, as JSON.",
			read: func(ctx context.Context, _ *caller, d *domains.Domain) (any, error) {
				schema, err := s.graphQLOf(d).Schema(ctx)
				if err != nil {
					return nil, err
				}
				return wire.NewGraphQLSchema(schema), nil
			},
		},
	}
}

const jsonType = "application/json"

func (r resource) definition() mcp.Resource {
	d := mcp.NewResource(r.uri, r.name, mcp.WithResourceDescription(r.description), mcp.WithMIMEType(jsonType))
	d.Title = r.title
	return d
}

func (s *Server) addResources(m *mcpserver.MCPServer) {
	for _, r := range s.resources() {
		m.AddResource(r.definition(), func(ctx context.Context, _ mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			text, err := s.readResource(ctx, callerOf(ctx), r)
			if err != nil {
				return nil, err
			}
			return []mcp.ResourceContents{mcp.TextResourceContents{URI: r.uri, MIMEType: jsonType, Text: text}}, nil
		})
	}
}

// readResource reads a resource like a call of its tool. The protocol knows only
// errors here, and so a refusal is one, with its reason.
func (s *Server) readResource(ctx context.Context, c *caller, r resource) (string, error) {
	rec := &record{name: r.uri, budget: s.cfg.MaxAnswer}
	text, isError, err := s.guarded(ctx, c, rec, func(ctx context.Context) (string, error) {
		var d *domains.Domain
		if r.tool != nil {
			var err error
			if d, err = s.permitted(ctx, c, r.tool, ""); err != nil {
				return "", err
			}
			rec.speaksOf(d.Info.Name)
		}
		v, err := r.read(ctx, c, d)
		if err != nil {
			return "", err
		}
		data, err := json.MarshalIndent(v, "", "  ")
		return string(data), err
	})
	if isError {
		return "", errors.New(text)
	}
	return text, err
}

// visibleResources are the resources that are open to the caller of a request.
func (s *Server) visibleResources(ctx context.Context) []mcp.Resource {
	d := s.domainInEffect(ctx, listLimit)
	out := []mcp.Resource{}
	for _, r := range s.resources() {
		if r.tool == nil || s.shows(d, r.tool) {
			out = append(out, r.definition())
		}
	}
	return out
}
