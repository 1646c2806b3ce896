// Package webhooks sends events to agents' endpoints.
package webhooks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/events"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/ports"
)

// Service has the use cases of webhooks. It is safe for concurrent use.
type Service struct {
	core   *kernel.Kernel
	events *events.Service
	// webhookSite sends events that encoder encodes; webhookNews wakes the senders.
	webhookSite ports.WebhookSite
	encoder     ports.EventEncoder
	webhookNews events.News
}

// New returns the use cases of webhooks. It makes the writer of core wake the senders.
func New(core *kernel.Kernel, all *events.Service, site ports.WebhookSite, encoder ports.EventEncoder) *Service {
	c := &Service{core, all, site, encoder, make(events.News, 1)}
	core.Store.Writer = events.WakingWriter{Writer: core.Store.Writer, News: c.webhookNews}
	return c
}

// WebhookRequest holds the fields of an endpoint to set. Nil fields keep their value, or
// get their default when the endpoint is created.
type WebhookRequest struct {
	URL *string
	// Types are the types that the endpoint gets; empty means all that an agent may see.
	Types *[]stream.Type
	// State can't be set for a new endpoint, which is active.
	State *webhook.State
	// From is the cursor after which the endpoint continues. Without it a new endpoint begins
	// with later commits.
	From *stream.Cursor
}

// Webhooks lists an agent's endpoints, oldest first. Like all use cases of webhooks it
// needs the permission to change roles, because endpoints receive players' events.
func (c *Service) Webhooks(ctx context.Context, caller kernel.Caller, agentID string) ([]webhook.Endpoint, error) {
	code, err := c.webhookAgent(ctx, caller, agentID)
	if err != nil {
		return nil, err
	}
	return c.core.Store.Webhooks.WebhooksOf(ctx, code)
}

// Webhook returns one of an agent's endpoints.
func (c *Service) Webhook(ctx context.Context, caller kernel.Caller, agentID, id string) (webhook.Endpoint, error) {
	code, err := c.webhookAgent(ctx, caller, agentID)
	if err != nil {
		return webhook.Endpoint{}, err
	}
	return c.core.Store.Webhooks.Webhook(ctx, code, id)
}

// CreateWebhook creates an endpoint; its secret is never shown again. The order of refusals
// is permission, agent, url, types, from, and TooManyOpen above webhook.EndpointsMax.
func (c *Service) CreateWebhook(ctx context.Context, caller kernel.Caller, agentID string, r WebhookRequest) (webhook.Endpoint, error) {
	code, err := c.webhookAgent(ctx, caller, agentID)
	if err != nil {
		return webhook.Endpoint{}, err
	}
	var address string
	var types []stream.Type
	admin.Set(&address, r.URL)
	admin.Set(&types, r.Types)
	made := webhook.New(c.core.Entropy.ID(), code, address, types, webhook.Secrets{Current: webhook.NewSecret(c.core.Entropy.Seed())}, stream.Cursor{}, c.core.Now())
	if err := c.soundWebhook(ctx, made, r); err != nil {
		return webhook.Endpoint{}, err
	}
	if r.From != nil {
		made.Cursor = *r.From
	} else if made.Cursor, err = c.core.Store.Events.Newest(ctx); err != nil {
		return webhook.Endpoint{}, err
	}
	return c.changeWebhook(ctx, caller, code, made.ID, "created", func(present *webhook.Endpoint, count int) (webhook.Endpoint, error) {
		if count >= webhook.EndpointsMax {
			return made, fault.New(fault.TooManyOpen, "an agent has at most %d webhooks", webhook.EndpointsMax)
		}
		return made, nil
	})
}

// ChangeWebhook changes an endpoint. An active one continues at its cursor or after From.
// Events that it refused earlier aren't sent again.
func (c *Service) ChangeWebhook(ctx context.Context, caller kernel.Caller, agentID, id string, r WebhookRequest) (webhook.Endpoint, error) {
	code, err := c.webhookAgent(ctx, caller, agentID)
	if err != nil {
		return webhook.Endpoint{}, err
	}
	applied := func(e webhook.Endpoint) webhook.Endpoint {
		admin.Set(&e.URL, r.URL)
		if r.Types != nil {
			e.Types = webhook.Sorted(*r.Types)
		}
		if r.State != nil && *r.State == webhook.Disabled {
			return e.Disable(webhook.ByAdmin).From(r.From)
		}
		if r.State != nil {
			e = e.Enable()
		}
		return e.From(r.From)
	}
	if r.State != nil && *r.State != webhook.Active && *r.State != webhook.Disabled {
		return webhook.Endpoint{}, fault.Field("state", "must be %s or %s", webhook.Active, webhook.Disabled)
	}
	present, err := c.core.Store.Webhooks.Webhook(ctx, code, id)
	if err != nil {
		return webhook.Endpoint{}, err
	}
	if err := c.soundWebhook(ctx, applied(present), r); err != nil {
		return webhook.Endpoint{}, err
	}
	return c.changeWebhook(ctx, caller, code, id, "changed", func(present *webhook.Endpoint, _ int) (webhook.Endpoint, error) {
		return applied(*present), nil
	})
}

// RotateWebhookSecret gives an endpoint a new secret, which is never shown again. Messages
// are also signed with the previous secret for webhook.PreviousTime.
func (c *Service) RotateWebhookSecret(ctx context.Context, caller kernel.Caller, agentID, id string) (webhook.Endpoint, error) {
	code, err := c.webhookAgent(ctx, caller, agentID)
	if err != nil {
		return webhook.Endpoint{}, err
	}
	fresh, now := webhook.NewSecret(c.core.Entropy.Seed()), c.core.Now()
	return c.changeWebhook(ctx, caller, code, id, "given a new secret", func(present *webhook.Endpoint, _ int) (webhook.Endpoint, error) {
		next := *present
		next.Secrets = next.Secrets.Rotated(fresh, now)
		return next, nil
	})
}

// DeleteWebhook deletes an endpoint with its dead letters.
func (c *Service) DeleteWebhook(ctx context.Context, caller kernel.Caller, agentID, id string) error {
	code, err := c.webhookAgent(ctx, caller, agentID)
	if err != nil {
		return err
	}
	_, err = c.changeWebhook(ctx, caller, code, id, webhookDeleted, func(present *webhook.Endpoint, _ int) (webhook.Endpoint, error) {
		return *present, nil
	})
	return err
}

// DeadLetters lists the events that an endpoint finally refused, newest first.
func (c *Service) DeadLetters(ctx context.Context, caller kernel.Caller, agentID, id string, page ports.Page) (ports.DeadLetterPage, error) {
	if _, err := c.Webhook(ctx, caller, agentID, id); err != nil {
		return ports.DeadLetterPage{}, err
	}
	return c.core.Store.DeadLetters.DeadLetters(ctx, id, page)
}

// ResendDeadLetter requests that a dead letter be sent again, once, independent of other
// events of the endpoint. A worker sends it and removes it if it was accepted; otherwise it
// stays with the new answer. It returns InvalidState if the endpoint is disabled.
func (c *Service) ResendDeadLetter(ctx context.Context, caller kernel.Caller, agentID, id, letterID string) (webhook.DeadLetter, error) {
	e, err := c.Webhook(ctx, caller, agentID, id)
	if err != nil {
		return webhook.DeadLetter{}, err
	}
	if _, err := c.core.Store.DeadLetters.DeadLetter(ctx, id, letterID); err != nil {
		return webhook.DeadLetter{}, err
	}
	if e.State != webhook.Active {
		return webhook.DeadLetter{}, fault.New(fault.InvalidState, "the webhook is disabled").With("status", string(e.State))
	}
	var next webhook.DeadLetter
	record := c.core.Record(caller, audit.WebhookChanged, e.Agent)
	err = c.core.Store.DeadLetters.ChangeDeadLetter(ctx, caller.Wallet, id, letterID, func(actor rbac.Assignment, present webhook.DeadLetter) (webhook.DeadLetter, audit.Record, error) {
		if err := c.core.AgentRole(actor, e.Agent, true); err != nil {
			return next, audit.Record{}, err
		}
		var err error
		next, err = present.Resend()
		record.After = fmt.Sprintf("webhook %s: event %s sent again", id, present.EventID)
		return next, record, err
	})
	c.webhookNews.Wake()
	return next, err
}

// webhookAgent returns the code of the agent if the caller may see and change its webhooks.
func (c *Service) webhookAgent(ctx context.Context, caller kernel.Caller, agentID string) (string, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.RolesWrite)
	if err != nil {
		return "", err
	}
	if !c.SendsWebhooks() {
		return "", fault.New(fault.Unavailable, "this deployment does not provide webhooks").
			With("status", "notProvided").With("outcome", "none")
	}
	found, err := c.core.AgentByID(ctx, agentID)
	if err == nil && own.AgentCode != "" && own.AgentCode != found.Code {
		err = kernel.ErrNoAgent(agentID)
	}
	return found.Code, err
}

// SendsWebhooks reports whether the deployment can send events to endpoints.
func (c *Service) SendsWebhooks() bool { return c.webhookSite != nil && c.encoder != nil }

// soundWebhook checks an endpoint: its own rules, that its host is on the public internet,
// and that its cursor can be read.
func (c *Service) soundWebhook(ctx context.Context, e webhook.Endpoint, r WebhookRequest) error {
	check := e.Check
	if c.core.Settings.LocalSites {
		check = e.CheckLocal
	}
	if err := check(); err != nil {
		return err
	}
	if r.URL != nil && e.Check() == nil { // hosts on this machine, which development accepts, are not looked up
		if err := c.core.PublicHostOf(ctx, "url", e.URL); err != nil {
			return err
		}
	}
	if r.From != nil {
		_, err := c.core.Store.Events.After(ctx, *r.From, stream.Filter{}, 1)
		return err
	}
	return nil
}

// webhookDeleted marks the deletion of an endpoint in audit records.
const webhookDeleted = "deleted"

// changeWebhook changes an endpoint after checking the caller's role in the same commit. It
// returns NotFound for a missing endpoint, unless it is being created.
func (c *Service) changeWebhook(ctx context.Context, caller kernel.Caller, code, id, what string,
	decide func(present *webhook.Endpoint, count int) (webhook.Endpoint, error)) (webhook.Endpoint, error) {
	record := c.core.Record(caller, audit.WebhookChanged, code)
	err := c.core.Store.Webhooks.ChangeWebhook(ctx, caller.Wallet, code, id, func(actor rbac.Assignment, present *webhook.Endpoint, count int) (ports.WebhookChange, audit.Record, error) {
		if err := c.core.AgentRole(actor, code, true); err != nil {
			return ports.WebhookChange{}, audit.Record{}, err
		}
		if present == nil && what != "created" {
			return ports.WebhookChange{}, audit.Record{}, fault.New(fault.NotFound, "no webhook %q", id)
		}
		next, err := decide(present, count)
		if err != nil {
			return ports.WebhookChange{}, audit.Record{}, err
		}
		next.UpdatedAt = record.At
		if present != nil {
			record.Before = describeWebhook(*present)
		}
		record.After = fmt.Sprintf("webhook %s %s", id, what)
		if what != webhookDeleted {
			record.After = describeWebhook(next) + ", " + what
		}
		return ports.WebhookChange{Endpoint: next, Deleted: what == webhookDeleted}, record, nil
	})
	if err != nil {
		return webhook.Endpoint{}, err
	}
	c.webhookNews.Wake()
	if what == webhookDeleted {
		return webhook.Endpoint{}, nil
	}
	return c.core.Store.Webhooks.Webhook(ctx, code, id)
}

// describeWebhook describes an endpoint for an audit record, without its secrets and
// without the query of its URL, which may hold secrets.
func describeWebhook(e webhook.Endpoint) string {
	address, _, _ := strings.Cut(e.URL, "?")
	address, _, _ = strings.Cut(address, "#")
	types := "all types"
	if len(e.Types) > 0 {
		types = strings.Join(typeNames(e.Types), " ")
	}
	text := fmt.Sprintf("webhook %s %s to %s, %s", e.ID, e.State, address, types)
	if e.Reason != "" {
		text += ", because " + string(e.Reason)
	}
	return text
}

func typeNames(types []stream.Type) []string {
	all := make([]string, 0, len(types))
	for _, t := range types {
		all = append(all, string(t))
	}
	slices.Sort(all)
	return all
}
