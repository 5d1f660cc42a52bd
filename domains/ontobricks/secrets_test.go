package ontobricks_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks"
	"github.com/ontogate/ontogate/domains/ontobricks/bricktest"
)

// constant gives one token for ever.
type constant string

func (c constant) Token(context.Context) (string, error) { return string(c), nil }
func (constant) Spoiled(string)                          {}

// TestTextsOfAnswersAreCleaned holds that what a deployment says of faults in answers with
// status 200 shows no address of it and no token, in texts and in the log.
func TestTextsOfAnswersAreCleaned(t *testing.T) {
	carol := domains.Principal{User: "carol", Token: "token-of-carol"}
	r := newRigWith(t, ontobricks.Config{Tokens: constant("token-of-the-program")})
	said, _ := json.Marshal(fmt.Sprintf("It broke\n at %s/api/v1?x=1 (https://adb-1.7.azuredatabricks.net/sql) with token-of-carol and Bearer token-of-the-program", r.URL))
	no := fmt.Sprintf(`{"success":false,"message":%s}`, said)
	check := func(what, text string) {
		t.Helper()
		if !strings.Contains(text, "It broke at") {
			t.Errorf("%s does not say what was said: %s", what, text)
		}
		for _, secret := range []string{"127.0.0.1", "azuredatabricks", "token-of", "Bearer"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s shows %s: %s", what, secret, text)
			}
		}
	}
	d := r.open(t, "finance", carol)
	for path, call := range map[string]func() error{
		"/digitaltwin/stats": func() error { _, err := d.Facts.Stats(t.Context()); return err },
		"/nodes/action":      func() error { _, err := d.Actions.Invoke(t.Context(), bricktest.Jacob, "a"); return err },
		"/domains": func() error {
			_, err := r.b.As(domains.Principal{User: "dan", Token: carol.Token}).Domains(t.Context())
			return err
		},
	} {
		r.soft(path, no)
		err := call()
		if err == nil {
			t.Fatalf("%s: no error", path)
		}
		check(path, err.Error())
		r.Heal()
	}

	r.soft("/nodes/context", fmt.Sprintf(`{"success":true,"message":%s,"virtual_attributes":[{"fullName":"a.b.f","error":%s,"message":%s}]}`, said, said, said))
	e, err := d.Context.Entity(t.Context(), bricktest.Jacob, domains.ContextOptions{Rows: 1, Compute: true})
	if err != nil {
		t.Fatal(err)
	}
	check("the context", e.Message)
	check("a function's error", e.Functions[0].Error)
	check("a function's message", e.Functions[0].Message)
	r.soft("/schema", fmt.Sprintf(`{"sdl":null,"ready":false,"reason":"no_classes","message":%s}`, said))
	schema, err := d.GraphQL.Schema(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	check("the schema", schema.Reason)
	r.soft("/status", fmt.Sprintf(`{"success":true,"reason":%s}`, said))
	status, err := d.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	check("the status", status.Reason)
	r.soft("/design-status", fmt.Sprintf(`{"success":true,"message":%s}`, said))
	design, err := r.b.As(carol).Design(t.Context(), "finance")
	if err != nil {
		t.Fatal(err)
	}
	check("the design", design.Message)
	if r.Heal(); r.log.lines("token-of") != 0 || r.log.lines("azuredatabricks") != 0 {
		t.Error("the log shows them")
	}
	r.wait(ontobricks.ListTTL) // a list that is known: the fault is logged
	r.soft("/domains", no)
	if _, err := r.b.As(carol).Domains(t.Context()); err != nil {
		t.Error(err)
	}
	if r.log.lines("known one is served") != 1 || r.log.lines("token-of")+r.log.lines("azuredatabricks")+r.log.lines("127.0.0.1") != 0 {
		t.Error("the log of an outage shows them, or there is none")
	}
}
