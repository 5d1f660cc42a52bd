package rdfgraph

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ontogate/ontogate/domains/rdf"
)

// outsideMark begins the paths of files that are not below a domain's folder but on the
// ontology path; the number of the folder there follows, from 1, and the path in it. No file
// of a folder has such a path, since no name is empty.
const outsideMark = "ontology-path://"

// outsideName is the path of a file in a folder of the ontology path.
func outsideName(dir int, name string) string { return fmt.Sprintf("%s%d/%s", outsideMark, dir, name) }

// OnOntologyPath says where a file is that a report names: in which folder of
// Config.OntologyPath, from 0, and under which path there. ok is false for files of a domain's
// own folder.
func OnOntologyPath(file string) (dir int, name string, ok bool) {
	rest, is := strings.CutPrefix(file, outsideMark)
	if !is {
		return 0, "", false
	}
	number, name, _ := strings.Cut(rest, "/")
	n, err := strconv.Atoi(number)
	return n - 1, name, err == nil && n > 0
}

// isOutside reports whether a file is on the ontology path.
func isOutside(file string) bool { return strings.HasPrefix(file, outsideMark) }

// inVersion is a file of a version relative to the folder of its domain.
func (v version) inVersion(file string) string {
	if _, _, outside := OnOntologyPath(file); outside {
		return file
	}
	return path.Join(v.folder, file)
}

// root is a folder in which files are looked for: that of the version, or one of the ontology
// path.
type root struct {
	tree
	number int    // 0 is the version's folder
	dir    string // absolute, as the system writes it; empty where the folder is not on a disk
	has    map[string]bool
}

func newRoot(t tree, number int, dir string) root {
	r := root{tree: t, number: number, dir: dir, has: make(map[string]bool, len(t.files))}
	for _, file := range t.files {
		// What belongs to another domain is served under that domain's policy alone.
		if t.domainOf(file) == "" {
			r.has[file] = true
		}
	}
	return r
}

// name is the path by which all else knows a file of the root.
func (r root) name(file string) string {
	if r.number == 0 {
		return file
	}
	return outsideName(r.number, file)
}

// roots are the folders in which a version's files may be: first its own.
type roots []root

// at is the root of a file, and its path there.
func (rs roots) at(file string) (r root, name string) {
	if n, name, outside := OnOntologyPath(file); outside {
		if n+1 < len(rs) {
			return rs[n+1], name
		}
		return root{}, name
	}
	return rs[0], file
}

func (rs roots) has(file string) bool {
	r, name := rs.at(file)
	return r.has[name]
}

func (rs roots) formatOf(file string) (f rdf.Format, known string, ok bool) {
	r, name := rs.at(file)
	return r.formatOf(name)
}

// onDisk finds a file by its absolute path, with forward slashes.
func (rs roots) onDisk(full string) (file string, ok bool) {
	for _, r := range rs {
		if r.dir == "" {
			continue
		}
		if inside, err := filepath.Rel(r.dir, filepath.FromSlash(full)); err == nil && filepath.IsLocal(inside) {
			return r.name(filepath.ToSlash(inside)), true
		}
	}
	return "", false
}

// beside finds a file by its path from the folder in which another one is; it may leave that
// folder, but not all roots.
func (rs roots) beside(other, rel string) (file string, ok bool) {
	r, name := rs.at(other)
	full := path.Join(path.Dir(name), rel)
	switch {
	case fs.ValidPath(full):
		return r.name(full), true
	case r.dir == "":
		return "", false
	}
	return rs.onDisk(path.Join(filepath.ToSlash(r.dir), full))
}

// rooted is the file system of roots: each file under the path by which all else knows it.
type rooted struct{ roots }

func (f rooted) Open(name string) (fs.File, error) {
	r, inside := f.at(name)
	if r.fsys == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return r.fsys.Open(inside)
}

func (f rooted) Stat(name string) (fs.FileInfo, error) {
	r, inside := f.at(name)
	if r.fsys == nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return fs.Stat(r.fsys, inside)
}
