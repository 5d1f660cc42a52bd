package ontobricks_test

import (
	"context"
	"encoding/json"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks"
	"github.com/ontogate/ontogate/domains/ontobricks/bricktest"
)

// TestRequests holds what is sent for each ability (OntoBricks contract 1.1, 2.1, 3.3).
func TestRequests(t *testing.T) {
	const reg = "registry_catalog=main&registry_schema=registry"
	const one = "domain_name=customer360&" + reg
	const api = "GET /api/v1"
	r := newRigWith(t, ontobricks.Config{Registry: ontobricks.Registry{Catalog: "main", Schema: "registry"}})
	d := r.open(t, "customer360", alice)
	if diff := cmp.Diff([]string{api + "/domains?" + reg, api + "/domain/versions?" + one}, r.asked()); diff != "" {
		t.Errorf("Open (-want +got):\n%s", diff)
	}
	b := r.b.As(alice)
	reply := func(r *domains.Reply, err error) error {
		if err == nil {
			_, err = io.Copy(io.Discard, r.Body)
			_ = r.Body.Close()
		}
		return err
	}
	const jacob = bricktest.Jacob
	for name, tc := range map[string]struct {
		call func(ctx context.Context) error
		want string
	}{
		"versions":    {func(ctx context.Context) error { _, err := b.Versions(ctx, "finance"); return err }, api + "/domain/versions?domain_name=finance&" + reg},
		"design":      {func(ctx context.Context) error { _, err := b.Design(ctx, "finance"); return err }, api + "/domain/design-status?domain_name=finance&" + reg},
		"status":      {func(ctx context.Context) error { _, err := d.Status(ctx); return err }, api + "/digitaltwin/status?" + one},
		"stats":       {func(ctx context.Context) error { _, err := d.Facts.Stats(ctx); return err }, api + "/digitaltwin/stats?" + one},
		"classes":     {func(ctx context.Context) error { _, err := d.Context.Classes(ctx); return err }, api + "/domain/classes?" + one},
		"schema":      {func(ctx context.Context) error { _, err := d.GraphQL.Schema(ctx); return err }, "GET /graphql/customer360/schema?" + reg},
		"schemaReply": {func(ctx context.Context) error { return reply(d.GraphQL.SchemaReply(ctx)) }, "GET /graphql/customer360/schema?" + reg},
		"query": {
			func(ctx context.Context) error {
				return reply(d.GraphQL.Query(ctx, []byte(`{"query":"{ customers { id } }"}`)))
			},
			"POST /graphql/customer360?" + reg + ` {"query":"{ customers { id } }"}`,
		},
		"context": {
			func(ctx context.Context) error {
				_, err := d.Context.Entity(ctx, jacob, domains.ContextOptions{})
				return err
			},
			api + "/digitaltwin/nodes/context?compute_virtual_attributes=false&dataset_row_limit=5&domain_name=customer360&entity_uri=" + jacob +
				"&fetch_dataset_rows=false&follow_bridges=false&" + reg,
		},
		"context with all": {
			func(ctx context.Context) error {
				_, err := d.Context.Entity(ctx, jacob, domains.ContextOptions{Rows: 99, FollowBridges: true, BridgeDepth: 2, Compute: true})
				return err
			},
			api + "/digitaltwin/nodes/context?bridge_depth=2&compute_virtual_attributes=true&dataset_row_limit=20&domain_name=customer360&entity_uri=" + jacob +
				"&fetch_dataset_rows=true&follow_bridges=true&" + reg,
		},
		"compute": {
			func(ctx context.Context) error { _, err := d.Context.Compute(ctx, jacob, ""); return err },
			api + "/digitaltwin/nodes/virtual-attributes?domain_name=customer360&entity_uri=" + jacob + "&" + reg,
		},
		"compute one": {
			func(ctx context.Context) error { _, err := d.Context.Compute(ctx, jacob, "main.kg.risk"); return err },
			api + "/digitaltwin/nodes/virtual-attributes?domain_name=customer360&entity_uri=" + jacob + "&function=main.kg.risk&" + reg,
		},
		"action": {
			func(ctx context.Context) error {
				_, err := d.Actions.Invoke(ctx, jacob, "main.ops.recompute_risk")
				return err
			},
			`POST /api/v1/digitaltwin/nodes/action {"entity_uri":"` + jacob + `","action_full_name":"main.ops.recompute_risk","registry_catalog":"main","registry_schema":"registry","domain_name":"customer360"}`,
		},
		"rule": {
			func(ctx context.Context) error { _, err := d.Rules.Apply(ctx, jacob, "Vip"); return err },
			`POST /api/v1/digitaltwin/nodes/business-rule {"entity_uri":"` + jacob + `","rule":"Vip","registry_catalog":"main","registry_schema":"registry","domain_name":"customer360"}`,
		},
		"forward": {func(ctx context.Context) error { return reply(b.(domains.Forwarder).Forward(ctx, "graphql")) }, "GET /graphql?" + reg},
		"forward depth": {func(ctx context.Context) error {
			return reply(b.(domains.Forwarder).Forward(ctx, "graphql/settings/depth"))
		}, "GET /graphql/settings/depth?" + reg},
		"ready": {b.(domains.Prober).Ready, api + "/health"},
	} {
		t.Run(name, func(t *testing.T) {
			r.Forget()
			if err := tc.call(t.Context()); err != nil {
				t.Fatal(err)
			}
			requests := r.Requests()
			if diff := cmp.Diff([]string{tc.want}, r.asked()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			email := requests[0].Header.Get("X-Forwarded-Email")
			if want := map[bool]string{true: "", false: alice.Email}[name == "ready"]; email != want {
				t.Errorf("asked as %q, want %q", email, want)
			}
		})
	}
	// Two requests: the ontology is needed to look for types.
	if _, err := d.Ontology(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{api + "/domain/ontology?" + one}, r.asked()); diff != "" {
		t.Errorf("ontology (-want +got):\n%s", diff)
	}
	if _, err := d.Facts.Find(t.Context(), domains.Query{Text: "Jacob", Limit: 5, Depth: 2, Cache: domains.CacheOff}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{api + "/digitaltwin/triples/find?cache=false&depth=2&" + one[:len("domain_name=customer360")] + "&limit=1000&offset=0&" + reg + "&search=Jacob"}, r.asked()); diff != "" {
		t.Errorf("find (-want +got):\n%s", diff)
	}
}

// TestNamesArePathSegments holds that no name of a domain leads to another address.
func TestNamesArePathSegments(t *testing.T) {
	for name, want := range map[string]string{
		"a/b": "/graphql/a%2Fb", "a b": "/graphql/a%20b", "..": "/graphql/%2E%2E", ".": "/graphql/%2E", "a?b#c": "/graphql/a%3Fb%23c",
		"Ä": "/graphql/%C3%84", "a%2Fb": "/graphql/a%252Fb",
	} {
		r := newRig(t, bricktest.Domain{Name: name, Triples: [][3]string{{"urn:s", "urn:p", "o"}}})
		d := r.open(t, domains.Name(name), domains.Principal{})
		r.Forget()
		for path, call := range map[string]func() (*domains.Reply, error){
			want + "/schema": func() (*domains.Reply, error) { return d.GraphQL.SchemaReply(t.Context()) },
			want:             func() (*domains.Reply, error) { return d.GraphQL.Query(t.Context(), []byte(`{}`)) },
		} {
			r.Forget()
			reply, err := call()
			if err != nil {
				t.Errorf("%q: %v", name, err)
				continue
			}
			_ = reply.Body.Close()
			if got := r.Requests()[0].EscapedPath; got != path {
				t.Errorf("%q is asked for at %s, want %s", name, got, path)
			}
		}
	}
}

// TestRegistry holds which registry is sent.
func TestRegistry(t *testing.T) {
	for name, tc := range map[string]struct {
		given ontobricks.Registry
		says  bricktest.Registry
		want  []string
	}{
		"discovered":        {says: bricktest.Registry{Catalog: "c", Schema: "s", Volume: "OntoBricksRegistry"}, want: []string{"registry_catalog=c&registry_schema=s"}},
		"another volume":    {says: bricktest.Registry{Catalog: "c", Schema: "s", Volume: "v"}, want: []string{"registry_catalog=c&registry_schema=s&registry_volume=v"}},
		"given":             {given: ontobricks.Registry{Catalog: "c", Schema: "s", Volume: "v"}, says: bricktest.Registry{Catalog: "x", Schema: "y"}, want: []string{"registry_catalog=c&registry_schema=s&registry_volume=v"}},
		"usual volume":      {given: ontobricks.Registry{Catalog: "c", Schema: "s", Volume: "OntoBricksRegistry"}, want: []string{"registry_catalog=c&registry_schema=s"}},
		"volume alone":      {given: ontobricks.Registry{Volume: "v"}, says: bricktest.Registry{Catalog: "c", Schema: "s", Volume: "w"}, want: []string{"registry_catalog=c&registry_schema=s&registry_volume=v"}},
		"catalog wins":      {given: ontobricks.Registry{Catalog: "mine"}, says: bricktest.Registry{Catalog: "c", Schema: "s"}, want: []string{"registry_catalog=mine&registry_schema=s"}},
		"nothing is known":  {want: []string{""}},
		"only half is said": {says: bricktest.Registry{Catalog: "c"}, want: []string{"registry_catalog=c"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRigWith(t, ontobricks.Config{Registry: tc.given})
			r.SetRegistry(tc.says)
			_, _ = r.b.Domains(t.Context()) // fails where no registry is configured
			var got []string
			for _, q := range r.Requests() {
				if q.Path == "/api/v1/domains" {
					got = append(got, q.Query.Encode())
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if n := r.Count("/digitaltwin/registry"); (n > 0) == (tc.given.Catalog != "" && tc.given.Schema != "") {
				t.Errorf("the registry was asked for %d times", n)
			}
		})
	}
}

// TestRegistryIsFoundLater holds that a failure to find the registry fails no call,
// and is made up for.
func TestRegistryIsFoundLater(t *testing.T) {
	r := newRig(t)
	r.Fault(bricktest.Path("/digitaltwin/registry"), bricktest.Fault{Status: 500, Times: 1})
	for i, want := range []string{"", "registry_catalog=main&registry_schema=registry", "registry_catalog=main&registry_schema=registry"} {
		r.Forget()
		if _, err := r.b.Domains(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, q := range r.Requests() {
			if q.Path == "/api/v1/domains" && q.Query.Encode() != want {
				t.Errorf("call %d sends %q, want %q", i, q.Query.Encode(), want)
			}
		}
		r.wait(ontobricks.ListTTL)
	}
	if n := r.Count("/digitaltwin/registry"); n != 0 { // found by the second call
		t.Errorf("a registry that is known was asked for %d times", n)
	}
}

// TestRegistryOfVolumePath covers what Databricks injects.
func TestRegistryOfVolumePath(t *testing.T) {
	for path, want := range map[string]ontobricks.Registry{
		"/Volumes/main/onto/reg":        {Catalog: "main", Schema: "onto", Volume: "reg"},
		"/Volumes/main/onto/reg/":       {Catalog: "main", Schema: "onto", Volume: "reg"},
		"/Volumes/main/onto/reg/x/y":    {Catalog: "main", Schema: "onto", Volume: "reg"},
		"volumes/a b/c/d":               {Catalog: "a b", Schema: "c", Volume: "d"},
		"/Volumes/main/onto":            {},
		"/Volumes//onto/reg":            {},
		"/Workspace/main/onto/reg":      {},
		"":                              {},
		"dbfs:/Volumes/main/onto/reg/x": {},
	} {
		got, err := ontobricks.RegistryOfVolumePath(path)
		if got != want || (err == nil) != (want != ontobricks.Registry{}) {
			t.Errorf("%q gives %+v, %v; want %+v", path, got, err, want)
		}
	}
}

// TestForwardNowhereElse holds that only the addresses of the service can be asked.
func TestForwardNowhereElse(t *testing.T) {
	r := newRig(t)
	for _, path := range []string{"", "/graphql", "graphql/customer360", "graphql/../api/v1/domains", "api/v1/domains", "graphql?x=1"} {
		_, err := r.b.Forward(t.Context(), path)
		wants(t, err, domains.ErrInvalid, "/graphql")
	}
	if n := len(r.Requests()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

// TestReplies holds that what the GraphQL service says is passed on as it is.
func TestReplies(t *testing.T) {
	r := newRig(t)
	d := r.open(t, "customer360", domains.Principal{})
	const body = `{"data":{"a":1},  "errors":[{"message":"The query could not be executed.","path":null}]}`
	r.Fault(bricktest.Path("/graphql/customer360"), bricktest.Fault{Status: 400, Body: []byte(body)})
	reply, err := d.GraphQL.Query(t.Context(), []byte(`{"query":"{ a }"}`))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(reply.Body)
	_ = reply.Body.Close()
	if err != nil || reply.Status != 400 || string(text) != body {
		t.Errorf("reply %d %q, %v", reply.Status, text, err)
	}
	r.Fault(bricktest.Path("/graphql/finance"), bricktest.Fault{Status: 503})
	r.Forget()
	reply, err = r.open(t, "finance", domains.Principal{}).GraphQL.Query(t.Context(), []byte(`{"query":"{ a }"}`))
	if err != nil || reply.Status != 503 {
		t.Fatalf("%v, %v", reply, err)
	}
	_ = reply.Body.Close()
	r.Heal()
	r.Fault(bricktest.Path("/graphql/finance"), bricktest.Fault{ResetBeforeAnswer: true})
	_, err = r.open(t, "finance", domains.Principal{}).GraphQL.Query(t.Context(), []byte(`{"query":"{ a }"}`))
	wants(t, err, domains.ErrUpstream, "broke before it answered. Try again.") // a query changes nothing
	if n := r.Count("/graphql/finance"); n != 2 {
		t.Errorf("two queries were sent %d times", n)
	}
}

// TestSchemas covers schemas that are not there.
func TestSchemas(t *testing.T) {
	for name, tc := range map[string]struct {
		answer string
		want   domains.GraphQLSchema
	}{
		"ready":          {`{"sdl":"type Query {\n  a: String\n}","ready":true}`, domains.GraphQLSchema{SDL: "type Query {\n  a: String\n}"}},
		"not ready":      {`{"sdl":null,"ready":false,"reason":"no_classes","message":"Ontology has no classes — add\n some.","stats":{"classes":0}}`, domains.GraphQLSchema{Reason: "Ontology has no classes — add some."}},
		"without a word": {`{"sdl":" \n","ready":true}`, domains.GraphQLSchema{Reason: "GraphQL schema is empty — the domain may have no ontology classes."}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.soft("/graphql/customer360/schema", tc.answer)
			d := r.open(t, "customer360", domains.Principal{})
			for range 2 {
				got, err := d.GraphQL.Schema(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(&tc.want, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
			r.Forget()
			r.wait(ontobricks.FailureTTL)
			if _, err := d.GraphQL.Schema(t.Context()); err != nil {
				t.Fatal(err)
			}
			// A schema that is missing is looked for again soon.
			if n := r.Count("/schema"); (n == 1) != (tc.want.SDL == "") {
				t.Errorf("the schema was asked for %d times", n)
			}
		})
	}
}

// TestWritesAreSentOnce holds that no failure repeats what writes.
func TestWritesAreSentOnce(t *testing.T) {
	for name, f := range map[string]bricktest.Fault{
		"reset": {ResetBeforeAnswer: true, Handled: true}, "502": {Status: 502}, "503": {Status: 503}, "429": {Status: 429}, "broken": {ResetInBody: true},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			d := r.open(t, "customer360", domains.Principal{})
			r.Fault(bricktest.Any, f)
			if _, err := d.Actions.Invoke(t.Context(), bricktest.Jacob, "main.ops.recompute_risk"); err == nil {
				t.Error("no error of the action")
			}
			if _, err := d.Rules.Apply(t.Context(), bricktest.Jacob, "Vip"); err == nil {
				t.Error("no error of the rule")
			}
			if a, b := r.Count("/nodes/action"), r.Count("/nodes/business-rule"); a != 1 || b != 1 {
				t.Errorf("sent %d and %d times", a, b)
			}
		})
	}
}

// TestValuesStayAsWritten holds that rows keep the order of their columns and numbers
// their digits.
func TestValuesStayAsWritten(t *testing.T) {
	r := newRig(t)
	const row = `{"z":1,"a":12345678901234567890.10,"m":null}`
	r.Change("customer360", func(d *bricktest.Domain) {
		d.Action = func(string, string) ([]json.RawMessage, error) { return []json.RawMessage{raw(row)}, nil }
		d.Rows = func(string, string, string, int) ([]json.RawMessage, error) { return []json.RawMessage{raw(row)}, nil }
	})
	d := r.open(t, "customer360", domains.Principal{})
	done, err := d.Actions.Invoke(t.Context(), bricktest.Jacob, "main.ops.recompute_risk")
	if err != nil || len(done.Rows) != 1 || string(done.Rows[0]) != row {
		t.Errorf("action: %+v, %v", done, err)
	}
	got, err := d.Context.Entity(t.Context(), bricktest.Jacob, domains.ContextOptions{Rows: 1})
	if err != nil || !got.Dataset.Fetched || len(got.Dataset.Rows) != 1 || string(got.Dataset.Rows[0]) != row {
		t.Errorf("context: %+v, %v", got, err)
	}
}
