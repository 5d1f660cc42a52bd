// Package page is the page for people at the address of a domain's GraphQL: an editor
// that completes from the schema, variables, the result, the schema to look things up
// in, and a history. It is one HTML document that loads nothing: styles and scripts are
// inside it, and its policy for browsers names them by their digests. DESIGN.md beside
// this file says how it is made.
package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"strings"
	"sync"
)

//go:embed page.html page.css *.mjs
var sources embed.FS

// modules are the scripts, each after those that it imports from.
var modules = []string{
	"words.mjs", "lex.mjs", "sdl.mjs", "json.mjs", "parts.mjs", "walk.mjs", "complete.mjs", "pretty.mjs", "example.mjs", "store.mjs", // values
	"dom.mjs", "faults.mjs", "editor.mjs", "tree.mjs", "result.mjs", "explorer.mjs", "side.mjs", "main.mjs", // what is on the screen
}

// HTML is the document and the value of Content-Security-Policy under which it has to be
// served, as text/html; charset=utf-8. Both are the same in each call, and for every
// domain: the page takes the address of the domain from its own. The bytes are shared,
// and must not be changed. Safe for concurrent use.
func HTML() (body []byte, csp string) { return document() }

var document = sync.OnceValues(func() ([]byte, string) {
	style, script := source("page.css"), join(modules)
	body := strings.NewReplacer("{{style}}", style, "{{script}}", script).Replace(source("page.html"))
	return []byte(body), strings.Join([]string{
		"default-src 'none'",
		"script-src '" + digest(script) + "'",
		"style-src '" + digest(style) + "'",
		"connect-src 'self'",
		"img-src data:",
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types 'none'",
	}, "; ")
})

// source is an embedded file.
func source(name string) string {
	text, err := sources.ReadFile(name)
	if err != nil {
		panic(err) // a name in this file that the compiler did not embed
	}
	return string(text)
}

// join makes one script of modules. They share one scope there, so that what one imports
// of another is in reach: the lines that import are left out, as is the word export at
// the beginning of a line.
func join(modules []string) string {
	var out strings.Builder
	for _, name := range modules {
		for line := range strings.Lines(source(name)) {
			if strings.HasPrefix(line, "import ") {
				continue
			}
			out.WriteString(strings.TrimPrefix(line, "export "))
		}
	}
	return out.String()
}

// digest names an inline style or script in a policy (CSP Level 3, 2.3.1).
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
