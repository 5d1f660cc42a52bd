package ontogate_test

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/docs/doctest"
)

// installLink is a link that adds a configuration which README.md shows to an editor.
type installLink struct {
	text, editor  string
	block, member string // of the configuration: its name in README.md, and the member with the servers
}

var installLinks = []installLink{
	{"Cursor, over HTTP", "cursor", "remote", "mcpServers"},
	{"VS Code, over HTTP", "vscode", "remote", "mcpServers"},
	{"Cursor, started by it", "cursor", "claude-desktop", "mcpServers"},
	{"VS Code, started by it", "vscode", "vscode", "servers"},
}

// entry is the server "ontogate" of the configuration, on one line.
func (l installLink) entry(t *testing.T, readme string) []byte {
	t.Helper()
	var config map[string]map[string]any
	if err := json.Unmarshal([]byte(doctest.Blocks(readme, "config")[l.block]), &config); err != nil {
		t.Fatalf("%s: %v", l.block, err)
	}
	entry, ok := config[l.member]["ontogate"]
	if !ok {
		t.Fatalf("%s has no server ontogate", l.block)
	}
	data, err := json.Marshal(entry)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// address is the link for an entry. Pages show links of the web only, so that both lead
// to a page of the editor's makers which opens the editor.
func (l installLink) address(entry []byte) string {
	if l.editor == "cursor" {
		return "https://cursor.com/en/install-mcp?" + url.Values{"name": {"ontogate"}, "config": {base64.StdEncoding.EncodeToString(entry)}}.Encode()
	}
	named := `{"name":"ontogate",` + strings.TrimPrefix(string(entry), "{")
	return "https://vscode.dev/redirect?" + url.Values{"url": {"vscode:mcp/install?" + url.PathEscape(named)}}.Encode()
}

// installed is the name and the configuration that an editor reads from a link.
func installed(t *testing.T, address string) (name string, entry map[string]any) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	data := ""
	if to := u.Query().Get("url"); to != "" {
		rest, ok := strings.CutPrefix(to, "vscode:mcp/install?")
		if data, err = url.PathUnescape(rest); err != nil || !ok {
			t.Fatalf("%s: %v", to, err)
		}
	} else {
		name = u.Query().Get("name")
		decoded, err := base64.StdEncoding.DecodeString(u.Query().Get("config"))
		if err != nil {
			t.Fatal(err)
		}
		data = string(decoded)
	}
	if err := json.Unmarshal([]byte(data), &entry); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	if n, ok := entry["name"].(string); ok {
		name = n
		delete(entry, "name")
	}
	return name, entry
}

// linksBlock are the links between their marks, indented as a part of a list.
var linksBlock = regexp.MustCompile(`(?s)  <!-- links: begin -->\n(.*?)  <!-- links: end -->\n`)

// TestInstallLinks holds that the links of README.md install what it shows.
func TestInstallLinks(t *testing.T) {
	readme := doctest.Readme(t)
	var made []string
	for _, l := range installLinks {
		made = append(made, "  ["+l.text+"]("+l.address(l.entry(t, readme))+")")
	}
	want := strings.Join(made, " ·\n") + "\n"
	shown := linksBlock.FindStringSubmatch(readme)
	if shown == nil {
		t.Fatal("README.md has no place for the links")
	}
	if *update {
		got := linksBlock.ReplaceAllLiteralString(readme, "  <!-- links: begin -->\n"+want+"  <!-- links: end -->\n")
		if err := os.WriteFile("README.md", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, shown[1]); diff != "" {
		t.Errorf("go test . -run InstallLinks -update writes the links (-want +README):\n%s", diff)
	}
	addresses := regexp.MustCompile(`\((https://\S+)\)`).FindAllStringSubmatch(shown[1], -1)
	if len(addresses) != len(installLinks) {
		t.Fatalf("README.md has %d links, want %d", len(addresses), len(installLinks))
	}
	for i, l := range installLinks {
		name, entry := installed(t, addresses[i][1])
		var want map[string]any
		if err := json.Unmarshal(l.entry(t, readme), &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, entry); diff != "" || name != "ontogate" {
			t.Errorf("%s installs %q (-README +link):\n%s", l.text, name, diff)
		}
	}
}
