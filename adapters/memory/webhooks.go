package memory

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// keptWebhook is an endpoint with its lease and its dead letters, sorted by id.
type keptWebhook struct {
	webhook.Endpoint
	lease   withdrawal.Lease
	letters []webhook.DeadLetter
}

// shown returns the endpoint by value.
func (k *keptWebhook) shown() webhook.Endpoint {
	e := k.Endpoint
	e.Types = slices.Clone(e.Types)
	return e
}

// canLease reports whether a worker may lease the endpoint.
func (s *Store) canLease(k *keptWebhook, worker string, now time.Time) bool {
	return k.State == webhook.Active && !s.agents[k.Agent].Deleted && (k.lease.Worker == worker || !k.lease.Held(now))
}

func letterID(l webhook.DeadLetter) string { return l.ID }

// Webhook serves ports.Webhooks.
func (s *Store) Webhook(_ context.Context, agent, id string) (webhook.Endpoint, error) {
	defer s.locked()()
	if kept := s.webhooks[id]; kept != nil && kept.Agent == agent {
		return kept.shown(), nil
	}
	return webhook.Endpoint{}, fault.New(fault.NotFound, "no webhook %q", id)
}

// WebhooksOf serves ports.Webhooks.
func (s *Store) WebhooksOf(_ context.Context, agent string) ([]webhook.Endpoint, error) {
	defer s.locked()()
	found := []webhook.Endpoint{}
	for _, id := range slices.Sorted(maps.Keys(s.webhooks)) {
		if kept := s.webhooks[id]; kept.Agent == agent {
			found = append(found, kept.shown())
		}
	}
	return found, nil
}

// ChangeWebhook serves ports.Webhooks. The decision must not call the store.
func (s *Store) ChangeWebhook(ctx context.Context, by wallet.Address, agent, id string, decide ports.WebhookDecision) error {
	return s.administer(ctx, by, func(actor rbac.Assignment) (func(), audit.Record, error) {
		kept, known := s.webhooks[id]
		var present *webhook.Endpoint
		if known && kept.Agent == agent {
			shown := kept.shown()
			present = &shown
		}
		count := 0
		for _, one := range s.webhooks {
			if one.Agent == agent {
				count++
			}
		}
		next, record, err := decide(actor, present, count)
		if err != nil {
			return nil, audit.Record{}, err
		}
		if next.Deleted && present != nil {
			return func() { delete(s.webhooks, id) }, record, nil
		}
		_, there := s.agents[agent]
		if next.Endpoint.ID != id || next.Endpoint.Agent != agent || known && present == nil || next.Deleted || !there {
			return nil, audit.Record{}, fmt.Errorf("memory: the change of webhook %q returned another one", id)
		}
		made := &keptWebhook{Endpoint: next.Endpoint}
		if known {
			made.lease, made.letters = kept.lease, kept.letters
			made.Version = kept.Version
		}
		made.Version++
		made.Endpoint = made.shown()
		return func() { s.webhooks[id] = made }, record, nil
	})
}

// WebhooksDue serves ports.WebhookQueue.
func (s *Store) WebhooksDue(_ context.Context, now time.Time, after string, limit int) ([]webhook.Endpoint, error) {
	defer s.locked()()
	found := []webhook.Endpoint{}
	for _, id := range slices.Sorted(maps.Keys(s.webhooks)) {
		if kept := s.webhooks[id]; id > after && kept.Due(now) && s.canLease(kept, "", now) && len(found) < limit {
			found = append(found, kept.shown())
		}
	}
	return found, nil
}

// ClaimWebhook serves ports.WebhookQueue.
func (s *Store) ClaimWebhook(_ context.Context, id, worker string, now, until time.Time) (webhook.Endpoint, bool, error) {
	defer s.locked()()
	kept := s.webhooks[id]
	if kept == nil || !s.canLease(kept, worker, now) {
		return webhook.Endpoint{}, false, nil
	}
	kept.lease = withdrawal.Lease{Worker: worker, Until: until}
	return kept.shown(), true, nil
}

// SaveWebhook serves ports.WebhookQueue.
func (s *Store) SaveWebhook(ctx context.Context, worker string, p ports.WebhookProgress) error {
	defer s.locked()()
	if err := ctx.Err(); err != nil {
		return err
	}
	kept := s.webhooks[p.Endpoint.ID]
	if kept == nil || kept.lease.Worker != worker || kept.Version != p.Endpoint.Version {
		return webhook.Lost(p.Endpoint.ID)
	}
	kept.Cursor, kept.Tries, kept.FailingSince = p.Endpoint.Cursor, p.Endpoint.Tries, p.Endpoint.FailingSince
	kept.State, kept.Reason = p.Endpoint.State, p.Endpoint.Reason
	kept.lease.Until = p.Until
	if l := p.Letter; l != nil {
		kept.letters = slices.DeleteFunc(kept.letters, func(other webhook.DeadLetter) bool { return other.ID == l.ID })
		one := *l
		one.Body = slices.Clone(one.Body)
		kept.letters = inserted(kept.letters, one, letterID)
	}
	kept.letters = slices.DeleteFunc(kept.letters, func(l webhook.DeadLetter) bool { return l.ID == p.Settled })
	return nil
}

// ReleaseWebhook serves ports.WebhookQueue.
func (s *Store) ReleaseWebhook(_ context.Context, id, worker string) error {
	defer s.locked()()
	if kept := s.webhooks[id]; kept != nil && kept.lease.Worker == worker {
		kept.lease = withdrawal.Lease{}
	}
	return nil
}

// DeadLetters serves ports.DeadLetters.
func (s *Store) DeadLetters(_ context.Context, webhookID string, page ports.Page) (ports.DeadLetterPage, error) {
	defer s.locked()()
	var letters []webhook.DeadLetter
	if kept := s.webhooks[webhookID]; kept != nil {
		letters = kept.letters
	}
	found, info, err := listed(letters, letterID, func(webhook.DeadLetter) bool { return true }, page)
	return ports.DeadLetterPage{Letters: found, PageInfo: info}, err
}

// DeadLetter serves ports.DeadLetters.
func (s *Store) DeadLetter(_ context.Context, webhookID, id string) (webhook.DeadLetter, error) {
	defer s.locked()()
	l, err := s.letter(webhookID, id)
	if err != nil {
		return webhook.DeadLetter{}, err
	}
	return *l, nil
}

func (s *Store) letter(webhookID, id string) (*webhook.DeadLetter, error) {
	if kept := s.webhooks[webhookID]; kept != nil {
		if at, found := search(kept.letters, letterID, id); found {
			return &kept.letters[at], nil
		}
	}
	return nil, fault.New(fault.NotFound, "no dead letter %q", id)
}

// DeadLettersDue serves ports.DeadLetters.
func (s *Store) DeadLettersDue(_ context.Context, now time.Time, limit int) ([]webhook.DeadLetter, error) {
	defer s.locked()()
	found := []webhook.DeadLetter{}
	for _, kept := range s.webhooks {
		at := slices.IndexFunc(kept.letters, func(l webhook.DeadLetter) bool { return l.Due })
		if at >= 0 && s.canLease(kept, "", now) {
			found = append(found, kept.letters[at])
		}
	}
	slices.SortFunc(found, func(x, y webhook.DeadLetter) int { return strings.Compare(x.Webhook, y.Webhook) })
	return found[:min(limit, len(found))], nil
}

// ChangeDeadLetter serves ports.DeadLetters. The decision must not call the store.
func (s *Store) ChangeDeadLetter(ctx context.Context, by wallet.Address, webhookID, id string, decide ports.DeadLetterDecision) error {
	return s.administer(ctx, by, func(actor rbac.Assignment) (func(), audit.Record, error) {
		l, err := s.letter(webhookID, id)
		if err != nil {
			return nil, audit.Record{}, err
		}
		next, record, err := decide(actor, *l)
		return func() { l.Due = next.Due }, record, err
	})
}
