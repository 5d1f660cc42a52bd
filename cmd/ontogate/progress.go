package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// progressAfter is how long loading takes before anything is shown: most loads are over
// by then.
const progressAfter = time.Second

// progressLine is the last line of a terminal while domains are loaded. Whatever else is
// written there goes through it, so that the line is out of the way. Once all is loaded it
// ends: what is loaded again later is told by the log alone. It may be used concurrently; a
// nil one shows nothing.
type progressLine struct {
	w     io.Writer
	width func() int // of the terminal, in columns
	now   func() time.Time

	mu    sync.Mutex
	began time.Time // when the first report came; zero when nothing is loaded
	shown int       // columns of the line; 0 when there is none
	ended bool
}

// terminalLine returns nil when a file is no terminal.
func terminalLine(f *os.File) *progressLine {
	if !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return &progressLine{w: f, now: time.Now, width: func() int {
		width, _, err := term.GetSize(int(f.Fd()))
		if err != nil {
			return 0
		}
		return width
	}}
}

// Write writes to the terminal, in place of the line.
func (l *progressLine) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.eraseLocked()
	return l.w.Write(p)
}

// report returns what is told of loading; nil when nothing is shown.
func (l *progressLine) report() func(rdfgraph.Progress) {
	if l == nil {
		return nil
	}
	return l.tell
}

// tell shows how far loading is, when it has taken long enough.
func (l *progressLine) tell(p rdfgraph.Progress) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return
	}
	now := l.now()
	if l.began.IsZero() {
		l.began = now
	}
	if p.Stage == rdfgraph.Preparing && p.Done == p.Total { // the domain's last
		l.eraseLocked()
		l.began = time.Time{}
		return
	}
	if now.Sub(l.began) < progressAfter {
		return
	}
	text := []rune(progressText(p))
	text = text[:max(0, min(len(text), l.width()-1))] // a full line would wrap
	l.eraseLocked()
	fmt.Fprint(l.w, string(text))
	l.shown = len(text)
}

// progressText is what is shown of a report.
func progressText(p rdfgraph.Progress) string {
	stage := map[rdfgraph.Stage]string{rdfgraph.Reading: "reading", rdfgraph.Indexing: "indexing", rdfgraph.Preparing: "preparing"}[p.Stage]
	text := oneLine(fmt.Sprintf("ontogate: %s %s", stage, p.Domain))
	if p.Total > 0 {
		text += fmt.Sprintf(", %d %%", int(100*float64(p.Done)/float64(p.Total)))
	}
	return text
}

// end takes the line away for good: loading is over, whatever was told of it last.
func (l *progressLine) end() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.eraseLocked()
	l.ended = true
}

// eraseLocked writes over the line with spaces, which every terminal understands.
func (l *progressLine) eraseLocked() {
	if l.shown > 0 {
		fmt.Fprint(l.w, "\r"+strings.Repeat(" ", l.shown)+"\r")
		l.shown = 0
	}
}
