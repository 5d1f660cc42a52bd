package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"regexp"
	"sync"
)

// maxBody is how many bytes of a request are read: one is a few hundred long.
const maxBody = 64 << 10

// request is what Ontogate sends. A function knows from it which entity it is about;
// the members that it has no use for it leaves alone.
type request struct {
	Function      string `json:"function"` // full name, as in domain.yaml
	EntityURI     string `json:"entity_uri"`
	EntityLocalID string `json:"entity_local_id"` // the end of entity_uri
	Domain        string `json:"domain"`
	Class         string `json:"class"` // by which the entity came to the function
}

// newHandler answers each function at an address of its own. It may be called
// concurrently.
func newHandler(d *desk) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /customer_value", answer(func(r request) any { return valueOf(r.EntityLocalID) }))
	mux.HandleFunc("POST /open_ticket", answer(func(r request) any { return []ticket{d.openTicket(r.EntityLocalID)} }))
	return mux
}

// answer turns a function into a handler: it reads the request, refuses what is no
// customer's number with a sentence for the caller, and writes the rows.
func answer(function func(request) any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var in request
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err == nil {
			err = json.Unmarshal(body, &in)
		}
		switch {
		case err != nil:
			write(w, http.StatusBadRequest, refusal{"The request is not the JSON that a function gets."})
		case !customerNumber.MatchString(in.EntityLocalID):
			write(w, http.StatusNotFound, refusal{fmt.Sprintf("No customer has the number %q: numbers are like CUST00094.", in.EntityLocalID)})
		default:
			write(w, http.StatusOK, function(in))
		}
	}
}

var customerNumber = regexp.MustCompile(`^CUST[0-9]{5}$`)

// refusal is the answer of a function that fails.
type refusal struct {
	Message string `json:"message"`
}

func write(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // it fails only when the caller has gone
}

// value is the row of customer_value.
type value struct {
	LifetimeValue float64 `json:"lifetime_value"` // EUR
	ChurnRisk     float64 `json:"churn_risk"`     // from 0 to 1
	NextOffer     string  `json:"next_offer"`
}

// valueOf makes a customer's value up. The same customer always has the same.
func valueOf(id string) value {
	h := fnv.New32a()
	h.Write([]byte(id))
	n := h.Sum32()
	offers := []string{"Fibre 1000", "Family channels", "Mobile unlimited", "Device insurance"}
	return value{
		LifetimeValue: float64(20_000+n%480_000) / 100,
		ChurnRisk:     float64(n/7%100) / 100,
		NextOffer:     offers[n/11%uint32(len(offers))],
	}
}

// ticket is the row of open_ticket.
type ticket struct {
	ID         string `json:"ticket_id"`
	CustomerID string `json:"customer_id"`
	Status     string `json:"status"`
	Open       int    `json:"open_tickets"` // of the customer, with this one
}

// desk counts the tickets that were opened. It may be used concurrently.
type desk struct {
	mu   sync.Mutex
	all  int
	open map[string]int // customer → number of tickets
}

func newDesk() *desk { return &desk{open: map[string]int{}} }

// openTicket opens a ticket for a customer. Each call opens another one, as each call
// of an action does what it does again.
func (d *desk) openTicket(customer string) ticket {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.all++
	d.open[customer]++
	return ticket{ID: fmt.Sprintf("TIC%05d", d.all), CustomerID: customer, Status: "open", Open: d.open[customer]}
}
