package rdfgraph

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"hash"
	"io"
	"io/fs"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

const (
	// mostReaders bounds the goroutines that read the files of one domain side by
	// side, and those that share one file: each has buffers of its own.
	mostReaders = 8
	// largeFile is the size in bytes from which a file is worth several goroutines.
	largeFile = 1 << 20
)

// readFiles reads files into a builder, several at once, but those that are known to be
// broken. It returns them in the order of the sources, and the stage of reading them,
// which the caller ends. When ctx ends some are not read.
func (r reading) readFiles(ctx context.Context, sources []source, broken map[string]domains.Problem, into *store.Builder) ([]*file, *stage) {
	var files, small, large []*file
	total := int64(0)
	for _, s := range sources {
		if _, known := broken[s.path]; known {
			continue
		}
		f := &file{reading: r, source: s, into: into, declared: map[string]string{}}
		if info, err := fs.Stat(r.fsys, s.path); err == nil {
			f.size = info.Size()
		}
		total += f.size
		files = append(files, f)
		if f.size >= largeFile && f.format == rdf.NTriples {
			large = append(large, f)
		} else {
			small = append(small, f)
		}
	}
	stage := r.progress.begin(Reading, total)
	workers := min(runtime.GOMAXPROCS(0), mostReaders)
	var next atomic.Int64
	store.Parallel(max(1, min(workers, len(files))), func(worker int) {
		if worker == 0 { // each of these is read by all
			for _, f := range large {
				f.err = f.read(ctx, stage, workers)
			}
		}
		for i := next.Add(1) - 1; i < int64(len(small)); i = next.Add(1) - 1 {
			f := small[i]
			f.err = f.read(ctx, stage, min(workers, 1+int(f.size/largeFile)))
		}
	})
	return files, stage
}

// file is a file while it is read.
type file struct {
	reading
	source
	size     int64 // as it is stored
	into     *store.Builder
	declared map[string]string // prefixes, by name; the first of each
	header   header
	depends  map[string]dependency // by path; of contexts
	parts    []*filePart           // of the goroutines that read it
	modified time.Time
	sum      [sha256.Size]byte // of what is stored
	err      error
}

// blankPrefix is what the labels of a file's blank nodes begin with: the same whatever other
// files there are, so that IRIs made of the labels stay. It says 40 bits of the path's digest,
// so that two among a thousand files share one once in two million folders.
func blankPrefix(path string) string {
	sum := sha256.Sum256([]byte(path))
	return blankNames.EncodeToString(sum[:5]) + "_"
}

var blankNames = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// filePart is what one goroutine has read of a file.
type filePart struct {
	triples  int
	relative bool // it has IRIs relative to an invented base
	header   header
	survey   *fileSurvey // nil counts nothing
}

// read reads the file with up to so many goroutines.
func (f *file) read(ctx context.Context, progress *stage, workers int) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	began := time.Now()
	in, err := openRegular(f.fsys, f.path)
	if err != nil {
		return err
	}
	defer in.Close()
	if info, err := in.Stat(); err == nil {
		f.modified = info.ModTime()
	}
	stored := &storedReader{ctx: ctx, r: in, sum: sha256.New(), progress: progress}
	text, err := unpack(stored, rdf.CompressionOf(f.path))
	if err != nil {
		return err
	}
	defer text.Close()
	options := rdf.Options{
		File: f.path, Base: f.base, BlankPrefix: blankPrefix(f.path), Context: f.context,
		Prefix: func(p rdf.Prefix) {
			if _, taken := f.declared[p.Name]; !taken {
				f.declared[p.Name] = p.IRI
			}
		},
	}
	if err := rdf.ReadParallel(text, f.format, options, workers, func() func(*rdf.Quad) error { return f.part(ctx) }); err != nil {
		return err
	}
	f.sum = [sha256.Size]byte(stored.sum.Sum(nil))
	for _, p := range f.parts {
		f.header.add(&p.header)
	}
	f.header.settle()
	f.survey.take(f, began)
	return nil
}

// part returns what one goroutine is to do with the triples of the file.
func (f *file) part(ctx context.Context) func(*rdf.Quad) error {
	p, to := &filePart{survey: f.survey.part()}, f.into.Adder()
	f.parts = append(f.parts, p)
	return func(q *rdf.Quad) error {
		if p.triples%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		p.triples++
		if f.invented && !p.relative {
			p.relative = f.relative(&q.Subject) || f.relative(&q.Predicate) || f.relative(&q.Object)
		}
		p.header.note(q)
		if p.survey != nil {
			p.survey.note(q)
		}
		to.AddTriple(&q.Triple)
		return nil
	}
}

// relative says whether a term was relative to the base, as far as one can tell.
func (f *file) relative(t *rdf.Term) bool {
	return t.Kind == rdf.IRI && strings.HasPrefix(t.Value, f.base) || t.Kind == rdf.Literal && strings.HasPrefix(t.Datatype, f.base)
}

// isRelative says whether the file has IRIs relative to an invented base.
func (f *file) isRelative() bool {
	for _, p := range f.parts {
		if p.relative {
			return true
		}
	}
	return false
}

// gave says whether the builder has triples of the file.
func (f *file) gave() bool {
	for _, p := range f.parts {
		if p.triples > 0 {
			return true
		}
	}
	return false
}

// storedReader reads a file as it is stored, and sums it up. It ends with its context: a
// compressed file may go on for long without a triple.
type storedReader struct {
	ctx      context.Context
	r        io.Reader
	sum      hash.Hash
	progress *stage
}

func (s *storedReader) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := s.r.Read(p)
	s.sum.Write(p[:n])
	s.progress.add(int64(n))
	return n, err
}
