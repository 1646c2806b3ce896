package fakes

import (
	"context"
	"slices"
	"sync"

	"github.com/casino-service/casino/domain/webhook"
)

// WebhookSites are agents' endpoints by their URLs. It serves ports.WebhookSite without a
// network; an endpoint answers 200 until it is set to something else, and a URL that was
// never set is nobody's.
type WebhookSites struct {
	mu       sync.Mutex
	answers  map[string]func(context.Context, webhook.Message) webhook.Response
	received map[string][]webhook.Message
	open     map[string]int
	most     map[string]int
}

// NewWebhookSites returns endpoints at these URLs.
func NewWebhookSites(urls ...string) *WebhookSites {
	s := &WebhookSites{
		answers:  map[string]func(context.Context, webhook.Message) webhook.Response{},
		received: map[string][]webhook.Message{}, open: map[string]int{}, most: map[string]int{},
	}
	for _, url := range urls {
		s.Answer(url, func(context.Context, webhook.Message) webhook.Response { return webhook.Response{Status: 200} })
	}
	return s
}

// Answer has an endpoint answer so from now on. One that hangs waits for the context.
func (s *WebhookSites) Answer(url string, with func(context.Context, webhook.Message) webhook.Response) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers[url] = with
}

// Received are the messages that came to an endpoint, in their order, whatever it answered.
func (s *WebhookSites) Received(url string) []webhook.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.received[url])
}

// AtOnce is how many messages an endpoint had at once at most.
func (s *WebhookSites) AtOnce(url string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most[url]
}

// Send serves ports.WebhookSite.
func (s *WebhookSites) Send(ctx context.Context, m webhook.Message) (webhook.Response, error) {
	if err := ctx.Err(); err != nil {
		return webhook.Response{}, err
	}
	s.mu.Lock()
	answer := s.answers[m.URL]
	if answer == nil {
		s.mu.Unlock()
		return webhook.Response{Failure: webhook.Unreachable}, nil
	}
	m.Body = slices.Clone(m.Body)
	s.received[m.URL] = append(s.received[m.URL], m)
	s.open[m.URL]++
	s.most[m.URL] = max(s.most[m.URL], s.open[m.URL])
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.open[m.URL]--
	}()
	response := answer(ctx, m)
	return response, ctx.Err()
}
