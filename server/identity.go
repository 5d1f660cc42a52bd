package server

import (
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
