package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
)

// output is the folder that the domains are written to.
type output struct {
	dir    string
	format string // of data files: "ttl" or "nt"
}

// text writes a file as it is.
func (o output) text(path, content string) error {
	return o.create(path, func(w *bufio.Writer) error {
		_, err := w.WriteString(content)
		return err
	})
}

// table writes a dataset, whose rows are no triples.
func (o output) table(path string, rows func(io.Writer) error) error {
	return o.create(path, func(w *bufio.Writer) error { return rows(w) })
}

// ontology writes a schema in Turtle, whatever the format of the data.
func (o output) ontology(path string, s *schema) error {
	return o.create(path, func(w *bufio.Writer) error {
		t := &turtle{w: w}
		t.head(s.title+": the ontology.", s.prefixes())
		for b := range s.blocks() {
			t.block(b)
		}
		return nil
	})
}

// data writes entities to path plus the extension of the format. The instance
// prefixes name the classes whose instances the file mentions.
func (o output) data(path, comment string, s *schema, prefixes []prefix, entities iter.Seq[*entity]) error {
	return o.create(path+"."+o.format, func(w *bufio.Writer) error {
		var out writer = &turtle{w: w}
		if o.format == "nt" {
			out = &ntriples{w: w}
		}
		out.head(comment, append(s.prefixes(), prefixes...))
		for e := range entities {
			if e.err != nil {
				return e.err
			}
			out.block(e.block)
		}
		return nil
	})
}

func (o output) create(path string, write func(*bufio.Writer) error) (err error) {
	full := filepath.Join(o.dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		return err
	}
	f, err := os.Create(full)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, 1<<16)
	if err := write(w); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return w.Flush()
}
