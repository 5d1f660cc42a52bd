package rest

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mostOwn is how long a text of the service may be, in characters.
const mostOwn = 500

// own is what an answer that says no says itself.
type own struct {
	code, text, request string
	// whole is set for the words of an Ontogate, which say the next step already.
	whole bool
	// framework is set for the bare 404 of a route that does not exist.
	framework bool
}

// own reads the text of an answer: its message, else its error, else its detail
// (contract 1.0), else the errors of GraphQL. secrets do not appear in it.
func (c *Client) own(a *answer, secrets ...string) own {
	var said struct {
		Error     json.RawMessage `json:"error"`
		ErrorCode json.RawMessage `json:"error_code"` // of the platform
		Message   json.RawMessage `json:"message"`
		Detail    json.RawMessage `json:"detail"`
		Request   json.RawMessage `json:"request_id"`
		Errors    json.RawMessage `json:"errors"`
		Service   json.RawMessage `json:"service"` // of an Ontogate
	}
	if json.Unmarshal(a.peek(), &said) != nil {
		return own{}
	}
	out := own{code: text(said.Error), request: text(said.Request), whole: text(said.Service) == "ontogate"}
	if out.code == "" {
		out.code = text(said.ErrorCode)
	}
	candidates := []string{text(said.Message)}
	if !isCode(out.code) { // a word for programs says less than our own sentence
		candidates = append(candidates, text(said.Error))
	}
	candidates = append(candidates, text(said.Detail), details(said.Detail))
	candidates = append(candidates, messages(said.Errors)...)
	for _, t := range candidates {
		if out.text = c.clean(t, secrets); out.text != "" {
			break
		}
	}
	if !isCode(out.code) {
		out.code = ""
	}
	if !isCode(out.request) {
		out.request = ""
	}
	out.framework = out.code == "" && text(said.Detail) == "Not Found"
	return out
}

// text is a JSON string; "" for anything else.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// details joins the items of a 422 of FastAPI: "limit: Input should be …; …".
func details(raw json.RawMessage) string {
	var items []struct {
		Loc []any  `json:"loc"`
		Msg string `json:"msg"`
	}
	if json.Unmarshal(raw, &items) != nil {
		return ""
	}
	var out []string
	for _, item := range items {
		if len(item.Loc) > 1 {
			item.Loc = item.Loc[1:] // the first says "query" or "body"
		}
		var field []string
		for _, part := range item.Loc {
			field = append(field, fmt.Sprint(part))
		}
		if item.Msg == "" && len(field) > 0 {
			item.Msg = "not accepted"
		}
		if item.Msg != "" {
			out = append(out, strings.Trim(strings.Join(field, ".")+": "+item.Msg, ": "))
		}
	}
	return strings.Join(out, "; ")
}

// messages are those of the errors of GraphQL.
func messages(raw json.RawMessage) []string {
	var items []struct {
		Message json.RawMessage `json:"message"`
	}
	if json.Unmarshal(raw, &items) != nil {
		return nil
	}
	var out []string
	for _, item := range items {
		out = append(out, text(item.Message))
	}
	return out
}

var (
	address = regexp.MustCompile(`[a-zA-Z][a-zA-Z0-9+.-]*://[^\s"'<>]+`)
	// platform are hosts of Databricks, where what OntoBricks works with is.
	platform = regexp.MustCompile(`(?i)\b[a-z0-9.-]+\.(azuredatabricks\.net|databricksapps\.com|databricks\.(com|us|mil))\b(:\d+)?`)
	secret   = regexp.MustCompile(`(?i)\bbearer\s+(\(token\)|[a-z0-9._~+/=-]+)|\bdapi[0-9a-f]{16,}(-\d+)?|\beyJ[a-zA-Z0-9_-]+\.[a-zA-Z0-9_.-]+`)
	code     = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)
)

func isCode(s string) bool { return code.MatchString(s) }

// clean makes a foreign text one line without addresses of the deployment or the
// platform, without tokens and not too long. Other addresses stay: an IRI may be what
// the text is about.
func (c *Client) clean(s string, secrets []string) string {
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "�"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.Is(unicode.C, r)
	}), " ")
	for _, hidden := range secrets {
		if hidden != "" {
			s = strings.ReplaceAll(s, hidden, "(token)")
		}
	}
	s = secret.ReplaceAllString(s, "(token)")
	s = address.ReplaceAllStringFunc(s, func(u string) string {
		if c.host.MatchString(u) || c.authority.MatchString(u) || platform.MatchString(u) {
			return "(address)" + u[len(strings.TrimRight(u, ".,;:!?)]}")):]
		}
		return u
	})
	s = c.host.ReplaceAllString(s, "(host)")
	s = platform.ReplaceAllString(s, "(host)")
	if utf8.RuneCountInString(s) > mostOwn {
		s = strings.TrimSpace(string([]rune(s)[:mostOwn-1])) + "…"
	}
	return s
}

// hosts are how the deployment's host is found in texts: host where it stands alone,
// authority within an address. A name of one word, such as a service of a cluster has,
// may be any word of a text: alone it is only found with its port.
func hosts(base *url.URL) (host, authority *regexp.Regexp) {
	name := regexp.QuoteMeta(base.Hostname())
	port := `(:\d+)?`
	if !strings.ContainsAny(base.Hostname(), ".:") {
		port = `:\d+`
	}
	return regexp.MustCompile(`(?i)(\b|\[)` + name + `\]?` + port), regexp.MustCompile(`(?i)//([^/\s]*@)?\[?` + name + `\]?([:/?#]|$)`)
}

// sentence ends a text with a mark.
func sentence(s string) string {
	if strings.ContainsAny(s[len(s)-1:], ".!?") || strings.HasSuffix(s, "…") {
		return s
	}
	return s + "."
}
