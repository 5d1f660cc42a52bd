// Command ontogate serves ontology domains to AI agents over MCP: to one client
// on standard input and output, or to many over HTTP. It can also make a single
// tool call and check a folder of domains.
//
// Only this command reads flags and the environment, and only it names concrete
// back ends.
package main

import (
	"context"
	"os"

	"github.com/ontogate/ontogate/server"
)

func main() { os.Exit(runProcess(openFolder)) }

// runProcess carries out the command line of this process and returns the exit code.
// open opens the back end.
func runProcess(open opener) int {
	// On stdio every line of standard output is a message. Whatever a dependency
	// prints goes to standard error instead.
	out := os.Stdout
	os.Stdout = os.Stderr
	giveRoom(os.LookupEnv)
	home, _ := os.UserHomeDir() // empty when there is none
	p := &program{
		in: os.Stdin, out: out, err: os.Stderr,
		lookupEnv: os.LookupEnv,
		home:      home,
		self:      os.Args[0],
		open:      open,
		connect:   connectOntoBricks,
		build:     server.New,
	}
	if line := terminalLine(os.Stderr); line != nil {
		p.line, p.err = line, line
	}
	return p.run(context.Background(), os.Args[1:])
}
