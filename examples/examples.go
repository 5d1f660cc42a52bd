// Package examples holds the sample domains that Ontogate serves when it is given
// no folder, and that its documentation talks about:
//
//   - customer360: customers of a telephone company with their contracts, calls,
//     interactions and claims; about 12,000 triples. Some customers have a second
//     IRI. Customers have a dataset beside the graph, and bridges lead to finance.
//   - finance: invoices and payments for the same contracts; a policy hides one tool.
//   - supply_chain: suppliers, parts and shipments in two published versions and a
//     draft; a policy hides another tool.
//   - hr_analytics: an ontology without facts.
//
// All files are written by the program in examples/generate; people, companies and
// numbers are invented. Only the command imports this package, so that nothing else
// grows by the embedded files.
package examples

import (
	"embed"
	"io/fs"
)

//go:embed customer360 finance hr_analytics supply_chain
var files embed.FS

// FS returns the folder of the sample domains: one sub-folder for each. It may be
// used concurrently.
func FS() fs.FS { return files }
