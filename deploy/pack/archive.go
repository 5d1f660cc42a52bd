package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// completions are the names under which shells look for the completions of a program.
var completions = map[string]string{"bash": "ontogate.bash", "zsh": "_ontogate", "fish": "ontogate.fish", "powershell": "ontogate.ps1"}

// archives makes an archive for each platform: a .zip for Windows, a .tar.gz for others.
// All files are in one folder with the archive's name.
func (r release) archives(ctx context.Context, platforms []string) (names []string, err error) {
	common, err := r.common(ctx)
	if err != nil {
		return nil, err
	}
	for _, platform := range platforms {
		program, err := r.program(platform)
		if err != nil {
			return nil, err
		}
		folder := "ontogate_" + r.version + "_" + platform
		files := []file{{folder + "/" + programName(platform), program, true}}
		for _, f := range common {
			files = append(files, file{folder + "/" + f.name, f.data, f.runs})
		}
		write, name := writeTar, folder+".tar.gz"
		if strings.HasPrefix(platform, "windows_") {
			write, name = writeZip, folder+".zip"
		}
		if err := write(filepath.Join(r.out, name), files, r.at); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// common are the files that are in every archive.
func (r release) common(ctx context.Context) ([]file, error) {
	var files []file
	for name, path := range map[string]string{"LICENSE": "LICENSE", "README.md": "README.md", "ontogate.service": "deploy/ontogate.service"} {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: name, data: data})
	}
	for shell, name := range completions {
		script, err := r.ask(ctx, nil, "completion", shell)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: "completions/" + name, data: script})
	}
	return files, nil
}

func sortFiles(files []file) {
	slices.SortFunc(files, func(a, b file) int { return cmp.Compare(a.name, b.name) })
}

func (f file) mode() os.FileMode {
	if f.runs {
		return 0o755
	}
	return 0o644
}

func writeTar(path string, files []file, at time.Time) error {
	sortFiles(files)
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	t := tar.NewWriter(z)
	for _, f := range files {
		h := &tar.Header{Name: f.name, Size: int64(len(f.data)), Mode: int64(f.mode()), ModTime: at, Format: tar.FormatUSTAR}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write(f.data); err != nil {
			return err
		}
	}
	if err := errors.Join(t.Close(), z.Close()); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}

func writeZip(path string, files []file, at time.Time) error {
	sortFiles(files)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at}
		h.SetMode(f.mode())
		w, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := w.Write(f.data); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
