package rdf_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/rdftest"
)

// TestCanonicalLines runs the W3C tests of canonical lines, with labels as they are.
func TestCanonicalLines(t *testing.T) {
	for _, suite := range []struct {
		folder  string
		format  rdf.Format
		entries int
	}{
		{"rdf12/rdf-n-triples/c14n", rdf.NTriples, 41},
		{"rdf12/rdf-n-quads/c14n", rdf.NQuads, 41},
	} {
		t.Run(suite.folder, func(t *testing.T) {
			m := readManifest(t, suite.folder)
			if len(m.entries) < suite.entries {
				t.Errorf("the manifest has %d entries, expected %d", len(m.entries), suite.entries)
			}
			for _, entry := range m.entries {
				var got strings.Builder
				for _, q := range rdftest.ReadFile(t, m.file(t, m.one(t, entry, manifestNS+"action")), suite.format, rdf.Options{}) {
					got.WriteString(rdf.CanonicalLine(q))
				}
				want, err := os.ReadFile(m.file(t, m.one(t, entry, manifestNS+"result")))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), got.String()); diff != "" {
					t.Errorf("%s (-want +got):\n%s", entry, diff)
				}
			}
		})
	}
}

// canonical is the canonical text of quads.
func canonical(t testing.TB, quads []rdf.Quad) string {
	t.Helper()
	var b strings.Builder
	if err := rdf.Write(&b, rdf.NQuads, rdf.WriteOptions{Canonical: true}, slices.Values(quads)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The names that RDFC-1.0 gives, worked out by its steps.
func TestCanonicalNames(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"once each, ordered by code points",
			"<e:b> <e:p> <e:o> .\n<e:a> <e:p> \"\U00010000\" .\n<e:a> <e:p> \"\uFFFD\" .\n<e:b> <e:p> <e:o> .\n",
			"<e:a> <e:p> \"\uFFFD\" .\n<e:a> <e:p> \"\U00010000\" .\n<e:b> <e:p> <e:o> .\n"},
		{"language tags that differ by case are one",
			"<e:a> <e:p> \"x\"@EN-gb .\n<e:a> <e:p> \"x\"@en-GB .\n", "<e:a> <e:p> \"x\"@en-gb .\n"},
		{"triple terms without blank nodes",
			"_:z <e:p> <<( <e:a> <e:p> \"x\"@EN )>> .\n", "_:c14n0 <e:p> <<( <e:a> <e:p> \"x\"@en )>> .\n"},
		{"unique hashes", // the first example of the specification
			`<http://example.com/#p> <http://example.com/#q> _:e0 .
<http://example.com/#p> <http://example.com/#r> _:e1 .
_:e0 <http://example.com/#s> <http://example.com/#u> .
_:e1 <http://example.com/#t> <http://example.com/#u> .
`,
			`<http://example.com/#p> <http://example.com/#q> _:c14n0 .
<http://example.com/#p> <http://example.com/#r> _:c14n1 .
_:c14n0 <http://example.com/#s> <http://example.com/#u> .
_:c14n1 <http://example.com/#t> <http://example.com/#u> .
`},
		{"shared hashes", // the second
			`<http://example.com/#p> <http://example.com/#q> _:e0 .
<http://example.com/#p> <http://example.com/#q> _:e1 .
_:e0 <http://example.com/#p> _:e2 .
_:e1 <http://example.com/#p> _:e3 .
_:e2 <http://example.com/#r> _:e3 .
`,
			`<http://example.com/#p> <http://example.com/#q> _:c14n2 .
<http://example.com/#p> <http://example.com/#q> _:c14n3 .
_:c14n0 <http://example.com/#r> _:c14n1 .
_:c14n2 <http://example.com/#p> _:c14n1 .
_:c14n3 <http://example.com/#p> _:c14n0 .
`},
	} {
		got := canonical(t, rdftest.ReadString(t, c.in, rdf.NQuads, rdf.Options{}))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// shuffled are the same quads with other labels, in another order.
func shuffled(r *rand.Rand, quads []rdf.Quad) []rdf.Quad {
	labels := make(map[string]string)
	for _, q := range quads {
		for _, term := range []rdf.Term{q.Subject, q.Object, q.Graph} {
			if term.Kind == rdf.Blank {
				labels[term.Value] = ""
			}
		}
	}
	order := r.Perm(len(labels))
	for i, label := range slices.Sorted(keys(labels)) {
		labels[label] = fmt.Sprint("x", order[i])
	}
	rename := func(term rdf.Term) rdf.Term {
		if term.Kind == rdf.Blank {
			term.Value = labels[term.Value]
		}
		return term
	}
	out := make([]rdf.Quad, len(quads))
	for i, at := range r.Perm(len(quads)) {
		q := quads[at]
		q.Subject, q.Object, q.Graph = rename(q.Subject), rename(q.Object), rename(q.Graph)
		out[i] = q
	}
	return out
}

func keys(m map[string]string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// edges is a graph of blank nodes.
func edges(pairs ...[2]int) []rdf.Quad {
	var quads []rdf.Quad
	for _, p := range pairs {
		quads = append(quads, rdf.Quad{Triple: rdf.Triple{Subject: node(p[0]), Predicate: rdf.NewIRI("http://e/p"), Object: node(p[1])}})
	}
	return quads
}

func node(n int) rdf.Term { return rdf.NewBlank(fmt.Sprint("n", n)) }

// symmetrical are graphs in which no node differs from another by what is next to it.
func symmetrical() map[string][]rdf.Quad {
	ring := func(from, size int) (pairs [][2]int) {
		for i := range size {
			pairs = append(pairs, [2]int{from + i, from + (i+1)%size})
		}
		return pairs
	}
	var complete, petersen, cube [][2]int
	for i := range 5 {
		for j := range 5 {
			if i != j {
				complete = append(complete, [2]int{i, j})
			}
		}
		petersen = append(petersen, [2]int{i, (i + 1) % 5}, [2]int{i, i + 5}, [2]int{5 + i, 5 + (i+2)%5})
	}
	for i := range 8 {
		for bit := range 3 {
			cube = append(cube, [2]int{i, i ^ 1<<bit})
		}
	}
	return map[string][]rdf.Quad{
		"a ring":            edges(ring(0, 6)...),
		"two rings":         edges(append(ring(0, 3), ring(3, 3)...)...),
		"three equal rings": edges(append(append(ring(0, 4), ring(4, 4)...), ring(8, 4)...)...),
		"complete":          edges(complete...),
		"petersen":          edges(petersen...),
		"cube":              edges(cube...),
		"self":              edges([2]int{0, 0}, [2]int{1, 1}),
	}
}

func TestCanonicalTextOfSymmetricalGraphs(t *testing.T) {
	texts := make(map[string]string)
	for name, quads := range symmetrical() {
		r := rand.New(rand.NewPCG(1, 2))
		want := canonical(t, quads)
		if texts[want] != "" {
			t.Errorf("%s and %s have one text", name, texts[want])
		}
		texts[want] = name
		for range domaintest.Rounds(20) {
			if diff := cmp.Diff(want, canonical(t, shuffled(r, quads))); diff != "" {
				t.Fatalf("%s, shuffled (-want +got):\n%s", name, diff)
			}
		}
		if diff := rdftest.Diff(quads, rdftest.ReadString(t, want, rdf.NQuads, rdf.Options{})); diff != "" {
			t.Errorf("%s is another graph (-want +got):\n%s", name, diff)
		}
	}
}

// randomQuads are quads of few nodes and predicates, so that many nodes are alike.
func randomQuads(r *rand.Rand) []rdf.Quad {
	nodes, size := 1+r.IntN(7), r.IntN(12)
	term := func() rdf.Term {
		if r.IntN(6) == 0 {
			return rdf.NewIRI("http://e/a")
		}
		return node(r.IntN(nodes))
	}
	var quads []rdf.Quad
	for range size {
		q := rdf.Quad{Triple: rdf.Triple{Subject: term(), Predicate: rdf.NewIRI([]string{"http://e/p", "http://e/q"}[r.IntN(2)]), Object: term()}}
		switch r.IntN(6) {
		case 0, 1:
			q.Graph = term()
		case 2:
			q.Graph = rdf.NewIRI([]string{"http://e/g", "http://e/h"}[r.IntN(2)])
		case 3:
			q.Object = rdf.NewString("x")
		}
		quads = append(quads, q)
	}
	return quads
}

// Two random graphs have one canonical text where they are isomorphic, and only there.
func TestCanonicalTextIsEqualWhereGraphsAre(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range domaintest.Rounds(3000) {
		quads := randomQuads(r)
		want := canonical(t, quads)
		if got := canonical(t, shuffled(r, quads)); got != want {
			t.Fatalf("shuffled the text is another (-want +got):\n%s", cmp.Diff(want, got))
		}
		other := slices.Clone(quads)
		if len(other) > 0 {
			other[r.IntN(len(other))].Object = node(r.IntN(4))
		}
		same := canonical(t, other) == want
		if isomorphic := rdftest.Isomorphic(quads, other); same != isomorphic {
			t.Fatalf("isomorphic is %v, and that the texts are equal is %v:\n%s\n%s", isomorphic, same, want, canonical(t, other))
		}
		back := rdftest.ReadString(t, want, rdf.NQuads, rdf.Options{})
		if again := canonical(t, back); again != want {
			t.Fatalf("again the text is another (-want +got):\n%s", cmp.Diff(want, again))
		}
	}
}

// A dataset that is made to take for ever ends with an error.
func TestPoisonIsRefused(t *testing.T) {
	var pairs [][2]int
	for i := range 12 {
		for j := range 12 {
			if i != j {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	if _, err := rdf.CanonicalizeWithin(edges(pairs...), 20_000); err == nil || !strings.Contains(err.Error(), "too many of them are alike") {
		t.Errorf("a complete graph of 12 nodes gave %v", err)
	}
	pairs = nil
	for i := range 20_100 {
		pairs = append(pairs, [2]int{i, (i + 1) % 20_100})
	}
	if _, err := rdf.Canonicalize(edges(pairs...)); err == nil || !strings.Contains(err.Error(), "too many of them are alike") {
		t.Errorf("a very long ring gave %v", err)
	}
}

// Many nodes that are told apart by what they say take a step for each quad at most.
func TestCanonicalWorkOfPlainData(t *testing.T) {
	var quads []rdf.Quad
	for i := range 2000 {
		about := rdf.NewString(fmt.Sprint(i))
		quads = append(quads, rdf.Quad{Triple: rdf.Triple{Subject: node(i), Predicate: rdf.NewIRI("http://e/p"), Object: about}})
	}
	if _, err := rdf.CanonicalizeWithin(quads, 0); err != nil {
		t.Error(err)
	}
}

func TestCanonicalFormOfBlankNodesInTripleTerms(t *testing.T) {
	quads := rdftest.ReadString(t, "<e:s> <e:p> <<( <e:a> <e:p> <<( _:b <e:p> 1 )>> )>> .", rdf.Turtle, rdf.Options{})
	_, err := rdf.Canonicalize(quads)
	var cannot *rdf.UnsayableError
	if !errors.As(err, &cannot) || cannot.Quad != quads[0] || !strings.Contains(err.Error(), "RDFC-1.0 has no rule") {
		t.Errorf("the error is %v", err)
	}
}

// RDFC-1.0 does not say which of these nodes is first: they have the same neighbours, and only
// their quads as a whole tell them apart.
func TestNodesThatWholeQuadsTellApart(t *testing.T) {
	for name, text := range map[string]string{
		"blank graphs": "_:a <e:p> _:b _:g .\n_:b <e:p> _:a _:h .\n_:x <e:p> _:g .\n",
		"graphs": "_:a <e:p> _:x <e:g> .\n_:a <e:p> _:y <e:h> .\n_:b <e:p> _:v <e:g> .\n_:b <e:p> _:w <e:h> .\n" +
			"_:c <e:q> _:x .\n_:c <e:q> _:w .\n_:c <e:r> _:y .\n_:c <e:r> _:v .\n",
	} {
		quads := rdftest.ReadString(t, text, rdf.NQuads, rdf.Options{})
		r := rand.New(rand.NewPCG(7, 8))
		want := canonical(t, quads)
		for range domaintest.Rounds(30) {
			if got := canonical(t, shuffled(r, quads)); got != want {
				t.Fatalf("%s, shuffled (-want +got):\n%s", name, cmp.Diff(want, got))
			}
		}
	}
}

// FuzzCanonicalize makes a graph of the bytes: labels and order don't change its text.
func FuzzCanonicalize(f *testing.F) {
	f.Add([]byte{0, 1, 1, 2, 2, 0}, uint64(1))
	f.Add([]byte{0, 1, 2, 3, 0, 2, 9, 9}, uint64(2))
	f.Add([]byte("\"B120X"), uint64(166))
	for _, quads := range symmetrical() {
		var text []byte
		for _, q := range quads {
			text = append(text, q.Subject.Value[1], q.Object.Value[1])
		}
		f.Add(text, uint64(3))
	}
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		var quads []rdf.Quad
		for i := 0; i+1 < min(len(text), 24); i += 2 {
			q := edges([2]int{int(text[i] % 6), int(text[i+1] % 6)})[0]
			if text[i]&64 != 0 {
				q.Predicate.Value = "http://e/q"
			}
			if text[i+1]&64 != 0 {
				q.Graph = node(int(text[i+1]>>3) % 6)
			}
			quads = append(quads, q)
		}
		want := canonical(t, quads)
		if got := canonical(t, shuffled(rand.New(rand.NewPCG(seed, 0)), quads)); got != want {
			t.Fatalf("shuffled the text is another (-want +got):\n%s", cmp.Diff(want, got))
		}
	})
}
