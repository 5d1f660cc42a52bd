package api

import (
	"encoding/json"
	"fmt"
)

// Unfit is a refusal for the form of a request. Its body has the shape that the framework
// of OntoBricks gives it (OntoBricks contract 1.0), not that of other errors.
type Unfit struct {
	Status int // 404, 405 or 422
	Body   any
	// Allow is the method that the address takes, for 405.
	Allow string
}

// Error is the body as text.
func (u *Unfit) Error() string {
	text, err := json.Marshal(u.Body)
	if err != nil {
		return fmt.Sprint("status ", u.Status)
	}
	return string(text)
}

// Detail is the body of an Unfit.
type Detail struct {
	Detail any `json:"detail"`
}

// Fault is one of the Details of a 422: what is wrong with which part of the request.
type Fault struct {
	Type string `json:"type"`
	// Loc is "query" or "body", and then the name of the parameter.
	Loc   []string `json:"loc"`
	Msg   string   `json:"msg"`
	Input any      `json:"input"`
}

func detail(what any) Detail { return Detail{what} }

// NotFound is the refusal of an address that there is not.
func NotFound() *Unfit { return &Unfit{Status: 404, Body: detail("Not Found")} }

// NotAllowed is the refusal of a method at an address that takes another.
func NotAllowed(takes string) *Unfit {
	return &Unfit{Status: 405, Body: detail("Method Not Allowed"), Allow: takes}
}

// unprocessable refuses a request for its parameters.
func unprocessable(faults []Fault) error {
	if len(faults) == 0 {
		return nil
	}
	return &Unfit{Status: 422, Body: detail(faults)}
}
