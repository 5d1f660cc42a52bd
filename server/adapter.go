package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
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
	// domain is what a domain tool works on, and frame what its answer needs besides
	// facts; both are nothing for registry tools.
	domain *domains.Domain
	frame  format.Frame
	notes  []string
	record *record
	// chosen becomes the selection when the call has been answered in time.
	chosen domains.Name
	// chosenTools are the toolNames of chosen.
	chosenTools string
}

// record is what is known of a call, or of a resource that is read, whatever becomes
// of it.
type record struct {
	name, request string
	// budget is the most characters of the answer, also when it is an error.
	budget int
	// narrowing are the ways to make the call smaller.
	narrowing []string
	// writes is set for a tool that writes: one that is late may have had its effect.
	writes bool
	// domain may be set while it is read: by work that is late.
	domain atomic.Value // of domains.Name
}

func (r *record) speaksOf(name domains.Name) { r.domain.Store(name) }

func (r *record) domainName() domains.Name {
	name, _ := r.domain.Load().(domains.Name)
	return name
}

// callTool runs one call of a tool: arguments, domain, policy, tool. What the
// caller can act on comes back as text with isError; err is a fault of ours, already
// logged and safe to show.
func (s *Server) callTool(ctx context.Context, c *caller, name string, raw json.RawMessage) (text string, isError bool, err error) {
	rec := &record{name: shown(name), budget: min(ordinaryBudget, s.cfg.MaxAnswer)}
	cl := &call{server: s, caller: c, record: rec, tool: s.tool(name)}
	if cl.tool != nil {
		rec.budget, rec.narrowing, rec.writes = min(cl.tool.budget, s.cfg.MaxAnswer), cl.tool.ways, cl.tool.Writes
	}
	text, isError, err = s.guarded(ctx, c, rec, func(ctx context.Context) (string, error) {
		if cl.tool == nil {
			return "", s.unknownTool(name)
		}
		return cl.run(ctx, raw)
	})
	// Not earlier: a call that is told it came too late must have no effect. cl is read
	// only when its work has ended.
	if err == nil && !isError && cl.chosen != "" {
		c.choose(cl.chosen, cl.chosenTools)
		if !c.once {
			s.watch()
		}
	}
	return text, isError, err
}

// run reads the arguments, opens the domain and lets the tool answer.
func (c *call) run(ctx context.Context, raw json.RawMessage) (text string, err error) {
	if c.input, c.notes, err = c.tool.bind(raw); err != nil {
		return "", err
	}
	if c.tool.Kind == domains.DomainTool {
		if c.domain, err = c.server.permitted(ctx, c.caller, c.tool, c.input.domainName()); err != nil {
			return "", err
		}
		if c.frame, err = c.frameOf(c.domain.Info.Name, c.domain.Revision, format.SourceOf(c.domain)); err != nil {
			return "", err
		}
		c.frame.Languages, c.frame.Offers, c.frame.Off = c.domain.Languages, c.offers, c.domain.Off
		c.frame.Reach, c.frame.Address = c.caller.reach()
	}
	return c.tool.run(ctx, c, c.input)
}

// permitted opens the domain that a call of a domain tool speaks of, if the tool
// may be used there.
func (s *Server) permitted(ctx context.Context, c *caller, t *tool, argument string) (*domains.Domain, error) {
	if s.withholds(t) { // in every domain: none has to be opened to say so
		if ok, reason := domains.Decide(t.Tool, s.narrowed(&domains.Domain{})); !ok {
			return nil, &domains.Error{Kind: domains.ErrRefused, Message: reason}
		}
	}
	name, err := s.resolve(ctx, c, argument)
	if err != nil {
		return nil, err
	}
	d, err := s.open(ctx, c, name)
	if err != nil {
		return nil, err
	}
	if ok, reason := domains.Decide(t.Tool, d); !ok {
		return nil, &domains.Error{Kind: domains.ErrRefused, Domain: name, Message: reason}
	}
	if t.Element != "" {
		return d, elementOf(d, t.Element)
	}
	return d, nil
}

// elementOf refuses the use of a context element that a domain's policy disables,
// although the tool is listed (OntoBricks contract 3.6).
func elementOf(d *domains.Domain, e domains.Element) error {
	if ok, reason := domains.DecideElement(e, d); !ok {
		return &domains.Error{Kind: domains.ErrRefused, Domain: d.Info.Name, Message: reason}
	}
	return nil
}

// guarded runs work within the deadline and the limits, turns its error or panic
// into an answer, and logs one line. The answer comes within the deadline even if work
// does not.
func (s *Server) guarded(ctx context.Context, c *caller, rec *record, work func(context.Context) (string, error)) (text string, isError bool, err error) {
	rec.request = cmp.Or(c.request, callNumber())
	start := time.Now()
	ctx, cancel := context.WithTimeout(domains.WithRequestID(ctx, rec.request), s.cfg.CallTimeout)
	defer cancel()
	text, err = s.inTurn(ctx, c, rec, work)
	out := s.settle(ctx, rec, text, err)
	s.cfg.Logger.LogAttrs(ctx, out.level, "call",
		slog.String("tool", rec.name), slog.String("domain", string(rec.domainName())),
		slog.Duration("duration", time.Since(start)), slog.Int("size", utf8.RuneCountInString(out.text)),
		slog.String("outcome", out.outcome), slog.String("request", rec.request), out.cause)
	return out.text, out.isError, out.fault
}

// inTurn waits for a place to run and then for work, at most until ctx ends: a back
// end may not listen to ctx, and its caller must be answered all the same. The place
// stays taken until work has ended.
func (s *Server) inTurn(ctx context.Context, c *caller, rec *record, work func(context.Context) (string, error)) (string, error) {
	release, err := s.takePlace(ctx, c)
	if err != nil {
		return "", err
	}
	t := &turn{ctx: ctx, work: work, release: release, ended: make(chan struct{}, 1), late: func(err error) {
		if told := (*domains.Error)(nil); !errors.As(err, &told) {
			s.cfg.Logger.ErrorContext(ctx, "fault after the answer", "tool", rec.name, "request", rec.request, "cause", err.Error())
		}
	}}
	s.workers.do(t)
	return t.wait(ctx)
}

// recovered runs work; a panic is its error.
func recovered(ctx context.Context, work func(context.Context) (string, error)) (text string, err error) {
	defer func() {
		if p := recover(); p != nil {
			text, err = "", fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return work(ctx)
}

// takePlace waits for a place among the calls of the caller's session, of its user and
// among all.
func (s *Server) takePlace(ctx context.Context, c *caller) (release func(), err error) {
	var (
		all   [3]chan struct{}
		n     int
		leave func()
	)
	if c.session != nil {
		all[n], n = c.session.slots, n+1
	}
	if key := c.principal.Key(); key != "" {
		all[n], leave = s.places.of(key)
		n++
	}
	all[n], n = s.slots, n+1
	give := func(taken int) {
		for _, slots := range all[:taken] {
			<-slots
		}
		if leave != nil {
			leave()
		}
	}
	for i, slots := range all[:n] {
		if err := s.take(ctx, slots); err != nil {
			give(i)
			return nil, err
		}
	}
	return func() { give(n) }, nil
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

// open opens a domain, as far as the server's configuration leaves it.
func (s *Server) open(ctx context.Context, c *caller, name domains.Name) (*domains.Domain, error) {
	d, err := s.backend(c).Open(ctx, name)
	if err == nil {
		d = s.narrowed(d)
		s.prepare(c, d)
	}
	return d, s.explained(ctx, c, name, err)
}

// mostReason is the most characters of the reason why a domain is not available.
const mostReason = 300

// explained completes the errors that a back end gives for a domain: with the
// domains that there are, or with what else can be used.
func (s *Server) explained(ctx context.Context, c *caller, name domains.Name, err error) error {
	var told *domains.Error
	switch {
	case errors.Is(err, domains.ErrUnknownDomain):
		infos, failed := s.backend(c).Domains(ctx)
		if failed != nil && len(infos) == 0 {
			return failed
		}
		if name == c.inEffect() && name != s.cfg.Domain { // it was there when it was selected
			return s.goneDomain(c, name, infos)
		}
		_, near, _ := domains.MatchName(string(name), infos)
		return s.unknownDomain(string(name), near, infos)
	case errors.Is(err, domains.ErrUnavailable) && errors.As(err, &told):
		return &domains.Error{
			Kind: domains.ErrUnavailable, Domain: name, Err: told.Err,
			Message: fmt.Sprintf("Domain '%s' is not available: %s. Ask the person who runs this server to mend it, or use another domain.",
				name, strings.TrimSuffix(format.Line(told.Message, mostReason), ".")),
		}
	}
	return err
}

// offers reports whether the call's domain offers a tool; texts advise no other.
func (c *call) offers(tool string) bool { return offers(c.domain, c.server.tool(tool)) }

// offers reports whether a tool, nil when there is none, may be used on a domain.
func offers(d *domains.Domain, t *tool) bool {
	if t == nil {
		return false
	}
	ok, _ := domains.Decide(t.Tool, d)
	return ok
}

// frameOf is what an answer about a domain, or about none, needs besides its facts.
// Its error says what is wrong with the cursor.
func (c *call) frameOf(name domains.Name, revision string, source format.Source) (format.Frame, error) {
	c.record.speaksOf(name)
	f := format.Frame{
		Budget: c.record.budget,
		Scope:  format.Scope{Tool: c.tool.Name, ArgsOf: func() string { return c.tool.canonical(c.input) }, Domain: name, Revision: revision},
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

// canonical is an input as JSON, members in the order of their names, without what a
// cursor must not depend on: the cursor itself, and the domain's name, which is bound
// separately and may be given in several ways.
func (t *tool) canonical(in input) string {
	v := reflect.ValueOf(in)
	b := []byte{'{'}
	for _, i := range t.byName {
		p := &t.params[i]
		if p.name == "cursor" || p.name == "domain_name" {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), p.name...), `":`...) // names need no escapes
		switch field := v.FieldByIndex(p.index); {
		case field.Kind() == reflect.Int:
			b = strconv.AppendInt(b, field.Int(), 10)
		case field.Kind() == reflect.String && field.Len() == 0:
			b = append(b, `""`...)
		default:
			b = append(b, jsonText(field.Interface())...)
		}
	}
	return string(append(b, '}'))
}
