// Package rest is the HTTP client in front of an OntoBricks deployment.
package rest
