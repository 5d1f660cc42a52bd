package examples_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/examples"
)

// TestRegenerate holds that the files in the repository are what the generator
// writes, byte for byte.
func TestRegenerate(t *testing.T) {
	got := readAll(t, generate(t))
	want := readAll(t, examples.FS())
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("run go run ./examples/generate -out examples, then read the difference (-repository +generated):\n%s", diff)
	}
}

// TestScale holds that a larger scale multiplies the entities.
func TestScale(t *testing.T) {
	small, large := readAll(t, examples.FS()), readAll(t, generate(t, "-scale", "3"))
	for _, path := range []string{"customer360/data/customers.ttl", "supply_chain/v2/data/catalogue.ttl"} {
		if n := len(large[path]) / len(small[path]); n < 2 || n > 4 {
			t.Errorf("%s is %d times as long at -scale 3", path, n)
		}
	}
}

// TestBadFlags holds that a wrong flag is named.
func TestBadFlags(t *testing.T) {
	for _, row := range []struct {
		args []string
		want string
	}{
		{nil, "say where to write with -out DIR"},
		{[]string{"-out", t.TempDir(), "-scale", "0"}, "-scale is 0: it is at least 1"},
		{[]string{"-out", t.TempDir(), "-format", "rdf"}, `-format is "rdf": it is ttl or nt`},
	} {
		out, err := exec.CommandContext(t.Context(), "go", append([]string{"run", "./generate"}, row.args...)...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), row.want) {
			t.Errorf("%q: error %v, output %q; want one that says %q", row.args, err, out, row.want)
		}
	}
}

// generate runs the generator and returns the folder that it wrote.
func generate(t *testing.T, args ...string) fs.FS {
	t.Helper()
	dir := t.TempDir()
	args = append([]string{"run", "./generate", "-out", dir}, args...)
	if out, err := exec.CommandContext(t.Context(), "go", args...).CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return os.DirFS(dir)
}

// readAll returns the files of a folder by path.
func readAll(t *testing.T, fsys fs.FS) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := fs.WalkDir(fsys, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(fsys, path)
		out[filepath.ToSlash(path)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) == 0 {
		t.Fatal("the folder is empty")
	}
	return out
}
