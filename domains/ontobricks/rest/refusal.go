package rest

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// refusal is the error of an answer that says no, or is a web page.
func (c *Client) refusal(ctx context.Context, r Request, a *answer, token string) error {
	said := c.own(a, token, r.Principal.Token)
	f := &Failure{Status: a.status, Code: said.code, Message: said.text}
	kind := domains.ErrUpstream
	if a.status == http.StatusTooManyRequests || a.status == http.StatusGatewayTimeout {
		kind = domains.ErrLimit
	}
	text, step := c.words(ctx, r, a, said)
	if said.text != "" && !said.framework {
		text = said.text
	}
	if said.whole && said.text != "" {
		text, step = strings.TrimSpace(said.text), ""
	} else {
		text = sentence(text)
	}
	out := &domains.Error{Kind: kind, Op: r.Doing, Domain: r.Domain, Message: strings.TrimSpace(text + " " + step), Err: f}
	if a.status == http.StatusTooManyRequests || a.status == http.StatusServiceUnavailable {
		out.RetryAfter, _ = retryAfter(a.header, c.config.Clock())
	}
	return out
}

// words are what an answer means when it has no text of its own, and the next step.
func (c *Client) words(ctx context.Context, r Request, a *answer, said own) (text, step string) {
	status := fmt.Sprintf("(status %d)", a.status)
	switch {
	case a.isRedirect():
		return "OntoBricks sends this request on to another address " + status + ", as an app does that wants another login",
			checkURL + " itself and not of a page in front of it, that the access token is of the same workspace, and that whoever it belongs to has CAN USE on the app."
	case a.status == http.StatusUnauthorized && c.config.Tokens == nil:
		return "OntoBricks wants a login " + status + ", and this server was started without credentials",
			"Set DATABRICKS_HOST, DATABRICKS_CLIENT_ID and DATABRICKS_CLIENT_SECRET, or --profile (DATABRICKS_CONFIG_PROFILE), and start it again."
	case a.status == http.StatusUnauthorized:
		return "OntoBricks refused the access token of this server, and a new one too " + status,
			"Check that the token is an OAuth token (apps refuse personal access tokens) of the workspace of OntoBricks, and that whoever it belongs to has CAN USE on the app."
	case a.status == http.StatusForbidden:
		return "OntoBricks forbids this " + status,
			"Ask an owner of the domain for a role in its team, or an administrator for CAN USE on the OntoBricks app."
	case a.status == http.StatusTooManyRequests:
		return "OntoBricks gets too many requests " + status, c.later(a)
	case a.status == http.StatusBadGateway && a.isInfrastructure():
		return "Something that OntoBricks works with failed " + status,
			r.next("Its SQL warehouse or graph store failed, and the same request is likely to fail again: check that the warehouse runs and that OntoBricks may read the tables.")
	case a.status == http.StatusBadGateway:
		return "OntoBricks does not answer behind its gateway " + status, r.next("It may be starting: try again in a minute, then check that the app runs.")
	case a.status == http.StatusServiceUnavailable:
		return "OntoBricks is not available now " + status, r.next(c.later(a) + " If that does not help, check that the app runs.")
	case a.status == http.StatusGatewayTimeout:
		return "OntoBricks took too long behind its gateway " + status, r.next(askLess)
	case a.isPage() && a.status >= 500:
		return "OntoBricks failed with a web page instead of data " + status,
			r.next("What stands in front of it may have failed: try again in a minute, then check that the app runs.")
	case a.isPage():
		step = checkURL + " itself, not of a login page or of another app."
		if r.Writes && a.status < 300 {
			step += " " + mayHaveRun
		}
		return "OntoBricks answered with a web page instead of data " + status, step
	}
	return plainWords(ctx, r, a, said, status)
}

// plainWords are words for the answers that OntoBricks itself gives.
func plainWords(ctx context.Context, r Request, a *answer, said own, status string) (text, step string) {
	switch {
	case a.status == http.StatusNotFound && said.framework:
		return "OntoBricks does not know this kind of request " + status, checkURL + " and that its version is one that this server knows."
	case a.status == http.StatusNotFound:
		return "OntoBricks has nothing of that name " + status, "Check the names: list_domains lists the domains, list_entity_types what one has."
	case a.status == http.StatusUnprocessableEntity:
		return "OntoBricks does not take these arguments " + status, "Correct the argument that it names."
	case a.status == http.StatusConflict:
		return "OntoBricks is in a state that does not allow this " + status, "See get_status, then try again."
	case a.status >= 500:
		step = "This is a fault of OntoBricks; its log says more" + inLog(ctx, said) + "."
		if r.Writes {
			step += " " + mayHaveRun
		}
		return fmt.Sprintf("OntoBricks failed %s", status), step
	}
	return "OntoBricks refused this request " + status, r.correction(said)
}

// correction is the next step after a request that OntoBricks finds wrong.
func (r Request) correction(said own) string {
	switch {
	case strings.HasPrefix(said.text, "Registry not configured"):
		return "Start this server with REGISTRY_CATALOG and REGISTRY_SCHEMA, or choose a registry in the settings of OntoBricks."
	case strings.Contains(r.Path, "/nodes/"):
		return "get_entity_context shows what is declared for the entity."
	}
	return "Correct what it names, or see get_status for the state of the domain."
}

// later says when to try again.
func (c *Client) later(a *answer) string {
	if wait, ok := retryAfter(a.header, c.config.Clock()); ok && wait > 0 {
		return "Try again in " + seconds(wait) + "."
	}
	return "Try again in a minute."
}

// inLog names the request as the log of OntoBricks does.
func inLog(ctx context.Context, said own) string {
	id := said.request
	if id == "" && isCode(domains.RequestID(ctx)) {
		id = domains.RequestID(ctx)
	}
	if id == "" {
		return ""
	}
	return " (request " + id + ")"
}
