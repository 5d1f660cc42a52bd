package server

import (
	"bytes"
	"context"
	"encoding/json"
	"mime"
	"net/http"
	"slices"
	"strconv"

	"github.com/mark3labs/mcp-go/mcp"
)

// What clients ask over and over, calls of tools and the list of them, does not go through
// mcp-go: it reads a message eight times, and starts a goroutine for events that are ours
// here. Only messages that leave nothing to decide come this way; all others, every error
// among them, are mcp-go's, and the answers are the same to the byte (TestDirectly).

// message is a JSON-RPC request that holds nothing but what is named here.
type message struct {
	// id is as it is sent back, and key as cancelling finds it.
	id, key []byte
	method  string
	// name and arguments are those of a tool that is called.
	name      string
	arguments json.RawMessage
}

// messageOf reads a message that can be answered directly. ok is false for every other.
func messageOf(body []byte) (m message, ok bool) {
	if !json.Valid(body) {
		return m, false
	}
	var version, params []byte
	simple := members(body, func(name, value []byte) bool {
		switch string(name) {
		case "jsonrpc":
			version = value
		case "id":
			m.id = value
		case "method":
			method, ok := plainText(value)
			m.method = string(method)
			return ok
		case "params":
			params = value
		default:
			return false
		}
		return true
	})
	if !simple || string(version) != `"2.0"` || !m.hasPlainID() {
		return m, false
	}
	switch mcp.MCPMethod(m.method) {
	case mcp.MethodToolsCall:
		return m, members(params, m.ofCall) && m.name != ""
	case mcp.MethodToolsList:
		return m, params == nil || members(params, func(name, value []byte) bool {
			return string(name) == "_meta" && says(value)
		})
	}
	return m, false
}

// ofCall takes one member of the parameters of a call.
func (m *message) ofCall(name, value []byte) bool {
	switch string(name) {
	case "name":
		text, ok := plainText(value)
		m.name = string(text)
		return ok
	case "arguments":
		m.arguments = value
		return true
	case "_meta":
		return says(value)
	}
	return false
}

// says reports whether _meta is for others than us: the protocol's own members, such as a
// version that begins with it, are mcp-go's to read.
func says(meta []byte) bool {
	return members(meta, func(name, _ []byte) bool { return !bytes.Contains(name, []byte("modelcontextprotocol")) })
}

// hasPlainID reports whether the id is sent back as it stands, and notes its key: mcp-go
// does not tell the number 7 from the text "7" there.
func (m *message) hasPlainID() bool {
	if text, ok := plainText(m.id); ok {
		m.key = text
		return !bytes.ContainsAny(text, "<>&") // these are escaped in answers
	}
	const most = 1<<53 - 1
	n, err := strconv.ParseInt(string(m.id), 10, 64)
	m.key = m.id
	return err == nil && -most <= n && n <= most && string(strconv.AppendInt(nil, n, 10)) == string(m.id)
}

// directly answers a message that was read as one. ok is false when it was not, because
// a header asks for more.
func (s *Server) directly(w *postStream, r *http.Request, c *caller, m message) (ok bool) {
	if !isPlainRequest(r.Header) {
		return false
	}
	ctx, done := c.running(r.Context(), string(m.key))
	defer done()
	memory := answers.Get().(*[]byte)
	answer := append(append((*memory)[:0], `{"jsonrpc":"2.0","id":`...), m.id...)
	switch mcp.MCPMethod(m.method) {
	case mcp.MethodToolsList:
		answer = s.appendList(withCaller(ctx, c), append(answer, `,"result":`...))
	default:
		text, isError, err := s.callTool(ctx, c, m.name, m.arguments)
		if err != nil {
			// An id that is plain, and a text, always encode.
			details, _ := json.Marshal(mcp.NewJSONRPCErrorDetails(mcp.INTERNAL_ERROR, err.Error(), nil))
			answer = append(append(answer, `,"error":`...), details...)
		} else {
			answer = appendResult(append(answer, `,"result":`...), text, isError)
		}
	}
	answer = append(answer, '}', '\n')
	if r.Context().Err() == nil { // a client that is gone needs none
		w.answer(answer)
	}
	keepAnswer(memory, answer)
	return true
}

// isPlainRequest reports whether the headers are those that clients send: JSON, in a version of
// the protocol that has sessions.
func isPlainRequest(h http.Header) bool {
	if content := h.Get("Content-Type"); content != "application/json" {
		if media, _, err := mime.ParseMediaType(content); err != nil || media != "application/json" {
			return false
		}
	}
	version := h.Get(mcp.HeaderProtocolVersion)
	return version == "" || slices.Contains(versions, version)
}

// versions are those of the protocol that are served.
var versions = mcp.LegacyProtocolVersions()

// appendResult adds the result of a call.
func appendResult(b []byte, text string, isError bool) []byte {
	b = append(appendQuoted(append(b, `{"content":[{"type":"text","text":`...), text), `}]`...)
	if isError {
		b = append(b, `,"isError":true`...)
	}
	return append(b, '}')
}

// appendList adds the result of a list of tools.
func (s *Server) appendList(ctx context.Context, b []byte) []byte {
	b = append(b, `{"tools":[`...)
	for i, t := range s.visible(ctx) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, t.wire...)
	}
	return append(b, "]}"...)
}

// running makes a request of a session one that its client can cancel by its key, until
// done is called. mcp-go does the same for those that it answers.
func (c *caller) running(ctx context.Context, key string) (running context.Context, done func()) {
	if c.session == nil { // nobody knows its id
		return ctx, func() {}
	}
	running, cancel := context.WithCancel(ctx)
	mark := &cancel
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running == nil {
		s.running = map[string]*context.CancelFunc{}
	}
	s.running[key] = mark
	return running, func() {
		cancel()
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.running[key] == mark {
			delete(s.running, key)
		}
	}
}

// cancel ends the request that a notification of the client names, if it is answered
// directly.
func (s *session) cancel(notification []byte) {
	var m struct {
		Params struct {
			ID any `json:"requestId"`
		} `json:"params"`
	}
	if json.Unmarshal(notification, &m) != nil {
		return
	}
	var key string
	switch id := m.Params.ID.(type) {
	case string:
		key = id
	case float64:
		key = strconv.FormatFloat(id, 'f', -1, 64)
	}
	s.mu.Lock()
	mark := s.running[key]
	s.mu.Unlock()
	if mark != nil {
		(*mark)()
	}
}
