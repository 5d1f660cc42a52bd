package ontobricks_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks"
	"github.com/ontogate/ontogate/domains/ontobricks/bricktest"
)

// TestDomains covers the list and what Open makes of each entry.
func TestDomains(t *testing.T) {
	r := newRig(t, bricktest.Domain{Name: "odd", Policy: "none"})
	infos, err := r.b.Domains(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("bare customer360 finance odd", names(infos)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	whole := r.open(t, "customer360", domains.Principal{})
	if whole.Version != "2" || whole.Revision == "" || whole.Facts == nil || whole.GraphQL == nil || whole.Context == nil || whole.Actions == nil || whole.Rules == nil {
		t.Errorf("customer360: %+v", whole)
	}
	if m := whole.Info.Policy.Mode(domains.ElementBridges); m != domains.ModePreferred {
		t.Errorf("bridges are %q", m)
	}
	bare := r.open(t, "bare", domains.Principal{})
	if bare.Facts != nil || bare.GraphQL == nil || bare.Context == nil || bare.Actions != nil || bare.Rules != nil || bare.Ontology == nil || bare.Status == nil {
		t.Errorf("bare: %+v", bare)
	}
	_, err = r.b.Open(t.Context(), "odd")
	wants(t, err, domains.ErrUnavailable, "MCP policy")
	_, err = r.b.Open(t.Context(), "customer36O")
	wants(t, err, domains.ErrUnknownDomain, `There is no domain named "customer36O". Did you mean customer360?`)
	infos[0].Name = "changed by the caller"
	if again, err := r.b.Domains(t.Context()); err != nil || again[0].Name != "bare" {
		t.Errorf("a caller changed the list: %v, %v", again, err)
	}
}

// TestListSaysNo covers answers that are no list.
func TestListSaysNo(t *testing.T) {
	for body, want := range map[string]string{
		`{"success":false,"message":"Registry\n down"}`: "Registry down",
		`{"success":false,"message":null}`:              "Could not retrieve domains.",
		`{}`:                                            "Could not retrieve domains.",
		`{"success":true,"domains":{"a":1}}`:            "domains",
		`[]`:                                            "",
		`<html>`:                                        "",
	} {
		r := newRig(t)
		r.soft("/api/v1/domains", body)
		_, err := r.b.Domains(t.Context())
		wants(t, err, domains.ErrUpstream, want)
		_, err = r.b.Open(t.Context(), "customer360")
		wants(t, err, domains.ErrUpstream, want)
	}
	r := newRig(t)
	r.SetRegistry(bricktest.Registry{})
	_, err := r.b.Domains(t.Context())
	wants(t, err, domains.ErrUpstream, "Registry not configured")
}

// TestListIsCached counts the requests of calls at different times.
func TestListIsCached(t *testing.T) {
	r := newRig(t)
	open := func(name domains.Name, want int) {
		t.Helper()
		r.Forget()
		_, _ = r.b.Open(t.Context(), name)
		if n := r.Count("/api/v1/domains"); n != want {
			t.Errorf("%s: the list was read %d times, want %d", name, n, want)
		}
	}
	open("finance", 1)
	open("finance", 0)
	open("nowhere", 0) // the list was read just now
	r.wait(ontobricks.ListMinimum)
	open("finance", 0)
	open("nowhere", 1)
	open("nowhere", 0)
	open("", 0)
	r.wait(ontobricks.ListTTL - time.Second)
	open("finance", 0)
	r.wait(time.Second)
	open("finance", 1)
	if ontobricks.ListTTL > time.Minute {
		t.Error("a policy may be older than a minute")
	}
}

// TestNewDomainsAreFound holds that a domain that was published after the list was
// read can be opened.
func TestNewDomainsAreFound(t *testing.T) {
	r := newRig(t)
	if _, err := r.b.Domains(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.Add(bricktest.Domain{Name: "new"})
	r.wait(ontobricks.ListMinimum)
	r.open(t, "new", domains.Principal{})
}

// TestPolicyStaysClosed holds that an upstream that fails opens nothing: a policy that
// is known stays, and a domain whose policy was never read is refused with the
// upstream's error.
func TestPolicyStaysClosed(t *testing.T) {
	r := newRig(t)
	r.Change("finance", func(d *bricktest.Domain) { d.Policy = policy("get_status") })
	r.open(t, "finance", alice)
	// Four failures in a row, so that the circuit stays closed.
	r.down(4)
	for range 2 {
		r.wait(ontobricks.ListTTL)
		if d := r.open(t, "finance", alice); !d.Info.Policy.Hides("get_status") {
			t.Fatalf("the policy is gone: %+v", d.Info)
		}
	}
	if n := r.log.lines("known one is served"); n != 1 {
		t.Errorf("an outage was logged %d times", n)
	}
	r.Heal()
	r.wait(ontobricks.ListTTL)
	r.Change("finance", func(d *bricktest.Domain) { d.Policy = policy("query_graphql") })
	if d := r.open(t, "finance", alice); d.Info.Policy.Hides("get_status") || !d.Info.Policy.Hides("query_graphql") {
		t.Errorf("the new policy is not known: %+v", d.Info)
	}
	if n := r.log.lines("can be read again"); n != 1 {
		t.Errorf("the end of an outage was logged %d times", n)
	}
}

// TestPolicyNeverRead holds that a domain is not opened without its policy.
func TestPolicyNeverRead(t *testing.T) {
	r := newRig(t)
	r.down(0)
	_, err := r.b.As(bob).Open(t.Context(), "finance")
	wants(t, err, domains.ErrUpstream, "An internal error occurred")
	// What another principal knows does not help.
	r.Heal()
	r.open(t, "finance", alice)
	r.down(0)
	_, err = r.b.As(bob).Open(t.Context(), "finance")
	wants(t, err, domains.ErrUpstream, "An internal error occurred")
}

// TestKnownListEnds holds for how long an old list counts, and that a refusal ends it
// at once.
func TestKnownListEnds(t *testing.T) {
	r := newRig(t)
	r.open(t, "finance", alice)
	r.down(0)
	r.wait(ontobricks.ListMost - time.Second)
	r.open(t, "finance", alice)
	r.wait(ontobricks.FailureTTL)
	_, err := r.b.As(alice).Open(t.Context(), "finance")
	wants(t, err, domains.ErrUpstream, "An internal error occurred")

	for _, status := range []int{400, 401, 403, 404} {
		r := newRig(t)
		r.open(t, "finance", alice)
		r.wait(ontobricks.ListTTL)
		r.Fault(bricktest.Path("/api/v1/domains"), bricktest.Fault{Status: status, Body: []byte(`{"error":"x","message":"No, not you"}`)})
		if _, err := r.b.As(alice).Open(t.Context(), "finance"); !errors.Is(err, domains.ErrUpstream) {
			t.Errorf("%d: %v", status, err)
		}
	}
}

// TestFailuresAreNotAskedAgainAtOnce counts requests while the deployment fails.
func TestFailuresAreNotAskedAgainAtOnce(t *testing.T) {
	r := newRig(t)
	r.open(t, "finance", alice)
	r.wait(ontobricks.VersionsTTL)
	r.Fault(bricktest.Any, bricktest.Fault{Status: 500, Times: 2})
	r.Forget()
	for range 5 {
		r.open(t, "finance", alice)
	}
	if l, v := r.Count("/api/v1/domains"), r.Count("/domain/versions"); l != 1 || v != 1 {
		t.Errorf("asked %d and %d times, want once each", l, v)
	}
}

// TestOneFlight holds that callers who want the same at once ask once, also where some
// of them give up.
func TestOneFlight(t *testing.T) {
	r := newRig(t)
	if _, err := r.b.Domains(t.Context()); err != nil { // the registry is known
		t.Fatal(err)
	}
	r.Forget()
	held := make(chan struct{})
	arrived := r.hold("/api/v1/domains", bricktest.Fault{Wait: held})
	first, giveUp := context.WithCancel(t.Context())
	b := r.b.As(alice)
	given := make(chan error)
	go func() {
		_, err := b.Domains(first)
		given <- err
	}()
	<-arrived
	giveUp()
	if err := <-given; !errors.Is(err, context.Canceled) {
		t.Errorf("who gave up got %v", err)
	}
	var all sync.WaitGroup
	errs := make(chan error, 10)
	ready := make(chan struct{}, 10)
	for range 10 {
		all.Go(func() {
			ready <- struct{}{}
			_, err := r.b.As(alice).Domains(t.Context())
			errs <- err
		})
	}
	for range 10 {
		<-ready
	}
	close(held)
	all.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			t.Errorf("a caller failed: %v", err)
		}
	}
	if n := r.Count("/api/v1/domains"); n != 1 {
		t.Errorf("asked %d times", n)
	}
}

// TestCloseEndsLoads holds that Close waits for a load that hangs, having ended it.
func TestCloseEndsLoads(t *testing.T) {
	r := newRig(t)
	arrived := r.hold("/api/v1/domains", bricktest.Fault{Hang: true})
	failed := make(chan error)
	go func() {
		_, err := r.b.Domains(context.Background())
		failed <- err
	}()
	<-arrived
	if err := r.b.Close(); err != nil {
		t.Error(err)
	}
	if err := <-failed; err == nil {
		t.Error("no error of the load")
	}
	if _, err := r.b.Domains(t.Context()); err == nil || strings.Contains(err.Error(), "panicked") {
		t.Errorf("after Close: %v", err)
	}
}
