package server_test

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/ontogate/ontogate/server"
)

// One user whose calls take long does not take all places: calls of others still run.
func TestCallsOfOneUserLeaveRoomForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running atomic.Int64
		end := make(chan struct{})
		backend := newFake()
		backend.find = func(context.Context) (*matches, error) {
			running.Add(1)
			<-end
			return &matches{}, nil
		}
		h := newServer(t, app(backend)).Handler()
		var calls sync.WaitGroup
		call := func(user string) {
			calls.Go(func() {
				body := callLine(1, "describe_entity", `{"search":"thing","domain_name":"crm"}`)
				if w := send(t, h, http.MethodPost, "/mcp", body, forwarded(user, "", "")); w.Code != http.StatusOK {
					t.Errorf("a call: %d, %s", w.Code, w.Body)
				}
			})
		}
		for range 2 * server.MaxCallsPerProcess {
			call("1")
		}
		synctest.Wait()
		equal(t, "calls of one user at once", int64(server.MaxCallsPerUser), running.Load())
		call("2")
		synctest.Wait()
		equal(t, "with one of another", int64(server.MaxCallsPerUser+1), running.Load())
		close(end)
		calls.Wait()
	})
}
