package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// manifest is the manifest.json of a desktop extension. Version 0.3 is the one that the
// tools of the format call the latest without restriction.
type manifest struct {
	ManifestVersion string                `json:"manifest_version"`
	Name            string                `json:"name"`
	DisplayName     string                `json:"display_name"`
	Version         string                `json:"version"`
	Description     string                `json:"description"`
	LongDescription string                `json:"long_description"`
	Author          author                `json:"author"`
	Repository      repository            `json:"repository"`
	Homepage        string                `json:"homepage"`
	Documentation   string                `json:"documentation"`
	Server          bundleServer          `json:"server"`
	Tools           []bundleTool          `json:"tools"`
	Keywords        []string              `json:"keywords"`
	License         string                `json:"license"`
	Compatibility   compatibility         `json:"compatibility"`
	UserConfig      map[string]userConfig `json:"user_config"`
}

type author struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

type repository struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}

type bundleServer struct {
	Type       string    `json:"type"`
	EntryPoint string    `json:"entry_point"`
	Config     mcpConfig `json:"mcp_config"`
}

type mcpConfig struct {
	Command   string               `json:"command"`
	Args      []string             `json:"args"`
	Env       map[string]string    `json:"env,omitempty"`
	Overrides map[string]mcpConfig `json:"platform_overrides,omitempty"`
}

type bundleTool struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

type compatibility struct {
	Platforms []string `json:"platforms"`
}

type userConfig struct {
	Type        string `json:"type"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
	Default     any    `json:"default"`
}

// settings are what a user of the extension can set, and which variable of the program
// each fills. The defaults are there so that clients put nothing else in the place of what
// was not set: a variable that is empty counts as not set.
var settings = []struct {
	key, variable string
	config        userConfig
}{
	{"domains", "ONTOGATE_DOMAINS", userConfig{"directory", "Folder of domains", "The folder that holds your domain folders, or one domain. Without it, and without OntoBricks, the sample domains are served.", false, ""}},
	{"upstream", "ONTOGATE_UPSTREAM", userConfig{"string", "URL of OntoBricks", "The OntoBricks app whose domains are served too, such as https://ontobricks-123.aws.databricksapps.com.", false, ""}},
	{"profile", "ONTOGATE_PROFILE", userConfig{"string", "Databricks profile", "The profile of ~/.databrickscfg that logs in to OntoBricks.", false, ""}},
	{"domain", "ONTOGATE_DOMAIN", userConfig{"string", "Domain of the start", "The domain that is selected when a conversation begins.", false, ""}},
	{"read_only", "ONTOGATE_READ_ONLY", userConfig{"boolean", "Read only", "Take away the tools that run actions and business rules.", false, false}},
}

// nodePlatforms are the platforms as the manifest names them.
var nodePlatforms = map[string]string{"darwin": "darwin", "linux": "linux", "windows": "win32"}

// launcher chooses among the programs of a platform's processors, of which the manifest
// knows nothing.
//
//go:embed launch.sh
var launcher []byte

const (
	launcherPath = "server/launch.sh"
	// windowsProgram also runs on arm64, where Windows translates it.
	windowsProgram = "server/windows_amd64/ontogate.exe"
)

// bundle makes the desktop extension and returns its name.
func (r release) bundle(ctx context.Context, platforms []string) (string, error) {
	m, err := r.manifest(ctx, platforms)
	if err != nil {
		return "", err
	}
	data, err := encode(m)
	if err != nil {
		return "", err
	}
	files := []file{{name: "manifest.json", data: data}, {launcherPath, launcher, true}}
	for name, path := range map[string]string{"LICENSE": "LICENSE", "README.md": "README.md"} {
		text, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		files = append(files, file{name: name, data: text})
	}
	for _, platform := range platforms {
		if platform == "windows_arm64" {
			continue
		}
		program, err := r.program(platform)
		if err != nil {
			return "", err
		}
		files = append(files, file{"server/" + platform + "/" + programName(platform), program, true})
	}
	name := "ontogate_" + r.version + ".mcpb"
	return name, writeZip(filepath.Join(r.out, name), files, r.at)
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}

// manifest is made of what the program says of itself and of deploy/server.json.
func (r release) manifest(ctx context.Context, platforms []string) (manifest, error) {
	of, err := readRegistration()
	if err != nil {
		return manifest{}, err
	}
	tools, err := r.tools(ctx)
	if err != nil {
		return manifest{}, err
	}
	m := manifest{
		ManifestVersion: "0.3", Name: "ontogate", DisplayName: of.Title, Version: r.version, Description: of.Description,
		LongDescription: "Serves a folder of RDF files, or the domains of an OntoBricks deployment. Without settings it serves sample domains.",
		Author:          author{"The Ontogate authors", of.WebsiteURL},
		Repository:      repository{"git", of.Repository.URL + ".git"}, Homepage: of.WebsiteURL, Documentation: of.WebsiteURL + "#readme",
		Server: bundleServer{Type: "binary", EntryPoint: launcherPath, Config: mcpConfig{
			Command: "sh", Args: []string{"${__dirname}/" + launcherPath, "stdio"}, Env: map[string]string{},
		}},
		Tools: tools, Keywords: []string{"ontology", "knowledge graph", "rdf", "graphql", "ontobricks"}, License: "Apache-2.0",
		UserConfig: map[string]userConfig{},
	}
	for _, s := range settings {
		m.UserConfig[s.key] = s.config
		m.Server.Config.Env[s.variable] = "${user_config." + s.key + "}"
	}
	seen := map[string]bool{}
	for _, platform := range platforms {
		system, _, _ := strings.Cut(platform, "_")
		if !seen[system] {
			seen[system] = true
			m.Compatibility.Platforms = append(m.Compatibility.Platforms, nodePlatforms[system])
		}
		if platform == "windows_amd64" {
			m.Server.Config.Overrides = map[string]mcpConfig{"win32": {
				Command: "${__dirname}/" + windowsProgram, Args: []string{"stdio"}, Env: m.Server.Config.Env,
			}}
		}
	}
	return m, nil
}

// tools asks the program which tools it has: name, and description without its example.
func (r release) tools(ctx context.Context) ([]bundleTool, error) {
	in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"pack","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
`
	out, err := r.ask(ctx, strings.NewReader(in), "stdio", "--log-level", "error")
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(out) {
		var answer struct {
			ID     any
			Result struct{ Tools []bundleTool }
		}
		if json.Unmarshal(line, &answer) != nil || answer.ID != 2.0 {
			continue
		}
		for i, t := range answer.Result.Tools {
			answer.Result.Tools[i].Description, _, _ = strings.Cut(t.Description, " Example: ")
		}
		return answer.Result.Tools, nil
	}
	return nil, errors.New("the program did not answer tools/list")
}

// registration is a server.json of the MCP registry.
type registration struct {
	Schema      string `json:"$schema"`
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Version     string `json:"version"`
	WebsiteURL  string `json:"websiteUrl"`
	Repository  struct {
		URL    string `json:"url"`
		Source string `json:"source"`
	} `json:"repository"`
	Packages []registered `json:"packages,omitempty"`
}

type registered struct {
	Type      string            `json:"registryType"`
	URL       string            `json:"identifier"`
	Version   string            `json:"version"`
	SHA256    string            `json:"fileSha256"`
	Transport map[string]string `json:"transport"`
}

func readRegistration() (of registration, err error) {
	data, err := os.ReadFile("deploy/server.json")
	if err != nil {
		return of, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&of); err != nil {
		return of, fmt.Errorf("deploy/server.json: %w", err)
	}
	return of, nil
}

// register writes the server.json of this release, which names the desktop extension at
// the address that a release on GitHub gives it.
func (r release) register(bundle string) error {
	of, err := readRegistration()
	if err != nil {
		return err
	}
	sum, err := sumOf(filepath.Join(r.out, bundle))
	if err != nil {
		return err
	}
	of.Version = r.version
	of.Packages = []registered{{
		"mcpb", of.Repository.URL + "/releases/download/" + r.tag + "/" + bundle, r.version, sum, map[string]string{"type": "stdio"},
	}}
	data, err := encode(of)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, "server.json"), data, 0o644)
}
