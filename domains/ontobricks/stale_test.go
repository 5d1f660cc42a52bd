package ontobricks_test

import (
	"context"
	"testing"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks"
	"github.com/ontogate/ontogate/domains/ontobricks/bricktest"
)

// TestPolicyOpensContext holds that what the deployment withheld under an older policy is
// asked for again under a new one.
func TestPolicyOpensContext(t *testing.T) {
	r := newRig(t)
	actions := func() (n int) {
		t.Helper()
		list, err := r.open(t, "customer360", domains.Principal{}).Context.Classes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range list {
			n += len(c.Actions)
		}
		return n
	}
	closed := map[string]any{"context": map[string]any{"actions": "disabled"}}
	for _, policy := range []any{closed, nil, closed} {
		r.Change("customer360", func(d *bricktest.Domain) { d.Policy = policy })
		r.wait(ontobricks.ListTTL)
		if n := actions(); (n == 0) != (policy != nil) {
			t.Errorf("under the policy %v there are %d actions", policy, n)
		}
	}
}

// TestOpenDoesNotWaitForVersions holds that a deployment which tells no versions is served
// all the same, and soon: the time is needed for what was asked.
func TestOpenDoesNotWaitForVersions(t *testing.T) {
	r := newRigWith(t, ontobricks.Config{Timeout: time.Hour})
	r.b.SetVersionsWait(time.Millisecond)
	version := func() string {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // ends a test that fails
		defer cancel()
		d, err := r.b.Open(ctx, "finance")
		if err != nil {
			t.Fatal(err)
		}
		return d.Version
	}
	answer := make(chan struct{})
	r.Fault(bricktest.Path("/domain/versions"), bricktest.Fault{Wait: answer})
	for range 2 {
		if v := version(); v != "" {
			t.Errorf("version %q", v)
		}
	}
	if n := r.Count("/domain/versions"); n > 1 {
		t.Errorf("versions were asked for %d times", n)
	}
	close(answer)
	for version() == "" { // the load goes on
	}
}
