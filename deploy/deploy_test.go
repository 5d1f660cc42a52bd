//go:build unix

// Package deploy_test starts the Databricks App as the platform does, with a workspace
// and an OntoBricks deployment in the process of the test.
package deploy_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/ontobricks/bricktest"
)

// patience bounds how long a test waits for a process before it fails.
const patience = 60 * time.Second

// mostBytes is what a file of an app may have at most (Databricks Apps).
const mostBytes = 10_000_000 - 1

// needsApp skips where the staged app cannot be built or run.
func needsApp(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the program; left out with -short")
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the app is a program for linux/amd64")
	}
	for _, tool := range []string{"sh", "make", "gzip", "split"} {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatal(err)
			}
			t.Skipf("needs %s: %v", tool, err)
		}
	}
}

// stage runs make deploy-dist in front of an OntoBricks deployment and returns the
// folder, which other users can read.
func stage(t *testing.T, upstream string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "ontogate-app")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	app := filepath.Join(dir, "app")
	cmd := exec.CommandContext(t.Context(), "make", "--no-print-directory", "deploy-dist", "APP="+app)
	cmd.Dir = domaintest.Root(t)
	// The test may run below make itself.
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "MAKE") || strings.HasPrefix(v, "MFLAGS=") }),
		"BUNDLE_VAR_ontobricks_url="+upstream)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("make deploy-dist: %v\n%s", err, out)
	}
	return app
}

// manifest is app.yaml as the platform reads it.
type manifest struct {
	Command []string `yaml:"command"`
	Env     []struct {
		Name      string `yaml:"name"`
		Value     string `yaml:"value"`
		ValueFrom string `yaml:"valueFrom"`
	} `yaml:"env"`
}

func readManifest(t *testing.T, dir string) manifest {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "app.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var m manifest
	if err := yaml.UnmarshalWithOptions(data, &m, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	return m
}

// resources are what the resources of deploy/databricks.yml give to app.yaml.
var resources = map[string]string{"sql-warehouse": "wh-1", "volume": "/Volumes/main/registry/OntoBricksRegistry"}

// workspace is a Databricks workspace that gives tokens to one service principal.
type workspace struct {
	*httptest.Server
	tokens atomic.Int64
}

func newWorkspace(t *testing.T) *workspace {
	t.Helper()
	w := &workspace{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /oidc/v1/token", func(rw http.ResponseWriter, r *http.Request) {
		id, secret, _ := r.BasicAuth()
		if id != "app-principal" || secret != "app-secret" || r.PostFormValue("grant_type") != "client_credentials" || r.PostFormValue("scope") != "all-apis" {
			http.Error(rw, `{"error":"invalid_client"}`, http.StatusUnauthorized)
			return
		}
		rw.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(rw, `{"access_token":"app-token-%d","token_type":"Bearer","expires_in":3600}`, w.tokens.Add(1))
	})
	w.Server = httptest.NewServer(mux)
	t.Cleanup(w.Close)
	return w
}

// app is the Databricks App as a process.
type app struct {
	t    *testing.T
	cmd  *exec.Cmd
	url  string
	log  *logBuffer
	done chan error
}

// startApp runs app.yaml's command in its folder, with the environment that the platform
// gives and nothing else. change may change the process before it starts.
func startApp(t *testing.T, dir string, w *workspace, change func(*exec.Cmd)) *app {
	t.Helper()
	m := readManifest(t, dir)
	port := freePort(t)
	env := []string{
		"PATH=" + os.Getenv("PATH"),
		"DATABRICKS_APP_NAME=mcp-ontogate", "DATABRICKS_APP_PORT=" + port, "DATABRICKS_HOST=" + w.URL,
		"DATABRICKS_CLIENT_ID=app-principal", "DATABRICKS_CLIENT_SECRET=app-secret",
	}
	for _, v := range m.Env {
		value := v.Value
		if v.ValueFrom != "" {
			if value = resources[v.ValueFrom]; value == "" {
				t.Fatalf("app.yaml wants the resource %q", v.ValueFrom)
			}
		}
		env = append(env, v.Name+"="+value)
	}
	a := &app{t: t, url: "http://127.0.0.1:" + port, log: &logBuffer{}, done: make(chan error, 1)}
	a.cmd = exec.Command(m.Command[0], m.Command[1:]...)
	a.cmd.Dir, a.cmd.Env, a.cmd.Stdout, a.cmd.Stderr = dir, env, a.log, a.log
	if change != nil {
		change(a.cmd)
	}
	if err := a.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { a.done <- a.cmd.Wait() }()
	t.Cleanup(func() { _ = a.cmd.Process.Kill() })
	a.untilReady()
	return a
}

func freePort(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	_, port, _ := net.SplitHostPort(ln.Addr().String())
	return port
}

// untilReady waits until the app has said that it serves.
func (a *app) untilReady() {
	a.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(patience)
	for !strings.Contains(a.log.String(), "Ontogate serves") {
		select {
		case err := <-a.done:
			a.t.Fatalf("the app ended: %v\n%s", err, a.log)
		case <-limit:
			a.t.Fatalf("the app does not start:\n%s", a.log)
		case <-tick.C:
		}
	}
}

// user are the headers of the platform's proxy.
var user = http.Header{
	"X-Forwarded-Host": {"mcp-ontogate-1.aws.databricksapps.com"}, "X-Forwarded-User": {"7@1"}, "X-Forwarded-Email": {"jo@example.org"},
	"X-Forwarded-Access-Token": {"jos-own-token"}, "Origin": {"https://mcp-ontogate-1.aws.databricksapps.com"},
}

// send sends a request through the imagined proxy.
func (a *app) send(method, path, session, body string, header http.Header) (status int, answer, newSession string) {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(a.t.Context(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, a.url+path, strings.NewReader(body))
	if err != nil {
		a.t.Fatal(err)
	}
	req.Header = header.Clone()
	if req.Header == nil {
		req.Header = http.Header{}
	}
	req.Host = "mcp-ontogate-1.aws.databricksapps.com"
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
	}
	if session != "" {
		req.Header.Set("Mcp-Session-Id", session)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		a.t.Fatalf("%s %s: %v\n%s", method, path, err, a.log)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		a.t.Fatal(err)
	}
	return res.StatusCode, string(data), res.Header.Get("Mcp-Session-Id")
}

// call calls a tool and returns its text.
func (a *app) call(session, tool, args string) string {
	a.t.Helper()
	status, answer, _ := a.send("POST", "/mcp", session, fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, args), user)
	var m struct {
		Result struct {
			Content []struct{ Text string }
			IsError bool
		}
	}
	data := answer
	for line := range strings.Lines(answer) { // an answer may be one event of a stream
		if event, ok := strings.CutPrefix(line, "data:"); ok && strings.Contains(event, `"id":2`) {
			data = event
		}
	}
	if err := json.Unmarshal([]byte(data), &m); err != nil || status != 200 || len(m.Result.Content) != 1 || m.Result.IsError {
		a.t.Fatalf("%s %s: status %d, %v\n%s\n%s", tool, args, status, err, answer, a.log)
	}
	return m.Result.Content[0].Text
}

// stop ends the app as the platform does.
func (a *app) stop() {
	a.t.Helper()
	if err := a.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		a.t.Fatal(err)
	}
	select {
	case err := <-a.done:
		if err != nil {
			a.t.Errorf("SIGTERM ends the app with %v:\n%s", err, a.log)
		}
	case <-time.After(patience):
		a.t.Fatalf("SIGTERM does not end the app:\n%s", a.log)
	}
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"playground","version":"1"}}}`

// TestApp stages the app and starts it.
func TestApp(t *testing.T) {
	needsApp(t)
	upstream := bricktest.New(t)
	upstream.Add(bricktest.Customer360(), bricktest.Finance())
	upstream.RequireToken(func(token string) bool { return strings.HasPrefix(token, "app-token-") })
	dir := stage(t, upstream.URL)
	checkSizes(t, dir)
	t.Run("conversation", func(t *testing.T) { converse(t, dir, upstream) })
	t.Run("read-only folder", func(t *testing.T) { startReadOnly(t, dir) })
}

// converse speaks with the app as Playground does.
func converse(t *testing.T, dir string, upstream *bricktest.Deployment) {
	w := newWorkspace(t)
	a := startApp(t, dir, w, nil)

	if status, answer, _ := a.send("POST", "/mcp", "", initialize, nil); status != 401 {
		t.Errorf("a request without a user is answered %d %s", status, answer)
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		if status, answer, _ := a.send("GET", path, "", "", nil); status != 200 {
			t.Errorf("%s is answered %d %s\n%s", path, status, answer, a.log)
		}
	}
	checkHealth(t, a, upstream.URL)

	status, answer, session := a.send("POST", "/mcp", "", initialize, user)
	if status != 200 || session == "" {
		t.Fatalf("initialize: %d %s", status, answer)
	}
	if text := a.call(session, "list_domains", "{}"); !strings.Contains(text, "customer360") || !strings.Contains(text, "finance") {
		t.Errorf("list_domains:\n%s", text)
	}
	if text := a.call(session, "select_domain", `{"domain_name":"customer360"}`); !strings.Contains(text, "customer360") {
		t.Errorf("select_domain:\n%s", text)
	}
	if text := a.call(session, "describe_ontology", "{}"); !strings.Contains(text, "Customer") {
		t.Errorf("describe_ontology:\n%s", text)
	}
	checkForwarding(t, upstream)
	if n := w.tokens.Load(); n != 1 {
		t.Errorf("%d tokens were fetched, want 1", n)
	}
	a.stop()
	for _, secret := range []string{"app-token", "app-secret", "jos-own-token", "jo@example.org", upstream.URL} {
		if strings.Contains(a.log.String(), secret) {
			t.Errorf("the log tells %q:\n%s", secret, a.log)
		}
	}
}

// checkSizes holds that the platform takes every file.
func checkSizes(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > mostBytes || !info.Mode().IsRegular() {
			t.Errorf("%s has %d bytes, mode %v", e.Name(), info.Size(), info.Mode())
		}
	}
}

// checkHealth holds what GET / says to a probe (OntoBricks contract 3.1).
func checkHealth(t *testing.T, a *app, upstream string) {
	t.Helper()
	status, answer, _ := a.send("GET", "/", "", "", nil)
	var health struct {
		Status    string `json:"status"`
		URL       string `json:"ontobricks_url"`
		Warehouse string `json:"warehouse_id"`
		Registry  string `json:"registry"`
	}
	if err := json.Unmarshal([]byte(answer), &health); err != nil || status != 200 {
		t.Fatalf("GET /: %d %v\n%s", status, err, answer)
	}
	if health.Status != "healthy" || health.URL != upstream || health.Warehouse != resources["sql-warehouse"] || health.Registry != resources["volume"] {
		t.Errorf("GET /: %s", answer)
	}
}

// checkForwarding holds that calls reach OntoBricks with the app's token, the user's
// identity and the registry of the volume.
func checkForwarding(t *testing.T, upstream *bricktest.Deployment) {
	t.Helper()
	asUser := 0
	for _, r := range upstream.Requests() {
		if !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer app-token-") {
			t.Errorf("%s %s is sent with Authorization %q", r.Method, r.Path, r.Header.Get("Authorization"))
		}
		if r.Header.Get("X-Forwarded-Email") == "jo@example.org" && r.Header.Get("X-Forwarded-Access-Token") == "jos-own-token" {
			asUser++
		}
		if strings.HasSuffix(r.Path, "/domains") && (r.Query.Get("registry_catalog") != "main" || r.Query.Get("registry_schema") != "registry") {
			t.Errorf("%s asks with %v", r.Path, r.Query)
		}
	}
	if asUser == 0 {
		t.Error("no request is the user's")
	}
}

// startReadOnly holds that the app starts where its own folder cannot be written.
func startReadOnly(t *testing.T, dir string) {
	if err := os.RemoveAll(filepath.Join(dir, ".unpacked")); err != nil {
		t.Fatal(err)
	}
	temp := filepath.Join(filepath.Dir(dir), "tmp")
	if err := os.Mkdir(temp, 0o777); err != nil {
		t.Fatal(err)
	}
	for path, mode := range map[string]os.FileMode{dir: 0o555, temp: 0o777} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	a := startApp(t, dir, newWorkspace(t), func(cmd *exec.Cmd) {
		cmd.Env = append(cmd.Env, "TMPDIR="+temp)
		if os.Getuid() == 0 { // who may write everywhere
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
	})
	a.stop()
	if made, err := filepath.Glob(temp + "/ontogate.*/ontogate"); err != nil || len(made) != 1 {
		t.Errorf("the temporary folder holds %v, %v", made, err)
	}
}

// TestBrokenParts holds that a program which arrived in part is not started.
func TestBrokenParts(t *testing.T) {
	needsApp(t)
	dir := t.TempDir()
	script, err := os.ReadFile("start.sh")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"start.sh": script, "ontogate.gz.aa": {0x1f, 0x8b, 8, 0}} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "sh", "start.sh", "serve")
	cmd.Dir, cmd.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "TMPDIR=" + t.TempDir()}
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "can be unpacked neither in "+dir) {
		t.Errorf("%v:\n%s", err, out)
	}
}

// TestEndedStart holds that a start which is ended while it unpacks leaves nothing.
func TestEndedStart(t *testing.T) {
	needsApp(t)
	dir, bin := t.TempDir(), t.TempDir()
	script, err := os.ReadFile("start.sh")
	if err != nil {
		t.Fatal(err)
	}
	for path, data := range map[string]string{
		dir + "/start.sh": string(script), dir + "/ontogate.gz.aa": "",
		bin + "/gzip": "#!/bin/sh\necho half\nkill -TERM $PPID\n", // the platform, at the worst time
	} {
		if err := os.WriteFile(path, []byte(data), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "sh", "start.sh", "serve")
	cmd.Dir, cmd.Env = dir, []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "TMPDIR=" + t.TempDir()}
	if out, err := cmd.CombinedOutput(); err == nil {
		t.Errorf("it went on:\n%s", out)
	}
	if left, err := filepath.Glob(dir + "/.unpacked/*"); err != nil || len(left) > 0 {
		t.Errorf("it left %v, %v", left, err)
	}
}

// TestStageRefuses holds that staging ends with what is too large, or no URL.
func TestStageRefuses(t *testing.T) {
	needsApp(t)
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, url := range []string{"http://brick.test", "brick.test", "https://brick.test/a|b", "https://"} {
		cmd := exec.CommandContext(t.Context(), "sh", "stage.sh", program, filepath.Join(t.TempDir(), "app"))
		cmd.Env = append(os.Environ(), "BUNDLE_VAR_ontobricks_url="+url)
		if out, err := cmd.CombinedOutput(); err == nil || !bytes.Contains(out, []byte("BUNDLE_VAR_ontobricks_url")) {
			t.Errorf("%s: %v\n%s", url, err, out)
		}
	}
}

// TestStageIsWholeOrFails holds that nothing is staged in part, and that only what was
// staged is replaced.
func TestStageIsWholeOrFails(t *testing.T) {
	needsApp(t)
	stage := func(program, folder string) (out []byte, err error) {
		cmd := exec.CommandContext(t.Context(), "sh", "stage.sh", program, folder)
		cmd.Env = append(os.Environ(), "BUNDLE_VAR_ontobricks_url=https://brick.test")
		return cmd.CombinedOutput()
	}
	dir := t.TempDir()
	program, folder := filepath.Join(dir, "program"), filepath.Join(dir, "app")
	if out, err := stage(program, folder); err == nil {
		t.Errorf("without a program it succeeds:\n%s", out)
	}
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if out, err := stage(program, folder); err != nil {
			t.Fatalf("with one it fails: %v\n%s", err, out)
		}
	}
	if out, err := stage(program, dir); err == nil || !bytes.Contains(out, []byte("something else")) {
		t.Errorf("into a folder of somebody: %v\n%s", err, out)
	}
	if _, err := os.Stat(program); err != nil {
		t.Errorf("a file beside the app is gone: %v", err)
	}
}

// TestBundle holds that app.yaml and the bundle fit each other, and what the platform
// asks of names.
func TestBundle(t *testing.T) {
	data, err := os.ReadFile("databricks.yml")
	if err != nil {
		t.Fatal(err)
	}
	var bundle struct {
		Variables map[string]struct {
			Default string `yaml:"default"`
		} `yaml:"variables"`
		Sync      struct{ Paths, Include []string } `yaml:"sync"`
		Resources struct {
			Apps map[string]struct {
				Name       string `yaml:"name"`
				SourcePath string `yaml:"source_code_path"`
				Resources  []struct {
					Name string `yaml:"name"`
				} `yaml:"resources"`
			} `yaml:"apps"`
		} `yaml:"resources"`
		Targets map[string]any `yaml:"targets"`
	}
	if err := yaml.Unmarshal(data, &bundle); err != nil {
		t.Fatal(err)
	}
	app := bundle.Resources.Apps["mcp_ontogate"]
	if app.Name != "${var.app_name}" || !strings.HasPrefix(bundle.Variables["app_name"].Default, "mcp-") || app.SourcePath != "../dist/app" {
		t.Errorf("the app is %+v, its name by default %q", app, bundle.Variables["app_name"].Default)
	}
	bound := map[string]bool{}
	for _, r := range app.Resources {
		bound[r.Name] = true
	}
	for _, v := range readManifest(t, domaintest.Root(t)).Env {
		if v.ValueFrom != "" && !bound[v.ValueFrom] {
			t.Errorf("app.yaml takes %s from %q, which the bundle does not bind", v.Name, v.ValueFrom)
		}
	}
	for _, used := range regexp.MustCompile(`\$\{var\.([a-z_]+)\}`).FindAllStringSubmatch(string(data), -1) {
		if _, ok := bundle.Variables[used[1]]; !ok {
			t.Errorf("databricks.yml uses the variable %s and does not declare it", used[1])
		}
	}
	for _, target := range []string{"dev", "prod"} {
		if _, ok := bundle.Targets[target]; !ok {
			t.Errorf("there is no target %s", target)
		}
	}
}
