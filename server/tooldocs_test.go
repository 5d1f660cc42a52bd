package server

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// ToolDocs is the reference of all tools and resources in Markdown, docs/tools.md, from
// the values that clients get. It stands with the tests because only they use it.
func ToolDocs() string {
	var b strings.Builder
	s := &Server{tools: tools()}
	b.WriteString("# Tools\n\n" +
		"<!-- Generated from server/tools*.go by: go test ./server -run TestToolDocs -update -->\n\n" +
		"Tools only read, except those that are marked as writing; a server that is read-only has none of these. Every tool of a domain takes `domain_name`, which overrides the selection for that call; " +
		"`cursor` goes on where an answer was cut. Absent, `null` and empty arguments mean the same. " +
		"Numbers out of range are clamped, and the answer says so. No answer is longer than its budget.\n\n" +
		"| tool | for | works | budget |\n| --- | --- | --- | --- |\n")
	for _, t := range s.tools {
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s | %d characters |\n", t.Name, t.Name, t.title, t.works(), t.budget)
	}
	for _, t := range s.tools {
		t.document(&b)
	}
	b.WriteString("\n## Resources\n\nWhole JSON, without a budget, for programs and for clients that attach resources to a conversation. " +
		"A resource speaks of the domain selected, or of that of the address; " +
		"it is closed, with the reason, where the domain does not offer the tool beside it.\n\n" +
		"| resource | for | closed with |\n| --- | --- | --- |\n")
	for _, r := range s.resources() {
		with := "never"
		if r.tool != nil {
			with = "`" + r.tool.Name + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.uri, r.description, with)
	}
	b.WriteString("\n" + words)
	return b.String()
}

// words explains what answers say without explaining it.
const words = `## Words in answers

| word | in | means |
| --- | --- | --- |
| registry | list_domains | The list of published domains. The tools of the registry work before a domain is selected, and no policy hides them. |
| ontology-only | list_domains | The domain has classes and properties but no facts; only describe_ontology can be used there. |
| unavailable | list_domains, errors | The domain exists and cannot be served; select_domain says why. |
| degraded | the last line | Some files of the domain could not be used; select_domain and get_status name them with line and column. |
| View | select_domain, get_status | The table or view that the facts are read from, in a deployment over tables. N/A for domains from a folder. |
| Graph | select_domain, get_status | The name of the graph that answers come from: the domain, _V and the version. |
| Graph Viewer | list_entity_types | The heading over the counts of a graph, as OntoBricks calls its page of them. |
| predicate | list_entity_types | A property that facts use: an attribute (its values are texts, numbers, dates) or a relationship (its values are entities). |
| match, neighbour | describe_entity | A match is an entity that the question asked for; a neighbour is one that is reached from it, at most depth relationships away. |
| Metadata: tables | get_design_status | Data sets that the domain declares as the origin of its classes (dataset in domain.yaml); in a deployment, the tables that its facts can come from. |
| Assignment: progress | get_design_status | How many of the classes and properties of the ontology have facts, or in a deployment a mapping to tables, in percent; the counts follow where they are known. |
| has_r2rml | get_design_status | Whether a mapping from tables to facts (R2RML) makes the facts. Always no for domains from a folder. |
| build_ready | get_design_status | There are classes and facts, and no file has a problem; the note says what is missing. In a deployment: the ontology is valid, all of it is mapped, and R2RML is there. A line that a deployment says nothing of is left out. |
| context | describe_entity, list_entity_types, describe_ontology | What a class has besides facts: dataset, bridges, actions, business rules, virtual attributes. Domains from a folder have none. |
| GraphQL | works, get_graphql_schema | Typed queries. A domain from a folder with facts has a schema that is derived from its ontology, a domain of an OntoBricks deployment that of the deployment, read as text at its address and not by introspection, which may be off there. Programs have addresses of their own for it: [graphql.md](graphql.md). |
| Dataset | describe_entity, get_entity_context | The table that the entities of a class come from; key is its column that holds their local ids. |
| bridge | describe_entity, get_entity_context | A way to a class of another domain, for those entities that are there too; to ask it, select that domain or pass its name as domain_name. |
| virtual attribute | describe_entity, get_entity_context | A value that a function computes when it is asked for; it is not in the graph. |
| yes, no, - | rows and values | True, false, nothing. Numbers stand as they came; lists and objects are JSON. |

A relationship may lead to something that the domain does not describe, such as a customer in a domain of
contracts: it is shown by its local id, and describe_entity finds it only in a domain that has facts about it.
`

// works says when a tool can be used.
func (t *tool) works() string {
	switch {
	case t.Kind == domains.RegistryTool:
		return "always"
	case t.Need == nil:
		return "with a domain"
	}
	return "with a domain that has " + strings.Join(t.needs(), " and ")
}

// needs are the abilities without which a domain does not offer the tool.
func (t *tool) needs() []string {
	type facts struct{ domains.Facts }
	type context struct{ domains.Context }
	type actions struct{ domains.Actions }
	type rules struct{ domains.Rules }
	type graphQL struct{ domains.GraphQL }
	whole := domains.Domain{Facts: facts{}, Context: context{}, Actions: actions{}, Rules: rules{}, GraphQL: graphQL{}}
	var needs []string
	for _, ability := range []struct {
		name string
		lose func(d *domains.Domain)
	}{
		{"a graph", func(d *domains.Domain) { d.Facts = nil }},
		{"GraphQL", func(d *domains.Domain) { d.GraphQL = nil }},
		{"context", func(d *domains.Domain) { d.Context = nil }},
		{"actions", func(d *domains.Domain) { d.Actions = nil }},
		{"business rules", func(d *domains.Domain) { d.Rules = nil }},
	} {
		d := whole
		if ability.lose(&d); !t.Need(&d) {
			needs = append(needs, ability.name)
		}
	}
	return needs
}

// NamelessNeeds are the tools that need more than a graph and do not name it in a refusal.
func NamelessNeeds() []string {
	var out []string
	for _, t := range tools() {
		if t.Need != nil && t.Needs == "" && slices.ContainsFunc(t.needs(), func(need string) bool { return need != "a graph" }) {
			out = append(out, t.Name)
		}
	}
	return out
}

func (t *tool) document(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n", t.Name, t.description)
	switch {
	case t.acts:
		b.WriteString("Writes: what it changes is not known here, and each call does it again. Clients are told that it may be destructive.\n\n")
	case t.Writes:
		b.WriteString("Writes: it adds facts, and a second call adds nothing new.\n\n")
	}
	if len(t.params) > 0 {
		b.WriteString("| argument | type | default | |\n| --- | --- | --- | --- |\n")
	}
	for _, p := range t.params {
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", p.name, p.documentType(), p.documentDefault(), p.documentPurpose())
	}
	if len(t.params) > 0 {
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "Example: `%s`\n", t.example)
}

func (p param) documentType() string {
	switch p.kind {
	case kindNumber:
		return fmt.Sprintf("number, %d–%d", p.min, p.max)
	case kindTruth:
		return "true or false"
	case kindList:
		return "list of texts"
	}
	if p.enum != nil {
		return "`" + strings.Join(p.enum, "`, `") + "`"
	}
	return "text"
}

func (p param) documentDefault() string {
	switch {
	case p.required:
		return "required"
	case p.def != "":
		return "`" + p.def + "`"
	}
	return ""
}

// documentPurpose is what an argument is for. Two are explained to clients in the
// instructions, once for all tools.
func (p param) documentPurpose() string {
	switch {
	case p.doc != "":
		return p.doc
	case p.name == "domain_name":
		return "The domain; absent: the one selected."
	case p.name == "cursor":
		return "Where to go on, from an answer that was cut."
	}
	return ""
}
