package rdfgraph

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// source is an RDF file of a domain.
type source struct {
	path   string // relative to the domain's folder, with forward slashes
	format rdf.Format
}

// tree is what a folder holds: its files, and what of it can't be read.
type tree struct {
	fsys     fs.FS
	files    []string // by path, RDF or not
	domains  []string // folders with a domain.yaml of their own, by path; none lies in another
	problems []domains.Problem
}

// domainOf is the folder of domains in which a file lies; empty when there is none.
func (t tree) domainOf(file string) string {
	for _, d := range t.domains {
		if d == "." || strings.HasPrefix(file, d+"/") {
			return d
		}
	}
	return ""
}

// readTree lists the files below a folder. Hidden files and folders are left out;
// links are followed inside the folder. A link that leads elsewhere, or back to a
// folder in which it lies, and a folder that can't be read are problems. A domain.yaml
// of the folder itself says nothing here: whose it is, is the caller's to know.
func readTree(fsys fs.FS) tree {
	t := tree{fsys: fsys}
	t.walk(fsys, ".", nil)
	slices.Sort(t.files)
	slices.Sort(t.domains)
	slices.SortFunc(t.problems, func(a, b domains.Problem) int { return cmp.Compare(a.File, b.File) })
	return t
}

// walk reads a folder; above are the folders in which it lies.
func (t *tree) walk(fsys fs.FS, dir string, above []fs.FileInfo) {
	info, err := fs.Stat(fsys, dir)
	if err != nil {
		t.problem(dir, readingFault(err))
		return
	}
	for _, up := range above {
		if os.SameFile(up, info) {
			t.problem(dir, "the link leads back to a folder in which it lies: remove it")
			return
		}
	}
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		t.problem(dir, readingFault(err))
		return
	}
	if dir != "." && t.domainOf(dir) == "" && settingsIn(fsys, dir) != "" {
		t.domains = append(t.domains, dir)
	}
	above = append(slices.Clip(above), info)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		name := path.Join(dir, e.Name())
		isDir := e.IsDir()
		if e.Type()&fs.ModeSymlink != 0 {
			target, err := fs.Stat(fsys, name)
			if err != nil {
				t.problem(name, linkFault(err))
				continue
			}
			isDir = target.IsDir()
		}
		if isDir {
			t.walk(fsys, name, above)
			continue
		}
		t.files = append(t.files, name)
	}
}

func (t *tree) problem(file, message string) {
	t.problems = append(t.problems, domains.Problem{File: file, Message: message})
}

// readingFault says why a file or folder can't be read. The system's message is
// cut down to its reason: it may name places outside the folder.
func readingFault(err error) string {
	var packed *packedError
	switch {
	case errors.As(err, &packed):
		return packed.Fault()
	case errors.Is(err, errIrregular):
		return errIrregular.Error()
	case errors.Is(err, errNoFolder):
		return errNoFolder.Error()
	case errors.Is(err, fs.ErrPermission):
		return "can't be read: permission denied"
	case errors.Is(err, fs.ErrNotExist):
		return "can't be read: it does not exist"
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Sprintf("can't be read: %s", err)
}

func linkFault(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "the link leads nowhere: remove it"
	}
	return "the link can't be followed: it must stay inside the domain's folder; copy its target there"
}

// ownDomain is the problem of a folder inside a domain that is one itself.
const ownDomain = "the folder has a " + settingsFile + " of its own, so its files are left out: move the folder beside this domain's, or remove its " + settingsFile

// sources chooses the RDF files of a version among those of its folder: the files
// that the patterns of domain.yaml name, or every RDF file when there are none.
// What is asked for and can't be read is a problem, and so is what belongs to another
// domain: read here, it would be served under this domain's policy.
func sources(t tree, s *settings, places map[string]place) ([]source, []domains.Problem) {
	var out []source
	var problems []domains.Problem
	taken := map[string]bool{}
	take := func(file string, asked bool) {
		if taken[file] {
			return
		}
		taken[file] = true
		format, known, ok := t.formatOf(file)
		switch other := t.domainOf(file); {
		case other != "" && (ok || known != "" || asked):
			if !taken[other] {
				problems = append(problems, domains.Problem{File: other, Message: ownDomain})
			}
			taken[other] = true
		case ok:
			out = append(out, source{file, format})
		case known != "":
			problems = append(problems, domains.Problem{File: file, Message: known + unreadable(known)})
		case asked:
			problems = append(problems, domains.Problem{File: file,
				Message: "neither the name nor the beginning says which RDF syntax the file has: Turtle files end in .ttl, RDF/XML files in .rdf or .owl"})
		}
	}
	if s.Ontology == nil && s.Data == nil {
		for _, f := range t.files {
			take(f, false)
		}
	}
	for _, list := range []struct {
		key      string
		patterns []string
	}{{"ontology", s.Ontology}, {"data", s.Data}} {
		for _, pattern := range list.patterns {
			found := false
			for _, f := range t.files {
				if matchPattern(pattern, f) {
					found = true
					take(f, true)
				}
			}
			if !found {
				p := places[list.key]
				problems = append(problems, domains.Problem{File: settingsFile, Line: p.line, Column: p.column,
					Message: fmt.Sprintf("no file matches %q in %s", pattern, list.key)})
			}
		}
	}
	slices.SortFunc(out, func(a, b source) int { return cmp.Compare(a.path, b.path) })
	return out, problems
}

// unreadable says what to do with a file whose syntax, as [rdf.FormatOf] knows it, can't
// be read.
func unreadable(known string) string {
	if inside, ok := strings.CutPrefix(known, "compressed "); ok && slices.ContainsFunc(rdf.Formats(), func(f rdf.Format) bool { return f.String() == inside }) {
		return " is read only with gzip (.gz) or zstd (.zst), and compressed once: unpack the file, or compress it with one of these"
	}
	return " can't be read: convert the file to Turtle (.ttl) or RDF/XML (.rdf)" + convertWith[known]
}

// convertWith says what converts a syntax that can't be read: its name → what follows the
// advice to convert it.
var convertWith = map[string]string{
	"OBO":                   ", for example with robot convert",
	"OWL/XML":               ", for example with robot convert",
	"OWL functional syntax": ", for example with robot convert",
	"OWL Manchester syntax": ", for example with robot convert",
}

// formatOf is rdf.FormatOf, and looks into files whose name leaves it open. One that can't be
// read is what its name says; whoever reads it says why.
func (t tree) formatOf(file string) (f rdf.Format, known string, ok bool) {
	if !rdf.ContentDecides(file) {
		return rdf.FormatOf(file)
	}
	head, err := t.head(file)
	if err != nil {
		return rdf.FormatOf(file)
	}
	return rdf.FormatIn(file, head)
}

// head is the beginning of a file's text.
func (t tree) head(file string) ([]byte, error) {
	in, err := openRegular(t.fsys, file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := unpack(&storedReader{ctx: context.Background(), r: in, sum: sha256.New()}, rdf.CompressionOf(file))
	if err != nil {
		return nil, err
	}
	defer text.Close()
	return io.ReadAll(io.LimitReader(text, rdf.HeadSize))
}

// checkPattern reports what is wrong with a pattern of domain.yaml.
func checkPattern(pattern string) error {
	switch {
	case strings.Contains(pattern, `\`):
		return fmt.Errorf("pattern %q: write forward slashes", pattern)
	case pattern == "":
		return errors.New("a pattern is empty: write a file's name, or *.ttl")
	case path.IsAbs(pattern), len(pattern) > 1 && pattern[1] == ':', slices.Contains(strings.Split(pattern, "/"), ".."):
		return fmt.Errorf("pattern %q leaves the domain's folder: patterns are relative to it", pattern)
	}
	for _, part := range strings.Split(pattern, "/") {
		if _, err := path.Match(part, ""); err != nil {
			return fmt.Errorf("pattern %q: %q is not a pattern", pattern, part)
		}
	}
	return nil
}

// matchPattern reports whether a path fits a pattern: "*" and "?" stand for what
// is inside one name, "**" for any number of folders. It takes at most as many
// comparisons as the pattern has parts times the path has names.
func matchPattern(pattern, file string) bool {
	return matchParts(strings.Split(path.Clean(pattern), "/"), strings.Split(file, "/"))
}

// matchParts goes through the pattern once. Where names stop to fit, only the last
// "**" need take one name more: what came before it fits already, and an earlier one
// that took more would leave less for the rest.
func matchParts(pattern, file []string) bool {
	p, f := 0, 0
	after, from := -1, 0 // the part after the last "**", and the name it was tried at
	for f < len(file) {
		switch {
		case p < len(pattern) && pattern[p] == "**":
			p++
			after, from = p, f
			if p == len(pattern) {
				return true
			}
		case p < len(pattern) && matchName(pattern[p], file[f]):
			p, f = p+1, f+1
		case after < 0:
			return false
		default:
			from++
			p, f = after, from
		}
	}
	for p < len(pattern) && pattern[p] == "**" {
		p++
	}
	return p == len(pattern)
}

func matchName(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}
