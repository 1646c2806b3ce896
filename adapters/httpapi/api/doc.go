// Package api has the types of the HTTP API, generated from openapi.yaml: bodies, queries
// and responses. The handlers of httpapi and its client use them.
//
// Amounts are base units of their token, times are Unix milliseconds, and a nil pointer is
// null. An optional member of a request is omitted if it is zero.
package api

//go:generate go run -C ../../../test/tools ./apigen ../../adapters/httpapi
