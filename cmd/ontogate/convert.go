package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/packed"
)

func (p *program) convertCommand() *cobra.Command {
	var s convertSettings
	cmd := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Write an RDF file in another format",
		Long: `Read the RDF file IN and write what it says to OUT in another format. The formats
are those of the extensions: Turtle (.ttl), N-Triples (.nt), TriG (.trig), N-Quads
(.nq), JSON-LD (.jsonld), and for IN also RDF/XML (.rdf, .owl); with .gz or .zst after
that they are compressed. "-" is standard input or output, for which --from or --to
names the format: turtle, ntriples, trig, nquads, rdfxml or jsonld, or an extension.

OUT is replaced when all of it is written, and stays as it is when something fails.
The prefixes of IN are declared in OUT where they are used. What the format of OUT has
no way to say, such as named graphs in Turtle, is an error that names it. Nothing
is fetched: the contexts of JSON-LD are looked for beside IN, and in its
catalog-v001.xml.

N-Triples and N-Quads are written as IN is read, with what it says twice twice; the
other formats, and --canonical, say each thing once.

Exit code 0: OUT is written; 1: IN can't be read, which is told with file, line and
column, or OUT can't be written; 2: the command line is wrong.`,
		Example: "  ontogate convert library.ttl library.jsonld\n  ontogate convert --canonical library.ttl library.nq\n" +
			"  curl https://example.org/data.ttl | ontogate convert --from turtle --base https://example.org/data.ttl - data.nt.gz",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef(`convert takes two files, IN and OUT, and was given %d; "-" is standard input or output, and a path that holds spaces needs quotes`, len(args))
			}
			return nil
		},
		RunE: p.body(func(ctx context.Context, args []string) error {
			s.in, s.out = args[0], args[1]
			return p.convert(ctx, s)
		}),
	}
	cmd.Flags().StringVar(&s.from, "from", "", "format of IN, where its extension does not say it: "+formatNames(rdf.Formats()))
	cmd.Flags().StringVar(&s.to, "to", "", "format of OUT, where its extension does not say it: "+formatNames(writable()))
	cmd.Flags().StringVar(&s.base, "base", "", "absolute IRI against which relative IRIs in IN are resolved")
	cmd.Flags().BoolVar(&s.canonical, "canonical", false, "write N-Quads or N-Triples in the one form that equal graphs share (RDFC-1.0)")
	return cmd
}

// convertSettings are the flags and arguments of convert.
type convertSettings struct {
	in, out        string // files; standardStream is standard input or output
	from, to, base string
	canonical      bool
}

// standardStream is the argument that stands for standard input or output.
const standardStream = "-"

// formatsByName are the formats by the names that --from and --to take.
var formatsByName = map[string]rdf.Format{
	"turtle": rdf.Turtle, "ntriples": rdf.NTriples, "trig": rdf.TriG, "nquads": rdf.NQuads, "rdfxml": rdf.RDFXML, "jsonld": rdf.JSONLD,
}

// writable are the formats that can be written.
func writable() []rdf.Format {
	return slices.DeleteFunc(rdf.Formats(), func(f rdf.Format) bool { return f == rdf.RDFXML })
}

// formatNames are the names of formats, for a sentence.
func formatNames(formats []rdf.Format) string {
	var names []string
	for _, f := range formats {
		for name, of := range formatsByName {
			if of == f {
				names = append(names, name)
			}
		}
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// namedFormat is the format that a flag names: a name, or an extension with or
// without its point.
func namedFormat(flag, name string, allowed []rdf.Format) (rdf.Format, error) {
	f, ok := formatsByName[strings.ToLower(name)]
	if !ok {
		if f, _, ok = rdf.FormatOf("." + strings.TrimPrefix(name, ".")); ok {
			ok = rdf.CompressionOf(name) == 0
		}
	}
	switch {
	case !ok:
		return 0, usagef("%s %q is no format that is known: write %s", flag, name, formatNames(allowed))
	case !slices.Contains(allowed, f):
		return 0, usagef("%s is read only: write %s", f, formatNames(allowed))
	}
	return f, nil
}

// target is the format to write.
func (s convertSettings) target() (rdf.Format, error) {
	f, known, ok := rdf.Format(0), "", false
	switch {
	case s.to != "":
		var err error
		if f, err = namedFormat("--to", s.to, writable()); err != nil {
			return 0, err
		}
	case s.out == standardStream:
		return 0, usagef("name the format of standard output with --to: %s", formatNames(writable()))
	default:
		if f, known, ok = rdf.FormatOf(s.out); !ok && known != "" {
			if strings.HasPrefix(known, "compressed ") {
				return 0, usagef("%s is written only with gzip (.gz) or zstd (.zst): give OUT one of these extensions", strings.TrimPrefix(known, "compressed "))
			}
			return 0, usagef("%s can't be written: give OUT an extension such as .ttl or .nq, or name its format with --to: %s", known, formatNames(writable()))
		} else if !ok {
			return 0, usagef("the extension of %q names no format that is known: use .ttl, .nt, .trig, .nq or .jsonld, or name the format with --to: %s", s.out, formatNames(writable()))
		}
	}
	switch {
	case f == rdf.RDFXML:
		return 0, usagef("RDF/XML is read only: give OUT another extension, such as .ttl, or name its format with --to: %s", formatNames(writable()))
	case s.canonical && f != rdf.NQuads && f != rdf.NTriples:
		return 0, usagef("--canonical is for N-Quads and N-Triples, and OUT is %s: leave it out, or write .nq or .nt", f)
	}
	return f, nil
}

// convert reads and writes.
func (p *program) convert(ctx context.Context, s convertSettings) error {
	to, err := s.target()
	if err != nil {
		return err
	}
	if base, err := url.Parse(s.base); s.base != "" && (err != nil || !base.IsAbs()) {
		return usagef("--base %q is no absolute IRI: give one such as https://example.org/data", s.base)
	}
	in, err := p.openInput(ctx, s)
	if err != nil {
		return err
	}
	defer in.Close()
	var n int
	name, err := p.writeOutput(s.out, func(w io.Writer) error {
		var err error
		n, err = in.writeTo(w, to, s)
		return err
	})
	var syntax *rdf.SyntaxError
	var cannot *rdf.UnsayableError
	var damage *packed.Error
	switch {
	case errors.As(err, &syntax):
		line := syntax.Error()
		if s.base == "" && strings.Contains(line, "no base") {
			line += "; or give convert the IRI with --base"
		}
		fmt.Fprintln(p.err, oneLine(line))
		return errAnswered
	case errors.As(err, &cannot):
		return fmt.Errorf("%w (the triple is %s)", cannot, clip(cannot.Quad.Triple.String()))
	case errors.As(err, &damage):
		return unreadable(in.name, damage)
	case err != nil:
		return err
	}
	fmt.Fprintf(p.err, "written: %s, %s (%s → %s)\n", oneLine(name), count(n, "quad"), in.format, to)
	return nil
}

// writeLines is writeTo for N-Triples and N-Quads, which are written while the input is read.
func (in *input) writeLines(w io.Writer, to rdf.Format, s convertSettings) (n int, err error) {
	var failed error
	counter := &lineCounter{w: w}
	err = rdf.Write(counter, to, rdf.WriteOptions{Canonical: s.canonical}, func(yield func(rdf.Quad) bool) {
		for q := range in.quads(s.base, nil, &failed) {
			n++
			if !yield(q) {
				return
			}
		}
	})
	if s.canonical { // each quad once
		n = counter.lines
	}
	if failed != nil { // what was written is not whole
		return n, failed
	}
	return n, err
}

// writeTo writes what the input says in a format, and returns how many quads that is.
func (in *input) writeTo(w io.Writer, to rdf.Format, s convertSettings) (n int, err error) {
	if to == rdf.NTriples || to == rdf.NQuads {
		return in.writeLines(w, to, s)
	}
	// What declares its prefixes at its head can't be begun before all is read.
	var failed error
	var o rdf.WriteOptions
	var all []rdf.Quad
	seen := make(map[rdf.Quad]bool)
	for q := range in.quads(s.base, func(p rdf.Prefix) { o.Prefixes = append(o.Prefixes, p) }, &failed) {
		if !seen[q] {
			seen[q] = true
			all = append(all, q)
		}
	}
	if failed != nil {
		return 0, failed
	}
	return len(all), rdf.Write(w, to, o, slices.Values(all))
}

// lineCounter counts the lines that are written.
type lineCounter struct {
	w     io.Writer
	lines int
}

func (c *lineCounter) Write(p []byte) (int, error) {
	c.lines += bytes.Count(p, []byte{'\n'})
	return c.w.Write(p)
}

// quads are what the input says. Prefix is told the prefixes, and failed what ended the reading.
func (in *input) quads(base string, prefix func(rdf.Prefix), failed *error) iter.Seq[rdf.Quad] {
	return func(yield func(rdf.Quad) bool) {
		options := rdf.Options{File: in.name, Base: base, Context: in.context(base), Prefix: prefix}
		err := rdf.Read(in.text, in.format, options, func(q rdf.Quad) error {
			if !yield(q) {
				return errEnough
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			*failed = err
		}
	}
}

// clip cuts a text that is too long for a message.
func clip(text string) string {
	const most = 300
	if runes := []rune(text[:min(len(text), 4*most)]); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// errEnough ends reading.
var errEnough = errors.New("enough")
