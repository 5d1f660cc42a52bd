package graphql_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/graphql"
)

// Each field of each type leads to a type without values, so that an example looks at
// all of them. With work that grows with the third power this runs for hours.
func TestExampleOfASchemaWithoutValues(t *testing.T) {
	const fields = 3000
	var b strings.Builder
	for _, names := range [][2]string{{"Query", "A"}, {"A", "B"}, {"B", "A"}} {
		fmt.Fprintf(&b, "type %s {\n", names[0])
		for i := range fields {
			fmt.Fprintf(&b, "  f%d: %s\n", i, names[1])
		}
		b.WriteString("}\n")
	}
	if got, want := schema(t, b.String()).Example(""), "{ f0 { __typename } }"; got != want {
		t.Errorf("Example() = %q, want %q", got, want)
	}
}

// Four times as many extensions take about four times as much memory, not sixteen.
func TestExtensionsAreLinear(t *testing.T) {
	allocated := func(extensions int) uint64 {
		sdl := "type Query { a: Int }\n" + strings.Repeat("extend type Query { b: Int }\n", extensions)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s, err := graphql.ParseSDL(sdl)
		runtime.ReadMemStats(&after)
		if err != nil || len(s.Fields("Query")) != extensions+1 {
			t.Fatalf("%d extensions are not read: %v", extensions, err)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	few, many := allocated(2000), allocated(8000)
	if many > 8*few {
		t.Errorf("2,000 extensions take %d bytes, 8,000 take %d", few, many)
	}
}

// The parser counts the column of a block string from its last line.
func TestPlaceOfABlockString(t *testing.T) {
	query := "{\n  found(limit: \"\"\"é\n  y\n\"\"\") { __typename }\n}"
	faults := graphql.Check(schema(t, "type Query { found(limit: Int): A }\ntype A { n: Int }"), graphql.Request{Query: query})
	if len(faults) != 1 || faults[0].Line != 2 || faults[0].Column != 16 {
		t.Errorf("Check() = %+v, want one fault at line 2, column 16", faults)
	}
}
