package rest

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/ontogate/ontogate/domains"
)

// Failure is what went wrong, found with errors.As in every error of JSON and Reply.
type Failure struct {
	// Status is that of the answer; 0 means that there was none.
	Status int
	// Code is the "error" member of the answer, such as "not_found"; CodeOpen where
	// nothing was sent. Message is the answer's own text, cleaned, in one line.
	Code, Message string
	// Err is the cause where there was no answer, or one that cannot be used.
	Err error
}

// CodeOpen is the Code of a call that was not sent because the circuit is open.
const CodeOpen = "circuit_open"

// Error is for logs: status, code and cause, no text of the service.
func (f *Failure) Error() string {
	text := "no answer"
	if f.Status != 0 {
		text = fmt.Sprintf("status %d", f.Status)
	}
	if f.Code != "" {
		text += " " + f.Code
	}
	if f.Err != nil {
		text += ": " + f.Err.Error()
	}
	return text
}

// Unwrap gives the cause.
func (f *Failure) Unwrap() error { return f.Err }

const (
	again        = "Try again."
	askLess      = "Ask for less, or try again."
	mayHaveRun   = "It may have been carried out all the same: check before you ask for it again."
	checkAddress = "Check that it runs and that --upstream (ONTOBRICKS_URL) has the right host and port."
	checkURL     = "Check that --upstream (ONTOBRICKS_URL) is the address of OntoBricks"
)

// next is the next step after an exchange whose end is not known: for what writes, it
// is not to repeat it.
func (r Request) next(step string) string {
	if r.Writes {
		return mayHaveRun
	}
	return step
}

// trouble is the error of a call without an answer that can be used; status is that of
// an answer that began.
func (c *Client) trouble(ctx context.Context, r Request, status int, err error) error {
	f := &Failure{Status: status, Err: cause(err)}
	kind, message, after := domains.ErrUpstream, "", time.Duration(0)
	var (
		open    *openError
		noToken *tokenError
		bad     *decodeError
	)
	switch {
	case ctx.Err() != nil:
		f.Err = ctx.Err()
		kind, message = domains.ErrLimit, "The call was cancelled before OntoBricks answered. "+r.next(again)
		if errors.Is(f.Err, context.DeadlineExceeded) {
			message = "The time for this call ended before OntoBricks answered. " + r.next(askLess)
		}
	case errors.As(err, &open):
		f.Code, message, after = CodeOpen, open.sentence(), cmp.Or(open.wait, trialWait)
	case errors.As(err, &noToken):
		message, kind = tokenSentence(noToken)
	case errors.Is(err, errPlain):
		message = "The user's access token is not sent over plain http, where it could be read on the way: set --upstream (ONTOBRICKS_URL) to an https address."
	case errors.Is(err, errRequest):
		message = "This request cannot be sent to OntoBricks: it has characters that an address or a header cannot have. Check the names in it."
	case errors.Is(err, errTooLarge):
		message = "The answer of OntoBricks is larger than " + bytesOf(c.config.MostBytes) + ". " + r.next("Ask for less, where the call has an argument for that.")
	case isTimeout(err) && !errors.Is(err, errTimeout) && isDial(err):
		message = "OntoBricks cannot be reached: no connection came about in time. " + checkAddress
	case isTimeout(err):
		kind, message = domains.ErrLimit, "OntoBricks did not answer within "+seconds(c.config.Timeout)+". "+r.next(askLess)
	case errors.As(err, &bad):
		message = badSentence(r, bad)
	default:
		message = brokenSentence(r, status, err)
	}
	return &domains.Error{Kind: kind, Op: r.Doing, Domain: r.Domain, Message: message, RetryAfter: after, Err: f}
}

func (e *openError) sentence() string {
	text := fmt.Sprintf("OntoBricks failed %d times in a row and is left alone for a while: nothing was sent. ", failuresToOpen)
	if e.wait == 0 {
		return text + "One trial request is on its way now: try again in a few seconds."
	}
	return text + "Try again in " + seconds(e.wait) + ", when the next trial is."
}

func tokenSentence(e *tokenError) (message string, kind error) {
	if known, ok := errors.AsType[*domains.Error](e); ok && known.Message != "" {
		if known.Kind == nil {
			return known.Message, domains.ErrUpstream
		}
		return known.Message, known.Kind
	}
	return "There is no access token for OntoBricks. Check the credentials that this server was started with (DATABRICKS_HOST, DATABRICKS_CLIENT_ID and DATABRICKS_CLIENT_SECRET, or --profile (DATABRICKS_CONFIG_PROFILE)).", domains.ErrUpstream
}

func badSentence(r Request, e *decodeError) string {
	var (
		syntax *json.SyntaxError
		typed  *json.UnmarshalTypeError
	)
	const version = "Check that its version is one that this server knows."
	switch {
	case errors.Is(e, errEmpty):
		return "OntoBricks answered with nothing where JSON was expected. " + r.next(checkURL+" and that its version is one that this server knows.")
	case errors.Is(e, errNotUTF8):
		return "The answer of OntoBricks has bytes that are not UTF-8, so that names in it cannot be trusted. " + r.next("Look for broken text in the labels and values that were asked for.")
	case errors.As(e, &typed):
		where := "its outermost value"
		if typed.Field != "" {
			where = "'" + typed.Field + "'"
		}
		kind, _, _ := strings.Cut(typed.Value, " ") // a number has its digits behind
		return fmt.Sprintf("The answer of OntoBricks has a form that is not known: %s is of type %s. ", where, kind) + r.next(version)
	case errors.As(e, &syntax) && syntax.Error() == "unexpected end of JSON input":
		return "The answer of OntoBricks ends in the middle. " + r.next(askLess)
	}
	return "The answer of OntoBricks is not valid JSON. " + r.next(checkURL+" and not of something else.")
}

func brokenSentence(r Request, status int, err error) string {
	var (
		dns         *net.DNSError
		certificate *tls.CertificateVerificationError
		record      tls.RecordHeaderError
	)
	switch {
	case status != 0:
		return "The answer of OntoBricks broke off in the middle. " + r.next(askLess)
	case errors.As(err, &dns):
		return "The host of OntoBricks is not known in this network. " + checkURL + "."
	case isDial(err):
		return "OntoBricks cannot be reached: nothing accepts connections at its address. " + checkAddress
	case errors.As(err, &certificate), isCertificate(err):
		return "The certificate of OntoBricks is not trusted by this machine. " + checkURL + ", and that its certificate authority is installed here."
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return "OntoBricks does not speak https at this address. Check that --upstream (ONTOBRICKS_URL) has the right scheme and port."
	}
	if isBroken(err) {
		return "The connection to OntoBricks broke before it answered. " + r.next(again)
	}
	return "OntoBricks gave no answer that can be read. " + r.next("Try again; if that does not help, check that --upstream (ONTOBRICKS_URL) is the address of OntoBricks.")
}

// bytesOf is a size in words.
func bytesOf(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}

// isTimeout reports whether time ran out for one request, or for its connection.
func isTimeout(err error) bool {
	var n net.Error
	return errors.Is(err, errTimeout) || errors.As(err, &n) && n.Timeout()
}

// isDial reports whether no connection came about.
func isDial(err error) bool {
	var op *net.OpError
	return errors.Is(err, syscall.ECONNREFUSED) || errors.As(err, &op) && op.Op == "dial"
}

// isBroken reports whether a connection was refused or ended before an answer: a read
// may be sent again.
func isBroken(err error) bool {
	var (
		op  *net.OpError
		dns *net.DNSError
	)
	if isTimeout(err) || errors.As(err, &dns) {
		return false
	}
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.As(err, &op) && slices.Contains([]string{"dial", "read", "write"}, op.Op) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.EPIPE)
}

func isCertificate(err error) bool {
	var (
		unknown  x509.UnknownAuthorityError
		hostname x509.HostnameError
		invalid  x509.CertificateInvalidError
	)
	return errors.As(err, &unknown) || errors.As(err, &hostname) || errors.As(err, &invalid)
}

// cause is an error that a log may hold. The errors of net and net/http hold addresses with
// their queries, hosts, and pieces of what was received: only what went wrong stays.
func cause(err error) error {
	if t, ok := errors.AsType[*tokenError](err); ok {
		err = t.err
	}
	var (
		own  *domains.Error
		bad  *decodeError
		open *openError
		dns  *net.DNSError
		op   *net.OpError
	)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &bad):
		return bad.safe()
	case errors.As(err, &own):
		return own
	case errors.As(err, &open):
		return open
	case errors.As(err, &dns) && dns.IsNotFound:
		return errors.New("looking up the host: no such host")
	case errors.As(err, &dns):
		return errors.New("looking up the host: the name server does not answer")
	case errors.As(err, &op):
		return fmt.Errorf("%s: %w", op.Op, bare(op.Err))
	}
	return bare(err)
}

// plain are errors whose texts hold nothing foreign.
var plain = []error{
	errTimeout, errPlain, errRequest, errTooLarge, context.Canceled, context.DeadlineExceeded, os.ErrDeadlineExceeded,
	http.ErrSchemeMismatch, io.ErrUnexpectedEOF, io.EOF, net.ErrClosed,
}

// bare is what an error says that holds no address.
func bare(err error) error {
	if number, ok := errors.AsType[syscall.Errno](err); ok {
		return number
	}
	for _, known := range plain {
		if errors.Is(err, known) {
			return known
		}
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	return fmt.Errorf("an error of type %T", err)
}
