// Command pack makes the packages of a release out of programs that were built: an
// archive for each platform, the desktop extension (.mcpb), the registry's server.json and
// SHA256SUMS. What it makes depends on nothing but its input: files come sorted, of no
// owner and of one time. "make dist" and "make mcpb" run it in the repository.
package main

import (
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// release is what is packed.
type release struct {
	version string // without a "v" before it
	tag     string // as it was given
	// programs holds a folder for each platform, such as linux_amd64, with its program.
	programs string
	// host is a program of this version that runs here: it is asked for what it offers.
	host string
	out  string
	at   time.Time
}

// file is one file of a package.
type file struct {
	name string // with slashes
	data []byte
	runs bool
}

func main() {
	var r release
	archives := flag.Bool("archives", false, "make the archives and SHA256SUMS too")
	epoch := flag.Int64("epoch", 0, "time of all files, in `seconds` since 1970")
	flag.StringVar(&r.tag, "version", "dev", "`version` of the programs")
	flag.StringVar(&r.programs, "programs", "dist/build", "`folder` of the programs")
	flag.StringVar(&r.host, "host", "bin/ontogate", "`program` that runs on this machine")
	flag.StringVar(&r.out, "out", "dist", "`folder` for the packages")
	flag.Parse()
	r.version, r.at = strings.TrimPrefix(r.tag, "v"), time.Unix(*epoch, 0).UTC()
	if err := r.pack(context.Background(), *archives); err != nil {
		fmt.Fprintf(os.Stderr, "pack: %v\n", err)
		os.Exit(1)
	}
}

// pack makes the packages and prints their names.
func (r release) pack(ctx context.Context, archives bool) error {
	platforms, err := r.platforms()
	if err != nil {
		return err
	}
	var made []string
	if archives {
		if made, err = r.archives(ctx, platforms); err != nil {
			return err
		}
	}
	bundle, err := r.bundle(ctx, platforms)
	if err != nil {
		return err
	}
	if err := r.register(bundle); err != nil {
		return err
	}
	made = append(made, bundle)
	slices.Sort(made)
	sums := ""
	for _, name := range made {
		sum, err := sumOf(filepath.Join(r.out, name))
		if err != nil {
			return err
		}
		sums += sum + "  " + name + "\n"
	}
	fmt.Print(sums)
	if !archives {
		return nil
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(sums), 0o644)
}

// platforms are the platforms for which there is a program, such as linux_amd64.
func (r release) platforms() ([]string, error) {
	entries, err := os.ReadDir(r.programs)
	if err != nil {
		return nil, fmt.Errorf("looking for programs: %w", err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s holds no program", r.programs)
	}
	return out, nil
}

// programName is the name of the program's file on a platform.
func programName(platform string) string {
	if strings.HasPrefix(platform, "windows_") {
		return "ontogate.exe"
	}
	return "ontogate"
}

// program reads the program of a platform.
func (r release) program(platform string) ([]byte, error) {
	return os.ReadFile(filepath.Join(r.programs, platform, programName(platform)))
}

// ask runs the program that runs here.
func (r release) ask(ctx context.Context, in io.Reader, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, r.host, args...)
	cmd.Stdin, cmd.Stderr = in, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", r.host, strings.Join(args, " "), err)
	}
	return out, nil
}

func sumOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}
