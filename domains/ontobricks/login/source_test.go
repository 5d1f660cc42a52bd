package login_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ontogate/ontogate/domains/ontobricks/login"
)

// TestFetch holds what the token endpoint is asked.
func TestFetch(t *testing.T) {
	w := newWorkspace(t, time.Hour)
	if _, err := source(t, w.settings(&bytes.Buffer{})).Token(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := "POST /oidc/v1/token sp-1:" + clientSecret + " client_credentials all-apis"; w.form != want {
		t.Errorf("asked %s, want %s", w.form, want)
	}
}

// TestRenewal holds when a token is renewed: at least a minute before its end, or when a
// quarter of its life is left.
func TestRenewal(t *testing.T) {
	for _, row := range []struct{ life, kept time.Duration }{
		{time.Hour, 55 * time.Minute}, {4 * time.Minute, 3 * time.Minute}, {2 * time.Minute, 90 * time.Second}, {0, 45 * time.Minute},
	} {
		w := newWorkspace(t, row.life)
		s := source(t, w.settings(&bytes.Buffer{}))
		for _, step := range []struct {
			add     time.Duration
			fetches int
		}{{0, 1}, {row.kept - time.Second, 1}, {time.Second, 2}} {
			w.clock.add(step.add)
			if _, err := s.Token(t.Context()); err != nil || w.count() != step.fetches {
				t.Errorf("life %s, after %s more: %d fetches, want %d (%v)", row.life, step.add, w.count(), step.fetches, err)
			}
		}
	}
}

// TestRenewalFails holds that the token in use is given while it is valid, that the
// endpoint is not asked for each call meanwhile, and that an expired one is never given.
func TestRenewalFails(t *testing.T) {
	w := newWorkspace(t, time.Hour)
	log := &bytes.Buffer{}
	s := source(t, w.settings(log))
	old, err := s.Token(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w.set(func() {
		w.answer = func(out http.ResponseWriter, _ *http.Request) { http.Error(out, clientSecret, http.StatusBadGateway) }
	})
	w.clock.add(56 * time.Minute)
	for range 3 {
		if token, err := s.Token(t.Context()); token != old || err != nil || w.count() != 2 {
			t.Errorf("while it is valid: %v, %d fetches", err, w.count())
		}
	}
	w.clock.add(11 * time.Second)
	if token, err := s.Token(t.Context()); token != old || err != nil || w.count() != 3 {
		t.Errorf("after the pause: %v, %d fetches", err, w.count())
	}
	w.clock.add(4 * time.Minute)
	if token, err := s.Token(t.Context()); token != "" || !strings.Contains(told(t, err), "Try again in a minute") {
		t.Errorf("after its end: %v", err)
	}
	w.set(func() { w.answer = nil })
	if token, err := s.Token(t.Context()); err != nil || !w.accepts(token) {
		t.Errorf("when the endpoint works again: %v", err)
	}
	noSecret(t, log.String())
	if !strings.Contains(log.String(), "could not be renewed") {
		t.Errorf("the log says %q", log)
	}
}

// TestCallerGoes holds that a caller who goes away ends no fetch of the others.
func TestCallerGoes(t *testing.T) {
	w := newWorkspace(t, time.Hour)
	w.gate = make(chan struct{})
	s := source(t, w.settings(&bytes.Buffer{}))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Token(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("the one who goes: %v", err)
	}
	close(w.gate)
	if token, err := s.Token(t.Context()); err != nil || !w.accepts(token) || w.count() != 1 {
		t.Errorf("the others: %v, %d fetches", err, w.count())
	}
}

// TestSpoiled holds that a refused token is replaced once, whoever says so, and that the
// refusal of an older one changes nothing.
func TestSpoiled(t *testing.T) {
	w := newWorkspace(t, time.Hour)
	s := source(t, w.settings(&bytes.Buffer{}))
	token := func() string {
		t.Helper()
		token, err := s.Token(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	one := token()
	s.Spoiled(one)
	s.Spoiled(one)
	two := token()
	s.Spoiled(one)
	s.Spoiled("")
	s.Spoiled("foreign")
	if three := token(); one == two || three != two || w.count() != 2 {
		t.Errorf("%s, %s, %s; %d fetches", one, two, three, w.count())
	}
	w.set(func() {
		w.answer = func(out http.ResponseWriter, _ *http.Request) {
			out.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(out, `{"access_token":%q,"expires_in":3600}`, two)
		}
	})
	s.Spoiled(two)
	for range 2 {
		if got, err := s.Token(t.Context()); got != "" || !strings.Contains(told(t, err), "gave the same one again") {
			t.Errorf("the endpoint gives the refused one again: %v", err)
		}
		w.clock.add(29 * time.Second)
	}
	w.clock.add(2 * time.Second)
	if got := token(); got != two {
		t.Errorf("a minute later: %q", got) // one refusal, which may have been a user's, does not end a server
	}
}

// TestPersonalToken holds that a refused token which nothing replaces is an error for a
// minute, and that one in a file may be replaced there.
func TestPersonalToken(t *testing.T) {
	clock := newClock()
	s := source(t, login.Settings{Token: patSecret, Clock: clock.Now})
	if token, err := s.Token(t.Context()); token != patSecret || err != nil {
		t.Fatal(err)
	}
	clock.add(1000 * time.Hour)
	s.Spoiled(patSecret)
	if _, err := s.Token(t.Context()); !strings.Contains(told(t, err), "DATABRICKS_TOKEN") {
		t.Error(err)
	}
	clock.add(time.Minute)
	if token, err := s.Token(t.Context()); token != patSecret || err != nil {
		t.Errorf("a minute later: %v", err)
	}

	dir := home(t, "[DEV]\nhost = https://adb-1.azuredatabricks.net\ntoken = "+patSecret+"\n")
	s = source(t, login.Settings{Home: dir, Profile: "DEV", Clock: clock.Now})
	if token, err := s.Token(t.Context()); token != patSecret || err != nil {
		t.Fatal(err)
	}
	s.Spoiled(patSecret)
	if _, err := s.Token(t.Context()); !strings.Contains(told(t, err), "the token of profile 'DEV'") {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".databrickscfg"), []byte("[DEV]\ntoken = dapi-new\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if token, err := s.Token(t.Context()); token != "dapi-new" || err != nil {
		t.Errorf("replaced in the file: %q, %v", token, err)
	}
}

// TestEndpointFails holds what people are told of each fault of the token endpoint.
func TestEndpointFails(t *testing.T) {
	says := func(status int, body string, headers ...string) http.HandlerFunc {
		return func(out http.ResponseWriter, _ *http.Request) {
			out.Header().Set("Content-Type", "application/json")
			if len(headers) == 2 {
				out.Header().Set(headers[0], headers[1])
			}
			out.WriteHeader(status)
			fmt.Fprint(out, body)
		}
	}
	for name, row := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"401":      {says(401, `{"error":"invalid_client","error_description":"`+clientSecret+`"}`), "Check DATABRICKS_CLIENT_ID and DATABRICKS_CLIENT_SECRET"},
		"400":      {says(400, `{"error":"invalid_request","error_description":"`+clientSecret+`"}`), "belongs to the workspace"},
		"403":      {says(403, clientSecret), "refused the OAuth client credentials (status 403)"},
		"404":      {says(404, clientSecret), "DATABRICKS_HOST is the address of the workspace"},
		"redirect": {says(302, "", "Location", "/elsewhere?"+clientSecret), "not of an app or a login page"},
		"429":      {says(429, clientSecret), "Try again in a minute"},
		"500":      {says(500, clientSecret), "Try again in a minute"},
		"page":     {says(200, "<html>"+clientSecret), "without an access token"},
		"no token": {says(200, `{"x":"`+clientSecret+`"}`), "without an access token"},
	} {
		w := newWorkspace(t, time.Hour)
		w.answer = row.answer
		_, err := source(t, w.settings(&bytes.Buffer{})).Token(t.Context())
		if text := told(t, err); !strings.Contains(text, row.want) || strings.Contains(text, w.URL) || w.count() != 1 {
			t.Errorf("%s: %s (%d fetches)", name, text, w.count())
		}
	}
	w := newWorkspace(t, time.Hour)
	settings := w.settings(&bytes.Buffer{})
	w.Close()
	_, err := source(t, settings).Token(t.Context())
	if text := told(t, err); !strings.Contains(text, "cannot be reached") || strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("closed: %v", err)
	}
}
