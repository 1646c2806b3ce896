package httpapi

import "context"

// RequestID returns the id of the request that the context belongs to, or "".
func RequestID(ctx context.Context) string { return sightOf(ctx).requestID }

// sight is what is seen of a request from outside: the access log's line. Only
// the goroutine that serves the request touches it.
type sight struct {
	requestID string
	client    clientAddress
	route     string
	wallet    string
	code      string
}

type sightKey struct{}

// sightOf returns the request's sight; observe has put it there.
func sightOf(ctx context.Context) *sight {
	seen, ok := ctx.Value(sightKey{}).(*sight)
	if !ok {
		return &sight{}
	}
	return seen
}
