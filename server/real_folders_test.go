package server_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/server"
)

// Folders of files as people have them, without domain.yaml: every tool answers
// inside its budget, with what someone who knows the data expects to read, and broken
// files are named without taking the rest down.
func TestRealFolders(t *testing.T) {
	type expect struct {
		tool  string
		args  map[string]any
		parts []string
	}
	entity := func(iri string, parts ...string) expect {
		return expect{"describe_entity", map[string]any{"entity_uri": iri}, append(parts, "Found 1 matching entity", "  URI: "+iri)}
	}
	for folder, rows := range map[string][]expect{
		"music": {
			{"get_status", nil, []string{"valid.ttl:21:25: prefix \"xsd\" is not declared", "invalid.ttl:21:25"}},
			{"list_entity_types", nil, []string{"• Song (api.stardog.com)  (3,749 instances", "• Person (api.stardog.com)  (1,65"}},
			{"describe_ontology", nil, []string{"Album", "SoloArtist"}},
			entity("http://api.stardog.com/David_Bowie", "■ David Bowie  (Person (api.stardog.com))", "→ sings: 117 in all"),
			{"describe_entity", map[string]any{"search": "paul mccartney", "entity_type": "person"}, []string{"Paul McCartney"}},
		},
		"ies": {
			{"list_entity_types", nil, []string{"• Particular Period  (9 instances"}},
			{"describe_ontology", map[string]any{"classes": []any{"Person"}}, []string{"■ Person  (Class)"}},
			entity("http://data.gov.uk/testdata#Fred", "■ Fred  (Person (ies:Person))", "← is Participation Of: FredInMeeting"),
		},
		"brick": {
			{"list_entity_types", nil, []string{"• VAV  (244 instances"}},
			{"describe_ontology", nil, []string{"VAV", "not declared"}},
			entity("https://brickschema.org/schema/1.0.2/building_example#ahu_A1", "■ ahu_A1  (AHU)", "→ feeds: 98 in all"),
		},
		"skos": {
			{"list_entity_types", nil, []string{"• Concept  (346 instances"}},
			{"describe_ontology", map[string]any{"format": "turtle"}, []string{"@prefix"}},
			entity("http://www.yso.fi/onto/yso/p21685", "■ music research  (Concept, General concept)", "→ has broader: research (p183)"),
			{"describe_entity", map[string]any{"search": "musiikintutkimus", "lang": "fi"}, []string{"musiikintutkimus"}},
		},
		"schemaorg": {
			{"list_entity_types", nil, []string{"• USNonprofitType  (36 instances"}},
			{"describe_ontology", nil, []string{"Thing", "left out"}},
			{"describe_ontology", map[string]any{"classes": []any{"Book", "Hotel"}}, []string{"■ Book  (Class)", "■ Hotel  (Class)"}},
			entity("https://schema.org/EBook", "■ EBook  (BookFormatType)"),
			entity("https://schema.org/Hotel", "■ Hotel  (Class)", "LodgingBusiness"),
		},
	} {
		t.Run(folder, func(t *testing.T) {
			b, err := rdfgraph.New(t.Context(), rdfgraph.Config{Dir: domaintest.Shared(t, "data", "ontologies", folder)})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = b.Close() })
			s := newServer(t, func(c *server.Config) { c.Backend, c.Domain = b, domains.Name(folder) })
			for _, row := range rows {
				text, isError, err := s.Call(t.Context(), row.tool, row.args)
				if err != nil || isError {
					t.Errorf("%s %v: %v %s", row.tool, row.args, err, text)
					continue
				}
				contains(t, row.tool, text, append(row.parts, "["+folder+", version 1")...)
				if n := utf8.RuneCountInString(text); n > budgets[row.tool] {
					t.Errorf("%s %v: %d characters, more than %d", row.tool, row.args, n, budgets[row.tool])
				}
				if m := blankLabel.FindString(text); m != "" && !strings.Contains(text, "@prefix") {
					t.Errorf("%s %v shows a blank node's label: %s", row.tool, row.args, m)
				}
			}
		})
	}
}

var blankLabel = regexp.MustCompile(`_:\w+`)
