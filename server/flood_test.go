package server_test

import (
	"net/http"
	"testing"

	"github.com/ontogate/ontogate/server"
)

// One user who takes all sessions does not shut out the others: room for them is made
// of what the user with most sessions left resting longest. Nobody gets room at the
// cost of one who has no more.
func TestSessionsOfOneUserLeaveRoomForOthers(t *testing.T) {
	var clock clock
	h := newServer(t, func(c *server.Config) {
		c.Backend, c.App, c.MaxSessions, c.Clock = newPersonal(), true, 4, clock.now
	}).Handler()
	alice, bob, carol := forwarded("1", "", ""), forwarded("2", "", ""), forwarded("3", "", "")
	begin := func(who http.Header) http.Header {
		t.Helper()
		clock.pass(1)
		w := send(t, h, http.MethodPost, "/mcp", initialize, who)
		if w.Code != http.StatusOK {
			t.Fatalf("a session: %d, %s", w.Code, w.Body)
		}
		return http.Header{"Mcp-Session-Id": w.Header().Values("Mcp-Session-Id")}
	}
	holds := func(what string, who, session http.Header, want int) {
		t.Helper()
		clock.pass(1)
		if w := send(t, h, http.MethodPost, "/mcp", list, who, session); w.Code != want {
			t.Errorf("%s: %d, want %d", what, w.Code, want)
		}
	}
	first, second, third, fourth := begin(alice), begin(alice), begin(alice), begin(alice)
	holds("alice's first session", alice, first, http.StatusOK)
	bobs := begin(bob)
	holds("alice's second, which rested longest", alice, second, http.StatusNotFound)
	if w := send(t, h, http.MethodPost, "/mcp", initialize, alice); w.Code != http.StatusServiceUnavailable {
		t.Errorf("alice, who has most: %d", w.Code)
	}
	begin(carol)
	holds("alice's third", alice, third, http.StatusNotFound)
	holds("alice's fourth", alice, fourth, http.StatusOK)
	holds("alice's first session", alice, first, http.StatusOK)
	begin(carol) // alice and carol have as many now, or carol and bob
	if w := send(t, h, http.MethodPost, "/mcp", initialize, carol); w.Code != http.StatusServiceUnavailable {
		t.Errorf("carol, of whom nobody has more: %d", w.Code)
	}
	holds("bob's only session", bob, bobs, http.StatusOK)
}
