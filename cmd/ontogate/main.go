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
)

func main() {
	// On stdio every line of standard output is a message. Whatever a dependency
	// prints goes to standard error instead.
	out := os.Stdout
	os.Stdout = os.Stderr
	p := &program{
		in: os.Stdin, out: out, err: os.Stderr,
		lookupEnv: os.LookupEnv,
		self:      os.Args[0],
		open:      openFolder,
	}
	os.Exit(p.run(context.Background(), os.Args[1:]))
}
