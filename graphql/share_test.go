package graphql_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/graphql"
)

// Several types that are too long together share the room: each is there, in the order in
// which they were asked for, with the fields of its interfaces and then those that few types
// have, and says how to see all. What one does not need is left to the others.
func TestSharesAreForAllTypes(t *testing.T) {
	const args = "(limit: Int = 50, search: String)"
	inherited := ""
	for _, n := range strings.Fields("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda my ny xi omikron") {
		inherited += "  " + n + ": String\n"
	}
	sdl := `
interface Entity { id: String! }
type Query {
  allBook(where: BookFilter): [Book!]!
  book(id: String!): Book
  allHotel(where: HotelFilter): [Hotel!]!
  hotel(id: String!): Hotel
  allTaxon(where: TaxonFilter): [Taxon!]!
  taxon(id: String!): Taxon
  day: Date
}
"A book."
type Book implements Entity {
` + inherited + `  old: String @deprecated
  author` + args + `: [Hotel]
  id: String!
  isbn: String
}
type Hotel implements Entity {
` + inherited + `  id: String!
  rooms` + args + `: [Taxon]
}
type Taxon implements Entity {
  alpha: String
  id: String!
  rank: State
}
enum State { ONE TWO }
scalar Date
input BookFilter { id: String }
input HotelFilter { id: String }
input TaxonFilter { id: String }
`
	s := schema(t, sdl)
	got := s.Shares([]string{"Taxon", "Hotel", "NoType", "Book", "Hotel"}, 1_300)
	want := graphql.Shares{Arguments: args, Definitions: []graphql.Definition{
		{Name: "Query", Keyword: "type", Text: `type Query {
  allTaxon(where: TaxonFilter): [Taxon!]!
  taxon(id: String!): Taxon
  # allX, x likewise for X = Hotel, Book
  # … and 1 field of other types
}`},
		{Name: "Taxon", Keyword: "type", Text: `type Taxon implements Entity {
  id: String!
  rank: State
  alpha: String
}`},
		{Name: "Hotel", Keyword: "type"},
		{Name: "Book", Keyword: "type", Description: "A book."},
	}}
	for i, d := range got.Definitions {
		if i > 1 && i < len(want.Definitions) {
			want.Definitions[i].Text = d.Text
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	if n := utf8.RuneCountInString(joined(got.Definitions)); n > 1_300 {
		t.Errorf("%d code points", n)
	}
	small := s.Shares([]string{"Book", "Hotel"}, 0).Definitions
	if diff := cmp.Diff(`"A book."
type Book implements Entity {
  id: String!
  author: [Hotel]
  isbn: String
  beta: String
  gamma: String
  delta: String
  epsilon: String
  zeta: String
  eta: String
  theta: String
  iota: String
  kappa: String
  # … and 7 more fields: types=["Book"] shows all
}`, small[1].Text); diff != "" {
		t.Errorf("a small share (-want +got):\n%s", diff)
	}
	if got := s.Shares([]string{"State", "Date", "BookFilter"}, 1).Definitions; len(got) != 4 || !strings.Contains(got[1].Text, "ONE") || got[2].Text != "scalar Date" {
		t.Errorf("others than objects: %v", got)
	}
}

// Whatever is asked for, each type is there once, with nothing that it does not have, and
// none but the longest is cut.
func TestSharesShowWhatIsThere(t *testing.T) {
	whole := schema(t, customers(t))
	var names []string
	for _, d := range whole.Definitions() {
		if d.Name != "" && d.Keyword != "directive" && !slices.Contains(names, d.Name) {
			names = append(names, d.Name)
		}
	}
	for _, most := range []int{0, 500, 3_000, 100_000} {
		seen := map[string]int{}
		for _, d := range whole.Shares(names, most).Definitions {
			seen[d.Name]++
			cut := strings.Contains(d.Text, " shows all")
			if cut && most == 100_000 || !cut && most == 0 && utf8.RuneCountInString(d.Text) > 320 && d.Name != whole.Root() {
				t.Errorf("%d: %s is cut: %t\n%s", most, d.Name, cut, d.Text)
			}
			for _, line := range strings.Split(d.Text, "\n") {
				field, ok := strings.CutPrefix(line, "  ")
				if name := strings.FieldsFunc(field, func(r rune) bool { return strings.ContainsRune("(: ", r) }); ok && field[0] != '#' && !strings.Contains(customers(t), "  "+name[0]) {
					t.Errorf("%d: %s has no %s", most, d.Name, field)
				}
			}
		}
		for _, n := range names {
			if seen[n] != 1 {
				t.Errorf("%d: %s is there %d times", most, n, seen[n])
			}
		}
	}
}
