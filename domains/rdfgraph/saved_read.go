package rdfgraph

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"path"
	"runtime/debug"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// savedFolder is the folder of snapshot files in a domain's folder. It is hidden, so
// nothing else is looked for in it.
const savedFolder = ".ontogate"

// savedFile is the name in savedFolder of the snapshot file of a version.
func savedFile(version string) string { return url.PathEscape(version) + savedSuffix }

// savedSuffix ends the names of snapshot files.
const savedSuffix = ".snapshot"

// errStale is why a file can't be used that was written for another state of the domain.
var errStale = errors.New("the domain has changed since the file was written")

// savedHead is the first part of a snapshot file: what it is of.
type savedHead struct {
	key      string // fingerprint of all that the content depends on besides the files' bytes
	files    []savedSource
	prefixes []rdf.Prefix
}

// savedSource is a file that was read.
type savedSource struct {
	path     string
	size     int64
	sum      [sha256.Size]byte
	relative bool // see content.relative
	header   header
	contexts [][sha256.Size]byte // digests of header.contexts
}

// savedKey is the fingerprint of a built's key. The version of the program is in it,
// since another may work other things out.
func savedKey(key string) string {
	program := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		program = info.Main.Version
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %s", program, key))
	return hex.EncodeToString(sum[:])
}

func (h *savedHead) pack() string {
	var p store.Packer
	p.Text(h.key)
	p.Number(uint64(len(h.files)))
	for _, f := range h.files {
		p.Text(f.path)
		p.Number(uint64(f.size))
		p.Text(string(f.sum[:]))
		relative := uint64(0)
		if f.relative {
			relative = 1
		}
		p.Number(relative)
		f.header.pack(&p, f.contexts)
	}
	p.Number(uint64(len(h.prefixes)))
	for _, x := range h.prefixes {
		p.Text(x.Name)
		p.Text(x.IRI)
	}
	return p.String()
}

func unpackHead(packed string) (savedHead, error) {
	u := store.NewUnpacker(packed)
	h := savedHead{key: u.Text()}
	for n := u.Count(4); n > 0 && !u.Failed(); n-- {
		f := savedSource{path: u.Text(), size: int64(u.Number(1 << 62))}
		if sum := u.Text(); len(sum) == sha256.Size {
			f.sum = [sha256.Size]byte([]byte(sum))
		} else if !u.Failed() {
			return h, damaged("a digest has another length")
		}
		f.relative = u.Number(1) == 1
		if err := f.unpackHeader(u); err != nil {
			return h, err
		}
		h.files = append(h.files, f)
	}
	for n := u.Count(2); n > 0 && !u.Failed(); n-- {
		h.prefixes = append(h.prefixes, rdf.Prefix{Name: u.Text(), IRI: u.Text()})
	}
	return h, u.Err()
}

// isOf says whether the file is of a state of the domain, as far as that can be told
// without reading more than heads. sources are those that were imported too, and made has their
// stamps.
func (h *savedHead) isOf(made *built, sources []source) bool {
	if h.key != savedKey(made.key) || len(h.files) != len(sources) {
		return false
	}
	for i, f := range h.files {
		if f.path != sources[i].path || f.size != made.stamps[f.path].size {
			return false
		}
	}
	return true
}

// restore fills what was built from the snapshot file of a version, if that is of the
// files as they are; ok says so. What is wrong with the file is logged, and it will be
// written anew. The only error is that ctx ended.
func (l *loader) restore(ctx context.Context, v version, r reading, made *built, sources []source) (ok bool, err error) {
	if !l.keep.keeps(made.stamps) && !(l.keep != nil && r.imports.mayAdd()) {
		return false, nil
	}
	name := path.Join(savedFolder, savedFile(v.Name))
	restored := *made
	err = l.readSaved(ctx, name, r, &restored, sources)
	switch cause := err; {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err == nil:
		*made = restored
		l.keep.log.InfoContext(ctx, "snapshot file read", "domain", l.info.Name, "file", name)
		return true, nil
	case errors.Is(err, fs.ErrNotExist):
	case errors.Is(err, errStale), errors.Is(err, store.ErrOtherFormat):
		l.keep.log.InfoContext(ctx, "snapshot file not used: the domain is read from its files",
			"domain", l.info.Name, "file", name, "cause", cause.Error())
	default:
		reason := readingFault(err)
		if errors.Is(err, store.ErrDamaged) {
			reason = err.Error()
		}
		l.keep.log.WarnContext(ctx, "snapshot file can't be used: the domain is read from its files, and the snapshot written anew",
			"domain", l.info.Name, "file", name, "cause", reason)
	}
	return false, nil
}

// readSaved reads a snapshot file while the sources are compared with what it was made of.
func (l *loader) readSaved(ctx context.Context, name string, r reading, made *built, sources []source) error {
	in, err := openRegular(l.fsys, name)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	at, ok := in.(io.ReaderAt)
	if !ok {
		return &fs.PathError{Op: "read", Path: name, Err: errors.ErrUnsupported}
	}
	saved, err := openSaved(ctx, at, info.Size())
	if err != nil {
		return err
	}
	file, head := saved.file, saved.head
	if sources, err = r.imported(ctx, made, head, sources); err != nil {
		return err
	}
	if !head.isOf(made, sources) {
		return errStale
	}
	stage := l.progress.begin(Reading, info.Size())
	file.Observe(func(n int) { stage.add(int64(n)) })
	both, reading := errgroup.WithContext(ctx)
	both.Go(func() error { return head.compare(reading, r.fsys) })
	both.Go(func() error { return made.readParts(reading, file) })
	if err := both.Wait(); err != nil {
		return err
	}
	made.take(head)
	stage.end()
	return nil
}

// savedOpen is a file of which the head is read.
type savedOpen struct {
	file *store.File
	head savedHead
}

func openSaved(ctx context.Context, at io.ReaderAt, size int64) (o savedOpen, err error) {
	if o.file, err = store.OpenFile(at, size); err != nil {
		return o, err
	}
	var packed string
	if err := o.file.Read(ctx, []store.Part{store.Text(&packed)}); err != nil {
		return o, err
	}
	o.head, err = unpackHead(packed)
	return o, err
}

// compare says whether the sources have the digests that the file says, and with errStale
// that they do not.
func (h *savedHead) compare(ctx context.Context, fsys fs.FS) error {
	for file, sum := range h.sums() {
		same, err := hasSum(ctx, fsys, file, sum)
		if err != nil {
			return err
		}
		if !same {
			return errStale
		}
	}
	return nil
}

// readParts reads what follows the head.
func (b *built) readParts(ctx context.Context, file *store.File) error {
	var snapshot store.SavedSnapshot
	var graph savedGraph
	if err := file.Read(ctx, append(snapshot.Parts(), graph.parts()...)); err != nil {
		return err
	}
	if file.Left() > 0 {
		return damaged("more follows than it should hold")
	}
	s, err := snapshot.Snapshot(ctx)
	if err != nil {
		return err
	}
	b.content.snapshot = s
	b.prepared, err = graph.prepared(ctx, s)
	return err
}

// take fills the content with what the head says.
func (b *built) take(h savedHead) {
	c := &b.content
	c.prefixes, c.headers = h.prefixes, map[string]header{}
	c.sums = maps.Collect(h.sums())
	for _, f := range h.files {
		c.read = append(c.read, f.path)
		if f.relative {
			c.relative = append(c.relative, f.path)
		}
		c.headers[f.path] = f.header
		if at := time.Unix(0, b.stamps[f.path].modified); at.After(c.modified) {
			c.modified = at
		}
	}
	c.digest = c.digestOfFiles()
}
