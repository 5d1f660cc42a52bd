// Package login gives access tokens for Databricks, as a server needs them that runs for
// weeks: found once, renewed before they expire, replaced when they are refused.
//
// Credentials are looked for in the order that Databricks documents: OAuth client
// credentials from the variables, a personal access token from the variables, a profile
// of the configuration file, which may name the Databricks CLI. The first that is there
// is taken; one that is there in part is an error that says what is missing, because
// whoever set half of it meant it.
//
//	login.go    where credentials may be, and which are taken
//	profile.go  the configuration file
//	oauth.go    a way to get a token: OAuth client credentials
//	cli.go      another: the Databricks CLI
//	source.go   the token in use, and when the next one is fetched
//
// No secret is in an error, a log line or the text of a Settings or a Source.
package login

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/ontogate/ontogate/domains"
)

// Settings say where credentials may be found. Only cmd reads the environment, so the
// variables arrive here as fields.
type Settings struct {
	// Host, ClientID, ClientSecret and Token are DATABRICKS_HOST, _CLIENT_ID,
	// _CLIENT_SECRET and _TOKEN.
	Host, ClientID, ClientSecret, Token string
	// Profile is DATABRICKS_CONFIG_PROFILE; "" means the profile DEFAULT where it has
	// credentials. AuthType is DATABRICKS_AUTH_TYPE and demands one way: oauth-m2m, pat or
	// databricks-cli.
	Profile, AuthType string
	// ConfigFile is DATABRICKS_CONFIG_FILE; "" means .databrickscfg in Home, which need
	// not exist.
	ConfigFile string
	// Home is the user's home directory; "" means that there is none.
	Home string
	// Transport reaches the token endpoint; nil means one of the source's own, without a
	// proxy.
	Transport http.RoundTripper
	// Clock tells when tokens expire; nil means time.Now.
	Clock func() time.Time
	// Logger is told of renewals that fail; nil means silence.
	Logger *slog.Logger
	// Command runs the Databricks CLI and gives its standard output; nil runs it as a
	// process, found in PATH.
	Command func(ctx context.Context, name string, args ...string) ([]byte, error)
}

// String never tells a secret: texts and logs may hold Settings by mistake.
func (s Settings) String() string {
	if s.Profile != "" {
		return fmt.Sprintf("login settings with profile %q", s.Profile)
	}
	return "login settings"
}

// GoString is String, for %#v.
func (s Settings) GoString() string { return s.String() }

// MarshalText is String, for log lines and JSON.
func (s Settings) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// The values of AuthType and auth_type that are known.
const (
	typeOAuth = "oauth-m2m"
	typePAT   = "pat"
	typeCLI   = "databricks-cli"
)

// typeNames are what people are told of the ways.
var typeNames = map[string]string{typeOAuth: "OAuth client credentials", typePAT: "personal access token", typeCLI: typeCLI}

// New looks for credentials; it fetches nothing yet. The Source is nil, without an
// error, when there are none. how tells people which way was taken and holds no secret.
// An error is a *domains.Error that names what is missing and the next step.
func New(s Settings) (source *Source, how string, err error) {
	if s.AuthType != "" && typeNames[s.AuthType] == "" {
		return nil, "", domains.Invalid(fmt.Sprintf("DATABRICKS_AUTH_TYPE is '%s', which is not known: use oauth-m2m, pat or databricks-cli, or unset it.", s.AuthType))
	}
	if s.Logger == nil {
		s.Logger = slog.New(slog.DiscardHandler)
	}
	if s.Clock == nil {
		s.Clock = time.Now
	}
	if s.Transport == nil {
		own := http.DefaultTransport.(*http.Transport).Clone()
		own.Proxy = nil
		own.DisableKeepAlives = true // one request an hour
		s.Transport = own
	}
	if s.Command == nil {
		s.Command = run
	}
	c, how, err := s.variables()
	if c == nil && err == nil {
		c, how, err = s.profile()
	}
	switch {
	case err != nil:
		return nil, "", err
	case c != nil:
		return s.source(c), how, nil
	case s.AuthType != "":
		return nil, "", domains.Invalid(fmt.Sprintf("DATABRICKS_AUTH_TYPE is '%s', and no credentials of that kind are set: %s.", s.AuthType, missing[s.AuthType]))
	}
	return nil, "", nil
}

// missing says what each way needs.
var missing = map[string]string{
	typeOAuth: "set DATABRICKS_HOST, DATABRICKS_CLIENT_ID and DATABRICKS_CLIENT_SECRET, or --profile (DATABRICKS_CONFIG_PROFILE)",
	typePAT:   "set DATABRICKS_TOKEN, or --profile (DATABRICKS_CONFIG_PROFILE)",
	typeCLI:   "set DATABRICKS_HOST or --profile (DATABRICKS_CONFIG_PROFILE), and run databricks auth login",
}

// credentials are what one place holds, complete for their kind.
type credentials struct {
	kind string // one of the types above
	host string // as an address; empty where a personal access token needs none
	id, secret,
	token, account string
	profile string // the name of the profile; empty when from the variables
}

// place names where credentials are, for people.
func (c *credentials) place(variables, keys string) string {
	if c.profile == "" {
		return variables
	}
	return fmt.Sprintf("%s of profile '%s'", keys, c.profile)
}

// wants reports whether a kind of credentials may be taken.
func (s Settings) wants(kind string) bool { return s.AuthType == "" || s.AuthType == kind }

// variables takes credentials from the variables alone; nil when there are none.
func (s Settings) variables() (c *credentials, how string, err error) {
	host, err := address(s.Host, "DATABRICKS_HOST")
	if err != nil {
		return nil, "", err
	}
	switch {
	case s.wants(typeOAuth) && s.ClientID+s.ClientSecret != "":
		for _, need := range []struct{ name, value string }{
			{"DATABRICKS_HOST", host}, {"DATABRICKS_CLIENT_ID", s.ClientID}, {"DATABRICKS_CLIENT_SECRET", s.ClientSecret},
		} {
			if need.value == "" {
				return nil, "", domains.Invalid(fmt.Sprintf("%s is missing: OAuth client credentials are DATABRICKS_HOST, DATABRICKS_CLIENT_ID and DATABRICKS_CLIENT_SECRET. Set it, or unset the others.", need.name))
			}
		}
		c = &credentials{kind: typeOAuth, host: host, id: s.ClientID, secret: s.ClientSecret}
	case s.wants(typePAT) && s.Token != "":
		c = &credentials{kind: typePAT, host: host, token: s.Token}
	case s.AuthType == typeCLI && host != "" && s.Profile == "":
		c = &credentials{kind: typeCLI, host: host}
	default:
		return nil, "", nil
	}
	return c, typeNames[c.kind], nil
}
