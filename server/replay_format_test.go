package server_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains"
)

// formatCase is a recorded case of a function that OntoBricks makes text with.
type formatCase struct {
	Function string
	Input    json.RawMessage
	Expected json.RawMessage
	Raises   string
	Note     string
}

// triple is a triple as the wire has it.
type triple struct {
	Subject   string `json:"subject"`
	Predicate string `json:"predicate"`
	Object    string `json:"object"`
}

const (
	replayDomain = "sales"
	replayEntity = "https://acme.example/onto/Customer/CUST00094"
	typeIRI      = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
)

// ways say how each function's text is reached through this program: the call of a tool
// whose answer holds it, and the text that OntoBricks puts around it there.
var ways = map[string]func(t *testing.T, line int, c formatCase) way{
	"format_find_response":               wayFind,
	"format_entity_block":                wayEntityBlock,
	"format_class_context_block":         wayClassContext,
	"format_node_context_response":       wayNodeContext,
	"format_virtual_attributes_response": wayVirtualAttributes,
	"format_node_action_response":        wayAction,
	"format_node_business_rule_response": wayRule,
	"format_graphql_response":            wayGraphQL,
	"format_graphql_entity":              wayGraphQLEntity,
}

// TestReplayFormat replays every recorded case of OntoBricks' formatting functions.
func TestReplayFormat(t *testing.T) {
	for i, c := range readCases[formatCase](t, "ontobricks-format-cases.jsonl") {
		t.Run(fmt.Sprintf("%03d %s", i+1, c.Function), func(t *testing.T) {
			if reason := unmapped[i+1]; reason != "" {
				t.Skip(reason)
			}
			if check := helpers[c.Function]; check != nil {
				check(t, c)
				return
			}
			find := ways[c.Function]
			if find == nil {
				t.Fatalf("no way through this program leads to %s", c.Function)
			}
			w := find(t, i+1, c)
			in := w.situation(t)
			u := newUpstream(t, "c", "s", in.known)
			u.begin(w.HTTP)
			text, isError := replaying(t, u).call(w.Tool, asRecorded(w.Tool, w.Args))
			checkCalls(t, u, in, map[string]bool{})
			if c.Raises != "" {
				equal(t, "text where OntoBricks throws "+c.Raises, instead[i+1], text)
				return
			}
			compare(t, in, w.recorded(), said{text, isError})
		})
	}
}

// way is a call of a tool with one exchange of the upstream, and what the domain is
// like.
type way struct {
	step
	policy  map[string]string
	classes []any
}

func (w way) recorded() said { return said{text: w.Expected.Text} }

// situation is that of the call: the domain is listed beside those that bridges lead
// to, and its classes are declared.
func (w way) situation(t *testing.T) situation {
	listed := recorded(t, "GET", "/api/v1/domains", nil, map[string]any{"success": true, "domains": []any{
		map[string]any{"name": replayDomain, "description": "", "has_graph": true, "mcp_policy": map[string]any{"context": w.policy}},
		map[string]any{"name": "finance", "description": "Contracts and payments"}, map[string]any{"name": "hr", "description": ""},
	}})
	declared := recorded(t, "GET", "/api/v1/domain/classes", nil, map[string]any{"success": true, "domain_name": replayDomain, "classes": w.classes})
	known := append([]*exchange{listed, declared}, w.HTTP...)
	if name, ok := w.Args["entity_type"].(string); ok {
		turtle := fmt.Sprintf("<https://acme.example/onto#%s> a <http://www.w3.org/2002/07/owl#Class> .", name)
		known = append(known, recorded(t, "GET", "/api/v1/domain/ontology", nil, map[string]any{"success": true, "format": "turtle", "content": turtle}))
	}
	return situation{tool: w.Tool, args: w.Args, http: w.HTTP, known: known}
}

// unmapped are the cases that no way leads to: line → reason.
var unmapped = map[int]string{
	44: "an entity without triples is in no answer of triples/find",
	49: "a triple without object is on no wire: the contract says strings",
	80: "a count that is a text is on no wire: the contract says numbers",
	94: "a match without triples is in no answer of triples/find: a match is a subject",
}

// instead are our answers where OntoBricks throws: line → text.
var instead = map[int]string{
	114: "GraphQL Result — sales\n==================================================\n\ncustomer\n----------------------------------------\n" +
		"  rel:\n      x: 1\n      ---\n      5\n\n[sales, version 1]",
}

// questions are what was looked for in answers of triples/find whose matches cannot be
// those for C1: line → question.
var questions = map[int]question{
	92: {entityType: "Order"},
}

// recorded is an exchange with a domain of the cases.
func recorded(t *testing.T, method, path string, query map[string]any, response any) *exchange {
	t.Helper()
	data, err := json.Marshal(response)
	if err != nil {
		t.Fatal(err)
	}
	if query != nil {
		query["registry_catalog"], query["registry_schema"] = "c", "s"
	}
	return &exchange{Method: method, Path: path, Query: query, Status: 200, Response: data}
}

// called is the way through a tool with one exchange.
func called(tool string, args map[string]any, text string, http ...*exchange) way {
	args["domain_name"] = replayDomain
	w := way{step: step{Tool: tool, Args: args, HTTP: http}}
	w.Expected.Text = text
	return w
}

// under is the way in a domain with that policy and these classes.
func (w way) under(policy map[string]string, classes ...any) way {
	w.policy, w.classes = policy, classes
	return w
}

// input reads the input of a case.
func input[T any](t *testing.T, c formatCase) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(c.Input, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// expected is the text of a case.
func (c formatCase) expected(t *testing.T) string {
	t.Helper()
	var s string
	if c.Raises != "" {
		return ""
	}
	if err := json.Unmarshal(c.Expected, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// question is what is looked for, so that the answer of a case is one to it.
type question struct{ search, entityType string }

func (q question) args() map[string]any {
	args := map[string]any{}
	if q.search != "" {
		args["search"] = q.search
	}
	if q.entityType != "" {
		args["entity_type"] = q.entityType
	}
	return args
}

// wayFind is the answer of triples/find as describe_entity tells it.
func wayFind(t *testing.T, line int, c formatCase) way {
	in := input[struct {
		Data    map[string]any            `json:"data"`
		Classes map[string]map[string]any `json:"class_actions"`
		Policy  map[string]string         `json:"context_policy"`
	}](t, c)
	q, ok := questions[line]
	if !ok {
		q.search = "C1"
	}
	args := q.args()
	if depth, ok := in.Data["depth"]; ok {
		args["depth"] = depth
	}
	query := q.args()
	query["domain_name"], query["depth"] = replayDomain, args["depth"]
	if query["depth"] == nil {
		query["depth"] = 1
	}
	var classes []any
	for iri, class := range in.Classes {
		class["uri"] = iri
		classes = append(classes, class)
	}
	return called("describe_entity", args, c.expected(t), recorded(t, "GET", "/api/v1/digitaltwin/triples/find", query, in.Data)).under(in.Policy, classes...)
}

// aroundBlock is what describe_entity says around the block of the only match.
func aroundBlock(block string, triples int) string {
	return fmt.Sprintf("Found 1 matching entity (%d triples across 1 entities, depth=1)\n\n── Matching Entities ──\n%s\n", triples, block)
}

// find is the answer of triples/find with one match.
func find(t *testing.T, search string, triples []triple) *exchange {
	return recorded(t, "GET", "/api/v1/digitaltwin/triples/find", map[string]any{"domain_name": replayDomain, "search": search, "depth": 1},
		map[string]any{"success": true, "seed_count": 1, "depth": 1, "triples": triples, "count": len(triples), "total": len(triples), "has_more": false})
}

// wayEntityBlock is the block of the only match of describe_entity.
func wayEntityBlock(t *testing.T, _ int, c formatCase) way {
	in := input[struct {
		Triples []triple `json:"triples"`
	}](t, c)
	return called("describe_entity", map[string]any{"search": "CUST00094"}, aroundBlock(c.expected(t), len(in.Triples)),
		find(t, "CUST00094", in.Triples))
}

// wayClassContext is what follows the block of a match of that class.
func wayClassContext(t *testing.T, _ int, c formatCase) way {
	in := input[struct {
		LocalID string            `json:"local_id"`
		Class   map[string]any    `json:"class"`
		Policy  map[string]string `json:"context_policy"`
	}](t, c)
	entity, class := "https://acme.example/onto/Customer/"+in.LocalID, "https://acme.example/onto#Customer"
	in.Class["uri"] = class
	block := "■ " + in.LocalID + "  (Customer)\n  URI: " + entity + "\n"
	if text := c.expected(t); text != "" {
		block += text + "\n"
	}
	block = strings.TrimSuffix(block, "\n")
	return called("describe_entity", map[string]any{"search": in.LocalID}, aroundBlock(block, 1),
		find(t, in.LocalID, []triple{{entity, typeIRI, class}})).under(in.Policy, in.Class)
}

// wayNodeContext is the answer of get_entity_context.
func wayNodeContext(t *testing.T, _ int, c formatCase) way {
	in := input[struct {
		Data   map[string]json.RawMessage `json:"data"`
		Policy map[string]string          `json:"context_policy"`
	}](t, c)
	args := map[string]any{"entity_uri": replayEntity}
	if data := string(in.Data["dataset"]); strings.Contains(data, `"rows"`) || strings.Contains(data, "key_column_missing") {
		args["fetch_dataset_rows"] = true
	}
	if strings.Contains(string(in.Data["bridges"]), `"entities"`) {
		args["follow_bridges"] = true
	}
	return called("get_entity_context", args, c.expected(t),
		recorded(t, "GET", "/api/v1/digitaltwin/nodes/context", map[string]any{"entity_uri": replayEntity, "domain_name": replayDomain}, in.Data)).under(in.Policy)
}

// wayVirtualAttributes is the answer of compute_virtual_attributes.
func wayVirtualAttributes(t *testing.T, _ int, c formatCase) way {
	in := input[struct {
		Data   json.RawMessage   `json:"data"`
		Policy map[string]string `json:"context_policy"`
	}](t, c)
	return called("compute_virtual_attributes", map[string]any{"entity_uri": replayEntity}, c.expected(t),
		recorded(t, "GET", "/api/v1/digitaltwin/nodes/virtual-attributes", map[string]any{"entity_uri": replayEntity, "domain_name": replayDomain}, in.Data)).under(in.Policy)
}

// wayAction is the answer of invoke_entity_action.
func wayAction(t *testing.T, _ int, c formatCase) way {
	answer := recorded(t, "POST", "/api/v1/digitaltwin/nodes/action", nil, c.Input)
	answer.Body = map[string]any{"entity_uri": replayEntity, "action_full_name": "main.ops.risk", "domain_name": replayDomain}
	return called("invoke_entity_action", map[string]any{"entity_uri": replayEntity, "action": "main.ops.risk"}, c.expected(t), answer)
}

// wayRule is the answer of run_entity_business_rule.
func wayRule(t *testing.T, _ int, c formatCase) way {
	answer := recorded(t, "POST", "/api/v1/digitaltwin/nodes/business-rule", nil, c.Input)
	answer.Body = map[string]any{"entity_uri": replayEntity, "rule": "Vip", "domain_name": replayDomain}
	return called("run_entity_business_rule", map[string]any{"entity_uri": replayEntity, "rule": "Vip"}, c.expected(t), answer)
}

// wayGraphQL is the answer of query_graphql. The cases name the domain in their text.
func wayGraphQL(t *testing.T, _ int, c formatCase) way {
	in := input[struct {
		Data   json.RawMessage `json:"data"`
		Domain string          `json:"domain_name"`
	}](t, c)
	title := "GraphQL Result — " + in.Domain + "\n"
	return graphQLStep(t, in.Data, strings.Replace(c.expected(t), title, "GraphQL Result — "+replayDomain+"\n", 1))
}

func graphQLStep(t *testing.T, data json.RawMessage, text string) way {
	return called("query_graphql", map[string]any{"query": "{ a }"}, text, recorded(t, "POST", "/graphql/"+replayDomain, nil, data))
}

// wayGraphQLEntity is an object in the answer of query_graphql, whose lines are set in
// by two.
func wayGraphQLEntity(t *testing.T, _ int, c formatCase) way {
	in := input[struct {
		Entity json.RawMessage `json:"entity"`
		Indent int             `json:"indent"`
	}](t, c)
	var lines []string
	for line := range strings.SplitSeq(c.expected(t), "\n") {
		lines = append(lines, strings.Repeat(" ", 2-in.Indent)+line)
	}
	data := json.RawMessage(`{"data":{"x":` + string(in.Entity) + `}}`)
	text := "GraphQL Result — " + replayDomain + "\n" + strings.Repeat("=", 50) + "\n\nx\n" + strings.Repeat("-", 40) + "\n" + strings.Join(lines, "\n")
	return graphQLStep(t, data, text)
}

// helpers are the functions whose results are values: each is checked where this
// program has the same.
var helpers = map[string]func(*testing.T, formatCase){
	"local_name": func(t *testing.T, c formatCase) {
		equal(t, "LocalName", c.expected(t), domains.LocalName(input[string](t, c)))
	},
	"pretty_predicate": func(t *testing.T, c formatCase) {
		equal(t, "Prettify", c.expected(t), domains.Prettify(domains.LocalName(input[string](t, c))))
	},
	"is_uri":             checkIsURI,
	"is_label_predicate": checkIsLabel,
	"merge_uri_aliases":  checkAliases,
}

// yes reads the expected value of a function that says yes or no.
func (c formatCase) yes(t *testing.T) bool {
	t.Helper()
	var b bool
	if err := json.Unmarshal(c.Expected, &b); err != nil {
		t.Fatal(err)
	}
	return b
}

// described is what describe_entity says of an entity with that property.
func described(t *testing.T, predicate, object string) string {
	t.Helper()
	return describedAs(t, "CUST00094", []triple{{replayEntity, typeIRI, "https://acme.example/onto#Customer"}, {replayEntity, predicate, object}})
}

// describedAs is what describe_entity says of what a search finds.
func describedAs(t *testing.T, search string, triples []triple) string {
	t.Helper()
	u := newUpstream(t, "c", "s", nil)
	u.all = []*exchange{find(t, search, triples), recorded(t, "GET", "/api/v1/domains", nil, map[string]any{"success": true, "domains": []any{map[string]any{"name": replayDomain}}})}
	u.begin(u.all)
	text, isError := replaying(t, u).call("describe_entity", `{"search":"`+search+`","detail":"standard","domain_name":"`+replayDomain+`"}`)
	if isError {
		t.Errorf("describe_entity: %s", text)
	}
	return text
}

// checkIsURI: what is an IRI is told as a relationship, unless it is a text that only
// begins like one (the rule "what cannot be an IRI is a text").
func checkIsURI(t *testing.T, c formatCase) {
	text := described(t, "https://acme.example/onto/x", input[string](t, c))
	equal(t, "told as a relationship", c.yes(t) && !isText(input[string](t, c)), strings.Contains(text, "    → x: "))
}

// checkIsLabel: the value of a label property names the entity.
func checkIsLabel(t *testing.T, c formatCase) {
	text := described(t, input[string](t, c), "The name")
	equal(t, "names the entity", c.yes(t), strings.Contains(text, "■ The name  ("))
}

// checkAliases: subjects that OntoBricks merges are one entity in describe_entity, and
// the same IRI stands for it.
func checkAliases(t *testing.T, c formatCase) {
	groups := input[map[string][]triple](t, c)
	var merged map[string][]triple
	if err := json.Unmarshal(c.Expected, &merged); err != nil {
		t.Fatal(err)
	}
	types := map[string][]string{}
	for subject, triples := range groups {
		for _, x := range triples {
			if x.Predicate == typeIRI {
				types[subject] = append(types[subject], x.Object)
			}
		}
	}
	for shown, triples := range merged {
		for _, x := range triples {
			same := domains.SameEntity(domains.Identity{IRI: shown, Types: types[shown]}, domains.Identity{IRI: x.Subject, Types: types[x.Subject]}, nil)
			equal(t, fmt.Sprintf("%s and %s are one entity", shown, x.Subject), true, same)
		}
		text := describedAs(t, domains.LocalName(shown), slices.Concat(slices.Collect(maps.Values(groups))...))
		equal(t, "blocks", 1, strings.Count(text, "■ "))
		contains(t, "describe_entity", text, "  URI: "+shown+"\n")
	}
}
