package server_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/server"
)

// thing is the entity of the fake domain crm.
const thing = "https://example.org/crm#1"

// disabling is a fake back end whose domain crm disables elements.
func disabling(elements ...domains.Element) *fakeBackend {
	b := newFake()
	for i := range b.infos {
		if b.infos[i].Name == "crm" {
			b.infos[i].Policy.Context = map[domains.Element]domains.Mode{}
			for _, e := range elements {
				b.infos[i].Policy.Context[e] = domains.ModeDisabled
			}
		}
	}
	return b
}

// A disabled element is refused although the tool is listed, in the order in which its
// arguments stand, and the back end is not asked.
func TestDisabledElementsAreRefused(t *testing.T) {
	backend := disabling(domains.Elements...)
	base := serve(t, newServer(t, func(c *server.Config) { c.Backend = backend }))
	c := connect(t, base+"/mcp")
	c.selects("crm")
	equal(t, "the tools", allTools, c.tools())
	backend.abilities.took()
	for _, tc := range []struct{ tool, args, label string }{
		{"get_entity_context", `{"fetch_dataset_rows":true,"follow_bridges":true,"compute_virtual_attributes":true}`, "Datasets"},
		{"get_entity_context", `{"follow_bridges":true,"compute_virtual_attributes":true}`, "Bridges"},
		{"get_entity_context", `{"compute_virtual_attributes":true}`, "Virtual attributes"},
		{"compute_virtual_attributes", `{}`, "Virtual attributes"},
		{"invoke_entity_action", `{"action":"main.ops.risk"}`, "Actions"},
		{"run_entity_business_rule", `{"rule":"Vip"}`, "Business rules"},
	} {
		args := strings.Replace(strings.Replace(tc.args, "{", `{"entity_uri":"`+thing+`",`, 1), ",}", "}", 1)
		text, isError := c.call(tc.tool, args)
		if !isError {
			t.Errorf("%s%s is no error", tc.tool, tc.args)
		}
		equal(t, tc.tool+tc.args, tc.label+" are disabled for domain 'crm' by its MCP policy.", text)
	}
	if asked := backend.abilities.took(); len(asked) > 0 {
		t.Errorf("the back end was asked: %q", asked)
	}
	// What is not asked for is no reason to refuse, and what is disabled is not shown.
	text, isError := c.call("get_entity_context", `{"entity_uri":"`+thing+`"}`)
	if isError || strings.Contains(text, "main.") || strings.Contains(text, "supply_chain") {
		t.Errorf("get_entity_context: %s", text)
	}
	text, _ = c.call("describe_entity", `{"search":"thing"}`)
	if strings.Contains(text, "Context") || strings.Contains(text, "supply_chain") {
		t.Errorf("describe_entity: %s", text)
	}
}

// What is asked reaches the back end as it was meant, once.
func TestContextIsAskedOnce(t *testing.T) {
	backend := newFake()
	s := newServer(t, func(c *server.Config) { c.Backend, c.Domain = backend, "crm" })
	for _, tc := range []struct{ tool, args, asked, answer string }{
		{"get_entity_context", `{"entity_uri":"<` + thing + `>"}`, "context of <" + thing + ">, rows 0, bridges false, computed false", "Node Context — 1  (Thing)"},
		{"get_entity_context", `{"entity_uri":"` + thing + `","fetch_dataset_rows":"True","dataset_row_limit":99,"follow_bridges":1,"compute_virtual_attributes":"yes"}`,
			"context of <" + thing + ">, rows 20, bridges true, computed true", "dataset_row_limit 99 is out of range: 20 was used (1–20)."},
		{"get_entity_context", `{"entity_uri":"` + thing + `","dataset_row_limit":7}`, "context of <" + thing + ">, rows 0, bridges false, computed false", "Key: id = '1'"},
		{"compute_virtual_attributes", `{"entity_uri":"` + thing + `"}`, `compute "" of <` + thing + `>`, "score = 0.820"},
		{"compute_virtual_attributes", `{"entity_uri":"` + thing + `","function":"main.kg.score"}`, `compute "main.kg.score" of <` + thing + `>`, "score = 0.820"},
		{"invoke_entity_action", `{"entity_uri":"` + thing + `","action":"main.ops.risk"}`, `invoke "main.ops.risk" on <` + thing + `>`, "Action: main.ops.risk\nEntity: 1  (Thing)\n\nResult (1 row):\n  result: done"},
		{"run_entity_business_rule", `{"entity_uri":"` + thing + `","rule":"Vip"}`, `apply "Vip" to <` + thing + `>`, "Business rule: Vip\nEntity: 1  (Thing)\n\nInferred 1 triple, 1 written"},
	} {
		text, isError, err := call(t, s, tc.tool, tc.args)
		if err != nil || isError {
			t.Errorf("%s(%s): %q, %v", tc.tool, tc.args, text, err)
		}
		contains(t, tc.tool, text, tc.answer, "[crm, version 1]")
		equal(t, tc.tool+tc.args, []string{tc.asked}, backend.abilities.took())
	}
}

// Arguments that are missing, and local ids in the place of URIs, are told with the tool
// that shows them; one that is hidden is not named, and nothing is run.
func TestMissingEntities(t *testing.T) {
	backend := newFake()
	s := newServer(t, func(c *server.Config) { c.Backend, c.Domain = backend, "crm" })
	for _, tc := range []struct{ tool, args, want string }{
		{"get_entity_context", `{}`, "get_entity_context needs 'entity_uri': the whole URI of an entity, as describe_entity shows it."},
		{"compute_virtual_attributes", `{"entity_uri":" "}`, "compute_virtual_attributes needs 'entity_uri'"},
		{"compute_virtual_attributes", `{"entity_uri":"CUST00094"}`, "the whole URI of an entity, as describe_entity shows it."},
		{"invoke_entity_action", `{"action":"main.ops.risk"}`, "invoke_entity_action needs 'entity_uri'"},
		{"invoke_entity_action", `{"entity_uri":"` + thing + `"}`, "invoke_entity_action needs 'action': the full name of an action of the entity's class, as get_entity_context shows it."},
		{"run_entity_business_rule", `{"entity_uri":"` + thing + `","rule":null}`, "run_entity_business_rule needs 'rule': the name of a business rule of the entity's class, as get_entity_context shows it."},
	} {
		text, isError, err := call(t, s, tc.tool, tc.args)
		if err != nil || !isError {
			t.Errorf("%s(%s): %q, %v", tc.tool, tc.args, text, err)
		}
		contains(t, tc.tool, text, tc.want)
	}
	backend.infos[1].Policy.DisabledTools = []string{"get_entity_context", "describe_entity"}
	text, _, err := call(t, s, "invoke_entity_action", `{"entity_uri":"`+thing+`"}`)
	equal(t, "without get_entity_context", "invoke_entity_action needs 'action': the full name of an action of the entity's class.", text)
	text, _, _ = call(t, s, "invoke_entity_action", `{}`)
	equal(t, "without describe_entity", "invoke_entity_action needs 'entity_uri': the whole URI of an entity.", text)
	if asked := backend.abilities.took(); err != nil || len(asked) > 0 {
		t.Errorf("the back end was asked: %q, %v", asked, err)
	}
}

// The way over a bridge that a text tells is one that this caller can go: a selection in
// a session, domain_name without one, another address where the domain is fixed.
func TestBridgesTellAWayThatIsOpen(t *testing.T) {
	base := serve(t, newServer(t, nil))
	selecting := connect(t, base+"/mcp")
	selecting.selects("crm")
	const there, selects = "domain_name=<target_domain>", "select_domain("
	for name, tc := range map[string]struct {
		c           *client
		way, closed string
	}{
		"session":       {selecting, selects, there},
		"no session":    {&client{t: t, url: base + "/mcp"}, there, selects},
		"fixed address": {connect(t, base+"/mcp/crm"), base + "/mcp/<target_domain>", selects},
		"fixed, alone":  {&client{t: t, url: base + "/mcp/crm"}, base + "/mcp/<target_domain>", there},
	} {
		for tool, args := range map[string]string{
			"describe_entity":    `{"search":"thing","domain_name":"crm","detail":"standard"}`,
			"get_entity_context": `{"entity_uri":"` + thing + `","domain_name":"crm"}`,
		} {
			text, _ := tc.c.call(tool, args)
			if !strings.Contains(text, tc.way) || strings.Contains(text, tc.closed) || strings.Contains(text, "switch") == (name != "session") {
				t.Errorf("%s, %s:\n%s", name, tool, text)
			}
		}
	}
	text, _ := (&client{t: t, url: base + "/mcp"}).call("get_design_status", `{}`)
	contains(t, "without a domain and a session", text, "Provide domain_name: without a session nothing is remembered. Domains: ")
}

// A server that is read-only has no tool that writes: not in a list, with a domain or
// without, not in the instructions; a forged call is refused with the reason, and the
// back end is not asked. Reading goes on.
func TestReadOnlyServersNeverWrite(t *testing.T) {
	backend := newFake()
	s := newServer(t, func(c *server.Config) { c.Backend, c.ReadOnly = backend, true })
	base := serve(t, s)
	reading := without(allTools, writingTools...)
	c := &client{t: t, url: base + "/mcp"}
	hello := c.initialize()
	equal(t, "tools without a domain", reading, c.tools())
	fixed := connect(t, base+"/mcp/crm")
	equal(t, "tools at a fixed address", reading, fixed.tools())
	for name, args := range map[string]string{
		"invoke_entity_action":     `{"entity_uri":"` + thing + `","action":"main.ops.risk"`,
		"run_entity_business_rule": `{"entity_uri":"` + thing + `","rule":"Vip"`,
	} {
		if strings.Contains(hello.body, name) {
			t.Errorf("the instructions name %s: %s", name, hello.body)
		}
		want := "The tool '" + name + "' is not available: this server is read-only, and the tool writes."
		for what, try := range map[string]func() (string, bool){
			"no domain":       func() (string, bool) { return c.call(name, args+`}`) },
			"a domain":        func() (string, bool) { return c.call(name, args+`,"domain_name":"crm"}`) },
			"a fixed address": func() (string, bool) { return fixed.call(name, args+`}`) },
			"no arguments":    func() (string, bool) { return fixed.call(name, `{}`) },
		} {
			text, isError := try()
			if !isError {
				t.Errorf("%s with %s is no error", name, what)
			}
			equal(t, name+" with "+what, want, text)
		}
	}
	c.selects("crm")
	equal(t, "tools with a domain", reading, c.tools())
	text, isError := c.call("describe_entity", `{"search":"thing"}`)
	if isError {
		t.Error(text)
	}
	contains(t, "describe_entity", text, "main.ops.risk", "call get_entity_context(fetch_dataset_rows=True)")
	for _, tool := range writingTools {
		if strings.Contains(text, tool) {
			t.Errorf("describe_entity advises %s:\n%s", tool, text)
		}
	}
	for _, asked := range backend.abilities.took() {
		if strings.HasPrefix(asked, "invoke") || strings.HasPrefix(asked, "apply") {
			t.Errorf("the back end was asked to %s", asked)
		}
	}
}

// The hop: describing an entity names the domain behind its bridge; selecting that one
// describes there. Following a bridge leaves the selection as it is.
func TestHopOverABridge(t *testing.T) {
	backend := newFake()
	c := connect(t, serve(t, newServer(t, func(c *server.Config) { c.Backend = backend }))+"/mcp")
	c.selects("crm")
	text, _ := c.call("describe_entity", `{"search":"thing"}`)
	contains(t, "describe_entity", text, "[Context — class: Thing]", "→ supply_chain / Thing", "Target domain: parts", "select_domain(<target_domain>)")
	text, _ = c.call("get_entity_context", `{"entity_uri":"`+thing+`","follow_bridges":true}`)
	contains(t, "get_entity_context", text, "→ supply_chain / Thing", "Entities (1):", "[crm, version 1]")
	text, _ = c.call("describe_entity", `{"search":"thing"}`)
	contains(t, "after following", text, "thing of crm", "[crm, version 1]")
	c.selects("supply_chain")
	text, _ = c.call("describe_entity", `{"search":"thing"}`)
	contains(t, "after the hop", text, "thing of supply_chain", "[supply_chain, version 1]")
}

// Selecting reads the context of the classes, so that later calls find it read; that it
// fails is no reason not to select.
func TestSelectingReadsTheClasses(t *testing.T) {
	backend := newFake()
	s := newServer(t, func(c *server.Config) { c.Backend = backend })
	for _, fails := range []error{nil, errors.New("no classes")} {
		backend.abilities.classes = fails
		text, isError, err := s.Call(t.Context(), "select_domain", map[string]any{"domain_name": "crm"})
		if err != nil || isError {
			t.Errorf("%v: %q, %v", fails, text, err)
		}
		equal(t, "asked", []string{"classes of crm"}, backend.abilities.took())
		if strings.Contains(text, "could not be read") {
			t.Errorf("the answer tells of the classes:\n%s", text)
		}
	}
}

// An answer that can do without the context of classes is given without it, and says so
// in one line; a message from elsewhere stays on that line.
func TestAnswersWithoutContext(t *testing.T) {
	backend := newFake()
	s := newServer(t, func(c *server.Config) { c.Backend, c.Domain = backend, "crm" })
	for _, tool := range []string{"describe_entity", "list_entity_types", "describe_ontology"} {
		backend.abilities.classes = &domains.Error{Kind: domains.ErrUpstream, Message: "The deployment answered:\nno classes \u202etoday."}
		text, isError, err := s.Call(t.Context(), tool, argumentsOf(tool))
		if err != nil || isError {
			t.Errorf("%s: %q, %v", tool, text, err)
		}
		contains(t, tool, text, `(What classes have besides facts could not be read: The deployment answered: no classes \u202etoday.)`, "[crm, version 1]")
		backend.abilities.classes = errors.New("secret")
		text, isError, err = s.Call(t.Context(), tool, argumentsOf(tool))
		if err != nil || isError || strings.Contains(text, "secret") {
			t.Errorf("%s: %q, %v", tool, text, err)
		}
		contains(t, tool, text, "(What classes have besides facts could not be read: the log of the server says why)")
	}
}

// Without an ontology facts are still described and counted, by local names, with a note;
// only describe_ontology has nothing to say.
func TestAnswersWithoutOntology(t *testing.T) {
	backend := newFake()
	backend.abilities.ontology = &domains.Error{Kind: domains.ErrUpstream, Message: "The ontology is locked."}
	s := newServer(t, func(c *server.Config) { c.Backend, c.Domain = backend, "crm" })
	for tool, want := range map[string]string{"describe_entity": "first Name: one of crm", "list_entity_types": "Thing  (1 instance)"} {
		text, isError, err := s.Call(t.Context(), tool, argumentsOf(tool))
		if err != nil || isError {
			t.Errorf("%s: %q, %v", tool, text, err)
		}
		contains(t, tool, text, want, "could not be read", "The ontology is locked.", "[crm, version 1]")
	}
	text, isError, err := s.Call(t.Context(), "describe_ontology", nil)
	if err != nil || !isError || !strings.Contains(text, "The ontology is locked.") {
		t.Errorf("describe_ontology: %q, %v", text, err)
	}
}

// A type that the ontology does not know, or that nobody can tell because it cannot be
// read, is looked for among the types that facts have; where those cannot be read either
// the name is passed on as it was typed.
func TestTypesWithoutOntology(t *testing.T) {
	unread := &domains.Error{Kind: domains.ErrUpstream, Message: "not now"}
	for _, tc := range []struct {
		ontology, stats error
		name, want      string
		isError         bool
	}{
		{nil, nil, "Thing", "https://example.org/crm#SmallThing https://example.org/crm#Thing", false},
		{unread, nil, "tHING", "https://example.org/crm#Thing", false},
		{unread, nil, "<https://example.org/crm#Thing>", "https://example.org/crm#Thing", false},
		{unread, nil, "Thingy", "No entity type is called 'Thingy'. Did you mean 'Thing'?", true},
		{nil, nil, "used", "https://example.org/crm#Used", false},
		{nil, unread, "used", "No entity type is called 'used'.", true},
		{unread, unread, "<https://example.org/other>", "https://example.org/other", false},
		{unread, unread, "whatever", "whatever", false},
	} {
		backend := &recording{fakeBackend: newFake()}
		backend.abilities.ontology, backend.abilities.stats = tc.ontology, tc.stats
		backend.find = func(context.Context) (*matches, error) {
			return &matches{Hits: []domains.Hit{{Ref: domains.Ref{IRI: thing}}}, Total: 1}, nil
		}
		backend.abilities.used = "https://example.org/crm#Used"
		s := newServer(t, func(c *server.Config) { c.Backend, c.Domain = backend, "crm" })
		text, isError, err := s.Call(t.Context(), "describe_entity", map[string]any{"search": "thing", "entity_type": tc.name})
		what := fmt.Sprintf("%s, ontology %v, stats %v", tc.name, tc.ontology, tc.stats)
		if err != nil || isError != tc.isError {
			t.Errorf("%s: %q, %v", what, text, err)
			continue
		}
		if tc.isError {
			contains(t, what, text, tc.want)
			continue
		}
		equal(t, what, strings.Fields(tc.want), backend.last.Types)
	}
}

// A call that ends while the context or the ontology is read ends; it is not answered
// without them.
func TestEndedCallsAreNotAnsweredWithout(t *testing.T) {
	for _, tool := range []string{"describe_entity", "list_entity_types"} {
		backend := newFake()
		s := newServer(t, func(c *server.Config) { c.Backend, c.Domain = backend, "crm" })
		ctx, cancel := context.WithCancel(t.Context())
		opened := 0
		backend.hold = func(ctx context.Context) error {
			if opened++; opened > 1 { // the first is Open
				cancel()
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		}
		text, isError, err := s.Call(ctx, tool, argumentsOf(tool))
		if err != nil || !isError || !strings.Contains(text, "cancelled") {
			t.Errorf("%s: %q, %v", tool, text, err)
		}
	}
}

// The tools for entities need a graph, and what they use of it.
func TestContextToolsNeedTheirAbility(t *testing.T) {
	c := connect(t, serve(t, newServer(t, nil))+"/mcp")
	text, isError := c.call("get_entity_context", `{"entity_uri":"`+thing+`","domain_name":"hr"}`)
	if !isError {
		t.Error("get_entity_context works without a graph")
	}
	contains(t, "the refusal", text, "published with an ontology only (no graph)")
	c.selects("hr")
	for _, tool := range slices.Concat(contextTools, writingTools) {
		if slices.Contains(c.tools(), tool) {
			t.Errorf("%s is listed for a domain without a graph", tool)
		}
	}
	text, _ = c.call("describe_ontology", `{}`)
	contains(t, "the ontology of a domain without a graph", text, "• Thing  [dataset, 1 bridge, 1 action, 1 business rule, 1 virtual attribute]")
}

// A back end does not know which tools a domain offers: advice of one that is hidden
// does not reach the caller, the rest of the error does.
func TestErrorsOfABackEndAdviseNoHiddenTool(t *testing.T) {
	b := newFake()
	b.abilities.stats = &domains.Error{Kind: domains.ErrUpstream, Message: "It is in a state that does not allow this. See get_status, then try again. Or select_domain another."}
	s := newServer(t, func(c *server.Config) { c.Backend = b })
	for domain, want := range map[string]string{
		"shop": "It is in a state that does not allow this. Or select_domain another.",
		"crm":  "It is in a state that does not allow this. See get_status, then try again. Or select_domain another.",
	} {
		text, isError, _ := call(t, s, "list_entity_types", `{"domain_name":"`+domain+`"}`)
		equal(t, domain, want, text)
		equal(t, "isError", true, isError)
	}
	b.abilities.stats = &domains.Error{Kind: domains.ErrUpstream, Message: "See get_status."}
	text, _, _ := call(t, s, "list_entity_types", `{"domain_name":"shop"}`)
	equal(t, "nothing else", "See get_status.", text)
}
