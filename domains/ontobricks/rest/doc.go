// Package rest is the HTTP client in front of an OntoBricks deployment. It knows HTTP
// and nothing of domains: which paths there are, and what the answers mean, is known to
// package ontobricks.
//
// A call goes through five stages, each in a file of its own:
//
//	call.go     JSON and Reply: one call, its repeats, its circuit
//	circuit.go  is the service failing at all? then nothing is sent
//	retry.go    may this be sent again, and when
//	send.go     one request: headers, redirects, its time-out
//	body.go     reading the answer, bounded in bytes and in time
//
// and what goes wrong becomes a sentence in failure.go (no usable answer) or refusal.go
// (an answer that says no), with the text of the service itself cleaned in own.go.
//
// Three rules hold everywhere. What may have been executed and has an effect is never
// sent again. What belongs to one user (identity headers, cookies) is part of one
// request and of nothing that outlives it. What a person or model reads holds no
// address, host, token or query; what a log reads holds no token, query or body.
package rest
