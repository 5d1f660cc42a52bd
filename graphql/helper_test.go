package graphql_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/graphql"
)

// shop is a small schema as OntoBricks prints them, with what other services have
// besides.
const shop = `"""Things that are sold."""
schema { query: Query }

# what an order can be
enum State { OPEN SHIPPED }

type Customer implements Node {
  id: ID!
  uri: String!
  label: String
  firstName: String
  hasOrder: [Order!]
}

"Naïve – für alle"
type Order {
  id: ID!
  label: String
  total: String
  state: State
  line: [Line!]
}

type Line { id: ID! product: String customer: Customer }

interface Node { id: ID! }

union Found = Customer | Order

input Filter { state: State!, text: String = "a, \"b\"", also: [Filter!] }

scalar Date @specifiedBy(url: "https://example.org/date")

type Query {
  """List Customer entities from the knowledge graph."""
  customers(limit: Int! = 50, offset: Int! = 0, search: String = null): [Customer!]!

  """Get a single Customer by ID."""
  customer(id: ID!): Customer
  orders(filter: Filter, limit: Int! = 50): [Order!]!
  find(text: String!): [Found]
  day: Date
}

extend type Line { more: Int }

directive @cached(for: Int = 5) repeatable on FIELD | QUERY
`

func schema(t testing.TB, sdl string) *graphql.Schema {
	t.Helper()
	s, err := graphql.ParseSDL(sdl)
	if err != nil {
		t.Fatalf("%v\n%s", err, sdl)
	}
	return s
}

// recorded are the recorded cases of one function, as far as tests here need them.
func recorded(t *testing.T, function string) (out []recordedCase) {
	t.Helper()
	f, err := os.Open(domaintest.Shared(t, "reference", "ontobricks-graphql-cases.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var c recordedCase
		if err := json.Unmarshal(bytes.TrimSpace(sc.Bytes()), &c); err != nil {
			t.Fatal(err)
		}
		if c.Function == function {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		t.Fatalf("no case of %s", function)
	}
	return out
}

type recordedCase struct {
	Function string
	Case     string
	Expected json.RawMessage
	Input    struct {
		Query     string
		Variables json.RawMessage
	}
	Status int `json:"expected_status"`
}
