package domaintest

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
)

// Exception is a test of the suite that a back end does not pass, and why that is
// right.
type Exception struct{ Test, Reason string }

// Run holds a back end to the meaning of domains.Backend. open returns the back
// end; it must serve at least one domain with a graph. All that is served is tested
// as it is found, so the same suite fits a folder and a deployment. Tests are named
// after what they hold; exceptions are skipped with their reason.
func Run(t *testing.T, open func(t *testing.T) domains.Backend, except ...Exception) {
	used := map[string]bool{}
	for _, test := range suite {
		t.Run(test.name, func(t *testing.T) {
			for _, e := range except {
				if e.Test == test.name {
					used[e.Test] = true
					t.Skip("exception: " + e.Reason)
				}
			}
			b := open(t)
			test.run(t, b)
			if err := b.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
	}
	for _, e := range except {
		if !used[e.Test] && !slices.ContainsFunc(suite, func(s suiteTest) bool { return s.name == e.Test }) {
			t.Errorf("exception for %q: the suite has no such test", e.Test)
		}
	}
}

type suiteTest struct {
	name string
	run  func(t *testing.T, b domains.Backend)
}

var suite = []suiteTest{
	{"DomainsAreOrderedByName", domainsAreOrdered},
	{"UnknownDomainsAreErrors", unknownDomains},
	{"UnavailableDomainsSayWhy", unavailableDomains},
	{"VersionsAreNewestFirst", versions},
	{"OpenedDomainsAreWhole", openedDomains},
	{"OntologiesAreOrdered", ontologies},
	{"DesignAddsUp", designs},
	{"StatsAddUp", eachGraph(stats)},
	{"CountsBelowAreFound", countsBelow},
	{"TypesListTheirInstances", eachGraph(findTypes)},
	{"PagesMakeTheWhole", eachGraph(findPages)},
	{"NamesFindTheirOwners", eachGraph(findNames)},
	{"IRIsFindTheirEntity", eachGraph(findIRI)},
	{"NothingIsFoundForNonsense", eachGraph(findNothing)},
	{"DepthZeroIsTheStart", eachGraph(walkStart)},
	{"WalksGoBreadthFirst", eachGraph(walkLayers)},
	{"WalksGoOn", eachGraph(walkOn)},
	{"FactsAreOrderedAndBounded", eachGraph(walkFacts)},
	{"PreferredLanguagesComeFirst", eachGraph(walkLanguages)},
	{"TriplesAreListedInOrder", eachTriples(listTriples)},
	{"TriplesOfSubjectsAreFound", eachTriples(findTriples)},
	{"PagesOfTriplesMakeTheWhole", eachTriples(pageTriples)},
	{"DepthsOfTriplesAreClamped", eachTriples(clampTriples)},
	{"NoTriplesAreFoundForNonsense", eachTriples(noTriples)},
	{"CancelledCallsEnd", eachGraph(cancelled)},
	{"EqualQuestionsGetEqualAnswers", eachGraph(concurrent)},
}

// list returns the domains of a back end, of which there must be some.
func list(t *testing.T, b domains.Backend) []domains.Info {
	t.Helper()
	infos, err := b.Domains(t.Context())
	if err != nil {
		t.Fatalf("Domains: %v", err)
	}
	if len(infos) == 0 {
		t.Fatal("the back end serves no domain")
	}
	return infos
}

// eachDomain opens every domain that can be opened.
func eachDomain(t *testing.T, b domains.Backend, test func(t *testing.T, d *domains.Domain)) {
	t.Helper()
	for _, info := range list(t, b) {
		if info.Unavailable != "" {
			continue
		}
		t.Run(string(info.Name), func(t *testing.T) {
			d, err := b.Open(t.Context(), info.Name)
			if err != nil {
				t.Fatalf("Open: %v", err)
			}
			test(t, d)
		})
	}
}

// eachGraph runs a test on every domain that has facts, of which there must be one.
func eachGraph(test func(t *testing.T, f domains.Facts)) func(*testing.T, domains.Backend) {
	return func(t *testing.T, b domains.Backend) {
		graphs := 0
		eachDomain(t, b, func(t *testing.T, d *domains.Domain) {
			if d.Facts != nil {
				graphs++
				test(t, d.Facts)
			}
		})
		if graphs == 0 {
			t.Error("no domain has a graph")
		}
	}
}

func domainsAreOrdered(t *testing.T, b domains.Backend) {
	infos := list(t, b)
	for i, info := range infos {
		if info.Name == "" {
			t.Errorf("domain %d has no name", i)
		}
		if i > 0 && infos[i-1].Name >= info.Name {
			t.Errorf("%q comes before %q", infos[i-1].Name, info.Name)
		}
	}
	if diff := cmp.Diff(infos, list(t, b)); diff != "" {
		t.Errorf("a second list differs (-first +second):\n%s", diff)
	}
}

func unknownDomains(t *testing.T, b domains.Backend) {
	for _, name := range []domains.Name{"no-such-domain", "", "..", "../etc", "a/b", "\x00"} {
		_, err := b.Open(t.Context(), name)
		isKind(t, "Open", name, err, domains.ErrUnknownDomain)
		_, err = b.Versions(t.Context(), name)
		isKind(t, "Versions", name, err, domains.ErrUnknownDomain)
		_, err = b.Design(t.Context(), name)
		isKind(t, "Design", name, err, domains.ErrUnknownDomain)
	}
}

func isKind(t *testing.T, op string, name domains.Name, err, kind error) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("%s(%q) = %v, want %v", op, name, err, kind)
	}
}

func unavailableDomains(t *testing.T, b domains.Backend) {
	for _, info := range list(t, b) {
		if info.Unavailable == "" {
			continue
		}
		_, err := b.Open(t.Context(), info.Name)
		isKind(t, "Open", info.Name, err, domains.ErrUnavailable)
		var e *domains.Error
		if !errors.As(err, &e) || strings.TrimSpace(e.Message) == "" {
			t.Errorf("Open(%q) gives no message: %v", info.Name, err)
		}
		if _, err := b.Versions(t.Context(), info.Name); err != nil {
			t.Errorf("Versions(%q): %v, but an unavailable domain still has versions", info.Name, err)
		}
	}
}

func versions(t *testing.T, b domains.Backend) {
	for _, info := range list(t, b) {
		vs, err := b.Versions(t.Context(), info.Name)
		if err != nil {
			t.Errorf("Versions(%q): %v", info.Name, err)
			continue
		}
		active := 0
		names := map[string]bool{}
		for i, v := range vs {
			if v.Name == "" || names[v.Name] {
				t.Errorf("%s: version %d is called %q", info.Name, i, v.Name)
			}
			names[v.Name] = true
			if v.State != strings.ToUpper(v.State) || v.State == "" {
				t.Errorf("%s: version %s is in state %q", info.Name, v.Name, v.State)
			}
			if v.Latest != (i == 0) {
				t.Errorf("%s: version %s is number %d, Latest is %v", info.Name, v.Name, i, v.Latest)
			}
			if v.Active {
				active++
				if v.State != domains.StatePublished {
					t.Errorf("%s: version %s is served in state %s", info.Name, v.Name, v.State)
				}
			}
		}
		if info.Unavailable == "" && active != 1 || active > 1 {
			t.Errorf("%s: %d versions are active", info.Name, active)
		}
	}
}

func openedDomains(t *testing.T, b domains.Backend) {
	infos := map[domains.Name]domains.Info{}
	for _, info := range list(t, b) {
		infos[info.Name] = info
	}
	eachDomain(t, b, func(t *testing.T, d *domains.Domain) {
		if diff := cmp.Diff(infos[d.Info.Name], d.Info); diff != "" {
			t.Errorf("Info differs (-listed +opened):\n%s", diff)
		}
		if d.Revision == "" {
			t.Error("no Revision")
		}
		if (d.Facts != nil) != d.Info.HasGraph {
			t.Errorf("HasGraph is %v, Facts %v", d.Info.HasGraph, d.Facts)
		}
		if d.Triples != nil && !d.Info.HasGraph {
			t.Error("a domain without a graph has Triples")
		}
		if d.Ontology == nil || d.Status == nil {
			t.Fatal("Ontology or Status is nil")
		}
		vs, err := b.Versions(t.Context(), d.Info.Name)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(vs, func(v domains.Version) bool { return v.Active && v.Name == d.Version }) {
			t.Errorf("version %q is served and is not the active one of %v", d.Version, vs)
		}
		if _, err := d.Status(t.Context()); err != nil {
			t.Errorf("Status: %v", err)
		}
		again, err := b.Open(t.Context(), d.Info.Name)
		if err != nil || again.Revision != d.Revision {
			t.Errorf("opened again: revision %v, error %v; want %q", again, err, d.Revision)
		}
	})
}

func ontologies(t *testing.T, b domains.Backend) {
	eachDomain(t, b, func(t *testing.T, d *domains.Domain) {
		o, err := d.Ontology(t.Context())
		if err != nil || o == nil {
			t.Fatalf("Ontology: %v, %v", o, err)
		}
		for i := 1; i < len(o.Classes); i++ {
			if o.Classes[i-1].IRI >= o.Classes[i].IRI {
				t.Errorf("class %q comes before %q", o.Classes[i-1].IRI, o.Classes[i].IRI)
			}
		}
		for i := 1; i < len(o.Properties); i++ {
			if o.Properties[i-1].IRI >= o.Properties[i].IRI {
				t.Errorf("property %q comes before %q", o.Properties[i-1].IRI, o.Properties[i].IRI)
			}
		}
		for _, c := range o.Classes {
			if o.Class(c.IRI) == nil {
				t.Errorf("class %q is not found by its IRI", c.IRI)
			}
		}
	})
}

func designs(t *testing.T, b domains.Backend) {
	for _, info := range list(t, b) {
		if info.Unavailable != "" {
			continue
		}
		d, err := b.Design(t.Context(), info.Name)
		if err != nil || d == nil {
			t.Errorf("Design(%q): %v, %v", info.Name, d, err)
			continue
		}
		a := d.Assignment
		if a == nil {
			continue
		}
		if a.ClassesUsed > a.ClassesTotal || a.PropertiesUsed > a.PropertiesTotal || a.Percent < 0 || a.Percent > 100 {
			t.Errorf("%s: more is assigned than there is: %+v", info.Name, a)
		}
		if !slices.Contains([]string{"not_started", "in_progress", "complete"}, a.Status) {
			t.Errorf("%s: assignment status %q", info.Name, a.Status)
		}
	}
}
