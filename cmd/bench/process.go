package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"time"
)

// service is a process that serves HTTP until it is stopped.
type service struct {
	url  string // of MCP
	cmd  *exec.Cmd
	in   io.Closer
	read chan struct{} // closed at the end of its output
}

// servicePatience bounds how long a service may take to say where it listens, and to end.
const servicePatience = 30 * time.Second

var printedURL = regexp.MustCompile(`http://[0-9a-z.:\[\]]+/mcp`)

// startService starts a command that prints its address. first, when there is any, is
// written to its input, which stays open.
func startService(cmd *exec.Cmd, first []byte) (*service, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &service{cmd: cmd, in: in, read: make(chan struct{})}
	found := make(chan string, 1)
	go func() {
		defer close(s.read)
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if url := printedURL.FindString(lines.Text()); url != "" && len(found) == 0 {
				found <- url
			}
		}
	}()
	if _, err := in.Write(first); err != nil {
		_, stopped := s.stop()
		return nil, errors.Join(err, stopped)
	}
	select {
	case s.url = <-found:
		return s, nil
	case <-s.read:
		err = errors.New("it ended without an address")
	case <-time.After(servicePatience):
		err = errors.New("it prints no address")
	}
	_, stopped := s.stop()
	return nil, errors.Join(fmt.Errorf("starting %v: %w", cmd.Args, err), stopped)
}

// used is what a process took: its most resident memory in bytes, and the time of
// processors in seconds.
type used struct {
	peak int64
	cpu  float64
}

// usedBy is what a process that ended took; peak is what peakOf said of it before.
func usedBy(p *os.ProcessState, peak int64) used {
	if peak == 0 {
		peak = peakAtEnd(p)
	}
	return used{peak, (p.UserTime() + p.SystemTime()).Seconds()}
}

// stop ends the service and tells what it took.
func (s *service) stop() (u used, err error) {
	peak := peakOf(s.cmd.Process.Pid)
	err = s.in.Close()
	late := time.AfterFunc(servicePatience, func() { _ = s.cmd.Process.Kill() })
	defer late.Stop()
	// Where there is no such signal, the end of the input or the delay ends it.
	_ = s.cmd.Process.Signal(os.Interrupt)
	<-s.read // Wait closes the pipe
	var exit *exec.ExitError
	if waited := s.cmd.Wait(); !errors.As(waited, &exit) {
		err = errors.Join(err, waited)
	}
	return usedBy(s.cmd.ProcessState, peak), err
}

// serveOntogate starts the program with a folder of domains, or with its samples when
// there is none.
func (b *bench) serveOntogate(ctx context.Context, folder string) (*service, error) {
	program, err := b.ontogate(ctx)
	if err != nil {
		return nil, err
	}
	args := []string{"serve", "--addr", "127.0.0.1:0"}
	if folder != "" {
		args = append(args, "--domains", folder)
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = plainEnvironment()
	return startService(cmd, nil)
}

// serveChild starts one of this program's servers of comparison.
func serveChild(ctx context.Context, t task) (*service, error) {
	cmd, err := childCommand(ctx)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	cmd.Stderr = os.Stderr
	return startService(cmd, append(text, '\n'))
}
