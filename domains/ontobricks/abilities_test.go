package ontobricks_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks"
	"github.com/ontogate/ontogate/domains/ontobricks/bricktest"
)

// TestSoftFailures holds what is said of answers that come with success false, and
// with status 200 (OntoBricks contract 3.4, 4.4).
func TestSoftFailures(t *testing.T) {
	const jacob = bricktest.Jacob
	type call func(ctx context.Context, b domains.Backend, d *domains.Domain) error
	for path, tc := range map[string]struct {
		call     call
		fallback string
		fault    bool // the "error" member counts too
	}{
		"/domain/versions": {func(ctx context.Context, b domains.Backend, _ *domains.Domain) error {
			_, err := b.Versions(ctx, "finance")
			return err
		}, "Could not list versions.", false},
		"/domain/design-status": {func(ctx context.Context, b domains.Backend, _ *domains.Domain) error {
			_, err := b.Design(ctx, "finance")
			return err
		}, "Could not load design status.", false},
		"/domain/ontology": {func(ctx context.Context, _ domains.Backend, d *domains.Domain) error {
			_, err := d.Ontology(ctx)
			return err
		}, "Could not load the ontology.", false},
		"/digitaltwin/stats": {func(ctx context.Context, _ domains.Backend, d *domains.Domain) error {
			_, err := d.Facts.Stats(ctx)
			return err
		}, "Could not retrieve statistics.", false},
		"/domain/classes": {func(ctx context.Context, _ domains.Backend, d *domains.Domain) error {
			_, err := d.Context.Classes(ctx)
			return err
		}, "Could not load what the classes of the domain have.", false},
		"/triples/find": {func(ctx context.Context, _ domains.Backend, d *domains.Domain) error {
			_, err := d.Facts.Find(ctx, domains.Query{Text: "x", Limit: 1})
			return err
		}, "Search failed.", false},
		"/nodes/context": {func(ctx context.Context, _ domains.Backend, d *domains.Domain) error {
			_, err := d.Context.Entity(ctx, jacob, domains.ContextOptions{})
			return err
		}, "Could not retrieve node context.", true},
		"/nodes/virtual-attributes": {func(ctx context.Context, _ domains.Backend, d *domains.Domain) error {
			_, err := d.Context.Compute(ctx, jacob, "")
			return err
		}, "Could not compute virtual attributes.", true},
		"/nodes/action": {func(ctx context.Context, _ domains.Backend, d *domains.Domain) error {
			_, err := d.Actions.Invoke(ctx, jacob, "a")
			return err
		}, "Could not invoke the action.", true},
		"/nodes/business-rule": {func(ctx context.Context, _ domains.Backend, d *domains.Domain) error {
			_, err := d.Rules.Apply(ctx, jacob, "r")
			return err
		}, "Could not run the business rule.", true},
	} {
		answers := map[string]string{
			`{"success":false,"message":"its\n own words","error":"other"}`: "its own words",
			`{"success":false,"message":null}`:                              tc.fallback,
			`{"success":false,"message":""}`:                                tc.fallback,
			`{}`:                                                            tc.fallback,
		}
		if tc.fault {
			answers[`{"success":false,"error":"only this"}`] = "only this"
			answers[`{"success":false,"error":{"code":7}}`] = tc.fallback
		}
		for body, want := range answers {
			t.Run(path+" "+body, func(t *testing.T) {
				r := newRig(t)
				d := r.open(t, "finance", domains.Principal{})
				r.wait(ontobricks.VersionsTTL)
				r.soft(path, body)
				err := tc.call(t.Context(), r.b, d)
				wants(t, err, domains.ErrUpstream, want)
			})
		}
	}
	r := newRig(t)
	d := r.open(t, "finance", domains.Principal{})
	r.soft("/digitaltwin/status", `{"success":false,"message":"nope"}`)
	_, err := d.Status(t.Context())
	wants(t, err, domains.ErrUpstream, "nope")
	r.Heal()
	r.soft("/digitaltwin/status", `{"success":false,"message":null,"view_table":null}`)
	if st, err := d.Status(t.Context()); err != nil || st.View != "" {
		t.Errorf("without a message: %+v, %v", st, err)
	}
}

// TestUpstreamMessages holds that an upstream's own words reach the caller.
func TestUpstreamMessages(t *testing.T) {
	r := newRig(t)
	d := r.open(t, "customer360", alice)
	_, err := d.Context.Compute(t.Context(), bricktest.Jacob, "x")
	wants(t, err, domains.ErrUpstream, "Virtual attribute function 'x' is not configured on class 'Customer'")
	r.Gate(func(email, _ string) bool { return email == alice.Email })
	if _, err := d.Status(t.Context()); err != nil {
		t.Error(err)
	}
	_, err = r.open(t, "customer360", bob).Status(t.Context())
	wants(t, err, domains.ErrUpstream, "You are not a member of this domain's team")
	r.Change("finance", func(d *bricktest.Domain) { d.Ontology = "" })
	_, err = r.open(t, "finance", alice).Ontology(t.Context())
	wants(t, err, domains.ErrUpstream, "Domain has no ontology classes defined")
}

// TestVersionsAndDesign covers domains that are not listed or not there.
func TestVersionsAndDesign(t *testing.T) {
	r := newRig(t, bricktest.Domain{Name: "draft", Versions: []bricktest.Version{{Version: "1", Status: "DRAFT"}}})
	vs, err := r.b.Versions(t.Context(), "customer360")
	want := []domains.Version{{Name: "3", State: "DRAFT", Latest: true}, {Name: "2", State: "PUBLISHED", Active: true}, {Name: "1", State: "PUBLISHED"}}
	if diff := cmp.Diff(want, vs); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if vs, err := r.b.Versions(t.Context(), "draft"); err != nil || len(vs) != 1 {
		t.Errorf("a domain that is not published: %v, %v", vs, err)
	}
	_, err = r.b.Design(t.Context(), "draft")
	wants(t, err, domains.ErrUnknownDomain, `No PUBLISHED version available for domain "draft".`)
	for _, name := range []domains.Name{"nowhere", ""} {
		_, err := r.b.Versions(t.Context(), name)
		wants(t, err, domains.ErrUnknownDomain, "")
		_, err = r.b.Design(t.Context(), name)
		wants(t, err, domains.ErrUnknownDomain, "")
	}
	r.soft("/domain/versions", `{"success":true,"versions":[]}`)
	if vs, err := r.b.Versions(t.Context(), "finance"); err != nil || len(vs) != 0 {
		t.Errorf("no versions: %v, %v", vs, err)
	}
	if d := r.open(t, "finance", domains.Principal{}); d.Version != "" || d.Revision == "" {
		t.Errorf("a domain without versions: %q %q", d.Version, d.Revision)
	}
	// A listed domain whose deployment has no such address is not unknown.
	r.Fault(bricktest.Path("/domain/design-status"), bricktest.Fault{Status: 404, Body: []byte(`{"detail":"Not Found"}`)})
	_, err = r.b.Design(t.Context(), "finance")
	wants(t, err, domains.ErrUpstream, "")
}

// TestVersionsThatCannotBeRead holds that a domain opens all the same, and stays at the
// version that is known.
func TestVersionsThatCannotBeRead(t *testing.T) {
	r := newRig(t)
	r.Fault(bricktest.Path("/domain/versions"), bricktest.Fault{Status: 404, Body: []byte(`{"detail":"Not Found"}`)})
	first := r.open(t, "customer360", domains.Principal{})
	if first.Version != "" {
		t.Errorf("version %q", first.Version)
	}
	r.Heal()
	r.wait(ontobricks.FailureTTL)
	known := r.open(t, "customer360", domains.Principal{})
	if known.Version != "2" || known.Revision == first.Revision {
		t.Errorf("version %q, revision %q after %q", known.Version, known.Revision, first.Revision)
	}
	r.Fault(bricktest.Path("/domain/versions"), bricktest.Fault{Status: 500})
	r.wait(ontobricks.VersionMost - 1)
	if d := r.open(t, "customer360", domains.Principal{}); d.Version != "2" || d.Revision != known.Revision {
		t.Errorf("version %q while versions cannot be read", d.Version)
	}
	r.wait(ontobricks.FailureTTL)
	if d := r.open(t, "customer360", domains.Principal{}); d.Version != "" {
		t.Errorf("version %q when nothing was read for long", d.Version)
	}
}

// TestNewVersionsAreReadAnew holds that what belongs to a version is not served for
// another.
func TestNewVersionsAreReadAnew(t *testing.T) {
	r := newRig(t)
	load := func() {
		t.Helper()
		d := r.open(t, "finance", domains.Principal{})
		_, err1 := d.Ontology(t.Context())
		_, err2 := d.Context.Classes(t.Context())
		_, err3 := d.GraphQL.Schema(t.Context())
		_, err4 := d.Facts.Stats(t.Context())
		for _, err := range []error{err1, err2, err3, err4} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	counts := func(want int) {
		t.Helper()
		for _, path := range []string{"/domain/ontology", "/domain/classes", "/finance/schema", "/digitaltwin/stats"} {
			if n := r.Count(path); n != want {
				t.Errorf("%s was asked %d times, want %d", path, n, want)
			}
		}
		r.Forget()
	}
	load()
	counts(1)
	load()
	counts(0)
	r.Change("finance", func(d *bricktest.Domain) {
		d.Versions = []bricktest.Version{{Version: "1", Status: "PUBLISHED"}, {Version: "2", Status: "PUBLISHED"}}
	})
	r.wait(ontobricks.VersionsTTL)
	load()
	counts(1)
	r.wait(ontobricks.SchemaTTL)
	load()
	counts(1)
}

// TestContextIsFiltered holds that bridges to domains that are not listed and elements
// that policy disables are withheld here, whatever the deployment sends.
func TestContextIsFiltered(t *testing.T) {
	const answer = `"class_name":"Customer","dataset":{"fullName":"a.b.c","rows":[{"a":1}]},"message":"rows of a.b.c failed",
		"bridges":[{"target_domain":"finance","label":"seen"},{"target_domain":"hidden","label":"not seen"}],
		"actions":[{"fullName":"a.b.act"}],"business_rules":[{"name":"Vip"}],`
	const classes = `{"success":true,"classes":[{"name":"Customer",` + answer + `"virtualAttributes":[{"fullName":"a.b.f"}]},
		{"name":"Only hidden","bridges":[{"target_domain":"hidden"}]}]}`
	const node = `{"success":true,` + answer + `"virtual_attributes":[{"fullName":"a.b.f","values":{"x":1}}]}`
	for _, disabled := range append([]domains.Element{""}, domains.Elements...) {
		t.Run("without "+string(disabled), func(t *testing.T) {
			r := newRig(t)
			r.Change("customer360", func(d *bricktest.Domain) {
				d.Policy = map[string]any{"context": map[string]any{string(disabled): "disabled"}}
			})
			r.soft("/domain/classes", classes)
			r.soft("/nodes/context", node)
			r.soft("/nodes/virtual-attributes", node)
			d := r.open(t, "customer360", domains.Principal{})
			list, err := d.Context.Classes(t.Context())
			if err != nil || len(list) != 1 {
				t.Fatalf("classes %+v, %v", list, err)
			}
			checkShown(t, list[0], disabled)
			entity, err := d.Context.Entity(t.Context(), bricktest.Jacob, domains.ContextOptions{Rows: 1, FollowBridges: true, Compute: true})
			if err != nil {
				t.Fatal(err)
			}
			checkShown(t, entity.ClassContext, disabled)
			if (entity.Message == "") != (disabled == domains.ElementDataset) {
				t.Errorf("message %q", entity.Message)
			}
			_, err = d.Context.Compute(t.Context(), bricktest.Jacob, "")
			checkRefused(t, "compute", err, disabled == domains.ElementVirtualAttributes)
			_, err = d.Actions.Invoke(t.Context(), bricktest.Jacob, "main.ops.recompute_risk")
			checkRefused(t, "action", err, disabled == domains.ElementActions)
			_, err = d.Rules.Apply(t.Context(), bricktest.Jacob, "Vip")
			checkRefused(t, "rule", err, disabled == domains.ElementBusinessRules)
		})
	}
}

func checkShown(t *testing.T, c domains.ClassContext, without domains.Element) {
	t.Helper()
	for e, shown := range map[domains.Element]bool{
		domains.ElementDataset: c.Dataset != nil, domains.ElementBridges: len(c.Bridges) == 1 && c.Bridges[0].Domain == "finance",
		domains.ElementActions: len(c.Actions) == 1, domains.ElementBusinessRules: len(c.Rules) == 1, domains.ElementVirtualAttributes: len(c.Functions) == 1,
	} {
		if shown == (e == without) {
			t.Errorf("%s shown: %v (%+v)", e, shown, c)
		}
	}
}

func checkRefused(t *testing.T, what string, err error, refused bool) {
	t.Helper()
	if refused {
		wants(t, err, domains.ErrRefused, "are disabled for domain 'customer360' by its MCP policy.")
	} else if err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// TestOntology covers what a deployment sends as an ontology.
func TestOntology(t *testing.T) {
	const owl = "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n@prefix : <urn:> .\n"
	for name, tc := range map[string]struct {
		answer  string
		classes string
		base    string
		problem string // of the domain, once its ontology was read
		err     string
	}{
		"whole":               {owlAnswer(owl+":A a owl:Class .", `"urn:b"`), "urn:A", "urn:b", "", ""},
		"its own base":        {owlAnswer(owl+"<https://x/> a owl:Ontology . :A a owl:Class .", "null"), "urn:A", "https://x/", "", ""},
		"relative":            {owlAnswer("@prefix owl: <http://www.w3.org/2002/07/owl#> . <A> a owl:Class .", `"https://x/o#"`), "https://x/A", "https://x/o#", "", ""},
		"relative to nothing": {owlAnswer("@prefix owl: <http://www.w3.org/2002/07/owl#> . <A> a owl:Class .", `"not an iri"`), "https://databricks-ontology.com/A", "not an iri", "", ""},
		"undeclared prefix":   {owlAnswer("@prefix : <urn:> . :A a owl:Class ; rdfs:label \"a\" .", "null"), "urn:A", "", "", ""},
		"broken at the end":   {owlAnswer(owl+":A a owl:Class .\n:B a \"x", "null"), "urn:A", "", "line 4, column ", ""},
		"broken at once":      {owlAnswer("<html>", "null"), "", "", "", "cannot be read"},
		"empty":               {owlAnswer("", `"urn:b"`), "", "urn:b", "", ""},
		"no content":          {`{"success":true,"content":null}`, "", "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.soft("/domain/ontology", tc.answer)
			o, err := r.open(t, "finance", domains.Principal{}).Ontology(t.Context())
			if tc.err != "" {
				wants(t, err, domains.ErrUpstream, tc.err)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var classes []string
			for _, c := range o.Classes {
				classes = append(classes, c.IRI)
			}
			if got := strings.Join(classes, " "); got != tc.classes || o.Base != tc.base {
				t.Errorf("classes %q, base %q", got, o.Base)
			}
			problems := r.open(t, "finance", domains.Principal{}).Problems
			switch {
			case tc.problem == "" && len(problems) != 0:
				t.Errorf("problems: %v", problems)
			case tc.problem != "" && (len(problems) != 1 || !strings.Contains(problems[0].String(), tc.problem) || problems[0].LeavesFileOut()):
				t.Errorf("problems: %v, want %q", problems, tc.problem)
			}
		})
	}
}

// owlAnswer is the answer of GET /domain/ontology; base is JSON.
func owlAnswer(content, base string) string {
	return string(raw(`{"success":true,"format":"turtle","content":%q,"base_uri":%s,"class_count":1,"property_count":0,"message":null}`, content, base))
}

// TestEqualOntologiesShareMemory holds that principals who are sent the same text have
// one ontology in memory, having asked each.
func TestEqualOntologiesShareMemory(t *testing.T) {
	r := newRig(t)
	a, err1 := r.open(t, "finance", alice).Ontology(t.Context())
	b, err2 := r.open(t, "finance", bob).Ontology(t.Context())
	if err1 != nil || err2 != nil || a != b {
		t.Errorf("%p, %v and %p, %v", a, err1, b, err2)
	}
	if n := r.Count("/domain/ontology"); n != 2 {
		t.Errorf("asked %d times for two principals", n)
	}
}

// TestStatusIsAsked holds that a status is never from a cache, and stats for a while.
func TestStatusIsAsked(t *testing.T) {
	r := newRig(t)
	d := r.open(t, "finance", domains.Principal{})
	for i, want := range []int{1, 1, 2} {
		if i == 2 {
			r.wait(ontobricks.StatsTTL)
		}
		_, err1 := d.Status(t.Context())
		_, err2 := d.Facts.Stats(t.Context())
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if n := r.Count("/digitaltwin/stats"); n != want {
			t.Errorf("stats were asked %d times, want %d", n, want)
		}
	}
	if n := r.Count("/digitaltwin/status"); n != 3 {
		t.Errorf("the status was asked %d times for 3 calls", n)
	}
}
