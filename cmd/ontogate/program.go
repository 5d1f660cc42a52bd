package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/ontogate/ontogate/server"
)

// program is what the commands get from outside.
type program struct {
	in       io.Reader
	out, err io.Writer
	// line shows how far loading is, on the terminal that err is; nil when it is none.
	line *progressLine
	// lookupEnv reads one variable of the environment.
	lookupEnv func(string) (string, bool)
	// home is the user's home folder; empty when there is none.
	home string
	// self is the program as it was called, for examples that can be copied.
	self string
	// open opens the back end of a folder, connect that of an upstream, and build puts
	// the server before it: server.New, except for tests that look at the configuration.
	open    opener
	connect connector
	build   func(context.Context, server.Config) (*server.Server, error)
	// assumesHere is set when a registry was given and no upstream, so that one on this
	// machine is meant.
	assumesHere bool
	// now is the time; nil means time.Now.
	now func() time.Time
}

// clock is the time.
func (p *program) clock() time.Time {
	if p.now != nil {
		return p.now()
	}
	return time.Now()
}

// The exit codes. A command that did its work ends with 0.
const (
	exitFailed = 1 // the work failed, or the answer is a tool error
	exitUsage  = 2 // the command line or the environment is wrong
)

// usageError is a fault in the command line or the environment.
type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

// failure is an error of a command's own work, as against cobra's about the
// command line.
type failure struct{ err error }

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// errAnswered ends a command with exitFailed when all has been said.
var errAnswered = errors.New("answered")

// run carries out a command line and returns the exit code.
func (p *program) run(ctx context.Context, args []string) int {
	root := p.rootCommand()
	root.SetArgs(args)
	cmd, err := root, usagef("name a command: serve, stdio, call, check, convert or version")
	if len(args) > 0 {
		cmd, err = root.ExecuteContextC(ctx)
	}
	var failed *failure
	var usage *usageError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errAnswered):
		return exitFailed
	case errors.As(err, &failed) && !errors.As(err, &usage):
		fmt.Fprintf(p.err, "ontogate: %s\n", oneLine(err.Error()))
		return exitFailed
	}
	fmt.Fprintf(p.err, "ontogate: %v\nRun '%s --help' for usage.\n", err, cmd.CommandPath())
	return exitUsage
}

func (p *program) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "ontogate",
		Short: "Ontology domains for AI agents",
		Long: `Ontogate lets AI agents work with ontology domains over MCP. A domain is an
ontology, the graph of facts that uses it, and a policy that says what may be
seen of it.

Each flag can also be given as an environment variable, which --help names
beside it; flags win.`,
		Version:       versionLine(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetIn(p.in)
	root.SetOut(p.out)
	root.SetErr(p.err)
	root.AddCommand(p.serveCommand(), p.stdioCommand(), p.callCommand(), p.checkCommand(), p.convertCommand(), p.versionCommand())
	for _, cmd := range root.Commands() {
		nameVariables(cmd)
	}
	return root
}

// body makes a command's work into what cobra runs: the environment is read
// first, the first SIGINT or SIGTERM ends the work's context, a second one the
// program, and errors are told apart from cobra's own.
func (p *program) body(work func(ctx context.Context, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if err := p.readEnvironment(cmd); err != nil {
			return err
		}
		ctx, stop := untilSignal(cmd.Context())
		defer stop()
		if err := work(ctx, args); err != nil {
			return &failure{err}
		}
		return nil
	}
}

// untilSignal is a context that the first SIGINT or SIGTERM ends. By then signals
// have their usual effect again, so that a second one ends the program at once, whatever it
// waits for. signal.NotifyContext would hold them until stop.
func untilSignal(parent context.Context) (ctx context.Context, stop context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGINT, syscall.SIGTERM)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case <-caught:
		case <-ctx.Done():
		}
		signal.Stop(caught)
		cancel()
	}()
	return ctx, func() { cancel(); <-watched }
}
