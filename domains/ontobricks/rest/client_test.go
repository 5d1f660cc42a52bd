package rest_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks/rest"
)

// TestHeaders holds what is sent with a request, and what is not where nobody is known.
func TestHeaders(t *testing.T) {
	var seen http.Header
	var body, target string
	u := serve(t, func(_ int64, w http.ResponseWriter, r *http.Request) {
		seen, target = r.Header.Clone(), r.Method+" "+r.RequestURI
		data, _ := io.ReadAll(r.Body)
		body = string(data)
		says(200, good)(1, w, r)
	}, func(c *rest.Config) { c.URL += "/base/"; c.UserAgent = "ontogate/1.2" })

	if err := u.JSON(request(t), post(), nil); err != nil {
		t.Fatal(err)
	}
	want := http.Header{
		"Accept": {"application/json"}, "Accept-Encoding": {"gzip"}, "Authorization": {"Bearer " + tokenPrefix + "0"},
		"Content-Length": {"26"}, "Content-Type": {"application/json"}, "User-Agent": {"ontogate/1.2"},
		"X-Request-Id": {"req-17"}, "X-Forwarded-Email": {"ada@example.com"}, "X-Forwarded-User": {"u1"}, "X-Forwarded-Access-Token": {userToken},
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("headers of a write (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("POST /base/api/v1/domains?search="+querySecret+` {"iri":"`+bodySecret+`"}`, target+" "+body); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}

	if err := u.JSON(t.Context(), rest.Request{Method: http.MethodGet, Path: "/domains/a%2Fb"}, nil); err != nil {
		t.Fatal(err)
	}
	want = http.Header{
		"Accept": {"application/json"}, "Accept-Encoding": {"gzip"}, "Authorization": {"Bearer " + tokenPrefix + "0"}, "User-Agent": {"ontogate/1.2"},
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("headers of the program's own read (-want +got):\n%s", diff)
	}
	if target != "GET /base/domains/a%2Fb" {
		t.Errorf("sent %s", target)
	}
}

// TestCookies holds that no cookie of an answer is ever sent, or passed on.
func TestCookies(t *testing.T) {
	cookies := 0
	u := serve(t, func(n int64, w http.ResponseWriter, r *http.Request) {
		cookies += len(r.Cookies())
		http.SetCookie(w, &http.Cookie{Name: "ontobricks_session", Value: "s1", Path: "/"})
		if n == 1 {
			http.Redirect(w, r, "/other", http.StatusFound)
			return
		}
		says(200, good)(n, w, r)
	}, nil)
	for range 2 {
		if err := u.JSON(request(t), get(), nil); err != nil {
			t.Fatal(err)
		}
	}
	reply, err := u.Reply(request(t), get())
	if err != nil {
		t.Fatal(err)
	}
	reply.Body.Close()
	if cookies != 0 || u.requests.Load() != 4 {
		t.Errorf("%d cookies in %d requests", cookies, u.requests.Load())
	}
}

// TestRedirects holds that redirects are followed at home only, and that nothing is sent
// elsewhere.
func TestRedirects(t *testing.T) {
	elsewhere := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere++ }))
	defer other.Close()
	var second http.Header
	u := serve(t, func(n int64, w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/v1/domains":
			http.Redirect(w, r, "/home", http.StatusTemporaryRedirect)
		case "/home":
			second = r.Header.Clone()
			says(200, good)(n, w, r)
		default:
			http.Redirect(w, r, other.URL+"/login", http.StatusFound)
		}
	}, nil)
	if err := u.JSON(request(t), get(), nil); err != nil {
		t.Errorf("at home: %v", err)
	}
	if second.Get("Authorization") == "" || second.Get("X-Forwarded-Access-Token") != userToken {
		t.Errorf("at home the headers are %v", second)
	}
	away := get()
	away.Path = "/away"
	err := u.JSON(request(t), away, nil)
	u.noSecrets(t, err)
	if _, f := message(t, err); f.Status != http.StatusFound || elsewhere != 0 {
		t.Errorf("elsewhere: %v, %d requests arrived there", err, elsewhere)
	}
	if _, err := u.Reply(request(t), away); err == nil || elsewhere != 0 {
		t.Errorf("a reply elsewhere: %v, %d requests arrived there", err, elsewhere)
	}
}

// TestBase holds how the paths of the URL and of a request are joined.
func TestBase(t *testing.T) {
	for base, want := range map[string]string{
		"https://h": "https://h/api", "https://h/": "https://h/api", "https://h//": "https://h/api",
		"https://h/a%2Fb/": "https://h/a%2Fb/api", "https://h:8443/a/b": "https://h:8443/a/b/api", " https://h ": "https://h/api",
	} {
		got := ""
		c, err := rest.New(rest.Config{URL: base, Transport: trip(func(r *http.Request) (*http.Response, error) {
			got = r.URL.String()
			return nil, errors.New("no")
		})})
		if err != nil {
			t.Fatal(err)
		}
		if c.JSON(t.Context(), rest.Request{Method: http.MethodGet, Path: "/api"}, nil); got != want {
			t.Errorf("%s: %s, want %s", base, got, want)
		}
	}
}

// TestNew holds which addresses are refused, and that none is shown.
func TestNew(t *testing.T) {
	for _, row := range []struct {
		url    string
		tokens rest.Tokens
		ok     bool
	}{
		{"http://localhost:8000", &tokens{}, true},
		{"http://127.8.0.1/x/", &tokens{}, true},
		{"http://[::1]:8000", &tokens{}, true},
		{"https://bricks.example.com/api", &tokens{}, true},
		{"http://bricks.example.com", nil, true},
		{"http://bricks.example.com", &tokens{}, false},
		{"http://localhost.example.com", &tokens{}, false},
		{"", nil, false},
		{"bricks.example.com", nil, false},
		{"ftp://bricks.example.com", nil, false},
		{"https:///path", nil, false},
		{"https://ada:secret@bricks.example.com", nil, false},
		{"https://bricks.example.com?token=secret", nil, false},
		{"https://bricks.example.com/%zz", nil, false},
		{"https://bricks.example.com#secret", nil, false},
	} {
		_, err := rest.New(rest.Config{URL: row.url, Tokens: row.tokens})
		if (err == nil) != row.ok {
			t.Errorf("%s: %v", row.url, err)
		}
		if err != nil && (strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "bricks.example.com")) {
			t.Errorf("%s is shown: %v", row.url, err)
		}
	}
}

// TestPlainHTTP holds that the token of a user is not sent where others can read it.
func TestPlainHTTP(t *testing.T) {
	sent := 0
	c, err := rest.New(rest.Config{URL: "http://bricks.example.com", Transport: trip(func(*http.Request) (*http.Response, error) {
		sent++
		return nil, io.EOF
	})})
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := message(t, c.JSON(t.Context(), post(), nil)); sent != 0 || !strings.Contains(text, "https") {
		t.Errorf("%d requests, %s", sent, text)
	}
}

// TestBadRequests holds that what cannot be a request is not sent, and is not shown.
func TestBadRequests(t *testing.T) {
	u := serve(t, says(200, good), nil)
	for name, change := range map[string]func(*rest.Request){
		"path":   func(r *rest.Request) { r.Path = "api" },
		"query":  func(r *rest.Request) { r.Path = "/api?x=" + querySecret },
		"escape": func(r *rest.Request) { r.Path = "/%zz" + querySecret },
		"method": func(r *rest.Request) { r.Method = "GET " + querySecret },
		"header": func(r *rest.Request) { r.Principal.Email = "ada@example.com\r\nX-Forwarded-User: root" },
	} {
		r := get()
		change(&r)
		err := u.JSON(request(t), r, nil)
		u.noSecrets(t, err)
		if text, _ := message(t, err); u.requests.Load() != 0 || !strings.Contains(text, "cannot be sent") {
			t.Errorf("%s: %s, %d requests", name, text, u.requests.Load())
		}
	}
}

type trip func(*http.Request) (*http.Response, error)

func (f trip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestUnreachable holds the texts for a service that no connection reaches.
func TestUnreachable(t *testing.T) {
	for name, row := range map[string]struct {
		err  error
		want string
		sent int
	}{
		"refused": {&net.OpError{Op: "dial", Err: errors.New("connection refused")}, "nothing accepts connections", 1},
		"DNS":     {&net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "bricks.example.com"}}, "is not known in this network", 1},
		"http":    {http.ErrSchemeMismatch, "does not speak https", 1},
		"other":   {fmt.Errorf("malformed %q", querySecret), "no answer that can be read", 1},
		"reset": {&net.OpError{Op: "read", Net: "tcp", Source: &net.TCPAddr{IP: net.IPv4(10, 1, 2, 3), Port: 4}, Addr: &net.TCPAddr{IP: net.IPv4(10, 1, 2, 3), Port: 443},
			Err: os.NewSyscallError("read", syscall.ECONNRESET)}, "broke before it answered", 6},
		"name server": {&net.OpError{Op: "dial", Err: &net.DNSError{Err: "read udp 10.1.2.3:5->10.1.2.3:53: i/o timeout", Name: "bricks.example.com", Server: "10.1.2.3:53"}}, "is not known in this network", 1},
		"certificate": {&tls.CertificateVerificationError{Err: x509.HostnameError{Host: "bricks.example.com", Certificate: &x509.Certificate{DNSNames: []string{"x.example.com"}}}}, "not trusted", 1},
		"connecting":  {&net.OpError{Op: "dial", Addr: &net.TCPAddr{IP: net.IPv4(10, 1, 2, 3), Port: 443}, Err: os.ErrDeadlineExceeded}, "no connection came about in time", 1},
	} {
		sent := 0
		c, err := rest.New(rest.Config{
			URL: "https://bricks.example.com", Sleep: func(context.Context, time.Duration) error { return nil },
			Transport: trip(func(*http.Request) (*http.Response, error) {
				sent++
				return nil, row.err
			}),
		})
		if err != nil {
			t.Fatal(err)
		}
		err = c.JSON(t.Context(), get(), nil)
		text, _ := message(t, err)
		if !strings.Contains(text, row.want) || sent != row.sent || strings.Contains(err.Error(), "example.com") || strings.Contains(err.Error(), "10.1.2.3") || strings.Contains(err.Error(), querySecret) {
			t.Errorf("%s: %d sent: %v", name, sent, err)
		}
	}
}

// TestCertificate holds the text for a certificate that is not trusted.
func TestCertificate(t *testing.T) {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.StartTLS()
	defer server.Close()
	c, err := rest.New(rest.Config{URL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if text, _ := message(t, c.JSON(t.Context(), get(), nil)); !strings.Contains(text, "not trusted") {
		t.Error(text)
	}
}

// TestTokenFails holds that the text of a token source reaches the caller, and that an
// error without one is not shown.
func TestTokenFails(t *testing.T) {
	u := serve(t, says(401, ""), nil)
	u.tokens.err = &domains.Error{Kind: domains.ErrUpstream, Message: "The workspace refused the client secret. Make a new one."}
	if text, _ := message(t, u.JSON(request(t), post(), nil)); text != "The workspace refused the client secret. Make a new one." {
		t.Error(text)
	}
	if diff := cmp.Diff([]string{tokenPrefix + "0"}, u.tokens.spoiled); diff != "" {
		t.Errorf("refused tokens (-want +got):\n%s", diff)
	}
	u.tokens.err = errors.New(userToken)
	err := u.JSON(request(t), get(), nil)
	u.noSecrets(t, err)
	if text, _ := message(t, err); !strings.Contains(text, "DATABRICKS_CLIENT_ID") || u.requests.Load() != 1 {
		t.Errorf("%s, %d requests", text, u.requests.Load())
	}
}

// TestEnds holds that the end of a call's context ends the call, with its error.
func TestEnds(t *testing.T) {
	arrived := make(chan struct{}, 2)
	u := serve(t, func(n int64, w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		hang(n, w, r)
	}, nil)
	ctx, cancel := context.WithCancel(request(t))
	go func() {
		<-arrived
		cancel()
	}()
	err := u.JSON(ctx, post(), nil)
	if text, _ := message(t, err); !errors.Is(err, context.Canceled) || !strings.Contains(text, "may have been carried out") {
		t.Errorf("cancelled: %v", err)
	}
	if n := u.requests.Load(); n != 1 {
		t.Errorf("%d requests", n)
	}
	ctx, cancel = context.WithTimeout(request(t), 30*time.Millisecond)
	defer cancel()
	if err := u.JSON(ctx, get(), nil); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, domains.ErrLimit) {
		t.Errorf("out of time: %v", err)
	}
}

// TestEndsBetween holds that a call that ends while it waits for a repeat has the
// error of its context.
func TestEndsBetween(t *testing.T) {
	ctx, cancel := context.WithCancel(request(t))
	u := serve(t, says(503, ""), func(c *rest.Config) {
		c.Sleep = func(ctx context.Context, _ time.Duration) error {
			cancel()
			<-ctx.Done()
			return ctx.Err()
		}
	})
	if err := u.JSON(ctx, get(), nil); !errors.Is(err, context.Canceled) || u.requests.Load() != 1 {
		t.Errorf("%v, %d requests", err, u.requests.Load())
	}
}
