package server

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/ontogate/ontogate/domains"
)

// NewWith is New with other tools: get_status under other names.
func NewWith(ctx context.Context, c Config, names ...string) (*Server, error) {
	var list []*tool
	for _, name := range names {
		t := getStatus()
		t.Name = name
		list = append(list, t)
	}
	return newServer(ctx, c, list)
}

// probeInput has an argument of each kind.
type probeInput struct {
	Text   string   `json:"text" doc:"Any text."`
	Word   string   `json:"word" enum:"one,two"`
	Number int      `json:"number" doc:"A number." default:"3" min:"1" max:"9"`
	Truth  bool     `json:"truth" doc:"Yes or no."`
	List   []string `json:"list" doc:"Several texts."`
	unpaged
}

func (probeInput) domainName() string { return "" }

// NewProbe is New with the tool "probe" alone, which answers with its arguments as
// it understood them, as JSON.
func NewProbe(ctx context.Context, c Config) (*Server, error) {
	return newServer(ctx, c, []*tool{define(tool{
		Tool:  domains.Tool{Name: "probe", Kind: domains.RegistryTool},
		title: "Probe", description: "Repeat the arguments.", example: `{"truth":true}`, budget: ordinaryBudget,
	}, func(_ context.Context, _ *call, in probeInput) (string, error) { return jsonText(in), nil })})
}

// CheckSchema runs the part of the self-check that reads schemas.
func CheckSchema(schema string) error { return checkSchema(json.RawMessage(schema)) }

// Sessions counts the sessions over HTTP that are kept.
func (s *Server) Sessions() int {
	s.sessions.mu.Lock()
	defer s.sessions.mu.Unlock()
	return len(s.sessions.byID)
}

// TransportKnows reports whether mcp-go keeps anything under a session id.
func (s *Server) TransportKnows(id string) bool {
	return !errors.Is(s.mcp.SendNotificationToSpecificClient(id, "none", nil), mcpserver.ErrSessionNotFound)
}

// Services counts the derived services that are kept.
func (s *Server) Services() int {
	s.services.mu.Lock()
	defer s.services.mu.Unlock()
	return len(s.services.derived.kept)
}

// Shelve puts values of a size ("name:size") on a shelf, finding one before the last, and
// lists the names of those that are kept.
func Shelve(most, mostBytes int, puts []string, find string) (kept []string) {
	s := shelf[string, string]{most: most, mostBytes: mostBytes}
	for i, put := range puts {
		name, size, _ := strings.Cut(put, ":")
		if i == len(puts)-1 && find != "" {
			s.find(find)
		}
		n, _ := strconv.Atoi(size)
		s.put(name, name, n)
	}
	for _, e := range s.kept {
		kept = append(kept, e.value)
	}
	return kept
}

// Accepted is what a request wants of what is offered.
func Accepted(accept []string, usual string, offered ...string) (string, bool) {
	return accepted(accept, usual, offered...)
}

// AnsweredDirectly reports whether a message is answered without mcp-go.
func AnsweredDirectly(body string) bool {
	_, ok := messageOf([]byte(body))
	return ok
}

// Members are the members of a valid JSON object; ok is false when encoding/json has to
// read it.
func Members(object string) (found map[string]json.RawMessage, ok bool) {
	found = map[string]json.RawMessage{}
	ok = members([]byte(object), func(name, value []byte) bool { found[string(name)] = value; return true })
	return found, ok
}

// What is limited.
const (
	MaxCallsPerSession = callsPerSession
	MaxCallsPerProcess = callsPerProcess
	MaxCallsPerUser    = callsPerUser
	WriteTimeout       = writeTimeout
	DrainGrace         = drainGrace
)

// SetBudget gives every tool a budget, beyond what a server may be started with. It is for
// a server that nobody uses yet.
func (s *Server) SetBudget(n int) {
	s.cfg.MaxAnswer = n
	for _, t := range s.tools {
		t.budget = n
	}
}
