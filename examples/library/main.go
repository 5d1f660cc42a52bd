// Command library is a program that serves a folder of domains below a path of its own, or,
// with -stdio, to the client that started it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/server"
)

func main() {
	folder := flag.String("domains", "examples", "`folder` of domains")
	stdio := flag.Bool("stdio", false, "serve one client on standard input and output")
	addr := flag.String("addr", "127.0.0.1:8080", "`address` to listen on")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *folder, *addr, *stdio); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run serves until ctx ends.
func run(ctx context.Context, folder, addr string, stdio bool) error {
	graphs, err := rdfgraph.New(ctx, rdfgraph.Config{Dir: folder, Poll: 5 * time.Second})
	if err != nil {
		return err
	}
	defer graphs.Close()
	// PublicURL is how clients reach the handler; behind a path it has to be said.
	srv, err := server.New(ctx, server.Config{Backend: graphs, Version: "v1.0.0", PublicURL: "http://" + addr + "/graphs"})
	if err != nil {
		return err
	}
	if stdio {
		return errors.Join(srv.ServeStdio(ctx, os.Stdin, os.Stdout), shutdown(srv.Shutdown))
	}
	mux := http.NewServeMux()
	mux.Handle("/graphs/", http.StripPrefix("/graphs", srv.Handler())) // clients use /graphs/mcp
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "another part of this program") })
	hs := &http.Server{Addr: addr, Handler: mux, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute}
	failed := make(chan error, 1)
	go func() { failed <- hs.ListenAndServe() }()
	select {
	case err := <-failed:
		return errors.Join(err, shutdown(srv.Shutdown))
	case <-ctx.Done():
		// The server first: its listening streams would keep the other one open.
		return errors.Join(shutdown(srv.Shutdown), shutdown(hs.Shutdown))
	}
}

// shutdown ends something within half a minute.
func shutdown(end func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	return end(ctx)
}
