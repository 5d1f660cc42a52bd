package rdfgraph_test

import (
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// TestCleanDir covers what people write for a folder in client configurations.
func TestCleanDir(t *testing.T) {
	for _, c := range []struct{ goos, arg, want string }{
		{"windows", `C:\Users\Jo Ann\My Graphs`, `C:\Users\Jo Ann\My Graphs`},
		{"windows", `C:\Users\Jo Ann\My Graphs\`, `C:\Users\Jo Ann\My Graphs`},
		{"windows", `C:\\Users\\Jo Ann\\My Graphs`, `C:\Users\Jo Ann\My Graphs`},
		{"windows", `"C:\Users\Jo Ann\My Graphs"`, `C:\Users\Jo Ann\My Graphs`},
		{"windows", `C:/Users/Jo Ann/My Graphs/`, `C:\Users\Jo Ann\My Graphs`},
		{"windows", `/c/Users/Jo Ann/My Graphs`, `C:\Users\Jo Ann\My Graphs`},
		{"windows", `file:///C:/Users/Jo%20Ann/My%20Graphs`, `C:\Users\Jo Ann\My Graphs`},
		{"windows", `file:///C:/Users/Jo Ann/My Graphs/`, `C:\Users\Jo Ann\My Graphs`},
		{"windows", `file:///C:\Users\Jo Ann\My Graphs`, `C:\Users\Jo Ann\My Graphs`},
		{"windows", `file://C:/Users/Jo`, `C:\Users\Jo`},
		{"windows", `file:C:/Users/Jo`, `C:\Users\Jo`},
		{"windows", `FILE://localhost/C:/Users/Jo`, `C:\Users\Jo`},
		{"windows", `file://server/share/My%20Graphs`, `\\server\share\My Graphs`},
		{"windows", `\\server\share\graphs\`, `\\server\share\graphs`},
		{"windows", `~\graphs`, `C:\Users\Jo\graphs`},
		{"windows", `graphs\..\other`, `other`},
		{"windows", `C:\`, `C:\`},
		{"windows", `C:`, `C:.`},
		{"windows", `/c`, `C:\`},
		{"windows", `.`, `.`},
		{"linux", "/home/jo/My Graphs", "/home/jo/My Graphs"},
		{"linux", "/home/jo/graphs/", "/home/jo/graphs"},
		{"linux", "file:///home/jo/My%20Graphs", "/home/jo/My Graphs"},
		{"linux", "file:///home/jo/100%/", "/home/jo/100%"},
		{"linux", "file:/home/jo", "/home/jo"},
		{"linux", "file://localhost/home/jo", "/home/jo"},
		{"linux", "/home/jo/My%20Graphs", "/home/jo/My%20Graphs"},
		{"linux", "~", "/home/jo"},
		{"linux", "~/graphs/", "/home/jo/graphs"},
		{"linux", " 'graphs' ", "graphs"},
		{"linux", "a/../b//c/.", "b/c"},
		{"linux", "/", "/"},
		{"linux", "file:///", "/"},
		{"darwin", "file:///Users/jo/My%20Graphs/", "/Users/jo/My Graphs"},
	} {
		home := "/home/jo"
		if c.goos == "windows" {
			home = `C:\Users\Jo`
		}
		got, err := rdfgraph.CleanDirOn(c.goos, home, c.arg)
		if err != nil || got != c.want {
			t.Errorf("%s: %q is %q, %v; want %q", c.goos, c.arg, got, err, c.want)
		}
	}
}

// TestCleanDirRefuses covers what can't be a folder here; the error says what to
// write.
func TestCleanDirRefuses(t *testing.T) {
	for _, c := range []struct{ goos, home, arg, want string }{
		{"linux", "/home/jo", "", "empty"},
		{"linux", "/home/jo", ` "" `, "empty"},
		{"linux", "/home/jo", `C:\Users\Jo`, "Windows path"},
		{"linux", "/home/jo", `\\server\share`, "Windows path"},
		{"darwin", "/Users/jo", "file:///C:/Users/Jo", "Windows path"},
		{"linux", "/home/jo", "file://server/share", "host"},
		{"linux", "/home/jo", "file:", "no path"},
		{"linux", "/home/jo", "file://", "no path"},
		{"linux", "/home/jo", "~ann/graphs", "write the whole path"},
		{"linux", "", "~/graphs", "no home folder"},
		{"linux", "/home/jo", "/a\x00b", "NUL"},
	} {
		got, err := rdfgraph.CleanDirOn(c.goos, c.home, c.arg)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q is %q, %v; want an error with %q", c.goos, c.arg, got, err, c.want)
		}
	}
}
