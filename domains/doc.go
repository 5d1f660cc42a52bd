// Package domains is the vocabulary of Ontogate: what a domain is, what a
// back end can do for it, which tool is allowed where, and the pure rules that
// every other package shares.
//
// A domain is an ontology, the graph of facts that uses it, and a policy that
// says what may be seen of it. A [Backend] serves the domains of one place. What
// it can do for a domain is a field of [Domain]; nil means that the domain lacks
// that ability, and the tools that need it are hidden by [Decide].
//
// The package depends on the standard library and domains/rdf only. It does no
// I/O and keeps no state.
package domains
