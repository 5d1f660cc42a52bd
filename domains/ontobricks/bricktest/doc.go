// Package bricktest is an OntoBricks deployment for tests: it answers over HTTP, in
// the process of the test, what sections 1 and 2.1 of the OntoBricks contract say,
// from domains that the test gives it.
//
//	d := bricktest.New(t)
//	d.Add(bricktest.Customer360())
//	client := … d.URL …
//	d.Fault(bricktest.Path("/digitaltwin/stats"), bricktest.Fault{Status: 502, Times: 1})
//	… d.Requests() …
//
// It is written from the contract and shares no rule with the client it tests, so
// that a mistake in one is not made by both.
package bricktest
