package rdfgraph

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/ontogate/ontogate/domains/rdf"
)

// ontologyPath are the folders in which imported ontologies are looked for. A nil one has
// none.
type ontologyPath struct {
	dirs []string // absolute

	mu    sync.Mutex
	heads map[string]knownHead // path → header of the file; guarded by mu
}

// knownHead is the header of a file as it was read last.
type knownHead struct {
	stamp  stamp
	read   time.Time
	header header
	err    error
}

// newOntologyPath is the path of a configuration. A folder that can't be read is an error.
func newOntologyPath(c Config) (*ontologyPath, error) {
	if len(c.OntologyPath) == 0 {
		return nil, nil
	}
	p := &ontologyPath{heads: map[string]knownHead{}}
	for _, written := range c.OntologyPath {
		dir, err := cleanDir(runtime.GOOS, c.Home, written)
		if err == nil {
			dir, err = filepath.Abs(dir)
		}
		if err != nil {
			return nil, fmt.Errorf("opening the ontology path: %w", err)
		}
		p.dirs = append(p.dirs, dir)
	}
	_, closer, err := p.open()
	closer.Close()
	if err != nil {
		return nil, fmt.Errorf("opening the ontology path: %w", err)
	}
	return p, nil
}

// closers are closed together.
type closers []io.Closer

func (cs closers) Close() error {
	var err error
	for _, c := range cs {
		err = errors.Join(err, c.Close())
	}
	return err
}

// open lists what the folders hold. One that can't be read is empty; the error says so of the
// first. The caller closes them in any case.
func (p *ontologyPath) open() (rs roots, all closers, first error) {
	if p == nil {
		return nil, nil, nil
	}
	for i, dir := range p.dirs {
		t := tree{}
		opened, err := openDir(dir)
		if err == nil {
			all = append(all, opened)
			t = readTree(opened.FS())
		} else if first == nil {
			first = err
		}
		rs = append(rs, newRoot(t, i+1, dir))
	}
	return rs, all, first
}

// openDir opens a folder; links do not lead out of it.
func openDir(dir string) (*os.Root, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() { // OpenRoot would wait for a pipe
		return nil, &fs.PathError{Op: "open", Path: dir, Err: errNoFolder}
	}
	return os.OpenRoot(dir)
}

// look is a digest of how the folders look, without a file being read.
func (p *ontologyPath) look() (sum [sha256.Size]byte) {
	if p == nil {
		return sum
	}
	all, closer, _ := p.open()
	defer closer.Close()
	to := sha256.New()
	for _, r := range all {
		for _, file := range r.files {
			if !mayBeRDF(file) || !r.has[file] {
				continue
			}
			info, err := fs.Stat(r.fsys, file)
			if err != nil {
				continue
			}
			s := stampOf(info)
			fmt.Fprintf(to, "%d %q %d %d %d %o\n", r.number, file, s.size, s.modified, s.changed, s.mode)
		}
	}
	return [sha256.Size]byte(to.Sum(nil))
}

// headOf is the header of a file of the path, which is read when it may have changed.
func (p *ontologyPath) headOf(ctx context.Context, r root, file string, f rdf.Format, o rdf.Options, byContent bool) (header, error) {
	info, err := fs.Stat(r.fsys, file)
	if err != nil {
		return header{}, err
	}
	now, name := stampOf(info), r.name(file)
	p.mu.Lock()
	known, is := p.heads[name]
	p.mu.Unlock()
	isOld := known.read.Sub(time.Unix(0, now.modified)).Abs() > coarse
	if is && known.stamp == now && isOld && !(byContent && now.changed == 0) {
		return known.header, known.err
	}
	read := time.Now()
	h, err := readHead(ctx, r.fsys, source{file, f}, o)
	if ctx.Err() == nil {
		p.mu.Lock()
		p.heads[name] = knownHead{now, read, h, err}
		p.mu.Unlock()
	}
	return h, err
}
