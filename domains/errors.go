package domains

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Kinds of errors that callers tell apart with errors.Is.
var (
	// ErrUnknownDomain: no domain has that name.
	ErrUnknownDomain = errors.New("unknown domain")
	// ErrUnavailable: the domain exists and cannot be served.
	ErrUnavailable = errors.New("domain unavailable")
	// ErrInvalid: the caller asked for something that cannot be; Message says what
	// can.
	ErrInvalid = errors.New("invalid request")
	// ErrRefused: policy or a missing ability forbids it.
	ErrRefused = errors.New("refused")
	// ErrUpstream: what the domain comes from did not answer, or with an error;
	// Message says which.
	ErrUpstream = errors.New("upstream error")
	// ErrLimit: a limit or deadline was reached.
	ErrLimit = errors.New("limit reached")
)

// Error is an error with what a caller needs to act on it.
type Error struct {
	// Kind is one of the sentinels of this package.
	Kind error
	// Op is what was being done, as a gerund: "opening domain".
	Op     string
	Domain Name
	// Message is the text for the caller: a sentence that says what is wrong
	// and what to do next.
	Message string
	// RetryAfter is when to try again, where that is known; 0 means that it is not.
	RetryAfter time.Duration
	// Err is the cause, for the log; may be nil.
	Err error
}

// Error joins what is known, for logs; callers are shown Message. What the cause says
// already is not said again.
func (e *Error) Error() string {
	var parts []string
	cause := ""
	if e.Err != nil {
		cause = e.Err.Error()
	}
	if e.Op != "" {
		parts = append(parts, e.Op)
	}
	if e.Domain != "" {
		parts = append(parts, "domain "+string(e.Domain))
	}
	switch {
	case e.Message != "" && strings.Contains(cause, e.Message):
	case e.Message != "":
		parts = append(parts, e.Message)
	case e.Kind != nil:
		parts = append(parts, e.Kind.Error())
	}
	if cause != "" {
		parts = append(parts, cause)
	}
	return strings.Join(parts, ": ")
}

// Unwrap gives errors.Is and errors.As the kind and the cause.
func (e *Error) Unwrap() []error {
	var out []error
	if e.Kind != nil {
		out = append(out, e.Kind)
	}
	if e.Err != nil {
		out = append(out, e.Err)
	}
	return out
}

// Invalid returns an ErrInvalid with a message for the caller.
func Invalid(message string) *Error { return &Error{Kind: ErrInvalid, Message: message} }

// NoDomain is the ErrUnknownDomain for a name that is not among infos, with the nearest
// names. said is the sentence to begin with; empty says that there is none.
func NoDomain(op string, name Name, said string, infos []Info) *Error {
	if said == "" {
		said = fmt.Sprintf("There is no domain named %q.", name)
	}
	names := make([]string, 0, len(infos))
	for _, i := range infos {
		names = append(names, string(i.Name))
	}
	if near := Nearest(string(name), names, 3); len(near) > 0 {
		said += fmt.Sprintf(" Did you mean %s?", strings.Join(near, ", "))
	}
	return &Error{Kind: ErrUnknownDomain, Op: op, Domain: name, Message: said}
}
