package rest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/ontogate/ontogate/domains"
)

// Request is one call of a deployment.
type Request struct {
	// Method is http.MethodGet or http.MethodPost.
	Method string
	// Path starts with a slash and is escaped by the caller: "/api/v1/domains".
	Path  string
	Query url.Values
	// Body is JSON; nil sends none.
	Body []byte
	// Writes is set for a call that has an effect: it is never repeated once it may
	// have been executed.
	Writes bool
	// Principal is who asks: sent on, never stored.
	Principal domains.Principal
	// Domain and Doing (a gerund: "listing the domains") are for errors and logs.
	Domain domains.Name
	Doing  string
}

// mostRedirects is how many redirects of one request are followed.
const mostRedirects = 5

var (
	errTimeout  = fmt.Errorf("time-out of one request: %w", os.ErrDeadlineExceeded)
	errPlain    = errors.New("a user's token is not sent over plain http")
	errRequest  = errors.New("not a request that can be sent")
	errTooLarge = errors.New("answer too large")
)

// send sends one request and waits for the header of its answer. The body of the answer
// is closed by whoever gets it; until then the request runs.
func (c *Client) send(ctx context.Context, r Request, token string) (*answer, error) {
	if r.Principal.Token != "" && !c.private {
		return nil, errPlain
	}
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(c.config.Timeout, func() { cancel(errTimeout) })
	end := func() {
		timer.Stop()
		cancel(context.Canceled)
	}
	req, err := c.newRequest(ctx, r, token)
	if err != nil {
		end()
		return nil, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		end()
		return nil, err
	}
	c.reached.Store(true)
	return &answer{
		status: resp.StatusCode, header: resp.Header,
		body: &body{ctx: ctx, raw: resp.Body,
			most: c.config.MostBytes, left: c.config.MostBytes, size: resp.ContentLength,
			timer: timer, timeout: c.config.Timeout, end: end,
		},
	}, nil
}

func (c *Client) newRequest(ctx context.Context, r Request, token string) (*http.Request, error) {
	if !strings.HasPrefix(r.Path, "/") || strings.ContainsAny(r.Path, "?#") {
		return nil, errRequest
	}
	target := c.base.String() + r.Path
	if len(r.Query) > 0 {
		target += "?" + r.Query.Encode()
	}
	var content io.Reader
	if r.Body != nil {
		content = bytes.NewReader(r.Body)
	}
	req, err := http.NewRequestWithContext(ctx, r.Method, target, content)
	if err != nil {
		return nil, errRequest // the text of err holds the address
	}
	h := req.Header
	h.Set("Accept", "application/json")
	h.Set("User-Agent", c.config.UserAgent)
	if r.Body != nil {
		h.Set("Content-Type", "application/json")
	}
	for name, value := range map[string]string{
		"X-Request-Id":             domains.RequestID(ctx),
		"X-Forwarded-Email":        r.Principal.Email,
		"X-Forwarded-User":         r.Principal.User,
		"X-Forwarded-Access-Token": r.Principal.Token,
	} {
		if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return nil, errRequest
		}
		if value != "" {
			h.Set(name, value)
		}
	}
	if token != "" {
		h.Set("Authorization", "Bearer "+token)
	}
	return req, nil
}

// followAtHome follows the redirects of a GET that stay on the scheme and host asked,
// so that no header ever reaches another host. Other redirects become the answer.
func followAtHome(req *http.Request, via []*http.Request) error {
	first := via[0]
	if first.Method != http.MethodGet || len(via) > mostRedirects ||
		req.URL.Scheme != first.URL.Scheme || hostAndPort(req.URL) != hostAndPort(first.URL) {
		return http.ErrUseLastResponse
	}
	return nil
}

func hostAndPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return strings.ToLower(u.Hostname()) + ":" + port
}
