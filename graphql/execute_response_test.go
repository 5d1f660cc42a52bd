package graphql_test

import (
	"encoding/json"
	"testing"

	"github.com/ontogate/ontogate/graphql"
)

// TestResponseJSON holds the form of a response: no data when it was refused, and what
// somebody put into it, not what was there before.
func TestResponseJSON(t *testing.T) {
	ran := service(t, graphql.Config{Columns: newToy(nil)}).Run(t.Context(), graphql.Request{Query: "{ countPerson }"}, graphql.Options{})
	changed := *ran
	changed.Data = json.RawMessage(`{"countPerson":1}`)
	wrong := *ran
	wrong.Errors = []graphql.Error{{Message: "a \"b\"", Locations: []graphql.Location{{Line: 1, Column: 2}, {Line: 3, Column: 4}}, Path: []any{"x", 0}}, {Message: "c"}}
	for _, row := range []struct {
		r    *graphql.Response
		want string
	}{
		{ran, `{"data":{"countPerson":0}}`},
		{ran, `{"data":{"countPerson":0}}`}, // again
		{&changed, `{"data":{"countPerson":1}}`},
		{&wrong, `{"data":{"countPerson":0},"errors":[{"message":"a \"b\"","locations":[{"line":1,"column":2},{"line":3,"column":4}],"path":["x",0]},{"message":"c"}]}`},
		{&graphql.Response{Executed: true}, `{"data":null}`},
		{&graphql.Response{Errors: []graphql.Error{{Message: "no"}}}, `{"errors":[{"message":"no"}]}`},
	} {
		if got := string(row.r.JSON()); got != row.want {
			t.Errorf("JSON() = %s, want %s", got, row.want)
		}
	}
}
