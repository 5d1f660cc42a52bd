package server_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/examples"
	"github.com/ontogate/ontogate/server"
)

// chain is a server over some domains, and one in front of it.
type chain struct{ first, second *server.Server }

func newChain(t *testing.T, c rdfgraph.Config) chain {
	t.Helper()
	folder, err := rdfgraph.New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folder.Close() })
	return newChainOver(t, folder)
}

func newChainOver(t *testing.T, folder domains.Backend) chain {
	t.Helper()
	first := newServer(t, func(c *server.Config) { c.Backend = folder })
	web := httptest.NewServer(first.Handler())
	t.Cleanup(web.Close)
	up, err := ontobricks.New(ontobricks.Config{URL: web.URL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { up.Close() })
	return chain{first, newServer(t, func(c *server.Config) { c.Backend = up })}
}

// answersOfFunctions answers the functions of the samples, and counts what it is sent.
func answersOfFunctions(posts *int) http.RoundTripper {
	return sender(func(r *http.Request) (*http.Response, error) {
		*posts++
		w := httptest.NewRecorder()
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, map[string]string{
			"/customer_value": `{"lifetime_value":3951.95,"churn_risk":0.56,"next_offer":"Family channels"}`,
			"/open_ticket":    `[{"ticket_id":"TIC1","status":"open"}]`,
		}[r.URL.Path])
		return w.Result(), nil
	})
}

// sampleCalls are calls over all tools and all samples: tool and arguments.
var sampleCalls = []string{
	`list_domains {}`,
	`list_domain_versions {"domain_name":"supply_chain"}`, `list_domain_versions {"domain_name":"nope"}`,
	`get_design_status {"domain_name":"customer360"}`, `get_design_status {"domain_name":"supply_chain"}`, `get_design_status {"domain_name":"hr_analytics"}`,
	`select_domain {"domain_name":"customer360"}`, `select_domain {"domain_name":"finance"}`, `select_domain {"domain_name":"hr_analytics"}`,
	`select_domain {"domain_name":"supply_chain"}`, `select_domain {"domain_name":"suply_chain"}`,
	`get_status {"domain_name":"customer360"}`, `get_status {"domain_name":"finance"}`, `get_status {"domain_name":"supply_chain"}`,
	`list_entity_types {"domain_name":"customer360"}`, `list_entity_types {"domain_name":"finance"}`, `list_entity_types {"domain_name":"hr_analytics"}`,
	`list_entity_types {"domain_name":"customer360","search":"contract"}`,
	`describe_ontology {"domain_name":"customer360"}`, `describe_ontology {"domain_name":"customer360","classes":["Customer","Claim"]}`,
	`describe_ontology {"domain_name":"hr_analytics","format":"turtle"}`, `describe_ontology {"domain_name":"finance","format":"turtle"}`,
	`describe_ontology {"domain_name":"supply_chain","classes":["Nonsense"]}`,
	`describe_entity {"domain_name":"customer360","search":"Jacob Martinez"}`, `describe_entity {"domain_name":"customer360","search":"martinez"}`,
	`describe_entity {"domain_name":"customer360","search":"jacob martines"}`, `describe_entity {"domain_name":"customer360","search":"CUST00094","depth":0}`,
	`describe_entity {"domain_name":"customer360","search":"CUST00094","depth":3}`, `describe_entity {"domain_name":"customer360","search":"CUST00094","detail":"full"}`,
	`describe_entity {"domain_name":"customer360","entity_type":"Claim"}`, `describe_entity {"domain_name":"customer360","entity_type":"Contract","limit":3,"detail":"full"}`,
	`describe_entity {"domain_name":"customer360","entity_type":"Clame"}`, `describe_entity {"domain_name":"customer360"}`,
	`describe_entity {"domain_name":"customer360","entity_uri":"https://ontobricks.com/ontology/CUST00094"}`,
	`describe_entity {"domain_name":"customer360","entity_uri":"https://nowhere.example/1"}`,
	`describe_entity {"domain_name":"finance","search":"CUST00094","entity_type":"Contract"}`, `describe_entity {"domain_name":"finance","entity_type":"Invoice","depth":2}`,
	`describe_entity {"domain_name":"supply_chain","entity_type":"Supplier"}`, `describe_entity {"domain_name":"hr_analytics","search":"x"}`,
	`get_graphql_schema {"domain_name":"customer360"}`, `get_graphql_schema {"domain_name":"customer360","types":["Claim"]}`,
	`get_graphql_schema {"domain_name":"customer360","search":"amount"}`, `get_graphql_schema {"domain_name":"finance","detail":"full"}`,
	`get_graphql_schema {"domain_name":"supply_chain","types":["Clame"]}`, `get_graphql_schema {"domain_name":"hr_analytics"}`,
	`query_graphql {"domain_name":"customer360","query":"{ allClaim(limit: 3, orderBy: [{claimedAmount: DESC}]) { label claimedAmount claimOf { label } } }"}`,
	`query_graphql {"domain_name":"customer360","query":"{ allClaim { nonsense } }"}`, `query_graphql {"domain_name":"customer360","query":"{ allClaim("}`,
	`query_graphql {"domain_name":"customer360","query":"{ customer(id: \"nobody\") { label } }"}`, `query_graphql {"domain_name":"customer360","query":"{ allCustomer(search: \"zzz\") { label } }"}`,
	`query_graphql {"domain_name":"finance","query":"query($n: Int){ allInvoice(limit: $n) { id label } }","variables":"{\"n\":2}","format":"json"}`,
	`query_graphql {"domain_name":"customer360","query":"mutation { x }"}`,
	`get_entity_context {"domain_name":"customer360","entity_uri":"https://ontobricks.com/ontology/Customer/CUST00094"}`,
	`get_entity_context {"domain_name":"customer360","entity_uri":"https://ontobricks.com/ontology/Customer/CUST00094","fetch_dataset_rows":true,"follow_bridges":true,"compute_virtual_attributes":true}`,
	`get_entity_context {"domain_name":"customer360","entity_uri":"https://ontobricks.com/ontology/Contract/CON00131","follow_bridges":true}`,
	`get_entity_context {"domain_name":"customer360","entity_uri":"https://ontobricks.com/ontology/Claim/CLM00022"}`,
	`get_entity_context {"domain_name":"finance","entity_uri":"https://ontobricks.com/ontology/Contract/CON00131"}`,
	`compute_virtual_attributes {"domain_name":"customer360","entity_uri":"https://ontobricks.com/ontology/Customer/CUST00094"}`,
	`compute_virtual_attributes {"domain_name":"customer360","entity_uri":"https://ontobricks.com/ontology/Customer/CUST00094","function":"main.analytics.nothing"}`,
	`compute_virtual_attributes {"domain_name":"customer360","entity_uri":"https://ontobricks.com/ontology/Claim/CLM00022"}`,
	`invoke_entity_action {"domain_name":"customer360","entity_uri":"https://ontobricks.com/ontology/Customer/CUST00094","action":"main.ops.open_ticket"}`,
	`invoke_entity_action {"domain_name":"customer360","entity_uri":"https://ontobricks.com/ontology/Customer/CUST00094","action":"main.ops.nothing"}`,
	`invoke_entity_action {"domain_name":"customer360","entity_uri":"https://ontobricks.com/ontology/Customer/NOBODY","action":"main.ops.open_ticket"}`,
	`run_entity_business_rule {"domain_name":"customer360","entity_uri":"https://ontobricks.com/ontology/Customer/CUST00094","rule":"Vip"}`,
}

// inArchive are the tools whose answers are kept.
var inArchive = []string{
	"list_domains", "list_domain_versions", "select_domain", "get_status", "get_entity_context", "compute_virtual_attributes", "invoke_entity_action", "run_entity_business_rule",
}

// mostChainPages is how many pages of an answer are compared.
const mostChainPages = 6

// same makes calls at both ends, follows cursors, and returns the first page of each.
func (c chain) same(t *testing.T, calls []string) (archive string) {
	t.Helper()
	ends := []*client{connect(t, serve(t, c.first)+"/mcp"), connect(t, serve(t, c.second)+"/mcp")}
	var b strings.Builder
	for _, call := range calls {
		tool, args, _ := strings.Cut(call, " ")
		for page := range mostChainPages {
			one, oneFailed := ends[0].call(tool, args)
			two, twoFailed := ends[1].call(tool, args)
			if oneFailed != twoFailed {
				t.Errorf("%s %s: one is an error, the other not:\n%s\n\n%s", tool, args, one, two)
			}
			if diff := cmp.Diff(maskCursor(one), maskCursor(two)); diff != "" {
				t.Errorf("%s %s, page %d (-first +second):\n%s", tool, args, page+1, diff)
			}
			if page == 0 && slices.Contains(inArchive, tool) {
				fmt.Fprintf(&b, "== %s\n%s\n", call, maskCursor(two))
			}
			m := cursors.FindStringSubmatch(one)
			if m == nil {
				break
			}
			args = strings.TrimSuffix(withoutCursor(args), "}") + fmt.Sprintf(`,"cursor":%q}`, m[1]) // the first one's, at both
		}
	}
	return b.String()
}

func withoutCursor(args string) string {
	before, _, _ := strings.Cut(args, `,"cursor"`)
	return strings.TrimSuffix(before, "}") + "}"
}

// TestOntogateInFrontOfOntogate holds that an Ontogate that asks another gives the same
// texts: of all tools and of all resources, on the samples.
func TestOntogateInFrontOfOntogate(t *testing.T) {
	posts := 0
	c := newChain(t, rdfgraph.Config{FS: examples.FS(), ActionHosts: []string{actionHost}, Transport: answersOfFunctions(&posts)})
	got := c.same(t, sampleCalls)
	if posts != 2*3 { // two computations and an action, at each end
		t.Errorf("functions were called %d times", posts)
	}
	golden(t, "testdata/chain.txt", got)
	for _, name := range []string{"customer360", "finance", "hr_analytics", "supply_chain"} {
		ends := []*client{connect(t, serve(t, c.first)+"/mcp"), connect(t, serve(t, c.second)+"/mcp")}
		equal(t, "tools of "+name, ends[0].selects(name), ends[1].selects(name))
		for _, uri := range []string{"ontobricks://domains", "ontobricks://status", "ontobricks://stats", "ontobricks://graphql-schema"} {
			params := fmt.Sprintf(`{"uri":%q}`, uri)
			one, two := ends[0].request("resources/read", params), ends[1].request("resources/read", params)
			if diff := cmp.Diff(string(one.result)+one.message, string(two.result)+two.message); diff != "" {
				t.Errorf("%s of %s (-first +second):\n%s", uri, name, diff)
			}
		}
	}
	// Two clients of the second, on different domains at once.
	base := serve(t, c.second)
	one, two := connect(t, base+"/mcp"), connect(t, base+"/mcp")
	one.selects("customer360")
	two.selects("finance")
	a, _ := one.call("list_entity_types", "{}")
	b, _ := two.call("list_entity_types", "{}")
	contains(t, "of the one", a, "[customer360, version 1]")
	contains(t, "of the other", b, "[finance, version 1]")
}

// TestChainsOfOddDomains does the same with what the samples do not have.
func TestChainsOfOddDomains(t *testing.T) {
	fsys := fstest.MapFS{}
	for _, name := range []string{"broken_files", "describe_entity_terms", "aliases", "context_files"} {
		a, err := txtar.ParseFile("testdata/tools/" + name + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			if path, ok := strings.CutPrefix(f.Name, "domains/"); ok {
				fsys[path] = &fstest.MapFile{Data: f.Data}
			}
		}
	}
	if len(fsys) == 0 {
		t.Fatal(os.ErrNotExist)
	}
	fsys["thesaurus/a.ttl"] = &fstest.MapFile{Data: []byte(`@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix : <http://example.org/> .
:fish a skos:Concept ; skos:prefLabel "Fish"@en, "Kala"@fi ; skos:topConceptOf :animals ; skos:narrower :carp .
:carp a skos:Concept ; skos:prefLabel "Carp"@en ; skos:broader :fish ; skos:inScheme :animals .
:animals a skos:ConceptScheme ; skos:prefLabel "Animals"@en .
:Fish a <http://www.w3.org/2002/07/owl#Class> ; <http://www.geneontology.org/formats/oboInOwl#hasExactSynonym> "Pisces" .
`)}
	c := newChain(t, rdfgraph.Config{FS: fsys})
	b, err := rdfgraph.New(t.Context(), rdfgraph.Config{FS: fsys})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	infos, err := b.Domains(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var calls []string
	for _, i := range infos {
		in := fmt.Sprintf(`"domain_name":%q`, i.Name)
		calls = append(calls, "select_domain {"+in+"}", "get_status {"+in+"}", "list_entity_types {"+in+"}", "describe_ontology {"+in+"}",
			"describe_ontology {"+in+`,"format":"turtle"}`, "get_graphql_schema {"+in+"}")
		calls = append(calls, eachEntity(t, b, i)...)
	}
	c.same(t, calls)
}

// eachEntity describes the entities of a domain, one by one.
func eachEntity(t *testing.T, b domains.Backend, i domains.Info) (calls []string) {
	t.Helper()
	d, err := b.Open(t.Context(), i.Name)
	if err != nil || d.Facts == nil {
		return nil
	}
	stats, err := d.Facts.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, class := range stats.Types {
		m, err := d.Facts.Find(t.Context(), domains.Query{Types: []string{class.IRI}, Limit: 5})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range m.Hits {
			calls = append(calls, fmt.Sprintf(`describe_entity {"domain_name":%q,"entity_uri":%q,"depth":2}`, i.Name, h.IRI))
		}
	}
	return calls
}

// TestChangesBehindAChain holds that two revisions are not mixed: the first call after a
// change says so, or is answered from the new one, and the next is.
func TestChangesBehindAChain(t *testing.T) {
	dir := t.TempDir()
	put := func(label string) {
		t.Helper()
		text := "<https://e/C> a <http://www.w3.org/2002/07/owl#Class> . <https://e/C/1> a <https://e/C> ; <http://www.w3.org/2000/01/rdf-schema#label> \"" + label + "\" ."
		if err := os.WriteFile(filepath.Join(dir, "a.ttl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("before")
	folder, err := rdfgraph.New(t.Context(), rdfgraph.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folder.Close() })
	c := newChainOver(t, folder)
	infos, err := folder.Domains(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	end := connect(t, serve(t, c.second)+"/mcp")
	args := fmt.Sprintf(`{"domain_name":%q,"entity_uri":"https://e/C/1"}`, infos[0].Name)
	text, _ := end.call("describe_entity", args)
	contains(t, "before the change", text, "before")
	put("after")
	if err := folder.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	text, isError := end.call("describe_entity", args)
	if !isError || !strings.Contains(text, "changed while it was read. Make the call again.") {
		t.Errorf("right after the change: %s", text)
	}
	text, _ = end.call("describe_entity", args)
	contains(t, "the next call", text, "after")
}
