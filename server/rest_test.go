package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/examples"
	"github.com/ontogate/ontogate/server"
	"github.com/ontogate/ontogate/server/api"
)

const jacobIRI = "https://ontobricks.com/ontology/Customer/CUST00094"

// restSite is a server with its document, to hold answers to.
type restSite struct {
	*testing.T
	base     string
	document map[string]any
	compiler *jsonschema.Compiler
}

// ofSamples serves the samples.
func ofSamples(t *testing.T) func(*server.Config) {
	b, err := rdfgraph.New(t.Context(), rdfgraph.Config{FS: examples.FS()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return func(c *server.Config) { c.Backend = b }
}

func newRestSite(t *testing.T, change func(*server.Config)) *restSite {
	t.Helper()
	r := &restSite{T: t, base: serve(t, newServer(t, change))}
	res, err := http.Get(r.base + "/api/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	doc, err := jsonschema.UnmarshalJSON(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	r.document = doc.(map[string]any)
	r.compiler = jsonschema.NewCompiler()
	if err := r.compiler.AddResource("https://ontogate.invalid/openapi.json", doc); err != nil {
		t.Fatal(err)
	}
	return r
}

// send sends a request: "GET /path?query", or "POST /path" with a body behind it.
func (r *restSite) send(request string, header ...string) (status int, body []byte, of http.Header) {
	r.Helper()
	method, rest, _ := strings.Cut(request, " ")
	address, posted, _ := strings.Cut(rest, " ")
	q, err := http.NewRequestWithContext(r.Context(), method, r.base+address, strings.NewReader(posted))
	if err != nil {
		r.Fatal(err)
	}
	if posted != "" {
		q.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		q.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultTransport.RoundTrip(q)
	if err != nil {
		r.Fatal(err)
	}
	defer res.Body.Close()
	if body, err = io.ReadAll(res.Body); err != nil {
		r.Fatal(err)
	}
	return res.StatusCode, body, res.Header
}

// fits holds an answer to the document: that of a status, or of all others.
func (r *restSite) fits(request string, status int, body []byte) {
	r.Helper()
	method, rest, _ := strings.Cut(request, " ")
	path, _, _ := strings.Cut(strings.Fields(rest)[0], "?")
	item, ok := r.document["paths"].(map[string]any)[path].(map[string]any)
	if !ok {
		return // there is no such address
	}
	name := "default"
	operation, ok := item[strings.ToLower(method)].(map[string]any)
	if !ok {
		return
	}
	if _, ok := operation["responses"].(map[string]any)[fmt.Sprint(status)]; ok {
		name = fmt.Sprint(status)
	}
	pointer := "/paths/" + strings.ReplaceAll(path, "/", "~1") + "/" + strings.ToLower(method) + "/responses/" + name + "/content/application~1json/schema"
	schema, err := r.compiler.Compile("https://ontogate.invalid/openapi.json#" + pointer)
	if err != nil {
		r.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		r.Fatalf("%s: %v\n%.300s", request, err, body)
	}
	if err := schema.Validate(value); err != nil {
		r.Errorf("%s: the answer is not what the document says: %v\n%.500s", request, err, body)
	}
}

// member reads a member of an answer: "versions.0.status". What is not there is "absent".
func member(body []byte, path string) string {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return err.Error()
	}
	if path != "" {
		for _, name := range strings.Split(path, ".") {
			switch in := v.(type) {
			case map[string]any:
				found, ok := in[name]
				if !ok {
					return "absent"
				}
				v = found
			case []any:
				i := 0
				if name == "#" {
					return fmt.Sprint(len(in))
				}
				if _, err := fmt.Sscan(name, &i); err != nil || i >= len(in) {
					return "absent"
				}
				v = in[i]
			default:
				return "absent"
			}
		}
	}
	if s, ok := v.(string); ok {
		return s
	}
	text, _ := json.Marshal(v)
	return string(text)
}

// TestContract holds the REST interface to the contract of OntoBricks. A row is a request,
// the status, and members of the answer with their values.
func TestContract(t *testing.T) {
	r := newRestSite(t, ofSamples(t))
	const find, twin, c360 = "GET /api/v1/digitaltwin/triples/find?domain_name=customer360&", "GET /api/v1/digitaltwin/", "domain_name=customer360"
	jacob := "entity_uri=" + url.QueryEscape(jacobIRI)
	for _, row := range []struct {
		request string
		status  int
		members []string // path, value
	}{
		// 1.2: health; 1.1: registry, without success.
		{"GET /api/v1/health", 200, []string{"status", "healthy", "service", "Ontogate API"}},
		{twin + "registry", 200, []string{"configured", "true", "catalog", "ontogate", "schema", "domains", "volume", "", "success", "absent"}},
		// 1.1: domains.
		{"GET /api/v1/domains", 200, []string{"success", "true", "message", "null", "domains.#", "4", "domains.0.name", "customer360", "domains.0.mcp_policy", "{}",
			"domains.0.has_graph", "true", "domains.1.mcp_policy.disabled_tools", `["get_status"]`, "domains.2.graph_backend", "none", "domains.2.has_graph", "false"}},
		{"GET /api/v1/domains?registry_catalog=a&registry_schema=b&registry_volume=c&unknown=d", 200, []string{"domains.#", "4"}},
		// 1.1: versions; the domain is required.
		{"GET /api/v1/domain/versions?domain_name=supply_chain", 200, []string{"domain_name", "supply_chain", "message", "null", "latest_version", "3",
			"versions.0.version", "3", "versions.0.is_latest", "true", "versions.0.status", "DRAFT", "versions.0.is_published", "false", "versions.1.is_published", "true"}},
		{"GET /api/v1/domain/versions", 422, []string{"detail.0.type", "missing", "detail.0.loc", `["query","domain_name"]`, "detail.0.msg", "Field required", "error", "absent"}},
		{"GET /api/v1/domain/versions?domain_name=nope", 404, []string{"error", "not_found", "message", "No versions found for domain 'nope'. GET /api/v1/domains lists the domains."}},
		{"GET /api/v1/domain/versions?project_name=finance", 422, []string{"detail.0.type", "missing"}}, // no older name here
		// 1.1: design-status.
		{"GET /api/v1/domain/design-status?" + c360, 200, []string{"domain_name", "customer360", "ontology.ready", "true", "ontology.has_owl", "true",
			"assignment.status", "in_progress", "assignment.progress_percent", "92", "metadata.ready", "true", "metadata.table_count", "1", "message", "null"}},
		// 1.1: ontology.
		{"GET /api/v1/domain/ontology?domain_name=hr_analytics", 200, []string{"format", "turtle", "base_uri", "https://ontobricks.com/hr/", "class_count", "14", "message", "null"}},
		// 1.0: which domain, which version.
		{twin + "status?domain_name=nope", 404, []string{"error", "not_found", "message", `No PUBLISHED version available for domain "nope". GET /api/v1/domains lists the domains.`}},
		{twin + "status", 400, []string{"error", "validation", "detail", "absent"}},
		{twin + "status?project_name=finance&project_version=1", 200, []string{"graph_name", "finance_V1"}},
		{twin + "status?domain_name=supply_chain&domain_version=9", 404, []string{"error", "not_found"}},
		{twin + "status?domain_name=supply_chain&domain_version=3", 400, []string{"error", "validation", "message", "Version 3 of domain 'supply_chain' is not PUBLISHED; the API only serves PUBLISHED versions"}},
		{twin + "status?domain_name=supply_chain&domain_version=2", 200, []string{"graph_name", "supply_chain_V2"}},
		{twin + "status?domain_name=supply_chain&domain_version=1", 400, []string{"error", "validation"}},
		{"GET /api/v1/domain/ontology?project_name=finance", 400, []string{"error", "validation"}}, // no older name here
		// 1.1: status.
		{twin + "status?" + c360, 200, []string{"success", "true", "view_table", "null", "graph_name", "customer360_V1", "has_data", "true", "reason", "null", "message", "null"}},
		{twin + "status?domain_name=hr_analytics", 200, []string{"has_data", "false", "count", "0"}},
		// 1.1: stats.
		{twin + "stats?domain_name=finance", 200, []string{"total_triples", "8698", "type_assertion_count", "1176", "label_count", "1176", "relationship_count", "6346", "inferred_triples", "0"}},
		{twin + "stats?domain_name=hr_analytics", 400, []string{"error", "validation", "message", "Graph backend not configured"}},
		// 1.1: triples/find: defaults, clamps, what is missing.
		{find + "search=CUST00094", 200, []string{"success", "true", "seed_count", "2", "depth", "1", "limit", "1000", "offset", "0", "count", "33", "total", "33", "has_more", "false", "message", "null", "cache_used", "false", "cache_mode", "auto"}},
		{find + "search=CUST00094&depth=99&limit=0&offset=-5", 200, []string{"depth", "10", "limit", "1", "offset", "0", "count", "1", "has_more", "true"}},
		{find + "search=CUST00094&depth=0&limit=99999", 200, []string{"depth", "1", "limit", "10000"}},
		{find + "search=CUST00094&offset=32&limit=5", 200, []string{"count", "1", "has_more", "false", "total", "33", "offset", "32"}},
		{find + "search=CUST00094&depth=x", 422, []string{"detail.0.type", "int_parsing", "detail.0.loc", `["query","depth"]`, "detail.0.input", "x"}},
		{find + "search=CUST00094&entity_type=CUSTOMER", 200, []string{"seed_count", "1"}},
		{find + "search=CUST%2594", 200, []string{"seed_count", "4"}}, // % is any text
		{find + "search=CUST_0094", 200, []string{"seed_count", "2"}}, // _ is any character
		{find + "", 400, []string{"error", "validation", "message", "Provide at least entity_type or search"}},
		{find + "search=nobody&limit=7&offset=3", 200, []string{"success", "true", "seed_count", "0", "message", "No matching entities found", "triples", "[]", "limit", "1000", "offset", "0", "has_more", "false"}},
		{find + "search=CUST00094&cache=off", 200, []string{"cache_mode", "force_off", "cache_used", "false"}},
		{find + "search=CUST00094&cache=perhaps", 400, []string{"message", "cache must be true or false"}},
		{find + "search=CUST00094&cache=yes", 400, []string{"message", "Search cache is only available for Lakehouse and Lakebase."}},
		{find + "search=CUST00094&search_mode=words&limit=1", 200, []string{"triples.0.match_rank", "1", "triples.0.object_kind", "literal", "version", "1"}},
		{find + "search=CUST00094&search_mode=letters", 400, []string{"error", "validation"}},
		// 1.2: triples; the case counts.
		{twin + "triples?" + c360 + "&subject=CUST00094&limit=2", 200, []string{"success", "true", "count", "2", "message", "null"}},
		{twin + "triples?" + c360 + "&search=cust00094", 200, []string{"count", "0", "total", "0", "triples", "[]"}},
		// 1.1: nodes/context: bounds are refused, not clamped.
		{twin + "nodes/context?" + c360, 422, []string{"detail.0.loc", `["query","entity_uri"]`, "detail.0.type", "missing"}},
		{twin + "nodes/context?" + c360 + "&" + jacob + "&dataset_row_limit=21", 422, []string{"detail.0.type", "less_than_equal", "detail.0.msg", "Input should be less than or equal to 20", "detail.0.input", "21"}},
		{twin + "nodes/context?" + c360 + "&" + jacob + "&bridge_depth=0", 422, []string{"detail.0.type", "greater_than_equal"}},
		{twin + "nodes/context?" + c360 + "&" + jacob + "&fetch_dataset_rows=maybe", 422, []string{"detail.0.type", "bool_parsing"}},
		{twin + "nodes/context?" + c360 + "&entity_uri=https://nowhere.example/x/1", 200, []string{"success", "true", "entity_local_id", "1", "class_name", "absent", "dataset", "absent", "bridges", "absent", "message", "absent"}},
		// 1.1: functions of classes that do not have them.
		{twin + "nodes/virtual-attributes?" + c360 + "&entity_uri=https://nowhere.example/x/1", 404, []string{"error", "not_found", "message", "No ontology class matches this entity URI, so there is nothing to call: take the URI that describe_entity shows; get_entity_context shows what its class has."}},
		{`POST /api/v1/digitaltwin/nodes/action {"entity_uri":"https://nowhere.example/x/1","action_full_name":"a.b.c","domain_name":"customer360"}`, 404, []string{"message", "No ontology class matches this entity URI"}},
		{`POST /api/v1/digitaltwin/nodes/action {"domain_name":"customer360"}`, 422, []string{"detail.0.loc", `["body","entity_uri"]`, "detail.1.loc", `["body","action_full_name"]`}},
		{`POST /api/v1/digitaltwin/nodes/action {"entity_uri":7,"action_full_name":"a"}`, 422, []string{"detail.0.type", "string_type", "detail.0.loc", `["body","entity_uri"]`}},
		{`POST /api/v1/digitaltwin/nodes/action {"entity_uri"`, 422, []string{"detail.0.type", "json_invalid"}},
		{`POST /api/v1/digitaltwin/nodes/action []`, 422, []string{"detail.0.type", "model_attributes_type"}},
		// 1.0: the framework's own answers.
		{"GET /api/v1/nope", 404, []string{"detail", "Not Found", "error", "absent"}},
		{"POST /api/v1/domains {}", 405, []string{"detail", "Method Not Allowed"}},
		{"POST /api/openapi.json {}", 405, []string{"detail", "Method Not Allowed"}},
		{"GET /api/v1/digitaltwin/nodes/action", 405, []string{"detail", "Method Not Allowed"}},
	} {
		status, body, header := r.send(row.request)
		if status != row.status {
			t.Errorf("%s: status %d, want %d\n%.300s", row.request, status, row.status, body)
			continue
		}
		for i := 0; i < len(row.members); i += 2 {
			if got := member(body, row.members[i]); got != row.members[i+1] {
				t.Errorf("%s: %s is %s, want %s", row.request, row.members[i], got, row.members[i+1])
			}
		}
		if kind := header.Get("Content-Type"); kind != "application/json" {
			t.Errorf("%s: content type %q", row.request, kind)
		}
		if id := header.Get("X-Request-Id"); status < 500 && member(body, "error") != "absent" && (id == "" || member(body, "request_id") != id) {
			t.Errorf("%s: request %q, and in the body %s", row.request, id, member(body, "request_id"))
		}
		r.fits(row.request, status, body)
	}
}

// TestDocument holds that the document has all addresses, and of each what it reads.
func TestDocument(t *testing.T) {
	r := newRestSite(t, ofSamples(t))
	equal(t, "version", "3.1.0", r.document["openapi"])
	var told []string
	for path, item := range r.document["paths"].(map[string]any) {
		for method := range item.(map[string]any) {
			told = append(told, strings.ToUpper(method)+" "+path)
		}
	}
	var there []string
	for _, p := range api.Paths() {
		there = append(there, p.Method+" "+p.Path)
	}
	slices.Sort(told)
	slices.Sort(there)
	equal(t, "addresses", there, told)
	if !bytes.Equal(api.Document("1"), api.Document("1")) {
		t.Error("the document differs from itself")
	}
}

// TestRestOverHTTP holds what HTTP has besides: tags, compression, HEAD, requests of pages.
func TestRestOverHTTP(t *testing.T) {
	r := newRestSite(t, ofSamples(t))
	const stats = "GET /api/v1/digitaltwin/stats?domain_name=customer360"
	status, body, header := r.send(stats)
	tag := header.Get("Etag")
	equal(t, "status", 200, status)
	equal(t, "kept by whoever asked", "private, no-cache", header.Get("Cache-Control"))
	if tag == "" || header.Get("Content-Encoding") != "" {
		t.Errorf("%v", header)
	}
	status, rest, header := r.send(stats, "If-None-Match", tag)
	if status != 304 || len(rest) != 0 || header.Get("Etag") != tag {
		t.Errorf("with the tag: %d, %d bytes, %v", status, len(rest), header)
	}
	status, small, header := r.send(stats, "Accept-Encoding", "gzip")
	if status != 200 || header.Get("Content-Encoding") != "gzip" || len(small) >= len(body) || !slices.Contains(header.Values("Vary"), "Accept-Encoding") {
		t.Errorf("compressed: %d, %d bytes of %d, %v", status, len(small), len(body), header)
	}
	if status, _, header = r.send("HEAD" + strings.TrimPrefix(stats, "GET")); status != 200 || header.Get("Etag") != tag {
		t.Errorf("HEAD: %d, %v", status, header)
	}
	for _, page := range []string{"https://evil.example", "null"} {
		if status, body, _ = r.send(stats, "Origin", page); status != 403 || member(body, "error") != "authorization" {
			t.Errorf("a page of %s: %d %s", page, status, body)
		}
	}
	status, body, _ = r.send("POST /api/v1/digitaltwin/nodes/action "+strings.Repeat(" ", 1<<20)+"{}", "Content-Type", "application/json")
	if status != 413 || member(body, "error") != "validation" {
		t.Errorf("a large body: %d %.200s", status, body)
	}
	status, body, _ = r.send("POST /api/v1/digitaltwin/nodes/action {}", "Content-Type", "text/plain")
	if status != 415 || member(body, "error") != "validation" {
		t.Errorf("another type: %d %.200s", status, body)
	}
}

// TestRestFollowsPolicy holds that what is hidden from agents is closed to programs, as
// far as it is not needed to select a domain, and that settings close the whole.
func TestRestFollowsPolicy(t *testing.T) {
	const facts = "@prefix : <https://e/> . :Thing a <http://www.w3.org/2002/07/owl#Class> . <https://e/Thing/1> a :Thing ; :p 1 ."
	fsys := fstest.MapFS{}
	for name, settings := range map[string]string{
		"hidden": "policy: {disabled_tools: [describe_ontology, list_entity_types, describe_entity, get_status, get_entity_context, compute_virtual_attributes, invoke_entity_action, run_entity_business_rule]}",
		"off":    "endpoints: {rest: off}", "open": "description: all", "leads": "classes: {Thing: {bridges: [{domain: off, class: Thing}, {domain: open, class: Thing}]}}",
	} {
		fsys[name+"/domain.yaml"] = &fstest.MapFile{Data: []byte(settings)}
		fsys[name+"/a.ttl"] = &fstest.MapFile{Data: []byte(facts)}
	}
	b, err := rdfgraph.New(t.Context(), rdfgraph.Config{FS: fsys})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	r := newRestSite(t, func(c *server.Config) {
		c.Backend, c.DisabledTools = b, []string{"describe_entity", "list_entity_types"}
	})
	_, body, _ := r.send("GET /api/v1/domains")
	if member(body, "domains.#") != "3" || strings.Contains(string(body), `"off"`) {
		t.Errorf("listed: %s", body)
	}
	for _, address := range []string{"domain/classes?", "digitaltwin/nodes/context?follow_bridges=true&entity_uri=https://e/Thing/1&"} {
		_, body, _ := r.send("GET /api/v1/" + address + "domain_name=leads")
		if !strings.Contains(string(body), `"target_domain":"open"`) || strings.Contains(string(body), `"off"`) {
			t.Errorf("%s: %s", address, body)
		}
	}
	for request, want := range map[string][2]int{ // status for hidden, and for open
		"GET /api/v1/domain/versions?": {200, 200}, "GET /api/v1/domain/design-status?": {200, 200}, "GET /api/v1/domain/classes?": {200, 200},
		"GET /api/v1/domain/ontology?": {200, 200}, "GET /api/v1/digitaltwin/status?": {200, 200}, "GET /api/v1/digitaltwin/stats?": {403, 200},
		"GET /api/v1/digitaltwin/triples/find?search=1&": {403, 200}, "GET /api/v1/digitaltwin/triples?": {403, 200},
		"GET /api/v1/digitaltwin/nodes/context?entity_uri=https://e/Thing/1&": {403, 200}, "GET /api/v1/digitaltwin/nodes/virtual-attributes?entity_uri=https://e/Thing/1&": {403, 404},
	} {
		for i, name := range []string{"hidden", "open"} {
			status, body, _ := r.send(request + "domain_name=" + name)
			if status != want[i] {
				t.Errorf("%s of %s: %d, want %d: %.200s", request, name, status, want[i], body)
			}
			if status == 403 && !strings.Contains(member(body, "message"), "its MCP policy does not expose it") {
				t.Errorf("%s: %s", request, body)
			}
			r.fits(request, status, body)
		}
		status, body, _ := r.send(request + "domain_name=off")
		if status != 403 || member(body, "message") != "The REST interface of domain 'off' is closed by the domain's settings." {
			t.Errorf("%s of off: %d %s", request, status, body)
		}
	}
}

// TestContractOfNodes holds what is told of entities, and what is run for them, to the
// contract (1.1, nodes).
func TestContractOfNodes(t *testing.T) {
	posts := 0
	b, err := rdfgraph.New(t.Context(), rdfgraph.Config{FS: examples.FS(), ActionHosts: []string{actionHost}, Transport: answersOfFunctions(&posts)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	const nodes, jacob = "/api/v1/digitaltwin/nodes/", "?domain_name=customer360&entity_uri=" + jacobIRI
	action := func(name string) string {
		return fmt.Sprintf(`POST %saction {"entity_uri":%q,"action_full_name":%q,"domain_name":"customer360","registry_catalog":"x"}`, nodes, jacobIRI, name)
	}
	type row struct {
		request string
		status  int
		members []string
	}
	check := func(r *restSite, rows []row) {
		t.Helper()
		for _, row := range rows {
			status, body, _ := r.send(row.request)
			if status != row.status {
				t.Errorf("%s: status %d, want %d\n%.300s", row.request, status, row.status, body)
			}
			for i := 0; i < len(row.members); i += 2 {
				if got := member(body, row.members[i]); got != row.members[i+1] {
					t.Errorf("%s: %s is %s, want %s", row.request, row.members[i], got, row.members[i+1])
				}
			}
			r.fits(row.request, status, body)
		}
	}
	check(newRestSite(t, func(c *server.Config) { c.Backend = b }), []row{
		{"GET /api/v1/domain/classes?domain_name=customer360", 200, []string{"classes.#", "2", "classes.0.name", "Contract", "classes.0.dataset", "absent", "classes.0.actions", "[]",
			"classes.1.dataset.fullName", "main.crm.customers", "classes.1.dataset.key_column", "customer_id", "classes.1.dataset.rows", "absent",
			"classes.1.bridges.0.target_domain", "finance", "classes.1.bridges.0.target_domain_description", "Contracts, invoices and payments",
			"classes.1.virtualAttributes.0.attributes.0.column", "lifetime_value", "classes.1.business_rules", "[]"}},
		{"GET " + nodes + "context" + jacob, 200, []string{"class_name", "Customer", "entity_local_id", "CUST00094", "dataset.rows", "absent", "bridges.0.entities", "absent",
			"actions.0.function", "open_ticket", "actions.0.returns_table", "true", "business_rules", "absent", "virtual_attributes.0.values", "absent", "message", "absent"}},
		{"GET " + nodes + "context" + jacob + "&fetch_dataset_rows=1&dataset_row_limit=20&follow_bridges=yes&compute_virtual_attributes=on", 200, []string{
			"dataset.rows.#", "1", "dataset.rows.0.customer_id", "CUST00094", "dataset.rows.0.monthly_fees", "29.90", "bridges.0.entities.#", "1",
			"virtual_attributes.0.values.lifetimeValue", "3951.95"}},
		{"GET " + nodes + "context?domain_name=customer360&entity_uri=https://ontobricks.com/ontology/Customer/NOBODY&fetch_dataset_rows=true", 200, []string{"dataset.rows", "[]"}},
		{"GET " + nodes + "virtual-attributes" + jacob, 200, []string{"class_name", "Customer", "virtual_attributes.0.values.churnRisk", "0.56", "virtual_attributes.0.error", "absent", "dataset", "absent"}},
		{"GET " + nodes + "virtual-attributes" + jacob + "&function=a.b.c", 400, []string{"error", "validation",
			"message", "Virtual attribute function 'a.b.c' is not configured on class 'Customer'. There is: main.analytics.customer_value."}},
		{action("main.ops.open_ticket"), 200, []string{"success", "true", "action", "main.ops.open_ticket", "returns_table", "true", "rows.0.ticket_id", "TIC1", "class_name", "Customer", "message", "absent"}},
		{action("a.b.c"), 400, []string{"error", "validation", "message", "Action 'a.b.c' is not configured on class 'Customer'. There is: main.ops.open_ticket."}},
		{fmt.Sprintf(`POST %sbusiness-rule {"entity_uri":%q,"rule":"Vip","domain_name":"customer360"}`, nodes, jacobIRI), 400, []string{"message", "Business rule 'Vip' is not configured on class 'Customer'"}},
	})
	if posts != 3 {
		t.Errorf("functions were called %d times", posts)
	}
	check(newRestSite(t, func(c *server.Config) { c.Backend, c.ReadOnly = b, true }), []row{
		{action("main.ops.open_ticket"), 403, []string{"error", "authorization", "message", "This server is read-only: it runs no actions."}},
	})
	closed, err := rdfgraph.New(t.Context(), rdfgraph.Config{ActionHosts: []string{"f.example"}, FS: fstest.MapFS{
		"customer360/domain.yaml": {Data: []byte(`policy: {context: {dataset: disabled, actions: disabled, virtual_attributes: disabled, business_rules: disabled}}
classes: {Customer: {dataset: {name: a.b.c, key: id}, actions: [{name: a.b.act, url: "https://f.example/"}], virtual_attributes: [{name: a.b.f, url: "https://f.example/"}], bridges: [{domain: customer360, class: Customer}]}}
`)},
		"customer360/a.ttl": {Data: []byte("<https://ontobricks.com/ontology#Customer> a <http://www.w3.org/2002/07/owl#Class> . <" + jacobIRI + "> a <https://ontobricks.com/ontology#Customer> .")},
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closed.Close() })
	check(newRestSite(t, func(c *server.Config) { c.Backend = closed }), []row{
		{"GET /api/v1/domain/classes?domain_name=customer360", 200, []string{"classes.0.dataset", "absent", "classes.0.actions", "[]", "classes.0.virtualAttributes", "[]", "classes.0.bridges.#", "1"}},
		{"GET " + nodes + "context" + jacob + "&fetch_dataset_rows=true&compute_virtual_attributes=true", 200, []string{"dataset", "absent", "actions", "absent", "virtual_attributes", "absent"}},
		{"GET " + nodes + "virtual-attributes" + jacob, 400, []string{"message", "Virtual attributes are disabled for this domain by its MCP policy"}},
		{action("a.b.act"), 400, []string{"message", "Actions are disabled for this domain by its MCP policy"}},
		{fmt.Sprintf(`POST %sbusiness-rule {"entity_uri":%q,"rule":"Vip","domain_name":"customer360"}`, nodes, jacobIRI), 400, []string{"message", "Business rules are disabled for this domain by its MCP policy"}},
	})
	if posts != 3 {
		t.Errorf("functions were called %d times", posts)
	}
}
