package examples_test

import (
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/examples"
)

// TestData holds that every link leads to an entity of the same domain, that all
// terms are declared, that nothing happened after the day of the snapshot, and that
// invoices add up.
func TestData(t *testing.T) {
	for folder, base := range map[string]string{
		"customer360":     "https://ontobricks.com/ontology",
		"finance":         "https://ontobricks.com/finance",
		"supply_chain/v1": "https://ontobricks.com/supply",
		"supply_chain/v2": "https://ontobricks.com/supply",
		"supply_chain/v3": "https://ontobricks.com/supply",
	} {
		t.Run(folder, func(t *testing.T) {
			triples := readTriples(t, examples.FS(), folder)
			subjects := map[string]bool{}
			for _, s := range triples {
				subjects[s.Subject.Value] = true
			}
			for _, s := range triples {
				p, o := s.Predicate.Value, s.Object
				if strings.HasPrefix(p, base+"#") && !subjects[p] {
					t.Errorf("%s uses %s, which is not declared", s.Subject.Value, p)
				}
				if o.Kind == rdf.IRI && strings.HasPrefix(o.Value, base) && !subjects[o.Value] {
					t.Errorf("%s %s leads to %s, of which nothing is said", s.Subject.Value, p, o.Value)
				}
				happened := o.Datatype == rdf.XSD+"date" || o.Datatype == rdf.XSD+"dateTime"
				planned := strings.HasSuffix(p, "#endDate") || strings.HasSuffix(p, "#dueDate")
				if happened && !planned && o.Value[:len("2026-07-15")] > "2026-07-15" {
					t.Errorf("%s %s is %s, after the snapshot", s.Subject.Value, p, o.Value)
				}
			}
		})
	}
}

// TestPaymentsAddUp holds that the payments of an invoice are its amount when it is
// paid, and nothing when it is not.
func TestPaymentsAddUp(t *testing.T) {
	const ns = "https://ontobricks.com/finance#"
	value := map[string]map[string]string{} // subject → property → value, or one of them
	for _, s := range readTriples(t, examples.FS(), "finance") {
		if value[s.Subject.Value] == nil {
			value[s.Subject.Value] = map[string]string{}
		}
		value[s.Subject.Value][strings.TrimPrefix(s.Predicate.Value, ns)] = s.Object.Value
	}
	paid := map[string]int{} // invoice → cents
	for _, v := range value {
		if v["settles"] != "" {
			paid[v["settles"]] += cents(t, v["amount"])
		}
	}
	invoices := 0
	for iri, v := range value {
		if v[rdf.RDFType] != ns+"Invoice" {
			continue
		}
		invoices++
		want := cents(t, v["grossAmount"])
		if v["invoiceStatus"] != "paid" {
			want = 0
		}
		if paid[iri] != want {
			t.Errorf("%s is %s: %d cents were paid of %s", iri, v["invoiceStatus"], paid[iri], v["grossAmount"])
		}
		if net, tax := cents(t, v["netAmount"]), cents(t, v["taxAmount"]); net+tax != cents(t, v["grossAmount"]) {
			t.Errorf("%s: %d and %d cents are not %s", iri, net, tax, v["grossAmount"])
		}
	}
	if invoices < 100 {
		t.Errorf("there are only %d invoices", invoices)
	}
}

// TestFormats holds that both syntaxes say the same.
func TestFormats(t *testing.T) {
	turtle, ntriples := examples.FS(), generate(t, "-format", "nt")
	for _, folder := range []string{"customer360", "supply_chain/v2"} {
		if diff := cmp.Diff(withoutBlanks(readTriples(t, turtle, folder)), withoutBlanks(readTriples(t, ntriples, folder))); diff != "" {
			t.Errorf("%s (-ttl +nt):\n%s", folder, diff)
		}
	}
}

// withoutBlanks counts triples by their text, with one label for all blank nodes.
func withoutBlanks(triples []rdf.Triple) map[rdf.Triple]int {
	out := map[rdf.Triple]int{}
	for _, s := range triples {
		for _, term := range []*rdf.Term{&s.Subject, &s.Object} {
			if term.Kind == rdf.Blank {
				term.Value = "b"
			}
		}
		out[s]++
	}
	return out
}

// cents reads an amount with two decimal places.
func cents(t *testing.T, amount string) int {
	t.Helper()
	n := 0
	for _, r := range strings.Replace(amount, ".", "", 1) {
		n = 10*n + int(r-'0')
	}
	if i := strings.IndexByte(amount, '.'); i < 1 || len(amount)-i != 3 {
		t.Errorf("the amount %q has not two decimal places", amount)
	}
	return n
}

// readTriples reads all RDF files of a folder.
func readTriples(t *testing.T, fsys fs.FS, folder string) []rdf.Triple {
	t.Helper()
	var out []rdf.Triple
	err := fs.WalkDir(fsys, folder, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		format, _, ok := rdf.FormatOf(file)
		if !ok {
			return nil
		}
		f, err := fsys.Open(file)
		if err != nil {
			return err
		}
		defer f.Close()
		return rdf.Read(f, format, rdf.Options{File: file, BlankPrefix: path.Base(file) + "_"}, func(q rdf.Quad) error {
			out = append(out, q.Triple)
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) == 0 {
		t.Fatalf("%s holds no triples", folder)
	}
	return out
}
