// Package server is everything MCP and HTTP: the tools and the adapter that runs
// them, sessions and what each may see, the guard in front of HTTP, and the routes.
//
// A tool is a value in tools.go: a typed input and a function from it to text. All
// that tools have in common happens once, in the adapter: binding, the domain in
// effect, policy, deadline, limits, errors and the log line. A caller is who asks:
// a client with a session, a request that stands alone, or a client on stdio.
package server
