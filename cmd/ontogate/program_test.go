package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/docs/doctest"
	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/server"
)

var update = flag.Bool("update", false, "write golden files instead of comparing")

// asProgram names the variable that makes the test binary behave as ontogate. Its
// value is the back end: "real", or one that misbehaves.
const asProgram = "TEST_AS_ONTOGATE"

func TestMain(m *testing.M) {
	switch os.Getenv(asProgram) {
	case "":
		os.Exit(m.Run())
	case "real":
		main()
	default:
		os.Exit(runProcess(openTroubled))
	}
}

// troubled is a back end with one domain, which does to the program what a faulty
// one could.
type troubled struct {
	domains.Backend // nil: what is not below is not called
	versions        func() []domains.Version
	name            domains.Name // "trouble" when empty
}

func (b troubled) As(domains.Principal) domains.Backend { return b }

func (b troubled) Domains(context.Context) ([]domains.Info, error) {
	if b.name == "" {
		b.name = "trouble"
	}
	return []domains.Info{{Name: b.name}}, nil
}

func (b troubled) Open(context.Context, domains.Name) (*domains.Domain, error) {
	return nil, &domains.Error{Kind: domains.ErrUnavailable, Message: "This domain makes trouble."}
}

func (b troubled) Versions(context.Context, domains.Name) ([]domains.Version, error) {
	return b.versions(), nil
}

func (b troubled) Close() error { return nil }

func openTroubled(context.Context, rdfgraph.Config) (domains.Backend, error) {
	return troubled{versions: func() []domains.Version {
		switch os.Getenv(asProgram) {
		case "prints":
			fmt.Println("a dependency prints to standard output")
		case "panics":
			panic("a back end panics")
		case "hangs":
			slog.Error("hanging")
			select {}
		}
		return nil
	}}, nil
}

// result is what a command line left behind.
type result struct {
	Stdout, Stderr string
	Exit           int
}

// execute runs a command line in this process.
func execute(t *testing.T, env map[string]string, args ...string) result {
	t.Helper()
	var out, errs bytes.Buffer
	p := programFor(&out, &errs, env)
	code := p.run(t.Context(), args)
	return result{out.String(), errs.String(), code}
}

// programFor is the program in this process. env is its environment, and HOME in it
// the home folder.
func programFor(out, errs io.Writer, env map[string]string) *program {
	return &program{
		in: strings.NewReader(""), out: out, err: errs,
		lookupEnv: func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		home:      env["HOME"],
		self:      "ontogate",
		open:      openFolder,
		connect:   connectOntoBricks,
		build:     server.New,
		now:       func() time.Time { return time.Time{} },
	}
}

// TestCommandLines runs the archives of testdata: "in" is a command line, "env"
// its environment, files under "dir/" become the folder that $DIR names, and
// out/… is what the command leaves behind.
func TestCommandLines(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives in testdata: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { runArchive(t, path) })
	}
}

// milliseconds are never the same.
var milliseconds = regexp.MustCompile(`("milliseconds": )[0-9]+`)

func runArchive(t *testing.T, path string) {
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	in, env, want := "", map[string]string{}, map[string]string{}
	inputs := txtar.Archive{Comment: a.Comment}
	for _, f := range a.Files {
		data := string(f.Data)
		switch {
		case strings.HasPrefix(f.Name, "out/"):
			want[f.Name] = data
			continue
		case f.Name == "in":
			in = strings.TrimSpace(data)
		case f.Name == "env":
			for _, line := range strings.Fields(data) {
				name, value, _ := strings.Cut(line, "=")
				env[name] = strings.ReplaceAll(value, "$DIR", dir)
			}
		default:
			writeFile(t, filepath.Join(dir, strings.TrimPrefix(f.Name, "dir/")), f.Data)
		}
		inputs.Files = append(inputs.Files, f)
	}
	args := words(t, strings.ReplaceAll(in, "$DIR", dir))
	r := execute(t, env, args[1:]...)
	got := map[string]string{"out/exit": fmt.Sprintln(r.Exit)}
	for name, text := range map[string]string{"out/stdout": r.Stdout, "out/stderr": r.Stderr} {
		if text != "" {
			got[name] = milliseconds.ReplaceAllString(strings.ReplaceAll(text, dir, "$DIR"), "${1}0")
		}
	}
	if *update {
		for _, name := range []string{"out/exit", "out/stdout", "out/stderr"} {
			if text, ok := got[name]; ok {
				inputs.Files = append(inputs.Files, txtar.File{Name: name, Data: []byte(text)})
			}
		}
		writeFile(t, path, txtar.Format(&inputs))
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", in, diff)
	}
}

func writeFile(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// words splits a command line of ontogate.
func words(t *testing.T, line string) []string {
	t.Helper()
	out, err := doctest.Words(line)
	if err != nil || len(out) == 0 || out[0] != "ontogate" {
		t.Fatalf("%q is no command line of ontogate: %v", line, err)
	}
	return out
}
