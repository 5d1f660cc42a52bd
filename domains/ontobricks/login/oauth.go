package login

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/ontogate/ontogate/domains"
)

// fetchTimeout bounds one request of a token (OntoBricks contract 5.2).
const fetchTimeout = 10 * time.Second

// address is the address of a workspace: trimmed, without a slash at the end, with https
// where it has no scheme. name is where it was written, for errors, which do not show it.
func address(host, name string) (string, error) {
	host = strings.TrimRight(strings.TrimSpace(host), "/")
	if host == "" {
		return "", nil
	}
	if !strings.HasPrefix(host, "http") {
		host = "https://" + host
	}
	u, err := url.Parse(host)
	switch {
	case err != nil, u.Hostname() == "", u.User != nil, u.RawQuery != "", u.Fragment != "", u.Scheme != "http" && u.Scheme != "https":
		return "", domains.Invalid(name + " is not the address of a workspace: it must look like https://adb-1234567890123456.7.azuredatabricks.net.")
	case u.Scheme == "http" && !domains.IsLoopback(u.Hostname()):
		return "", domains.Invalid(name + " is a plain http address, and secrets would be readable on the way: use https.")
	}
	return host, nil
}

// isAccount reports whether the credentials are for the console of an account, which has
// its own addresses, and not for a workspace.
func (c *credentials) isAccount() bool {
	return c.account != "" && strings.Contains(c.host, "://accounts.")
}

// oauth is the way of OAuth client credentials.
func (s Settings) oauth(c *credentials) way {
	endpoint := c.host + "/oidc/v1/token"
	if c.isAccount() {
		endpoint = c.host + "/oidc/accounts/" + url.PathEscape(c.account) + "/v1/token"
	}
	config := clientcredentials.Config{
		ClientID: c.id, ClientSecret: c.secret, TokenURL: endpoint,
		Scopes: []string{"all-apis"}, AuthStyle: oauth2.AuthStyleInHeader,
	}
	client := &http.Client{
		Transport: s.Transport,
		// The secret goes to the host that was named and to no other.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return way{
		timeout: fetchTimeout,
		refused: "OntoBricks refused the access token, and the workspace gave the same one again. Check that the service principal has CAN USE on the OntoBricks app, and that the app is of this workspace.",
		fetch: func(ctx context.Context) (grant, error) {
			asked := s.Clock() // its life counts from here, to be on the safe side
			token, err := config.Token(context.WithValue(ctx, oauth2.HTTPClient, client))
			if err != nil {
				return grant{}, oauthError(c, err)
			}
			life := unknownLife
			if !token.Expiry.IsZero() {
				// The library counts from the real time; s.Clock may be another.
				life = time.Until(token.Expiry).Round(time.Second)
			}
			return granted(token.AccessToken, asked, life), nil
		},
	}
}

var codes = regexp.MustCompile(`^[a-z_]{1,40}$`)

// oauthError says what to do about a token that was not given. The library's errors hold
// the body of the answer, so that only status and code are taken from them.
func oauthError(c *credentials, err error) error {
	var (
		answer *oauth2.RetrieveError
		n      net.Error
	)
	host := c.place("DATABRICKS_HOST", "the host")
	switch {
	case errors.As(err, &answer) && answer.Response != nil:
		return answerError(c, answer.Response.StatusCode, answer.ErrorCode)
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &n) && n.Timeout():
		return failed(domains.ErrLimit, "The workspace did not give an access token in time. Check "+host+" and the network, and try again.", causeOf(err))
	case errors.As(err, &n):
		return failed(domains.ErrUpstream, "The workspace cannot be reached for an access token. Check "+host+" and the network.", causeOf(err))
	}
	return failed(domains.ErrUpstream, "The workspace answered without an access token. Check that "+host+" is the address of a Databricks workspace.", causeOf(err))
}

// answerError is for an answer that is no token.
func answerError(c *credentials, status int, code string) error {
	cause := fmt.Errorf("token endpoint: status %d", status)
	if codes.MatchString(code) {
		cause = fmt.Errorf("token endpoint: status %d %s", status, code)
	}
	message := fmt.Sprintf("The workspace gave no access token (status %d). ", status)
	host := c.place("DATABRICKS_HOST", "the host")
	switch {
	case status == http.StatusTooManyRequests || status >= 500:
		message += "Try again in a minute."
	case status == http.StatusNotFound || status < 400:
		message += "Check that " + host + " is the address of the workspace itself, not of an app or a login page."
	case status == http.StatusBadRequest && code != "" && code != "invalid_client" && code != "unauthorized_client":
		message += "Check that the service principal belongs to the workspace of " + host + "."
	default:
		message = fmt.Sprintf("The workspace refused the OAuth client credentials (status %d). Check %s: the secret may have expired, then make a new one for the service principal.",
			status, c.place("DATABRICKS_CLIENT_ID and DATABRICKS_CLIENT_SECRET", "client_id and client_secret"))
	}
	return failed(domains.ErrUpstream, message, cause)
}
