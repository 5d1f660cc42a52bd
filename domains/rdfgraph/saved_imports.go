package rdfgraph

import (
	"context"
	"crypto/sha256"
	"iter"
	"maps"

	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// pack packs a header; sums are the digests of its contexts.
func (h *header) pack(p *store.Packer, sums [][sha256.Size]byte) {
	for _, list := range [][]string{h.ontologies, h.versions, h.imports} {
		p.Number(uint64(len(list)))
		for _, iri := range list {
			p.Text(iri)
		}
	}
	p.Number(uint64(len(h.contexts)))
	for i, u := range h.contexts {
		p.Text(u.iri)
		p.Text(u.file)
		p.Text(string(sums[i][:]))
	}
}

// unpackHeader is told what pack has packed.
func (s *savedSource) unpackHeader(u *store.Unpacker) error {
	h := &s.header
	for _, list := range []*[]string{&h.ontologies, &h.versions, &h.imports} {
		for n := u.Count(1); n > 0 && !u.Failed(); n-- {
			*list = append(*list, u.Text())
		}
	}
	for n := u.Count(3); n > 0 && !u.Failed(); n-- {
		h.contexts = append(h.contexts, usedContext{u.Text(), u.Text()})
		sum := u.Text()
		if len(sum) != sha256.Size {
			return damaged("the digest of a context has another length")
		}
		s.contexts = append(s.contexts, [sha256.Size]byte([]byte(sum)))
	}
	return nil
}

// sums are the digests of all files that were read, contexts included.
func (h *savedHead) sums() iter.Seq2[string, [sha256.Size]byte] {
	return func(yield func(string, [sha256.Size]byte) bool) {
		for _, f := range h.files {
			if !yield(f.path, f.sum) {
				return
			}
			for i, u := range f.header.contexts {
				if !yield(u.file, f.contexts[i]) {
					return
				}
			}
		}
	}
}

// mayAdd says whether more files than the chosen ones may be read.
func (im *imports) mayAdd() bool {
	return len(im.roots) > 1 || len(im.roots[0].has) > len(im.chosen)
}

// imported are the sources with what they import, as far as a snapshot file is of them;
// errStale says that it is not. made gets the stamps of all, and what there is to tell.
func (r reading) imported(ctx context.Context, made *built, head savedHead, sources []source) ([]source, error) {
	known := map[string]header{}
	for _, f := range head.files {
		known[f.path] = f.header
	}
	extra, told, ok := r.imports.closure(ctx, sources, known)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if !ok {
		return nil, errStale
	}
	made.stamps = maps.Clone(made.stamps)
	maps.Copy(made.stamps, r.stamps(extra))
	for file := range head.sums() {
		if _, is := made.stamps[file]; !is { // a context
			maps.Copy(made.stamps, r.stamps([]source{{path: file}}))
		}
	}
	made.content.imports = told
	return append(sources[:len(sources):len(sources)], extra...), nil
}
