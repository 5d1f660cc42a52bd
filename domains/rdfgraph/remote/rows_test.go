package remote

import (
	"encoding/json"
	"testing"
)

// FuzzRows holds that whatever an endpoint answers is rows that are JSON objects, or an
// error.
func FuzzRows(f *testing.F) {
	for _, seed := range []string{``, `null`, `[1,{"a":2}]`, `{"rows":[]}`, `{"rows":[{"a":1}],"rows":2}`, "\xEF\xBB\xBF7", `"x"`, `[[[[`, `{"a":1} {}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		rows, err := readRows(body)
		if err != nil {
			return
		}
		for _, r := range rows {
			var object map[string]json.RawMessage
			if json.Unmarshal(r, &object) != nil || object == nil {
				t.Errorf("%q gives the row %q", body, r)
			}
		}
		_ = wordsOf(body)
	})
}
