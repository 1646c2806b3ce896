package capture

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/adapters/httpapi/client"
)

// service is a client that keeps its last answer as received. It is for one goroutine.
type service struct {
	client *client.Client
	kept   *keeper
	wait   func(context.Context, time.Duration)
}

// callTime is the maximum time of a request.
const callTime = 30 * time.Second

// newTransport returns a transport that keeps a connection for each player.
func newTransport(players int) http.RoundTripper {
	return &http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: players + 1, TLSHandshakeTimeout: callTime}
}

func newService(baseURL, token string, through http.RoundTripper, wait func(context.Context, time.Duration)) *service {
	kept := &keeper{next: through}
	made := client.New(baseURL, &http.Client{Transport: kept, Timeout: callTime})
	if token != "" {
		made = made.WithToken(token)
	}
	return &service{client: made, kept: kept, wait: wait}
}

// keeper keeps the body of the last answer.
type keeper struct {
	next http.RoundTripper
	body []byte
}

// RoundTrip implements http.RoundTripper.
func (k *keeper) RoundTrip(r *http.Request) (*http.Response, error) {
	k.body = nil
	if r.Method == http.MethodPost {
		r = r.Clone(r.Context())
		r.Header.Set("Prefer", "receipt")
	}
	got, err := k.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(got.Body, lineMax))
	if err := errors.Join(err, got.Body.Close()); err != nil {
		return nil, err
	}
	k.body, got.Body = body, io.NopCloser(bytes.NewReader(body))
	return got, nil
}

// lastAnswer returns the last answer on one line, otherwise unchanged.
func (s *service) lastAnswer() jsontext.Value {
	body := jsontext.Value(bytes.Clone(s.kept.body))
	_ = body.Compact() // the client has read it, so it is JSON
	return body
}

// triesMax is how often a request without an answer is sent, waitMax the maximum pause
// between two tries.
const (
	triesMax = 8
	waitMax  = 30 * time.Second
)

// sendRetried sends a request, and repeats it while the service is too busy or doesn't
// answer. Writes have a key, so that a repeat changes nothing. When the context ends, it
// stops waiting for room but doesn't cancel a request, because it would then be unknown
// whether a round was settled.
func (s *service) sendRetried(ctx context.Context, send func(context.Context, *client.Client) error) error {
	pause := 50 * time.Millisecond
	for try := 1; ; try++ {
		err := send(context.WithoutCancel(ctx), s.client)
		var refused *client.Error
		wait := pause
		switch {
		case err == nil || try == triesMax:
			return err
		case !errors.As(err, &refused): // no answer
		case refused.Status == http.StatusTooManyRequests && ctx.Err() == nil:
			try-- // don't count it: there will be room again
			wait = max(wait, refused.RetryAfter)
		case refused.Status < http.StatusInternalServerError || ctx.Err() != nil:
			return err
		default:
			wait = max(wait, refused.RetryAfter)
		}
		s.wait(ctx, min(wait, waitMax))
		pause = min(2*pause, waitMax)
	}
}
