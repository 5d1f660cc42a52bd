package rdfgraph

import (
	"errors"
	"io/fs"
	"path"
)

// errIrregular is why a pipe, a socket, a device or a folder is not read as a file.
var errIrregular = errors.New("is not a regular file: put the text itself there")

// openRegular opens a file, or what a link leads to. Nothing but a regular file is
// opened: opening a pipe waits for somebody to write into it, and neither the end of a
// context nor a signal ends that; a device may never end, or do something.
func openRegular(fsys fs.FS, name string) (fs.File, error) {
	if err := checkRegular(fsys, name); err != nil {
		return nil, err
	}
	return fsys.Open(name)
}

// errNoFolder is why nothing is listed below a file, a pipe or the like.
var errNoFolder = errors.New("is not a folder")

// checkFolder is the reason why the root of fsys can't be listed. To list a pipe would
// wait as to read it does.
func checkFolder(fsys fs.FS) error {
	info, err := fs.Stat(fsys, ".")
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return &fs.PathError{Op: "open", Path: ".", Err: errNoFolder}
	}
	return nil
}

// checkRegular is the reason why there is no regular file under a name.
func checkRegular(fsys fs.FS, name string) error {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &fs.PathError{Op: "open", Path: name, Err: errIrregular}
	}
	return nil
}

// subFolder is a folder of a file system. Unlike what [fs.Sub] makes, it asks for a
// file's mode without opening the file.
type subFolder struct {
	fsys fs.FS
	dir  string
}

// below is the folder dir of fsys; dir is a path as [fs.ValidPath] has it.
func below(fsys fs.FS, dir string) fs.FS {
	if dir == "." {
		return fsys
	}
	return subFolder{fsys, dir}
}

func (s subFolder) Open(name string) (fs.File, error) {
	full, err := s.path("open", name)
	if err != nil {
		return nil, err
	}
	return s.fsys.Open(full)
}

func (s subFolder) Stat(name string) (fs.FileInfo, error) {
	full, err := s.path("stat", name)
	if err != nil {
		return nil, err
	}
	return fs.Stat(s.fsys, full)
}

func (s subFolder) Lstat(name string) (fs.FileInfo, error) {
	full, err := s.path("lstat", name)
	if err != nil {
		return nil, err
	}
	return fs.Lstat(s.fsys, full)
}

func (s subFolder) ReadLink(name string) (string, error) {
	full, err := s.path("readlink", name)
	if err != nil {
		return "", err
	}
	return fs.ReadLink(s.fsys, full)
}

func (s subFolder) ReadDir(name string) ([]fs.DirEntry, error) {
	full, err := s.path("readdir", name)
	if err != nil {
		return nil, err
	}
	return fs.ReadDir(s.fsys, full)
}

func (s subFolder) path(op, name string) (string, error) {
	if !fs.ValidPath(name) || !fs.ValidPath(s.dir) {
		return "", &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	return path.Join(s.dir, name), nil
}
