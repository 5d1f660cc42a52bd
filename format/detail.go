package format

import (
	"fmt"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// Detail says how much of each entity is told.
type Detail uint8

// The details; the zero Detail is Standard for one match and Compact for several.
const (
	// Compact is one line: label, type, IRI.
	Compact Detail = iota + 1
	// Standard is a block with attributes and relationships; long values and long
	// lists are shortened, texts come in one language.
	Standard
	// Full adds all values, all languages, datatypes and the other IRIs.
	Full
)

// detailNames are the details as arguments.
var detailNames = []string{Compact: "compact", Standard: "standard", Full: "full"}

// ParseDetail reads the argument detail; case and space around do not count, and
// an empty one is the zero Detail. The error is a domains.Error of kind
// ErrInvalid.
func ParseDetail(s string) (Detail, error) {
	word := strings.ToLower(strings.TrimSpace(s))
	for d, name := range detailNames {
		if word == name {
			return Detail(d), nil
		}
	}
	return 0, domains.Invalid(fmt.Sprintf("detail %s is not known: use compact, standard or full.", quoted(s)))
}
