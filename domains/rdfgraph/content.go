package rdfgraph

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"slices"
	"strings"
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
	sums     map[string][sha256.Size]byte // path → digest of the bytes of a file that was read
	modified time.Time                    // of the newest file
}

// reading says how files are read.
type reading struct {
	fsys fs.FS
	base string
	// invented is set when base was made up because domain.yaml has none.
	invented bool
}

// readContent reads files into a snapshot. A broken file is left out whole: what it
// gave before its fault must not stay, so the others are read again without it.
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
		for _, s := range sources {
			if p, ok := broken[s.path]; ok {
				c.problems = append(c.problems, p)
			}
		}
		return c, nil
	}
}

// attempt reads the files that are not known to be broken and adds to broken those
// that turn out to be. again is set when such a file has left triples behind.
func (r reading) attempt(ctx context.Context, sources []source, broken map[string]domains.Problem) (c content, again bool, err error) {
	builder := store.NewBuilder()
	prefixes := map[string]string{}
	sum := sha256.New()
	c.sums = map[string][sha256.Size]byte{}
	for i, s := range sources {
		if _, known := broken[s.path]; known {
			continue
		}
		f := file{reading: r, source: s, blanks: fmt.Sprintf("f%d_", i+1), prefixes: prefixes}
		err := f.read(ctx, builder)
		if ctx.Err() != nil {
			return content{}, false, ctx.Err()
		}
		if err != nil {
			broken[s.path] = fileProblem(s.path, err)
			again = again || f.triples > 0
			continue
		}
		c.read = append(c.read, s.path)
		if f.relative {
			c.relative = append(c.relative, s.path)
		}
		if f.modified.After(c.modified) {
			c.modified = f.modified
		}
		c.sums[s.path] = [sha256.Size]byte(f.sum.Sum(nil))
		fmt.Fprintf(sum, "%q %x\n", s.path, c.sums[s.path])
	}
	if again {
		return content{}, true, nil
	}
	for name, iri := range prefixes {
		c.prefixes = append(c.prefixes, rdf.Prefix{Name: name, IRI: iri})
	}
	slices.SortFunc(c.prefixes, func(a, b rdf.Prefix) int { return cmp.Compare(a.Name, b.Name) })
	c.snapshot, c.digest = builder.Build(), sum.Sum(nil)
	return c, false, nil
}

// file is a file while it is read.
type file struct {
	reading
	source
	blanks   string            // prefix of the file's blank nodes
	prefixes map[string]string // of all files so far, by name
	triples  int
	relative bool // it has IRIs relative to an invented base
	modified time.Time
	sum      hash.Hash
}

func (f *file) read(ctx context.Context, into *store.Builder) error {
	in, err := openRegular(f.fsys, f.path)
	if err != nil {
		return err
	}
	defer in.Close()
	if info, err := in.Stat(); err == nil {
		f.modified = info.ModTime()
	}
	f.sum = sha256.New()
	declared := map[string]string{}
	options := rdf.Options{
		File: f.path, Base: f.base, BlankPrefix: f.blanks,
		Prefix: func(p rdf.Prefix) {
			if _, taken := declared[p.Name]; !taken {
				declared[p.Name] = p.IRI
			}
		},
	}
	err = rdf.Read(io.TeeReader(in, f.sum), f.format, options, func(q rdf.Quad) error {
		if f.triples%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		f.triples++
		if f.invented && !f.relative {
			f.relative = f.isRelative(q.Subject) || f.isRelative(q.Predicate) || f.isRelative(q.Object)
		}
		into.Add(q.Triple)
		return nil
	})
	if err != nil {
		return err
	}
	for name, iri := range declared {
		if _, taken := f.prefixes[name]; !taken {
			f.prefixes[name] = iri
		}
	}
	return nil
}

func (f *file) isRelative(t rdf.Term) bool {
	return t.Kind == rdf.IRI && strings.HasPrefix(t.Value, f.base) || t.Kind == rdf.Literal && strings.HasPrefix(t.Datatype, f.base)
}

// fileProblem turns what went wrong with a file into a problem with its place.
func fileProblem(name string, err error) domains.Problem {
	var syntax *rdf.SyntaxError
	if errors.As(err, &syntax) {
		return domains.Problem{File: name, Line: syntax.Line, Column: syntax.Column, Message: syntax.Message}
	}
	return domains.Problem{File: name, Message: readingFault(err)}
}
