package owl

import (
	"github.com/ontogate/ontogate/domains/rdf"
)

// skosInverses are pairs of properties that SKOS declares as inverse to each other,
// and those that are their own inverse (SKOS §8.3, §10.3, §4.3). Thesauri rarely carry the
// SKOS vocabulary.
var skosInverses = [][2]string{
	{"broader", "narrower"}, {"broaderTransitive", "narrowerTransitive"}, {"broadMatch", "narrowMatch"},
	{"topConceptOf", "hasTopConcept"},
	{"related", "related"}, {"relatedMatch", "relatedMatch"}, {"closeMatch", "closeMatch"}, {"exactMatch", "exactMatch"},
	{"mappingRelation", "mappingRelation"}, {"semanticRelation", "semanticRelation"},
}

// skosSupers are properties of SKOS, each with the one directly above it.
var skosSupers = [][2]string{
	{"broader", "broaderTransitive"}, {"narrower", "narrowerTransitive"},
	{"broaderTransitive", "semanticRelation"}, {"narrowerTransitive", "semanticRelation"}, {"related", "semanticRelation"},
	{"mappingRelation", "semanticRelation"}, {"broadMatch", "broader"}, {"narrowMatch", "narrower"},
	{"relatedMatch", "related"}, {"closeMatch", "mappingRelation"}, {"exactMatch", "closeMatch"},
	{"topConceptOf", "inScheme"},
}

// addKnown adds what is known of the properties of SKOS that are listed, and makes
// symmetric properties their own inverses.
func (b *builder) addKnown() {
	for _, pair := range skosInverses {
		p, q := b.properties[rdf.SKOS+pair[0]], b.properties[rdf.SKOS+pair[1]]
		if p != nil && q != nil {
			p.Inverses = append(p.Inverses, q.IRI)
			q.Inverses = append(q.Inverses, p.IRI)
		}
	}
	for _, pair := range skosSupers {
		p, q := b.properties[rdf.SKOS+pair[0]], b.properties[rdf.SKOS+pair[1]]
		if p != nil && q != nil {
			p.Supers = append(p.Supers, q.IRI)
		}
	}
	for s := range b.subjects(rdf.RDFType, iri(rdf.OWL+"SymmetricProperty")) {
		if p := b.properties[s.Value]; p != nil && s.Kind == rdf.IRI {
			p.Inverses = append(p.Inverses, p.IRI)
		}
	}
}
