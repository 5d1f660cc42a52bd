package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/packed"
	"github.com/ontogate/ontogate/domains/rdfgraph/catalog"
)

// input is the file that convert reads.
type input struct {
	name    string // for messages
	folder  string // in which the contexts of JSON-LD are; empty for standard input
	format  rdf.Format
	text    io.Reader // unpacked
	closers []io.Closer
}

// Close closes the file.
func (in *input) Close() error {
	var errs []error
	for _, c := range in.closers {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// openInput opens the file to read and finds out its format.
func (p *program) openInput(ctx context.Context, s convertSettings) (*input, error) {
	in := &input{name: s.in}
	if s.from != "" {
		var err error
		if in.format, err = namedFormat("--from", s.from, rdf.Formats()); err != nil {
			return nil, err
		}
	}
	if s.in == standardStream {
		if in.format == 0 {
			return nil, usagef("name the format of standard input with --from: %s", formatNames(rdf.Formats()))
		}
		in.name, in.text = "stdin", &untilDone{ctx, p.in}
		return in, nil
	}
	if err := in.open(ctx, s.in); err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

// open opens and unpacks a file.
func (in *input) open(ctx context.Context, file string) error {
	stored, err := os.Open(file)
	if err != nil {
		return unreadable(file, err)
	}
	in.folder, in.closers = filepath.Dir(file), []io.Closer{stored}
	if info, err := stored.Stat(); err == nil && info.IsDir() {
		return fmt.Errorf("reading %s: it is a folder, and convert takes one file", file)
	}
	text, err := packed.NewReader(stored, rdf.CompressionOf(file))
	if err != nil {
		return unreadable(file, err)
	}
	in.closers = append(in.closers, text)
	head := bufio.NewReaderSize(&untilDone{ctx, text}, rdf.HeadSize)
	in.text = head
	if in.format != 0 {
		return nil
	}
	var begins []byte
	if rdf.ContentDecides(file) {
		if begins, err = head.Peek(rdf.HeadSize); err != nil && err != io.EOF {
			return unreadable(file, err)
		}
	}
	f, known, ok := rdf.FormatIn(file, begins)
	switch {
	case !ok && known != "":
		return fmt.Errorf("reading %s: it is %s, which can't be read; convert reads %s", file, known, formatNames(rdf.Formats()))
	case !ok:
		return usagef("nothing says in which format %q is: name it with --from: %s", file, formatNames(rdf.Formats()))
	}
	in.format = f
	return nil
}

// unreadable says why a file can't be read.
func unreadable(file string, err error) error {
	if damage := (*packed.Error)(nil); errors.As(err, &damage) {
		return fmt.Errorf("%s %w", file, damage)
	}
	return fmt.Errorf("reading %s: %w", file, reasonOf(err))
}

// reasonOf is an error of the system without the path, which the message already has, and in
// words that are the same on all systems where that is easy.
func reasonOf(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("it does not exist")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("permission denied")
	}
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	if l := (*os.LinkError)(nil); errors.As(err, &l) {
		return l.Err
	}
	return err
}

// untilDone is a text that ends with a context.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

func (u *untilDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}

// context finds the JSON-LD contexts that the input names: files in its folder or below it, by
// a relative IRI or by the catalogue there.
func (in *input) context(base string) func(iri string) ([]byte, error) {
	if in.folder == "" {
		return nil
	}
	return func(iri string) ([]byte, error) {
		folder, err := os.OpenRoot(in.folder)
		if err != nil {
			return nil, reasonOf(err)
		}
		defer folder.Close()
		file := inCatalog(folder, iri)
		if file == "" {
			file = strings.TrimPrefix(iri, base[:strings.LastIndexByte(base, '/')+1])
		}
		text, err := folder.Open(filepath.FromSlash(file))
		if err != nil {
			return nil, fmt.Errorf("there is no file for it beside %s", in.name)
		}
		defer text.Close()
		return io.ReadAll(io.LimitReader(text, rdf.MaxJSONLD+1))
	}
}

// inCatalog is the file that the catalogue of a folder has for an IRI; empty when there is none.
func inCatalog(folder *os.Root, iri string) string {
	r, err := folder.Open(catalog.Name)
	if err != nil {
		return ""
	}
	defer r.Close()
	c, err := catalog.Read(r, catalog.Name)
	if err != nil {
		return ""
	}
	_, to, ok := c.Lookup(iri)
	if !ok || to.Place != catalog.Beside {
		return ""
	}
	return to.Path
}

// output is the file that convert writes.
type output struct {
	name        string // for messages
	path        string // what name leads to
	compression rdf.Compression
	mode        fs.FileMode // of the file that is there; 0 when there is none
}

// writeOutput gives write the output, and returns its name for people. A file is written beside
// the one that it replaces in the end, which stays as it is after an error.
func (p *program) writeOutput(file string, write func(io.Writer) error) (name string, err error) {
	if file == standardStream {
		return "standard output", write(p.out)
	}
	o := output{name: file, path: file, compression: rdf.CompressionOf(file)}
	if to, err := filepath.EvalSymlinks(file); err == nil {
		o.path = to // this is replaced, not the link to it
	}
	switch info, err := os.Stat(file); {
	case err == nil && info.IsDir():
		return "", fmt.Errorf("writing %s: it is a folder; name a file in it", file)
	case err == nil && !info.Mode().IsRegular(): // a device or a pipe
		return file, o.inPlace(write)
	case err == nil:
		o.mode = info.Mode().Perm()
	}
	return file, o.replace(write)
}

// inPlace writes to what can't be replaced.
func (o output) inPlace(write func(io.Writer) error) error {
	out, err := os.OpenFile(o.path, os.O_WRONLY, 0)
	if err != nil {
		return o.fault(err)
	}
	return o.finish(out, write)
}

// replace writes a new file beside the old one and puts it in that one's place.
func (o output) replace(write func(io.Writer) error) (err error) {
	part := filepath.Join(filepath.Dir(o.path), fmt.Sprintf(".%s.%08x.part", filepath.Base(o.path), rand.Uint32()))
	out, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return o.fault(err)
	}
	defer func() {
		if err != nil {
			os.Remove(part)
		}
	}()
	if err := o.finish(out, write); err != nil {
		return err
	}
	if o.mode != 0 {
		if err := os.Chmod(part, o.mode); err != nil {
			return o.fault(err)
		}
	}
	if err := os.Rename(part, o.path); err != nil {
		return o.fault(err)
	}
	return nil
}

// finish writes to an open file and closes it.
func (o output) finish(out *os.File, write func(io.Writer) error) (err error) {
	defer func() {
		if closed := out.Close(); err == nil && closed != nil {
			err = o.fault(closed)
		}
	}()
	w, err := packed.NewWriter(out, o.compression)
	if err != nil {
		return o.fault(err)
	}
	if err := write(w); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return o.fault(err)
	}
	return nil
}

// fault names the file that an error is about.
func (o output) fault(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("writing %s: there is no folder %s: make it first", o.name, filepath.Dir(o.name))
	}
	return fmt.Errorf("writing %s: %w", o.name, reasonOf(err))
}
