//go:build e2e && linux && amd64

package deploy_test

import (
	"archive/zip"
	"bytes"
	"debug/elf"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/ontogate/ontogate/docs/doctest"
	"github.com/ontogate/ontogate/domains/domaintest"
)

// The module that holds the schema of server.json, and its checksum.
const (
	registryModule = "github.com/modelcontextprotocol/registry@v1.8.9"
	registrySum    = "h1:2pYB31q/uSezVbXu+D+Hr3HMimGFspgS1RTMljm1bVI="
	registrySchema = "internal/validators/schemas/2025-12-11.json"
)

// TestPackages packs for linux/amd64, holds what is packed to the schemas that were
// installed with the tools, and uses it as somebody does who has no Go.
func TestPackages(t *testing.T) {
	root, out := domaintest.Root(t), t.TempDir()
	command(t, root, "make", "--no-print-directory", "dist", "PLATFORMS=linux/amd64", "DIST="+out, "VERSION=v1.2.3")
	command(t, "node", "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	t.Run("sums", func(t *testing.T) { command(t, out, "sha256sum", "--check", "SHA256SUMS") })
	t.Run("registry", func(t *testing.T) { checkRegistry(t, out) })
	t.Run("extension", func(t *testing.T) { checkExtension(t, filepath.Join(out, "ontogate_1.2.3.mcpb")) })
	t.Run("archive", func(t *testing.T) { checkArchive(t, filepath.Join(out, "ontogate_1.2.3_linux_amd64.tar.gz")) })
	t.Run("databricks", checkDatabricks)
}

// command runs a program and returns what it prints.
func command(t *testing.T, dir, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	// The test may run below make itself.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "MAKE") || strings.HasPrefix(v, "MFLAGS=") })
	var errs bytes.Buffer
	cmd.Stderr = &errs
	data, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, data, &errs)
	}
	return data
}

// validate holds a JSON file to a schema.
func validate(t *testing.T, schema, path string) {
	t.Helper()
	compiled, err := jsonschema.NewCompiler().Compile(schema)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiled.Validate(value); err != nil {
		t.Errorf("%s: %v", path, err)
	}
}

// checkRegistry holds server.json as it is kept and as it is packed to the registry's
// schema, and its checksum to the extension.
func checkRegistry(t *testing.T, out string) {
	var module struct{ Dir, Sum string }
	if err := json.Unmarshal(command(t, ".", "go", "mod", "download", "-json", registryModule), &module); err != nil {
		t.Fatal(err)
	}
	if module.Sum != registrySum {
		t.Fatalf("%s has the checksum %s", registryModule, module.Sum)
	}
	schema := filepath.Join(module.Dir, filepath.FromSlash(registrySchema))
	validate(t, schema, "server.json")
	validate(t, schema, filepath.Join(out, "server.json"))
	data, err := os.ReadFile(filepath.Join(out, "server.json"))
	if err != nil {
		t.Fatal(err)
	}
	var packed struct {
		Version  string
		Packages []struct{ Identifier, FileSHA256 string }
	}
	if err := json.Unmarshal(data, &packed); err != nil || len(packed.Packages) != 1 || packed.Version != "1.2.3" {
		t.Fatalf("%v: %s", err, data)
	}
	sum, _, _ := strings.Cut(string(command(t, out, "sha256sum", "ontogate_1.2.3.mcpb")), " ")
	if p := packed.Packages[0]; p.FileSHA256 != sum || p.Identifier != "https://github.com/ontogate/ontogate/releases/download/v1.2.3/ontogate_1.2.3.mcpb" {
		t.Errorf("server.json names %+v; the extension's sum is %s", p, sum)
	}
}

// extension is what the test reads of a manifest.
type extension struct {
	Version string
	Server  struct {
		EntryPoint string `json:"entry_point"`
		Config     struct {
			Command string
			Args    []string
			Env     map[string]string
		} `json:"mcp_config"`
	}
	Tools  []struct{ Name, Description string }
	Config map[string]struct{ Default any } `json:"user_config"`
}

// checkExtension holds the manifest to its schema, and starts the extension as a client
// does whose user set nothing: its tools are those of the manifest.
func checkExtension(t *testing.T, path string) {
	dir := t.TempDir()
	unzip(t, path, dir)
	validate(t, "node/node_modules/@anthropic-ai/mcpb/schemas/mcpb-manifest-v0.3.schema.json", filepath.Join(dir, "manifest.json"))
	command(t, "node", "node_modules/.bin/mcpb", "validate", filepath.Join(dir, "manifest.json"))
	data, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m extension
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, m.Server.EntryPoint)); err != nil || m.Version != "1.2.3" {
		t.Errorf("version %s, %v", m.Version, err)
	}
	for name := range m.Server.Config.Env {
		if !strings.Contains(doctest.Page(t, "docs/configuration.md"), "`"+name+"`") {
			t.Errorf("the manifest sets %s, which docs/configuration.md does not have", name)
		}
	}
	fill := regexp.MustCompile(`\$\{user_config\.([a-z_]+)\}`)
	var args []string
	for _, a := range m.Server.Config.Args {
		args = append(args, strings.ReplaceAll(a, "${__dirname}", dir))
	}
	cmd := exec.CommandContext(t.Context(), m.Server.Config.Command, args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}
	for name, value := range m.Server.Config.Env {
		cmd.Env = append(cmd.Env, name+"="+fill.ReplaceAllStringFunc(value, func(v string) string {
			switch d := m.Config[fill.FindStringSubmatch(v)[1]].Default.(type) {
			case string:
				return d
			case bool:
				return map[bool]string{true: "true", false: "false"}[d]
			}
			t.Errorf("%s has no default", v)
			return v
		}))
	}
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` +
		"\n" + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	answer, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	var listed struct {
		Result struct {
			Tools []struct{ Name, Description string }
		}
	}
	lines := bytes.Split(bytes.TrimSpace(answer), []byte("\n"))
	if err := json.Unmarshal(lines[len(lines)-1], &listed); err != nil || len(listed.Result.Tools) == 0 {
		t.Fatalf("%v\n%s", err, answer)
	}
	for i, tool := range listed.Result.Tools {
		listed.Result.Tools[i].Description, _, _ = strings.Cut(tool.Description, " Example: ")
	}
	if diff := cmp.Diff(listed.Result.Tools, m.Tools); diff != "" {
		t.Errorf("tools (-tools/list +manifest):\n%s", diff)
	}
}

func unzip(t *testing.T, path, dir string) {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for _, f := range z.File {
		to := filepath.Join(dir, filepath.FromSlash(f.Name))
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(to), 0o755)
		}
		if err == nil {
			err = os.WriteFile(to, data, f.Mode())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// checkArchive walks README.md's way of a newcomer with what the archive holds: in a
// folder that holds nothing else, and with nothing in PATH.
func checkArchive(t *testing.T, path string) {
	dir := t.TempDir()
	unpackAsShown(t, path, dir)
	for _, name := range []string{"LICENSE", "README.md", "ontogate.service", "completions/ontogate.bash", "completions/_ontogate", "completions/ontogate.fish", "completions/ontogate.ps1"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	program := filepath.Join(dir, "ontogate")
	checkStatic(t, program)
	if line := string(command(t, dir, program, "version")); !strings.HasPrefix(line, "ontogate v1.2.3 ") {
		t.Errorf("version says %q", line)
	}
	readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	doctest.WriteFiles(t, dir, string(readme))
	env := []string{"PATH=" + t.TempDir(), "HOME=" + t.TempDir()}
	got := doctest.Consoles(t, string(readme), func(line string) string { return doctest.Output(t, program, dir, env, line) })
	if diff := cmp.Diff(string(readme), got); diff != "" {
		t.Errorf("the archive's program prints something else (-README +program):\n%s", diff)
	}
	checkServed(t, program, env)
}

// unpackAsShown runs the commands by which README.md installs an archive, with no other
// program in PATH than they need.
func unpackAsShown(t *testing.T, path, dir string) {
	t.Helper()
	bin := t.TempDir()
	for _, name := range []string{"tar", "gzip"} {
		at, err := exec.LookPath(name)
		if err == nil {
			err = os.Symlink(at, filepath.Join(bin, name))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(path, filepath.Join(dir, filepath.Base(path))); err != nil {
		t.Fatal(err)
	}
	commands, ok := doctest.Blocks(doctest.Readme(t), "install")["archive"]
	if !ok {
		t.Fatal("README.md does not say how an archive is unpacked")
	}
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-e", "-c", commands+"ontogate version\n")
	cmd.Dir, cmd.Env = dir, []string{"PATH=" + bin}
	if out, err := cmd.CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "ontogate v1.2.3 ") {
		t.Fatalf("%v\n%s", err, out)
	}
}

// checkStatic holds that a program needs nothing of the system, so that it runs in an
// image that holds nothing else.
func checkStatic(t *testing.T, program string) {
	t.Helper()
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	libraries, err := f.ImportedLibraries()
	if err != nil || len(libraries) > 0 {
		t.Errorf("it needs %v, %v", libraries, err)
	}
	if slices.ContainsFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) {
		t.Error("it needs an interpreter")
	}
}

// checkServed starts the program as the image does and holds the server card to the rules
// of its draft. No package that could be installed has the schema of cards.
func checkServed(t *testing.T, program string, env []string) {
	t.Helper()
	a := &app{t: t, url: "http://127.0.0.1:" + freePort(t), log: &logBuffer{}, done: make(chan error, 1)}
	a.cmd = exec.Command(program, imageOf(t).command...)
	a.cmd.Env = append(append(env, imageOf(t).env...), "ONTOGATE_ADDR=0.0.0.0:"+strings.TrimPrefix(a.url, "http://127.0.0.1:"))
	a.cmd.Stdout, a.cmd.Stderr = a.log, a.log
	if err := a.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { a.done <- a.cmd.Wait() }()
	t.Cleanup(func() { _ = a.cmd.Process.Kill() })
	a.untilReady()
	res, err := http.Get(a.url + "/.well-known/mcp/server-card.json")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var card struct {
		Schema                     string `json:"$schema"`
		Name, Version, Description string
		Title, WebsiteURL          string
		Remotes                    []struct{ Type, URL string }
	}
	if err := json.NewDecoder(res.Body).Decode(&card); err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%d, %v", res.StatusCode, err)
	}
	for what, ok := range map[string]bool{
		"$schema":     regexp.MustCompile(`^https://static\.modelcontextprotocol\.io/schemas/v\d+/server-card\.schema\.json$`).MatchString(card.Schema),
		"name":        regexp.MustCompile(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`).MatchString(card.Name) && len(card.Name) <= 200,
		"version":     card.Version == "v1.2.3",
		"description": card.Description != "" && len(card.Description) <= 100,
		"title":       card.Title != "" && len(card.Title) <= 100,
		"remotes":     len(card.Remotes) == 1 && card.Remotes[0].Type == "streamable-http" && card.Remotes[0].URL == a.url+"/mcp",
	} {
		if !ok {
			t.Errorf("the server card's %s breaks the draft's rule: %+v", what, card)
		}
	}
	a.stop()
}

// checkDatabricks holds the bundle and app.yaml to the keys that Databricks documents. The
// schema of bundles is in no package that could be installed.
func checkDatabricks(t *testing.T) {
	type variable struct{ Description, Default, Type string }
	type grant struct {
		Name      string
		Warehouse *struct{ ID, Permission string } `yaml:"sql_warehouse"`
		Securable *struct {
			Type       string `yaml:"securable_type"`
			FullName   string `yaml:"securable_full_name"`
			Permission string
		} `yaml:"uc_securable"`
	}
	var bundle struct {
		Bundle    struct{ Name string }
		Variables map[string]variable
		Sync      struct{ Paths, Include, Exclude []string }
		Resources struct {
			Apps map[string]struct {
				Name, Description string
				SourceCodePath    string `yaml:"source_code_path"`
				Resources         []grant
			}
		}
		Targets map[string]struct {
			Default bool
			Mode    string
		}
	}
	data, err := os.ReadFile("databricks.yml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalWithOptions(data, &bundle, yaml.Strict()); err != nil {
		t.Fatalf("databricks.yml: %v", err)
	}
	for key, app := range bundle.Resources.Apps {
		for _, g := range app.Resources {
			switch {
			case g.Warehouse != nil && g.Warehouse.Permission == "CAN_USE" && g.Warehouse.ID != "" && g.Name != "":
			case g.Securable != nil && g.Securable.Type == "VOLUME" && slices.Contains([]string{"READ_VOLUME", "WRITE_VOLUME"}, g.Securable.Permission) && g.Name != "":
			default:
				t.Errorf("the app %s binds %+v", key, g)
			}
		}
	}
	m := readManifest(t, domaintest.Root(t)) // strictly
	if len(m.Command) == 0 {
		t.Error("app.yaml has no command")
	}
	for _, v := range m.Env {
		if v.Name == "" || (v.Value == "") == (v.ValueFrom == "") {
			t.Errorf("app.yaml: %+v needs a name, and either value or valueFrom", v)
		}
	}
}
