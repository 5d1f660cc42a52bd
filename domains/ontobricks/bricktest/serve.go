package bricktest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"crypto/rand"
)

// Error is an error answer of the deployment (contract 1.0).
type Error struct {
	Status                int
	Code, Message, Detail string
	body                  any // instead, an answer of the framework
}

// Error is the message.
func (e *Error) Error() string { return e.Message }

func invalid(message string) *Error {
	return &Error{Status: 400, Code: "validation", Message: message}
}

func notFound(message string) *Error {
	return &Error{Status: 404, Code: "not_found", Message: message}
}

func broken(message string) *Error {
	return &Error{Status: 502, Code: "infrastructure", Message: message}
}

func forbidden(message string) *Error {
	return &Error{Status: 403, Code: "authorization", Message: message}
}

// call is a request being answered.
type call struct {
	view
	r     *http.Request
	query url.Values
	body  []byte
	// domain is set by the routes that need one.
	domain *state
}

// route is what is behind a path: what it needs, and its answer, which is a value for
// JSON, a raw answer or an error.
type route struct {
	method string
	// needs says which domain is opened first: none, a published one, or a published
	// one whose graph the caller may read.
	needs  need
	answer func(*call) (any, error)
}

type need int

const (
	needsNothing need = iota
	needsDomain
	needsGraph
)

// raw is an answer that is sent as it is.
type raw struct {
	status int
	kind   string
	body   []byte
}

// routes maps a path to what is behind it.
var routes = map[string]route{
	"/health":                                      {"GET", needsNothing, health},
	"/api/v1/health":                               {"GET", needsNothing, apiHealth},
	"/api/v1/digitaltwin/registry":                 {"GET", needsNothing, registry},
	"/api/v1/domains":                              {"GET", needsNothing, listDomains},
	"/api/v1/domain/versions":                      {"GET", needsNothing, versions},
	"/api/v1/domain/design-status":                 {"GET", needsDomain, design},
	"/api/v1/domain/classes":                       {"GET", needsDomain, classes},
	"/api/v1/domain/ontology":                      {"GET", needsDomain, ontology},
	"/api/v1/digitaltwin/status":                   {"GET", needsGraph, status},
	"/api/v1/digitaltwin/stats":                    {"GET", needsGraph, stats},
	"/api/v1/digitaltwin/triples/find":             {"GET", needsGraph, find},
	"/api/v1/digitaltwin/triples":                  {"GET", needsGraph, triples},
	"/api/v1/digitaltwin/nodes/context":            {"GET", needsGraph, nodeContext},
	"/api/v1/digitaltwin/nodes/virtual-attributes": {"GET", needsGraph, virtualAttributes},
	"/api/v1/digitaltwin/nodes/action":             {"POST", needsGraph, action},
	"/api/v1/digitaltwin/nodes/business-rule":      {"POST", needsGraph, businessRule},
}

// serve answers a request, or lets it fail.
func (d *Deployment) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	d.record(r, body)
	answer := func(w http.ResponseWriter, r *http.Request) { d.answer(w, r, body) }
	if f := d.strikes(r); f != nil {
		d.fail(w, r, f, answer)
		return
	}
	answer(w, r)
}

func (d *Deployment) answer(w http.ResponseWriter, r *http.Request, body []byte) {
	c := &call{view: d.view(r), r: r, query: r.URL.Query(), body: body}
	if c.token != nil {
		token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !c.token(token) {
			http.Error(w, "Unauthorized", http.StatusUnauthorized) // the platform's proxy answers, not the app
			return
		}
	}
	if _, err := r.Cookie(cookie); err != nil {
		http.SetCookie(w, &http.Cookie{Name: cookie, Value: d.newCookie(), Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
	}
	value, err := c.respond()
	if err != nil {
		value = c.failure(err)
	}
	send(w, r, value)
}

// cookie is the server session, which every first answer sets.
const cookie = "ontobricks_session"

// respond finds the route of a request and answers it.
func (c *call) respond() (any, error) {
	path := c.r.URL.Path
	if rest, ok := strings.CutPrefix(path, "/api/v1/graphql"); ok {
		return c.graphql(rest)
	}
	if rest, ok := strings.CutPrefix(path, "/graphql"); ok {
		return c.graphql(rest)
	}
	to, ok := routes[path]
	if !ok {
		return nil, &Error{Status: 404, body: object{"detail": "Not Found"}}
	}
	if c.r.Method != to.method {
		return nil, errMethod
	}
	if to.method == "POST" {
		if err := c.bind(); err != nil {
			return nil, err
		}
	}
	if to.needs != needsNothing {
		if err := c.open(to.needs == needsGraph); err != nil {
			return nil, err
		}
	}
	return to.answer(c)
}

var errMethod = &Error{Status: 405, body: object{"detail": "Method Not Allowed"}}

// bind reads the members of a JSON body as parameters.
func (c *call) bind() error {
	var members map[string]any
	if json.Unmarshal(c.body, &members) != nil {
		return unprocessable("json_invalid", "body", "0", "JSON decode error", nil)
	}
	for k, v := range members {
		if s, ok := v.(string); ok {
			c.query.Set(k, s)
		}
	}
	return nil
}

// open resolves the domain of a request (contract 1.0).
func (c *call) open(graph bool) error {
	name := c.query.Get("domain_name")
	if name == "" && graph {
		name = c.query.Get("project_name")
	}
	if name == "" {
		return invalid("Graph name not configured") // nothing is open in the server's session
	}
	if !c.configured() {
		return invalid("Registry not configured — cannot resolve domain_name")
	}
	if graph && c.gate != nil {
		email := c.r.Header.Get("X-Forwarded-Email")
		if email == "" || !c.gate(email, name) {
			return forbidden("You are not a member of this domain's team")
		}
	}
	s := c.domains[name]
	if s == nil {
		return notFound(`No PUBLISHED version available for domain "` + name + `"`)
	}
	version := c.query.Get("domain_version")
	if version == "" && graph && !strings.Contains(c.r.URL.Path, "/nodes/") {
		version = c.query.Get("project_version")
	}
	if version != "" {
		if err := s.serves(version); err != nil {
			return err
		}
	} else if s.published() == "" {
		return notFound(`No PUBLISHED version available for domain "` + name + `"`)
	}
	c.domain = s
	return nil
}

func (s *state) serves(version string) error {
	for _, v := range s.Versions {
		if v.Version != version {
			continue
		}
		if v.Status != published {
			return invalid("Version " + version + " of domain '" + s.Name + "' is not PUBLISHED; the API only serves PUBLISHED versions")
		}
		return nil
	}
	return notFound("Version " + version + " not found for domain '" + s.Name + "'")
}

// configured reports whether the registry is: by the request's parameters, else by
// the deployment's own settings.
func (c *call) configured() bool {
	catalog, schema := c.query.Get("registry_catalog"), c.query.Get("registry_schema")
	return (catalog != "" || c.registry.Catalog != "") && (schema != "" || c.registry.Schema != "")
}

// failure is the answer for an error.
func (c *call) failure(err error) raw {
	e := &Error{Status: 500, Code: "internal_error", Message: "An internal error occurred"}
	errors.As(err, &e)
	if e.body != nil {
		return jsonOf(e.Status, e.body)
	}
	id := c.r.Header.Get("X-Request-Id")
	if id == "" {
		id = rand.Text()
	}
	body := object{"error": e.Code, "message": e.Message, "request_id": id}
	if e.Detail != "" {
		body["detail"] = e.Detail
	}
	return jsonOf(e.Status, body)
}

// unprocessable is the framework's answer for a parameter that it refuses.
func unprocessable(kind, in, name, message string, input any) *Error {
	return &Error{Status: 422, Message: message, body: object{"detail": []object{
		{"type": kind, "loc": []string{in, name}, "msg": message, "input": input},
	}}}
}

// integer is a parameter that the framework reads as a number.
func (c *call) integer(name string, otherwise int) (int, error) {
	text, given := c.query[name]
	if !given {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text[0])
	if err != nil {
		return 0, unprocessable("int_parsing", "query", name, "Input should be a valid integer, unable to parse string as an integer", text[0])
	}
	return n, nil
}

// within is an integer whose bounds the framework holds.
func (c *call) within(name string, otherwise, low, high int) (int, error) {
	n, err := c.integer(name, otherwise)
	switch {
	case err != nil:
		return 0, err
	case n < low:
		return 0, unprocessable("greater_than_equal", "query", name, "Input should be greater than or equal to "+strconv.Itoa(low), c.query.Get(name))
	case n > high:
		return 0, unprocessable("less_than_equal", "query", name, "Input should be less than or equal to "+strconv.Itoa(high), c.query.Get(name))
	}
	return n, nil
}

// flag is a parameter that the framework reads as a boolean.
func (c *call) flag(name string) (bool, error) {
	switch strings.ToLower(c.query.Get(name)) {
	case "true", "1", "yes", "on", "t", "y":
		return true, nil
	case "false", "0", "no", "off", "f", "n":
		return false, nil
	case "":
		if _, given := c.query[name]; !given {
			return false, nil
		}
	}
	return false, unprocessable("bool_parsing", "query", name, "Input should be a valid boolean, unable to interpret input", c.query.Get(name))
}

// required is a parameter without which the framework refuses the request.
func (c *call) required(in, name string) (string, error) {
	if _, given := c.query[name]; !given {
		return "", unprocessable("missing", in, name, "Field required", nil)
	}
	return c.query.Get(name), nil
}

func jsonOf(status int, value any) raw {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return raw{500, "text/plain", []byte("bricktest: " + err.Error())}
	}
	return raw{status, "application/json", bytes.TrimSuffix(b.Bytes(), []byte("\n"))}
}

// gzipFrom is the size from which answers are compressed for clients that take it.
const gzipFrom = 1000

func send(w http.ResponseWriter, r *http.Request, value any) {
	out, ok := value.(raw)
	if !ok {
		out = jsonOf(http.StatusOK, value)
	}
	w.Header().Set("Content-Type", out.kind)
	if len(out.body) >= gzipFrom && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.Header().Set("Content-Encoding", "gzip")
		w.WriteHeader(out.status)
		z := gzip.NewWriter(w)
		_, _ = z.Write(out.body) // a client that has gone reads nothing
		_ = z.Close()
		return
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(out.body)))
	w.WriteHeader(out.status)
	_, _ = w.Write(out.body) // as above
}
