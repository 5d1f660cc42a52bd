package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/server"
)

// A transcript is a conversation as it stands on the wire: the comment says what it
// shows, "in" holds the client's lines, "out" is what comes back. Tool definitions are
// cut down to their names.
//
// Over HTTP a line of "in" is
//
//	METHOD PATH [session=NAME] [Header=value …] [body]
//
// where NAME stands for the session that an initialize with that name began.
func TestTranscripts(t *testing.T) {
	for transport, talk := range map[string]func(*testing.T, []string) []string{"stdio": talkStdio, "http": talkHTTP} {
		files, err := filepath.Glob(filepath.Join("testdata", "transcripts", transport, "*.txtar"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no transcripts for %s: %v", transport, err)
		}
		for _, file := range files {
			t.Run(transport+"/"+strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
				a, err := txtar.ParseFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if len(a.Files) == 0 || a.Files[0].Name != "in" {
					t.Fatalf("%s does not begin with -- in --", file)
				}
				var in []string
				for line := range strings.Lines(string(a.Files[0].Data)) {
					if line = strings.TrimSpace(line); line != "" {
						in = append(in, line)
					}
				}
				out := strings.Join(talk(t, in), "\n") + "\n"
				a.Files = []txtar.File{a.Files[0], {Name: "out", Data: []byte(out)}}
				golden(t, file, string(txtar.Format(a)))
			})
		}
	}
}

// talkStdio sends one line after the other, each when all before are done with.
func talkStdio(t *testing.T, in []string) (out []string) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, nil)
		lines, feed := io.Pipe()
		var answers bytes.Buffer
		done := make(chan error, 1)
		go func() { done <- s.ServeStdio(t.Context(), lines, &answers) }()
		for _, line := range in {
			fmt.Fprintln(feed, line)
			synctest.Wait()
		}
		feed.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
		for line := range strings.Lines(answers.String()) {
			out = append(out, tidy(strings.TrimSpace(line)))
		}
	})
	return out
}

func talkHTTP(t *testing.T, in []string) []string {
	base := serve(t, newServer(t, func(c *server.Config) { c.PublicURL = "http://localhost:9100" }))
	sessions := map[string]string{} // name → id
	var out []string
	for _, line := range in {
		words, body := line, ""
		if i := strings.IndexAny(line, "{["); i >= 0 {
			words, body = line[:i], line[i:]
		}
		fields := strings.Fields(words)
		c := &client{t: t, url: base + fields[1]}
		header, name := http.Header{}, ""
		for _, f := range fields[2:] {
			k, v, _ := strings.Cut(f, "=")
			if k == "session" {
				name, c.session = v, sessions[v]
				continue
			}
			header.Set(k, v)
		}
		r := c.do(fields[0], body, header)
		if id := r.header.Get("Mcp-Session-Id"); id != "" {
			sessions[name] = id
		}
		out = append(out, strings.TrimSpace(fmt.Sprintf("%d %s", r.status, r.header.Get("Content-Type"))))
		for text := range strings.Lines(r.body) {
			if text = strings.TrimSpace(text); text != "" {
				out = append(out, "  "+tidy(text))
			}
		}
	}
	return out
}

var (
	definitions = regexp.MustCompile(`"tools":\[.*\](,"|})`)
	hello       = regexp.MustCompile(`"instructions":"(?:[^"\\]|\\.)*"`)
)

// tidy cuts down what other golden files hold.
func tidy(line string) string {
	line = hello.ReplaceAllString(line, `"instructions":"…"`)
	m := definitions.FindString(line)
	if m == "" {
		return line
	}
	var message struct {
		Result struct{ Tools []struct{ Name string } }
	}
	if json.Unmarshal([]byte(strings.TrimPrefix(line, "data: ")), &message) != nil {
		return line
	}
	var names []string
	for _, tool := range message.Result.Tools {
		names = append(names, tool.Name)
	}
	return strings.Replace(line, m, `"tools":[`+strings.Join(names, " ")+`]`+m[strings.LastIndex(m, "]")+1:], 1)
}
