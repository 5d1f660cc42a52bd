package main

import (
	"context"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sdkVersion is that of the Go SDK in go.mod.
const sdkVersion = "v1.8.0"

// sdkInput is the input of describe_entity as far as it is asked for.
type sdkInput struct {
	DomainName string `json:"domain_name,omitempty"`
	Search     string `json:"search,omitempty"`
	EntityURI  string `json:"entity_uri,omitempty"`
}

// sdkTask serves the Go SDK's server with a tool that is called like ours and answers the
// same text. Answers are JSON and not streams, as ours are.
func sdkTask(ctx context.Context, t task) (outcome, error) {
	s := mcp.NewServer(&mcp.Implementation{Name: "sdk", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "describe_entity", Description: "Describes an entity."},
		func(context.Context, *mcp.CallToolRequest, sdkInput) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: t.Text}}}, nil, nil
		})
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{JSONResponse: true})
	return outcome{}, serveUntilInputEnds(ctx, h)
}
