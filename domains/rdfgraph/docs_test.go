package rdfgraph_test

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

var update = flag.Bool("update", false, "write golden files instead of comparing")

// TestDomainsReference holds that docs/domains.md tells of every key of domain.yaml
// what Keys tells.
func TestDomainsReference(t *testing.T) {
	path := filepath.Join(domaintest.Root(t), "docs", "domains.md")
	got := domainsReference(rdfgraph.Keys())
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; 'go test ./domains/rdfgraph -run DomainsReference -update' writes it", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("docs/domains.md is out of date; 'go test ./domains/rdfgraph -run DomainsReference -update' writes it (-want +got):\n%s", diff)
	}
}

func domainsReference(keys []rdfgraph.KeyDoc) string {
	var b strings.Builder
	b.WriteString(`# Domain folders

<!-- Written by go test ./domains/rdfgraph -run DomainsReference -update. Change the key documentation, not this file. -->

With ` + "`--domains DIR`" + ` each sub-folder of DIR is a domain. A DIR that holds a ` + "`domain.yaml`" + `, or RDF
files and no sub-folder with any, is one domain itself. Hidden folders are skipped. A folder without
` + "`domain.yaml`" + ` in which other folders have one is no domain: give that folder as DIR. Inside a domain, a
folder with a ` + "`domain.yaml`" + ` of its own is left out and reported. A domain's name has 1–64 characters:
letters, digits, ` + "`_`, `-` and `.`" + `, not first a dot.

` + "`domain.yaml`" + ` is optional. Without it the domain has the name of its folder, is published as
version 1, and holds every RDF file below the folder:

| syntax | extensions |
| --- | --- |
| Turtle | ` + "`.ttl`, `.turtle`" + ` |
| N-Triples, N-Quads | ` + "`.nt`, `.ntriples`; `.nq`, `.nquads`" + ` |
| TriG | ` + "`.trig`" + ` |
| RDF/XML | ` + "`.rdf`, `.rdfs`, `.owl`; `.xml`" + ` when it is that |
| JSON-LD 1.1 | ` + "`.jsonld`; `.json`" + ` when it is that; at most 64 MiB, and reading it takes some 17 times its size in memory |

All of RDF 1.2 is read, triple terms and base directions included. A file whose name ends in ` + "`.owl`, `.rdf` or `.rdfs`" + ` may hold
Turtle or JSON-LD too: its beginning tells. Any of them may be compressed with gzip (` + "`.gz`" + ` after the extension) or zstd (` + "`.zst`" + `). Files are
UTF-8, with or without a byte-order mark. Named graphs of TriG, N-Quads and JSON-LD are read as one graph.

What a file describes without naming it, a blank node, is described inside what leads to it. One that nothing leads to, or several things, has an
IRI of its own, ` + "`BASE.well-known/genid/…`" + `, where BASE is ` + "`base`" + `, else the ontology's IRI, else ` + "`https://NAME.invalid/`" + `. It stays the same while the
file keeps its path and no blank node is put before it; give what you want to refer to an IRI.

` + "`ontogate check DIR`" + ` reports what is wrong with a folder as file:line:column. The samples in [examples](../examples) show most keys in use.

## Keys of domain.yaml

"required" is said of keys inside their list or map. A key at the top that is not known makes the domain
unavailable, and so does any fault in ` + "`publish`, `active`, `versions` or `policy`" + `: a domain is never served more openly
than its owner meant. Other faults are reported.

| key | type | default | meaning |
| --- | --- | --- | --- |
`)
	cell := strings.NewReplacer("|", `\|`, "\n", " ")
	for _, k := range keys {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", k.Key, cell.Replace(k.Type), cell.Replace(k.Default), cell.Replace(k.Text))
	}
	b.Write(importsReference)
	b.Write(checkReference)
	b.Write(contextReference)
	b.WriteString(changesReference)
	b.WriteString(snapshotsReference)
	return b.String()
}

// importsReference tells of imports.
//
//go:embed testdata/imports.md
var importsReference []byte

// checkReference tells of the document of check.
//
//go:embed testdata/check.md
var checkReference []byte

// contextReference tells of the context of classes.
//
//go:embed testdata/context.md
var contextReference []byte

const snapshotsReference = `
## Snapshot files

A domain whose files have 8 MiB or more is also kept in ` + "`.ontogate/VERSION.snapshot`" + ` in its folder. The file is
written after the domain is served, and the next start reads it in a tenth of the time that the files take. It is used only
while the files have the same contents and domain.yaml says the same of how they are read, so nothing has to be done about it:
one that is out of date, damaged or of another release is written anew, and any may be deleted at any time. It
takes about 56 bytes a triple, holds the data of the domain, and only the user who runs the server may read it. In a folder that can't be written there
is none, and a line of the log says so. ` + "`--no-snapshots`" + ` neither reads nor writes them, and ` + "`ontogate check`" + ` never does.
`

// changesReference tells how changes of a folder come to be served.
const changesReference = `
## Changes

` + "`" + `ontogate serve` + "`" + ` and ` + "`" + `ontogate stdio` + "`" + ` look at the folder every two seconds. What changed is loaded when it has looked
the same twice, half a second apart, and then takes the place of what was served; calls that run keep what they began with. Clients whose tools
change by it are told. SIGHUP looks at once and compares the contents of all files, which also finds what left the times of
files as they were.

- **A fault takes nothing away.** When a file is newly broken, or ` + "`" + `domain.yaml` + "`" + ` has a new fault, the state before stays, with its
  policy. The log, ` + "`" + `select_domain` + "`" + ` and ` + "`" + `get_status` + "`" + ` name the place; when it is mended, the newest state is served.
- **To withdraw a domain**, set ` + "`" + `publish: false` + "`" + `, or remove or rename its folder. Sessions that had selected it are told, and have to select another.
  To empty the folder is taken for a mistake, and changes nothing.
- ` + "`" + `domain.yaml` + "`" + ` that is gone while the rest stays is believed two seconds later than other changes: without it there is no policy.
- What changes only policy, description, languages or endpoints keeps the graph in memory.
- A name that two domains want stays with the one that has it. One that was served under another name keeps that, and a new one is
  unavailable, until one is renamed.
- Folders of 16 MiB and more load while others are looked at, one at a time; what is then refused was loaded in full first.
- Whether DIR is one domain or holds several is settled at the start.
`
