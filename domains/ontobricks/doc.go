// Package ontobricks is the back end in front of an OntoBricks deployment: it speaks
// the deployment's REST and GraphQL interface (OntoBricks contract 1 and 2), and
// answers in the vocabulary of package domains.
//
// A [Backend] is one deployment as the program itself sees it, and [Backend.As] the
// same as a principal sees it. Requests share one HTTP client; what was answered is
// cached for each principal alone and never shown to another. Policies come with the
// list of domains, which is refreshed at least once a minute while anybody asks or
// [Backend.Watch] runs. Once known they stay known: an upstream that fails opens
// nothing.
//
// DESIGN.md says why.
package ontobricks
