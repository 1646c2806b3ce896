package httpapi

import "context"

// RequestID returns the id of the request that the context belongs to, or "".
func RequestID(ctx context.Context) string { return observationOf(ctx).requestID }

// observation is what is seen of a request from outside: the access log's line. Only
// the goroutine that serves the request touches it.
type observation struct {
	requestID string
	client    clientAddress
	route     string
	wallet    string
	code      string
}

type observationKey struct{}

// observationOf returns the request's sight; observe has put it there.
func observationOf(ctx context.Context) *observation {
	seen, ok := ctx.Value(observationKey{}).(*observation)
	if !ok {
		return &observation{}
	}
	return seen
}
