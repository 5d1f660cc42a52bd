package rdfgraph

import (
	"cmp"
	"context"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/catalog"
)

// Imports tells of the owl:imports of a domain's files. Nothing of it makes a domain degraded.
type Imports struct {
	// Found and Missing are the ontologies that are imported, by IRI.
	Found, Missing []Import
	// Notes say what is missing, and what is wrong with catalogues, a line each: imports
	// without a file, entries that lead to none or to another ontology, and how many entries
	// lead to none that nobody asks for. Files are relative to the domain's folder.
	Notes []domains.Problem
}

// Import is an ontology that files import.
type Import struct {
	// IRI is how the files write it; of several ways the first.
	IRI string
	// By are the files that import it, by path, relative to the domain's folder.
	By []string
	// File is the file that has it, relative to the domain's folder or as [OnOntologyPath]
	// knows it; empty for one that is missing.
	File string
}

// imports resolves the imports of a version, and the contexts of its JSON-LD files. It never
// leaves its roots and never asks a network.
type imports struct {
	roots      roots
	catalogues *catalogues
	chosen     map[string]bool // files that the patterns of domain.yaml choose
	base       string
	invented   bool // base is none that anybody wrote
	path       *ontologyPath
	byContent  bool
	shown      func(string) string // a file as reports name it

	folder, outside index // made when they are first needed
	// unsure are the files of these whose beginning is broken.
	unsure []domains.Problem
	before map[string]header // of the files of the domain's state before
}

// holder is a file that has an ontology.
type holder struct {
	source
	rank int // the lower the better
}

// index maps IRIs, as catalog.Trim leaves them, to the files whose ontologies have them.
type index map[string]holder

// The ranks of holders.
const (
	isOntology = iota
	isVersion
)

// resolver makes what resolves the imports of a version, and gives it and its roots to the
// reading. The caller closes what it returns when all is read.
func (l *loader) resolver(v version, r *reading, files tree, chosen []source) io.Closer {
	dir := ""
	if l.folder.dir != "" {
		dir = filepath.Join(l.folder.dir, filepath.FromSlash(v.folder))
	}
	outside, closer, err := l.path.open()
	if err != nil {
		p := domains.Problem{Message: "a folder of the ontology path " + readingFault(err)}
		if l.before != nil && l.before.built != nil && slices.ContainsFunc(l.before.built.content.read, isOutside) {
			l.problems = append(l.problems, p) // so that what was read from there stays in force
		} else {
			l.notes = append(l.notes, p)
		}
	}
	im := &imports{
		roots: append(roots{newRoot(files, 0, dir)}, outside...), chosen: map[string]bool{}, base: r.base, invented: r.invented,
		path: l.path, byContent: l.byContent, shown: v.inVersion,
	}
	for _, s := range chosen {
		im.chosen[s.path] = true
	}
	if l.before != nil && l.before.built != nil {
		im.before = l.before.built.content.headers
	}
	im.catalogues = readCatalogues(im.roots)
	r.fsys, r.imports = rooted{im.roots}, im
	return closer
}

// fill takes the IRIs of a header.
func (x index) fill(s source, h header) {
	put := func(iri string, rank int) {
		key := catalog.Trim(iri)
		if old, taken := x[key]; !taken || rank < old.rank {
			x[key] = holder{s, rank}
		}
	}
	for _, iri := range h.ontologies {
		put(iri, isOntology)
	}
	for _, iri := range h.versions {
		put(iri, isVersion)
	}
}

// loaded are the files that are loaded, in order, with their headers.
type loaded struct {
	sources []source
	headers map[string]header
	// broken are files that turned out to be.
	broken map[string]domains.Problem
}

// resolving is one pass over all imports.
type resolving struct {
	*imports
	loaded
	have index
	more map[string]source // path → file that is to be loaded too
	told Imports
	bad  map[badPlace][]string // entry of a catalogue that was told of → IRIs of imports
}

// resolve looks for the imports of files. more are files that have to be loaded too, by path;
// when there are none, told tells of all imports. When ctx ends, nothing is sure.
func (im *imports) resolve(ctx context.Context, l loaded) (more []source, told Imports) {
	r := &resolving{imports: im, loaded: l, have: index{}, more: map[string]source{}, bad: map[badPlace][]string{}}
	asked := map[string]*Import{}
	for _, s := range l.sources {
		h := l.headers[s.path]
		r.have.fill(s, h)
		for _, iri := range h.imports {
			key := catalog.Trim(iri)
			if asked[key] == nil {
				asked[key] = &Import{IRI: iri}
			}
			asked[key].By = append(asked[key].By, s.path)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(asked)) {
		if ctx.Err() != nil {
			return nil, Imports{}
		}
		one := asked[key]
		slices.Sort(one.By)
		one.By = slices.Compact(one.By)
		r.find(ctx, *one)
	}
	more = slices.SortedFunc(maps.Values(r.more), func(a, b source) int { return cmp.Compare(a.path, b.path) })
	if len(more) == 0 {
		r.tellRest()
	}
	return more, r.told
}

// find looks for one import.
func (r *resolving) find(ctx context.Context, one Import) {
	if has, ok := r.have[catalog.Trim(one.IRI)]; ok {
		r.found(one, has.path)
		if !r.chosen[has.path] { // it was looked for
			r.tellPassed(one, has.path)
		}
		return
	}
	var bad []badEntry
	before := len(r.told.Notes)
	for _, by := range one.By {
		file, entry, faults := r.catalogues.lookup(one.IRI, by)
		bad = append(bad, faults...)
		if file != "" {
			if r.take(file, one, &entry) {
				r.tellBad(one, bad, file)
				return
			}
			break
		}
	}
	if file := r.relative(one); file != "" && r.take(file, one, nil) {
		r.tellBad(one, bad, file)
		return
	}
	for _, index := range []func(context.Context) index{r.ofFolder, r.ofPath} {
		if has, ok := index(ctx)[catalog.Trim(one.IRI)]; ok && r.take(has.path, one, nil) {
			r.tellBad(one, bad, has.path)
			return
		}
	}
	r.missing(one, bad, len(r.told.Notes) > before)
}

// found notes where an import is.
func (r *resolving) found(one Import, file string) {
	r.told.Found = append(r.told.Found, r.named(one, file))
}

// named is an import with its files as reports name them.
func (r *resolving) named(one Import, file string) Import {
	out := Import{IRI: one.IRI}
	for _, by := range one.By {
		out.By = append(out.By, r.shown(by))
	}
	if file != "" {
		out.File = r.shown(file)
	}
	return out
}

// take takes a file for an import, and has it loaded. It does not when the file can't be read.
// by is the entry of a catalogue that named it, or nil.
func (r *resolving) take(file string, one Import, by *badEntry) bool {
	if _, broken := r.broken[file]; broken {
		return true // it is a problem already
	}
	if h, is := r.headers[file]; is {
		r.found(one, file)
		r.tellOther(one, file, h, by)
		return true
	}
	f, known, ok := r.roots.formatOf(file)
	if !ok {
		r.tellUnreadable(one, file, known, by)
		return false
	}
	r.more[file] = source{file, f}
	return true
}

// relative is the file that an IRI names which was relative to the base; empty when there is
// none.
func (r *resolving) relative(one Import) string {
	for _, by := range one.By {
		if file, ok := r.roots.relative(r.base, one.IRI, by); ok {
			return file
		}
	}
	return ""
}

// ofFolder are the ontologies of files of the version's folder that were not chosen.
func (im *imports) ofFolder(ctx context.Context) index {
	if im.folder == nil {
		im.folder = index{}
		im.fillIndex(ctx, im.roots[0], im.folder, func(r root, file string, f rdf.Format) (header, error) {
			return readHead(ctx, r.fsys, source{file, f}, rdf.Options{Base: im.base})
		})
	}
	return im.folder
}

// headBase is the base of files of the ontology path while only their heads are read: what is
// relative there is nobody's import.
const headBase = "https://ontology-path.invalid/"

// ofPath are the ontologies of the ontology path.
func (im *imports) ofPath(ctx context.Context) index {
	if im.outside == nil {
		im.outside = index{}
		for _, r := range im.roots[1:] {
			im.fillIndex(ctx, r, im.outside, func(r root, file string, f rdf.Format) (header, error) {
				return im.path.headOf(ctx, r, file, f, rdf.Options{Base: headBase}, im.byContent)
			})
		}
	}
	return im.outside
}

func (im *imports) fillIndex(ctx context.Context, r root, to index, head func(root, string, rdf.Format) (header, error)) {
	for _, file := range r.files {
		if !r.has[file] || im.chosen[r.name(file)] || ctx.Err() != nil {
			continue
		}
		f, _, ok := r.formatOf(file)
		if !ok {
			continue
		}
		h, err := head(r, file, f)
		to.fill(source{r.name(file), f}, h)
		if err != nil && ctx.Err() == nil {
			im.unsure = append(im.unsure, fileProblem(r.name(file), err))
		}
	}
}

// closure is what readContent would load for files, when all that it would read is known:
// ok says so. Nothing is read but heads and catalogues.
func (im *imports) closure(ctx context.Context, chosen []source, known map[string]header) (extra []source, told Imports, ok bool) {
	if im == nil {
		return nil, Imports{}, true
	}
	l := loaded{headers: map[string]header{}}
	for next := chosen; len(next) > 0; {
		for _, s := range next {
			h, is := known[s.path]
			if !is || !im.sameContexts(s.path, h.contexts) {
				return nil, Imports{}, false
			}
			l.headers[s.path] = h
		}
		l.sources = append(l.sources, next...)
		next, told = im.resolve(ctx, l)
	}
	return l.sources[len(chosen):], told, ctx.Err() == nil && len(im.lost(told.Missing)) == 0
}

// lost are the files in which the domain's state before had what is missing now, because their
// beginning is broken.
func (im *imports) lost(missing []Import) (out []domains.Problem) {
	for _, p := range im.unsure {
		had := index{}
		had.fill(source{}, im.before[p.File])
		if slices.ContainsFunc(missing, func(i Import) bool { _, is := had[catalog.Trim(i.IRI)]; return is }) {
			out = append(out, p)
		}
	}
	return out
}
