package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/format"
)

// caller is who sent a request, and what is in effect for it. It is made anew for
// each request, so that what a request sees does not change while it runs.
type caller struct {
	// principal is who asks; the zero Principal outside App mode.
	principal domains.Principal
	// fixed is the domain of the address /mcp/{domain}; empty elsewhere.
	fixed domains.Name
	// session is nil for a request that stands alone.
	session *session
	// selected is the session's selection when the request came, or the domain
	// of the start.
	selected domains.Name
	// gone is the domain whose going ended the session's selection; empty when there is
	// another, or never was one.
	gone domains.Name
	// introduced is set when initialize was answered.
	introduced bool
	// request is the number of the HTTP request, where the platform's proxy gave one.
	request string
	// base is the address for URLs in texts, without a path: empty when there is
	// none, as on stdio.
	base string
	// notify tells the client, on a stream that belongs to this request. nil when
	// nothing can carry it.
	notify func(method string) error
	// failed is told when notify fails.
	failed func(error)
	// once marks the only call of a session that ends with it.
	once bool
}

// inEffect is the domain of a request that names none: that of the address, else the
// session's, else that of the start.
func (c *caller) inEffect() domains.Name { return cmp.Or(c.fixed, c.selected) }

// remembers reports whether a selection still holds at the client's next request.
func (c *caller) remembers() bool { return c.session != nil || c.fixed != "" }

// reach is how the caller can ask another domain, and where a connection of its own has
// to go for that, with {domain} for the name.
func (c *caller) reach() (format.Reach, string) {
	switch {
	case c.fixed != "":
		return format.ByAddress, c.base + onlyDomain
	case c.session == nil || c.once:
		return format.ByArgument, ""
	}
	return format.BySelection, ""
}

// onlyDomain is the path where one domain is served alone, with {domain} for its name.
const onlyDomain = "/mcp/{domain}"

// choose makes a domain, whose tools are given as toolNames, the selection of the
// caller's session. When that changes it, the client is told that its tools changed.
func (c *caller) choose(name domains.Name, tools string) {
	if c.fixed != "" || c.session == nil || !c.session.choose(name, tools) || c.notify == nil {
		return
	}
	if err := c.notify(toolsChanged); err != nil {
		c.failed(fmt.Errorf("telling the client that its tools changed: %w", err))
	}
}

// address is where a domain is served alone.
func (c *caller) address(name domains.Name) string {
	return c.base + "/mcp/" + url.PathEscape(string(name))
}

// pattern is where a caller without a session finds domains served alone, with
// {domain} for the name; empty for others.
func (c *caller) pattern() string {
	if c.session != nil || c.base == "" {
		return ""
	}
	return c.base + onlyDomain
}

// callerKey finds the caller in a context: mcp-go gives hooks and handlers
// nothing else that is ours.
type callerKey struct{}

func withCaller(ctx context.Context, c *caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// callerOf returns the caller of a request; one that knows nothing when there is
// none.
func callerOf(ctx context.Context) *caller {
	if c, ok := ctx.Value(callerKey{}).(*caller); ok {
		return c
	}
	return &caller{}
}

// backend is the back end as a caller sees it.
func (s *Server) backend(c *caller) domains.Backend { return s.cfg.Backend.As(c.principal) }

// resolve finds the domain that a call speaks of: the argument, whose case and spaces
// are forgiven, or else the one in effect. At a fixed address no other is allowed.
// Errors say which names there are.
func (s *Server) resolve(ctx context.Context, c *caller, argument string) (domains.Name, error) {
	if argument == "" {
		if name := c.inEffect(); name != "" {
			return name, nil
		}
		return "", s.needsDomain(ctx, c, noSelection(c))
	}
	infos, err := s.backend(c).Domains(ctx)
	if err != nil && len(infos) == 0 {
		return "", err
	}
	name, near, ok := domains.MatchName(argument, infos)
	switch {
	case !ok && err != nil:
		// The name may be one of those that could not be listed.
		return "", s.partly(err, infos)
	case !ok:
		return "", s.unknownDomain(argument, near, infos)
	case c.fixed != "" && name != c.fixed:
		return "", &domains.Error{
			Kind: domains.ErrRefused, Domain: name,
			Message: fmt.Sprintf("This connection is fixed to domain '%s'. For '%s' connect to %s.", c.fixed, name, c.address(name)),
		}
	}
	return name, nil
}

// noSelection says that a domain is missing, and what this caller can do.
func noSelection(c *caller) string {
	if address := c.pattern(); address != "" {
		return "No domain selected, and without a session nothing is remembered: pass domain_name, or connect to " + address + "."
	}
	return "No domain selected. Call list_domains first, then select_domain to choose one (or pass domain_name)."
}

// needsDomain is the error for a call without a domain: the message, or that the domain
// which was selected is gone.
func (s *Server) needsDomain(ctx context.Context, c *caller, message string) error {
	if c.gone == "" {
		return s.needsName(ctx, c, message)
	}
	infos, err := s.backend(c).Domains(ctx)
	if err != nil && len(infos) == 0 {
		return err
	}
	return s.goneDomain(c, c.gone, infos)
}

// goneDomain is the error for a domain in effect that there is no more.
func (s *Server) goneDomain(c *caller, name domains.Name, infos []domains.Info) error {
	which, next := "which was selected, is gone", "call select_domain with another one (or pass domain_name)."
	if c.fixed != "" {
		which, next = "to which this connection is fixed, is gone", "connect to "+c.base+onlyDomain+" for another one."
	}
	return &domains.Error{Kind: domains.ErrUnknownDomain, Domain: name, Message: fmt.Sprintf(
		"Domain '%s', %s: it was removed, renamed, or is not published any more. To go on, %s %s",
		shown(string(name)), which, next, s.theDomains(infos))}
}

// needsName is an error that names the domains there are.
func (s *Server) needsName(ctx context.Context, c *caller, message string) error {
	infos, err := s.backend(c).Domains(ctx)
	if err != nil && len(infos) == 0 {
		return err
	}
	message += " " + s.theDomains(infos)
	if err != nil {
		message += " " + partial(err)
	}
	return domains.Invalid(message)
}

// partly is the error err of a list of domains together with the names there are all the
// same. A fault of ours stays one.
func (s *Server) partly(err error, infos []domains.Info) error {
	var told *domains.Error
	if !errors.As(err, &told) || told.Message == "" {
		return err
	}
	return &domains.Error{Kind: told.Kind, Op: told.Op, Message: strings.TrimSpace(told.Message) + " " + s.theDomains(infos), Err: told.Err}
}

// partial says that a list of domains is not whole, and why if the error says so.
func partial(err error) string {
	var told *domains.Error
	if errors.As(err, &told) && told.Message != "" {
		return "(Not all domains could be listed: " + format.Line(told.Message, mostReason) + ")"
	}
	return "(Not all domains could be listed: try again later.)"
}

// notListed says why the domains cannot be listed.
func notListed(err error) string {
	var told *domains.Error
	if errors.As(err, &told) && told.Message != "" {
		return told.Message
	}
	return "The domains cannot be listed now: try again later."
}

func (s *Server) unknownDomain(asked string, near []string, infos []domains.Info) error {
	return &domains.Error{Kind: domains.ErrUnknownDomain, Message: "Unknown " + s.noSuchDomain(asked, near, infos)}
}

// noSuchDomain is what follows the word "unknown": the name, the nearest ones, and all.
func (s *Server) noSuchDomain(asked string, near []string, infos []domains.Info) string {
	message := fmt.Sprintf("domain '%s'. ", shown(asked))
	if len(near) > 0 {
		message += "Did you mean " + oneOf(near) + "? "
	}
	return message + s.theDomains(infos)
}

// theDomains names the domains there are, not more than fit a sentence: at most 20,
// and so many that the whole error stays inside the budget.
func (s *Server) theDomains(infos []domains.Info) string {
	const most, otherText = 20, 450
	room := min(s.cfg.MaxAnswer, ordinaryBudget) - otherText
	if len(infos) == 0 {
		return "There are no domains: the person who runs this server has to add or publish one (list_domains says more)."
	}
	var names []string
	for _, i := range infos[:min(most, len(infos))] {
		name := shown(string(i.Name))
		if i.Unavailable != "" {
			name += " (unavailable)"
		}
		if room -= utf8.RuneCountInString(name) + len(", "); room < 0 {
			break
		}
		names = append(names, name)
	}
	switch more := len(infos) - len(names); {
	case len(names) == 0:
		return "list_domains shows the domains."
	case more > 0:
		return fmt.Sprintf("Domains: %s and %d more (list_domains shows all).", strings.Join(names, ", "), more)
	}
	return "Domains: " + strings.Join(names, ", ") + "."
}

// oneOf joins names in quotes: 'a', 'b' or 'c'.
func oneOf(names []string) string {
	quoted := make([]string, 0, len(names))
	for _, n := range names {
		quoted = append(quoted, "'"+shown(n)+"'")
	}
	last := len(quoted) - 1
	if last <= 0 {
		return strings.Join(quoted, "")
	}
	return strings.Join(slices.Clip(quoted[:last]), ", ") + " or " + quoted[last]
}
