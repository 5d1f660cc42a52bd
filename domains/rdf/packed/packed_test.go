package packed_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/packed"
)

// pack compresses a text.
func pack(t *testing.T, text string, c rdf.Compression) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := packed.NewWriter(&b, c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// unpack is the text of what r gives.
func unpack(r io.Reader, c rdf.Compression) (string, error) {
	text, err := packed.NewReader(r, c)
	if err != nil {
		return "", err
	}
	defer text.Close()
	b, err := io.ReadAll(text)
	return string(b), err
}

var compressions = []rdf.Compression{0, rdf.Gzip, rdf.Zstd}

func TestWhatWasPackedIsUnpacked(t *testing.T) {
	for _, c := range compressions {
		for _, text := range []string{"", "a", strings.Repeat("a line\n", 100_000)} {
			one := pack(t, text, c)
			if !bytes.Equal(one, pack(t, text, c)) {
				t.Errorf("compression %d: packed again it is something else", c)
			}
			if got, err := unpack(bytes.NewReader(one), c); err != nil || got != text {
				t.Errorf("compression %d: %d bytes and %v, expected %d bytes", c, len(got), err, len(text))
			}
		}
	}
}

func TestDamageIsNamed(t *testing.T) {
	for _, c := range compressions[1:] {
		whole := pack(t, strings.Repeat("a line\n", 1000), c)
		for name, data := range map[string][]byte{"cut short": whole[:len(whole)/2], "is damaged, or is no": []byte("<e:s> <e:p> <e:o> .\n")} {
			_, err := unpack(bytes.NewReader(data), c)
			var damage *packed.Error
			if !errors.As(err, &damage) || damage.Compression != c || !strings.Contains(err.Error(), name) {
				t.Errorf("compression %d: %v, expected %q", c, err, name)
			}
		}
	}
}

// What reading the file fails with is not taken for damage.
func TestErrorsOfTheFileStay(t *testing.T) {
	broken := errors.New("the disk is broken")
	for _, c := range compressions {
		whole := pack(t, strings.Repeat("a line\n", 1000), c)
		r := io.MultiReader(bytes.NewReader(whole[:len(whole)/2]), iotest.ErrReader(broken))
		if _, err := unpack(r, c); !errors.Is(err, broken) {
			t.Errorf("compression %d: %v, expected %v", c, err, broken)
		}
	}
}

func TestUnknownCompression(t *testing.T) {
	if _, err := packed.NewReader(strings.NewReader(""), 99); err == nil {
		t.Error("an unknown compression was unpacked")
	}
	if _, err := packed.NewWriter(io.Discard, 99); err == nil {
		t.Error("an unknown compression was packed")
	}
}
