package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"

	"github.com/ontogate/ontogate/domains/rdf"
)

// childArgument makes this program do one task of a measurement in a process of its own:
// the task comes on standard input, the outcome goes to standard output, both as JSON.
const childArgument = "measure-in-child"

// task is what a child is to do.
type task struct {
	Do string `json:"do"`
	// Dir is a folder of domains, or File a file to read.
	Dir  string `json:"dir,omitempty"`
	File string `json:"file,omitempty"`
	// Format is that of File.
	Format rdf.Format `json:"format,omitempty"`
	// Snapshots says whether snapshot files are used.
	Snapshots bool `json:"snapshots,omitempty"`
	// Rounds are how often something is measured, Calls how many make one measurement.
	Rounds int `json:"rounds,omitempty"`
	Calls  int `json:"calls,omitempty"`
	// Text is what a server of comparison answers, in MCP's wrapping or, for the SDK's,
	// without it.
	Text string `json:"text,omitempty"`
}

// outcome is what a child found.
type outcome struct {
	Seconds     []float64  `json:"seconds,omitempty"`
	Allocations float64    `json:"allocations,omitempty"` // of one time
	Triples     int        `json:"triples,omitempty"`
	Before      int64      `json:"before,omitempty"` // bytes held before
	Held        int64      `json:"held,omitempty"`   // and after
	First       float64    `json:"first,omitempty"`  // seconds of what came first
	Answers     []answered `json:"answers,omitempty"`
	// Missing says why the task can't be done.
	Missing string `json:"missing,omitempty"`
	// Peak is the most resident memory of the child, in bytes.
	Peak int64 `json:"peak,omitempty"`
}

// answered is what one question cost.
type answered struct {
	Question    string    `json:"question"`
	Steps       int       `json:"steps"`
	Seconds     []float64 `json:"seconds"`
	Allocations float64   `json:"allocations"`
}

// tasks are what a child can do.
func tasks() map[string]func(context.Context, task) (outcome, error) {
	return map[string]func(context.Context, task) (outcome, error){
		"parse": parseTask, "load": loadTask, "snapshot": snapshotTask, "work": workTask, "calls": callsTask, "reload": reloadTask,
		"plain": plainTask, "sdk": sdkTask,
	}
}

// child does one task.
func child(ctx context.Context, in io.Reader, out io.Writer) error {
	var t task
	d := json.NewDecoder(in)
	if err := d.Decode(&t); err != nil {
		return fmt.Errorf("reading the task: %w", err)
	}
	do := tasks()[t.Do]
	if do == nil {
		return fmt.Errorf("there is no task %q", t.Do)
	}
	o, err := do(ctx, t)
	if err != nil {
		return fmt.Errorf("%s: %w", t.Do, err)
	}
	o.Peak = peakOf(os.Getpid())
	return json.NewEncoder(out).Encode(o)
}

// childCommand is a child that was not started yet.
func childCommand(ctx context.Context) (*exec.Cmd, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, exe, childArgument)
	cmd.Env = plainEnvironment()
	return cmd, nil
}

// inChild does a task in a process of its own and waits for its outcome.
func inChild(ctx context.Context, t task) (outcome, error) {
	var o outcome
	cmd, err := childCommand(ctx)
	if err != nil {
		return o, err
	}
	text, err := json.Marshal(t)
	if err != nil {
		return o, err
	}
	var out, fault bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(text), &out, &fault
	if err := cmd.Run(); err != nil {
		return o, fmt.Errorf("a child: %w: %s", err, bytes.TrimSpace(fault.Bytes()))
	}
	if err := json.Unmarshal(out.Bytes(), &o); err != nil {
		return o, fmt.Errorf("the outcome of a child: %w", err)
	}
	if o.Peak == 0 {
		o.Peak = peakAtEnd(cmd.ProcessState)
	}
	return o, nil
}

// peakOf is the most resident memory that a running process had so far, in bytes; 0 where
// the system does not tell. It is asked of the process itself while it runs, because what
// the system tells of one that ended counts its parent's memory before the program was started.
func peakOf(pid int) int64 {
	var kb int64
	if _, err := fmt.Sscan(fieldOf(fmt.Sprintf("/proc/%d/status", pid), `(?m)^VmHWM:\s*(\d+) kB$`), &kb); err != nil {
		return 0
	}
	return kb * 1024
}

// heap is what is held after a garbage collection, and how often memory was asked for.
func heap() (held, mallocs int64) {
	runtime.GC()
	runtime.GC() // the first lets finalizers and pools go, which the second collects
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc), int64(m.Mallocs)
}
