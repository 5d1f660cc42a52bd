// Package graphql knows GraphQL and nothing of HTTP, MCP or back ends: it reads the
// schema that a service prints, and tells what is wrong with a query. It does no I/O,
// and everything in it may be used concurrently.
package graphql
