package rdf_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains/rdf"
)

// benchmarkEntities is the number of entities in the data of the benchmarks; each has
// ten triples, which makes about 14 MB of N-Triples and 6 MB of Turtle.
const benchmarkEntities = 10_000

func BenchmarkReadNTriples(b *testing.B) {
	var data strings.Builder
	for i := range benchmarkEntities {
		for _, t := range benchmarkEntity(i) {
			data.WriteString(t.String() + "\n")
		}
	}
	benchmarkRead(b, rdf.NTriples, data.String())
}

func BenchmarkReadTurtle(b *testing.B) {
	var data strings.Builder
	data.WriteString(rdf.PrefixLines(benchmarkPrefixes, nil))
	for i := range benchmarkEntities {
		for s := range rdf.Statements(slices.Values(benchmarkEntity(i)), benchmarkPrefixes) {
			data.WriteString("\n" + s.Text + "\n")
		}
	}
	benchmarkRead(b, rdf.Turtle, data.String())
}

func BenchmarkReadRDFXML(b *testing.B) {
	var data strings.Builder
	data.WriteString("<rdf:RDF xmlns:rdf=\"" + rdf.RDF + "\"")
	for _, p := range benchmarkPrefixes {
		data.WriteString("\n    xmlns:" + p.Name + "=\"" + p.IRI + "\"")
	}
	data.WriteString(">\n")
	names := strings.NewReplacer("<", "&lt;", "&", "&amp;", `"`, "&quot;")
	for i := range benchmarkEntities {
		for j, t := range benchmarkEntity(i) {
			if j == 0 {
				data.WriteString("  <rdf:Description rdf:about=\"" + t.Subject.Value + "\">\n")
			}
			at := strings.LastIndexAny(t.Predicate.Value, "/#") + 1
			data.WriteString("    <p:" + t.Predicate.Value[at:] + " xmlns:p=\"" + t.Predicate.Value[:at] + "\"")
			switch {
			case t.Object.Kind == rdf.IRI:
				data.WriteString(" rdf:resource=\"" + t.Object.Value + "\"/>\n")
				continue
			case t.Object.Lang != "":
				data.WriteString(" xml:lang=\"" + t.Object.Lang + "\"")
			case t.Object.Datatype != "":
				data.WriteString(" rdf:datatype=\"" + t.Object.Datatype + "\"")
			}
			data.WriteString(">" + names.Replace(t.Object.Value) + "</p:" + t.Predicate.Value[at:] + ">\n")
		}
		data.WriteString("  </rdf:Description>\n")
	}
	data.WriteString("</rdf:RDF>\n")
	benchmarkRead(b, rdf.RDFXML, data.String())
}

func benchmarkRead(b *testing.B, f rdf.Format, data string) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		triples := 0
		err := rdf.Read(strings.NewReader(data), f, rdf.Options{}, func(rdf.Quad) error {
			triples++
			return nil
		})
		if err != nil || triples != 10*benchmarkEntities {
			b.Fatalf("read %d triples: %v", triples, err)
		}
	}
}

func BenchmarkStatements(b *testing.B) {
	var triples []rdf.Triple
	for i := range benchmarkEntities {
		triples = append(triples, benchmarkEntity(i)...)
	}
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for s := range rdf.Statements(slices.Values(triples), benchmarkPrefixes) {
			n += len(s.Text)
		}
		b.SetBytes(int64(n))
	}
}

var benchmarkPrefixes = []rdf.Prefix{
	{Name: "o", IRI: "https://ontobricks.com/ontology#"},
	{Name: "e", IRI: "https://ontobricks.com/ontology/Customer/"},
	{Name: "xsd", IRI: rdf.XSD},
}

// benchmarkEntity is what is said of one entity, in the manner of the sample domains.
func benchmarkEntity(i int) []rdf.Triple {
	iri := func(n int) rdf.Term {
		return rdf.NewIRI(fmt.Sprintf("https://ontobricks.com/ontology/Customer/CUST%06d", n%benchmarkEntities))
	}
	property := func(local string) rdf.Term { return rdf.NewIRI("https://ontobricks.com/ontology#" + local) }
	var out []rdf.Triple
	say := func(predicate, object rdf.Term) {
		out = append(out, rdf.Triple{Subject: iri(i), Predicate: predicate, Object: object})
	}
	say(rdf.NewIRI(rdf.RDFType), property("Customer"))
	say(rdf.NewIRI(rdf.RDFSLabel), rdf.Term{Kind: rdf.Literal, Value: fmt.Sprintf("Jacob Martinez %d", i), Lang: "en"})
	say(property("firstname"), rdf.NewString("Jacob"))
	say(property("lastname"), rdf.NewString(fmt.Sprintf("Martinez %d", i)))
	say(property("email"), rdf.NewString(fmt.Sprintf("jacob.martinez.%d@example.com", i)))
	say(property("balance"), rdf.NewTyped(fmt.Sprintf("%d.%02d", i*7, i%100), rdf.XSDDecimal))
	say(property("since"), rdf.NewTyped(fmt.Sprintf("2024-%02d-%02d", i%12+1, i%28+1), rdf.XSD+"date"))
	say(property("visits"), rdf.NewTyped(fmt.Sprint(i%500), rdf.XSDInteger))
	say(property("knows"), iri(i*31+7))
	say(property("referredBy"), iri(i*17+3))
	return out
}
