package server_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing/fstest"

	"github.com/ontogate/ontogate/domains/rdf"
)

const (
	randomTerms  = "https://random.example/ontology#"
	randomThings = "https://random.example/thing/"
)

// randomFolder is the files of a few domains, the first of them "main" with n entities:
// hubs, long and odd texts, many languages, blank nodes, lists, entities with several
// IRIs, classes in circles.
func randomFolder(r *rand.Rand, n int) fstest.MapFS {
	files := fstest.MapFS{"main/data.nt": {Data: []byte(randomGraph(r, n))}}
	if r.IntN(3) == 0 {
		files["main/broken.ttl"] = &fstest.MapFile{Data: []byte("<http://a.example/> a .")}
	}
	versions := "versions: {v1: PUBLISHED"
	for i := range r.IntN(200) {
		versions += fmt.Sprintf(", v%d%s: %s", i+2, strings.Repeat("-beta", r.IntN(3)/2), []string{"DRAFT", "PUBLISHED"}[r.IntN(2)])
	}
	files["versions/domain.yaml"] = &fstest.MapFile{Data: []byte("active: v1\n" + versions + "}\n")}
	files["versions/v1/a.nt"] = &fstest.MapFile{Data: []byte(randomGraph(r, 1))}
	for i := range r.IntN(30) {
		name := fmt.Sprintf("other%d", i)
		files[name+"/domain.yaml"] = &fstest.MapFile{Data: fmt.Appendf(nil, "description: %q\n", plainText(r, 1<<r.IntN(9)))}
		files[name+"/a.nt"] = &fstest.MapFile{Data: []byte("<http://a.example/s> <http://a.example/p> \"o\" .\n")}
	}
	return files
}

// randomGraph is a graph as N-Triples.
func randomGraph(r *rand.Rand, n int) string {
	var out strings.Builder
	add := func(s rdf.Term, p string, o rdf.Term) {
		fmt.Fprintln(&out, rdf.Triple{Subject: s, Predicate: rdf.NewIRI(p), Object: o})
	}
	classes := 1 + r.IntN(n/2+1)
	randomOntology(r, classes, add)
	entity := func(i int) rdf.Term { return rdf.NewIRI(fmt.Sprint(randomThings, i)) }
	for i := range n {
		e := entity(i)
		add(e, rdf.RDFType, randomClass(r.IntN(classes)))
		for range r.IntN(3) {
			add(e, rdf.RDFSLabel, rdf.Term{Kind: rdf.Literal, Value: "thing " + randomWords(r, 20), Lang: []string{"en", "fr", "de"}[r.IntN(3)]})
		}
		for j := range r.IntN(5) {
			add(e, fmt.Sprintf("%stext%d", randomTerms, j), rdf.NewString(randomWords(r, 1<<r.IntN(12))))
		}
		links := r.IntN(4)
		if i == 0 {
			links = 3 * n
		}
		for range links {
			add(e, fmt.Sprintf("%slinksTo%d", randomTerms, r.IntN(2)), entity(r.IntN(n)))
		}
		switch b := rdf.NewBlank(fmt.Sprintf("b%d", i)); r.IntN(8) {
		case 0:
			add(e, randomTerms+"hasPart", b)
			add(b, randomTerms+"text0", rdf.NewString(randomWords(r, 40)))
			add(b, randomTerms+"linksTo0", entity(r.IntN(n)))
		case 1:
			add(e, randomTerms+"hasList", b)
			add(b, rdf.RDFFirst, entity(r.IntN(n)))
			add(b, rdf.RDFRest, rdf.NewIRI(rdf.RDFNil))
		case 2:
			alias := rdf.NewIRI(fmt.Sprint(randomThings, "also/", i))
			add(alias, rdf.OWLSameAs, e)
			add(alias, randomTerms+"linksTo0", entity(r.IntN(n)))
		}
	}
	return out.String()
}

func randomClass(i int) rdf.Term { return rdf.NewIRI(fmt.Sprintf("%sClass%d", randomTerms, i)) }

// randomOntology adds classes, some below each other, with properties.
func randomOntology(r *rand.Rand, classes int, add func(s rdf.Term, p string, o rdf.Term)) {
	for i := range classes {
		c := randomClass(i)
		add(c, rdf.RDFType, rdf.NewIRI(rdf.OWL+"Class"))
		add(c, rdf.RDFSComment, rdf.NewString(randomWords(r, 1<<r.IntN(12))))
		for range r.IntN(3) {
			add(c, rdf.RDFS+"subClassOf", randomClass(r.IntN(classes)))
		}
		for j := range r.IntN(4) {
			p := rdf.NewIRI(fmt.Sprintf("%sprop%dOf%d", randomTerms, j, i))
			add(p, rdf.RDFType, rdf.NewIRI(rdf.OWL+[]string{"DatatypeProperty", "ObjectProperty", "FunctionalProperty"}[r.IntN(3)]))
			add(p, rdf.RDFS+"domain", c)
			add(p, rdf.RDFS+"range", randomClass(r.IntN(classes)))
			if r.IntN(4) == 0 {
				add(p, rdf.RDFSLabel, rdf.Term{Kind: rdf.Literal, Value: randomWords(r, 30), Lang: "en"})
			}
		}
		if r.IntN(3) == 0 {
			b := rdf.NewBlank(fmt.Sprintf("restriction%d", i))
			add(c, rdf.RDFS+"subClassOf", b)
			add(b, rdf.RDFType, rdf.NewIRI(rdf.OWL+"Restriction"))
			add(b, rdf.OWL+"onProperty", rdf.NewIRI(fmt.Sprintf("%sprop0Of%d", randomTerms, i)))
			add(b, rdf.OWL+"someValuesFrom", randomClass(r.IntN(classes)))
		}
	}
}

// randomWords is a text of about n code points, some of them awkward. No brackets and
// quotes, so that a test can tell our sentences from it.
func randomWords(r *rand.Rand, n int) string {
	alphabet := []rune("abcdefgh éß漢字 \n\t\u202e🙂 ■•→ ")
	out := make([]rune, max(n, 1))
	for i := range out {
		out[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(out) + "x"
}

// plainText is a text for domain.yaml.
func plainText(r *rand.Rand, n int) string {
	out := make([]byte, max(n, 1))
	for i := range out {
		out[i] = "abcdefgh  "[r.IntN(10)]
	}
	return string(out) + "x"
}
