package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// process is ontogate running as a process of its own.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	lines  chan string // of standard output; closed at its end
	stderr *lockedBuffer
}

// patience bounds how long a test waits for a process before it fails.
const patience = 30 * time.Second

// start runs the test binary as ontogate with a back end of asProgram's.
func start(t *testing.T, backend string, env []string, args ...string) *process {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{t: t, cmd: exec.CommandContext(t.Context(), exe, args...), lines: make(chan string, 1000), stderr: &lockedBuffer{}}
	for _, v := range os.Environ() {
		if !slices.ContainsFunc([]string{"ONTOGATE_", "ONTOBRICKS_", "REGISTRY_", "DATABRICKS_", "MCP_"}, func(p string) bool { return strings.HasPrefix(v, p) }) {
			p.cmd.Env = append(p.cmd.Env, v)
		}
	}
	p.cmd.Env = append(append(p.cmd.Env, asProgram+"="+backend), env...)
	p.cmd.Stderr = p.stderr
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.lines)
		for r := bufio.NewReader(out); ; {
			line, err := r.ReadString('\n')
			if line != "" {
				p.lines <- strings.TrimSuffix(line, "\n")
			}
			if err != nil {
				return
			}
		}
	}()
	return p
}

// line is the next line of standard output; ok is false at its end.
func (p *process) line() (line string, ok bool) {
	p.t.Helper()
	select {
	case line, ok = <-p.lines:
		return line, ok
	case <-time.After(patience):
		p.t.Fatalf("%v prints nothing more; standard error:\n%s", p.cmd.Args[1:], p.stderr)
		return "", false
	}
}

// rest is what is left of standard output when the process has ended.
func (p *process) rest() []string {
	p.t.Helper()
	var out []string
	for line, ok := p.line(); ok; line, ok = p.line() {
		out = append(out, line)
	}
	return out
}

// exit waits for the end of the process and returns its exit code; -1 when a
// signal ended it. Standard output must have been read.
func (p *process) exit() int {
	p.t.Helper()
	err := p.cmd.Wait()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		p.t.Fatal(err)
	}
	return p.cmd.ProcessState.ExitCode()
}

var address = regexp.MustCompile(`http://\S+/mcp`)

// serving waits until a serve process is ready and returns its URL.
func (p *process) serving() string {
	p.t.Helper()
	for {
		line, ok := p.line()
		if !ok {
			p.t.Fatalf("%v ended; standard error:\n%s", p.cmd.Args[1:], p.stderr)
		}
		if url := address.FindString(line); url != "" {
			return url
		}
	}
}

// saysOnStderr waits until standard error holds a text.
func (p *process) saysOnStderr(text string) {
	p.t.Helper()
	if !p.stderr.wait(text, patience) {
		p.t.Fatalf("standard error lacks %q:\n%s", text, p.stderr)
	}
}

// lockedBuffer is a buffer that one goroutine fills and another watches.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
	// grown is closed and replaced whenever something was written.
	grown chan struct{}
}

func (b *lockedBuffer) Write(data []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.grown != nil {
		close(b.grown)
	}
	b.grown = make(chan struct{})
	return b.buf.Write(data)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// wait reports whether the text came within the time.
func (b *lockedBuffer) wait(text string, limit time.Duration) bool {
	deadline := time.After(limit)
	for {
		b.mu.Lock()
		if strings.Contains(b.buf.String(), text) {
			b.mu.Unlock()
			return true
		}
		if b.grown == nil {
			b.grown = make(chan struct{})
		}
		grown := b.grown
		b.mu.Unlock()
		select {
		case <-grown:
		case <-deadline:
			return false
		}
	}
}

// message is what of a JSON-RPC message these tests look at.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// mustMessage fails unless a line of standard output is a JSON-RPC message.
func mustMessage(t *testing.T, line string) message {
	t.Helper()
	var m message
	if err := json.Unmarshal([]byte(line), &m); err != nil || m.JSONRPC != "2.0" {
		t.Errorf("standard output carries a line that is no JSON-RPC message: %q", line)
	}
	return m
}

// answers sends lines and reads until each of the ids is answered.
func (p *process) answers(lines []string, ids ...string) map[string]message {
	p.t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(p.stdin, line+"\n"); err != nil {
			p.t.Fatal(err)
		}
	}
	got := map[string]message{}
	for {
		missing := ""
		for _, id := range ids {
			if _, ok := got[id]; !ok {
				missing = id
			}
		}
		if missing == "" {
			return got
		}
		line, ok := p.line()
		if !ok {
			p.t.Fatalf("the process ended before it answered %s; standard error:\n%s", missing, p.stderr)
		}
		m := mustMessage(p.t, line)
		got[string(m.ID)] = m
	}
}

// brokenFolder is a folder of domains with about every fault a folder can have.
func brokenFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range map[string]string{
		"half/good.ttl":         "<https://x.test/A> a <http://www.w3.org/2002/07/owl#Class> .\n",
		"half/bad.ttl":          "<https://x.test/B> a .\n",
		"none/bad.ttl":          "this is no Turtle\n",
		"settings/domain.yaml":  "publish: [\n",
		"bad name/ontology.ttl": "",
		"empty/readme.txt":      "nothing here\n",
	} {
		writeFile(t, filepath.Join(dir, name), []byte(data))
	}
	return dir
}
