package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// written is the file of a graph and its names.
func written(t testing.TB, s *store.Snapshot, n *store.Names) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := store.WriteFile(t.Context(), &file, append(s.Saved().Parts(), n.Saved().Parts()...)); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// read reads what written wrote.
func read(ctx context.Context, file []byte) (*store.Snapshot, *store.Names, error) {
	f, err := store.OpenFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, nil, err
	}
	var snapshot store.SavedSnapshot
	var names store.SavedNames
	if err := f.Read(ctx, append(snapshot.Parts(), names.Parts()...)); err != nil {
		return nil, nil, err
	}
	if f.Left() > 0 {
		return nil, nil, fmt.Errorf("%w: %d parts are left", store.ErrDamaged, f.Left())
	}
	s, err := snapshot.Snapshot(ctx)
	if err != nil {
		return nil, nil, err
	}
	n, err := names.Names(ctx, s)
	return s, n, err
}

// everyKind is a small graph with every kind of term, and names of its subjects.
func everyKind() (*store.Snapshot, *store.Names) {
	deep := rdf.Term{Kind: rdf.TripleTerm, Triple: &rdf.Triple{Subject: iri("b"), Predicate: iri("p"), Object: rdf.NewString("x")}}
	deeper := rdf.Term{Kind: rdf.TripleTerm, Triple: &rdf.Triple{Subject: rdf.NewBlank("n"), Predicate: iri("q"), Object: deep}}
	s := snapshot(
		[3]rdf.Term{iri("a"), iri("p"), iri("b")},
		[3]rdf.Term{iri("a"), iri("p"), iri("c")},
		[3]rdf.Term{iri("b"), iri("q"), rdf.NewBlank("n")},
		[3]rdf.Term{rdf.NewBlank("n"), iri("p"), rdf.NewString("Grün Haus")},
		[3]rdf.Term{rdf.NewBlank("n"), iri("p"), {Kind: rdf.Literal, Value: "x", Lang: "fr"}},
		[3]rdf.Term{iri("c"), iri("q"), rdf.NewTyped("1", rdf.XSDInteger)},
		[3]rdf.Term{iri("c"), iri("q"), deeper},
		[3]rdf.Term{iri("a"), iri("q"), deep},
	)
	return s, build([]owned{{"grun haus", 1}, {"haus", 2}, {"haus", 3}, {"maison verte", 4}})
}

// randomGraph is a graph over few terms, with names.
func randomGraph(rng *rand.Rand) (*store.Snapshot, *store.Names) {
	b := store.NewBuilder()
	term := func(kinds int) rdf.Term {
		name := fmt.Sprint(rng.IntN(12))
		switch rng.IntN(kinds) {
		case 1:
			return rdf.NewBlank(name)
		case 2:
			return rdf.Term{Kind: rdf.Literal, Value: name, Lang: []string{"", "en", "fi"}[rng.IntN(3)]}
		}
		return iri(name)
	}
	var names []owned
	for range rng.IntN(60) {
		b.Add(rdf.Triple{Subject: term(2), Predicate: term(1), Object: term(3)})
	}
	s := b.Build()
	for range rng.IntN(40) {
		if last := s.FirstLiteral() - 1; last > 0 {
			names = append(names, owned{randomName(rng), 1 + store.ID(rng.IntN(int(last)))})
		}
	}
	return s, build(names)
}

func TestFilesHoldWhatWasWritten(t *testing.T) {
	for seed := range uint64(60) {
		s, n := everyKind()
		if seed > 0 {
			s, n = randomGraph(rand.New(rand.NewPCG(seed, 5)))
		}
		file := written(t, s, n)
		again, names, err := read(t.Context(), file)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !bytes.Equal(written(t, again, names), file) {
			t.Fatalf("seed %d: what was read is written as another file", seed)
		}
		all := func(s *store.Snapshot) []rdf.Triple {
			return slices.Collect(s.Match(rdf.Term{}, rdf.Term{}, rdf.Term{}))
		}
		if diff := cmp.Diff(all(s), all(again)); diff != "" || s.Subjects() != again.Subjects() {
			t.Errorf("seed %d: triples (-want +got):\n%s", seed, diff)
		}
		if diff := cmp.Diff(slices.Collect(s.Predicates()), slices.Collect(again.Predicates())); diff != "" {
			t.Errorf("seed %d: predicates (-want +got):\n%s", seed, diff)
		}
		for _, text := range []string{"haus", "hau", "ha", "verte maison", "erte", "huas", "a", "ab b"} {
			if diff := cmp.Diff(n.Exact(s.Reader(), text), names.Exact(again.Reader(), text)); diff != "" {
				t.Errorf("seed %d: %q (-want +got):\n%s", seed, text, diff)
			}
			if diff := cmp.Diff(n.Near(s.Reader(), text, 5), names.Near(again.Reader(), text, 5)); diff != "" {
				t.Errorf("seed %d: near %q (-want +got):\n%s", seed, text, diff)
			}
		}
	}
}

// TestCutFilesAreDamaged cuts a file at every byte, edges of parts included.
func TestCutFilesAreDamaged(t *testing.T) {
	file := small(t)
	for n := range file {
		if _, _, err := read(t.Context(), file[:n]); !errors.Is(err, store.ErrDamaged) {
			t.Fatalf("cut to %d of %d bytes: %v", n, len(file), err)
		}
	}
	if _, _, err := read(t.Context(), append(slices.Clone(file), 0)); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("a byte more: %v", err)
	}
}

// TestChangedFilesAreDamaged turns every bit of a file.
func TestChangedFilesAreDamaged(t *testing.T) {
	file := small(t)
	for bit := range 8 * len(file) {
		file[bit/8] ^= 1 << (bit % 8)
		if _, _, err := read(t.Context(), file); !errors.Is(err, store.ErrDamaged) {
			t.Fatalf("bit %d of byte %d: %v", bit%8, bit/8, err)
		}
		file[bit/8] ^= 1 << (bit % 8)
	}
}

// TestForgedFilesAreNoDanger changes bytes and makes the sums right again. What is
// read then must be the snapshot of some graph, or damaged.
func TestForgedFilesAreNoDanger(t *testing.T) {
	file := small(t)
	refused := 0
	for i := range file {
		for _, b := range []byte{0, 1, 0x7F, 0xFF, file[i] + 1, file[i] - 1} {
			forged := slices.Clone(file)
			forged[i] = b
			if tryFile(t, store.Resum(forged)) {
				refused++
			}
		}
	}
	if least := 3 * len(file); refused < least {
		t.Errorf("%d of %d forged files were refused, want at least %d", refused, 6*len(file), least)
	}
}

func TestFilesOfOtherFormatsSaySo(t *testing.T) {
	file := small(t)
	file[len("ontogate")]++
	if _, _, err := read(t.Context(), store.Resum(file)); !errors.Is(err, store.ErrOtherFormat) {
		t.Errorf("another format: %v", err)
	}
}

// TestSizesAreCheckedBeforeMemoryIsTaken holds that a small file can't ask for much.
func TestSizesAreCheckedBeforeMemoryIsTaken(t *testing.T) {
	file := small(t)
	for _, at := range store.Edges(file) {
		for i := 4; i < 16 && at+i < len(file); i++ {
			forged := slices.Clone(file)
			forged[at+i] = 0xFF
			tryFile(t, store.Resum(forged)) // an allocation of that size would end the test
		}
	}
}

func TestWritingAndReadingEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s, n := everyKind()
	if err := store.WriteFile(ctx, &bytes.Buffer{}, s.Saved().Parts()); !errors.Is(err, context.Canceled) {
		t.Errorf("writing: %v", err)
	}
	if _, _, err := read(ctx, written(t, s, n)); !errors.Is(err, context.Canceled) {
		t.Errorf("reading: %v", err)
	}
}

// full is a disk that takes some bytes.
type full struct{ left int }

var errFull = errors.New("no space left")

func (f *full) Write(b []byte) (int, error) {
	n := min(len(b), f.left)
	if f.left -= n; n < len(b) {
		return n, errFull
	}
	return n, nil
}

func TestWritersThatFailAreReported(t *testing.T) {
	s, _ := everyKind()
	for n := range 300 {
		if err := store.WriteFile(t.Context(), &full{n}, s.Saved().Parts()); !errors.Is(err, errFull) {
			t.Fatalf("with room for %d bytes: %v", n, err)
		}
	}
}

func FuzzFile(f *testing.F) {
	f.Add(small(f))
	f.Add([]byte("ontogate"))
	f.Fuzz(func(t *testing.T, file []byte) {
		tryFile(t, file)
		tryFile(t, store.Resum(file))
	})
}

func small(t testing.TB) []byte {
	t.Helper()
	s, n := everyKind()
	return written(t, s, n)
}

// tryFile reads a file and, if it can be read, asks all that can be asked of it.
func tryFile(t *testing.T, file []byte) (refused bool) {
	t.Helper()
	s, n, err := read(t.Context(), file)
	if err != nil {
		if !errors.Is(err, store.ErrDamaged) && !errors.Is(err, store.ErrOtherFormat) {
			t.Fatalf("another error: %v", err)
		}
		return true
	}
	rows := 0
	for row := range s.Match(rdf.Term{}, rdf.Term{}, rdf.Term{}) {
		for _, pattern := range [][3]rdf.Term{
			{row.Subject, row.Predicate, row.Object}, {row.Subject}, {1: row.Predicate}, {2: row.Object},
			{row.Subject, row.Predicate}, {row.Subject, {}, row.Object}, {1: row.Predicate, 2: row.Object},
		} {
			if s.Count(pattern[0], pattern[1], pattern[2]) == 0 {
				t.Fatalf("%v has no row of %v", pattern, row)
			}
		}
		rows++
	}
	if rows != s.Len() {
		t.Fatalf("%d of %d rows", rows, s.Len())
	}
	r := s.Reader()
	for _, text := range []string{"haus", "hau", "grün", "verte maison", "erte", "huas", "a"} {
		for _, o := range []store.Owners{n.Exact(r, text), n.Prefix(r, text), n.Words(r, text), n.Within(r, text), {IDs: n.Near(r, text, 5)}} {
			for _, id := range o.IDs {
				s.Term(id)
			}
		}
	}
	return false
}
