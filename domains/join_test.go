package domains_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// TestJoinIsABackend holds two folders with two of the samples each to the acceptance
// suite.
func TestJoinIsABackend(t *testing.T) {
	folder := func(t *testing.T, names ...string) domains.Backend {
		t.Helper()
		dir := t.TempDir()
		for _, name := range names {
			if err := os.CopyFS(dir+"/"+name, os.DirFS(domaintest.Root(t)+"/examples/"+name)); err != nil {
				t.Fatal(err)
			}
		}
		b, err := rdfgraph.New(t.Context(), rdfgraph.Config{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	j := domains.Join(
		domains.Member{Label: "the folder a", Backend: folder(t, "customer360", "supply_chain")},
		domains.Member{Label: "the folder b", Backend: folder(t, "finance", "hr_analytics")})
	if err := j.Clash(t.Context()); err != nil {
		t.Errorf("Clash: %v", err)
	}
	domaintest.Run(t, func(*testing.T) domains.Backend { return j })
}

// place is a back end of domains in name only. It counts what is asked of it.
type place struct {
	domains.Backend // nil: what is not below is not called
	names           []domains.Name
	drafts          []domains.Name // not listed
	err             error          // of its list
	as              *domains.Principal
	opened          *[]domains.Name
	closed          *int
}

func newPlace(err error, names ...domains.Name) place {
	return place{names: names, err: err, as: new(domains.Principal), opened: new([]domains.Name), closed: new(int)}
}

func (p place) As(as domains.Principal) domains.Backend { *p.as = as; return p }

func (p place) Domains(context.Context) ([]domains.Info, error) {
	var out []domains.Info
	for _, name := range p.names {
		out = append(out, domains.Info{Name: name, HasGraph: true})
	}
	return out, p.err
}

func (p place) Open(_ context.Context, name domains.Name) (*domains.Domain, error) {
	if !slices.Contains(p.names, name) {
		return nil, p.missing()
	}
	*p.opened = append(*p.opened, name)
	return &domains.Domain{Info: domains.Info{Name: name}}, nil
}

func (p place) Versions(_ context.Context, name domains.Name) ([]domains.Version, error) {
	if slices.Contains(p.drafts, name) {
		return []domains.Version{{Name: "1", State: "DRAFT"}}, nil
	}
	return nil, p.missing()
}

func (p place) Design(context.Context, domains.Name) (*domains.Design, error) {
	return nil, p.missing()
}

func (p place) missing() error {
	if p.err != nil {
		return p.err
	}
	return &domains.Error{Kind: domains.ErrUnknownDomain}
}

func (p place) Close() error { *p.closed++; return p.err }

var errDown = &domains.Error{Kind: domains.ErrUpstream, Message: "The deployment does not answer."}

func TestJoinMergesLists(t *testing.T) {
	a, b := newPlace(nil, "finance", "zoo"), newPlace(errDown, "art", "finance")
	j := domains.Join(domains.Member{Label: "folder a", Backend: a}, domains.Member{Label: "deployment b", Backend: b})
	got, err := j.Domains(t.Context())
	want := []domains.Info{
		{Name: "art", HasGraph: true},
		{Name: "finance", Unavailable: `More than one place has a domain named "finance": folder a and deployment b. Rename one of them: that of a folder with name in its domain.yaml.`},
		{Name: "zoo", HasGraph: true},
	}
	if diff := cmp.Diff(want, got); diff != "" || !errors.Is(err, domains.ErrUpstream) {
		t.Errorf("error %v, want the list with the failing member's error (-want +got):\n%s", err, diff)
	}
}

func TestJoinOpensAtTheOwner(t *testing.T) {
	down := newPlace(errDown)
	for _, c := range []struct {
		name   string
		others []place
		asked  domains.Name
		kind   error // nil: it opens
		says   string
	}{
		{"one has it", []place{newPlace(nil, "art")}, "zoo", nil, ""},
		{"one has it, another fails", []place{down}, "zoo", nil, ""},
		{"two have it", []place{newPlace(nil, "zoo")}, "zoo", domains.ErrUnavailable, "first and second"},
		{"three have it", []place{newPlace(nil, "zoo"), newPlace(nil, "zoo")}, "zoo", domains.ErrUnavailable, "first, second and third"},
		{"none has it", []place{newPlace(nil, "art")}, "zooo", domains.ErrUnknownDomain, "Did you mean zoo?"},
		{"none has it, one fails", []place{down}, "zooo", domains.ErrUpstream, errDown.Message},
	} {
		t.Run(c.name, func(t *testing.T) {
			first := newPlace(nil, "zoo")
			labels := []string{"first", "second", "third"}
			members := []domains.Member{{Label: "first", Backend: first}}
			for i, p := range c.others {
				members = append(members, domains.Member{Label: labels[i+1], Backend: p})
			}
			j := domains.Join(members...)
			d, err := j.Open(t.Context(), c.asked)
			if c.kind == nil {
				if err != nil || d.Info.Name != c.asked || !slices.Equal(*first.opened, []domains.Name{c.asked}) {
					t.Errorf("Open: %v, %v; the owner opened %v", d, err, *first.opened)
				}
				return
			}
			_, versions := j.Versions(t.Context(), c.asked)
			_, design := j.Design(t.Context(), c.asked)
			for _, err := range []error{err, versions, design} {
				var e *domains.Error
				if !errors.Is(err, c.kind) || !errors.As(err, &e) || !strings.Contains(e.Message, c.says) {
					t.Errorf("error %v, want %v that says %q", err, c.kind, c.says)
				}
			}
			if len(*first.opened) > 0 {
				t.Errorf("opened %v", *first.opened)
			}
		})
	}
}

// A domain that is not listed may have versions all the same.
func TestJoinFindsDrafts(t *testing.T) {
	a, b := newPlace(nil, "zoo"), newPlace(nil, "art")
	b.drafts = []domains.Name{"plan"}
	versions := func() ([]domains.Version, error) {
		return domains.Join(domains.Member{Label: "a", Backend: a}, domains.Member{Label: "b", Backend: b}).Versions(t.Context(), "plan")
	}
	if got, err := versions(); err != nil || len(got) != 1 {
		t.Errorf("Versions: %v, %v", got, err)
	}
	a.drafts = b.drafts
	if got, err := versions(); !errors.Is(err, domains.ErrUnavailable) {
		t.Errorf("Versions of a draft that both have: %v, %v", got, err)
	}
}

func TestJoinClash(t *testing.T) {
	j := domains.Join(
		domains.Member{Label: "the folder a", Backend: newPlace(nil, "art", "finance", "zoo")},
		domains.Member{Label: "the deployment b", Backend: newPlace(nil, "finance", "library", "zoo")},
		domains.Member{Label: "the deployment c", Backend: newPlace(errDown)})
	want := `the folder a and the deployment b have domains named "finance", "zoo": rename one of them (that of a folder with name in its domain.yaml), or serve the two apart`
	if err := j.Clash(t.Context()); err == nil || err.Error() != want {
		t.Errorf("Clash: %v, want %s", err, want)
	}
}

// Every member sees who asks, and every member is closed even when another can't be.
func TestJoinReachesEveryMember(t *testing.T) {
	a, b := newPlace(errDown), newPlace(nil)
	j := domains.Join(domains.Member{Label: "a", Backend: a}, domains.Member{Label: "b", Backend: b})
	jo := domains.Principal{User: "jo"}
	if _, err := j.As(jo).Domains(t.Context()); !errors.Is(err, domains.ErrUpstream) {
		t.Errorf("Domains: %v", err)
	}
	if *a.as != jo || *b.as != jo {
		t.Errorf("the members are asked as %#v and %#v", a.as.User, b.as.User)
	}
	if err := j.Close(); !errors.Is(err, domains.ErrUpstream) || *a.closed != 1 || *b.closed != 1 {
		t.Errorf("Close: %v; members closed %d and %d times", err, *a.closed, *b.closed)
	}
}

// deployment is a place that forwards and says whether it is ready.
type deployment struct{ place }

func (d deployment) As(domains.Principal) domains.Backend { return d }

func (d deployment) Forward(_ context.Context, path string) (*domains.Reply, error) {
	return &domains.Reply{Status: 200, ContentType: path}, nil
}

func (d deployment) Ready(context.Context) error { return d.err }

// Watch tells of all domains, and goes on until ctx ends unless the place has an error.
func (p place) Watch(ctx context.Context, changed func(domains.Name)) error {
	for _, name := range p.names {
		changed(name)
	}
	if p.err == nil {
		<-ctx.Done()
	}
	return p.err
}

func TestJoinForwards(t *testing.T) {
	folder := domains.Member{Label: "a", Backend: newPlace(nil)}
	j := domains.Join(folder, domains.Member{Label: "b", Backend: deployment{newPlace(nil)}}).As(domains.Principal{User: "jo"})
	if r, err := j.(domains.Forwarder).Forward(t.Context(), "graphql"); err != nil || r.ContentType != "graphql" {
		t.Errorf("Forward: %v, %v", r, err)
	}
	if _, err := domains.Join(folder).Forward(t.Context(), "graphql"); !errors.Is(err, domains.ErrUnavailable) {
		t.Errorf("Forward without a member that can: %v", err)
	}
}

func TestJoinIsReadyWhenAllAre(t *testing.T) {
	folder := domains.Member{Label: "a", Backend: newPlace(nil)}
	for _, down := range []error{nil, errDown} {
		j := domains.Join(folder, domains.Member{Label: "b", Backend: deployment{newPlace(down)}})
		if err := j.Ready(t.Context()); (err != nil) != (down != nil) {
			t.Errorf("Ready: %v, want %v", err, down)
		}
	}
}

func TestJoinWatchesAll(t *testing.T) {
	for name, failing := range map[string]error{"until ctx ends": nil, "until one cannot go on": errDown} {
		t.Run(name, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			j := domains.Join(
				domains.Member{Label: "a", Backend: newPlace(nil, "art")},
				domains.Member{Label: "b", Backend: newPlace(failing, "zoo")})
			told, ended := make(chan domains.Name, 2), make(chan error)
			go func() { ended <- j.Watch(ctx, func(name domains.Name) { told <- name }) }()
			got := []domains.Name{<-told, <-told}
			slices.Sort(got)
			if diff := cmp.Diff([]domains.Name{"art", "zoo"}, got); diff != "" {
				t.Errorf("told of (-want +got):\n%s", diff)
			}
			if failing == nil {
				stop()
			}
			if err := <-ended; !errors.Is(err, failing) {
				t.Errorf("Watch: %v, want %v", err, failing)
			}
		})
	}
}

// slow is a back end that takes long for its list, and then knows one domain.
type slow struct {
	place
	takes time.Duration
}

func (s slow) As(domains.Principal) domains.Backend { return s }

func (s slow) Domains(ctx context.Context) ([]domains.Info, error) {
	select {
	case <-time.After(s.takes):
		return s.place.Domains(ctx)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// A member that hangs keeps nobody from the domains of the others.
func TestJoinDoesNotWaitForOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := newPlace(nil, "zoo")
		j := domains.Join(domains.Member{Label: "the folder", Backend: first},
			domains.Member{Label: "OntoBricks", Backend: slow{newPlace(nil, "art"), time.Hour}})
		start := time.Now()
		list, err := j.Domains(t.Context())
		var told *domains.Error
		if len(list) != 1 || !errors.As(err, &told) || told.Message != "The domains of OntoBricks could not be listed within 4s. Try again in a moment." {
			t.Errorf("listed %v, %v", list, err)
		}
		if _, err := j.Open(t.Context(), "zoo"); err != nil || len(*first.opened) != 1 {
			t.Errorf("the folder's domain: %v", err)
		}
		if d, err := j.Open(t.Context(), "art"); err != nil || d.Info.Name != "art" {
			t.Errorf("a domain of the slow one, which may know more than it lists: %v", err)
		}
		if took := time.Since(start); took != 12*time.Second {
			t.Errorf("three questions waited %s, want 4s each", took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := j.Domains(ctx); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, domains.ErrUpstream) {
			t.Errorf("a caller without time is told %v", err)
		}
	})
}
