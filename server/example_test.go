package server_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/examples"
	"github.com/ontogate/ontogate/server"
)

// Domains are served as a part of another program's handler. Behind a path, PublicURL has
// to say how clients reach it.
func ExampleServer_Handler() {
	ctx := context.Background()
	graphs, err := rdfgraph.New(ctx, rdfgraph.Config{FS: examples.FS()})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer graphs.Close()
	srv, err := server.New(ctx, server.Config{Backend: graphs, PublicURL: "https://app.example.org/graphs"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Shutdown(ctx)
	mux := http.NewServeMux()
	mux.Handle("/graphs/", http.StripPrefix("/graphs", srv.Handler()))

	r := httptest.NewRequest(http.MethodGet, "http://localhost/graphs/healthz", nil)
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, r)
	fmt.Print(w.Body)
	// Output: {"status":"healthy","service":"ontogate","version":"dev","mcp":"https://app.example.org/graphs/mcp"}
}

// One client is served over a pair of streams, one message a line.
func ExampleServer_ServeStdio() {
	ctx := context.Background()
	graphs, err := rdfgraph.New(ctx, rdfgraph.Config{FS: examples.FS()})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer graphs.Close()
	srv, err := server.New(ctx, server.Config{Backend: graphs, Domain: "hr_analytics"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Shutdown(ctx)
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if err := srv.ServeStdio(ctx, in, os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output: {"jsonrpc":"2.0","id":1,"result":{}}
}
