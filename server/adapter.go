package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/format"
)

// callsPerProcess is how many calls run at once in all.
const callsPerProcess = 256

// call is one call of a tool while it runs.
type call struct {
	server *Server
	tool   *tool
	caller *caller
	input  input
	// domain is what a domain tool works on; nil for registry tools.
	domain *domains.Domain
	notes  []string
	record *record
}

// record is what the log tells of a call or of a resource that was read.
type record struct {
	name    string
	domain  domains.Name
	request string
}

// callTool runs one call of a tool: arguments, domain, policy, tool. What the
// caller can act on comes back as text with isError; err is a fault of ours, already
// logged and safe to show.
func (s *Server) callTool(ctx context.Context, c *caller, t *tool, raw json.RawMessage) (text string, isError bool, err error) {
	rec := &record{name: t.Name}
	return s.guarded(ctx, c, rec, func(ctx context.Context) (string, error) {
		in, notes, err := t.bind(raw)
		if err != nil {
			return "", err
		}
		cl := &call{server: s, tool: t, caller: c, input: in, notes: notes, record: rec}
		if t.Kind == domains.DomainTool {
			if cl.domain, err = s.permitted(ctx, c, t, in.domainName()); err != nil {
				return "", err
			}
			rec.domain = cl.domain.Info.Name
		}
		return t.run(ctx, cl, in)
	})
}

// permitted opens the domain that a call of a domain tool speaks of, if the tool
// may be used there.
func (s *Server) permitted(ctx context.Context, c *caller, t *tool, argument string) (*domains.Domain, error) {
	name, err := s.resolve(ctx, c, argument)
	if err != nil {
		return nil, err
	}
	d, err := s.open(ctx, name)
	if err != nil {
		return nil, err
	}
	if ok, reason := domains.Decide(t.Tool, d); !ok {
		return nil, &domains.Error{Kind: domains.ErrRefused, Domain: name, Message: reason}
	}
	return d, nil
}

// guarded runs work within the deadline and the limits, turns its error or panic
// into an answer, and logs one line.
func (s *Server) guarded(ctx context.Context, c *caller, rec *record, work func(context.Context) (string, error)) (text string, isError bool, err error) {
	rec.request = secret()[:12]
	start := time.Now()
	ctx, cancel := context.WithTimeout(ctx, s.cfg.CallTimeout)
	defer cancel()
	text, err = s.inTurn(ctx, c, work)
	out := s.settle(ctx, rec, text, err)
	s.cfg.Logger.LogAttrs(ctx, out.level, "call",
		slog.String("tool", rec.name), slog.String("domain", string(rec.domain)),
		slog.Duration("duration", time.Since(start)), slog.Int("size", utf8.RuneCountInString(out.text)),
		slog.String("outcome", out.outcome), slog.String("request", rec.request), out.cause)
	return out.text, out.isError, out.fault
}

// inTurn waits for a place to run, then runs work.
func (s *Server) inTurn(ctx context.Context, c *caller, work func(context.Context) (string, error)) (text string, err error) {
	if c.session != nil {
		if err := s.take(ctx, c.session.slots); err != nil {
			return "", err
		}
		defer func() { <-c.session.slots }()
	}
	if err := s.take(ctx, s.slots); err != nil {
		return "", err
	}
	defer func() { <-s.slots }()
	defer func() {
		if p := recover(); p != nil {
			text, err = "", fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return work(ctx)
}

var errStopping = &domains.Error{Kind: domains.ErrLimit, Message: "The server is stopping. Connect again in a moment."}

// take waits for a free place.
func (s *Server) take(ctx context.Context, slots chan struct{}) error {
	select {
	case <-s.closing:
		return errStopping
	default:
	}
	select {
	case slots <- struct{}{}:
		return nil
	case <-s.closing:
		return errStopping
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.Canceled) {
			return ctx.Err()
		}
		return &domains.Error{
			Kind: domains.ErrLimit, Err: ctx.Err(),
			Message: "The server is busy and this call did not get its turn in time. Try again, with fewer calls at once.",
		}
	}
}

// open opens a domain.
func (s *Server) open(ctx context.Context, name domains.Name) (*domains.Domain, error) {
	d, err := s.cfg.Backend.Open(ctx, name)
	return d, s.explained(ctx, name, err)
}

// explained completes the errors that a back end gives for a domain: with the
// domains that there are, or with what else can be used.
func (s *Server) explained(ctx context.Context, name domains.Name, err error) error {
	var told *domains.Error
	switch {
	case errors.Is(err, domains.ErrUnknownDomain):
		infos, failed := s.cfg.Backend.Domains(ctx)
		if failed != nil {
			return failed
		}
		_, near, _ := domains.MatchName(string(name), infos)
		return unknownDomain(string(name), near, infos)
	case errors.Is(err, domains.ErrUnavailable) && errors.As(err, &told):
		return &domains.Error{
			Kind: domains.ErrUnavailable, Domain: name, Err: told.Err,
			Message: fmt.Sprintf("Domain '%s' is not available: %s. Ask the person who runs this server to mend it, or use another domain.",
				name, strings.TrimSuffix(format.Escape(told.Message), ".")),
		}
	}
	return err
}

// offers reports whether the call's domain offers a tool; texts advise no other.
func (c *call) offers(tool string) bool {
	t := c.server.tool(tool)
	if t == nil {
		return false
	}
	ok, _ := domains.Decide(t.Tool, c.domain)
	return ok
}

// frameOfDomain is the frame of an answer about the call's domain. first are the
// languages to prefer to the domain's own.
func (c *call) frameOfDomain(first []string) (format.Frame, error) {
	f, err := c.frame(c.domain.Info.Name, c.domain.Revision, format.SourceOf(c.domain))
	f.Languages, f.Offers = append(first, c.domain.Languages...), c.offers
	return f, err
}

// frame is what an answer needs besides its facts. Its error says what is wrong
// with the cursor.
func (c *call) frame(name domains.Name, revision string, source format.Source) (format.Frame, error) {
	c.record.domain = name
	f := format.Frame{
		Budget: min(c.tool.budget, c.server.cfg.MaxAnswer),
		Scope:  format.Scope{Tool: c.tool.Name, Args: canonical(c.input), Domain: name, Revision: revision},
		Notes:  c.notes,
		Source: source,
	}
	if cursor := c.input.page(); cursor != "" {
		from, err := f.Scope.Parse(cursor)
		if err != nil {
			return f, err
		}
		f.From = from
	}
	return f, nil
}

// canonical is an input as JSON, without what a cursor must not depend on: the
// cursor itself, and the domain's name, which is bound separately and may be given
// in several ways.
func canonical(in input) string {
	var args map[string]any
	if err := json.Unmarshal([]byte(jsonText(in)), &args); err != nil {
		return ""
	}
	delete(args, "cursor")
	delete(args, "domain_name")
	return jsonText(args)
}
