// Package login gives access tokens for Databricks.
package login

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"golang.org/x/oauth2"
)

// Settings say where credentials may be found. Only cmd reads the environment, so the
// variables arrive here as fields.
type Settings struct {
	// Host, ClientID, ClientSecret and Token are DATABRICKS_HOST, _CLIENT_ID,
	// _CLIENT_SECRET and _TOKEN.
	Host, ClientID, ClientSecret, Token string
	// Profile is DATABRICKS_CONFIG_PROFILE, AuthType DATABRICKS_AUTH_TYPE.
	Profile, AuthType string
	// ConfigFile is DATABRICKS_CONFIG_FILE; "" means .databrickscfg in Home.
	ConfigFile string
	// Home is the user's home directory.
	Home string
	// Transport reaches the token endpoint; nil means http.DefaultTransport's settings
	// without a proxy.
	Transport http.RoundTripper
	// Clock tells when tokens expire; nil means time.Now.
	Clock func() time.Time
	// Logger is told of renewals that fail; nil means silence.
	Logger *slog.Logger
	// Command runs the Databricks CLI and gives its standard output; nil runs it as a
	// process.
	Command func(ctx context.Context, name string, args ...string) ([]byte, error)
}

// Source gives tokens. It may be used concurrently.
type Source struct{ current *oauth2.Token }

// New looks for credentials. The Source is nil, without an error, when there are none.
// how tells people which way was taken and holds no secret.
func New(s Settings) (source *Source, how string, err error) { return nil, "", nil }

// Token gives a token that is valid for the next requests.
func (s *Source) Token(ctx context.Context) (string, error) {
	if s.current == nil {
		return "", errors.New("not built yet")
	}
	return s.current.AccessToken, nil
}

// Spoiled says that the service refused this token: the next Token is a new one.
func (s *Source) Spoiled(token string) {}
