package rest

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/ontogate/ontogate/domains"
)

// Tokens gives access tokens. All methods may be called concurrently.
type Tokens interface {
	// Token is valid for the next requests. It is cheap when cached; concurrent callers
	// share one fetch. The Message of an error that is a domains.Error is shown to the
	// caller.
	Token(ctx context.Context) (string, error)
	// Spoiled says that the service refused this token: the next Token is a new one.
	Spoiled(token string)
}

// Config says how a Client reaches its deployment.
type Config struct {
	// URL is the base: http(s)://host[:port][/path], without query and user info.
	// Required. With Tokens it is https, or a loopback host.
	URL string
	// Tokens gives the token of each request; nil sends no Authorization.
	Tokens Tokens
	// Transport sends requests; nil means a NewTransport of the client's own.
	Transport http.RoundTripper
	// Timeout bounds one request: all of it for JSON; for Reply the wait for the header,
	// and then each wait for more of the body. 0 means 20 s.
	Timeout time.Duration
	// RetryFor bounds the repeats of one call: none starts later than this after the
	// call began. 0 means 10 s.
	RetryFor time.Duration
	// MostBytes bounds one answer after decompression; 0 means 32 MiB.
	MostBytes int64
	// UserAgent is the header of that name; "" means "ontogate".
	UserAgent string
	// Logger is told of repeats and of the circuit; nil means silence.
	Logger *slog.Logger
	// Clock, Sleep and Random (0 ≤ x < 1) serve the repeats; nil means the real ones.
	// Time-outs and the circuit follow the real clock.
	Clock  func() time.Time
	Sleep  func(context.Context, time.Duration) error
	Random func() float64
}

// Client sends requests to one deployment. It may be used concurrently.
type Client struct {
	config  Config
	base    *url.URL // without a slash at the end
	private bool     // tokens may be sent: nobody on the way can read them
	http    *http.Client
	circuit *circuit
	log     *slog.Logger
	// host and authority find the deployment's host in texts, see hosts.
	host, authority *regexp.Regexp
	sent            atomic.Pointer[string] // the program's token that was given last
	reached         atomic.Bool            // the service has answered before
}

// New returns a client. It sends nothing yet. Its error never shows the URL, which may
// hold a secret by mistake.
func New(c Config) (*Client, error) {
	base, err := parseBase(c.URL)
	if err != nil {
		return nil, err
	}
	private := base.Scheme == "https" || domains.IsLoopback(base.Hostname())
	if c.Tokens != nil && !private {
		return nil, domains.Invalid("The URL of OntoBricks is plain http to another host, and an access token would be readable on the way: use https.")
	}
	if c.Transport == nil {
		c.Transport = NewTransport()
	}
	c.Timeout = orDefault(c.Timeout, 20*time.Second)
	c.RetryFor = orDefault(c.RetryFor, 10*time.Second)
	c.MostBytes = orDefault(c.MostBytes, 32<<20)
	c.UserAgent = orDefault(c.UserAgent, "ontogate")
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Sleep == nil {
		c.Sleep = sleep
	}
	if c.Random == nil {
		c.Random = rand.Float64
	}
	host, authority := hosts(base)
	return &Client{
		config: c, base: base, private: private, log: c.Logger,
		http:    &http.Client{Transport: c.Transport, CheckRedirect: followAtHome},
		circuit: newCircuit(c.Logger),
		host:    host, authority: authority,
	}, nil
}

// NewTransport is a pooled transport: 20 connections to a host, 10 of them idle, gzip,
// no proxy. Whoever wants another proxy or other certificates sets them before use.
func NewTransport() *http.Transport {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		MaxConnsPerHost:        20,
		MaxIdleConnsPerHost:    10,
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    10 * time.Second,
		MaxResponseHeaderBytes: 256 << 10,
	}
}

// Clean is a text of the service, of whatever answer, as whoever asked may see it: one line
// of at most 500 characters, without tokens and without addresses of the deployment and of
// the platform.
func (c *Client) Clean(text string, p domains.Principal) string {
	secrets := []string{p.Token}
	if token := c.sent.Load(); token != nil {
		secrets = append(secrets, *token)
	}
	return c.clean(text[:min(len(text), mostRead)], secrets)
}

// Close ends idle connections. Calls that run go on; the client can still be used.
func (c *Client) Close() error {
	c.http.CloseIdleConnections()
	return nil
}

func parseBase(text string) (*url.URL, error) {
	const form = "The URL of OntoBricks must look like https://host or https://host/path"
	u, err := url.Parse(strings.TrimSpace(text))
	switch {
	case text == "":
		return nil, domains.Invalid("The URL of OntoBricks is missing: give one like https://host.")
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return nil, domains.Invalid(form + ".")
	case u.User != nil:
		return nil, domains.Invalid(form + ", without a user or password.")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, domains.Invalid(form + ", without a query or fragment.")
	}
	u.RawPath = strings.TrimRight(u.EscapedPath(), "/")
	u.Path = strings.TrimRight(u.Path, "/")
	return u, nil
}

func orDefault[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}
