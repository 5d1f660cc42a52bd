package rdfgraph

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/owl"
	"github.com/ontogate/ontogate/domains/rdf"
)

// built is what was made of the files of a version, none of which was broken. A domain
// that is loaded again takes it over while nothing that it depends on changed.
type built struct {
	// key is all that it depends on besides the bytes of the files.
	key     string
	stamps  map[string]stamp // path → the file before it was read
	read    time.Time        // when reading began
	content content
	// prepared is what is known of the graph before it is made; nil where nothing is.
	prepared *prepared
	// progress is told how far prepare is; nil is told nothing.
	progress *reporter
	// What follows was made of content.
	ontology *domains.Ontology
	terms    owl.Terms
	counts   counts
	graph    *graph   // nil when there is neither a graph nor a class
	columns  *columns // nil without a class
}

// prepare makes the rest of the content; unnamed begins the IRIs of blank nodes where neither the
// domain nor its ontology has one. The only error is that ctx ended.
func (b *built) prepare(ctx context.Context, base, unnamed string, prefixes []rdf.Prefix, labels []string) (err error) {
	onto, terms, err := owl.Build(ctx, b.content.snapshot, owl.Options{Base: base, Prefixes: prefixes, Labels: labels})
	if err != nil {
		return err
	}
	b.counts = countContent(b.content, terms)
	if b.counts.entities > 0 || len(onto.Classes) > 0 {
		b.graph, err = newGraph(ctx, graphConfig{Snapshot: b.content.snapshot, Ontology: onto, Schema: terms, Labels: labels, Base: cmp.Or(onto.Base, unnamed), Prepared: b.prepared, Progress: b.progress})
		if err != nil {
			return err
		}
	}
	if len(onto.Classes) > 0 {
		b.columns = newColumns(b.graph)
	}
	b.ontology, b.terms, b.prepared, b.progress = onto, terms, nil, nil
	return nil
}

// contentKey is what the content of a version and its graph depend on besides the bytes of
// its files.
func (l *loader) contentKey(v version, r reading, sources []source) string {
	key := fmt.Sprintf("%q %q %v %q %q %q", v.folder, r.base, r.invented, l.settings.Base, l.settings.Prefixes, l.settings.Labels)
	for _, s := range sources {
		key += fmt.Sprintf(" %q %v", s.path, s.format)
	}
	return key
}

// again is what the domain's state before was built of, when that is what would be built
// now. The only error is that ctx ended.
func (l *loader) again(ctx context.Context, r reading, key string, sources []source, stamps map[string]stamp) (*built, error) {
	if l.before == nil || l.before.built == nil || l.before.built.key != key {
		return nil, nil
	}
	b := l.before.built
	extra, told, ok := r.imports.closure(ctx, sources, b.content.headers)
	if !ok || len(sources)+len(extra) != len(b.content.read) {
		return nil, ctx.Err()
	}
	stamps = maps.Clone(stamps)
	maps.Copy(stamps, r.stamps(extra))
	for file := range b.content.sums {
		if _, is := stamps[file]; !is { // a context
			maps.Copy(stamps, r.stamps([]source{{path: file}}))
		}
	}
	for file, now := range stamps {
		sum, wasRead := b.content.sums[file]
		if !wasRead || now.size != b.stamps[file].size {
			return nil, nil
		}
		written := time.Unix(0, now.modified)
		if !l.byContent && now == b.stamps[file] && b.read.Sub(written).Abs() > coarse {
			continue
		}
		if same, err := hasSum(ctx, r.fsys, file, sum); !same || err != nil {
			return nil, err
		}
	}
	// What was compared need not be compared again for the same times.
	kept := *b
	kept.stamps, kept.read, kept.content.imports = stamps, time.Now(), told
	return &kept, nil
}

// hasSum reports whether a file can be read and has a digest. The only error is that ctx
// ended.
func hasSum(ctx context.Context, fsys fs.FS, name string, want [sha256.Size]byte) (bool, error) {
	f, err := openRegular(fsys, name)
	if err != nil {
		return false, nil
	}
	defer f.Close()
	sum := sha256.New()
	part := make([]byte, 256<<10)
	for {
		n, err := f.Read(part)
		sum.Write(part[:n])
		switch {
		case ctx.Err() != nil:
			return false, ctx.Err()
		case err == io.EOF:
			return [sha256.Size]byte(sum.Sum(nil)) == want, nil
		case err != nil:
			return false, nil
		}
	}
}

// stamps are those of files, before they are read. Of a file that can't be looked at there
// is an empty one.
func (r reading) stamps(sources []source) map[string]stamp {
	out := map[string]stamp{}
	for _, s := range sources {
		out[s.path] = stamp{}
		if info, err := fs.Stat(r.fsys, s.path); err == nil {
			out[s.path] = stampOf(info)
		}
	}
	return out
}
