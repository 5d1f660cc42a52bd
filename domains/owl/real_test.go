package owl_test

import (
	"os"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/owl"
	"github.com/ontogate/ontogate/domains/rdf"
)

// TestRealOntologies holds the numbers of declared classes and properties of
// published ontologies. Where a plain count of the file differs, the reason stands
// beside it.
func TestRealOntologies(t *testing.T) {
	for _, c := range []struct {
		file, iri           string
		classes, properties int // properties without annotation properties
	}{
		{"schemaorg/schemaorg-current-https-30.0.ttl", "", 1010, 1674}, // of 1676, without rdf:type and rdfs:label
		{"ies/ies4.ttl", "http://ies.data.gov.uk/ontology/ies4", 510, 204},
		{"music/music_schema.ttl", "", 7, 7},
		{"fhir/FHIR.ttl", "http://hl7.org/fhir", 132, 132},
		{"ontoaxiom/foaf.ttl", "http://xmlns.com/foaf/0.1/", 14, 61}, // of 15, without rdfs:Class
		{"ontoaxiom/saref.ttl", "https://saref.etsi.org/core/", 31, 71},
		{"ontoaxiom/time.ttl", "http://www.w3.org/2006/time", 20, 58},
		{"w3c-ns/org.ttl", "http://www.w3.org/ns/org#", 10, 34},     // of 9, and one that has a super-class and no type
		{"w3c-ns/prov-o.ttl", "http://www.w3.org/ns/prov#", 30, 50}, // of 31, without owl:Thing
		{"w3c-ns/dcat3.ttl", "http://www.w3.org/ns/dcat", 9, 45},    // of 39, and six that have an inverse and no type
		{"w3c-ns/shacl.ttl", "http://www.w3.org/ns/shacl#", 40, 101},
		{"w3c-ns/odrl22.ttl", "http://www.w3.org/ns/odrl/2/", 29, 58},
		{"brick/ref-schema.ttl", "https://brickschema.org/schema/Brick/ref", 5, 17},
		{"skos/test.ttl", "", 1, 8},
		{"skos/yso.ttl", "http://www.yso.fi/onto/yso/", 0, 0}, // a thesaurus alone
		{"go/go-nucleus.owl", "http://purl.obolibrary.org/obo/go.owl", 204, 95},
		{"pizza/pizza.owl", "http://www.co-ode.org/ontologies/pizza/pizza.owl", 99, 8},
		{"owlapi/family.owl", "http://www.example.org/family", 14, 15},
		{"fibo/BusinessCenters.rdf", "https://spec.edmcouncil.org/fibo/ontology/FBC/FunctionalEntities/BusinessCenters/", 5, 0},
		{"fibo/CorporateBodies.rdf", "https://spec.edmcouncil.org/fibo/ontology/BE/LegalEntities/CorporateBodies/", 15, 6},
		{"fibo/CurrencyAmount.rdf", "https://spec.edmcouncil.org/fibo/ontology/FND/Accounting/CurrencyAmount/", 18, 12},
		{"fibo/FormalOrganizations.rdf", "https://spec.edmcouncil.org/fibo/ontology/FND/Organizations/FormalOrganizations/", 6, 8},
		{"fibo/LegalPersons.rdf", "https://spec.edmcouncil.org/fibo/ontology/BE/LegalEntities/LegalPersons/", 14, 2},
		{"fibo/Markets.rdf", "https://spec.edmcouncil.org/fibo/ontology/FBC/FunctionalEntities/Markets/", 31, 4},
		{"fibo/People.rdf", "https://spec.edmcouncil.org/fibo/ontology/FND/AgentsAndPeople/People/", 31, 22},
		{"qudt/SCHEMA_QUDT.ttl", "http://qudt.org/$$QUDT_VERSION$$/schema/qudt", 65, 114},
	} {
		t.Run(c.file, func(t *testing.T) {
			text, err := os.ReadFile(domaintest.Shared(t, "data", "ontologies", c.file))
			if err != nil {
				t.Fatal(err)
			}
			format, _, _ := rdf.FormatOf(c.file)
			onto, _ := build(t, graphIn(t, format, text), owl.Options{})
			classes, properties := 0, 0
			for _, k := range onto.Classes {
				if k.Declared {
					classes++
				}
			}
			for _, p := range onto.Properties {
				if p.Declared && p.Kind != domains.AnnotationProperty {
					properties++
				}
			}
			if classes != c.classes || properties != c.properties {
				t.Errorf("%d classes and %d properties, want %d and %d", classes, properties, c.classes, c.properties)
			}
			if onto.IRI != c.iri {
				t.Errorf("ontology %q, want %q", onto.IRI, c.iri)
			}
		})
	}
}
