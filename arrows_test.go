// Package ontogate_test holds what is true of the repository as a whole: which
// package imports which and what it may reach, that the examples in README.md work,
// and what the tasks of the Makefile run.
package ontogate_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const module = "github.com/ontogate/ontogate"

// arrows are the imports between our packages: a package, and the packages below
// it, may import those listed. Nothing else, and nothing that is not in the table.
// The picture is cmd → server → {graphql, format} → domains ← back ends.
var arrows = map[string][]string{
	"cmd/ontogate":             {"domains", "domains/rdf", "domains/rdf/packed", "domains/ontobricks", "domains/ontobricks/login", "domains/rdfgraph", "domains/rdfgraph/catalog", "examples", "format", "server"},
	"cmd/bench":                {"domains", "domains/domaintest", "domains/rdf", "domains/rdfgraph", "server"}, // no part of the release
	"server":                   {"domains", "domains/rdf", "domains/owl", "domains/wire", "format", "graphql", "server/api", "server/page"},
	"server/api":               {"domains", "domains/rdf", "domains/wire"},
	"server/page":              {},
	"deploy/pack":              {}, // no part of the release
	"examples/library":         {"domains/rdfgraph", "server"},
	"format":                   {"domains", "domains/rdf", "domains/owl", "domains/wire"},
	"graphql":                  {"domains", "domains/rdf", "domains/rdf/xsd", "domains/owl", "domains/wire"},
	"domains":                  {"domains/rdf", "domains/rdf/xsd"},
	"domains/rdf":              {},
	"domains/rdf/packed":       {"domains/rdf"},
	"domains/rdf/xsd":          {},
	"domains/owl":              {"domains", "domains/rdf"},
	"domains/wire":             {"domains", "domains/rdf"},
	"domains/ontobricks":       {"domains", "domains/rdf", "domains/owl", "domains/wire", "domains/ontobricks/rest"},
	"domains/ontobricks/rest":  {"domains"},
	"domains/ontobricks/login": {"domains"},
	"domains/rdfgraph":         {"domains", "domains/rdf", "domains/rdf/packed", "domains/rdf/xsd", "domains/owl", "domains/wire", "domains/rdfgraph/catalog", "domains/rdfgraph/dataset", "domains/rdfgraph/remote", "domains/rdfgraph/store", "domains/rdfgraph/sparql"},
	"domains/rdfgraph/catalog": {},
	"domains/rdfgraph/dataset": {"domains"},
	"domains/rdfgraph/remote":  {"domains"},
	"domains/rdfgraph/store":   {"domains", "domains/rdf"},
	"examples":                 {},
	"examples/actions":         {}, // an example to learn from: the standard library is enough
}

// homes are the packages that may import a module of others; a package below one of
// them may not, unless it is listed too. The types of a dependency stay inside the
// packages that import it.
var homes = map[string][]string{
	"github.com/mark3labs/mcp-go":         {"server"},
	"github.com/labstack/echo":            {"server"},
	"github.com/spf13/cobra":              {"cmd/ontogate"},
	"github.com/spf13/pflag":              {"cmd/ontogate"},
	"github.com/goccy/go-yaml":            {"domains/rdfgraph"},
	"github.com/graph-gophers/graphql-go": {"graphql"},
	"github.com/modelcontextprotocol":     {"cmd/bench"},
	"github.com/vektah/gqlparser":         {"graphql"},
	"github.com/piprate/json-gold":        {"domains/rdf"},
	"github.com/sony/gobreaker":           {"domains/ontobricks/rest"},
	"github.com/klauspost/compress":       {"domains/rdf/packed", "server"},
	"golang.org/x/oauth2":                 {"domains/ontobricks/login"},
	"gopkg.in/ini.v1":                     {"domains/ontobricks/login"},
	"golang.org/x/sync":                   {"cmd/ontogate", "server", "domains/ontobricks", "domains/rdfgraph"},
	"golang.org/x/sys":                    {"cmd/ontogate"},
	"golang.org/x/term":                   {"cmd/ontogate"},
	"golang.org/x/text":                   {"domains/rdfgraph", "domains/rdfgraph/store", "format", "graphql"},
}

// aliases are the names under which packages whose own names collide with ours
// are imported.
var aliases = map[string]string{
	"github.com/mark3labs/mcp-go/server":  "mcpserver",
	"github.com/graph-gophers/graphql-go": "gql",
}

// testSupport are packages of helpers for tests: they may import what they need, and
// nothing that is built into the program may import them.
var testSupport = []string{"docs/doctest", "domains/domaintest", "domains/ontobricks/bricktest", "domains/rdf/rdftest"}

// TestArrows holds the directions of imports for what is built into the program,
// on every platform.
func TestArrows(t *testing.T) {
	for _, f := range sources(t) {
		if f.isTest || slices.Contains(testSupport, f.dir) {
			continue
		}
		for _, spec := range f.syntax.Imports {
			to, _ := strconv.Unquote(spec.Path.Value)
			if ours, ok := strings.CutPrefix(to, module+"/"); ok {
				checkOurs(t, f, ours)
			} else if first, _, _ := strings.Cut(to, "/"); strings.Contains(first, ".") {
				checkTheirs(t, f, to)
			}
		}
	}
}

func checkOurs(t *testing.T, f source, to string) {
	t.Helper()
	from := f.dir
	for ; from != "."; from = path.Dir(from) {
		if allowed, ok := arrows[from]; ok {
			if !slices.Contains(allowed, to) {
				t.Errorf("%s imports %s: %s may import %s", f.path, to, from, orNothing(allowed))
			}
			return
		}
	}
	t.Errorf("%s: the table of arrows has no row for %s: say there what it may import", f.path, f.dir)
}

func checkTheirs(t *testing.T, f source, to string) {
	t.Helper()
	for dependency, allowed := range homes {
		if to == dependency || strings.HasPrefix(to, dependency+"/") {
			if !slices.Contains(allowed, f.dir) {
				t.Errorf("%s imports %s: only %s may", f.path, to, orNothing(allowed))
			}
			return
		}
	}
	t.Errorf("%s imports %s: the table of homes has no row for it: say there which package may import it", f.path, to)
}

func orNothing(list []string) string {
	if len(list) == 0 {
		return "nothing of ours"
	}
	return strings.Join(list, ", ")
}

// TestAliases holds the names of packages that collide with ours, in tests too.
func TestAliases(t *testing.T) {
	for _, f := range sources(t) {
		for _, spec := range f.syntax.Imports {
			to, _ := strconv.Unquote(spec.Path.Value)
			if want := aliases[to]; want != "" && (spec.Name == nil || spec.Name.Name != want) {
				t.Errorf("%s: import %s as %s", f.path, to, want)
			}
		}
	}
}

// TestEnvironment holds that only the command reads the environment.
func TestEnvironment(t *testing.T) {
	found := false
	for _, f := range sources(t) {
		if f.isTest || slices.Contains(testSupport, f.dir) {
			continue
		}
		for _, read := range environmentReads(f) {
			if strings.HasPrefix(f.dir, "cmd/") {
				found = true
			} else {
				t.Errorf("%s reads the environment with %s: only cmd does; make it a field of a config struct", f.path, read)
			}
		}
	}
	if !found {
		t.Error("cmd does not read the environment either: this test looks for the wrong thing")
	}
}

// environmentReads are the functions used by a file whose results depend on the
// environment.
func environmentReads(f source) []string {
	readers := map[string][]string{ // package → functions; nil means all
		"os":      {"Getenv", "LookupEnv", "Environ", "ExpandEnv", "UserHomeDir", "UserCacheDir", "UserConfigDir", "TempDir"},
		"syscall": {"Getenv", "Environ"},
		"os/user": nil,
	}
	names := map[string]string{} // name in the file → package
	for _, spec := range f.syntax.Imports {
		to, _ := strconv.Unquote(spec.Path.Value)
		names[path.Base(to)] = to
		if spec.Name != nil {
			names[spec.Name.Name] = to
		}
	}
	var out []string
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if pkg, ok := sel.X.(*ast.Ident); ok {
				functions, reads := readers[names[pkg.Name]]
				if reads && (functions == nil || slices.Contains(functions, sel.Sel.Name)) {
					out = append(out, pkg.Name+"."+sel.Sel.Name)
				}
			}
		}
		return true
	})
	return out
}

// pure are the packages that turn values into values and touch nothing outside.
var pure = []string{"domains", "domains/owl", "domains/rdf", "domains/rdf/xsd", "domains/wire", "domains/rdfgraph/store", "format", "graphql"}

// TestPure holds that these packages do no input or output: they read from what they
// are given, and write to what they return.
func TestPure(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range sources(t) {
		if f.isTest || !slices.Contains(pure, f.dir) {
			continue
		}
		seen[f.dir] = true
		for _, to := range outsideImports(f) {
			t.Errorf("%s imports %s: %s turns values into values", f.path, to, f.dir)
		}
	}
	if !seen["format"] || !seen["domains"] {
		t.Errorf("this test sees %v only", seen)
	}
}

// outsideImports are the imports of a file that reach files, the network, other
// processes or the log.
func outsideImports(f source) []string {
	var out []string
	for _, spec := range f.syntax.Imports {
		to, _ := strconv.Unquote(spec.Path.Value)
		if slices.Contains([]string{"net/url", "net/netip"}, to) {
			continue
		}
		first, _, _ := strings.Cut(to, "/")
		if slices.Contains([]string{"database", "embed", "flag", "log", "net", "os", "plugin", "syscall", "unsafe"}, first) ||
			slices.Contains([]string{"io/fs", "io/ioutil", "path/filepath"}, to) {
			out = append(out, to)
		}
	}
	return out
}

// TestRulesSeeFaults holds that the rules above find what they forbid.
func TestRulesSeeFaults(t *testing.T) {
	for text, want := range map[string][2][]string{ // file → environment, outside
		`import ("os"; "strings"); var _ = os.Getenv("A") + strings.ToUpper("b")`:                       {{"os.Getenv"}, {"os"}},
		`import "os"; var _, _ = os.UserHomeDir()`:                                                      {{"os.UserHomeDir"}, {"os"}},
		`import system "os"; var read = system.LookupEnv`:                                               {{"system.LookupEnv"}, {"os"}},
		`import "os/user"; var _, _ = user.Current()`:                                                   {{"user.Current"}, {"os/user"}},
		`import ("io/fs"; "net/http"); var _ fs.FS; var _ http.Handler`:                                 {nil, {"io/fs", "net/http"}},
		`import ("io"; "net/url"; "os"); var _ io.Reader; var _ url.URL; type os struct { Getenv int }`: {nil, {"os"}},
	} {
		syntax, err := parser.ParseFile(token.NewFileSet(), "a.go", "package a; "+text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		f := source{path: "a.go", dir: ".", syntax: syntax}
		if diff := cmp.Diff(want, [2][]string{environmentReads(f), outsideImports(f)}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// source is a Go file of the repository.
type source struct {
	path, dir string // relative to the repository, with forward slashes
	isTest    bool
	syntax    *ast.File
}

// sources are all Go files, whatever their build constraints.
func sources(t *testing.T) []source {
	t.Helper()
	var out []source
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			hidden := strings.HasPrefix(d.Name(), ".") && name != "."
			if hidden || d.Name() == "testdata" || d.Name() == "node_modules" {
				return fs.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) != ".go" {
			return nil
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		slashed := filepath.ToSlash(name)
		out = append(out, source{slashed, path.Dir(slashed), strings.HasSuffix(name, "_test.go"), syntax})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
