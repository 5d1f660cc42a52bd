package server

import (
	_ "embed"
	"encoding/json"
	"html/template"
	"net/http"
	"strings"
)

// healthPath and readyPath are the addresses of health and readiness. They say nothing
// of domains, and so any Host may ask, and anybody.
const (
	healthPath = "/healthz"
	readyPath  = "/readyz"
)

func isProbe(path string) bool { return path == healthPath || path == readyPath }

// healthy is that the program answers.
type healthy struct {
	Status  string `json:"status"`
	Service string `json:"service"`
	*deployed
	Version string `json:"version"`
	MCP     string `json:"mcp"`
}

// deployed is what OntoBricks' own MCP server says beside that (OntoBricks contract 3.1).
type deployed struct {
	URL       string `json:"ontobricks_url"`
	Warehouse string `json:"warehouse_id"`
	Registry  string `json:"registry"`
}

// health says that the program answers; it never asks the back end.
func (s *Server) health(w http.ResponseWriter, r *http.Request) { s.sayHealthy(w, r, nil) }

func (s *Server) sayHealthy(w http.ResponseWriter, r *http.Request, d *deployed) {
	w.Header().Set("Content-Type", jsonType)
	// A client that is gone needs no answer.
	_ = json.NewEncoder(w).Encode(healthy{"healthy", "ontogate", d, s.cfg.Version, s.base(r) + "/mcp"})
}

//go:embed front.html
var frontHTML string

var frontPage = template.Must(template.New("front").Parse(frontHTML))

// wantsPage reports whether a request is a browser's.
func wantsPage(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") }

// front tells people in a browser what this address is, and programs that it is
// healthy.
func (s *Server) front(w http.ResponseWriter, r *http.Request) {
	if !wantsPage(r) {
		var d *deployed
		if of := s.cfg.Deployment; of.URL != "" {
			d = &deployed{of.URL, of.Warehouse, of.Registry}
		}
		s.sayHealthy(w, r, d)
		return
	}
	type row struct{ Name, Description, Unavailable, Address string }
	page := struct {
		Version, MCP, GraphQL, REST, Missing string
		Domains                              []row
	}{Version: s.cfg.Version, MCP: s.base(r) + "/mcp", GraphQL: s.base(r) + graphQLBases[0], REST: s.base(r) + restDocument}
	c, ok := s.callerFrom(w, r, "")
	if !ok {
		return
	}
	infos, err := soon(r.Context(), s, listLimit, s.backend(c).Domains)
	switch {
	case err != nil && len(infos) == 0:
		s.noteFailure(err)
		refuse(w, http.StatusBadGateway, notListed(err))
		return
	case err != nil:
		page.Missing = partial(err)
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
