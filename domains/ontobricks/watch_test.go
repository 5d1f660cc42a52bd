package ontobricks_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks"
	"github.com/ontogate/ontogate/domains/ontobricks/bricktest"
)

// watching runs Watch until the test ends, and passes on the names.
func (r *rig) watching(t *testing.T) (changed chan domains.Name) {
	t.Helper()
	changed = make(chan domains.Name)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		done <- r.b.Watch(ctx, func(name domains.Name) {
			select {
			case changed <- name:
			case <-ctx.Done():
			}
		})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("Watch: %v", err)
		}
	})
	return changed
}

// refresh lets Watch read the list once, and waits until it is done.
func (r *rig) refresh() {
	r.wait(ontobricks.ListTTL)
	r.tick <- struct{}{} // a refresh begins, or the last has ended
	r.tick <- struct{}{} // it has ended; the second finds a list that is new
}

// nothing holds that there is no name to pass on.
func nothing(t *testing.T, changed chan domains.Name, when string) {
	t.Helper()
	select {
	case name := <-changed:
		t.Errorf("%s: %s is told", when, name)
	default:
	}
}

// TestWatch holds what is told: each change once, of policy, graph and presence, and
// nothing else.
func TestWatch(t *testing.T) {
	r := newRig(t)
	changed := r.watching(t)
	no := false
	r.refresh() // the first list
	r.refresh() // the same list
	for name, step := range map[string]struct {
		change func()
		want   domains.Name
	}{
		"a policy":   {func() { r.Change("finance", func(d *bricktest.Domain) { d.Policy = policy("get_status") }) }, "finance"},
		"an element": {func() { r.Change("customer360", func(d *bricktest.Domain) { d.Policy = nil }) }, "customer360"},
		"a graph": {func() {
			r.Change("bare", func(d *bricktest.Domain) { d.Description = "x"; d.HasGraph = &no; d.Policy = policy("a") })
		}, "bare"},
		"a new domain":       {func() { r.Add(bricktest.Domain{Name: "new"}) }, "new"},
		"an unreadable one":  {func() { r.Change("customer360", func(d *bricktest.Domain) { d.Policy = 7 }) }, "customer360"},
		"a domain that went": {func() { r.Add(bricktest.Domain{Name: "short"}); r.refresh(); <-changed; r.Remove("short") }, "short"},
	} {
		step.change()
		r.refresh()
		if got := <-changed; got != step.want {
			t.Errorf("%s: %s is told, want %s", name, got, step.want)
		}
		r.refresh()
		nothing(t, changed, name)
	}
	r.Change("finance", func(d *bricktest.Domain) {
		d.Description = "other words"
		d.Versions = []bricktest.Version{{Version: "1", Status: "PUBLISHED"}, {Version: "2", Status: "PUBLISHED"}}
	})
	r.refresh()
	nothing(t, changed, "a description and a version")
}

// TestChangesReachEverybody holds that after a change nobody is served from an older
// list, and that it is told once whoever notices it.
func TestChangesReachEverybody(t *testing.T) {
	r := newRig(t)
	changed := r.watching(t)
	r.open(t, "finance", alice)
	r.open(t, "finance", bob)
	r.refresh()
	r.open(t, "finance", alice) // from a list that is read now
	r.open(t, "finance", bob)
	r.Change("finance", func(d *bricktest.Domain) { d.Policy = policy("get_status") })
	if r.open(t, "finance", bob).Info.Policy.Hides("get_status") {
		t.Fatal("the list was not from the cache: this test shows nothing")
	}
	r.wait(ontobricks.ListMinimum)
	_, _ = r.b.As(alice).Open(t.Context(), "nowhere") // reads the list anew, and notices
	if got := <-changed; got != "finance" {
		t.Errorf("%s is told", got)
	}
	for _, p := range []domains.Principal{bob, {}} {
		r.Forget()
		for range 2 {
			if !r.open(t, "finance", p).Info.Policy.Hides("get_status") {
				t.Error("an old list is served after a change")
			}
		}
		if n := r.Count("/api/v1/domains"); n != 1 {
			t.Errorf("the list was read %d times", n)
		}
	}
	r.Forget()
	r.open(t, "finance", alice)
	if n := r.Count("/api/v1/domains"); n != 0 {
		t.Error("who noticed the change reads the list again")
	}
	nothing(t, changed, "when others see the same change")
	r.Change("finance", func(d *bricktest.Domain) { d.Policy = nil })
	r.refresh()
	if got := <-changed; got != "finance" {
		t.Errorf("%s is told of the change back", got)
	}
}

// TestFirstChangeIsTold holds that Watch knows from its start what to compare with: a user
// may be served before the first refresh, and then be idle.
func TestFirstChangeIsTold(t *testing.T) {
	r := newRig(t)
	arrived := r.hold("/api/v1/domains", bricktest.Fault{})
	changed := r.watching(t)
	<-arrived
	r.tick <- struct{}{} // the list is read
	r.open(t, "finance", alice)
	r.Change("finance", func(d *bricktest.Domain) { d.Policy = policy("get_status") })
	r.refresh()
	if got := <-changed; got != "finance" {
		t.Errorf("%s is told", got)
	}
}

// TestNoListFromBeforeAChange holds that a deployment that fails after a change brings
// no policy back that is known to be another.
func TestNoListFromBeforeAChange(t *testing.T) {
	r := newRig(t)
	changed := r.watching(t)
	r.open(t, "finance", alice)
	r.refresh()
	r.open(t, "finance", alice)
	r.Change("finance", func(d *bricktest.Domain) { d.Policy = policy("get_status") })
	r.refresh()
	<-changed
	r.down(2)
	_, err := r.b.As(alice).Open(t.Context(), "finance")
	wants(t, err, domains.ErrUpstream, "An internal error occurred")
	if !r.open(t, "finance", domains.Principal{}).Info.Policy.Hides("get_status") {
		t.Error("who noticed the change does not know it any more")
	}
}

// TestWatchThroughAnOutage holds that an outage is logged once and ends nothing.
func TestWatchThroughAnOutage(t *testing.T) {
	r := newRig(t)
	r.Fault(bricktest.Path("/api/v1/domains"), bricktest.Fault{Status: 401, Times: 4})
	changed := r.watching(t)
	r.refresh() // two failures, as nothing is known
	r.refresh()
	if n := r.log.lines("look for changes"); n != 1 {
		t.Errorf("an outage was logged %d times", n)
	}
	r.refresh()
	r.Change("finance", func(d *bricktest.Domain) { d.Policy = policy("get_status") })
	r.refresh()
	if got := <-changed; got != "finance" {
		t.Errorf("%s is told", got)
	}
}

// TestWatchEnds holds that Watch waits for what it does, that it ends with its context
// and with Close, and that changed is not called afterwards.
func TestWatchEnds(t *testing.T) {
	r := newRig(t)
	ctx, stop := context.WithCancel(t.Context())
	inside, leave := make(chan struct{}), make(chan struct{})
	var ended atomic.Bool
	done := make(chan error)
	go func() {
		err := r.b.Watch(ctx, func(domains.Name) {
			close(inside)
			<-leave
			if ended.Load() {
				t.Error("Watch did not wait for changed")
			}
		})
		ended.Store(true)
		done <- err
	}()
	r.refresh()
	r.Change("finance", func(d *bricktest.Domain) { d.Policy = policy("get_status") })
	r.Change("customer360", func(d *bricktest.Domain) { d.Policy = policy("get_status") }) // would be told next
	r.refresh()
	<-inside
	stop()
	close(leave)
	if err := <-done; err != nil {
		t.Errorf("Watch: %v", err)
	}

	closed := make(chan error)
	go func() { closed <- r.b.Watch(context.Background(), func(domains.Name) {}) }()
	r.refresh()
	if err := r.b.Close(); err != nil {
		t.Error(err)
	}
	if err := <-closed; err != nil {
		t.Errorf("Watch after Close: %v", err)
	}
	if err := r.b.Watch(t.Context(), func(domains.Name) {}); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("Watch of a closed back end: %v", err)
	}
}
