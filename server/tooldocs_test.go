package server

import (
	"fmt"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// ToolDocs is the reference of all tools in Markdown, docs/tools.md, from the
// values that clients get.
func ToolDocs() string {
	var b strings.Builder
	b.WriteString("# Tools\n\n" +
		"<!-- Generated from server/tools*.go by: go test ./server -run TestToolDocs -update -->\n\n" +
		"All tools only read. Every tool of a domain takes `domain_name`, which overrides the selection for that call; " +
		"`cursor` goes on where an answer was cut. Absent, `null` and empty arguments mean the same. " +
		"Numbers out of range are clamped, and the answer says so. No answer is longer than its budget.\n\n" +
		"| tool | for | works | budget |\n| --- | --- | --- | --- |\n")
	for _, t := range tools() {
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s | %d characters |\n", t.Name, t.Name, t.title, t.works(), t.budget)
	}
	for _, t := range tools() {
		t.document(&b)
	}
	return b.String()
}

// works says when a tool can be used.
func (t *tool) works() string {
	switch {
	case t.Kind == domains.RegistryTool:
		return "always"
	case t.Need == nil:
		return "with a domain"
	}
	return "with a domain that has a graph"
}

func (t *tool) document(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n", t.Name, t.description)
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
