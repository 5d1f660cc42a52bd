package domains_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

func TestParseName(t *testing.T) {
	for _, good := range []string{"customer360", "a", "A.b_c-1", strings.Repeat("x", 64)} {
		if got, err := domains.ParseName(good); err != nil || string(got) != good {
			t.Errorf("ParseName(%q) = %q, %v", good, got, err)
		}
	}
	for _, bad := range []string{"", ".hidden", "a b", "é", "a/b", strings.Repeat("x", 65)} {
		if got, err := domains.ParseName(bad); err == nil {
			t.Errorf("ParseName(%q) = %q, want an error", bad, got)
		}
	}
}

func TestLocalNames(t *testing.T) {
	for _, row := range []struct{ iri, local, id string }{
		{"https://acme.example/onto/Customer/CUST00094", "CUST00094", "CUST00094"},
		{"https://acme.example/onto#Customer/42", "Customer/42", "42"},
		{"https://acme.example/onto/", "https://acme.example/onto/", "https://acme.example/onto/"},
		{"https://acme.example/onto#", "onto#", "onto#"},
		{"urn:isbn:0451450523", "urn:isbn:0451450523", "urn:isbn:0451450523"},
		{"urn:acme:dept#7", "7", "7"},
		{"https://acme.example/a%20b", "a%20b", "a%20b"},
		{"", "", ""},
	} {
		if got := domains.LocalName(row.iri); got != row.local {
			t.Errorf("LocalName(%q) = %q, want %q", row.iri, got, row.local)
		}
		if got := domains.LocalID(row.iri); got != row.id {
			t.Errorf("LocalID(%q) = %q, want %q", row.iri, got, row.id)
		}
	}
}

func TestPrettify(t *testing.T) {
	for in, want := range map[string]string{
		"ontologylastname": "lastname",
		"OntologyLastName": "Last Name",
		"ontology":         "ontology",
		"hasInteraction":   "has Interaction",
		"hasURLValue":      "has URLValue",
		"first_name":       "first name",
		"__":               "__",
		"étéChaud":         "étéChaud",
		"GO_0005634":       "GO 0005634",
	} {
		if got := domains.Prettify(in); got != want {
			t.Errorf("Prettify(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestLanguageRank(t *testing.T) {
	langs := []string{"sv", "en-GB"}
	last, _ := domains.LanguageRank("sv", langs)
	if last != 0 {
		t.Errorf("the best rank is %d, want 0", last)
	}
	for _, row := range []struct {
		lang string // each is worse than the one before, or as good
		same bool
		ok   bool
	}{{"SV", true, true}, {"sv-FI", false, true}, {"sv-FI-x", false, true}, {"en-gb", false, true}, {"en", false, true}, {"", false, false},
		{"en-US", false, false}, {"de", false, false}, {"svx", true, false}} {
		rank, ok := domains.LanguageRank(row.lang, langs)
		if rank < last || (rank == last) != row.same || ok != row.ok {
			t.Errorf("LanguageRank(%q) = %d, %v after %d; want the same: %v, met: %v", row.lang, rank, ok, last, row.same, row.ok)
		}
		last = rank
	}
}

func TestChooseText(t *testing.T) {
	texts := []domains.Text{{Value: "chat", Lang: "fr"}, {Value: "Katze", Lang: "de-AT"}, {Value: "cat", Lang: "en-GB"}, {Value: "felis"}}
	for _, row := range []struct {
		langs []string
		want  string
	}{
		{[]string{"fr"}, "chat"},
		{[]string{"FR", "de"}, "chat"},
		{[]string{"de"}, "Katze"},
		{[]string{"en-GB-oxendict"}, "cat"},
		{[]string{"es", "de"}, "Katze"},
		{[]string{"es"}, "felis"},
		{nil, "felis"},
	} {
		if got, ok := domains.ChooseText(texts, row.langs); !ok || got.Value != row.want {
			t.Errorf("ChooseText(%v) = %q, want %q", row.langs, got.Value, row.want)
		}
	}
	if got, _ := domains.ChooseText(texts[:3], []string{"es"}); got.Value != "cat" {
		t.Errorf("without untagged text English follows; got %q", got.Value)
	}
	if got, _ := domains.ChooseText(texts[:2], []string{"es"}); got.Value != "chat" {
		t.Errorf("without English the first text follows; got %q", got.Value)
	}
	if _, ok := domains.ChooseText(nil, nil); ok {
		t.Error("no texts: ok should be false")
	}
}

func TestNearest(t *testing.T) {
	names := []string{"customer360", "finance", "supply_chain", "hr_analytics"}
	for word, want := range map[string][]string{
		"Customer 360": {"customer360"},
		"custmoer360":  {"customer360"},
		"customer":     {"customer360"},
		"supplychain":  {"supply_chain"},
		"weather":      {},
		"":             {},
	} {
		if diff := cmp.Diff(want, domains.Nearest(word, names, 3)); diff != "" {
			t.Errorf("Nearest(%q) (-want +got)\n%s", word, diff)
		}
	}
	if got := domains.Nearest("aa", []string{"ab", "ac", "ab"}, 1); len(got) != 0 {
		t.Errorf("half of the letters differ: %v should not be near", got)
	}
}

// facts is a Facts that answers nothing: its presence is the ability.
type facts struct{}

func (facts) Stats(context.Context) (*domains.Stats, error) { return &domains.Stats{}, nil }
func (facts) Find(context.Context, domains.Query) (*domains.Matches, error) {
	return &domains.Matches{}, nil
}
func (facts) Walk(context.Context, []string, domains.WalkOptions) iter.Seq2[domains.Entity, error] {
	return func(func(domains.Entity, error) bool) {}
}

func TestDecide(t *testing.T) {
	open := &domains.Domain{Info: domains.Info{Name: "open", HasGraph: true}, Facts: facts{}}
	closed := &domains.Domain{Info: domains.Info{Name: "closed", HasGraph: true,
		Policy: domains.Policy{DisabledTools: []string{"get_status", "list_domains"}}}, Facts: facts{}}
	bare := &domains.Domain{Info: domains.Info{Name: "bare"}}
	shut := &domains.Domain{Info: domains.Info{Name: "shut", Policy: domains.Policy{DisabledTools: []string{"describe_ontology"}}}}

	registry := domains.Tool{Name: "list_domains", Kind: domains.RegistryTool}
	status := domains.Tool{Name: "get_status", Kind: domains.DomainTool, Need: domains.NeedsFacts}
	schema := domains.Tool{Name: "describe_ontology", Kind: domains.DomainTool}
	later := domains.Tool{Name: "query", Kind: domains.DomainTool, Need: func(*domains.Domain) bool { return false }}
	query := domains.Tool{Name: "query_graphql", Kind: domains.DomainTool, Need: domains.NeedsGraphQL, Needs: "a GraphQL service"}

	allow := func(tool domains.Tool, d *domains.Domain) {
		t.Helper()
		if ok, reason := domains.Decide(tool, d); !ok || reason != "" {
			t.Errorf("%s on %v refused: %s", tool.Name, d, reason)
		}
	}
	deny := func(tool domains.Tool, d *domains.Domain, part string) {
		t.Helper()
		if ok, reason := domains.Decide(tool, d); ok || !strings.Contains(reason, part) || !strings.Contains(reason, string(d.Info.Name)) {
			t.Errorf("%s on %s: ok=%v reason=%q, want a refusal with %q", tool.Name, d.Info.Name, ok, reason, part)
		}
	}
	allow(registry, nil)
	allow(registry, closed) // naming a registry tool in a policy has no effect
	allow(status, open)
	deny(status, closed, "MCP policy")
	deny(status, bare, "Use describe_ontology")
	deny(status, shut, "ontology only")
	if _, reason := domains.Decide(status, shut); strings.Contains(reason, "describe_ontology") {
		t.Errorf("a refusal advises a tool that the policy hides: %s", reason)
	}
	allow(schema, bare)
	deny(later, open, "does not offer")
	deny(query, open, "— the domain does not have a GraphQL service.")
	deny(query, bare, "ontology only")
}

func TestPolicyMode(t *testing.T) {
	p := domains.Policy{Context: map[domains.Element]domains.Mode{domains.ElementActions: domains.ModeDisabled}}
	if p.Mode(domains.ElementActions) != domains.ModeDisabled || p.Mode(domains.ElementBridges) != domains.ModeNormal {
		t.Errorf("modes: %v %v", p.Mode(domains.ElementActions), p.Mode(domains.ElementBridges))
	}
}

func animals() *domains.Ontology {
	const ns = "https://a.example/o#"
	return domains.NewOntology(domains.Ontology{
		Prefixes: []rdf.Prefix{{Name: "", IRI: ns}, {Name: "x", IRI: "https://x.example/"}},
		Classes: []domains.Class{
			{IRI: ns + "Dog", Supers: []string{ns + "Pet", ns + "Animal"}, Labels: []domains.Text{{Value: "chien", Lang: "fr"}, {Value: "dog", Lang: "en"}}},
			{IRI: ns + "Animal"},
			{IRI: ns + "Pet", Supers: []string{ns + "Animal", ns + "Dog"}}, // a cycle with Dog
			{IRI: "https://x.example/dog"},
			{IRI: ns + "SeaHorse"},
		},
		Properties: []domains.Property{{IRI: ns + "livesIn"}},
	})
}

func TestOntologyNamesAndHierarchy(t *testing.T) {
	const ns = "https://a.example/o#"
	o := animals()
	if got := o.NameOf(ns+"Dog", []string{"fr"}); got != "chien" {
		t.Errorf("label by language: %q", got)
	}
	if got := o.NameOf(ns+"livesIn", nil); got != "lives In" {
		t.Errorf("prettified local name: %q", got)
	}
	if diff := cmp.Diff([]string{ns + "Animal", ns + "Dog", ns + "Pet"}, o.WithSubClasses(ns+"Animal")); diff != "" {
		t.Errorf("sub-classes (-want +got)\n%s", diff)
	}
	if !o.IsSubClass(ns+"Dog", ns+"Animal") || o.IsSubClass(ns+"Animal", ns+"Dog") {
		t.Error("Dog is below Animal, and not the other way round")
	}
	if o.Class(ns+"Cat") != nil || o.Property(ns+"livesIn") == nil {
		t.Error("look-up by IRI")
	}
}

func TestResolveClass(t *testing.T) {
	const ns = "https://a.example/o#"
	o := animals()
	for name, want := range map[string][]string{
		ns + "Dog":             {ns + "Dog"},
		"<" + ns + "Dog>":      {ns + "Dog"},
		":Dog":                 {ns + "Dog"},
		"x:dog":                {"https://x.example/dog"},
		"Dog":                  {ns + "Dog"},
		"dog":                  {"https://x.example/dog"}, // the exact local name comes before a label
		"chien":                {ns + "Dog"},
		"DOG":                  {ns + "Dog", "https://x.example/dog"},
		"sea horse":            {ns + "SeaHorse"},
		" SeaHorse ":           {ns + "SeaHorse"},
		"https://x.example/do": nil,
		"Dgo":                  nil,
	} {
		got, near, ok := o.ResolveClass(name)
		if ok != (want != nil) {
			t.Errorf("ResolveClass(%q): ok=%v near=%v", name, ok, near)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("ResolveClass(%q) (-want +got)\n%s", name, diff)
		}
	}
	if _, near, _ := o.ResolveClass("Animla"); len(near) == 0 || near[0] != "Animal" {
		t.Errorf("nearest names: %v", near)
	}
}

func TestErrorKinds(t *testing.T) {
	cause := errors.New("disk on fire")
	err := fmt.Errorf("selecting: %w", &domains.Error{Kind: domains.ErrUnavailable, Op: "opening domain", Domain: "finance", Err: cause})
	if !errors.Is(err, domains.ErrUnavailable) || !errors.Is(err, cause) || errors.Is(err, domains.ErrInvalid) {
		t.Errorf("kinds of %v", err)
	}
	if got := err.Error(); got != "selecting: opening domain: domain finance: domain unavailable: disk on fire" {
		t.Errorf("text: %q", got)
	}
	// What the cause says already is said once.
	told := &domains.Error{Kind: domains.ErrUpstream, Op: "fetching a token", Message: "The secret is wrong.", Err: cause}
	err = &domains.Error{Kind: domains.ErrUpstream, Op: "listing", Message: told.Message, Err: fmt.Errorf("no answer: %w", told)}
	if got := err.Error(); got != "listing: no answer: fetching a token: The secret is wrong.: disk on fire" {
		t.Errorf("text: %q", got)
	}
}

func TestProblemPlace(t *testing.T) {
	for want, p := range map[string]domains.Problem{
		"a.ttl:3:5: expected '.'": {File: "a.ttl", Line: 3, Column: 5, Message: "expected '.'"},
		"a.ttl: not readable":     {File: "a.ttl", Message: "not readable"},
		"nothing loaded":          {Message: "nothing loaded"},
	} {
		if got := p.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A fault of domain.yaml and one without a file leave no file out.
func TestProblemLeavesFileOut(t *testing.T) {
	for file, want := range map[string]bool{"data/a.ttl": true, "v2/domain.yaml": true, "domain.yaml": false, "": false} {
		if got := (domains.Problem{File: file, Line: 3}).LeavesFileOut(); got != want {
			t.Errorf("a problem of %q leaves a file out: %v, want %v", file, got, want)
		}
	}
}
