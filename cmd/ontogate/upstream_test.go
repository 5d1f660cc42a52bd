package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/ontogate/ontogate/docs/doctest"
	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks"
)

// DATABRICKS_APP_PORT makes serve a Databricks App, and nothing else.
func TestAppMode(t *testing.T) {
	env := map[string]string{"DATABRICKS_APP_PORT": "0", "ONTOBRICKS_URL": "https://brick.test", "REGISTRY_VOLUME_PATH": "/Volumes/c/s/v"}
	for _, c := range []struct {
		args []string
		app  bool
	}{
		{[]string{"serve"}, true}, // on all addresses, without --allow-anonymous
		{[]string{"serve", "--addr", "127.0.0.1:0"}, true},
		{[]string{"stdio"}, false},
		{[]string{"call", "list_domains"}, false},
	} {
		if w := built(t, env, c.args...); w.server.App != c.app || w.server.Deployment.Registry != "/Volumes/c/s/v" || w.upstream.Registry.Volume != "v" {
			t.Errorf("%v: App %v, deployment %+v, registry %+v", c.args, w.server.App, w.server.Deployment, w.upstream.Registry)
		}
	}
	if w := built(t, nil, "serve", "--addr", "127.0.0.1:0"); w.server.App {
		t.Error("serve is an app without DATABRICKS_APP_PORT")
	}
}

// An App with nothing to serve does not start: in it the samples would hide a mistake of
// the deployment.
func TestAppWithoutDomains(t *testing.T) {
	env := map[string]string{"DATABRICKS_APP_PORT": "0", "ONTOBRICKS_URL": "", "REGISTRY_VOLUME_PATH": "/Volumes/c/s/v"}
	r := execute(t, env, "serve")
	if r.Exit != exitUsage || r.Stdout != "" || !strings.Contains(r.Stderr, "ONTOBRICKS_URL") || !strings.Contains(r.Stderr, "--domains") || strings.Contains(r.Stderr, "sample domains are used") {
		t.Errorf("%+v", r)
	}
	if w := built(t, env, "serve", "--domains", "graphs"); w.folder == nil || w.folder.Dir != "graphs" || !w.server.App {
		t.Errorf("with --domains: %+v", w)
	}
	if w := built(t, env, "call", "list_domains"); w.folder == nil {
		t.Errorf("a call: %+v", w)
	}
}

// Credentials are sent where they were given for it: a deployment on this machine gets
// none that lie in the home folder.
func TestCredentials(t *testing.T) {
	home := t.TempDir()
	writeFile(t, filepath.Join(home, ".databrickscfg"), []byte("[DEFAULT]\nhost = https://ws.test\ntoken = default-token\n[dev]\nhost = https://ws.test\ntoken = dev-token\n"))
	for _, c := range []struct {
		upstream string
		env      string
		flags    []string
		token    string // empty: none is sent
	}{
		{"https://brick.test", "", nil, "default-token"},
		{"https://brick.test", "DATABRICKS_TOKEN=t DATABRICKS_HOST=https://ws.test", nil, "t"},
		{"https://brick.test", "", []string{"--profile", "dev"}, "dev-token"},
		{"https://brick.test", "DATABRICKS_CONFIG_PROFILE=dev", nil, "dev-token"},
		{"http://localhost:8000", "", nil, ""},
		{"http://127.0.0.1:8000", "", nil, ""},
		{"http://[::1]:8000", "", nil, ""},
		{"http://localhost:8000", "DATABRICKS_TOKEN=t DATABRICKS_HOST=https://ws.test", nil, "t"},
		{"http://localhost:8000", "", []string{"--profile", "dev"}, "dev-token"},
		{"https://localhost.test", "", nil, "default-token"},
	} {
		env := map[string]string{"HOME": home}
		for _, v := range strings.Fields(c.env) {
			name, value, _ := strings.Cut(v, "=")
			env[name] = value
		}
		w := built(t, env, append([]string{"stdio", "--upstream", c.upstream}, c.flags...)...)
		token := ""
		if w.upstream.Tokens != nil {
			var err error
			if token, err = w.upstream.Tokens.Token(t.Context()); err != nil {
				t.Errorf("%s with %q %v: %v", c.upstream, c.env, c.flags, err)
			}
		}
		if token != c.token {
			t.Errorf("%s with %q %v: sends %q, want %q", c.upstream, c.env, c.flags, token, c.token)
		}
	}
}

// Without credentials it is said what to set, and nothing is sent.
func TestNoCredentials(t *testing.T) {
	var errs strings.Builder
	p := programFor(io.Discard, &errs, map[string]string{"HOME": t.TempDir()})
	p.connect = func(c ontobricks.Config) (domains.Backend, error) {
		if c.Tokens != nil {
			t.Errorf("sends tokens of %T", c.Tokens)
		}
		return troubled{}, nil
	}
	p.run(t.Context(), []string{"call", "list_domains", "--upstream", "https://brick.test"})
	if !strings.Contains(errs.String(), "DATABRICKS_TOKEN") || !strings.Contains(errs.String(), "--profile") {
		t.Errorf("does not say what to set:\n%s", &errs)
	}
}

// Where a registry alone means a deployment on this machine, that is said: nobody gave
// its address.
func TestAssumedUpstream(t *testing.T) {
	const says = "so OntoBricks is asked on this machine, at http://localhost:8000"
	for upstream, told := range map[string]bool{"": true, "http://localhost:8000": false} {
		var errs strings.Builder
		p := programFor(io.Discard, &errs, map[string]string{"REGISTRY_CATALOG": "c", "REGISTRY_SCHEMA": "s", "ONTOBRICKS_URL": upstream})
		p.connect = func(ontobricks.Config) (domains.Backend, error) { return troubled{}, nil }
		p.run(t.Context(), []string{"call", "list_domains"})
		if strings.Contains(errs.String(), says) != told || strings.Contains(errs.String(), "sample domains") {
			t.Errorf("with ONTOBRICKS_URL=%s:\n%s", upstream, &errs)
		}
	}
}

// A profile that is named and not there ends the start.
func TestProfileFlag(t *testing.T) {
	home := t.TempDir()
	writeFile(t, filepath.Join(home, ".databrickscfg"), []byte("[dev]\nhost = https://ws.test\ntoken = secret-token\n"))
	r := execute(t, map[string]string{"HOME": home}, "call", "list_domains", "--upstream", "https://brick.test", "--profile", "prod")
	if r.Exit != exitFailed || !strings.Contains(r.Stderr, "prod") || strings.Contains(r.Stderr, "secret-token") {
		t.Errorf("%+v", r)
	}
}

// What is no URL of a deployment is refused without telling it again: it may hold a
// password.
func TestFaultyUpstream(t *testing.T) {
	for name, args := range map[string][]string{
		"no scheme":             {"--upstream", "brick.test"},
		"another scheme":        {"--upstream", "ftp://brick.test"},
		"no host":               {"--upstream", "https:///path"},
		"a user":                {"--upstream", "https://jo:hidden@brick.test"},
		"a query":               {"--upstream", "https://brick.test?token=hidden"},
		"half a registry":       {"--upstream", "https://brick.test", "--registry-schema", "s"},
		"half a registry alone": {"--registry-catalog", "c"}, // not the samples instead
	} {
		r := execute(t, nil, append([]string{"call", "list_domains"}, args...)...)
		if r.Exit != exitUsage || strings.Contains(r.Stderr, "hidden") || !strings.Contains(r.Stderr, "--") {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// A token never travels to another machine in the clear.
func TestTokenInTheClear(t *testing.T) {
	r := execute(t, map[string]string{"DATABRICKS_TOKEN": "secret-token", "DATABRICKS_HOST": "https://ws.test"}, "call", "list_domains", "--upstream", "http://brick.test")
	if r.Exit != exitFailed || !strings.Contains(r.Stderr, "https") || strings.Contains(r.Stderr, "secret-token") {
		t.Errorf("%+v", r)
	}
}

// unreachable is a deployment that does not answer.
type unreachable struct{ troubled }

func (u unreachable) As(domains.Principal) domains.Backend { return u }

func (u unreachable) Domains(context.Context) ([]domains.Info, error) {
	return nil, &domains.Error{Kind: domains.ErrUpstream, Message: "OntoBricks did not answer.", Err: errors.New("https://internal.test/api")}
}

// A deployment that does not answer at the start does not end it: it is told, and
// what else there is is served.
func TestUnreachableUpstream(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir+"/zoo/zoo.ttl", []byte("<https://zoo.test/A> a <http://www.w3.org/2002/07/owl#Class> .\n"))
	for name, c := range map[string]struct {
		args []string
		says []string
	}{
		"alone":         {nil, []string{"serves 0 domains", "cannot be listed: OntoBricks did not answer."}},
		"with a folder": {[]string{"--domains", dir}, []string{"serves 1 domain", "\n  zoo", "cannot be listed: OntoBricks did not answer."}},
	} {
		t.Run(name, func(t *testing.T) {
			var out, errs lockedBuffer
			p := programFor(&out, &errs, nil)
			p.connect = func(ontobricks.Config) (domains.Backend, error) { return unreachable{}, nil }
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan int, 1)
			go func() {
				ended <- p.run(ctx, append([]string{"serve", "--addr", "127.0.0.1:0", "--upstream", "http://127.0.0.1:1"}, c.args...))
			}()
			out.wait("Clients can connect all the same", patience)
			stop()
			if code := <-ended; code != 0 {
				t.Errorf("exit code %d", code)
			}
			for _, says := range c.says {
				if !strings.Contains(out.String(), says) {
					t.Errorf("lacks %q:\n%s%s", says, &out, &errs)
				}
			}
			if strings.Contains(out.String(), "internal.test") {
				t.Errorf("tells a cause:\n%s", &out)
			}
		})
	}
}

// A call of a deployment that refuses connections sends each request once, and says once
// what is wrong.
func TestCallOfNothing(t *testing.T) {
	sent := map[string]int{}
	var out, errs strings.Builder
	p := programFor(&out, &errs, nil)
	p.connect = func(c ontobricks.Config) (domains.Backend, error) {
		c.Transport = refusing(func(path string) { sent[path]++ })
		return connectOntoBricks(c)
	}
	code := p.run(t.Context(), []string{"call", "list_domains", "--upstream", "http://127.0.0.1:1"})
	if code != exitFailed || sent["/api/v1/domains"] != 1 || len(sent) > 2 || errs.String() != "" || !strings.HasPrefix(out.String(), "OntoBricks cannot be reached: nothing accepts connections") {
		t.Errorf("exit code %d after the requests %v\n%s\n%s", code, sent, &out, &errs)
	}
}

// refusing is a transport that notes the path and refuses every connection.
type refusing func(path string)

func (r refusing) RoundTrip(q *http.Request) (*http.Response, error) {
	r(q.URL.Path)
	return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
}

// Names that both sides have end the start, and all of them are named.
func TestClashAtStart(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"trouble", "zoo"} {
		writeFile(t, dir+"/"+name+"/zoo.ttl", []byte("<https://zoo.test/A> a <http://www.w3.org/2002/07/owl#Class> .\n"))
	}
	var out, errs strings.Builder
	p := programFor(&out, &errs, nil)
	p.connect = func(ontobricks.Config) (domains.Backend, error) { return troubled{}, nil }
	code := p.run(t.Context(), []string{"call", "list_domains", "--domains", dir, "--upstream", "https://brick.test"})
	if code != exitFailed || out.String() != "" || !strings.Contains(errs.String(), "the folder of --domains and OntoBricks have a domain named \"trouble\"") {
		t.Errorf("exit code %d\n%s%s", code, &out, &errs)
	}
}

// Two processes with different flags serve different domains whatever environment they
// share, and can be told apart by their names.
func TestProcessesShareNoSettings(t *testing.T) {
	folder := func(domain string) string {
		dir := t.TempDir()
		writeFile(t, dir+"/"+domain+"/a.ttl", []byte("<https://zoo.test/A> a <http://www.w3.org/2002/07/owl#Class> .\n"))
		return dir
	}
	zoo, shop := folder("zoo"), folder("shop")
	env := []string{"ONTOGATE_DOMAINS=" + zoo, "ONTOGATE_NAME=zoo graphs"}
	list := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_domains","arguments":{}}}`
	for _, c := range []struct {
		args         []string
		name, domain string
		other        string
	}{
		{nil, "zoo graphs", "zoo", "shop"},
		{[]string{"--domains", shop, "--name", "shop graphs"}, "shop graphs", "shop", "zoo"},
	} {
		p := start(t, "real", env, append([]string{"stdio"}, c.args...)...)
		got := p.answers([]string{initialize, initialized, list}, "1", "2")
		if info := string(got["1"].Result); !strings.Contains(info, `"name":"`+c.name+`"`) {
			t.Errorf("%v is called %s, want %s", c.args, info, c.name)
		}
		if text := string(got["2"].Result); !strings.Contains(text, c.domain) || strings.Contains(text, c.other) {
			t.Errorf("%v lists %s, want %s", c.args, text, c.domain)
		}
		p.stdin.Close()
		p.rest()
		p.exit()
	}
}

// The client's configuration that README.md shows starts the program in front of that
// deployment.
func TestReadmeUpstream(t *testing.T) {
	var shown struct {
		MCPServers map[string]struct{ Args []string }
	}
	block := doctest.Blocks(doctest.Readme(t), "config")["claude-desktop-upstream"]
	if err := json.Unmarshal([]byte(block), &shown); err != nil {
		t.Fatalf("%v:\n%s", err, block)
	}
	home := t.TempDir()
	writeFile(t, filepath.Join(home, ".databrickscfg"), []byte("[DEFAULT]\nhost = https://ws.test\ntoken = default-token\n"))
	w := built(t, map[string]string{"HOME": home}, shown.MCPServers["ontogate"].Args...)
	if w.upstream == nil || w.folder != nil || w.upstream.Tokens == nil || !strings.HasPrefix(w.upstream.URL, "https://ontobricks-") {
		t.Errorf("opens %+v", w)
	}
}
