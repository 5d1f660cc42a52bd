package domaintest

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// Big is the namespace of what Generated makes.
const Big = "http://big.example/"

// Names for what a generated graph always holds.
const (
	// BigEntity is a customer with the same number of facts at every size: six triples
	// of its own, one of them under BigAlias, and two that lead to it.
	BigEntity = Big + "Customer/CUST0000003"
	// BigAlias is another IRI of BigEntity.
	BigAlias = Big + "CUST0000003"
	// BigHub is the segment that every customer belongs to.
	BigHub = Big + "Segment/all"
	// BigClass is the class of the customers.
	BigClass = Big + "Customer"
	// LeastGenerated is the fewest triples for which the promises of this file hold.
	LeastGenerated = 2_000
)

// BigQuery is a search by name that finds as much in a generated graph of any size.
type BigQuery struct {
	// Name says which kind of search it is: exact, prefix, words, substring, typo.
	Name string
	// Text is what is looked for.
	Text string
	// Hits is how many entities it finds, and Tier how well each of them fits; a search
	// that finds nothing has no tier.
	Hits int
	Tier domains.Tier
	// Suggested is the one name that is suggested instead; empty with hits.
	Suggested string
}

// BigQueries are the searches, one of each kind. Their words stand beside a vocabulary that
// grows with the graph, and one of them is a name that a tenth of all customers have.
func BigQueries() []BigQuery {
	return []BigQuery{
		{Name: "exact", Text: "aurelia winterbourne", Hits: 3, Tier: domains.TierExact},
		{Name: "prefix", Text: "aurelia winterbo", Hits: 8, Tier: domains.TierPrefix},
		{Name: "words", Text: "martinez zephyrine", Hits: 7, Tier: domains.TierWords},
		{Name: "substring", Text: "eatherston", Hits: 5, Tier: domains.TierSubstring},
		{Name: "typo", Text: "cornelius fetherstonehaugh", Suggested: "Cornelius Featherstonehaugh"},
	}
}

// marked are the customers whom BigQueries find, spread evenly over all.
var marked = [][2]string{
	{"Aurelia", "Winterbourne"}, {"Zephyrine", "Martinez"}, {"Aurelia", "Winterbottom"}, {"Cornelius", "Featherstonehaugh"}, {"Zephyrine", "Martinez"},
	{"Aurelia", "Winterbottom"}, {"Zephyrine", "Martinez"}, {"Cornelius", "Featherstonehaugh"}, {"Aurelia", "Winterbourne"}, {"Aurelia", "Winterbottom"},
	{"Cornelius", "Featherstonehaugh"}, {"Zephyrine", "Martinez"}, {"Aurelia", "Winterbottom"}, {"Zephyrine", "Martinez"}, {"Cornelius", "Featherstonehaugh"},
	{"Zephyrine", "Martinez"}, {"Aurelia", "Winterbourne"}, {"Aurelia", "Winterbottom"}, {"Zephyrine", "Martinez"}, {"Cornelius", "Featherstonehaugh"},
}

var (
	firstNames = []string{"Jacob", "Maria", "Wei", "Amina", "Søren", "Chloé", "Igor", "Fatima", "John", "Yuki", "Lars", "Ana"}
	lastNames  = []string{"Martinez", "Miller", "Zhang", "Okafor", "Jensen", "Dubois", "Petrov", "Haddad", "Smith", "Tanaka"}
	// syllables make the names of towns, three for each. Some of them are parts of the
	// words that are looked for, so that these share their letters with many others.
	syllables = []string{
		"al", "ba", "bor", "bourn", "cal", "da", "der", "el", "fa", "feld", "gar", "ha", "hol", "is", "ka", "ker", "la", "lin", "ma", "mar",
		"mi", "mon", "na", "ni", "nor", "os", "pa", "per", "ra", "ri", "rin", "sa", "sel", "ston", "ta", "ter", "tin", "va", "win", "zu",
	}
)

// bigOntology is what the graph uses, in lines of subject, label, kind or class above,
// domain and range.
var bigOntology = [][]string{
	{"Party", "Party", "class", ""}, {"Customer", "Customer", "class", "Party"}, {"Segment", "Customer segment", "class", ""},
	{"Interaction", "Interaction", "class", ""}, {"Call", "Call", "class", "Interaction"}, {"Town", "Town", "class", ""},
	{"firstname", "first name", "attribute", "Customer", "string"}, {"lastname", "last name", "attribute", "Customer", "string"},
	{"score", "score", "attribute", "Customer", "integer"}, {"seconds", "length in seconds", "attribute", "Call", "integer"},
	{"segment", "belongs to", "relation", "Customer", "Segment"}, {"by", "made by", "relation", "Call", "Customer"},
	{"to", "made to", "relation", "Call", "Customer"}, {"mayor", "has mayor", "relation", "Town", "Customer"},
}

// customersFor is how many customers a graph of about n triples has: each comes with ten
// triples, and one in fifty with a town of three.
func customersFor(n int) int { return max(n-len(bigOntology)*4, 0) * 50 / 503 }

// Generated makes a graph of about n triples, the same for the same n: an ontology of six
// classes and eight properties with labels; customers with a name that many share, a third of them
// with a second IRI, each with a call that it makes and one that it gets; towns, whose names grow
// the vocabulary with the graph; one hub, BigHub, that all customers belong to; and
// twenty customers with names that BigQueries find. n is at least LeastGenerated.
func Generated(n int) iter.Seq[rdf.Triple] {
	return func(yield func(rdf.Triple) bool) {
		g := &generator{yield: yield, customers: customersFor(n)}
		g.ontology()
		g.put(BigHub, rdf.RDFSLabel, rdf.NewString("All customers"))
		g.put(BigHub, rdf.RDFType, rdf.NewIRI(Big+"Segment"))
		for i := 0; i < g.customers && !g.ended; i++ {
			g.customer(i)
			if i%50 == 0 {
				g.town(i)
			}
		}
	}
}

// Generate writes Generated(n) as N-Triples.
func Generate(n int, w io.Writer) error {
	b := bufio.NewWriterSize(w, 1<<16)
	for t := range Generated(n) {
		for _, part := range []string{t.Subject.String(), " ", t.Predicate.String(), " ", t.Object.String(), " .\n"} {
			if _, err := b.WriteString(part); err != nil {
				return fmt.Errorf("writing generated triples: %w", err)
			}
		}
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("writing generated triples: %w", err)
	}
	return nil
}

// generator makes the triples of one graph until nobody wants more.
type generator struct {
	yield     func(rdf.Triple) bool
	customers int
	ended     bool
}

func (g *generator) put(subject, predicate string, object rdf.Term) {
	g.ended = g.ended || !g.yield(rdf.Triple{Subject: rdf.NewIRI(subject), Predicate: rdf.NewIRI(predicate), Object: object})
}

func (g *generator) ontology() {
	for _, term := range bigOntology {
		iri, above := Big+term[0], rdf.NewIRI(Big+term[3])
		g.put(iri, rdf.RDFSLabel, rdf.NewString(term[1]))
		switch term[2] {
		case "class":
			g.put(iri, rdf.RDFType, rdf.NewIRI(rdf.OWL+"Class"))
			if term[3] != "" {
				g.put(iri, rdf.RDFS+"subClassOf", above)
			}
		case "attribute":
			g.put(iri, rdf.RDFType, rdf.NewIRI(rdf.OWL+"DatatypeProperty"))
			g.put(iri, rdf.RDFS+"domain", above)
			g.put(iri, rdf.RDFS+"range", rdf.NewIRI(rdf.XSD+term[4]))
		case "relation":
			g.put(iri, rdf.RDFType, rdf.NewIRI(rdf.OWL+"ObjectProperty"))
			g.put(iri, rdf.RDFS+"domain", above)
			g.put(iri, rdf.RDFS+"range", rdf.NewIRI(Big+term[4]))
		}
	}
}

// customer makes customer i and its call.
func (g *generator) customer(i int) {
	number := padded(i)
	iri, call := Big+"Customer/CUST"+number, Big+"Call/CALL"+number
	first, last := g.name(i)
	g.put(iri, rdf.RDFType, rdf.NewIRI(BigClass))
	g.put(iri, rdf.RDFSLabel, rdf.NewString(first+" "+last))
	g.put(iri, Big+"firstname", rdf.NewString(first))
	g.put(iri, Big+"lastname", rdf.NewString(last))
	g.put(iri, Big+"segment", rdf.NewIRI(BigHub))
	scored := iri
	if i%3 == 0 {
		scored = Big + "CUST" + number
	}
	g.put(scored, Big+"score", integer(i%100))
	g.put(call, rdf.RDFType, rdf.NewIRI(Big+"Call"))
	g.put(call, Big+"by", rdf.NewIRI(iri))
	// Half the customers away, so that everybody is called once and neighbours are far apart.
	g.put(call, Big+"to", rdf.NewIRI(Big+"Customer/CUST"+padded((i+g.customers/2)%g.customers)))
	g.put(call, Big+"seconds", integer(i%1000))
}

// name is the name of customer i. The marked ones lie in the middle of equal parts.
func (g *generator) name(i int) (first, last string) {
	part := i * len(marked) / g.customers
	if i == (2*part+1)*g.customers/(2*len(marked)) {
		return marked[part][0], marked[part][1]
	}
	return firstNames[i%len(firstNames)], lastNames[i/7%len(lastNames)]
}

// town makes the town of customer i, one of 64,000 names.
func (g *generator) town(i int) {
	iri := Big + "Town/TOWN" + padded(i/50)
	n := len(syllables)
	// 7,919 is prime to the number of names, so that none comes twice and they come mixed.
	k := i / 50 * 7_919 % (n * n * n)
	name := syllables[k/n/n] + syllables[k/n%n] + syllables[k%n]
	g.put(iri, rdf.RDFType, rdf.NewIRI(Big+"Town"))
	g.put(iri, rdf.RDFSLabel, rdf.NewString(strings.ToUpper(name[:1])+name[1:]))
	g.put(iri, Big+"mayor", rdf.NewIRI(Big+"Customer/CUST"+padded(i)))
}

// padded writes a number with seven digits.
func padded(i int) string { return fmt.Sprintf("%07d", i) }

func integer(i int) rdf.Term { return rdf.NewTyped(strconv.Itoa(i), rdf.XSDInteger) }
