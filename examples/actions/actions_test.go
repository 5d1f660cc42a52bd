package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestFunctions holds what is answered, byte for byte: the functions depend on
// nothing but the customer, and tickets are counted from the start of the program.
func TestFunctions(t *testing.T) {
	h := newHandler(newDesk())
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"POST", "/customer_value", `{"function":"main.analytics.customer_value","entity_local_id":"CUST00094"}`, 200, `{"lifetime_value":3951.95,"churn_risk":0.56,"next_offer":"Family channels"}`},
		{"POST", "/customer_value", `{"entity_local_id":"CUST00001"}`, 200, `{"lifetime_value":3086.49,"churn_risk":0.49,"next_offer":"Fibre 1000"}`},
		{"POST", "/open_ticket", `{"entity_local_id":"CUST00094"}`, 200, `[{"ticket_id":"TIC00001","customer_id":"CUST00094","status":"open","open_tickets":1}]`},
		{"POST", "/open_ticket", `{"entity_local_id":"CUST00001"}`, 200, `[{"ticket_id":"TIC00002","customer_id":"CUST00001","status":"open","open_tickets":1}]`},
		{"POST", "/open_ticket", `{"entity_local_id":"CUST00094"}`, 200, `[{"ticket_id":"TIC00003","customer_id":"CUST00094","status":"open","open_tickets":2}]`},
		{"POST", "/customer_value", `{"entity_local_id":"CON00131"}`, 404, `{"message":"No customer has the number \"CON00131\": numbers are like CUST00094."}`},
		{"POST", "/customer_value", `{`, 400, `{"message":"The request is not the JSON that a function gets."}`},
		{"POST", "/customer_value", `"` + strings.Repeat("a", maxBody) + `"`, 400, `{"message":"The request is not the JSON that a function gets."}`},
		{"GET", "/open_ticket", "", 405, "Method Not Allowed"},
		{"POST", "/close_ticket", "{}", 404, "404 page not found"},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), c.method, c.path, strings.NewReader(c.body)))
		if got := strings.TrimSpace(w.Body.String()); w.Code != c.status || got != c.want {
			t.Errorf("%s %s %.60s: %d %s, want %d %s", c.method, c.path, c.body, w.Code, got, c.status, c.want)
		}
	}
}

// TestServe holds that the program answers on its listener until it is told to end,
// and then ends without an error.
func TestServe(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, ln) }()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+ln.Addr().String()+"/open_ticket", strings.NewReader(`{"entity_local_id":"CUST00094"}`))
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	res.Body.Close()
	if err != nil || res.StatusCode != 200 || res.Header.Get("Content-Type") != "application/json" || !strings.Contains(string(body), "TIC00001") {
		t.Errorf("%s %v: %s, %v", res.Status, res.Header, body, err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Errorf("ending: %v", err)
	}
	if conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", ln.Addr().String()); err == nil {
		conn.Close()
		t.Error("it still listens after its end")
	}
}
