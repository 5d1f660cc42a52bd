package dataset_test

import (
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains/rdfgraph/dataset"
)

func open(t testing.TB, name, text, key string) (*dataset.Table, error) {
	t.Helper()
	return dataset.Open(t.Context(), fstest.MapFS{name: {Data: []byte(text)}}, name, dataset.Options{Key: key})
}

func rows(t testing.TB, table *dataset.Table, key string, limit int) (string, int) {
	t.Helper()
	found, total, err := table.Rows(t.Context(), key, limit)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, r := range found {
		if !json.Valid(r) {
			t.Errorf("no JSON: %s", r)
		}
		b.WriteString(string(r) + "\n")
	}
	return b.String(), total
}

func TestRows(t *testing.T) {
	const all = "id,name,score,visits,vip,code,note\n" +
		"C1,\"Ann \"\"A\"\" <Lee>\",1.50,3,true,007,\"two\nlines\"\n" +
		"C2,Bob,2,0,FALSE,12,\n" +
		"C1,Ann again,-0.5,-7,,8,x\n"
	for name, text := range map[string]string{
		"a.csv":        all,
		"mark.csv":     "\xEF\xBB\xBF" + all,
		"crlf.csv":     strings.ReplaceAll(all, "\n", "\r\n"),
		"semi.csv":     strings.ReplaceAll(all, ",", ";"),
		"tabs.TSV":     strings.ReplaceAll(all, ",", "\t"),
		"no-end.csv":   strings.TrimSuffix(all, "\n"),
		"blank.csv":    strings.ReplaceAll(all, "C2,", "\n\nC2,"),
		"b/spaces.csv": strings.ReplaceAll(all, "C1,", " C1 ,"),
	} {
		table, err := open(t, name, text, "id")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		first := `{"id":"C1","name":"Ann \"A\" <Lee>","score":1.50,"visits":3,"vip":true,"code":"007","note":"two\nlines"}` + "\n"
		second := `{"id":"C1","name":"Ann again","score":-0.5,"visits":-7,"vip":null,"code":"8","note":"x"}` + "\n"
		if name == "b/spaces.csv" {
			first, second = strings.Replace(first, `"C1"`, `" C1 "`, 1), strings.Replace(second, `"C1"`, `" C1 "`, 1)
		}
		for limit, want := range []string{"", first, first + second, first + second} {
			got, total := rows(t, table, "C1", limit)
			if diff := cmp.Diff(want, got); diff != "" || total != 2 {
				t.Errorf("%s, at most %d: %d in all (-want +got):\n%s", name, limit, total, diff)
			}
		}
		if got, total := rows(t, table, "C3", 5); got != "" || total != 0 {
			t.Errorf("%s: a key that is not there: %s", name, got)
		}
		if table.Len() != 3 || table.Sum() != sha256.Sum256([]byte(text)) || len(table.Warnings()) != 0 {
			t.Errorf("%s: %d rows, warnings %v", name, table.Len(), table.Warnings())
		}
		types := []dataset.Type{dataset.Text, dataset.Text, dataset.Decimal, dataset.Whole, dataset.Bool, dataset.Text, dataset.Text}
		for i, c := range table.Columns() {
			if c.Type != types[i] {
				t.Errorf("%s: column %s has type %d, want %d", name, c.Name, c.Type, types[i])
			}
		}
	}
}

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "is empty: its first line has to name the columns",
		"\n\n":                "has no line that names the columns",
		"\xFF\xFEi\x00":       "line 1, column 1: the file is UTF-16: save it as UTF-8",
		"a,b\n1,2\n":          `line 1, column 1: there is no column "id", which key names: the columns are a, b`,
		"Id,b\n1,2\n":         `line 1, column 1: there is no column "id", which key names: did you mean "Id"?`,
		"id,b,b\n":            `line 1, column 6: a second column is named "b"`,
		"id,,b\n":             "line 1, column 4: column 2 has no name",
		"id,b\n1,a\"b\n":      `line 2, column 4: a quote stands in a field that is not quoted: quote the field, and write "" for each quote in it`,
		"id,b\n1,\"a\"b\n":    `line 2, column 5: a quote stands within a field: a field with quotes is quoted itself, and has "" for each`,
		"id,b\n1,x\n2,\xFF\n": "line 3, column 3: the text is not UTF-8: save the file as UTF-8",
		"id,b\n1,\"" + strings.Repeat("x\n", 1<<20):               "line 2, column 1: a row here has more than 1 MiB, which is the most that is read: is a quote not closed?",
		"id,v\n1," + strings.Repeat("x", 1<<20+9_000) + "\n2,y\n": "line 2, column 1: a row here has more than 1 MiB, which is the most that is read: is a quote not closed?",
		"id" + strings.Repeat(",", 2000):                          "line 1, column 1: the file has 2001 columns; at most 2000 are read",
	} {
		_, err := open(t, "a.csv", text, "id")
		var fault *dataset.Error
		if !errors.As(err, &fault) || fault.Error() != want {
			t.Errorf("%.40q: %v\nwant %s", text, err, want)
		}
	}
	if _, err := dataset.Open(t.Context(), fstest.MapFS{}, "a.csv", dataset.Options{Key: "id"}); err == nil || err.Error() != "is not there" {
		t.Errorf("no file: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := dataset.Open(ctx, fstest.MapFS{"a.csv": {Data: []byte("id\n1\n")}}, "a.csv", dataset.Options{Key: "id"}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that ended: %v", err)
	}
}

func TestRowsThatDoNotFit(t *testing.T) {
	table, err := open(t, "a.csv", "id,b\n1,x\n2\n3,x,y\n,z\n4,w\n"+strings.Repeat("5\n", 30), "id")
	if err != nil {
		t.Fatal(err)
	}
	w := table.Warnings()
	if table.Len() != 2 || len(w) != 21 {
		t.Fatalf("%d rows, %d warnings", table.Len(), len(w))
	}
	for i, want := range map[int]dataset.Warning{
		0: {3, 1, "the row has 1 fields and the first line 2: it is left out"}, 1: {4, 1, "the row has 3 fields and the first line 2: it is left out"},
		2: {5, 1, "the row has no id, which is the key: it is left out"}, 20: {0, 0, "13 more rows are left out"},
	} {
		if w[i] != want {
			t.Errorf("warning %d: %+v", i, w[i])
		}
	}
}

// TestChanges holds that a file that is not the one that was read gives no rows of others.
func TestChanges(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.csv")
	write := func(text string, when time.Time) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, when, when); err != nil {
			t.Fatal(err)
		}
	}
	when := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	write("id,b\n1,x\n2,y\n", when)
	table, err := dataset.Open(t.Context(), os.DirFS(dir), "a.csv", dataset.Options{Key: "id"})
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(){
		"later":  func() { write("id,b\n2,x\n1,y\n", when.Add(time.Second)) },
		"longer": func() { write("id,b\n1,x\n2,y\n3,z\n", when) },
		"gone":   func() { os.Remove(file) },
	} {
		change()
		if _, _, err := table.Rows(t.Context(), "1", 1); !errors.Is(err, dataset.ErrChanged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// onlyRead is a file system whose files can be read from the beginning alone.
type onlyRead struct{ fs.FS }

func (o onlyRead) Open(name string) (fs.File, error) {
	f, err := o.FS.Open(name)
	return struct{ fs.File }{f}, err
}

func TestFilesThatAreOnlyRead(t *testing.T) {
	fsys := onlyRead{fstest.MapFS{"a.csv": {Data: []byte("id,b\n1,x\n")}}}
	table, err := dataset.Open(t.Context(), fsys, "a.csv", dataset.Options{Key: "b"})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := rows(t, table, "x", 1); got != `{"id":1,"b":"x"}`+"\n" {
		t.Error(got)
	}
}

func many(n int) string {
	var b strings.Builder
	b.WriteString("id,name,amount\n")
	for i := range n {
		fmt.Fprintf(&b, "C%06d,\"Customer, %d\",%d.%02d\n", i, i, i, i%100)
	}
	return b.String()
}

// TestIndexIsSmall counts what is kept for each row.
func TestIndexIsSmall(t *testing.T) {
	const n = 100_000
	fsys := fstest.MapFS{"a.csv": {Data: []byte(many(n))}}
	held := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := held()
	table, err := dataset.Open(t.Context(), fsys, "a.csv", dataset.Options{Key: "id"})
	if err != nil {
		t.Fatal(err)
	}
	if each := (int(held()) - int(before)) / n; each > 24 {
		t.Errorf("%d bytes are kept for a row", each)
	}
	if got, _ := rows(t, table, "C099999", 1); got != `{"id":"C099999","name":"Customer, 99999","amount":99999.99}`+"\n" {
		t.Error(got)
	}
}

func BenchmarkOpen(b *testing.B) {
	text := many(1_000_000)
	fsys := fstest.MapFS{"a.csv": {Data: []byte(text)}}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := dataset.Open(b.Context(), fsys, "a.csv", dataset.Options{Key: "id"}); err != nil {
			b.Fatal(err)
		}
	}
}

// FuzzOpen compares rows found by key with a reading from the beginning.
func FuzzOpen(f *testing.F) {
	f.Add("id,b\n1,\"x\"\"y\"\n\n2,\xC3\xA9\n1,z\n")
	f.Add("\xEF\xBB\xBFid;b\r\n1;2\r\n")
	f.Add("id\n1\r\n\"a\nb\"\n 1 \n")
	f.Fuzz(func(t *testing.T, text string) {
		table, err := open(t, "a.csv", text, "id")
		if err != nil {
			return
		}
		r := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\xEF\xBB\xBF")))
		r.FieldsPerRecord = -1
		head, _, _ := strings.Cut(text, "\n")
		if strings.Contains(head, ";") && !strings.Contains(head, ",") && !strings.Contains(head, `"`) {
			r.Comma = ';'
		} else if strings.Contains(head, `"`) {
			return
		}
		header, err := r.Read()
		if err != nil {
			t.Fatal(err)
		}
		key := 0
		for i, name := range header {
			if strings.TrimSpace(name) == "id" {
				key = i
			}
		}
		want := map[string]int{}
		for {
			record, err := r.Read()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if k := ""; len(record) == len(header) {
				if k = strings.TrimSpace(record[key]); k != "" {
					want[k]++
				}
			}
		}
		for k, n := range want {
			if _, total := rows(t, table, k, 3); total != n {
				t.Errorf("%q: %d rows, want %d", k, total, n)
			}
		}
	})
}
