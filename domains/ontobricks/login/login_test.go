package login_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains/ontobricks/login"
)

const config = `; written by databricks configure
[DEFAULT]
host  = https://adb-1.azuredatabricks.net/
token = ` + patSecret + `

# comments
[SP]
host = adb-2.azuredatabricks.net
client_id = sp-2
client_secret = ` + "`" + clientSecret + "#;`" + `

[CLI]
host = https://adb-3.azuredatabricks.net
auth_type = databricks-cli

[HALF]
host = https://adb-4.azuredatabricks.net
client_id = sp-4

[AZURE]
host = https://adb-5.azuredatabricks.net
auth_type = azure-cli

[EMPTY]
host = https://adb-6.azuredatabricks.net

[PLAIN]
host = http://adb-7.azuredatabricks.net
token = ` + patSecret + `
`

// TestNew holds which credentials are taken, in which order, and what is said where
// some are missing.
func TestNew(t *testing.T) {
	full := home(t, config)
	half := home(t, "[DEFAULT]\nhost = https://adb-1.azuredatabricks.net\nclient_id = sp\n")
	for _, row := range []struct {
		name      string
		settings  login.Settings
		how, fail string
	}{
		{"nothing", login.Settings{}, "", ""},
		{"an empty home", login.Settings{Home: t.TempDir()}, "", ""},
		{"a host alone", login.Settings{Host: "adb-9.azuredatabricks.net", Home: t.TempDir()}, "", ""},
		{"client credentials", login.Settings{Host: "h.example", ClientID: "a", ClientSecret: clientSecret, Token: patSecret, Home: full, Profile: "CLI"}, "OAuth client credentials", ""},
		{"a token", login.Settings{Token: patSecret, Home: full}, "personal access token", ""},
		{"the profile DEFAULT", login.Settings{Home: full}, "profile DEFAULT (personal access token)", ""},
		{"a profile", login.Settings{Home: full, Profile: "SP"}, "profile SP (OAuth client credentials)", ""},
		{"the CLI", login.Settings{Home: full, Profile: "CLI"}, "profile CLI (databricks-cli)", ""},
		{"a file", login.Settings{ConfigFile: filepath.Join(full, ".databrickscfg"), Profile: "CLI"}, "profile CLI (databricks-cli)", ""},
		{"the same host", login.Settings{Home: full, Profile: "SP", Host: "https://adb-2.azuredatabricks.net/"}, "profile SP (OAuth client credentials)", ""},

		{"demanded: pat", login.Settings{Host: "h.example", ClientID: "a", ClientSecret: clientSecret, Token: patSecret, AuthType: "pat"}, "personal access token", ""},
		{"demanded: CLI", login.Settings{Host: "h.example", Token: patSecret, AuthType: "databricks-cli"}, "databricks-cli", ""},
		{"demanded: profile", login.Settings{Home: full, Token: patSecret, Profile: "SP", AuthType: "oauth-m2m"}, "profile SP (OAuth client credentials)", ""},
		{"demanded, missing", login.Settings{Home: full, Token: patSecret, AuthType: "oauth-m2m"}, "", "DATABRICKS_AUTH_TYPE is 'oauth-m2m', and no credentials of that kind are set"},
		{"demanded, missing in the profile", login.Settings{Home: full, Profile: "SP", AuthType: "pat"}, "", "has no token, which pat needs"},
		{"demanded, unknown", login.Settings{AuthType: "kerberos"}, "", "which is not known: use oauth-m2m, pat or databricks-cli"},

		{"no secret", login.Settings{Host: "h.example", ClientID: "a"}, "", "DATABRICKS_CLIENT_SECRET is missing"},
		{"no id", login.Settings{Host: "h.example", ClientSecret: clientSecret}, "", "DATABRICKS_CLIENT_ID is missing"},
		{"no host", login.Settings{ClientID: "a", ClientSecret: clientSecret}, "", "DATABRICKS_HOST is missing"},
		{"a plain host", login.Settings{Host: "http://h.example", ClientID: "a", ClientSecret: clientSecret}, "", "DATABRICKS_HOST is a plain http address"},
		{"a wrong host", login.Settings{Host: "https://" + clientSecret + "@h.example", Token: patSecret}, "", "DATABRICKS_HOST is not the address of a workspace"},
		{"an unknown profile", login.Settings{Home: full, Profile: "PROD"}, "", "no profile 'PROD'"},
		{"a profile, no file", login.Settings{Home: t.TempDir(), Profile: "PROD"}, "", "the home directory has no .databrickscfg"},
		{"a profile, no home", login.Settings{Profile: "PROD"}, "", "set DATABRICKS_CONFIG_FILE"},
		{"a missing file", login.Settings{ConfigFile: filepath.Join(full, "none")}, "", "The file that DATABRICKS_CONFIG_FILE names does not exist"},
		{"a folder", login.Settings{ConfigFile: full}, "", "cannot be read"},
		{"a broken file", login.Settings{Home: home(t, "[DEV]\n"+patSecret+"\n")}, "", "a line that is neither"},
		{"half a profile", login.Settings{Home: full, Profile: "HALF"}, "", "has no client_secret, which oauth-m2m needs"},
		{"half a DEFAULT", login.Settings{Home: half}, "", ""},
		{"half a DEFAULT, named", login.Settings{Home: half, Profile: "DEFAULT"}, "", "has no client_secret"},
		{"another way", login.Settings{Home: full, Profile: "AZURE"}, "", "has auth_type 'azure-cli', which is not known here"},
		{"an empty profile", login.Settings{Home: full, Profile: "EMPTY"}, "", "has no credentials"},
		{"a plain profile", login.Settings{Home: full, Profile: "PLAIN"}, "", "The host of profile 'PLAIN' is a plain http address"},
		{"another host", login.Settings{Home: full, Profile: "SP", Host: "adb-9.azuredatabricks.net"}, "", "is for another host than DATABRICKS_HOST"},
		{"DEFAULT of another host", login.Settings{Home: full, Host: "adb-9.azuredatabricks.net"}, "", ""},
	} {
		s, how, err := login.New(row.settings)
		if how != row.how || (s == nil) != (row.how == "") || (err == nil) != (row.fail == "") {
			t.Errorf("%s: how %q, want %q; %v", row.name, how, row.how, err)
		}
		if err != nil && !strings.Contains(told(t, err), row.fail) {
			t.Errorf("%s: %v\nwant %s", row.name, err, row.fail)
		}
	}
}

// TestProfileIsUsed holds that what a profile says is what is sent.
func TestProfileIsUsed(t *testing.T) {
	w := newWorkspace(t, time.Hour)
	file := strings.ReplaceAll(config, "adb-2.azuredatabricks.net", w.URL)
	if _, err := source(t, login.Settings{Home: home(t, file), Profile: "SP"}).Token(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := "POST /oidc/v1/token sp-2:" + clientSecret + "#; client_credentials all-apis"; unescape(w.form) != want {
		t.Errorf("asked %s, want %s", w.form, want)
	}
}

// unescape undoes the escaping of client ids and secrets in Basic (RFC 6749, 2.3.1).
func unescape(s string) string { return strings.NewReplacer("%23", "#", "%3B", ";").Replace(s) }

// TestCLI holds how the Databricks CLI is run, and how its answer is used.
func TestCLI(t *testing.T) {
	clock := newClock()
	c := &cli{out: `{"access_token":"` + tokenPrefix + `1","token_type":"Bearer","expiry":"2026-05-04T15:00:00.5+02:00"}`}
	s := source(t, login.Settings{Home: home(t, config), Profile: "CLI", Clock: clock.Now, Command: c.run})
	for _, add := range []time.Duration{0, 54 * time.Minute} {
		clock.add(add)
		if token, err := s.Token(t.Context()); token != tokenPrefix+"1" || err != nil {
			t.Fatalf("%q, %v", token, err)
		}
	}
	clock.add(2 * time.Minute) // 4 minutes before its end
	c.out = `{"access_token":"` + tokenPrefix + `2","expiry":"2026-05-04T14:00:00Z"}`
	if token, err := s.Token(t.Context()); token != tokenPrefix+"2" || err != nil {
		t.Fatalf("%q, %v", token, err)
	}
	want := "databricks auth token --host https://adb-3.azuredatabricks.net --profile CLI"
	if diff := cmp.Diff([]string{want, want}, c.calls); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
}

// TestCLIFails holds what people are told when the CLI gives no token.
func TestCLIFails(t *testing.T) {
	exit := exec.Command("sh", "-c", "exit 3").Run()
	for name, row := range map[string]struct {
		cli  cli
		want string
	}{
		"missing":  {cli{err: &exec.Error{Name: "databricks", Err: exec.ErrNotFound}}, "is not installed"},
		"no login": {cli{err: exit}, "Run databricks auth login --profile CLI"},
		"other":    {cli{err: errors.New("stderr: " + clientSecret)}, "Run databricks auth login --profile CLI"},
		"not JSON": {cli{out: "token: " + clientSecret}, "Bring it up to date"},
		"no token": {cli{out: `{"token":"` + clientSecret + `"}`}, "Bring it up to date"},
		"expired":  {cli{out: `{"access_token":"` + tokenPrefix + `1","expiry":"2026-05-04T11:00:00Z"}`}, "has expired"},
	} {
		c := row.cli
		s := source(t, login.Settings{Home: home(t, config), Profile: "CLI", Clock: newClock().Now, Command: c.run})
		if token, err := s.Token(t.Context()); token != "" || !strings.Contains(told(t, err), row.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestProcess holds that the CLI is found in PATH and run, and that what it writes about
// its failure is shown nowhere.
func TestProcess(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	write := func(script string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "databricks"), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s := source(t, login.Settings{Host: "adb-3.azuredatabricks.net", AuthType: "databricks-cli"})
	write("echo '" + clientSecret + "' >&2; exit 1")
	if _, err := s.Token(t.Context()); !strings.Contains(told(t, err), "Run databricks auth login") || !strings.Contains(err.Error(), "exit code 1") {
		t.Error(err)
	}
	write(`echo "{\"access_token\":\"$4 $#\"}"`)
	if token, err := s.Token(t.Context()); token != "https://adb-3.azuredatabricks.net 4" || err != nil {
		t.Errorf("%q, %v", token, err)
	}
}

// TestTexts holds that no text of Settings or a Source has a secret, however it is made.
func TestTexts(t *testing.T) {
	settings := login.Settings{Host: "h.example", ClientID: "a", ClientSecret: clientSecret, Token: patSecret, Profile: "DEV"}
	s, _, err := login.New(settings)
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "settings", settings, "source", s)
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "settings", settings, "pointer", &settings, "source", s)
	data, err := json.Marshal([]any{settings, s})
	if err != nil {
		t.Fatal(err)
	}
	noSecret(t, log.String()+string(data)+fmt.Sprintf("%v %+v %#v %s %v %+v %#v", settings, settings, settings, &settings, s, s, s))
}
