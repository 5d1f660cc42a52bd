package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"golang.org/x/sync/errgroup"
)

// stdioPending is how many messages of a client on stdio are in work or waiting
// before the next one is read.
const stdioPending = 256

// drainGrace is for answers to calls that ran out of their time while the service ends.
const drainGrace = time.Second

// ServeStdio serves one client over a pair of streams, one JSON-RPC message a
// line, until in ends or ctx does; then it waits for the answers that are due. Calls
// that run when ctx ends have their usual time, and those that wait behind them no
// more than that. Nothing but messages is written to out. Reading cannot be interrupted: when ctx ends, one goroutine stays
// until in gives a line or ends. The error is that of in or out.
//
// mcp-go has a server for stdio, but it takes messages out of order and drops the
// answers that are due when in ends.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	reading, stop := context.WithCancel(ctx)
	defer stop()
	// The work outlives ctx, and ends at once only when nobody can be answered.
	working, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(s.cfg.CallTimeout+drainGrace, end) })()
	client := &stdioClient{
		server: s, session: newSession("stdio-"+secret(), "", s.cfg.Domain),
		out: out, broken: func() { stop(); end() },
	}
	telling, quiet := context.WithCancel(working)
	defer client.tells(telling, quiet)()
	lines := make(chan []byte)
	var readErr error
	go func() {
		defer close(lines)
		readErr = readLines(reading, bufio.NewReader(in), lines)
	}()
	var work errgroup.Group
	work.SetLimit(stdioPending)
	before := closed()
	for more := true; more; {
		select {
		case line, ok := <-lines:
			if more = ok; !ok {
				break
			}
			turn, after := before, make(chan struct{})
			before = after
			work.Go(func() error { client.handle(working, line, turn, after); return nil })
		case <-reading.Done():
			more = false
		}
	}
	err := work.Wait()
	if client.err() != nil {
		return client.err()
	}
	if reading.Err() == nil && readErr != nil && !errors.Is(readErr, io.EOF) {
		return fmt.Errorf("reading messages: %w", readErr)
	}
	return err
}

// tells tells the client what its session has to be told, until the function that it
// returns is called, which waits for that.
func (c *stdioClient) tells(ctx context.Context, end func()) (stop func()) {
	s := c.server
	s.watcher.join(c.session)
	if s.cfg.Domain != "" {
		s.watch()
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		c.session.tellWhile(ctx, closed(), c.write)
	}()
	return func() {
		s.watcher.leave(c.session)
		end()
		<-over
	}
}

// closed is a channel that never waits.
func closed() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

// readLines sends the lines of r that are not empty. A line that is too long comes
// shortened, which is no JSON and gets the error for that.
func readLines(ctx context.Context, r *bufio.Reader, lines chan<- []byte) error {
	for {
		var line []byte
		var err error
		for more := true; more; {
			var part []byte
			part, err = r.ReadSlice('\n')
			more = errors.Is(err, bufio.ErrBufferFull)
			line = append(line, part[:min(len(part), bodyLimit+1-len(line))]...)
		}
		if len(line) > bodyLimit {
			line = []byte("too long")
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			select {
			case lines <- line:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if err != nil {
			return err
		}
	}
}

// stdioClient is the client on stdio. Its messages are worked on side by side, but
// each sees the selection as of its own place in the order of messages: a message
// takes its turn when the one before has seen the selection, or, if that one may
// change it, when that one is done.
type stdioClient struct {
	server  *Server
	session *session
	broken  func() // ends everything when out fails

	mu     sync.Mutex
	out    io.Writer
	outErr error
}

// handle works on one message; turn is closed when it may begin, and it closes
// after for the next.
func (c *stdioClient) handle(ctx context.Context, line []byte, turn <-chan struct{}, after chan<- struct{}) {
	next := sync.OnceFunc(func() { close(after) })
	defer next()
	<-turn
	if answer := unfit(line); answer != nil {
		_ = c.write(answer) // kept in outErr
		return
	}
	var m struct {
		ID     any    `json:"id"`
		Method string `json:"method"`
		Params struct {
			Name string `json:"name"`
		} `json:"params"`
		Result, Error json.RawMessage
	}
	err := json.Unmarshal(line, &m)
	if err == nil && m.Method == "" && (m.Result != nil || m.Error != nil) {
		return // an answer; we ask clients nothing
	}
	selected, gone := c.session.selection()
	who := &caller{
		session: c.session, selected: selected, gone: gone,
		failed: c.server.noteFailure, notify: func(method string) error { return c.write(notification(method)) },
	}
	if m.Method != "initialize" && m.Params.Name != "select_domain" {
		next()
	}
	ctx = c.server.mcp.WithContext(withCaller(ctx, who), stdioPeer{id: c.session.id})
	answer := c.answer(ctx, line, m.ID)
	if answer == nil {
		return
	}
	data, err := json.Marshal(answer)
	if err != nil {
		c.server.cfg.Logger.ErrorContext(ctx, "encoding an answer", "cause", err.Error())
		return
	}
	_ = c.write(data) // kept in outErr
}

// answer lets mcp-go answer a message.
func (c *stdioClient) answer(ctx context.Context, line []byte, id any) (answer mcp.JSONRPCMessage) {
	defer func() {
		if p := recover(); p != nil {
			request := secret()[:12]
			c.server.cfg.Logger.ErrorContext(ctx, "panic", "request", request, "cause", p, "stack", string(debug.Stack()))
			answer = mcp.NewJSONRPCError(mcp.NewRequestId(id), mcp.INTERNAL_ERROR, "internal error (request "+request+")", nil)
		}
	}()
	return c.server.mcp.HandleMessage(ctx, line)
}

// write sends one message.
func (c *stdioClient) write(message []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.outErr != nil {
		return c.outErr
	}
	if _, err := c.out.Write(append(message, '\n')); err != nil {
		c.outErr = fmt.Errorf("writing a message: %w", err)
		c.broken()
	}
	return c.outErr
}

func (c *stdioClient) err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.outErr
}

// stdioPeer is what mcp-go has to know of the client: an id, under which requests
// can be cancelled. Notifications do not go through mcp-go.
type stdioPeer struct{ id string }

func (stdioPeer) Initialize()                                         {}
func (stdioPeer) Initialized() bool                                   { return true }
func (stdioPeer) NotificationChannel() chan<- mcp.JSONRPCNotification { return nil }
func (p stdioPeer) SessionID() string                                 { return p.id }
