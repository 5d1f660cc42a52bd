package rdfgraph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// sized is as often a text as 64 KiB hold.
func sized(text string) string { return strings.Repeat(text, (64<<10)/len(text)) }

// TestSettingsThatTakeLong holds that a domain.yaml on which the YAML parser would
// work for seconds or minutes is refused before it is parsed.
func TestSettingsThatTakeLong(t *testing.T) {
	const (
		size = "domain.yaml: the file is larger than 64 KiB, "
		line = "domain.yaml:1:1: this line holds more than 1000 marks "
		all  = ": up to here the file holds 8000 marks "
		deep = "domain.yaml: lists and maps are nested more than 60 deep"
	)
	for text, want := range map[string]string{
		sized("x") + "x":               size,
		strings.Repeat("a: ", 300_000): size,
		sized("a: "):                   line,
		sized("!a &b "):                line,
		sized("&a "):                   line,
		sized("*a "):                   line,
		sized("{}"):                    line,
		sized("[]"):                    line,
		sized("{a: b} "):               line,
		sized(`"a" `):                  line,
		sized("@ "):                    line,
		"a: [" + sized("a,")[:65_000]:  line,
		sized("--- a\n"):               "domain.yaml:2667:1" + all,
		sized("{}\n"):                  "domain.yaml:4001:1" + all,
		sized("-\n"):                   "domain.yaml:8001:1" + all,
		sized("a:\n"):                  "domain.yaml:8001:1" + all,
		strings.Repeat("[", 61):        deep,
	} {
		faults, ok := rdfgraph.ReadSettings([]byte(text))
		if ok || len(faults) != 1 || !strings.Contains(faults[0], want) || !strings.HasPrefix(faults[0], "! ") {
			t.Errorf("%.20q…: read %v, %.200q; want %q", text, ok, faults, want)
		}
	}
}

// TestLargeSettings holds that a file as large as people write it is read.
func TestLargeSettings(t *testing.T) {
	var text strings.Builder
	text.WriteString("description: '" + strings.Repeat("Orders, invoices and what became of them. ", 400) + "'\nclasses:\n")
	for i := 0; text.Len() < 63<<10; i++ {
		fmt.Fprintf(&text, "  Class%d:\n    bridges:\n      - {domain: sales, class: Order, label: \"as an order\"}\n", i)
	}
	if faults, ok := rdfgraph.ReadSettings([]byte(text.String())); !ok || len(faults) > 0 {
		t.Errorf("read %v, %d faults: %.300q", ok, len(faults), faults)
	}
}

// TestManyUnknownKeys holds that each of thousands of unknown keys is a fault, and
// that advice is sought for as many as one reads.
func TestManyUnknownKeys(t *testing.T) {
	var text strings.Builder
	for i := range 3_000 {
		fmt.Fprintf(&text, "polcy%d: a\n", i)
	}
	faults, ok := rdfgraph.ReadSettings([]byte(text.String()))
	advice := 0
	for _, f := range faults {
		if !strings.HasPrefix(f, "! ") {
			t.Errorf("%q does not bar the domain", f)
		}
		if strings.Contains(f, "key \"polcy") && strings.Contains(f, "domain.yaml: ") {
			advice++
		}
	}
	if !ok || len(faults) != 3_000 || advice != 100 {
		t.Errorf("read %v, %d faults, advice for %d of them; want 3000 and 100", ok, len(faults), advice)
	}
}

// TestLongNamespacesOfSettings holds that domain.yaml has the limits of the files: a
// base or prefix that no file could declare is a fault at its own place.
func TestLongNamespacesOfSettings(t *testing.T) {
	long := "https://e/" + strings.Repeat("x", rdf.MaxNamespace)
	faults, ok := rdfgraph.ReadSettings([]byte("base: " + long + "\nprefixes:\n  p: " + long + "\n"))
	want := []string{
		"domain.yaml:1:1: base has 2058 bytes, and at most 2048 can be read: give a shorter one",
		"domain.yaml:3:3: the IRI of this prefix has 2058 bytes, and at most 2048 can be read: give a shorter one",
	}
	if diff := cmp.Diff(want, faults); diff != "" || !ok {
		t.Errorf("read %v, faults (-want +got):\n%s", ok, diff)
	}
}
