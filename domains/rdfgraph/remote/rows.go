package remote

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// readRows reads an answer. A list, or an object with rows alone, has a row for each item;
// any other object is one row, and a value alone is the row {"result": value}; null and
// nothing are no row.
func readRows(body []byte) ([]json.RawMessage, error) {
	body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xEF\xBB\xBF")))
	if len(body) == 0 {
		return nil, nil
	}
	if !utf8.Valid(body) {
		return nil, errors.New("it is not UTF-8")
	}
	if !json.Valid(body) {
		return nil, errors.New("it is no JSON")
	}
	items, isList, err := itemsOf(body)
	if err != nil {
		return nil, err
	}
	if !isList {
		items = []json.RawMessage{body}
		if string(body) == "null" {
			return nil, nil
		}
	}
	rows := make([]json.RawMessage, 0, len(items))
	for _, item := range items {
		rows = append(rows, row(item))
	}
	return rows, nil
}

// itemsOf are the items of a list, or of the list that is the only member of an object.
func itemsOf(body []byte) (items []json.RawMessage, isList bool, err error) {
	switch body[0] {
	case '[':
		return items, true, json.Unmarshal(body, &items)
	case '{':
		var members map[string]json.RawMessage
		if err := json.Unmarshal(body, &members); err != nil {
			return nil, false, err
		}
		list, ok := members["rows"]
		if !ok || len(members) != 1 || list[0] != '[' {
			return nil, false, nil
		}
		return items, true, json.Unmarshal(list, &items)
	}
	return nil, false, nil
}

// row is an item as an object. It holds no white space around it.
func row(item json.RawMessage) json.RawMessage {
	item = bytes.TrimSpace(item)
	if item[0] == '{' {
		return bytes.Clone(item)
	}
	return bytes.Join([][]byte{[]byte(`{"result":`), item, []byte(`}`)}, nil)
}

// wordsOf are the words in an answer that is a failure: the text of message, error or
// detail of an object, as one line that is not too long.
func wordsOf(body []byte) string {
	var said struct{ Message, Error, Detail any }
	if json.Unmarshal(body, &said) != nil {
		return ""
	}
	for _, v := range []any{said.Message, said.Error, said.Detail} {
		text, ok := v.(string)
		if !ok {
			continue
		}
		text = strings.TrimRight(strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " "), ".")
		if r := []rune(text); len(r) > mostSaid {
			text = string(r[:mostSaid]) + "…"
		}
		if text != "" {
			return text
		}
	}
	return ""
}
