package rdfgraph

import (
	"errors"
	"io/fs"
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
