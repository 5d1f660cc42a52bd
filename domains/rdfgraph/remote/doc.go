// Package remote calls the HTTP endpoints behind actions and virtual attributes of
// embedded domains: one POST of JSON for each call, to hosts that the operator allows, and
// never a second one.
package remote
