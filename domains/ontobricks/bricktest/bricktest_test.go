package bricktest_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains/ontobricks/bricktest"
)

const (
	typeIRI = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
	label   = "http://www.w3.org/2000/01/rdf-schema#label"
	at      = "https://x.example/"
)

// answer is what a deployment said.
type answer struct {
	status int
	header http.Header
	body   map[string]any
	text   string
}

func get(t *testing.T, d *bricktest.Deployment, path string, query ...string) answer {
	t.Helper()
	q := url.Values{}
	for i := 0; i < len(query); i += 2 {
		q.Add(query[i], query[i+1])
	}
	req, err := http.NewRequestWithContext(t.Context(), "GET", d.URL+path+"?"+q.Encode(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return do(t, req)
}

func do(t *testing.T, req *http.Request) answer {
	t.Helper()
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	a := answer{status: res.StatusCode, header: res.Header, text: string(data)}
	_ = json.Unmarshal(data, &a.body) // some answers are not JSON
	return a
}

// find asks triples/find of a domain with these triples for the seeds' number and
// the subjects in the answer.
func find(t *testing.T, d *bricktest.Deployment, query ...string) (seeds int, subjects string) {
	t.Helper()
	a := get(t, d, "/api/v1/digitaltwin/triples/find", append([]string{"domain_name", "d"}, query...)...)
	if a.status != 200 {
		t.Fatalf("%v: status %d: %s", query, a.status, a.text)
	}
	var list []string
	for _, triple := range a.body["triples"].([]any) {
		s := strings.TrimPrefix(triple.(map[string]any)["subject"].(string), at)
		if len(list) == 0 || list[len(list)-1] != s {
			list = append(list, s)
		}
	}
	return int(a.body["seed_count"].(float64)), strings.Join(list, " ")
}

// TestSeeds holds which subjects a search finds.
func TestSeeds(t *testing.T) {
	d := bricktest.New(t)
	d.Add(bricktest.Domain{Name: "d", Triples: [][3]string{
		{at + "Customer/1", typeIRI, at + "o#Customer"}, {at + "Customer/1", label, "Ann 100%"},
		{at + "Customer/2", typeIRI, at + "Customer"}, {at + "Customer/2", at + "fullname", "Ann"}, {at + "Customer/2", at + "name", "Bob"},
		{at + "Order/3", typeIRI, at + "o#SubCustomer"}, {at + "Order/3", at + "note", "Ann"},
		{at + "x#y", typeIRI, at + "o#CUSTOMER"}, {at + "x#y", at + "Name", "Ann"},
	}})
	for _, test := range []struct {
		entityType, search string
		want               string
		seeds              int
	}{
		{"customer", "", "Customer/1 Customer/2 x#y", 3},
		{"Customer", "ann", "Customer/1", 1},
		{"", "ANN", "Customer/1", 1},
		{"", "bob", "Customer/2", 1},
		{"", "cust", "Customer/1 Customer/2", 2},
		{"", "3", "Order/3", 1},
		{"", "y", "x#y", 1},
		{"", "rder", "", 0},
		{"", "100%", "Customer/1", 1},
		{"", "a_n", "Customer/1", 1},
		{"", "%", "Customer/1 Customer/2 Order/3 x#y", 4},
		{"%customer", "", "Customer/1 Customer/2 Order/3 x#y", 4},
		{"Order", "", "", 0},
	} {
		var query []string
		if test.entityType != "" {
			query = append(query, "entity_type", test.entityType)
		}
		if test.search != "" {
			query = append(query, "search", test.search)
		}
		seeds, subjects := find(t, d, query...)
		if seeds != test.seeds || subjects != test.want {
			t.Errorf("%q: %d seeds, subjects %q; want %d, %q", query, seeds, subjects, test.seeds, test.want)
		}
	}
}

// TestWalk holds where a search goes from its seeds, and which aliases it adds.
func TestWalk(t *testing.T) {
	d := bricktest.New(t)
	d.Add(bricktest.Domain{Name: "d", Triples: [][3]string{
		{at + "A/1", label, "start"}, {at + "A/1", at + "to", at + "B/2"},
		{at + "B/2", at + "to", at + "C/3"}, {at + "C/3", at + "v", "1"},
		{at + "Z/0", at + "to", at + "A/1"},
		{at + "A/1", typeIRI, at + "T/9"}, {at + "T/9", at + "v", "a type is no edge"},
		{at + "A/1", at + "name", at + "N/8"}, {at + "N/8", at + "v", "a label is no edge"},
		{at + "A/1", at + "to", "urn:u:7"}, {"urn:u:7", at + "v", "only http is an edge"},
		{at + "Other/2", at + "v", "ends like B/2"}, {at + "Other/12", at + "v", "does not"},
		{at + "A/1", at + "to", at + "gone/5"}, {at + "E/5", at + "v", "ends like a node without facts"},
	}})
	for depth, want := range map[string]string{
		"0": "A/1 B/2 E/5 Other/2 Z/0", // clamped to 1
		"1": "A/1 B/2 E/5 Other/2 Z/0",
		"2": "A/1 B/2 C/3 E/5 Other/2 Z/0",
		"9": "A/1 B/2 C/3 E/5 Other/2 Z/0",
	} {
		if seeds, got := find(t, d, "search", "start", "depth", depth); seeds != 1 || got != want {
			t.Errorf("depth %s: %d seeds, %s; want %s", depth, seeds, got, want)
		}
	}
	a := get(t, d, "/api/v1/digitaltwin/triples/find", "domain_name", "d", "search", "start")
	if n := a.body["entity_count"]; n != 6.0 { // with gone/5
		t.Errorf("entity_count %v, want 6", n)
	}
}

// TestPages holds how a search is cut into pages.
func TestPages(t *testing.T) {
	d := bricktest.New(t)
	var triples [][3]string
	for i := range 10_000 {
		triples = append(triples, [3]string{fmt.Sprintf("%sC/%05d", at, i/2), typeIRI, at + "C"}, [3]string{fmt.Sprintf("%sC/%05d", at, i/2), label, fmt.Sprint(i)})
	}
	d.Add(bricktest.Domain{Name: "d", Triples: triples})
	got := map[string]string{}
	for _, page := range []string{"0 1000", "14000 1000", "14999 1", "15000 10", "-5 0", "0 99999"} {
		offset, limit, _ := strings.Cut(page, " ")
		a := get(t, d, "/api/v1/digitaltwin/triples/find", "domain_name", "d", "entity_type", "C", "offset", offset, "limit", limit)
		got[page] = fmt.Sprint(a.body["count"], a.body["total"], a.body["has_more"], a.body["limit"], a.body["offset"])
	}
	want := map[string]string{
		"0 1000": "1000 15000 true 1000 0", "14000 1000": "1000 15000 false 1000 14000", "14999 1": "1 15000 false 1 14999",
		"15000 10": "0 15000 false 10 15000", "-5 0": "1 15000 true 1 0", "0 99999": "10000 15000 true 10000 0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
}

// TestErrors holds the shapes of errors.
func TestErrors(t *testing.T) {
	d := bricktest.New(t)
	d.Add(bricktest.Customer360(), bricktest.Finance(), bricktest.OntologyOnly(), bricktest.Domain{Name: "draft", Versions: []bricktest.Version{{Version: "1"}}})
	const twin = "/api/v1/digitaltwin/"
	for _, test := range []struct {
		path  string
		query []string
		want  string
	}{
		{twin + "stats", []string{"domain_name", "nope"}, `404 not_found No PUBLISHED version available for domain "nope"`},
		{twin + "stats", []string{"domain_name", "draft"}, `404 not_found No PUBLISHED version available for domain "draft"`},
		{twin + "stats", []string{"domain_name", "bare"}, `400 validation Graph backend not configured`},
		{twin + "status", []string{"domain_name", "customer360", "domain_version", "3"}, `400 validation Version 3 of domain 'customer360' is not PUBLISHED; the API only serves PUBLISHED versions`},
		{twin + "triples/find", []string{"domain_name", "customer360"}, `400 validation Provide at least entity_type or search`},
		{twin + "triples/find", []string{"domain_name", "customer360", "search", "a", "cache", "maybe"}, `400 validation cache must be true or false`},
		{twin + "triples/find", []string{"domain_name", "customer360", "search", "a", "limit", "many"}, `422 int_parsing [query limit] Input should be a valid integer, unable to parse string as an integer`},
		{twin + "nodes/context", []string{"domain_name", "customer360"}, `422 missing [query entity_uri] Field required`},
		{twin + "nodes/context", []string{"domain_name", "customer360", "entity_uri", "u", "dataset_row_limit", "21"}, `422 less_than_equal [query dataset_row_limit] Input should be less than or equal to 20`},
		{twin + "nodes/virtual-attributes", []string{"domain_name", "customer360", "entity_uri", bricktest.Jacob, "function", "f"}, `400 validation Virtual attribute function 'f' is not configured on class 'Customer'`},
		{twin + "nodes/virtual-attributes", []string{"domain_name", "customer360", "entity_uri", "urn:x"}, `404 not_found No ontology class matches this entity URI`},
		{"/api/v1/domain/versions", []string{"domain_name", "nope"}, `404 not_found No versions found for domain 'nope'`},
		{"/api/v1/domain/versions", nil, `422 missing [query domain_name] Field required`},
		{twin + "nodes/action", nil, `405 Method Not Allowed`},
		{"/api/v1/nothing", nil, `404 Not Found`},
	} {
		a := get(t, d, test.path, test.query...)
		got := fmt.Sprint(a.status, " ", a.body["error"], " ", a.body["message"])
		switch detail := a.body["detail"].(type) {
		case string:
			got = fmt.Sprint(a.status, " ", detail)
		case []any:
			first := detail[0].(map[string]any)
			got = fmt.Sprint(a.status, " ", first["type"], " ", first["loc"], " ", first["msg"])
		}
		if got != test.want {
			t.Errorf("%s %v:\n got %s\nwant %s", test.path, test.query, got, test.want)
		}
	}
}

// TestClasses holds that what a policy disables, and bridges to domains that are not
// listed, are left out.
func TestClasses(t *testing.T) {
	d := bricktest.New(t)
	d.Add(bricktest.Customer360(), bricktest.Finance())
	read := func() string { return get(t, d, "/api/v1/domain/classes", "domain_name", "customer360").text }
	before := read()
	if !strings.Contains(before, `"target_domain_description":"Contracts and payments"`) || strings.Contains(before, "Secret") {
		t.Errorf("bridges: %s", before)
	}
	d.Change("customer360", func(c *bricktest.Domain) {
		c.Policy = map[string]any{"context": map[string]string{"actions": "disabled", "dataset": "disabled"}}
	})
	if after := read(); strings.Contains(after, "recompute_risk") || strings.Contains(after, "main.crm") || !strings.Contains(after, "Vip") {
		t.Errorf("actions and dataset disabled: %s", after)
	}
}

// TestNodes holds what is known of an entity besides facts.
func TestNodes(t *testing.T) {
	d := bricktest.New(t)
	d.Add(bricktest.Customer360(), bricktest.Finance())
	a := get(t, d, "/api/v1/digitaltwin/nodes/context", "domain_name", "customer360", "entity_uri", bricktest.Jacob,
		"fetch_dataset_rows", "true", "follow_bridges", "true", "compute_virtual_attributes", "true")
	for _, want := range []string{
		`"class_name":"Customer"`, `"entity_local_id":"CUST00094"`, `"customer_id":"CUST00094"`, `"uri":"` + bricktest.Loan + `"`,
		`"values":{"band":"high","score":0.82}`, `"error":"PERMISSION_DENIED: no EXECUTE on main.kg.broken"`,
	} {
		if !strings.Contains(a.text, want) {
			t.Errorf("context lacks %s:\n%s", want, a.text)
		}
	}
	body := fmt.Sprintf(`{"entity_uri":%q,"action_full_name":"main.ops.recompute_risk","domain_name":"customer360"}`, bricktest.Jacob)
	req, err := http.NewRequestWithContext(t.Context(), "POST", d.URL+"/api/v1/digitaltwin/nodes/action", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if a := do(t, req); a.status != 200 || !strings.Contains(a.text, "main.ops.recompute_risk of CUST00094 done") {
		t.Errorf("action: %d %s", a.status, a.text)
	}
}

// TestAccess holds who is let in, and that a session is offered on first answers.
func TestAccess(t *testing.T) {
	d := bricktest.New(t)
	d.Add(bricktest.Customer360())
	d.RequireToken(func(token string) bool { return token == "good" })
	d.Gate(func(email, domain string) bool { return email == "ann@example.com" })
	for _, test := range []struct {
		path, token, email string
		want               int
	}{
		{"/api/v1/domains", "", "", 401},
		{"/api/v1/domains", "bad", "", 401},
		{"/api/v1/domains", "good", "", 200},
		{"/api/v1/domain/classes", "good", "", 200},
		{"/api/v1/digitaltwin/stats", "good", "", 403},
		{"/api/v1/digitaltwin/stats", "good", "bob@example.com", 403},
		{"/api/v1/digitaltwin/stats", "good", "ann@example.com", 200},
	} {
		req, err := http.NewRequestWithContext(t.Context(), "GET", d.URL+test.path+"?domain_name=customer360", nil)
		if err != nil {
			t.Fatal(err)
		}
		if test.token != "" {
			req.Header.Set("Authorization", "Bearer "+test.token)
		}
		if test.email != "" {
			req.Header.Set("X-Forwarded-Email", test.email)
		}
		a := do(t, req)
		if a.status != test.want {
			t.Errorf("%+v: status %d", test, a.status)
		}
		if offered := strings.HasPrefix(a.header.Get("Set-Cookie"), "ontobricks_session="); offered != (a.status != 401) {
			t.Errorf("%+v: Set-Cookie %q", test, a.header.Get("Set-Cookie"))
		}
	}
	if n := d.Count("/stats"); n != 3 {
		t.Errorf("%d requests for stats recorded, want 3", n)
	}
}

// TestShow holds that a domain that is not there for a user is there nowhere.
func TestShow(t *testing.T) {
	d := bricktest.New(t)
	d.Add(bricktest.Customer360(), bricktest.Finance())
	d.Show(func(email, domain string) bool { return domain == "finance" || email == "ann@example.com" })
	for email, want := range map[string]int{"ann@example.com": 200, "bob@example.com": 404, "": 404} {
		for _, path := range []string{"/api/v1/domain/versions", "/api/v1/domain/classes", "/api/v1/digitaltwin/stats", "/graphql/customer360/schema", "/api/v1/domains"} {
			req, err := http.NewRequestWithContext(t.Context(), "GET", d.URL+path+"?domain_name=customer360", nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("X-Forwarded-Email", email)
			a := do(t, req)
			if path == "/api/v1/domains" {
				if strings.Contains(a.text, "customer360") != (want == 200) || !strings.Contains(a.text, "finance") {
					t.Errorf("the list of %q: %s", email, a.text)
				}
			} else if a.status != want {
				t.Errorf("%s of %q: status %d, want %d", path, email, a.status, want)
			}
		}
	}
}

// TestFaults holds what clients see of faults.
func TestFaults(t *testing.T) {
	d := bricktest.New(t)
	d.Add(bricktest.Customer360())
	var ran atomic.Int64
	d.Change("customer360", func(c *bricktest.Domain) {
		c.Action = func(string, string) ([]json.RawMessage, error) { ran.Add(1); return nil, nil }
	})
	fresh := &http.Transport{DisableKeepAlives: true} // over a kept connection the transport itself asks again
	health := func() (string, error) {
		req, err := http.NewRequestWithContext(t.Context(), "GET", d.URL+"/api/v1/health", nil)
		if err != nil {
			return "", err
		}
		res, err := fresh.RoundTrip(req)
		if err != nil {
			return "", err
		}
		defer func() { _ = res.Body.Close() }()
		data, err := io.ReadAll(res.Body)
		return fmt.Sprintf("%d %d %s", res.StatusCode, len(data), res.Header.Get("Location")), err
	}
	released := make(chan struct{})
	close(released)
	for _, test := range []struct {
		name  string
		fault bricktest.Fault
		want  string
		fails bool
	}{
		{"502 once", bricktest.Fault{Status: 502, Body: []byte("bad")}, "502 3 ", false},
		{"waits", bricktest.Fault{Wait: released}, "200 87 ", false},
		{"reset", bricktest.Fault{ResetBeforeAnswer: true}, "", true},
		{"reset in body", bricktest.Fault{ResetInBody: true}, "200 46 ", true},
		{"huge", bricktest.Fault{Huge: 1 << 20}, "200 1048576 ", false},
		{"elsewhere", bricktest.Fault{Redirect: "https://elsewhere.example/"}, "307 0 https://elsewhere.example/", false},
		{"cut", bricktest.Fault{Rewrite: func(b []byte) []byte { return b[:10] }}, "200 10 ", false},
	} {
		test.fault.Times = 1
		d.Fault(bricktest.Path("/health"), test.fault)
		got, err := health()
		if (err != nil) != test.fails || got != test.want && !strings.HasPrefix(test.name, "reset") {
			t.Errorf("%s: %q, %v; want %q", test.name, got, err, test.want)
		}
		if got, err := health(); err != nil || !strings.HasPrefix(got, "200 ") {
			t.Errorf("%s: afterwards %q, %v", test.name, got, err)
		}
	}
	d.Fault(bricktest.Path("/action"), bricktest.Fault{ResetBeforeAnswer: true, Handled: true})
	body := fmt.Sprintf(`{"entity_uri":%q,"action_full_name":"main.ops.recompute_risk","domain_name":"customer360"}`, bricktest.Jacob)
	req, err := http.NewRequestWithContext(t.Context(), "POST", d.URL+"/api/v1/digitaltwin/nodes/action", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if res, err := http.DefaultTransport.RoundTrip(req); err == nil {
		_ = res.Body.Close()
		t.Error("the lost answer arrived")
	}
	if n := ran.Load(); n != 1 {
		t.Errorf("the action ran %d times, want once", n)
	}
}

// TestGraphQL holds the routes for GraphQL.
func TestGraphQL(t *testing.T) {
	d := bricktest.New(t)
	d.Add(bricktest.Customer360(), bricktest.Domain{Name: "empty"})
	if a := get(t, d, "/graphql"); a.text != `{"domains":[{"description":"Customer 360 with interactions and contracts","name":"customer360"}],"message":null,"success":true}` {
		t.Errorf("list: %s", a.text)
	}
	if a := get(t, d, "/graphql/settings/depth"); a.text != `{"default":2,"max":5}` {
		t.Errorf("depth: %s", a.text)
	}
	if a := get(t, d, "/graphql/empty/schema"); a.body["ready"] != false || a.body["reason"] != "no_classes" {
		t.Errorf("schema of no classes: %s", a.text)
	}
	if a := get(t, d, "/api/v1/graphql/customer360/schema"); a.body["ready"] != true {
		t.Errorf("schema: %s", a.text)
	}
	for query, want := range map[string]string{
		"{ customers(limit: 2) { id label } }": `200 {"data":{"customers":[{"id":"CUST00094","label":"Jacob Martinez"},{"id":"CUST00095","label":"Ann Martin"}]}}`,
		"{ nope }":                             `400 {"errors":[{"message":"The query could not be executed.","path":null}]}`,
	} {
		body, _ := json.Marshal(map[string]string{"query": query})
		req, err := http.NewRequestWithContext(t.Context(), "POST", d.URL+"/graphql/customer360", strings.NewReader(string(body)))
		if err != nil {
			t.Fatal(err)
		}
		if a := do(t, req); fmt.Sprint(a.status, " ", a.text) != want {
			t.Errorf("%s: %d %s", query, a.status, a.text)
		}
	}
}
