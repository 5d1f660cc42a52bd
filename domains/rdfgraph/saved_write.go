package rdfgraph

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// saver keeps snapshot files: it says which domains have one, and writes them one at a time
// in the background. A nil saver keeps none.
type saver struct {
	min int64 // bytes of sources from which a domain has a file
	log *slog.Logger

	ctx    context.Context // of writing
	cancel context.CancelFunc
	work   sync.WaitGroup
	mu     sync.Mutex
	queue  []*saving // guarded by mu; each folder once
	busy   bool      // guarded by mu: work goes on
}

// saving is a file that is to be written.
type saving struct {
	folder folder
	domain domains.Name
	file   string // in savedFolder
	built  *built
	// current are the files in savedFolder of all versions that the domain has.
	current []string
	// isThere is set when the file is there already, and only what is not of a current
	// version is to be removed.
	isThere bool
}

// newSaver returns nil when a configuration wants no files. The caller closes it.
func newSaver(c Config, log *slog.Logger) *saver {
	if c.Snapshots != SnapshotsOn || c.FS != nil {
		return nil
	}
	s := &saver{min: c.SnapshotMin, log: log}
	if s.min == 0 {
		s.min = DefaultSnapshotMin
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// keeps says whether a domain of sources has a file.
func (s *saver) keeps(sources map[string]stamp) bool {
	if s == nil {
		return false
	}
	size := int64(0)
	for _, f := range sources {
		size += f.size
	}
	return size >= s.min
}

// save writes a file soon. One that waits for the same folder is forgotten; nil is nothing.
func (s *saver) save(what *saving) {
	if s == nil || what == nil || what.built.graph == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		return
	}
	if i := slices.IndexFunc(s.queue, func(w *saving) bool { return w.folder.path == what.folder.path }); i < 0 {
		s.queue = append(s.queue, what)
	} else if next := s.queue[i]; what.isThere && !next.isThere && next.built.content.snapshot == what.built.content.snapshot {
		next.current = what.current // it is not there yet
	} else {
		s.queue[i] = what
	}
	if !s.busy {
		s.busy = true
		s.work.Go(s.run)
	}
}

// run writes what waits until nothing does.
func (s *saver) run() {
	for {
		s.mu.Lock()
		if len(s.queue) == 0 || s.ctx.Err() != nil {
			s.queue, s.busy = nil, false
			s.mu.Unlock()
			return
		}
		next := s.queue[0]
		s.queue = s.queue[1:]
		s.mu.Unlock()
		name := path.Join(savedFolder, next.file)
		switch err := next.write(s.ctx); {
		case next.isThere:
			// That something is in the way which cannot be removed harms nobody.
		case err == nil:
			s.log.InfoContext(s.ctx, "snapshot file written", "domain", next.domain, "file", name)
		case s.ctx.Err() == nil:
			s.log.WarnContext(s.ctx, "snapshot file not written: the next start reads the domain from its files again",
				"domain", next.domain, "file", name, "cause", writingFault(err))
		}
	}
}

// close stops writing and waits for it. Nothing that was begun is left behind.
func (s *saver) close() {
	if s == nil {
		return
	}
	s.mu.Lock()
	s.cancel()
	s.mu.Unlock()
	s.work.Wait()
}

// writingFault says why a file can't be written, without the paths of the system.
func writingFault(err error) string {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.As(err, &p):
		return p.Err.Error()
	case errors.As(err, &l):
		return l.Err.Error()
	}
	return err.Error()
}

// write makes the file, so that there is a whole one under its name at every moment or
// none. Links that lead out of the domain's folder are refused.
func (w *saving) write(ctx context.Context) error {
	_, closer, err := w.folder.open()
	if err != nil {
		return err
	}
	defer closer.Close()
	root, ok := closer.(*os.Root)
	if !ok {
		return errors.ErrUnsupported
	}
	if !w.isThere {
		if err := root.Mkdir(savedFolder, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	// A link would have files removed and written elsewhere in the domain's folder.
	if info, err := root.Lstat(savedFolder); err != nil {
		return err
	} else if !info.IsDir() {
		return &fs.PathError{Op: "open", Path: savedFolder, Err: errors.New(savedFolder + " is not a folder: remove it")}
	}
	dir, err := root.OpenRoot(savedFolder)
	if err != nil {
		return err
	}
	defer dir.Close()
	w.tidy(dir)
	if w.isThere {
		return nil
	}
	if err := ignoreAll(dir); err != nil {
		return err
	}
	return replaceFile(dir, w.file, func(to io.Writer) error { return w.built.writeFile(ctx, to) })
}

// leftOver ends the names of files that are not whole yet.
const leftOver = ".tmp"

// tidy removes files of versions that there are no more, and those that a process which
// ended early has left. Younger ones of these may still be written by another.
func (w *saving) tidy(dir *os.Root) {
	entries, err := fs.ReadDir(dir.FS(), ".")
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		isLeft := strings.HasSuffix(e.Name(), leftOver) && time.Since(info.ModTime()) > time.Hour
		if isLeft || strings.HasSuffix(e.Name(), savedSuffix) && !slices.Contains(w.current, e.Name()) {
			_ = dir.Remove(e.Name()) // one that stays is tried again the next time
		}
	}
}

// ignoreAll keeps the folder out of the version control of the domain's.
func ignoreAll(dir *os.Root) error {
	const name = ".gitignore"
	if _, err := dir.Lstat(name); err == nil {
		return nil
	}
	return replaceFile(dir, name, func(to io.Writer) error {
		_, err := io.WriteString(to, "*\n")
		return err
	})
}

// replaceFile writes a file under another name, and gives it its own when all of it is on
// the disk.
func replaceFile(dir *os.Root, name string, write func(io.Writer) error) (err error) {
	temporary := name + "." + rand.Text() + leftOver
	f, err := dir.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = dir.Remove(temporary) // it may have its name already
		}
	}()
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := dir.Rename(temporary, name); err != nil {
		return err
	}
	if d, err := dir.Open("."); err == nil {
		_ = d.Sync() // some systems can't; the name is then as safe as that of any file
		d.Close()
	}
	return nil
}

// writeFile writes the head and all that restore reads.
func (b *built) writeFile(ctx context.Context, to io.Writer) error {
	head := savedHead{key: savedKey(b.key), prefixes: b.content.prefixes}
	for _, file := range b.content.read {
		s := savedSource{
			path: file, size: b.stamps[file].size, sum: b.content.sums[file],
			relative: slices.Contains(b.content.relative, file), header: b.content.headers[file],
		}
		for _, u := range s.header.contexts {
			s.contexts = append(s.contexts, b.content.sums[u.file])
		}
		head.files = append(head.files, s)
	}
	packed := head.pack()
	parts := append([]store.Part{store.Text(&packed)}, b.content.snapshot.Saved().Parts()...)
	return store.WriteFile(ctx, to, append(parts, b.graph.saved().parts()...))
}
