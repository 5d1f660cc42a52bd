package rdf_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/piprate/json-gold/ld"

	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdf"
)

// RDFC-1.0 gives the text that URDNA2015 gave, by another program's work. That program takes a
// quad twice for a node that is in two of its places; the quads of a node are a set (RDFC-1.0
// §4.2), so that such quads are left out.
func TestCanonicalTextIsThatOfAnotherProgram(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var all [][]rdf.Quad
	for _, quads := range symmetrical() {
		all = append(all, quads)
	}
	for range domaintest.Rounds(1000) {
		all = append(all, randomQuads(r))
	}
	different := 0
	for _, quads := range all {
		quads = slices.DeleteFunc(quads, twice)
		o := ld.NewJsonLdOptions("")
		o.InputFormat, o.Format, o.Algorithm = "application/n-quads", "application/n-quads", ld.AlgorithmURDNA2015
		in := written(t, rdf.NQuads, rdf.WriteOptions{}, quads)
		want, err := ld.NewJsonLdProcessor().Normalize(in, o)
		if err != nil {
			t.Fatalf("%v in\n%s", err, in)
		}
		if diff := cmp.Diff(want, canonical(t, quads)); diff != "" {
			different++
			if different < 4 {
				t.Errorf("for %s(-want +got):\n%s", strings.TrimSpace(in)+"\n", diff)
			}
		}
	}
	if different > 0 {
		t.Errorf("%d of %d are different", different, len(all))
	}
}

// twice reports whether a quad has a node in two places.
func twice(q rdf.Quad) bool {
	return q.Subject == q.Object || q.Subject == q.Graph || q.Object == q.Graph
}
