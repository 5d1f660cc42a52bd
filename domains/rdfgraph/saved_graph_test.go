package rdfgraph_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// TestGraphsFromFilesAnswerAlike runs the tests of what graphs answer with graphs that
// were written to a file and read again. Files that are equal are of equal graphs.
func TestGraphsFromFilesAnswerAlike(t *testing.T) {
	if *update {
		t.Skip("the archives are written without files")
	}
	rdfgraph.ThroughFiles = true
	defer func() { rdfgraph.ThroughFiles = false }()
	t.Run("archives", TestGraphArchives)
	t.Run("columns", TestColumnArchives)
	t.Run("walks", TestAnyGraphCanBeWalked)
	t.Run("triples", TestColumnsMeanWhatTriplesSay)
}

// tangledFile is the file of a small graph with everything in it that a file has a part for.
func tangledFile(seed uint64) []byte {
	rng := rand.New(rand.NewPCG(seed, 3))
	b := store.NewBuilder()
	for range 5 + rng.IntN(40) {
		b.Add(tangled(rng))
	}
	return rdfgraph.SaveFacts(rdfgraph.NewFacts(b.Build(), nil, nil))
}

// TestForgedGraphsAreNoDanger changes single bytes of files and makes their sums right
// again. What is then read as a graph can be asked anything.
func TestForgedGraphsAreNoDanger(t *testing.T) {
	refused, tried := 0, 0
	for seed := range uint64(domaintest.Rounds(40)) {
		file := tangledFile(seed)
		rng := rand.New(rand.NewPCG(seed, 4))
		for range 150 {
			forged := slices.Clone(file)
			forged[rng.IntN(len(file))] = []byte{0, 1, 2, 0xFF, byte(rng.IntN(256))}[rng.IntN(5)]
			tried++
			if askForged(t, resum(forged)) {
				refused++
			}
		}
	}
	if refused < tried/4 || refused == tried {
		t.Errorf("%d of %d forged files were refused", refused, tried)
	}
}

// TestFormatIsRaised holds that files of one format hold the same for the same graphs. When
// this fails because something else is worked out or kept now, raise store.FileFormat, so
// that older files are not read, and put the new format and sum here.
func TestFormatIsRaised(t *testing.T) {
	const format, want = 2, "22a774f1f8cce60f"
	sum := sha256.New()
	for seed := range uint64(20) {
		sum.Write(tangledFile(seed))
	}
	sum.Write(rdfgraph.SaveFacts(rdfgraph.NewFacts(generated(2_000), nil, nil)))
	if got := hex.EncodeToString(sum.Sum(nil)[:8]); got != want || store.FileFormat != format {
		t.Errorf("format %d, sum %s; want format %d, sum %s", store.FileFormat, got, format, want)
	}
}

func FuzzSavedGraph(f *testing.F) {
	for seed := range uint64(5) {
		f.Add(tangledFile(seed))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		askForged(t, file)
		askForged(t, resum(file))
	})
}

// askForged asks the graph of a file all kinds of questions, if it is one.
func askForged(t *testing.T, file []byte) (refused bool) {
	t.Helper()
	facts, columns, err := rdfgraph.RestoreFacts(file)
	if err != nil {
		if !errors.Is(err, store.ErrDamaged) && !errors.Is(err, store.ErrOtherFormat) {
			t.Fatalf("another error: %v", err)
		}
		return true
	}
	ctx := t.Context()
	stats, err := facts.Stats(ctx)
	if err != nil {
		t.Fatal(err)
	}
	from := []string{"http://x.org/1", "http://x.org/C1/1", "http://x.org/2", "http://base.org/.well-known/genid/b1"}
	for _, text := range []string{"label", "lab", "1", "labl", "abe"} {
		m, err := facts.Find(ctx, domains.Query{Text: text, Limit: 5})
		if err == nil {
			for _, h := range m.Hits {
				from = append(from, h.IRI)
			}
		}
	}
	for _, c := range stats.Types {
		for _, offset := range []int{0, 3} {
			if m, err := facts.Find(ctx, domains.Query{Types: []string{c.IRI}, Offset: offset, Limit: 5}); err == nil {
				for _, h := range m.Hits {
					from = append(from, h.IRI)
				}
			}
		}
		_, _ = columns.Select(ctx, domains.Selection{Classes: []string{c.IRI}, Limit: 5})
	}
	n := 0
	for range facts.Walk(ctx, from, domains.WalkOptions{Depth: 3, Fanout: 5}) {
		if n++; n > 1_000 {
			t.Fatal("a walk does not end")
		}
	}
	return false
}

// resum makes the sums of a file right where its parts lie as their heads say.
func resum(file []byte) []byte {
	file = slices.Clone(file)
	sum := func(from, end int) int {
		binary.LittleEndian.PutUint32(file[end:], crc32.Checksum(file[from:end], crc32.MakeTable(crc32.Castagnoli)))
		return end + 4
	}
	if len(file) < 16 {
		return file
	}
	for at := sum(0, 12); at+20 <= len(file); {
		size := uint64(binary.LittleEndian.Uint32(file[at+4:]))
		items := binary.LittleEndian.Uint64(file[at+8:])
		if size == 0 || items > uint64(len(file)-at-20)/size {
			break
		}
		at = sum(at, at+16+int(size*items))
	}
	return file
}
