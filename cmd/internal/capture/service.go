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

// service is a client whose last answer is kept as it came. One goroutine uses it.
type service struct {
	client *client.Client
	kept   *keeper
	wait   func(context.Context, time.Duration)
}

// callTime is how long a request may take.
const callTime = 30 * time.Second

// newTransport keeps a connection for each player.
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

// RoundTrip serves http.RoundTripper.
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

// lastAnswer is the last answer on one line, otherwise as it was.
func (s *service) lastAnswer() jsontext.Value {
	body := jsontext.Value(bytes.Clone(s.kept.body))
	_ = body.Compact() // what the client has read is JSON
	return body
}

// triesMax is how often a request is sent that got no answer, and waitMax how long is
// waited each time at most.
const (
	triesMax = 8
	waitMax  = 30 * time.Second
)

// sendRetried sends a request, and again while the service is too busy for it or no answer comes.
// Writes carry a key, so that a second one changes nothing. The end of the context keeps
// it from waiting for room, but cuts off no request: whether that had settled a round
// would be unknown.
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
			try-- // there will be room again
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
