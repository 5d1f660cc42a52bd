package graphql

import "context"

// DeriveWithin derives a schema within limits of a test's own.
func DeriveWithin(ctx context.Context, d Derivation, types, below, fields, texts int) (*Model, error) {
	return deriveWithin(ctx, d, limitsOfSchema{types, below, fields, texts})
}

// LegalName is the name that a local name makes.
func LegalName(local string) string { return legal(local) }

// AllotNames names terms as classes of one rank are named: IRI → name.
func AllotNames(iris []string) map[string]string {
	terms := make([]named, len(iris))
	for i, iri := range iris {
		terms[i].iri = iri
	}
	return reserve(reservedTypes...).allot(terms, "Type")
}
