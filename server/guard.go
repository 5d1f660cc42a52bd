package server

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// The guard decides which requests come in at all: a page in somebody's browser
// must not reach a server on that person's machine, neither under its own name
// (Host, against DNS rebinding) nor from another site (Origin). A Databricks App has no
// such names: whatever Host its proxy asks for, a request is of the user that the proxy
// signed in, and the only pages that belong to it are those of the host that is forwarded.

// corsHeaders are the headers that MCP clients in browsers send.
const corsHeaders = "Content-Type, Accept, Authorization, Mcp-Protocol-Version, Mcp-Session-Id, Last-Event-ID, Mcp-Method, Mcp-Name"

const (
	mcpMethods     = "GET, POST, DELETE, OPTIONS"
	graphQLMethods = "GET, POST, OPTIONS"
)

// guard lets requests from allowed hosts and origins through, and answers
// preflights.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isProbe(r.URL.Path) { // probes name the address of a pod
			next.ServeHTTP(w, r)
			return
		}
		if !s.cfg.App && !s.hostAllowed(r.Host) {
			s.refuseAs(w, r, http.StatusForbidden, fmt.Sprintf("The host %q is not allowed here. To allow it, start the server with --allow-host %s.",
				shown(r.Host), shown(hostOf(r.Host).name)))
			return
		}
		origin := r.Header.Get("Origin")
		if origin != "" {
			w.Header().Add("Vary", "Origin")
			if !s.originAllowed(origin, r) {
				s.refuseAs(w, r, http.StatusForbidden, fmt.Sprintf("The origin %q is not allowed here. To allow it, start the server with --allow-origin %s.",
					shown(origin), shown(origin)))
				return
			}
			w.Header().Set("Access-Control-Allow-Origin", origin)
			w.Header().Set("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate, X-Request-Id, Retry-After")
		} else if isForPrograms(r.URL.Path) && embedded(r.Header) {
			s.refuseAs(w, r, http.StatusForbidden, "A page of another web site asked, and its browser did not say which: "+
				"open the address in a window, or ask with fetch from a site that --allow-origin names.")
			return
		}
		if r.Method == http.MethodOptions {
			methods := mcpMethods
			if isForPrograms(r.URL.Path) {
				methods = graphQLMethods
			}
			w.Header().Set("Allow", methods)
			if origin != "" {
				w.Header().Set("Access-Control-Allow-Methods", methods)
				w.Header().Set("Access-Control-Allow-Headers", corsHeaders)
				w.Header().Set("Access-Control-Max-Age", "600")
			}
			w.WriteHeader(http.StatusNoContent)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// hostAllowed reports whether a Host header names this machine from within, or is
// in the list.
func (s *Server) hostAllowed(header string) bool {
	h := hostOf(header)
	if h.isLoopback() {
		return true
	}
	for _, allowed := range s.cfg.AllowHosts {
		if a := hostOf(allowed); allowed == "*" || (a.name != "" && a.meets(h)) {
			return true
		}
	}
	return false
}

// originAllowed reports whether a page may use this server: one on this machine,
// one of the host that is asked, or one in the list. For an App it is one of the
// forwarded origin, or one in the list.
func (s *Server) originAllowed(origin string, r *http.Request) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return false
	}
	h := hostOf(u.Host)
	if s.cfg.App {
		own := s.forwardedHost(r)
		if own != "" && strings.EqualFold(u.Scheme, s.forwardedScheme(r)) && h.usual(u.Scheme) == hostOf(own).usual(u.Scheme) {
			return true
		}
	} else if h.isLoopback() || h == hostOf(r.Host) {
		return true
	}
	for _, allowed := range s.cfg.AllowOrigins {
		scheme, rest, hasScheme := strings.Cut(allowed, "://")
		if !hasScheme {
			rest = allowed
		}
		a := hostOf(strings.TrimSuffix(rest, "/"))
		if allowed == "*" || (a.name != "" && a.meets(h) && (!hasScheme || strings.EqualFold(scheme, u.Scheme))) {
			return true
		}
	}
	return false
}

// embedded reports whether a browser asks on behalf of a page of another site that named
// no origin, such as for an image or a frame. Such a page is shown no answer, but it could
// keep a server busy with queries, and measure how long they take. Browsers say so of
// every request to this machine or over TLS (Fetch Metadata). A person who follows a link
// is let in.
func embedded(h http.Header) bool {
	switch h.Get("Sec-Fetch-Site") {
	case "cross-site", "same-site":
		return h.Get("Sec-Fetch-Mode") != "navigate" || h.Get("Sec-Fetch-Dest") != "document"
	}
	return false
}

// host is a host name or address in lower case, and a port that may be empty.
type host struct{ name, port string }

func hostOf(s string) host {
	name, port, err := net.SplitHostPort(s)
	if err != nil {
		name, port = s, ""
	}
	return host{strings.ToLower(strings.Trim(name, "[]")), port}
}

// meets reports whether h, from a list, allows other. Proxies drop and add ports:
// one that is missing on either side does not count.
func (h host) meets(other host) bool {
	return h.name == other.name && (h.port == "" || other.port == "" || h.port == other.port)
}

// usual is h without a port that its scheme implies.
func (h host) usual(scheme string) host {
	if implied := map[string]string{"http": "80", "https": "443"}[strings.ToLower(scheme)]; h.port == implied {
		h.port = ""
	}
	return h
}

func (h host) isLoopback() bool {
	ip := net.ParseIP(h.name)
	return h.name == "localhost" || (ip != nil && ip.IsLoopback())
}

// refuse answers with a sentence.
func refuse(w http.ResponseWriter, status int, message string) {
	http.Error(w, message, status)
}
