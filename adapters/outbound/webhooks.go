package outbound

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/ports"
)

var _ ports.WebhookSite = (*Webhooks)(nil)

// Headers of a delivery beyond those of Standard Webhooks.
const (
	webhookContent = "application/cloudevents+json"
	webhookAgent   = "casino-webhooks/1"
)

// answerBytes is how much of an answer is read and discarded, so that its connection can be
// reused.
const answerBytes = 4 << 10

// retryAfterMost is the longest Retry-After that is accepted; longer ones count as this.
const retryAfterMost = 24 * time.Hour

// Webhooks sends messages to the endpoints of agents. It is safe for concurrent use.
type Webhooks struct {
	// A transport, not a client, so that redirects are returned like any other answer.
	transport http.RoundTripper
	timeout   time.Duration
	plain     bool
}

// NewWebhooks sends over https to public addresses alone.
func NewWebhooks() *Webhooks { return newWebhooks(NewClient(), false) }

// NewLocalWebhooks is NewWebhooks for development: it also sends to this machine, and over
// plain HTTP.
func NewLocalWebhooks() *Webhooks { return newWebhooks(NewLocalClient(), true) }

func newWebhooks(client *http.Client, plain bool) *Webhooks {
	return &Webhooks{transport: client.Transport, timeout: client.Timeout, plain: plain}
}

// Send serves ports.WebhookSite.
func (w *Webhooks) Send(ctx context.Context, m webhook.Message) (webhook.Response, error) {
	var answered atomic.Bool
	bounded, cancel := context.WithTimeout(ctx, w.timeout)
	defer cancel()
	traced := httptrace.WithClientTrace(bounded, &httptrace.ClientTrace{GotFirstResponseByte: func() { answered.Store(true) }})
	request, err := http.NewRequestWithContext(traced, http.MethodPost, m.URL, bytes.NewReader(m.Body))
	switch {
	case err != nil:
		return webhook.Response{Failure: webhook.Unreachable}, ctx.Err()
	case request.URL.Scheme != "https" && !w.plain:
		return webhook.Response{Failure: webhook.Guarded}, ctx.Err()
	}
	request.Header.Set("Content-Type", webhookContent)
	request.Header.Set("User-Agent", webhookAgent)
	request.Header.Set(webhook.HeaderID, m.ID)
	request.Header.Set(webhook.HeaderTimestamp, webhook.Timestamp(m.At))
	request.Header.Set(webhook.HeaderSignature, m.Signatures)
	response, err := w.transport.RoundTrip(request)
	if err != nil {
		return webhook.Response{Failure: failureOf(err, answered.Load())}, ctx.Err()
	}
	defer func() { _ = response.Body.Close() }()
	// Only the status matters; an incomplete body is no error.
	_, _ = io.CopyN(io.Discard, response.Body, answerBytes)
	return webhook.Response{Status: response.StatusCode, RetryAfter: retryAfter(response.Header, m.At)}, nil
}

// failureOf returns why there is no status. It drops the error itself, which contains
// addresses.
func failureOf(err error, answered bool) webhook.Failure {
	var network net.Error
	broken := errors.As(err, &network) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
	switch {
	case errors.Is(err, ErrForbidden):
		return webhook.Guarded
	case errors.Is(err, context.DeadlineExceeded), network != nil && network.Timeout():
		return webhook.TimedOut
	case answered && !broken:
		return webhook.Garbled
	}
	return webhook.Unreachable
}

// retryAfter reads the Retry-After header: seconds, or a time by the clock of the
// responding server.
func retryAfter(header http.Header, at time.Time) time.Duration {
	text, pause := header.Get("Retry-After"), time.Duration(0)
	if seconds, err := strconv.ParseUint(text, 10, 32); err == nil {
		pause = time.Duration(seconds) * time.Second
	} else if until, err := http.ParseTime(text); err == nil {
		if date, err := http.ParseTime(header.Get("Date")); err == nil {
			at = date
		}
		pause = until.Sub(at)
	}
	return min(max(pause, 0), retryAfterMost)
}
