//go:build unix

package rdfgraph_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// TestPipesAreNotOpened holds that what is no regular file is a problem. A pipe that
// is opened would wait for ever: each is one that nobody writes into.
func TestPipesAreNotOpened(t *testing.T) {
	dir := t.TempDir()
	for _, file := range []string{"data/a.ttl", "settings/a.ttl", "linked/a.ttl", "dataset/a.ttl", "folder/a.ttl"} {
		write(t, dir, file, "<http://e/a> a <http://e/A> .")
	}
	write(t, dir, "dataset/domain.yaml", "classes: {A: {dataset: {file: rows.csv}}}")
	write(t, dir, "folder/domain.yaml/b.ttl", "")
	write(t, dir, "version/domain.yaml", "versions: {v1: PUBLISHED}")
	write(t, dir, "versions/domain.yaml", "versions: {v1: PUBLISHED}")
	write(t, dir, "versions/v1/a.ttl", "<http://e/a> a <http://e/A> .")
	for _, pipe := range []string{"version/v1", "versions/v1/pipe.ttl", "data/pipe.ttl", "settings/domain.yaml", "linked/hidden", "dataset/rows.csv", "lone.ttl"} {
		if err := syscall.Mkfifo(filepath.Join(dir, filepath.FromSlash(pipe)), 0o600); err != nil {
			t.Skipf("this system makes no pipes here: %v", err)
		}
	}
	if err := os.Symlink("hidden", filepath.Join(dir, "linked/link.nt")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir) // a socket's path must be short
	socket, err := net.Listen("unix", "data/socket.ttl")
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()

	got := map[domains.Name][]string{}
	for _, r := range newBackend(t, rdfgraph.Config{Dir: dir}).Report(t.Context()) {
		got[r.Name] = []string{r.Reason}
		for _, p := range append(r.Problems, r.Warnings...) {
			got[r.Name] = append(got[r.Name], p.String())
		}
	}
	const irregular = " is not a regular file: put the text itself there"
	want := map[domains.Name][]string{
		"data":     {"", "pipe.ttl:" + irregular, "socket.ttl:" + irregular},
		"settings": {"domain.yaml" + irregular},
		"linked":   {"", "link.nt:" + irregular},
		"dataset":  {"", `domain.yaml:1:25: dataset file "rows.csv"` + irregular},
		"folder":   {"domain.yaml" + irregular},
		"versions": {"", "v1/pipe.ttl:" + irregular},
		"version":  {`the folder "v1" of version 1 is not a folder`},
	}
	alone := newBackend(t, rdfgraph.Config{Dir: filepath.Join(dir, "data")}).Report(t.Context())
	if len(alone) != 1 || !alone[0].Usable || len(alone[0].Problems) != 2 {
		t.Errorf("the folder of one domain alone: %+v", alone)
	}
	if _, err := rdfgraph.New(t.Context(), rdfgraph.Config{Dir: filepath.Join(dir, "lone.ttl")}); err == nil || !strings.HasSuffix(err.Error(), "lone.ttl: is not a folder") {
		t.Errorf("a pipe as the folder of domains: %v", err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("reason, problems and warnings (-want +got):\n%s", diff)
	}
}
