package server

import (
	"encoding/json"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains"
)

// In App mode the proxy of the platform has signed the person or service in, and says
// who it is in these headers. It replaces what a client sends under their names; where
// there is no such proxy anybody could write them, and so they are not read.
const (
	userHeader  = "X-Forwarded-User"
	emailHeader = "X-Forwarded-Email"
	tokenHeader = "X-Forwarded-Access-Token"
)

// The most bytes of each: an address has 254 at most (RFC 5321 §4.5.3.1.3), tokens of
// the platform about 1,000.
const (
	userLimit  = 256
	emailLimit = 320
	tokenLimit = 16 << 10
)

// principalOf is who asks: outside App mode always the program itself. ok is false when
// a request in App mode names nobody, or in a way that no proxy would: then nothing of
// it may be read.
func (s *Server) principalOf(r *http.Request) (p domains.Principal, ok bool) {
	if !s.cfg.App {
		return domains.Principal{}, true
	}
	var fit [3]bool
	p.User, fit[0] = headerOnce(r.Header, userHeader, userLimit, isName)
	p.Email, fit[1] = headerOnce(r.Header, emailHeader, emailLimit, isName)
	p.Token, fit[2] = headerOnce(r.Header, tokenHeader, tokenLimit, isToken)
	if fit != [3]bool{true, true, true} || p.IsProgram() {
		return domains.Principal{}, false
	}
	return p, true
}

// identified lets requests through that say who asks, and those that need no identity:
// health and the probes say nothing of domains. Preflights do not come here: browsers
// send none of these headers with them, and the guard has answered.
func (s *Server) identified(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, ok := s.principalOf(r); ok || isProbe(r.URL.Path) || (r.URL.Path == "/" && !wantsPage(r)) {
			next.ServeHTTP(w, r)
			return
		}
		// The proxy of the platform signs clients in; there is nothing of ours to be
		// discovered.
		w.Header().Set("WWW-Authenticate", "Bearer")
		if path := r.URL.Path; path == "/" || path == "/mcp" || strings.HasPrefix(path, "/mcp/") {
			refuse(w, http.StatusUnauthorized, noIdentity)
			return
		}
		type message struct {
			Message string `json:"message"`
		}
		w.Header().Set("Content-Type", jsonType)
		w.WriteHeader(http.StatusUnauthorized)
		// A client that is gone needs no answer. The list is what GraphQL clients read.
		_ = json.NewEncoder(w).Encode(struct {
			Error   string    `json:"error"`
			Message string    `json:"message"`
			Errors  []message `json:"errors"`
		}{"unauthorized", noIdentity, []message{{noIdentity}}})
	})
}

const noIdentity = "This request does not say who asks, and this server answers signed-in users only. " +
	"Use the app's address in Databricks, with an OAuth token of the workspace (or signed in, in a browser)."

// forgetToken takes what could be a token out of a request that others are handed, or
// that is kept for longer than an answer takes.
func forgetToken(r *http.Request) {
	r.Header.Del(tokenHeader)
	r.Header.Del("Authorization")
}

// requestNumber is the number that the platform's proxy gave a request, so that its log
// and ours can be joined; empty when there is none that is fit for a log. Nothing is
// decided by it. Outside App mode a client could write it, and all get numbers of ours.
func (s *Server) requestNumber(r *http.Request) string {
	if !s.cfg.App {
		return ""
	}
	fits := func(c rune) bool {
		return c < utf8.RuneSelf && (unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("-._", c))
	}
	number, _ := headerOnce(r.Header, "X-Request-Id", 64, fits)
	return number
}

// forwardedHost is the host by which clients of an App know it; empty when the proxy
// does not say, and outside App mode.
func (s *Server) forwardedHost(r *http.Request) string {
	if !s.cfg.App {
		return ""
	}
	fits := func(c rune) bool {
		return c < utf8.RuneSelf && (unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("-._:[]", c))
	}
	name, _ := headerOnce(r.Header, "X-Forwarded-Host", 255, fits)
	return name
}

// forwardedScheme is the scheme by which clients reach this server, as a proxy says.
func (s *Server) forwardedScheme(r *http.Request) string {
	said := r.Header.Get("X-Forwarded-Proto")
	switch {
	case strings.EqualFold(said, "https"), r.TLS != nil:
		return "https"
	case said == "" && s.forwardedHost(r) != "":
		return "https" // there are no other Apps
	}
	return "http"
}

// headerOnce is the value of a header without spaces around it; empty when there is
// none. ok is false when it stands there several times, is longer than limit bytes or
// holds a character that does not fit.
func headerOnce(h http.Header, name string, limit int, fits func(rune) bool) (value string, ok bool) {
	values := h.Values(name)
	if len(values) == 0 {
		return "", true
	}
	value = strings.TrimSpace(values[0])
	unfit := func(r rune) bool { return !fits(r) }
	if len(values) > 1 || len(value) > limit || !utf8.ValidString(value) || strings.ContainsFunc(value, unfit) {
		return "", false
	}
	return value, true
}

// isName reports whether a character may stand in a user's id or address. A comma
// joins several values of a header (RFC 9110 §5.3), and there is one.
func isName(r rune) bool { return unicode.IsPrint(r) && r != ',' }

// isToken reports whether a character may stand in a token (RFC 6750 §2.1).
func isToken(r rune) bool {
	return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-._~+/=", r))
}
