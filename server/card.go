package server

import (
	"encoding/json"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"
)

// cardPath is the address of the server card (SEP-1649).
const cardPath = "/.well-known/mcp/server-card.json"

// What the card says of the program, as deploy/server.json says it to the MCP registry.
const (
	cardSchema      = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"
	cardName        = "io.github.ontogate/ontogate"
	cardDescription = "Ontology domains for AI agents: find, read and query them, each under its own policy"
	repositoryURL   = "https://github.com/ontogate/ontogate"
	// cardCapabilities is what initialize answers (see newMCP).
	cardCapabilities = `{"tools":{"listChanged":true},"resources":{}}`
)

// card tells programs what they would connect to before they do. The members up to Remotes
// are those of the draft SEP-2127; the others are those of SEP-1649, whose address this
// is: what reads cards today reads the one or the other. Both are drafts.
type card struct {
	Schema      string         `json:"$schema"`
	Name        string         `json:"name"`
	Version     string         `json:"version"`
	Title       string         `json:"title"`
	Description string         `json:"description"`
	WebsiteURL  string         `json:"websiteUrl"`
	Repository  cardRepository `json:"repository"`
	Remotes     []cardRemote   `json:"remotes"`

	ProtocolVersion string             `json:"protocolVersion"`
	ServerInfo      mcp.Implementation `json:"serverInfo"`
	Transport       cardTransport      `json:"transport"`
	Capabilities    json.RawMessage    `json:"capabilities"`
	Tools           []cardTool         `json:"tools"`
}

type cardRepository struct {
	URL    string `json:"url"`
	Source string `json:"source"`
}

type cardRemote struct {
	Type     string   `json:"type"`
	URL      string   `json:"url"`
	Versions []string `json:"supportedProtocolVersions"`
}

type cardTransport struct {
	Type     string `json:"type"`
	Endpoint string `json:"endpoint"`
}

// cardTool is a tool without its arguments: tools/list has those, and which tools there
// are once a domain is selected.
type cardTool struct {
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description"`
}

// sayCard serves the card. It asks no back end and names no domain.
func (s *Server) sayCard(w http.ResponseWriter, r *http.Request) {
	address := s.base(r) + "/mcp"
	of := card{
		Schema: cardSchema, Name: cardName, Version: s.cfg.Version, Title: s.cfg.title(), Description: cardDescription,
		WebsiteURL: repositoryURL, Repository: cardRepository{URL: repositoryURL, Source: "github"},
		Remotes:         []cardRemote{{Type: "streamable-http", URL: address, Versions: mcp.LegacyProtocolVersions()}},
		ProtocolVersion: mcp.LATEST_LEGACY_PROTOCOL_VERSION,
		ServerInfo:      mcp.Implementation{Name: s.cfg.Name, Title: s.cfg.title(), Version: s.cfg.Version},
		Transport:       cardTransport{Type: "streamable-http", Endpoint: address},
		Capabilities:    json.RawMessage(cardCapabilities),
	}
	for _, t := range s.tools {
		if s.shows(nil, t) {
			of.Tools = append(of.Tools, cardTool{t.Name, t.title, t.description})
		}
	}
	w.Header().Set("Content-Type", jsonType)
	_ = json.NewEncoder(w).Encode(of) // a client that is gone needs no answer
}
