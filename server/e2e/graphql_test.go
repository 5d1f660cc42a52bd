//go:build e2e

package e2e_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// graphQLBases are the two addresses of GraphQL.
var graphQLBases = []string{"/graphql", "/api/v1/graphql"}

// graphQLRequest is a request for node/request.mjs.
type graphQLRequest struct {
	URL       string         `json:"url"`
	Page      string         `json:"page,omitempty"`
	Query     string         `json:"query"`
	Variables map[string]any `json:"variables,omitempty"`
	// Extra are members that graphql-request does not send by itself.
	Extra map[string]any `json:"extra,omitempty"`
}

// outcome is what graphql-request made of an answer.
type outcome struct {
	Status int
	Data   any
	Errors []graphQLError
	// Body is the whole answer when it has errors.
	Body string
	// Fault is what else the client threw.
	Fault string
}

type graphQLError struct {
	Message string
	Path    []any
}

// request sends requests with graphql-request, one after the other.
func request(t *testing.T, requests ...graphQLRequest) []outcome {
	t.Helper()
	var got []outcome
	runNode(t, "request.mjs", map[string]any{"requests": requests}, &got, nil)
	if len(got) != len(requests) {
		t.Fatalf("%d outcomes of %d requests", len(got), len(requests))
	}
	return got
}

// data reads JSON that a test expects.
func data(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// partner is the origin of pages that the program in TestGraphQL lets in.
const partner = "https://partner.example"

// Programs that speak GraphQL work through the addresses of the program as they do
// with OntoBricks itself.
func TestGraphQL(t *testing.T) {
	d := deploy(t)
	base := strings.TrimSuffix(serve(t, "--upstream", d.URL, "--allow-origin", partner), "/mcp")
	t.Run("requests", func(t *testing.T) { checkRequests(t, d, base) })
	t.Run("refused", func(t *testing.T) { checkRefused(t, d, base) })
	t.Run("pages", func(t *testing.T) { checkPages(t, d, base) })
	t.Run("codegen", func(t *testing.T) { checkCodegen(t, base) })
}

const (
	pageQuery = `query Page($limit: Int!, $offset: Int! = 0, $search: String = null) {
		customers(limit: $limit, offset: $offset, search: $search) { id label }
	}`
	twoQueries = `query One { customer(id: "CUST00094") { id } } query Two { customer(id: "CUST00095") { id } }`
	deepQuery  = `{ customer(id: "CUST00095") { referredBy { hasContract { id monthlyFee } } } }`
	// queryFault is what the deployment says of every fault in a query.
	queryFault = "The query could not be executed."
)

// exchanges are requests for customer360 and what comes of them.
var exchanges = []struct {
	name    string
	request graphQLRequest
	status  int
	data    string // JSON
	errors  []graphQLError
}{
	{"variables", graphQLRequest{Query: pageQuery, Variables: map[string]any{"limit": 1, "offset": 1}}, 200,
		`{"customers":[{"id":"CUST00095","label":"Ann Martin"}]}`, nil},
	{"variables that are no ASCII", graphQLRequest{Query: pageQuery, Variables: map[string]any{"limit": 9, "search": "zoé 100%"}}, 200,
		`{"customers":[{"id":"CUST00096","label":"Zoé 100% Ltd"}]}`, nil},
	{"the operation that is named", graphQLRequest{Query: twoQueries, Extra: map[string]any{"operationName": "Two"}}, 200,
		`{"customer":{"id":"CUST00095"}}`, nil},
	{"the first operation", graphQLRequest{Query: twoQueries}, 200, `{"customer":{"id":"CUST00094"}}`, nil},
	{"usual depth", graphQLRequest{Query: deepQuery}, 200,
		`{"customer":{"referredBy":[{"hasContract":[{"id":"CON1","monthlyFee":"49.90"}]}]}}`, nil},
	{"depth", graphQLRequest{Query: deepQuery, Extra: map[string]any{"depth": 1}}, 200,
		`{"customer":{"referredBy":[{"hasContract":null}]}}`, nil},
	{"introspection", graphQLRequest{Query: `{ __type(name: "Contract") { fields { name } } }`}, 200,
		`{"__type":{"fields":[{"name":"id"},{"name":"uri"},{"name":"label"},{"name":"monthlyFee"}]}}`, nil},
	{"partial data", graphQLRequest{Query: `{ customer(id: "CUST00094") { label hasInteraction { id channel } } }`}, 400,
		`{"customer":{"label":"Jacob Martinez","hasInteraction":[{"id":"INT1","channel":null},{"id":"INT2","channel":null},{"id":"INT3","channel":null}]}}`,
		[]graphQLError{
			{queryFault, []any{"customer", "hasInteraction", 0.0, "channel"}},
			{queryFault, []any{"customer", "hasInteraction", 1.0, "channel"}},
			{queryFault, []any{"customer", "hasInteraction", 2.0, "channel"}},
		}},
	{"no such field", graphQLRequest{Query: `{ customers { nothing } }`}, 400, `null`, []graphQLError{{Message: queryFault}}},
	{"a missing variable", graphQLRequest{Query: pageQuery}, 400, `null`, []graphQLError{{Message: queryFault}}},
}

// checkRequests holds that graphql-request gets what the deployment answers, at both
// addresses: data, and errors with their status, path and partial data.
func checkRequests(t *testing.T, d *deployment, base string) {
	var requests []graphQLRequest
	for _, address := range graphQLBases {
		for _, c := range exchanges {
			c.request.URL = base + address + "/customer360"
			requests = append(requests, c.request)
		}
	}
	before := len(d.Posted())
	got := request(t, requests...)
	for i, r := range requests {
		c := exchanges[i%len(exchanges)]
		want := outcome{Status: c.status, Data: data(t, c.data), Errors: c.errors, Body: got[i].Body}
		if diff := cmp.Diff(want, got[i]); diff != "" {
			t.Errorf("%s, %s (-want +got):\n%s", r.URL, c.name, diff)
		}
	}
	posted := d.Posted()[before:]
	if len(posted) != len(requests) {
		t.Fatalf("the deployment got %d requests, want %d", len(posted), len(requests))
	}
	var body struct{ OperationName string }
	if err := json.Unmarshal(posted[0], &body); err != nil || body.OperationName != "Page" {
		t.Errorf("the deployment got the operation name %q, %v; want Page, which graphql-request finds in the query", body.OperationName, err)
	}
}

// checkRefused holds that a domain that is not there is told in the form of GraphQL, and
// that what OntoBricks says of a domain without a
// schema or a graph comes as it is.
func checkRefused(t *testing.T, d *deployment, base string) {
	before := len(d.Posted())
	var requests []graphQLRequest
	for _, address := range graphQLBases {
		for _, domain := range []string{"/nothing", "/empty", "/bare"} {
			requests = append(requests, graphQLRequest{URL: base + address + domain, Query: "{ __typename }"})
		}
	}
	for i, got := range request(t, requests...) {
		var body struct {
			Error, Message, Detail string
			Extensions             struct{ Error string }
		}
		if err := json.Unmarshal([]byte(got.Body), &body); err != nil {
			t.Errorf("%s: %v; %+v", requests[i].URL, err, got)
			continue
		}
		if strings.HasSuffix(requests[i].URL, "/bare") {
			if got.Status != http.StatusBadGateway || body.Error != "infrastructure" || !strings.HasPrefix(body.Message, "Graph backend not configured") {
				t.Errorf("%s: %+v, want what OntoBricks says of a domain without a graph", requests[i].URL, got)
			}
			continue
		}
		if strings.HasSuffix(requests[i].URL, "/empty") {
			if got.Status != http.StatusBadRequest || body.Error != "validation" || body.Detail != "no_classes" || !strings.HasPrefix(body.Message, "Ontology has no classes") {
				t.Errorf("%s: %+v, want what OntoBricks says of a domain without classes", requests[i].URL, got)
			}
			continue
		}
		if got.Status != http.StatusNotFound || body.Extensions.Error != "not_found" || len(got.Errors) != 1 || !strings.Contains(got.Errors[0].Message, "'nothing'") {
			t.Errorf("%s: %+v, want 404 and a message about 'nothing'", requests[i].URL, got)
		}
	}
	if posted := d.Posted()[before:]; len(posted) > 0 {
		t.Errorf("customer360 was asked: %s", posted)
	}
}

// checkPages holds that a program in a web page is let in from this machine and from
// origins that are allowed, and hears of errors, too.
func checkPages(t *testing.T, d *deployment, base string) {
	const good, bad, refused = "{ __typename }", "{ nothing }", "TypeError: preflight refused with 403"
	url, before := base+"/graphql/customer360", len(d.Posted())
	tests := []struct {
		page, query string
		want        outcome
	}{
		{"http://localhost:5173", good, outcome{Status: 200}},
		{"http://localhost:5173", bad, outcome{Status: 400}},
		{partner, good, outcome{Status: 200}},
		{partner, bad, outcome{Status: 400}},
		{"https://elsewhere.example", good, outcome{Fault: refused}},
		{"https://elsewhere.example", bad, outcome{Fault: refused}},
	}
	var requests []graphQLRequest
	for _, c := range tests {
		requests = append(requests, graphQLRequest{URL: url, Page: c.page, Query: c.query})
	}
	for i, got := range request(t, requests...) {
		c := tests[i]
		if diff := cmp.Diff(c.want, outcome{Status: got.Status, Fault: got.Fault}); diff != "" {
			t.Errorf("a page of %s sends %s (-want +got):\n%s", c.page, c.query, diff)
		}
	}
	if n := len(d.Posted()) - before; n != 4 {
		t.Errorf("the deployment got %d requests, want 4: none from a page that is not allowed", n)
	}
}

// customersQuery is a query as a program has it in a file.
const customersQuery = `query Customers($limit: Int!, $search: String) {
  customers(limit: $limit, search: $search) {
    ...Named
    email
    hasContract { monthlyFee }
  }
}

fragment Named on Customer { id label }
`

// checkCodegen holds what graphql-codegen writes for a domain of the deployment, and that
// a query typed by it runs.
func checkCodegen(t *testing.T, base string) {
	module, written := codegen(t, base, "customer360", customersQuery)
	for _, want := range []string{
		"export type Customer = {\n  __typename?: 'Customer';\n  email?: Maybe<Scalars['String']['output']>;\n  hasContract?: Maybe<Array<Contract>>;\n",
		"  /** List Customer entities from the knowledge graph. */\n  customers: Array<Customer>;\n",
		"export type QueryCustomersArgs = {\n  limit?: Scalars['Int']['input'];\n  offset?: Scalars['Int']['input'];\n  search?: InputMaybe<Scalars['String']['input']>;\n};\n",
		"export type CustomersQueryVariables = Exact<{\n  limit: number;\n",
		"export type CustomersQuery = { customers: Array<{ email: string | null, id: string, label: string | null, hasContract: Array<{ monthlyFee: string | null }> | null }> };\n",
		"as unknown as DocumentNode<CustomersQuery, CustomersQueryVariables>;",
	} {
		if !strings.Contains(written, want) {
			t.Errorf("what graphql-codegen wrote lacks:\n%s\nit is:\n%s", want, written)
		}
	}
	var got any
	runNode(t, "typed.mjs", map[string]any{
		"url": base + "/graphql/customer360", "module": module, "document": "CustomersDocument",
		"variables": map[string]any{"limit": 1, "search": "jacob"},
	}, &got, nil)
	want := data(t, `{"customers":[{"id":"CUST00094","label":"Jacob Martinez","email":"jacob.martinez@example.com","hasContract":[{"monthlyFee":"49.90"}]}]}`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the typed query (-want +got):\n%s", diff)
	}
}

// ofScalars are descriptions of scalars, which graphql-codegen takes from files alone.
var ofScalars = regexp.MustCompile(`(?m)^  /\*\*.*\*/\n(  \w+: \{ input: )`)

// codegen runs graphql-codegen for a query, and gives the file that it wrote with its text.
// It holds that the same is written from the endpoints, by introspection, as from the
// schema that GET …/schema answers.
func codegen(t *testing.T, base, domain, query string) (module, written string) {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("schema.graphql", schemaText(t, base+"/graphql/"+domain+"/schema"))
	write("query.graphql", query)
	write("codegen.yml", strings.NewReplacer("BASE", base, "DIR", dir, "DOMAIN", domain).Replace(`
documents: DIR/query.graphql
generates:
  DIR/endpoint.ts:
    schema: BASE/graphql/DOMAIN
    plugins: [typescript, typescript-operations, typed-document-node]
  DIR/alias.ts:
    schema: BASE/api/v1/graphql/DOMAIN
    plugins: [typescript, typescript-operations, typed-document-node]
  DIR/schema.ts:
    schema: DIR/schema.graphql
    plugins: [typescript, typescript-operations, typed-document-node]
`))
	// Plugins are looked for where the command runs.
	cmd := exec.CommandContext(t.Context(), clientTool(t, "graphql-codegen"), "--config", filepath.Join(dir, "codegen.yml"))
	cmd.Dir = "node"
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("graphql-codegen: %v\n%s", err, out)
	}
	read := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	written = ofScalars.ReplaceAllString(read("endpoint.ts"), "$1")
	for _, name := range []string{"alias.ts", "schema.ts"} {
		if diff := cmp.Diff(written, ofScalars.ReplaceAllString(read(name), "$1")); diff != "" {
			t.Errorf("%s differs from endpoint.ts (-endpoint +%s):\n%s", name, name, diff)
		}
	}
	return filepath.Join(dir, "endpoint.ts"), written
}

// schemaText is the SDL that an address answers.
func schemaText(t *testing.T, url string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		SDL   string
		Ready bool
	}
	if err := json.Unmarshal(body, &schema); err != nil || res.StatusCode != http.StatusOK || !schema.Ready {
		t.Fatalf("%s answers %d, %v:\n%s", url, res.StatusCode, err, body)
	}
	return schema.SDL
}
