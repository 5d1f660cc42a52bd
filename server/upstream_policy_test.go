package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/domains/ontobricks"
	"github.com/ontogate/ontogate/domains/ontobricks/bricktest"
	"github.com/ontogate/ontogate/server"
)

// modes is a policy in which some elements of the context have a mode.
func modes(mode string, elements ...string) map[string]any {
	context := map[string]string{}
	for _, e := range elements {
		context[e] = mode
	}
	return map[string]any{"context": context}
}

// policy changes the policy of a domain.
func (p *proxy) policy(name string, policy any) {
	p.Change(name, func(d *bricktest.Domain) { d.Policy = policy })
}

// ofJacob are arguments about the entity that has all kinds of context.
func ofJacob(pairs ...any) string {
	return args(append([]any{"entity_uri", bricktest.Jacob}, pairs...)...)
}

var (
	anAction = ofJacob("action", "main.ops.recompute_risk")
	aRule    = ofJacob("rule", "Vip")
)

// Elements that the policy of the deployment disables are refused although their tools
// are listed, and the deployment is not asked; what does not use them works.
func TestUpstreamDisabledElements(t *testing.T) {
	p := newProxy(t, nil)
	p.policy("customer360", modes("disabled", "actions", "virtual_attributes"))
	p.later(time.Minute)
	c := newPerson(t, p.server.Handler(), nil)
	c.call("select_domain", args("domain_name", "customer360"))
	var listed struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal(c.request("tools/list", "{}").result, &listed); err != nil || len(listed.Tools) != len(allTools) {
		t.Errorf("%d tools are listed, want %d: %v", len(listed.Tools), len(allTools), err)
	}
	p.Forget()
	for _, call := range []struct{ tool, args, want string }{
		{"invoke_entity_action", anAction, "Actions are disabled for domain 'customer360' by its MCP policy."},
		{"compute_virtual_attributes", ofJacob(), "Virtual attributes are disabled for domain 'customer360' by its MCP policy."},
		{"get_entity_context", ofJacob("compute_virtual_attributes", true), "Virtual attributes are disabled for domain 'customer360' by its MCP policy."},
	} {
		text, isError := c.call(call.tool, call.args)
		if text != call.want || !isError {
			t.Errorf("%s: %q, %t", call.tool, text, isError)
		}
	}
	for _, r := range p.Requests() {
		if strings.Contains(r.Path, "/nodes/") {
			t.Errorf("the deployment was asked: %s %s", r.Method, r.Path)
		}
	}
	text, isError := c.call("get_entity_context", ofJacob("fetch_dataset_rows", true))
	if isError {
		t.Errorf("get_entity_context: %s", text)
	}
	contains(t, "the context", text, "main.crm.customers", "Vip")
	hides(t, "the context", text, "recompute_risk", "main.kg.risk")
	if text, isError := c.call("run_entity_business_rule", aRule); isError {
		t.Errorf("a rule: %s", text)
	}
}

// contextElements are all elements of a class's context.
var contextElements = []string{"dataset", "bridges", "actions", "business_rules", "virtual_attributes"}

// TestUpstreamContextModes holds what is said of an entity's context when each element
// is normal, preferred (the hints then say what to do) and disabled.
func TestUpstreamContextModes(t *testing.T) {
	got := &txtar.Archive{Comment: []byte("The context of an entity as policies have it (TestUpstreamContextModes): preferred elements come with a directive.\n\n")}
	for _, mode := range []string{"normal", "preferred", "disabled"} {
		p := newProxy(t, nil)
		p.policy("customer360", modes(mode, contextElements...))
		p.later(time.Minute)
		c := newPerson(t, p.server.Handler(), nil)
		for _, call := range []struct{ tool, args string }{
			{"select_domain", args("domain_name", "customer360")},
			{"list_entity_types", args()},
			{"describe_entity", args("search", "Jacob Martinez")},
			{"get_entity_context", ofJacob()},
		} {
			text, isError := c.call(call.tool, call.args)
			if isError {
				t.Errorf("%s, %s: %s", mode, call.tool, text)
			}
			got.Files = append(got.Files, txtar.File{Name: mode + "/" + call.tool, Data: []byte(text + "\n")})
		}
	}
	golden(t, "testdata/upstream/contexts.txtar", string(txtar.Format(got)))
}

// everything calls every tool with useful arguments, reads every resource and list, and
// returns all that was said.
func (p *person) everything() string {
	p.t.Helper()
	p.heard.Reset()
	entity := []any{"entity_uri", bricktest.Jacob}
	for _, tool := range allTools {
		for _, more := range [][]any{
			{}, entity, {"search", "Jacob", "depth", 2}, {"class", "Customer"}, {"query", "{ customers(limit: 2) { id label } }"},
			append(entity, "follow_bridges", true, "fetch_dataset_rows", true, "compute_virtual_attributes", true),
			append(entity, "action", "main.ops.recompute_risk"), append(entity, "rule", "Vip"),
		} {
			p.request("tools/call", `{"name":"`+tool+`","arguments":`+args(more...)+`}`)
			p.request("tools/call", `{"name":"`+tool+`","arguments":`+args(append(more, "domain_name", "customer360")...)+`}`)
		}
	}
	p.request("tools/list", "{}")
	p.request("resources/list", "{}")
	for _, uri := range []string{"domains", "status", "stats", "graphql-schema"} {
		p.read("ontobricks://" + uri)
	}
	for _, path := range []string{"/graphql", "/graphql/customer360/schema", "/api/v1/graphql", "/mcp/customer360", "/healthz"} {
		method, body := http.MethodGet, ""
		if strings.HasPrefix(path, "/mcp") {
			method, body = http.MethodPost, initialize
		}
		session := p.session
		p.session = ""
		p.send(method, path, body)
		p.session = session
	}
	return p.heard.String()
}

// A bridge to a domain that is not listed is told nowhere, also where the deployment
// does not withhold it.
func TestUpstreamHiddenBridgeTargets(t *testing.T) {
	p := newProxy(t, nil)
	p.later(time.Minute)
	p.Add(bricktest.Domain{Name: "hidden", Description: "The hidden one", Versions: []bricktest.Version{{Version: "1", Status: "DRAFT"}}})
	whole := json.RawMessage(fmt.Sprintf(`{"success":true,"entity_uri":%q,"entity_local_id":"CUST00094","class_name":"Customer","bridges":[
		{"target_domain":"hidden","target_domain_description":"The hidden one","target_class_name":"Secret","label":"Not to be seen","entities":[{"uri":"https://x.example/Secret/1","predicate":"p","object":"o"}]},
		{"target_domain":"finance","target_class_name":"Contract","label":"Owns contracts"}]}`, bricktest.Jacob))
	c := newPerson(t, p.server.Handler(), nil)
	for name, change := range map[string]func(*bricktest.Domain){
		"withheld":     func(*bricktest.Domain) {},
		"not withheld": func(d *bricktest.Domain) { d.Context = map[string]json.RawMessage{bricktest.Jacob: whole} },
	} {
		p.Change("customer360", change)
		c.call("select_domain", args("domain_name", "customer360"))
		said := c.everything()
		contains(t, name, said, "finance", "Owns contracts")
		hides(t, name, said, "hidden", "Secret", "Not to be seen")
		hides(t, name+", the log", p.log.String(), "hidden", "Secret")
	}
}

// Following bridges selects nothing; the hop over a bridge is describe, select, describe.
func TestUpstreamHop(t *testing.T) {
	p := newProxy(t, nil)
	c := newPerson(t, p.server.Handler(), nil)
	c.call("select_domain", args("domain_name", "customer360"))
	text, _ := c.call("describe_entity", args("search", "Jacob Martinez"))
	contains(t, "describe_entity", text, "finance", "select_domain", "[customer360, version 2]")
	text, isError := c.call("get_entity_context", ofJacob("follow_bridges", true))
	if isError {
		t.Errorf("get_entity_context: %s", text)
	}
	contains(t, "the bridge", text, "finance", "CUST00094-L1", "[customer360, version 2]")
	text, _ = c.call("get_status", "{}")
	contains(t, "the selection", text, "[customer360, version 2]")

	c.call("select_domain", args("domain_name", "finance"))
	text, isError = c.call("describe_entity", args("search", "CUST00094-L1", "detail", "standard"))
	if isError {
		t.Errorf("describe_entity over the bridge: %s", text)
	}
	contains(t, "the other side", text, "Loan of Jacob Martinez", "1200", "[finance, version 1]")
}

// A policy that changes in the deployment is announced to the sessions with that domain,
// to nobody else, and counts at once, also for principals who asked before.
func TestUpstreamPolicyChanges(t *testing.T) {
	p := newProxy(t, nil)
	base := serve(t, p.server)
	crm, also, finance, none := connect(t, base+"/mcp"), connect(t, base+"/mcp"), connect(t, base+"/mcp"), connect(t, base+"/mcp")
	crm.selects("customer360")
	also.selects("customer360")
	finance.selects("finance")
	fixed := connect(t, base+"/mcp/customer360")
	all := []*client{crm, also, fixed, finance, none}
	streams := map[*client]*listening{}
	for _, c := range all {
		c.tools()
		streams[c] = listen(t, c)
	}
	p.policy("customer360", map[string]any{"disabled_tools": []string{"invoke_entity_action"}})
	p.look()
	for _, c := range all[:3] {
		equal(t, "announced", announcement, streams[c].event(t))
		hides(t, "the new list", strings.Join(c.tools(), " "), "invoke_entity_action")
		text, isError := c.call("invoke_entity_action", anAction)
		equal(t, "the refusal", "The tool 'invoke_entity_action' is not available for domain 'customer360' — its MCP policy does not expose it.", text)
		equal(t, "isError", true, isError)
	}
	if n := p.Count("/nodes/action"); n != 0 {
		t.Errorf("%d actions were sent", n)
	}
	for _, c := range all {
		c.do(http.MethodDelete, "", nil)
		if text := streams[c].rest(t); strings.Contains(text, listChanged) {
			t.Errorf("announced without reason: %q", text)
		}
	}
}

// In an App the program's look, which no user asked for, outdates what every user knew.
func TestUpstreamPolicyChangesForUsers(t *testing.T) {
	p := newProxy(t, inApp)
	c := newPerson(t, p.server.Handler(), forwarded("ann", "ann@example.com", "token-of-ann"))
	c.call("select_domain", args("domain_name", "customer360"))
	if text, isError := c.call("invoke_entity_action", anAction); isError {
		t.Errorf("before: %s", text)
	}
	p.look() // the program has seen the policy as it was
	p.policy("customer360", modes("disabled", "actions"))
	p.Forget()
	p.look()
	text, isError := c.call("invoke_entity_action", anAction)
	equal(t, "the refusal", "Actions are disabled for domain 'customer360' by its MCP policy.", text)
	equal(t, "isError", true, isError)
	if n := p.Count("/nodes/action"); n != 0 {
		t.Errorf("%d actions were sent", n)
	}
	for i, r := range p.Requests() {
		if token, email := r.Header.Get("X-Forwarded-Access-Token"), r.Header.Get("X-Forwarded-Email"); i == 0 && token+email != "" {
			t.Errorf("the look carried %q %q", token, email)
		}
	}
}

func inApp(_ *ontobricks.Config, s *server.Config) { s.App = true }

// A policy that is known counts while the deployment is down; when it is too old, nothing
// is done at all.
func TestUpstreamPolicyOutlivesOutages(t *testing.T) {
	p := newProxy(t, nil)
	p.policy("customer360", modes("disabled", "actions"))
	p.later(time.Minute)
	c := newPerson(t, p.server.Handler(), nil)
	c.call("select_domain", args("domain_name", "customer360"))
	p.Fault(bricktest.Path("/domains"), bricktest.Fault{Status: 500, Body: []byte(`{"error":"internal_error","message":"The registry is down"}`)})
	p.policy("customer360", nil) // and would be open
	for _, wait := range []time.Duration{time.Second, time.Minute, 8 * time.Minute} {
		p.later(wait)
		text, isError := c.call("invoke_entity_action", anAction)
		equal(t, "after "+wait.String(), "Actions are disabled for domain 'customer360' by its MCP policy.", text)
		equal(t, "isError", true, isError)
	}
	p.later(2 * time.Minute)
	text, isError := c.call("invoke_entity_action", anAction)
	contains(t, "when it is too old", text, "The registry is down.")
	equal(t, "isError", true, isError)
	if n := p.Count("/nodes/action"); n != 0 {
		t.Errorf("%d actions were sent", n)
	}
	p.Heal()
	p.later(time.Minute)
	if text, isError := c.call("invoke_entity_action", anAction); isError {
		t.Errorf("after the outage: %s", text)
	}
}

// A domain whose policy was never read is closed to every tool and resource, with what
// the deployment says; nothing of the domain is asked for.
func TestUpstreamPolicyNeverRead(t *testing.T) {
	p := newProxy(t, inApp)
	p.Fault(bricktest.Path("/domains"), bricktest.Fault{Status: 500, Body: []byte(`{"error":"internal_error","message":"The registry is down","request_id":"r-1"}`)})
	c := newPerson(t, p.server.Handler(), forwarded("ann", "ann@example.com", "token-of-ann"))
	for _, call := range faultCalls {
		if call.tool == endpoint {
			continue
		}
		text, isError := c.call(call.tool, call.args)
		equal(t, call.tool, "The registry is down. This is a fault of OntoBricks; its log says more (request r-1).", text)
		equal(t, call.tool+": isError", true, isError)
	}
	text, refused := c.read("ontobricks://domains")
	contains(t, "the resource", text, "The registry is down.")
	equal(t, "refused", true, refused)
	contains(t, "the endpoint", c.send(http.MethodPost, "/graphql/customer360", `{"query":"{ a }"}`).Body.String(), "The registry is down.")
	for _, r := range p.Requests() {
		if r.Path != "/api/v1/domains" && r.Path != "/api/v1/digitaltwin/registry" {
			t.Errorf("asked for: %s %s", r.Method, r.Path)
		}
	}
}

// After five calls in a row without an answer the deployment is left alone, and models
// are told so, and when to try again.
func TestUpstreamIsLeftAlone(t *testing.T) {
	p := newProxy(t, nil)
	c := newPerson(t, p.server.Handler(), nil)
	c.call("list_domains", "{}")
	p.Fault(bricktest.Any, bricktest.Fault{Status: 502})
	for range 5 {
		c.call("invoke_entity_action", anAction[:len(anAction)-1]+`,"domain_name":"customer360"}`)
	}
	p.Forget()
	for _, call := range faultCalls[2:9] {
		text, isError := c.call(call.tool, call.args)
		if !isError {
			t.Errorf("%s: %s", call.tool, text)
		}
		contains(t, call.tool, text, "OntoBricks failed 5 times in a row and is left alone for a while: nothing was sent. Try again in ")
	}
	if n := len(p.Requests()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}
