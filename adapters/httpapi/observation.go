package httpapi

import (
	"context"
	"time"
)

// RequestID returns the id of the request that the context belongs to, or "".
func RequestID(ctx context.Context) string { return observationOf(ctx).requestID }

// observation is what the access log and metrics show of a request. Only the goroutine
// that serves the request touches it.
type observation struct {
	requestID string
	client    clientAddress
	route     string
	wallet    string
	code      string
	// answered is when a stream began, whose length says nothing of the service; zero of
	// requests that are answered whole.
	answered time.Time
}

type observationKey struct{}

// observationOf returns the request's observation, which observe has put there.
func observationOf(ctx context.Context) *observation {
	seen, ok := ctx.Value(observationKey{}).(*observation)
	if !ok {
		return &observation{}
	}
	return seen
}
