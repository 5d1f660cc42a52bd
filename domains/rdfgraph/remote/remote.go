package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/ontogate/ontogate/domains"
)

// What the zero values of a Config stand for.
const (
	DefaultTimeout = 10 * time.Second
	DefaultMaxBody = 1 << 20
	DefaultMaxRows = 1_000
)

// Config bounds what is called.
type Config struct {
	// Hosts are the hosts, with or without port, that may be called; one without a port
	// allows every port. Empty allows none.
	Hosts []string
	// Transport sends requests; nil means one that is made for this. Whatever it is, it must
	// not repeat requests.
	Transport http.RoundTripper
	// Timeout is the time that one call may take; 0 means DefaultTimeout.
	Timeout time.Duration
	// MaxBody is the most bytes of an answer, MaxRows the most rows; 0 means DefaultMaxBody
	// and DefaultMaxRows.
	MaxBody int64
	MaxRows int
	// UserAgent names the program to the endpoints; empty means "ontogate".
	UserAgent string
}

// Client calls endpoints. Its methods may be called concurrently.
type Client struct {
	config Config
	hosts  []address
	http   *http.Client
}

// New returns a client. It opens nothing.
func New(c Config) *Client {
	if c.Timeout <= 0 {
		c.Timeout = DefaultTimeout
	}
	if c.MaxBody <= 0 {
		c.MaxBody = DefaultMaxBody
	}
	if c.MaxRows <= 0 {
		c.MaxRows = DefaultMaxRows
	}
	if c.UserAgent == "" {
		c.UserAgent = "ontogate"
	}
	if c.Transport == nil {
		// Each call has a connection of its own: on a kept one that the endpoint has just
		// closed, a transport would send the request again. No proxy is asked: the hosts are
		// those that the operator named.
		c.Transport = &http.Transport{
			DialContext:            (&net.Dialer{Timeout: c.Timeout}).DialContext,
			TLSHandshakeTimeout:    c.Timeout,
			DisableKeepAlives:      true,
			ForceAttemptHTTP2:      false,
			MaxResponseHeaderBytes: 64 << 10,
		}
	}
	out := &Client{config: c, http: &http.Client{
		Transport:     c.Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	for _, h := range c.Hosts {
		if a := addressOf(h); a.name != "" {
			out.hosts = append(out.hosts, a)
		}
	}
	return out
}

// Close closes connections that nobody uses. Calls that run are ended by their context.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Request says which function is called, for which entity.
type Request struct {
	// Function is its full name, and what texts call it.
	Function string `json:"function"`
	// EntityURI is the IRI of the entity, LocalID its last part.
	EntityURI string `json:"entity_uri"`
	LocalID   string `json:"entity_local_id"`
	Domain    string `json:"domain"`
	Class     string `json:"class"`
}

// Call sends one POST and returns the rows of the answer: JSON objects, with their members
// and numbers as the endpoint wrote them. Errors, each a *domains.Error whose Message is
// for the caller and names no address: ErrRefused for a host that is not allowed;
// ErrLimit when time ran out, or the answer is too large; ErrUpstream for all else.
func (c *Client) Call(ctx context.Context, u *url.URL, r Request) ([]json.RawMessage, error) {
	f := failing{function: r.Function, domain: domains.Name(r.Domain)}
	if !c.Allows(u) {
		return nil, f.err(domains.ErrRefused, nil, "is on a host that is not allowed: start the server with --allow-action-host and that host")
	}
	ctx, cancel := context.WithTimeout(ctx, c.config.Timeout)
	defer cancel()
	res, err := c.send(ctx, u, r)
	if err != nil {
		return nil, f.unanswered(ctx, err, c.config.Timeout)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, c.config.MaxBody+1))
	switch {
	case err != nil:
		return nil, f.unanswered(ctx, err, c.config.Timeout)
	case int64(len(body)) > c.config.MaxBody:
		return nil, f.err(domains.ErrLimit, nil, fmt.Sprintf("gave an answer of more than %s, which is the most that is read. It was carried out; its owner can make the answer shorter", size(c.config.MaxBody)))
	case res.StatusCode >= 300 && res.StatusCode < 400:
		return nil, f.err(domains.ErrUpstream, nil, fmt.Sprintf("sends the request on to another address (HTTP %d), which is not followed: its owner has to write the final address into domain.yaml", res.StatusCode))
	case res.StatusCode < 200 || res.StatusCode >= 300:
		return nil, f.refused(res.StatusCode, body)
	}
	rows, err := readRows(body)
	switch {
	case err != nil:
		return nil, f.err(domains.ErrUpstream, err, "gave an answer that cannot be read ("+err.Error()+"). It may have been carried out all the same: check before you ask for it again")
	case len(rows) > c.config.MaxRows:
		return nil, f.err(domains.ErrLimit, nil, fmt.Sprintf("gave %d rows; at most %d are taken. It was carried out; its owner can make the answer shorter", len(rows), c.config.MaxRows))
	}
	return rows, nil
}

// send sends the request. Its body cannot be read twice, so that nothing sends it again.
func (c *Client) send(ctx context.Context, u *url.URL, r Request) (*http.Response, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), io.NopCloser(&text))
	if err != nil {
		return nil, err
	}
	req.ContentLength = int64(text.Len())
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", c.config.UserAgent)
	return c.http.Do(req)
}

// failing makes the errors of one call.
type failing struct {
	function string
	domain   domains.Name
}

// err is an error whose message is the function's name and what is said of it.
func (f failing) err(kind, cause error, said string) error {
	return &domains.Error{Kind: kind, Op: "calling a function", Domain: f.domain, Err: cause, Message: fmt.Sprintf("Function %s %s.", f.function, said)}
}

const mayHaveRun = "It may have been carried out all the same: check before you ask for it again"

// unanswered is the error of a call without a whole answer. The cause, which holds the
// address, is told as far as it names none.
func (f failing) unanswered(ctx context.Context, err error, limit time.Duration) error {
	var of *url.Error
	if errors.As(err, &of) {
		err = of.Err
	}
	var dial *net.OpError
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return f.err(domains.ErrLimit, context.Canceled, "was not waited for, because the call ended. "+mayHaveRun)
	case ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded):
		return f.err(domains.ErrLimit, context.DeadlineExceeded, fmt.Sprintf("did not answer in time (at most %s are waited). %s", limit, mayHaveRun))
	case errors.As(err, &dial) && dial.Op == "dial":
		return f.err(domains.ErrUpstream, errors.New("no connection"), "cannot be reached: nothing was carried out. Try again later, or ask its owner whether it runs")
	}
	return f.err(domains.ErrUpstream, errors.New("the connection broke"), "broke off without an answer. "+mayHaveRun)
}

// mostSaid is the most characters that an endpoint's own words may have in a message.
const mostSaid = 300

// refused is the error of an answer with another status, with the words of the endpoint
// where it has some.
func (f failing) refused(status int, body []byte) error {
	said := fmt.Sprintf("answered HTTP %d", status)
	if words := wordsOf(body); words != "" {
		said = fmt.Sprintf("refused (HTTP %d): %s", status, words)
	}
	if status >= 500 {
		said += ". " + mayHaveRun
	}
	return f.err(domains.ErrUpstream, nil, said)
}

// size is a number of bytes in words.
func size(n int64) string {
	if n >= 1<<20 && n%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}
