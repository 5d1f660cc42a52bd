package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// connection is one keep-alive connection to an MCP server. It does less than net/http's
// client, so that the servers, which share the machine with it, are what is measured.
type connection struct {
	net  net.Conn
	r    *bufio.Reader
	host string
	path string
	body []byte // of the last answer
}

func dial(ctx context.Context, address string) (*connection, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	c, err := new(net.Dialer).DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return nil, err
	}
	return &connection{net: c, r: bufio.NewReaderSize(c, 1<<16), host: u.Host, path: u.Path}, nil
}

// request is the bytes of a POST of a message.
func (c *connection) request(session, message string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n", c.path, c.host)
	if session != "" {
		fmt.Fprintf(&b, "Mcp-Session-Id: %s\r\nMcp-Protocol-Version: %s\r\n", session, protocolVersion)
	}
	fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(message), message)
	return b.Bytes()
}

// protocolVersion is the version of MCP that all that is compared speaks.
const protocolVersion = "2025-06-18"

const (
	initializeMessage  = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + protocolVersion + `","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`
	initializedMessage = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

// callMessage is a call of a tool with arguments in JSON.
func callMessage(tool, arguments string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
}

// do sends a request and reads the answer into c.body; session is the one that the
// server gave, if any.
func (c *connection) do(request []byte) (status int, session string, err error) {
	if _, err := c.net.Write(request); err != nil {
		return 0, "", err
	}
	line, err := c.r.ReadSlice('\n')
	if err != nil {
		return 0, "", err
	}
	if len(line) < 12 {
		return 0, "", fmt.Errorf("not HTTP: %q", line)
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, "", fmt.Errorf("not HTTP: %q", line)
	}
	length, chunked := 0, false
	for {
		line, err := c.r.ReadSlice('\n')
		if err != nil {
			return 0, "", err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(": "))
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			if length, err = strconv.Atoi(string(value)); err != nil {
				return 0, "", fmt.Errorf("not HTTP: %q", line)
			}
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			chunked = true
		case bytes.EqualFold(name, []byte("Mcp-Session-Id")):
			session = string(value)
		}
	}
	c.body = c.body[:0]
	if chunked {
		return status, session, c.readChunks()
	}
	return status, session, c.read(length)
}

// read adds so many bytes to the body.
func (c *connection) read(n int) error {
	at := len(c.body)
	if cap(c.body)-at < n {
		c.body = append(make([]byte, 0, at+2*n), c.body...)
	}
	c.body = c.body[:at+n]
	_, err := io.ReadFull(c.r, c.body[at:])
	return err
}

func (c *connection) readChunks() error {
	for {
		line, err := c.r.ReadSlice('\n')
		if err != nil {
			return err
		}
		n, err := strconv.ParseInt(string(bytes.TrimRight(line, "\r\n")), 16, 32)
		if err != nil {
			return fmt.Errorf("not a chunk: %q", line)
		}
		if err := c.read(int(n)); err != nil {
			return err
		}
		if _, err := c.r.Discard(2); err != nil { // the line's end
			return err
		}
		if n == 0 {
			return nil
		}
	}
}

// begin opens a session; a server without sessions has the empty one.
func (c *connection) begin() (session string, err error) {
	status, session, err := c.do(c.request("", initializeMessage))
	if err != nil || status != http.StatusOK {
		return "", errors.Join(err, fmt.Errorf("initialize: status %d: %.200s", status, c.body))
	}
	status, _, err = c.do(c.request(session, initializedMessage))
	if err != nil || status/100 != 2 {
		return "", errors.Join(err, fmt.Errorf("initialized: status %d: %.200s", status, c.body))
	}
	return session, nil
}

// caller calls a tool over some connections, in some sessions.
type caller struct {
	connections []*connection
	requests    [][][]byte // of each connection; they take turns
	want        string     // that each answer holds
	calls       atomic.Int64
}

// newCaller opens connections, and sessions divided among them.
func newCaller(ctx context.Context, url string, connections, sessions int, message, want string) (*caller, error) {
	c := &caller{want: want, requests: make([][][]byte, connections)}
	for range connections {
		conn, err := dial(ctx, url)
		if err != nil {
			return nil, errors.Join(err, c.close())
		}
		c.connections = append(c.connections, conn)
	}
	for i := range max(sessions, connections) {
		at := i % connections
		conn := c.connections[at]
		if i < sessions {
			session, err := conn.begin()
			if err != nil {
				return nil, errors.Join(err, c.close())
			}
			c.requests[at] = append(c.requests[at], conn.request(session, message))
		} else { // fewer sessions than connections share them
			c.requests[at] = c.requests[at%sessions]
		}
	}
	return c, nil
}

func (c *caller) close() error {
	var errs []error
	for _, conn := range c.connections {
		errs = append(errs, conn.net.Close())
	}
	return errors.Join(errs...)
}

// during calls for so long on all connections and returns the calls a second. Each answer
// has to be the one that is wanted.
func (c *caller) during(length time.Duration) (perSecond float64, err error) {
	var all sync.WaitGroup
	before := c.calls.Load()
	errs := make([]error, len(c.connections))
	begun := time.Now()
	for i, conn := range c.connections {
		all.Go(func() {
			n := 0
			for time.Since(begun) < length && errs[i] == nil {
				errs[i] = conn.answers(c.requests[i][n%len(c.requests[i])], c.want)
				n++
			}
			c.calls.Add(int64(n))
		})
	}
	all.Wait()
	return float64(c.calls.Load()-before) / time.Since(begun).Seconds(), errors.Join(errs...)
}

// answers sends a request whose answer has to hold a text.
func (c *connection) answers(request []byte, want string) error {
	status, _, err := c.do(request)
	if err == nil && (status != http.StatusOK || !strings.Contains(string(c.body), want)) {
		err = fmt.Errorf("status %d: %.300s", status, c.body)
	}
	return err
}
