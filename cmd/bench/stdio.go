package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// stdioServer is an MCP server on the input and output of a process.
type stdioServer struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
}

// startStdio starts a server and introduces itself to it.
func startStdio(cmd *exec.Cmd) (*stdioServer, error) {
	s := &stdioServer{cmd: cmd}
	cmd.Stderr = &s.stderr
	var err error
	if s.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReaderSize(out, 1<<20)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	if _, err = s.ask(initializeMessage, `"id":0`); err == nil {
		_, err = io.WriteString(s.in, initializedMessage+"\n")
	}
	if err != nil {
		_, stopped := s.stop()
		return nil, errors.Join(fmt.Errorf("starting %v: %w", cmd.Args, err), stopped)
	}
	return s, nil
}

// ask sends a message and returns the line that answers it: the first that is no
// notification. It has to hold a text.
func (s *stdioServer) ask(message, want string) (string, error) {
	if _, err := io.WriteString(s.in, message+"\n"); err != nil {
		return "", err
	}
	for {
		line, err := s.out.ReadString('\n')
		switch {
		case err != nil:
			return "", fmt.Errorf("%w: %.300s", err, s.stderr.Bytes())
		case strings.Contains(line, `"method":`) && !strings.Contains(line, `"result":`):
			continue
		case !strings.Contains(line, want):
			return "", fmt.Errorf("not the answer that is wanted (%s): %.300s", want, line)
		}
		return line, nil
	}
}

// stop ends the server by the end of its input, and tells what it took.
func (s *stdioServer) stop() (u used, err error) {
	peak := peakOf(s.cmd.Process.Pid)
	err = s.in.Close()
	late := time.AfterFunc(servicePatience, func() { _ = s.cmd.Process.Kill() })
	defer late.Stop()
	_, copied := io.Copy(io.Discard, s.out)
	var exit *exec.ExitError
	if waited := s.cmd.Wait(); !errors.As(waited, &exit) {
		err = errors.Join(err, waited)
	}
	return usedBy(s.cmd.ProcessState, peak), errors.Join(err, copied)
}
