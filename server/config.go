package server

import (
	"log/slog"
	"strings"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/format"
)

// What the zero values of a Config stand for.
const (
	DefaultName        = "ontogate"
	DefaultMaxAnswer   = 20_000 // characters
	DefaultCallTimeout = 25 * time.Second
	DefaultSessionIdle = 30 * time.Minute
	DefaultMaxSessions = 10_000
)

// MinAnswer is the smallest MaxAnswer: shorter answers could not say what they left
// out.
const MinAnswer = format.MinBudget

// Config says what to serve and within which bounds.
type Config struct {
	// Backend serves the domains. It is required and stays the caller's to close.
	Backend domains.Backend
	// Name is what clients call the server, to tell several apart; empty means
	// DefaultName.
	Name string
	// Deployment is the OntoBricks deployment in front of which the server stands, for
	// GET /; the zero Deployment is none.
	Deployment Deployment
	// App says that the program runs as a Databricks App, behind the platform's proxy:
	// every request is of the person or service that the proxy names in x-forwarded-user
	// and x-forwarded-email, one without is refused, and x-forwarded-host is the host.
	// Otherwise these headers are not read.
	App bool
	// ReadOnly takes away every tool that writes: it is listed nowhere and refused.
	ReadOnly bool
	// DisabledTools are domain tools that the server does without: they are listed nowhere
	// and refused in every domain. See CheckDisabledTools for the names.
	DisabledTools []string
	// Domain is selected from the start of every session, and is used by
	// requests that have no session. Empty selects nothing.
	Domain domains.Name
	// OneCall says that the server is for one Call: New then lists the domains only where
	// Domain has to be found, and leaves it to the call to say why they cannot be listed.
	OneCall bool
	// AllowHosts are Host header values that are accepted besides loopback names
	// and addresses, with or without a port; one without a port allows every port.
	AllowHosts []string
	// AllowOrigins are Origin header values that are accepted besides loopback
	// origins and the origin of the request's own host, with or without scheme and
	// port; what is left out allows everything there.
	AllowOrigins []string
	// MaxAnswer is the most characters of any tool's answer, at least MinAnswer; 0
	// means DefaultMaxAnswer.
	MaxAnswer int
	// CallTimeout is the time one tool call may take, waiting for its turn
	// included; 0 means DefaultCallTimeout.
	CallTimeout time.Duration
	// SessionIdle is how long a session may rest before it ends; 0 means
	// DefaultSessionIdle.
	SessionIdle time.Duration
	// MaxSessions is the most sessions at once; 0 means DefaultMaxSessions.
	MaxSessions int
	// PublicURL is the address that clients use, without a path
	// ("https://graphs.example.org"). Empty takes it from each request.
	PublicURL string
	// Version is the program's version as clients see it; empty means "dev".
	Version string
	// Logger gets one line for each call; nil means silence.
	Logger *slog.Logger
	// Clock tells the time for idle sessions; nil means time.Now.
	Clock func() time.Time
}

// Deployment names an OntoBricks deployment as its own MCP server does
// (OntoBricks contract 3.1).
type Deployment struct {
	// URL is its address; empty when there is none, and then nothing of it is shown.
	URL string
	// Warehouse is the id of its SQL warehouse, Registry the place of its registry; empty
	// when not known.
	Warehouse, Registry string
}

// title is the server's name for people.
func (c Config) title() string {
	if c.Name == DefaultName {
		return "Ontogate"
	}
	return c.Name
}

// withDefaults fills in what zero values stand for.
func (c Config) withDefaults() Config {
	if c.MaxAnswer <= 0 {
		c.MaxAnswer = DefaultMaxAnswer
	}
	if c.CallTimeout <= 0 {
		c.CallTimeout = DefaultCallTimeout
	}
	if c.SessionIdle <= 0 {
		c.SessionIdle = DefaultSessionIdle
	}
	if c.MaxSessions <= 0 {
		c.MaxSessions = DefaultMaxSessions
	}
	if c.Name == "" {
		c.Name = DefaultName
	}
	if c.Version == "" {
		c.Version = "dev"
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	c.PublicURL = strings.TrimRight(c.PublicURL, "/")
	return c
}
