//go:build e2e

package e2e_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/docs/doctest"
)

// readmeBlock is the text of a marked block.
func readmeBlock(t *testing.T, kind, name string) string {
	t.Helper()
	text, ok := doctest.Blocks(doctest.Readme(t), kind)[name]
	if !ok {
		t.Fatalf("README has no block after <!-- %s: %s -->", kind, name)
	}
	return text
}

// readmeDomains makes the folder of domains that README tells people to make.
func readmeDomains(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	doctest.WriteFiles(t, dir, doctest.Readme(t))
	return filepath.Join(dir, "my-domains")
}

// clientEntry is one server in a client's configuration.
type clientEntry struct {
	Type    string            `json:"type,omitempty"`
	URL     string            `json:"url,omitempty"`
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	Env     map[string]string `json:"env,omitempty"`
}

// localise makes an entry of README one of this machine: the program that was
// built, README's own domains as the folder, the server that runs.
func (e *clientEntry) localise(t *testing.T, mcp string) {
	t.Helper()
	if e.URL != "" {
		e.URL = localURL(t, e.URL, mcp)
		return
	}
	if e.Command != "/path/to/ontogate" {
		t.Fatalf("the configuration starts %q, want /path/to/ontogate", e.Command)
	}
	e.Command = program
	for i, arg := range e.Args {
		if arg == "/path/to/domains" {
			e.Args[i] = readmeDomains(t)
		}
	}
}

// localURL is the URL of README with the address of the server that runs.
func localURL(t *testing.T, documented, mcp string) string {
	t.Helper()
	u, err := url.Parse(documented)
	if err != nil {
		t.Fatal(err)
	}
	running, err := url.Parse(mcp)
	if err != nil {
		t.Fatal(err)
	}
	u.Scheme, u.Host = running.Scheme, running.Host
	return u.String()
}

// Each configuration in README starts or reaches the server, for the official
// client and for MCP Inspector.
func TestReadmeConfigurations(t *testing.T) {
	mcp := serve(t)
	for _, client := range []string{"claude-desktop", "cursor", "vscode", "remote"} {
		for name, e := range readmeEntries(t, client) {
			t.Run(client+"/"+name, func(t *testing.T) {
				t.Parallel()
				e.localise(t, mcp)
				connects(t, e)
				inspects(t, e)
			})
		}
	}
}

// connects expects the official client to list tools and domains.
func connects(t *testing.T, e clientEntry) {
	t.Helper()
	var v struct {
		Tools   []string
		IsError bool
		Text    string
	}
	runNode(t, "list.mjs", map[string]any{
		"target": target{URL: e.URL, Listen: true, Command: e.Command, Args: e.Args},
		"tool":   "list_domains", "args": map[string]any{},
	}, &v, nil)
	if len(v.Tools) == 0 || v.IsError || !regexp.MustCompile("customer360|library").MatchString(v.Text) {
		t.Errorf("the client sees the tools %v and the domains:\n%s", v.Tools, v.Text)
	}
}

// inspects expects MCP Inspector to list tools.
func inspects(t *testing.T, e clientEntry) {
	t.Helper()
	config, err := json.Marshal(map[string]any{"mcpServers": map[string]clientEntry{"entry": e}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "mcp.json")
	if err := os.WriteFile(path, config, 0o666); err != nil {
		t.Fatal(err)
	}
	out := inspect(t, clientTool(t, "mcp-inspector"), "--cli", "--config", path, "--server", "entry", "--method", "tools/list")
	if len(out.Result.Tools) == 0 {
		t.Error("Inspector lists no tools")
	}
}

// readmeEntries are the servers in a configuration of README.
func readmeEntries(t *testing.T, client string) map[string]clientEntry {
	t.Helper()
	text := readmeBlock(t, "config", client)
	var config struct {
		McpServers map[string]clientEntry `json:"mcpServers"`
		Servers    map[string]clientEntry `json:"servers"` // VS Code
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&config); err != nil {
		t.Fatalf("the configuration is not what clients read: %v\n%s", err, text)
	}
	servers := config.McpServers
	if client == "vscode" {
		servers = config.Servers
	}
	if len(servers) == 0 {
		t.Fatalf("the configuration has no servers:\n%s", text)
	}
	return servers
}

// The commands for MCP Inspector in README do what they are there for.
func TestReadmeInspector(t *testing.T) {
	mcp := serve(t)
	for _, transport := range []string{"stdio", "http"} {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			methods := map[string]bool{}
			for _, command := range commands(readmeBlock(t, "inspector", transport)) {
				m := inspect(t, "sh", "-c", localCommand(t, command, mcp))
				switch {
				case strings.Contains(command, "tools/list"):
					methods["tools/list"] = len(m.Result.Tools) > 0
				case strings.Contains(command, "tools/call"):
					methods["tools/call"] = !m.Result.IsError && m.text() != ""
				}
			}
			if !methods["tools/list"] || !methods["tools/call"] {
				t.Errorf("README's commands list and call tools: %v", methods)
			}
		})
	}
}

// commands are the commands of a shell block without comments.
func commands(text string) []string {
	var out []string
	for _, line := range strings.Split(strings.ReplaceAll(text, "\\\n", " "), "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}

var (
	inspectorWord = regexp.MustCompile(`npx (-y )?@modelcontextprotocol/inspector(@\S+)?`)
	urlWord       = regexp.MustCompile(`http://\S+`)
)

// localCommand is a command of README with what is installed and runs here.
func localCommand(t *testing.T, command, mcp string) string {
	t.Helper()
	if !inspectorWord.MatchString(command) {
		t.Fatalf("%q does not start MCP Inspector", command)
	}
	command = inspectorWord.ReplaceAllLiteralString(command, clientTool(t, "mcp-inspector"))
	command = strings.ReplaceAll(command, "bin/ontogate", program)
	return urlWord.ReplaceAllStringFunc(command, func(u string) string { return localURL(t, u, mcp) })
}

// inspect runs a command of MCP Inspector and decodes the result that it prints.
func inspect(t *testing.T, name string, args ...string) message {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Env = append(os.Environ(), "MCP_INSPECTOR_SECRET_STORE=memory")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var m message
	if err == nil {
		err = json.Unmarshal(out.Bytes(), &m.Result)
	}
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, &out, &errs)
	}
	return m
}
