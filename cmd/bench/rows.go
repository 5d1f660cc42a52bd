package main

import "context"

// row is a part of the table: measurements that belong together.
type row struct {
	// Name is what -rows takes, About says what is measured, Limit what bounds it.
	Name, About, Limit string
	// Run measures. An error ends the run; what is missing on this machine is a result
	// that says so.
	Run func(context.Context, *bench) ([]result, error)
}

// rows are all, in the order in which they are measured and told.
func rows() []row {
	return []row{
		{
			Name:  "parse",
			About: "Reading each syntax and throwing the triples away, beside two C parsers of the same file: `serdi`, which writes each triple again, to nowhere, and `rapper -c`, which counts. Ratios are to serdi, and to rapper where serdi can't read the syntax.",
			Limit: "One pass over the bytes on one core, checking UTF-8 and IRIs and making each triple a value; the C parsers check less of an IRI. JSON-LD is read as a whole, of a smaller graph, and by a library.",
			Run:   runParse,
		},
		{
			Name:  "load",
			About: "From a folder to a domain that answers: reading, the dictionary and three orders of the triples, names, aliases, counts; then the same from the snapshot file, whose sources are digested to know that it is fresh. The file lies in the system's cache. Held is what the heap holds after a garbage collection, peak the process's largest resident memory. Ratios are to the cold load of the same size.",
			Limit: "Cold: sorting terms, triples and names, which memory bounds more than the processor. From the snapshot: SHA-256 over the sources and copying the file into memory.",
			Run:   runLoad,
		},
		{
			Name:  "turtle",
			About: "The same graph as Turtle, with prefixes and grouped by subject. The ratio is to the cold load from N-Triples in this row.",
			Limit: "A Turtle file can't be cut at line ends, so one core parses while another numbers terms.",
			Run:   runTurtle,
		},
		{
			Name:  "work",
			About: "Questions with the same number of hits at every size: time of one, and work, which is look-ups in an index and entries read. Ratios in brackets are of the work, to that of the smallest graph.",
			Limit: "Look-ups are binary searches, so that time grows with the logarithm of the graph and with misses of the processor's cache, and the work does not. Of a typo, the words that share rare letters are read, up to a limit.",
			Run:   runWork,
		},
		{
			Name:  "http",
			About: "`describe_entity` over HTTP at 50 keep-alive connections, each with its session. The baseline is a plain net/http handler that decodes the same request and writes the same bytes; beside it the Go SDK's server with a tool that answers the same text. The three take turns. Peak is the server's largest resident memory.",
			Limit: "Two passes over the JSON of the request, the session, the rights, and the walk over the graph. Client and server share the processors.",
			Run:   runHTTP,
		},
		{
			Name:  "sessions",
			About: "Time of a call over HTTP when one session is open, and when 1,000 are and calls go round among them, at 8 connections. Ratios are to one session.",
			Limit: "A look-up in a table of sessions; what remains is memory that the processor has not seen for long.",
			Run:   runSessions,
		},
		{
			Name:  "start",
			About: "From starting the process to the first answer of a tool (`list_domains`), with the built-in samples; beside it the npm server's first answer, over stdio.",
			Limit: "Loading the program, reading the sample domains and compiling the schemas of the tools.",
			Run:   runStart,
		},
		{
			Name:  "memory",
			About: "One entity of a graph of the smallest size described over stdio, beside `open_nodes` of @modelcontextprotocol/server-memory with the same entities as nodes, observations and relations. Ratios are to that server.",
			Limit: "The other server reads and parses its whole file for each call, so that its time grows with the graph.",
			Run:   runMemory,
		},
		{
			Name:  "calls",
			About: "Calls in process, without transport (`describe_entity` of a small entity) and with the HTTP handler but without a network (`tools/list`).",
			Limit: "Values of JSON that a call has to make, and the text of the answer.",
			Run:   runCalls,
		},
		{
			Name:  "reload",
			About: "A file is added to a loaded domain and the domain reloaded while the old one is served: time, and the memory held before and after. The ratio is to the load at the start.",
			Limit: "All of the domain is read and sorted anew; both revisions are in memory until the swap.",
			Run:   runReload,
		},
	}
}

// rowNames are the names of all rows.
func rowNames() []string { return names }

// names are written out, because the rows' functions lead back to the flags.
var names = []string{"parse", "load", "turtle", "work", "http", "sessions", "start", "memory", "calls", "reload"}
