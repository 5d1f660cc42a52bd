package rdfgraph_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// TestKeysDocumentEverySetting holds that each field of the settings has a
// documented key, and each documented key a field.
func TestKeysDocumentEverySetting(t *testing.T) {
	want := rdfgraph.SettingKeys()
	var got []string
	for _, k := range rdfgraph.Keys() {
		got = append(got, k.Key)
		if k.Type == "" || k.Default == "" || !strings.HasSuffix(k.Text, ".") {
			t.Errorf("key %s: its type, its default or the full stop of its text is missing", k.Key)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("keys (-fields +documented):\n%s", diff)
	}
}

// TestSettings compares the faults of the domain.yaml files in testdata/settings.
// A "!" marks those that bar the domain.
func TestSettings(t *testing.T) {
	archives, err := filepath.Glob("testdata/settings/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil || len(a.Files) != 2 {
				t.Fatalf("want the files domain.yaml and faults: %v", err)
			}
			faults, ok := rdfgraph.ReadSettings(a.Files[0].Data)
			got := strings.Join(faults, "\n") + "\n"
			if !ok {
				got += "not read\n"
			}
			golden(t, path, a, 1, got)
		})
	}
}

// golden compares a stage with a file of an archive, or writes it with -update.
func golden(t *testing.T, path string, a *txtar.Archive, file int, got string) {
	t.Helper()
	if *update {
		a.Files[file].Data = []byte(got)
		if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(a.Files[file].Data), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", a.Files[file].Name, diff)
	}
}

// FuzzConfig holds that no domain.yaml makes the reader panic or hang, and that
// what it complains of has a place in the file.
func FuzzConfig(f *testing.F) {
	archives, err := filepath.Glob("testdata/settings/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range archives {
		a, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(a.Files[0].Data)
	}
	for _, s := range []string{"", "\ufeffname: a", "[", "- - -", "a: &b c", "<<: *x", "!!map {a: b}", "? - a\n: b", "name: |\n  text", "\x00", "a: {b: c", "versions: {? [a]: b}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		faults, ok := rdfgraph.ReadSettings(text)
		if !ok && len(faults) == 0 {
			t.Error("not read, and no fault says why")
		}
		for _, fault := range faults {
			if !strings.Contains(fault, "domain.yaml") {
				t.Errorf("fault without a file: %s", fault)
			}
		}
	})
}

// TestPatterns covers the patterns of ontology: and data:.
func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, file string
		want          bool
	}{
		{"a.ttl", "a.ttl", true},
		{"./a.ttl", "a.ttl", true},
		{"*.ttl", "a.ttl", true},
		{"*.ttl", "d/a.ttl", false},
		{"d/*.ttl", "d/a.ttl", true},
		{"d/?.ttl", "d/ab.ttl", false},
		{"**/*.ttl", "a.ttl", true},
		{"**/*.ttl", "d/e/a.ttl", true},
		{"d/**", "d/e/a.ttl", true},
		{"d/**/a.ttl", "d/a.ttl", true},
		{"d/**/e/*.ttl", "d/x/e/e/a.ttl", true},
		{"d/**/e/*.ttl", "x/e/a.ttl", false},
		{"**/**/a.ttl", "a.ttl", true},
		{"**/a.ttl/**", "d/a.ttl", true},
		{"**/d/*/a.ttl", "d/d/d/x/a.ttl", true},
		{"**/d/**/e/a.ttl", "e/d/a.ttl", false},
		{"[ab].ttl", "b.ttl", true},
		{"a.ttl/b", "a.ttl", false},
	} {
		if got := rdfgraph.MatchPattern(c.pattern, c.file); got != c.want {
			t.Errorf("%q on %q is %v, want %v", c.pattern, c.file, got, c.want)
		}
	}
	// Each of these takes longer than anyone waits when every "**" is tried with every
	// number of folders.
	deep := strings.Repeat("x/", 60)
	for pattern, want := range map[string]bool{
		strings.Repeat("**/x/", 40) + "y.ttl":      false,
		strings.Repeat("**/x/", 40) + "z.ttl":      true,
		strings.Repeat("**/x/", 61) + "z.ttl":      false,
		strings.Repeat("**/x/x/", 30) + "**/z.ttl": true,
		strings.Repeat("**/?/*/", 30) + "y/**":     false,
	} {
		if got := rdfgraph.MatchPattern(pattern, deep+"z.ttl"); got != want {
			t.Errorf("%q on a deep folder is %v, want %v", pattern, got, want)
		}
	}
	for _, bad := range []string{"", "../a.ttl", "d/../../a.ttl", "/etc/a.ttl", "C:/a.ttl", `d\a.ttl`, "[a.ttl"} {
		if rdfgraph.CheckPattern(bad) == nil {
			t.Errorf("pattern %q is accepted", bad)
		}
	}
}

// TestCompareVersions covers the order of versions.
func TestCompareVersions(t *testing.T) {
	ordered := []string{"alpha", "beta", "0", "0.9", "1-rc", "1", "1.0", "1.2", "1.2.3", "1.10-RC1", "1.10-rc2", "1.10_rc10", "1.10", "1.10-1",
		"2-alpha", "2-beta", "2", "10", "2024-9", "2024-10", "2024_10-02", "2024.11b", "2024.11", "100000000000000000000"}
	for i := range ordered {
		for j := range ordered {
			got := rdfgraph.CompareVersions(ordered[i], ordered[j])
			if got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("%s against %s: %d", ordered[i], ordered[j], got)
			}
		}
	}
	for _, same := range [][2]string{{"1.2", "1-2"}, {"1.02", "1.2"}, {"2-Beta", "2_beta"}, {"1.", "1"}, {"-.", ""}, {"é", "é"}} {
		if got := rdfgraph.CompareVersions(same[0], same[1]); got != 0 {
			t.Errorf("%s against %s: %d, want 0", same[0], same[1], got)
		}
	}
}

// TestPercent covers the rounding of halves to the even number.
func TestPercent(t *testing.T) {
	for _, c := range [][3]int{{0, 0, 0}, {0, 5, 0}, {5, 5, 100}, {1, 3, 33}, {2, 3, 67}, {1, 200, 0}, {3, 200, 2}, {5, 200, 2}, {7, 200, 4}, {199, 200, 100}} {
		if got := rdfgraph.Percent(c[0], c[1]); got != c[2] {
			t.Errorf("%d of %d is %d percent, want %d", c[0], c[1], got, c[2])
		}
	}
}
