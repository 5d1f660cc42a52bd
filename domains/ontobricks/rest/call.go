package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains"
)

// JSON sends a request and decodes a 2xx answer into into; nil reads the answer and
// drops it. Every other answer, and an answer that is not whole and valid JSON in
// UTF-8, is an error: a *domains.Error with a Failure in it, whose Message is for the
// caller. An error after ctx has ended also is ctx's error.
func (c *Client) JSON(ctx context.Context, r Request, into any) error {
	counts := saysNothing
	done, err := c.circuit.allow()
	if err != nil {
		return c.trouble(ctx, r, 0, err)
	}
	defer func() { done(counts) }()
	a, token, err := c.call(ctx, r)
	if err != nil {
		counts = verdictOn(ctx, err)
		return c.trouble(ctx, r, 0, err)
	}
	defer a.body.Close()
	if a.status < 200 || a.status > 299 || a.isPage() {
		counts = verdictOf(a)
		err := c.refusal(ctx, r, a, token)
		a.discard()
		return err
	}
	data, err := a.body.all()
	if err == nil && into != nil {
		err = decode(data, into)
	}
	counts = verdictOn(ctx, err)
	if err != nil {
		return c.trouble(ctx, r, a.status, err)
	}
	return nil
}

// Reply sends a request and passes on any answer but a redirect to another place and a
// refusal of this program's own login: these are errors, as JSON has them. Its body is read while it arrives; it ends with an error, as JSON has them, where it breaks
// off, stalls for longer than Timeout or grows beyond MostBytes. The caller closes it.
func (c *Client) Reply(ctx context.Context, r Request) (*domains.Reply, error) {
	counts := saysNothing
	done, err := c.circuit.allow()
	if err != nil {
		return nil, c.trouble(ctx, r, 0, err)
	}
	defer func() { done(counts) }()
	a, token, err := c.call(ctx, r)
	if err != nil {
		counts = verdictOn(ctx, err)
		return nil, c.trouble(ctx, r, 0, err)
	}
	counts = verdictOf(a)
	switch {
	case a.isRedirect(), a.isOurLogin():
		defer a.body.Close()
		return nil, c.refusal(ctx, r, a, token)
	case a.body.size > a.body.most:
		a.body.Close()
		return nil, c.trouble(ctx, r, a.status, errTooLarge)
	}
	a.body.stream()
	return &domains.Reply{
		Status: a.status, ContentType: a.header.Get("Content-Type"), RetryAfter: a.header.Get("Retry-After"),
		Body: &streamed{body: a.body, explain: func(err error) error { return c.trouble(ctx, r, a.status, err) }},
	}, nil
}

// streamed is a body whose errors have words.
type streamed struct {
	*body
	explain func(error) error
}

func (s *streamed) Read(p []byte) (int, error) {
	n, err := s.body.Read(p)
	if err != nil && err != io.EOF {
		err = s.explain(err)
	}
	return n, err
}

// call sends a request, with what repeats are right, and gives the last answer and the
// token it was sent with.
func (c *Client) call(ctx context.Context, r Request) (*answer, string, error) {
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	token, err := c.token(ctx)
	if err != nil {
		return nil, "", err
	}
	renewed := false
	s := &repeats{c: c, r: r, since: c.config.Clock()}
	for {
		a, err := c.send(ctx, r, token)
		if err == nil && a.status == http.StatusUnauthorized && c.config.Tokens != nil && !renewed {
			// A 401 says that the request was not let in, so nothing was executed: one
			// repeat with a new token is right for reads and for writes.
			renewed = true
			a.discard()
			c.config.Tokens.Spoiled(token)
			if token, err = c.token(ctx); err != nil {
				return nil, "", err
			}
			continue
		}
		if ctx.Err() != nil {
			return a, token, err
		}
		wait, ok := s.again(ctx, a, err)
		if !ok {
			return a, token, err
		}
		c.logRepeat(ctx, r, a, s, wait)
		if a != nil {
			a.discard()
		}
		if err := c.config.Sleep(ctx, wait); err != nil {
			return nil, "", err
		}
	}
}

// tokenError is the error of a call that has no token to be sent with.
type tokenError struct{ err error }

func (e *tokenError) Error() string { return e.err.Error() }
func (e *tokenError) Unwrap() error { return e.err }

func (c *Client) token(ctx context.Context) (string, error) {
	if c.config.Tokens == nil {
		return "", nil
	}
	token, err := c.config.Tokens.Token(ctx)
	if err == nil && token == "" {
		err = errors.New("an empty token")
	}
	if err != nil {
		return "", &tokenError{err}
	}
	c.sent.Store(&token)
	return token, nil
}

func (c *Client) logRepeat(ctx context.Context, r Request, a *answer, s *repeats, wait any) {
	var known []slog.Attr // what is absent is left out
	if id := domains.RequestID(ctx); id != "" {
		known = append(known, slog.String("request", id))
	}
	if r.Domain != "" {
		known = append(known, slog.String("domain", string(r.Domain)))
	}
	known = append(known, slog.String("doing", r.Doing))
	if a != nil {
		known = append(known, slog.Int("status", a.status))
	}
	c.log.LogAttrs(ctx, slog.LevelInfo, "upstream repeat", append(known, slog.Int("repeat", s.done), slog.Any("wait", wait))...)
}

// verdictOf says what an answer says about the service.
func verdictOf(a *answer) verdict {
	switch a.status {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		if !a.isInfrastructure() {
			return fails
		}
	}
	return works
}

// verdictOn says what an error says about the service.
func verdictOn(ctx context.Context, err error) verdict {
	var (
		noToken *tokenError
		bad     *decodeError
	)
	switch {
	case ctx.Err() != nil, errors.As(err, &noToken), errors.Is(err, errPlain), errors.Is(err, errRequest):
		return saysNothing
	case err == nil, errors.Is(err, errTooLarge), errors.As(err, &bad):
		return works
	}
	return fails
}

// decodeError is the error of an answer that is not the JSON that was expected.
type decodeError struct{ err error }

func (e *decodeError) Error() string { return e.err.Error() }
func (e *decodeError) Unwrap() error { return e.err }

// safe is the error without values of the answer.
func (e *decodeError) safe() error {
	if typed, ok := errors.AsType[*json.UnmarshalTypeError](e.err); ok {
		return fmt.Errorf("unexpected JSON type at byte %d, field %q", typed.Offset, typed.Field)
	}
	if syntax, ok := errors.AsType[*json.SyntaxError](e.err); ok {
		return fmt.Errorf("invalid JSON at byte %d", syntax.Offset)
	}
	if errors.Is(e.err, errEmpty) || errors.Is(e.err, errNotUTF8) {
		return e.err
	}
	return fmt.Errorf("an error of type %T", e.err)
}

var (
	errEmpty   = errors.New("empty answer")
	errNotUTF8 = errors.New("not UTF-8")
)

// decode reads JSON. Bytes that are not UTF-8 are refused, not replaced: a replaced
// character in an IRI or a name would be asked for later, and not be found.
func decode(data []byte, into any) error {
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return &decodeError{errEmpty}
	case !utf8.Valid(data):
		return &decodeError{errNotUTF8}
	}
	if err := json.Unmarshal(data, into); err != nil {
		return &decodeError{err}
	}
	return nil
}
