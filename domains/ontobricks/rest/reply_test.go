package rest_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks/rest"
)

// TestReply holds that answers of any status are passed on byte for byte, and which
// requests are sent again.
func TestReply(t *testing.T) {
	for _, row := range []struct {
		name          string
		answer        handler
		reads, writes int64
	}{
		{"200", says(200, `{"data": {"n": 1}}`, "Content-Type", "application/json"), 1, 1},
		{"400", says(400, `{"errors": [{"message": "no"}], "data": {}}`, "Content-Type", "application/json"), 1, 1},
		{"500 page", says(500, page, "Content-Type", "text/html"), 1, 1},
		{"502 infrastructure", says(502, infrastructure, "Content-Type", "application/json"), 2, 1},
		{"503", says(503, "busy", "Retry-After", "2", "Content-Type", "text/plain"), 5, 1},
		{"403 of the team", says(403, `{"error": "authorization", "message": "You are not a member"}`, "Content-Type", "application/json"), 1, 1},
		{"403 of GraphQL", says(403, `{"errors": [{"message": "no"}]}`, "Content-Type", "application/json"), 1, 1},
		{"not UTF-8", says(200, "\xff\xfe", "Content-Type", "application/octet-stream"), 1, 1},
		{"long", says(502, strings.Repeat("x", 300_000), "Content-Type", "text/plain"), 6, 1},
		{"empty", says(204, ""), 1, 1},
	} {
		for _, r := range []rest.Request{get(), post()} {
			u := serve(t, row.answer, nil)
			reply, err := u.Reply(request(t), r)
			if err != nil {
				t.Errorf("%s: %v", row.name, err)
				continue
			}
			got, err := io.ReadAll(reply.Body)
			reply.Body.Close()
			if err != nil {
				t.Errorf("%s: %v", row.name, err)
			}
			direct := record(row.answer)
			want := domains.Reply{Status: direct.StatusCode, ContentType: direct.Header.Get("Content-Type"), RetryAfter: direct.Header.Get("Retry-After")}
			reply.Body = nil
			if diff := cmp.Diff(want, *reply); diff != "" {
				t.Errorf("%s (-want +got):\n%s", row.name, diff)
			}
			if body, _ := io.ReadAll(direct.Body); string(body) != string(got) {
				t.Errorf("%s: %d bytes passed on, %d answered", row.name, len(got), len(body))
			}
			n := row.reads
			if r.Writes {
				n = row.writes
			}
			if u.requests.Load() != n {
				t.Errorf("%s %s: %d requests, want %d", row.name, r.Method, u.requests.Load(), n)
			}
			u.noSecrets(t, nil)
		}
	}
}

// TestReplyOfOurLogin holds that what is about the login of this program is no reply: who
// reads it would take it for a matter of its own.
func TestReplyOfOurLogin(t *testing.T) {
	for name, row := range map[string]struct {
		answer   handler
		requests int64
		says     string
	}{
		"401":                 {says(401, "Unauthorized", "Content-Type", "text/plain"), 2, "OntoBricks refused the access token of this server"},
		"401 JSON":            {says(401, `{"error": "unauthorized", "message": "Who are you?"}`, "Content-Type", "application/json"), 2, "Who are you? Check that the token"},
		"403 empty":           {says(403, ""), 1, "OntoBricks forbids this (status 403). Ask"},
		"403 text":            {says(403, "Forbidden", "Content-Type", "text/plain"), 1, "OntoBricks forbids this (status 403). Ask"},
		"403 page":            {says(403, page, "Content-Type", "text/html"), 1, "OntoBricks forbids this (status 403). Ask"},
		"403 of the platform": {says(403, `{"error_code": "403", "message": "No permission for this app."}`, "Content-Type", "application/json"), 1, "No permission for this app. Ask"},
	} {
		for _, r := range []rest.Request{get(), post()} {
			u := serve(t, row.answer, nil)
			_, err := u.Reply(request(t), r)
			if err == nil {
				t.Errorf("%s %s: passed on", name, r.Method)
				continue
			}
			if text, _ := message(t, err); !strings.HasPrefix(text, row.says) || !errors.Is(err, domains.ErrUpstream) {
				t.Errorf("%s %s: %v", name, r.Method, err)
			}
			if n := u.requests.Load(); n != row.requests {
				t.Errorf("%s %s: %d requests, want %d", name, r.Method, n, row.requests)
			}
			u.noSecrets(t, err)
		}
	}
}

// TestReplyStreams holds that the beginning of a body can be read before its end is
// sent.
func TestReplyStreams(t *testing.T) {
	more := make(chan struct{})
	u := serve(t, func(_ int64, w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "one ")
		w.(http.Flusher).Flush()
		<-more
		io.WriteString(w, "two")
	}, nil)
	reply, err := u.Reply(request(t), get())
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	begin := make([]byte, 4)
	if _, err := io.ReadFull(reply.Body, begin); err != nil {
		t.Fatal(err)
	}
	close(more)
	rest, err := io.ReadAll(reply.Body)
	if string(begin)+string(rest) != "one two" || err != nil {
		t.Errorf("%q %q: %v", begin, rest, err)
	}
}

// TestReplyEnds holds how a body ends that breaks off, stalls or is too large, or that
// nobody reads.
func TestReplyEnds(t *testing.T) {
	for name, row := range map[string]struct {
		answer handler
		change func(*rest.Config)
		want   string
		kind   error
	}{
		"stall": {slow, later, "did not answer within", domains.ErrLimit},
		"reset": {reset("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{"), nil, "broke off", domains.ErrUpstream},
		"large": {bomb, func(c *rest.Config) { c.MostBytes = 5 << 20 }, "larger than 5 MiB", domains.ErrUpstream},
	} {
		t.Run(name, func(t *testing.T) {
			u := serve(t, row.answer, row.change)
			reply, err := u.Reply(request(t), get())
			if err != nil {
				t.Fatal(err)
			}
			n, err := io.Copy(io.Discard, reply.Body)
			if text, _ := message(t, err); !strings.Contains(text, row.want) || !errors.Is(err, row.kind) || n > 5<<20 {
				t.Errorf("%d bytes, then %v", n, err)
			}
			if _, again := reply.Body.Read(make([]byte, 1)); again == nil || again == io.EOF {
				t.Errorf("a read after the error gives %v", again)
			}
			reply.Body.Close()
			u.noSecrets(t, err)
		})
	}
	t.Run("unread", func(t *testing.T) {
		u := serve(t, huge, nil)
		reply, err := u.Reply(request(t), get())
		if err != nil {
			t.Fatal(err)
		}
		reply.Body.Close()
	})
	t.Run("announced", func(t *testing.T) {
		u := serve(t, says(200, strings.Repeat("1", 2000)), func(c *rest.Config) { c.MostBytes = 1000 })
		_, err := u.Reply(request(t), get())
		if text, f := message(t, err); !strings.Contains(text, "larger than 1000 bytes") || f.Status != 200 {
			t.Errorf("%v", err)
		}
	})
}
