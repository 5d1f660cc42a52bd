// Command actions answers the functions of the sample domains: one that computes
// virtual attributes of a customer, and one action that can be run on a customer.
// It is an example to learn from; "make run" starts it beside Ontogate.
//
//	go run ./examples/actions
//	go run ./cmd/ontogate serve --allow-action-host 127.0.0.1:9101
//
// A function of a domain is an address that domain.yaml names with "url". Ontogate
// sends it one POST for each call, and never a second one:
//
//	POST /customer_value
//	Content-Type: application/json
//
//	{"function":"main.analytics.customer_value",
//	 "entity_uri":"https://ontobricks.com/ontology/Customer/CUST00094",
//	 "entity_local_id":"CUST00094","domain":"customer360","class":"Customer"}
//
// The answer is JSON with status 200: a list of rows, each an object; or one object,
// which is one row. Of a function that computes virtual attributes the first row
// counts, and its members are the columns that domain.yaml maps to attributes. For
// any other status, the member "message" of the answer is what the caller is told.
//
// What is answered here is made up: it depends on the customer's number alone, and
// the tickets are counted in memory until the program ends.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:9101", "`host:port` to listen on; port 0 takes a free one")
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("actions: ")
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", *addr)
	if err != nil {
		log.Fatalf("%v. The functions of the samples fail while nothing answers them; another address, given with -addr, must be written to domain.yaml too", err)
	}
	fmt.Printf("The functions of the samples are answered at http://%s\n", ln.Addr())
	if err := serve(ctx, ln); err != nil {
		log.Fatal(err)
	}
}

// serve answers until ctx ends, and lets running calls end then, for at most five
// seconds. It closes ln.
func serve(ctx context.Context, ln net.Listener) error {
	s := &http.Server{
		Handler:           newHandler(newDesk()),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      10 * time.Second,
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ln) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	err := s.Shutdown(last)
	if served := <-ended; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}
