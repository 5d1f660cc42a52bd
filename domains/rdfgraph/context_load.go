package rdfgraph

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph/dataset"
	"github.com/ontogate/ontogate/domains/rdfgraph/remote"
)

// tableExtensions are those of files that datasets may be in.
var tableExtensions = []string{".csv", ".tsv", ".tab"}

// isTable reports whether a file may be a dataset: its changes count.
func isTable(name string) bool {
	return slices.Contains(tableExtensions, strings.ToLower(path.Ext(name)))
}

// declare resolves the context of the classes in domain.yaml; nil where there is none. What
// cannot be used is a problem, a warning or a note. The only error is that ctx ended.
func (l *loader) declare(ctx context.Context, onto *domains.Ontology, g *graph) (*declared, error) {
	out := &declared{info: l.info, ontology: onto, graph: g, calls: l.calls}
	for _, name := range sortedNames(l.settings.Classes) {
		iris, _, ok := onto.ResolveClass(name)
		if !ok {
			continue // checkClasses says so
		}
		at, set := join("classes", name), l.settings.Classes[name]
		if slices.ContainsFunc(out.classes, func(c declaredClass) bool { return c.IRI == iris[0] }) {
			l.warnAt(at, "the class %q is written under another name too: this part is left out", name)
			continue
		}
		class := declaredClass{actionURLs: map[string]*url.URL{}, functionURLs: map[string]*url.URL{}}
		class.Name, class.IRI = onto.NameOf(iris[0], l.settings.Languages), iris[0]
		if err := l.declareDataset(ctx, at+".dataset", set.Dataset, &class); err != nil {
			return nil, err
		}
		for _, b := range set.Bridges {
			if b.Domain != "" && b.Class != "" {
				class.Bridges = append(class.Bridges, domains.Bridge{Domain: domains.Name(b.Domain), Class: b.Class, Label: b.Label})
			}
		}
		l.declareActions(at, set, &class)
		class.properties = newTaken(onto, iris[0])
		l.declareFunctions(at, set, &class)
		if !class.IsEmpty() {
			out.classes = append(out.classes, class)
		}
	}
	sortClasses(out.classes)
	out.sumUp()
	if len(out.classes) == 0 {
		return nil, nil
	}
	return out, nil
}

// sums are the digests of the tables, for the revision.
func (d *declared) sums() (out [][]byte) {
	if d == nil {
		return nil
	}
	for _, c := range d.classes {
		if c.table != nil {
			sum := c.table.Sum()
			out = append(out, sum[:])
		}
	}
	return out
}

// noteAt notes what is left out on purpose.
func (l *loader) noteAt(at, format string, args ...any) {
	p := l.places[at]
	l.notes = append(l.notes, domains.Problem{File: settingsFile, Line: p.line, Column: p.column, Message: fmt.Sprintf(format, args...)})
}

// declareDataset declares a dataset, and reads its file.
func (l *loader) declareDataset(ctx context.Context, at string, set *datasetSettings, class *declaredClass) error {
	if set == nil || set.Name == "" && set.File == "" && set.Key == "" && set.Description == "" {
		return nil
	}
	class.Dataset = &domains.Dataset{FullName: cmp.Or(set.Name, set.File), Key: set.Key, Description: set.Description}
	class.noRows = "No file is configured for this dataset, so there are no rows to fetch."
	switch {
	case set.File == "" || set.Key == "":
		return nil
	case !fs.ValidPath(set.File):
		class.noRows = "The file of this dataset cannot be read."
		return nil // warn says so
	case !isTable(set.File):
		class.noRows = "The file of this dataset cannot be read."
		l.problemAt(at+".file", "dataset file %q: name a file that ends with .csv, .tsv or .tab", set.File)
		return nil
	}
	t, err := dataset.Open(ctx, folderFS{l.folder}, set.File, dataset.Options{Key: set.Key})
	var fault *dataset.Error
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &fault) && fault.Line == 0:
		class.noRows = "The file of this dataset cannot be read."
		l.problemAt(at+".file", "dataset file %q %s", set.File, fault.Message)
		return nil
	case errors.As(err, &fault):
		class.noRows = "The file of this dataset cannot be read."
		l.problems = append(l.problems, domains.Problem{File: set.File, Line: fault.Line, Column: fault.Column, Message: fault.Message})
		return nil
	case err != nil:
		return err
	}
	class.table = t
	for _, w := range t.Warnings() {
		l.warnings = append(l.warnings, domains.Problem{File: set.File, Line: w.Line, Column: w.Column, Message: w.Message})
	}
	return nil
}

func (l *loader) problemAt(at, format string, args ...any) {
	p := l.places[at]
	l.problems = append(l.problems, domains.Problem{File: settingsFile, Line: p.line, Column: p.column, Message: fmt.Sprintf(format, args...)})
}

// endpointOf reads the URL of a function. It is nil for one that is left out, which is noted.
func (l *loader) endpointOf(at, name, raw string) *url.URL {
	if raw == "" {
		l.noteAt(at, "%s has no url, so it cannot be called: it is left out", name)
		return nil
	}
	u, err := remote.Check(raw)
	if err != nil {
		return nil // validateClass says so
	}
	if !l.calls.client.Allows(u) {
		l.noteAt(at+".url", "%s is left out: the host %s is not allowed; to allow it, start with --allow-action-host %s", name, remote.Host(u), remote.Host(u))
		return nil
	}
	return u
}

func (l *loader) declareActions(at string, set classSettings, class *declaredClass) {
	for i, a := range set.Actions {
		u := l.endpointOf(fmt.Sprintf("%s.actions[%d]", at, i), a.Name, a.URL)
		if u != nil && class.actionURLs[a.Name] != nil {
			l.warnAt(fmt.Sprintf("%s.actions[%d]", at, i), "the class has another action named %s: this one is left out", a.Name)
		}
		if u == nil || a.Name == "" || class.actionURLs[a.Name] != nil {
			continue
		}
		class.actionURLs[a.Name] = u
		class.Actions = append(class.Actions, domains.Action{
			FullName: a.Name, Function: cmp.Or(a.Function, lastPart(a.Name)), Description: a.Description, ReturnsTable: isTrue(a.ReturnsTable),
		})
	}
}

func (l *loader) declareFunctions(at string, set classSettings, class *declaredClass) {
	names := class.properties.clone()
	for i, v := range set.VirtualAttributes {
		u := l.endpointOf(fmt.Sprintf("%s.virtual_attributes[%d]", at, i), v.Name, v.URL)
		if u != nil && class.functionURLs[v.Name] != nil {
			l.warnAt(fmt.Sprintf("%s.virtual_attributes[%d]", at, i), "the class has another function named %s: this one is left out", v.Name)
		}
		if u == nil || v.Name == "" || class.functionURLs[v.Name] != nil {
			continue
		}
		f := domains.Function{FullName: v.Name, Function: cmp.Or(v.Function, lastPart(v.Name)), Description: v.Description, ReturnsTable: isTrue(v.ReturnsTable)}
		for _, a := range v.Attributes {
			if a.Name == "" {
				continue
			}
			f.Attributes = append(f.Attributes, domains.VirtualAttribute{
				Name: a.Name, Column: cmp.Or(a.Column, a.Name), Label: a.Label, DataType: a.Type,
			})
		}
		f.Attributes = names.rename(f.Attributes)
		class.functionURLs[v.Name] = u
		class.Functions = append(class.Functions, f)
	}
}

func isTrue(b *bool) bool { return b != nil && *b }

// lastPart is the last part of catalog.schema.function.
func lastPart(full string) string { return full[strings.LastIndexByte(full, '.')+1:] }

// taken are the names that the attributes of a class have, whatever the case.
type taken struct{ names map[string]bool }

// newTaken has the names of the properties that a class has: labels and local names.
func newTaken(o *domains.Ontology, class string) *taken {
	t := &taken{map[string]bool{}}
	above := o.WithSuperClasses(class)
	for _, p := range o.Properties {
		if !slices.ContainsFunc(p.Domains, func(d string) bool { return slices.Contains(above, d) }) {
			continue
		}
		t.names[strings.ToLower(domains.LocalName(p.IRI))] = true
		for _, l := range p.Labels {
			t.names[strings.ToLower(l.Value)] = true
		}
	}
	return t
}

func (t *taken) clone() *taken { return &taken{maps.Clone(t.names)} }

// rename gives attributes names that are not taken yet.
func (t *taken) rename(in []domains.VirtualAttribute) []domains.VirtualAttribute {
	out := slices.Clone(in)
	for i := range out {
		out[i].Name = t.take(out[i].Name)
	}
	return out
}

// take gives a name, with _2 or a higher number behind it where it is taken.
func (t *taken) take(name string) string {
	out := name
	for n := 2; t.names[strings.ToLower(out)]; n++ {
		out = fmt.Sprintf("%s_%d", name, n)
	}
	t.names[strings.ToLower(out)] = true
	return out
}

// folderFS opens files of a domain's folder after the folder was loaded.
type folderFS struct{ folder folder }

// Open opens a regular file. The folder is closed with it.
func (f folderFS) Open(name string) (fs.File, error) {
	fsys, closer, err := f.folder.open()
	if err != nil {
		return nil, err
	}
	file, err := openRegular(fsys, name)
	if err != nil {
		closer.Close()
		return nil, err
	}
	if at, ok := file.(io.ReaderAt); ok {
		return readerFile{file, at, closer}, nil
	}
	return folderFile{file, closer}, nil
}

// folderFile is a file that closes its folder.
type folderFile struct {
	fs.File
	folder io.Closer
}

// Close closes both.
func (f folderFile) Close() error { return errors.Join(f.File.Close(), f.folder.Close()) }

// readerFile is a folderFile that can be read from any place.
type readerFile struct {
	fs.File
	io.ReaderAt
	folder io.Closer
}

// Close closes both.
func (f readerFile) Close() error { return errors.Join(f.File.Close(), f.folder.Close()) }
