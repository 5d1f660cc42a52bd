package rdfgraph

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// Content reads all RDF files of a folder and tells what came of them, with all triples.
func Content(ctx context.Context, fsys fs.FS) (told string, s *store.Snapshot, err error) {
	return ContentOf(ctx, fsys, "https://made-up.invalid/")
}

// ContentOf is Content with a base of one's own.
func ContentOf(ctx context.Context, fsys fs.FS, base string) (told string, s *store.Snapshot, err error) {
	chosen, _ := sources(readTree(fsys), &settings{}, nil)
	c, err := readContent(ctx, reading{fsys: fsys, base: base, invented: true}, chosen)
	if err != nil {
		return "", nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "read %q\nprefixes %q\nrelative %q\ndigest %x\nmodified %v\n", c.read, c.prefixes, c.relative, c.digest, c.modified)
	for _, p := range c.problems {
		fmt.Fprintf(&b, "problem %s\n", p)
	}
	for _, name := range sortedNames(c.sums) {
		fmt.Fprintf(&b, "sum %s %x\n", name, c.sums[name])
	}
	var lines []string
	for t := range c.snapshot.Match(rdf.Term{}, rdf.Term{}, rdf.Term{}) {
		lines = append(lines, t.String())
	}
	slices.Sort(lines)
	return b.String() + strings.Join(lines, "\n"), c.snapshot, nil
}
