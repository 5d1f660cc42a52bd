package main

import (
	"strings"

	"github.com/ontogate/ontogate/format"
)

// oneLine makes a text that holds names or words from files harmless for a terminal,
// and keeps it on one line. Unlike format.Line it keeps every space, since paths and
// columns need them.
func oneLine(text string) string {
	return strings.ReplaceAll(format.Escape(text), "\n", `\n`)
}
