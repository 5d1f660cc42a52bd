package graphql

import (
	"encoding/json"
	"strconv"
)

// internalError is the message of errors that are our fault: the cause is for the log.
const internalError = "internal error"

// Response is the answer to a request (GraphQL specification, section 7).
type Response struct {
	// Executed is set where the request was let through. Otherwise it was refused, nothing
	// was read and there is no data.
	Executed bool
	// Data is a JSON object or null; nil where the request was refused.
	Data json.RawMessage
	// Errors are what went wrong.
	Errors []Error
	// Causes are what is behind errors whose Message is "internal error", for the log. They
	// may hold anything and are never shown.
	Causes []error

	// framed is Data behind frame, with room behind it, so that a large answer need not be
	// copied to be sent.
	framed []byte
}

// frame is what stands before the data.
const frame = `{"data":`

// respond is a response with data, which stands in framed behind frame.
func respond(framed []byte) *Response {
	return &Response{Executed: true, Data: framed[len(frame):len(framed):len(framed)], framed: framed}
}

// Error is an error in a response.
type Error struct {
	Message string
	// Locations are places in the document.
	Locations []Location
	// Path says where in the data it happened: names (string) and indexes (int); nil for a
	// request that was refused.
	Path []any
}

// Location is a place in a document, counted from 1.
type Location struct{ Line, Column int }

// JSON is the response as the specification has it: data when the request was executed,
// errors when there are any. It is always valid JSON and UTF-8. It may share memory with
// Data; calls must not run at the same time.
func (r *Response) JSON() []byte {
	b := r.framed
	if len(b) != len(frame)+len(r.Data) || len(r.Data) == 0 || &b[len(frame)] != &r.Data[0] {
		b = make([]byte, 0, len(r.Data)+64+160*len(r.Errors))
		if r.Executed {
			b = append(append(b, frame...), r.Data...)
			if len(r.Data) == 0 {
				b = append(b, "null"...)
			}
		} else {
			b = append(b, '{')
		}
	}
	if r.Executed && len(r.Errors) > 0 {
		b = append(b, ',')
	}
	if len(r.Errors) > 0 {
		b = append(b, `"errors":[`...)
		for i := range r.Errors {
			if i > 0 {
				b = append(b, ',')
			}
			b = r.Errors[i].append(b)
		}
		b = append(b, ']')
	}
	return append(b, '}')
}

func (e *Error) append(b []byte) []byte {
	b = appendString(append(b, `{"message":`...), e.Message)
	for i, l := range e.Locations {
		if i == 0 {
			b = append(b, `,"locations":[`...)
		} else {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(b, `{"line":`...), int64(l.Line), 10)
		b = strconv.AppendInt(append(b, `,"column":`...), int64(l.Column), 10)
		b = append(b, '}')
	}
	if len(e.Locations) > 0 {
		b = append(b, ']')
	}
	for i, p := range e.Path {
		if i == 0 {
			b = append(b, `,"path":[`...)
		} else {
			b = append(b, ',')
		}
		switch p := p.(type) {
		case int:
			b = strconv.AppendInt(b, int64(p), 10)
		case string:
			b = appendString(b, p)
		}
	}
	if len(e.Path) > 0 {
		b = append(b, ']')
	}
	return append(b, '}')
}
