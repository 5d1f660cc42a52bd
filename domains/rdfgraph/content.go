package rdfgraph

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// content is what the files of a version hold.
type content struct {
	snapshot *store.Snapshot
	prefixes []rdf.Prefix // by name; of several with one name the first file's
	read     []string     // files that were read, by path
	problems []domains.Problem
	relative []string                     // files with IRIs relative to the base that was made up
	digest   []byte                       // of paths and contents
	sums     map[string][sha256.Size]byte // path → digest of the bytes of a file that was read, contexts included
	headers  map[string]header            // path → what a file that was read says of its ontology
	stamps   map[string]stamp             // path → imported file or context before it was read
	imports  Imports
	modified time.Time // of the newest file
}

// reading says how files are read.
type reading struct {
	fsys fs.FS
	base string
	// invented is set when base was made up because domain.yaml has none.
	invented bool
	imports  *imports // nil resolves none
	progress *reporter
	survey   *surveying // nil counts nothing
}

// readContent reads files into a snapshot. A broken file is left out whole: what it
// gave before its fault must not stay, so the others are read again without it. What the
// files import is read after them.
func readContent(ctx context.Context, r reading, sources []source) (content, error) {
	broken := map[string]domains.Problem{}
	for {
		c, again, err := r.attempt(ctx, sources, broken)
		if err != nil {
			return content{}, err
		}
		if again {
			continue
		}
		for _, file := range slices.Sorted(maps.Keys(broken)) {
			c.problems = append(c.problems, broken[file])
		}
		if r.imports != nil {
			c.problems = append(c.problems, r.imports.lost(c.imports.Missing)...)
		}
		return c, nil
	}
}

// attempt reads the files that are not known to be broken, and what they import, and adds to
// broken those that turn out to be. again is set when such a file has left triples behind.
func (r reading) attempt(ctx context.Context, sources []source, broken map[string]domains.Problem) (c content, again bool, err error) {
	builder := store.NewBuilder()
	c.sums, c.headers, c.stamps = map[string][sha256.Size]byte{}, map[string]header{}, map[string]stamp{}
	prefixes := map[string]string{}
	good := loaded{headers: c.headers, broken: broken}
	var stage *stage
	for next, first := sources, true; first || len(next) > 0; first = false {
		var files []*file
		files, stage = r.readFiles(ctx, next, broken, builder)
		if ctx.Err() != nil {
			return content{}, false, ctx.Err()
		}
		for _, f := range files {
			if f.err != nil {
				broken[f.path] = fileProblem(f.path, f.err)
				again = again || f.gave()
				continue
			}
			c.takeIn(f, prefixes)
			good.sources = append(good.sources, f.source)
		}
		if again {
			return content{}, true, nil
		}
		next = nil
		if r.imports != nil {
			next, c.imports = r.imports.resolve(ctx, good)
			maps.Copy(c.stamps, r.stamps(next))
		}
	}
	if ctx.Err() != nil {
		return content{}, false, ctx.Err()
	}
	stage.end()
	for name, iri := range prefixes {
		c.prefixes = append(c.prefixes, rdf.Prefix{Name: name, IRI: iri})
	}
	slices.SortFunc(c.prefixes, func(a, b rdf.Prefix) int { return cmp.Compare(a.Name, b.Name) })
	indexing := r.progress.begin(Indexing, store.BuildSteps)
	c.snapshot, c.digest = builder.BuildInSteps(func() { indexing.add(1) }), c.digestOfFiles()
	indexing.end()
	return c, false, nil
}

// takeIn takes what a file gave besides its triples.
func (c *content) takeIn(f *file, prefixes map[string]string) {
	c.read = append(c.read, f.path)
	if f.isRelative() {
		c.relative = append(c.relative, f.path)
	}
	if f.modified.After(c.modified) {
		c.modified = f.modified
	}
	for name, iri := range f.declared {
		if _, taken := prefixes[name]; !taken {
			prefixes[name] = iri
		}
	}
	c.sums[f.path], c.headers[f.path] = f.sum, f.header
	for name, d := range f.depends {
		if _, isRead := c.sums[name]; !isRead {
			c.sums[name], c.stamps[name] = d.sum, d.stamp
		}
	}
}

// digestOfFiles sums up the paths and contents of the files that were read, and of contexts.
func (c *content) digestOfFiles() []byte {
	sum := sha256.New()
	for _, file := range c.read {
		fmt.Fprintf(sum, "%q %x\n", file, c.sums[file])
		for _, u := range c.headers[file].contexts {
			fmt.Fprintf(sum, "context %q %q %x\n", u.iri, u.file, c.sums[u.file])
		}
	}
	return sum.Sum(nil)
}

// fileProblem turns what went wrong with a file into a problem with its place.
func fileProblem(name string, err error) domains.Problem {
	var syntax *rdf.SyntaxError
	if errors.As(err, &syntax) {
		return domains.Problem{File: name, Line: syntax.Line, Column: syntax.Column, Message: syntax.Message}
	}
	return domains.Problem{File: name, Message: readingFault(err)}
}
