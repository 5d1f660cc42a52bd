package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestSameBytes holds that an archive does not depend on the order of its files, nor on
// when and where it is made.
func TestSameBytes(t *testing.T) {
	at := time.Unix(1_750_000_000, 0).UTC()
	files := []file{{"b/program", []byte("program"), true}, {"a", []byte("text"), false}, {"b/c", nil, false}}
	for name, write := range map[string]func(string, []file, time.Time) error{"tar": writeTar, "zip": writeZip} {
		var before []byte
		for range 2 {
			path := filepath.Join(t.TempDir(), name)
			if err := write(path, files, at); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if before != nil && !bytes.Equal(before, data) {
				t.Errorf("%s: other bytes the second time", name)
			}
			before = data
			files[0], files[2] = files[2], files[0]
		}
	}
}

// TestPlatforms holds that folders without programs are a fault and that each platform
// has its program's name.
func TestPlatforms(t *testing.T) {
	dir := t.TempDir()
	r := release{programs: dir}
	if got, err := r.platforms(); err == nil {
		t.Errorf("an empty folder has %v", got)
	}
	for _, platform := range []string{"windows_amd64", "linux_arm64"} {
		if err := os.MkdirAll(filepath.Join(dir, platform), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, platform, programName(platform)), []byte(platform), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	got, err := r.platforms()
	if diff := cmp.Diff([]string{"linux_arm64", "windows_amd64"}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "windows_amd64", "ontogate.exe")); err != nil || string(data) != "windows_amd64" {
		t.Errorf("%q, %v", data, err)
	}
}
