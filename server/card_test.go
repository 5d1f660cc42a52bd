package server_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/server"
)

const cardPath = "/.well-known/mcp/server-card.json"

// getCard asks for the card as a client does that names a host, or none.
func getCard(t *testing.T, url, host, origin string) (status int, header http.Header, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+cardPath, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = host
	if origin != "" {
		req.Header.Set("Origin", origin)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, res.Header, string(data)
}

// TestCard holds that the card says what initialize and tools/list say, and what
// deploy/server.json says to the registry.
func TestCard(t *testing.T) {
	url := serve(t, newServer(t, func(c *server.Config) { c.Name, c.ReadOnly = "graphs", true }))
	status, header, body := getCard(t, url, "", "")
	if status != http.StatusOK || header.Get("Content-Type") != "application/json" {
		t.Fatalf("%d %v\n%s", status, header, body)
	}
	var card struct {
		Schema                               string `json:"$schema"`
		Name, Version, Title, Description    string
		WebsiteURL                           string
		Repository, Capabilities, ServerInfo json.RawMessage
		ProtocolVersion                      string
		Remotes                              []struct {
			Type, URL                 string
			SupportedProtocolVersions []string
		}
		Transport struct{ Type, Endpoint string }
		Tools     []struct{ Name, Title, Description string }
	}
	if err := json.Unmarshal([]byte(body), &card); err != nil {
		t.Fatal(err)
	}
	c := connect(t, url+"/mcp")
	var begun struct {
		ProtocolVersion          string
		ServerInfo, Capabilities json.RawMessage
	}
	decodeInto(t, c.initialize().result, &begun)
	if card.ProtocolVersion != begun.ProtocolVersion || string(card.ServerInfo) != string(begun.ServerInfo) {
		t.Errorf("the card says %s %s, initialize %s %s", card.ProtocolVersion, card.ServerInfo, begun.ProtocolVersion, begun.ServerInfo)
	}
	if diff := cmp.Diff(parsed(t, begun.Capabilities), parsed(t, card.Capabilities)); diff != "" {
		t.Errorf("capabilities (-initialize +card):\n%s", diff)
	}
	if len(card.Remotes) != 1 || card.Remotes[0].Type != "streamable-http" || card.Remotes[0].URL != url+"/mcp" ||
		!slices.Contains(card.Remotes[0].SupportedProtocolVersions, begun.ProtocolVersion) || card.Transport.Endpoint != url+"/mcp" {
		t.Errorf("the card names the address %+v, %+v", card.Remotes, card.Transport)
	}
	var listed struct {
		Tools []struct{ Name, Title, Description string }
	}
	decodeInto(t, c.request("tools/list", "").result, &listed)
	for i := range listed.Tools {
		listed.Tools[i].Description, _, _ = strings.Cut(listed.Tools[i].Description, " Example: ")
	}
	if diff := cmp.Diff(listed.Tools, card.Tools); diff != "" {
		t.Errorf("tools (-tools/list +card):\n%s", diff)
	}
	data, err := os.ReadFile(filepath.Join(domaintest.Root(t), "deploy", "server.json"))
	if err != nil {
		t.Fatal(err)
	}
	var registered struct {
		Name, Title, Description, WebsiteURL string
		Repository                           json.RawMessage
	}
	if err := json.Unmarshal(data, &registered); err != nil {
		t.Fatal(err)
	}
	if card.Name != registered.Name || card.Description != registered.Description || card.WebsiteURL != registered.WebsiteURL {
		t.Errorf("the card says %s, %q, %s; deploy/server.json %s, %q, %s", card.Name, card.Description, card.WebsiteURL,
			registered.Name, registered.Description, registered.WebsiteURL)
	}
	if diff := cmp.Diff(parsed(t, registered.Repository), parsed(t, card.Repository)); diff != "" {
		t.Errorf("repository (-deploy/server.json +card):\n%s", diff)
	}
}

func decodeInto(t *testing.T, data []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
}

func parsed(t *testing.T, data []byte) (v any) {
	t.Helper()
	decodeInto(t, data, &v)
	return v
}

// TestCardIsGuarded holds that pages of other sites do not read the card, that a
// Databricks App shows it to its users only, and that it names the public address.
func TestCardIsGuarded(t *testing.T) {
	url := serve(t, newServer(t, func(c *server.Config) { c.PublicURL = "https://graphs.example.org" }))
	if status, _, body := getCard(t, url, "", ""); status != http.StatusOK || !strings.Contains(body, `"url":"https://graphs.example.org/mcp"`) {
		t.Errorf("%d %s", status, body)
	}
	if status, _, body := getCard(t, url, "rebound.example", ""); status != http.StatusForbidden {
		t.Errorf("another host is answered %d %s", status, body)
	}
	if status, _, body := getCard(t, url, "", "https://elsewhere.example"); status != http.StatusForbidden {
		t.Errorf("another origin is answered %d %s", status, body)
	}
	app := serve(t, newServer(t, func(c *server.Config) { c.App = true }))
	if status, _, body := getCard(t, app, "", ""); status != http.StatusUnauthorized {
		t.Errorf("nobody is answered %d %s", status, body)
	}
}
