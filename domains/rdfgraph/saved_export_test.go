package rdfgraph

import (
	"bytes"
	"context"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/owl"
	"github.com/ontogate/ontogate/domains/rdf"
)

// ThroughFiles makes NewFacts write each graph to a file and return what is read from it.
var ThroughFiles bool

// again is a graph as it comes from its file.
func again(g *graph, prefixes []rdf.Prefix, labels []string) *graph {
	file := SaveFacts(g)
	restored, err := restoreFacts(file, prefixes, labels)
	if err != nil {
		panic(err)
	}
	if !bytes.Equal(SaveFacts(restored), file) {
		panic("what was read is written as another file")
	}
	return restored
}

// SaveFacts is the file of a graph.
func SaveFacts(f domains.Facts) []byte {
	g := f.(*graph)
	var file bytes.Buffer
	if err := (&built{content: content{snapshot: g.s}, graph: g}).writeFile(context.Background(), &file); err != nil {
		panic(err)
	}
	return file.Bytes()
}

// RestoreFacts is the graph of a file. It may be any file.
func RestoreFacts(file []byte) (domains.Facts, domains.Columns, error) {
	g, err := restoreFacts(file, nil, nil)
	if err != nil {
		return nil, nil, err
	}
	return g, newColumns(g), nil
}

func restoreFacts(file []byte, prefixes []rdf.Prefix, labels []string) (*graph, error) {
	ctx := context.Background()
	f, err := openSaved(ctx, bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, err
	}
	b := built{}
	if err := b.readParts(ctx, f.file); err != nil {
		return nil, err
	}
	onto, terms, err := owl.Build(ctx, b.content.snapshot, owl.Options{Prefixes: prefixes, Labels: labels})
	if err != nil {
		return nil, err
	}
	return newGraph(ctx, graphConfig{
		Snapshot: b.content.snapshot, Ontology: onto, Schema: terms, Labels: labels, Base: "http://base.org/", Prepared: b.prepared,
	})
}

// WaitSaved waits until no snapshot file is being written.
func (b *Backend) WaitSaved() {
	if b.keep != nil {
		b.keep.work.Wait()
	}
}
