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
	"runtime"
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
	// dir is the folder on the disk, absolute; empty where it is not on one.
	dir string
	// open gives the folder's files. Links do not lead out of it.
	open func() (fs.FS, io.Closer, error)
}

// locate finds the folders of the domains from a path as people write it. What is
// said of a folder that is missing names the whole path: the client that starts the
// program decides where a relative one begins.
func locate(c Config) ([]folder, []Skipped, error) {
	if c.FS != nil {
		return discover(c)
	}
	dir, err := cleanDir(runtime.GOOS, c.Home, c.Dir)
	if err != nil {
		return nil, nil, err
	}
	if c.Dir, err = filepath.Abs(dir); err != nil {
		return nil, nil, err
	}
	folders, skipped, err := discover(c)
	if errors.Is(err, fs.ErrNotExist) && !filepath.IsAbs(dir) {
		err = fmt.Errorf("%w; %q was looked for in the folder in which the program was started: write the whole path", err, dir)
	}
	return folders, skipped, err
}

// discover finds the folders of the domains, by path, and what lies among them
// and is none. It is an error when the domains lie deeper, and none lies here.
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
		f := folder{path: ".", dir: c.onDisk("."), open: root}
		f.name, f.note = ownName(c)
		return []folder{f}, nil, nil
	}
	var folders []folder
	var skipped []Skipped
	var deeper []string
	for _, e := range entries {
		f, reason := candidate(c, fsys, e)
		switch {
		case reason != "":
			skipped = append(skipped, Skipped{e.Name(), reason})
			if strings.HasPrefix(reason, holdsDomains) {
				deeper = append(deeper, e.Name()+": "+reason)
			}
		case f != nil:
			folders = append(folders, *f)
		}
	}
	if len(folders) == 0 && len(deeper) > 0 {
		return nil, nil, fmt.Errorf("%s holds no domain itself: %s", c.path("."), strings.Join(deeper[:min(3, len(deeper))], "; "))
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
		if (tree{fsys: fsys}).isRDF(name) {
			return nil, "an RDF file beside the folders of domains is not read: move it into one"
		}
		return nil, ""
	}
	if strings.HasPrefix(name, ".") {
		return nil, "hidden folders are skipped"
	}
	f = &folder{path: name, dir: c.onDisk(name), open: opener(c, name)}
	inside, closer, err := f.open()
	if err != nil {
		return nil, readingFault(err)
	}
	defer closer.Close()
	hasSettings := settingsIn(inside, ".") != ""
	if !hasSettings {
		t := readTree(inside)
		if len(t.domains) > 0 {
			return nil, c.deeper(name, t.domains)
		}
		if !t.hasRDF() {
			return nil, "the folder holds neither RDF files nor a " + settingsFile
		}
	}
	parsed, err := domains.ParseName(name)
	if err != nil && !hasSettings {
		return nil, fmt.Sprintf("%s; rename the folder, or add a %s with a name:", err, settingsFile)
	}
	f.name = parsed
	return f, ""
}

// holdsDomains begins the reason of a folder that is no domain because domains lie
// in it. As one domain they would lose what each domain.yaml says, its policy above all.
const holdsDomains = "it holds domain folders"

// deeper says where the domains below a folder are, and how they are served. below
// are their paths in it.
func (c Config) deeper(name string, below []string) string {
	const most = 5
	var shown, parents []string
	for i, d := range below {
		if parent := c.path(path.Join(name, path.Dir(d))); !slices.Contains(parents, parent) {
			parents = append(parents, parent)
		}
		if i < most {
			shown = append(shown, d)
		}
	}
	if len(parents) == 1 {
		for i, d := range shown {
			shown[i] = path.Base(d)
		}
	}
	if len(below) > most {
		shown = append(shown, "…")
	}
	return fmt.Sprintf("%s (%s); use --domains %s", holdsDomains, strings.Join(shown, ", "), strings.Join(parents[:min(3, len(parents))], " or "))
}

// onDisk is a folder below the folder of the domains; empty where that is not on a disk.
func (c Config) onDisk(name string) string {
	if c.FS != nil {
		return ""
	}
	return filepath.Join(c.Dir, filepath.FromSlash(name))
}

// path is a folder below the folder of the domains as one writes it on a command
// line.
func (c Config) path(name string) string {
	if c.FS != nil {
		return name
	}
	full := filepath.Join(c.Dir, filepath.FromSlash(name))
	if strings.Contains(full, " ") {
		return `"` + full + `"`
	}
	return full
}

// isDomain reports whether the folder itself is the only domain: it holds a
// domain.yaml, or RDF files and no sub-folder with any or with a domain.yaml.
func isDomain(fsys fs.FS, entries []fs.DirEntry) bool {
	if settingsIn(fsys, ".") != "" {
		return true
	}
	if here := (tree{fsys: fsys}); !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !e.IsDir() && here.isRDF(e.Name()) }) {
		return false
	}
	return !slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		if e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") {
			return false
		}
		sub := below(fsys, e.Name())
		if checkFolder(sub) != nil {
			return false
		}
		t := readTree(sub)
		return settingsIn(sub, ".") != "" || len(t.domains) > 0 || t.hasRDF()
	})
}

// mostLookedInto is how many files are opened at most to learn whether a folder holds RDF: it is
// asked again and again, also of folders with nothing but JSON.
const mostLookedInto = 100

// hasRDF reports whether a folder or one below it holds a file of an RDF syntax,
// one that can't be read included. Files whose name leaves it open are looked into last.
func (t tree) hasRDF() bool {
	var open []string
	for _, file := range t.files {
		if !mayBeRDF(file) {
			continue
		}
		if _, known, ok := rdf.FormatOf(file); ok || known != "" {
			return true
		}
		open = append(open, file)
	}
	return slices.ContainsFunc(open[:min(len(open), mostLookedInto)], t.isRDF)
}

// isRDF reports whether a file is of an RDF syntax, one that can't be read included.
func (t tree) isRDF(file string) bool {
	if strings.HasPrefix(path.Base(file), ".") {
		return false
	}
	if _, known, ok := rdf.FormatOf(file); ok || known != "" { // without a look into it
		return true
	}
	_, known, ok := t.formatOf(file)
	return ok || known != ""
}

// mayBeRDF reports whether the name of a file allows that it holds RDF.
func mayBeRDF(file string) bool {
	_, known, ok := rdf.FormatOf(file)
	return ok || known != "" || rdf.ContentDecides(file)
}

// settingsIn is the name of the file in a folder that describes the domain; empty
// when there is none. One that is not called settingsFile (domain.yml, Domain.yaml)
// counts too: ignoring it would ignore its policy. load refuses it.
func settingsIn(fsys fs.FS, dir string) string {
	if _, err := fs.Lstat(fsys, path.Join(dir, settingsFile)); err == nil {
		return settingsFile
	}
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return ""
	}
	for _, e := range entries {
		if strings.EqualFold(e.Name(), settingsFile) || strings.EqualFold(e.Name(), "domain.yml") {
			return e.Name()
		}
	}
	return ""
}

// opener opens a folder by its path relative to the folder of the domains.
func opener(c Config, name string) func() (fs.FS, io.Closer, error) {
	return func() (fs.FS, io.Closer, error) {
		if c.FS != nil {
			return below(c.FS, name), io.NopCloser(nil), nil
		}
		dir := filepath.Join(c.Dir, name)
		if info, err := os.Stat(dir); err == nil && !info.IsDir() { // OpenRoot would wait for a pipe
			return nil, nil, &fs.PathError{Op: "open", Path: dir, Err: errNoFolder}
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, nil, err
		}
		return root.FS(), root, nil
	}
}

// ownName makes a domain's name of the folder that was given. What a name can't
// hold becomes "_", because the person who started the program may not be free to
// rename the folder; note tells of that.
func ownName(c Config) (name domains.Name, note string) {
	base := "domain"
	if c.FS == nil {
		base = filepath.Base(c.Dir)
	}
	if name, err := domains.ParseName(base); err == nil {
		return name, ""
	}
	clean := strings.Map(func(r rune) rune {
		if _, err := domains.ParseName("a" + string(r)); err != nil {
			return '_'
		}
		return r
	}, strings.TrimLeft(base, "."))
	clean = cmp.Or(clean[:min(64, len(clean))], "domain")
	return domains.Name(clean), fmt.Sprintf("the folder's name %q can't be a domain's: it is served as %q; set name: to choose another", base, clean)
}

// splitNameless takes out the folders that have no name for a domain: their own is
// none, and domain.yaml gives none either.
func splitNameless(found []*domain) (named []*domain, nameless []Skipped) {
	for _, d := range found {
		if d.info.Name != "" {
			named = append(named, d)
			continue
		}
		nameless = append(nameless, Skipped{d.folder.path, d.whyNameless()})
	}
	return named, nameless
}

// settleNames orders the domains by name. Of several with one name the first
// published one keeps it; the others are unavailable, under the name of their folder
// and, where that is taken too, with a number behind it. One that is not published
// gets its name when all that are have theirs, so nobody else learns of it.
func settleNames(found []*domain) []*domain {
	taken := map[domains.Name]*domain{}
	settle := func(hidden bool) {
		var late []*domain
		for _, d := range found {
			switch {
			case d.hidden != hidden:
			case taken[d.info.Name] != nil:
				late = append(late, d)
			default:
				taken[d.info.Name] = d
			}
		}
		for _, d := range late {
			d.rename(taken)
			taken[d.info.Name] = d
		}
	}
	settle(false)
	settle(true)
	out := slices.Clone(found)
	slices.SortFunc(out, func(a, b *domain) int { return cmp.Compare(a.info.Name, b.info.Name) })
	return out
}

// rename makes a domain unavailable whose name is taken, and finds it another.
func (d *domain) rename(taken map[domains.Name]*domain) {
	d.bar(fmt.Sprintf("the name %q is taken by the domain in folder %q: set another name: in %s",
		d.info.Name, taken[d.info.Name].folder.path, path.Join(d.folder.path, settingsFile)))
	base := cmp.Or(d.folder.name, d.info.Name)
	d.info.Name = base
	for n := 2; taken[d.info.Name] != nil; n++ {
		d.info.Name = domains.Name(fmt.Sprintf("%s-%d", base, n))
	}
}
