package graphql

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// gateCase is a request of testdata/gate/cases.txt.
type gateCase struct {
	name string
	Request
	accept bool
	why    string // what graphql-js says
}

func gateSDL(t testing.TB) string {
	t.Helper()
	sdl, err := os.ReadFile(filepath.Join("testdata", "gate", "schema.graphql"))
	if err != nil {
		t.Fatal(err)
	}
	return string(sdl)
}

func sampleGate(t testing.TB) *gate {
	t.Helper()
	g, err := newGate(gateSDL(t), true)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// gateCases are the requests with the verdicts of graphql-js.
func gateCases(t testing.TB) []gateCase {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "gate", "cases.txt"))
	if err != nil {
		t.Fatal(err)
	}
	said, err := os.ReadFile(filepath.Join("testdata", "gate", "verdicts.txt"))
	if err != nil {
		t.Fatal(err)
	}
	verdicts := map[string]gateCase{}
	last := ""
	for line := range strings.Lines(string(said)) {
		line = strings.TrimRight(line, "\n")
		if why, ok := strings.CutPrefix(line, "    "); ok {
			c := verdicts[last]
			c.why = why
			verdicts[last] = c
			continue
		}
		verdict, name, _ := strings.Cut(line, " ")
		verdicts[name] = gateCase{accept: verdict == "accept"}
		last = name
	}
	var out []gateCase
	for _, block := range strings.Split("\n"+string(text), "\n=== ")[1:] {
		name, rest, _ := strings.Cut(block, "\n")
		c, ok := verdicts[name]
		if !ok {
			t.Fatalf("no verdict on %q: run verdicts.mjs", name)
		}
		c.name = name
		var query []string
		for _, line := range strings.Split(strings.TrimSuffix(rest, "\n"), "\n") {
			switch {
			case strings.HasPrefix(line, "? "):
				c.Variables = json.RawMessage(line[2:])
			case strings.HasPrefix(line, "@ "):
				c.Operation = line[2:]
			default:
				query = append(query, line)
			}
		}
		c.Query = strings.Join(query, "\n")
		out = append(out, c)
	}
	return out
}

// differs are the requests on which we and graphql-js differ, with the reason.
var differs = map[string]string{
	"syntax: half of a pair": "an escape for half a character is read as U+FFFD",
}

// What graphql-js 16.15 accepts we accept, and what it refuses we refuse.
func TestAdmitAsGraphQLJSDoes(t *testing.T) {
	g := sampleGate(t)
	cases := gateCases(t)
	if len(cases) < 200 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d, errs := g.admit(c.Request, 0)
			if (d != nil) != (len(errs) == 0) {
				t.Fatalf("admit() = %v, %v: one of them must be empty", d != nil, errs)
			}
			if reason, ok := differs[c.name]; ok {
				if (d != nil) == c.accept {
					t.Errorf("we agree with graphql-js, although %s", reason)
				}
				return
			}
			if (d != nil) != c.accept {
				t.Errorf("admit() = %+v, and graphql-js accepts: %v (%s)\n%s", errs, c.accept, c.why, c.Query)
			}
		})
	}
}

// What is accepted has no faults in it, so that the explanation of a refusal never names
// something that is right.
func TestCheckFindsNothingInWhatIsAccepted(t *testing.T) {
	g := sampleGate(t)
	for _, c := range gateCases(t) {
		if c.accept {
			if faults := Check(g.explain(), c.Request); len(faults) > 0 {
				t.Errorf("%s: %+v\n%s", c.name, faults, c.Query)
			}
		}
	}
}
