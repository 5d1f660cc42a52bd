package server

import (
	_ "embed"
	"encoding/json"
	"html/template"
	"net/http"
	"strings"
)

// healthPath is the address of health. It says nothing of domains, and so any Host
// may ask.
const healthPath = "/healthz"

// health says that the program answers; it never asks the back end.
func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", jsonType)
	// A client that is gone needs no answer.
	_ = json.NewEncoder(w).Encode(struct {
		Status  string `json:"status"`
		Service string `json:"service"`
		Version string `json:"version"`
		MCP     string `json:"mcp"`
	}{"healthy", "ontogate", s.cfg.Version, s.base(r) + "/mcp"})
}

//go:embed front.html
var frontHTML string

var frontPage = template.Must(template.New("front").Parse(frontHTML))

// front tells people in a browser what this address is, and programs that it is
// healthy.
func (s *Server) front(w http.ResponseWriter, r *http.Request) {
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		s.health(w, r)
		return
	}
	type row struct{ Name, Description, Unavailable, Address string }
	page := struct {
		Version, MCP string
		Domains      []row
	}{Version: s.cfg.Version, MCP: s.base(r) + "/mcp"}
	c := &caller{base: s.base(r)}
	infos, err := s.backend(c).Domains(r.Context())
	if err != nil {
		s.noteFailure(err)
		refuse(w, http.StatusBadGateway, "The domains cannot be listed now: try again later.")
		return
	}
	for _, i := range infos {
		page.Domains = append(page.Domains, row{string(i.Name), i.Description, i.Unavailable, c.address(i.Name)})
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	_ = frontPage.Execute(w, page) // a client that is gone needs no answer
}
