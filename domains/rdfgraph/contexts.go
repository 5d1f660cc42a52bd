package rdfgraph

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/ontogate/ontogate/domains/rdfgraph/catalog"
)

// maxContext is the size in bytes of the largest JSON-LD context.
const maxContext = 8 << 20

func (u usedContext) compare(v usedContext) int {
	return cmp.Or(cmp.Compare(u.iri, v.iri), cmp.Compare(u.file, v.file))
}

// contextFile finds the file with the JSON-LD context of an IRI that a document names: by
// catalogues, or for an IRI that was relative to the base under its path.
func (im *imports) contextFile(iri, document string) (string, error) {
	file, _, bad := im.catalogues.lookup(iri, document)
	if file != "" {
		return file, nil
	}
	if file, ok := im.roots.relative(im.base, iri, document); ok {
		return file, nil
	}
	if len(bad) > 0 {
		b := bad[0]
		return "", fmt.Errorf("%s, to which the entry at %s:%d:%d leads", b.fault, im.shown(b.file), b.entry.Line, b.entry.Column)
	}
	return "", errors.New("no " + catalog.Name + " names it")
}

// sameContexts says whether a file's contexts are still those that were read for it.
func (im *imports) sameContexts(document string, used []usedContext) bool {
	for _, u := range used {
		if file, err := im.contextFile(u.iri, document); err != nil || file != u.file {
			return false
		}
	}
	return true
}

// relative finds the file that an IRI names which a document has written relative to the base:
// beside the document, or from the top of its root.
func (rs roots) relative(base, iri, document string) (file string, ok bool) {
	rest, is := strings.CutPrefix(iri, folderOf(base))
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i]
	}
	if !is || rest == "" {
		return "", false
	}
	names := strings.Split(rest, "/")
	for i, name := range names {
		decoded, err := url.PathUnescape(name)
		if err != nil || strings.ContainsAny(decoded, "/\x00") {
			return "", false
		}
		names[i] = decoded
	}
	r, at := rs.at(document)
	for _, dir := range []string{path.Dir(at), "."} {
		if full := path.Join(dir, path.Join(names...)); fs.ValidPath(full) && r.has[full] {
			return r.name(full), true
		}
	}
	return "", false
}

// folderOf is the beginning that a base gives to what is relative to it.
func folderOf(base string) string {
	_, rest, _ := strings.Cut(base, "://")
	if !strings.Contains(rest, "/") {
		return base + "/"
	}
	return base[:strings.LastIndexByte(base, '/')+1]
}

// dependency is a file besides the sources that was read for one of them.
type dependency struct {
	stamp    stamp // before it was read
	modified time.Time
	sum      [sha256.Size]byte
}

// context reads the JSON-LD context of an IRI for the file, which then depends on it. Whoever
// asks says what to do about an error.
func (f *file) context(iri string) ([]byte, error) {
	if f.imports == nil {
		return nil, errors.New("no " + catalog.Name + " is read")
	}
	name, err := f.imports.contextFile(iri, f.path)
	if err != nil {
		return nil, err
	}
	in, err := openRegular(f.fsys, name)
	if err != nil {
		return nil, fmt.Errorf("the file %s %s", f.imports.shown(name), readingFault(err))
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return nil, fmt.Errorf("the file %s %s", f.imports.shown(name), readingFault(err))
	}
	text, err := io.ReadAll(io.LimitReader(in, maxContext+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("the file %s %s", f.imports.shown(name), readingFault(err))
	case len(text) > maxContext:
		return nil, fmt.Errorf("the file %s has more than %d MiB", f.imports.shown(name), maxContext>>20)
	}
	if f.depends == nil {
		f.depends = map[string]dependency{}
	}
	f.depends[name] = dependency{stampOf(info), info.ModTime(), sha256.Sum256(text)}
	f.header.contexts = append(f.header.contexts, usedContext{iri, name})
	return text, nil
}
