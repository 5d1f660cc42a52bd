package rdfgraph

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// folder is a folder that holds a domain.
type folder struct {
	// path is relative to the folder of the domains; "." is that folder itself.
	path string
	// name is the domain's name where domain.yaml gives none.
	name domains.Name
	// note is what to tell of the name; empty when there is nothing.
	note string
	// open gives the folder's files. Links do not lead out of it.
	open func() (fs.FS, io.Closer, error)
}

// discover finds the folders of the domains, by path, and what lies among them
// and is none.
func discover(c Config) ([]folder, []Skipped, error) {
	root := opener(c, ".")
	fsys, closer, err := root()
	if err != nil {
		return nil, nil, err
	}
	defer closer.Close()
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, nil, err
	}
	if isDomain(fsys, entries) {
		f := folder{path: ".", open: root}
		f.name, f.note, err = ownName(c)
		return []folder{f}, nil, err
	}
	var folders []folder
	var skipped []Skipped
	for _, e := range entries {
		f, reason := candidate(c, fsys, e)
		switch {
		case reason != "":
			skipped = append(skipped, Skipped{e.Name(), reason})
		case f != nil:
			folders = append(folders, *f)
		}
	}
	return folders, skipped, nil
}

// candidate decides whether an entry of the folder of domains is a domain. It is
// not when reason says why; a file without meaning here has neither.
func candidate(c Config, fsys fs.FS, e fs.DirEntry) (f *folder, reason string) {
	name := e.Name()
	isDir := e.IsDir()
	if e.Type()&fs.ModeSymlink != 0 && c.FS == nil {
		info, err := os.Stat(filepath.Join(c.Dir, name)) // a domain's folder may be a link to anywhere
		if err != nil {
			return nil, "the link can't be followed"
		}
		isDir = info.IsDir()
	}
	if !isDir {
		if isRDF(name) {
			return nil, "an RDF file beside the folders of domains is not read: move it into one"
		}
		return nil, ""
	}
	if strings.HasPrefix(name, ".") {
		return nil, "hidden folders are skipped"
	}
	f = &folder{path: name, open: opener(c, name)}
	inside, closer, err := f.open()
	if err != nil {
		return nil, readingFault(err)
	}
	defer closer.Close()
	hasSettings := exists(inside, settingsFile)
	if !hasSettings && !hasRDF(inside) {
		return nil, "the folder holds neither RDF files nor a " + settingsFile
	}
	parsed, err := domains.ParseName(name)
	if err != nil && !hasSettings {
		return nil, fmt.Sprintf("%s; rename the folder, or add a %s with a name:", err, settingsFile)
	}
	f.name = parsed
	return f, ""
}

// isDomain reports whether the folder itself is the only domain: it holds a
// domain.yaml, or RDF files and no sub-folder with any.
func isDomain(fsys fs.FS, entries []fs.DirEntry) bool {
	if exists(fsys, settingsFile) {
		return true
	}
	if !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !e.IsDir() && isRDF(e.Name()) }) {
		return false
	}
	return !slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		if e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") {
			return false
		}
		sub, err := fs.Sub(fsys, e.Name())
		return err == nil && (exists(sub, settingsFile) || hasRDF(sub))
	})
}

// hasRDF reports whether a folder or one below it holds a file of an RDF syntax,
// one that can't be read yet included.
func hasRDF(fsys fs.FS) bool {
	return slices.ContainsFunc(readTree(fsys).files, isRDF)
}

func isRDF(file string) bool {
	_, known, ok := rdf.FormatOf(file)
	return !strings.HasPrefix(path.Base(file), ".") && (ok || known != "")
}

func exists(fsys fs.FS, name string) bool {
	_, err := fs.Lstat(fsys, name)
	return err == nil
}

// opener opens a folder by its path relative to the folder of the domains.
func opener(c Config, name string) func() (fs.FS, io.Closer, error) {
	return func() (fs.FS, io.Closer, error) {
		if c.FS != nil {
			sub, err := fs.Sub(c.FS, name)
			return sub, io.NopCloser(nil), err
		}
		if c.Dir == "" {
			return nil, nil, errors.New("no folder is given")
		}
		root, err := os.OpenRoot(filepath.Join(c.Dir, name))
		if err != nil {
			return nil, nil, err
		}
		return root.FS(), root, nil
	}
}

// ownName makes a domain's name of the folder that was given. What a name can't
// hold becomes "_", because the person who started the program may not be free to
// rename the folder; note tells of that.
func ownName(c Config) (name domains.Name, note string, err error) {
	base := "domain"
	if c.FS == nil {
		abs, err := filepath.Abs(c.Dir)
		if err != nil {
			return "", "", err
		}
		base = filepath.Base(abs)
	}
	if name, err := domains.ParseName(base); err == nil {
		return name, "", nil
	}
	clean := strings.Map(func(r rune) rune {
		if _, err := domains.ParseName("a" + string(r)); err != nil {
			return '_'
		}
		return r
	}, strings.TrimLeft(base, "."))
	clean = cmp.Or(clean[:min(64, len(clean))], "domain")
	return domains.Name(clean), fmt.Sprintf("the folder's name %q can't be a domain's: it is served as %q; set name: to choose another", base, clean), nil
}

// splitNameless takes out the folders that have no name for a domain: their own is
// none, and domain.yaml gives none either.
func splitNameless(found []*domain) (named []*domain, nameless []Skipped) {
	for _, d := range found {
		if d.info.Name != "" {
			named = append(named, d)
			continue
		}
		_, err := domains.ParseName(d.folder.path)
		reason := fmt.Sprintf("%s; rename the folder, or set name: in its %s", err, settingsFile)
		if len(d.problems) > 0 {
			reason += fmt.Sprintf(" (%s)", d.problems[0])
		}
		nameless = append(nameless, Skipped{d.folder.path, reason})
	}
	return named, nameless
}

// settleNames orders the domains by name. Of several with one name the first
// folder keeps it; the others are unavailable, under the name of their folder and,
// where that is taken too, with a number behind it.
func settleNames(found []*domain) []*domain {
	taken := map[domains.Name]*domain{}
	var late []*domain
	for _, d := range found {
		if taken[d.info.Name] != nil {
			late = append(late, d)
			continue
		}
		taken[d.info.Name] = d
	}
	for _, d := range late {
		first := taken[d.info.Name]
		d.bar(fmt.Sprintf("the name %q is taken by the domain in folder %q: set another name: in %s",
			d.info.Name, first.folder.path, path.Join(d.folder.path, settingsFile)))
		base := string(cmp.Or(d.folder.name, d.info.Name))
		d.info.Name = domains.Name(base)
		for n := 2; taken[d.info.Name] != nil; n++ {
			d.info.Name = domains.Name(fmt.Sprintf("%s-%d", base, n))
		}
		taken[d.info.Name] = d
	}
	out := slices.Clone(found)
	slices.SortFunc(out, func(a, b *domain) int { return cmp.Compare(a.info.Name, b.info.Name) })
	return out
}
