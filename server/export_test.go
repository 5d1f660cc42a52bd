package server

import "encoding/json"

// CheckTool runs the self-check of the start over get_status under another name,
// for tests outside of the package.
func CheckTool(name string) error {
	t := getStatus()
	t.Name = name
	return checkTools([]*tool{t})
}

// CheckSchema runs the part of the self-check that reads schemas.
func CheckSchema(schema string) error { return checkSchema(json.RawMessage(schema)) }

// MaxCalls are how many calls run at once, in a session and in all.
const (
	MaxCallsPerSession = callsPerSession
	MaxCallsPerProcess = callsPerProcess
)
