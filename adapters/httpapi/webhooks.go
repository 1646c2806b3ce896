package httpapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/app/webhooks"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/ports"
)

// webhookRoutes returns the routes of agents' webhooks.
func (a *API) webhookRoutes() []route {
	return []route{
		{operation.ListWebhooks, admins(rbac.RolesWrite), noWindow, a.listWebhooks},
		{operation.CreateWebhook, admins(rbac.RolesWrite), noWindow, a.createWebhook},
		{operation.Webhook, admins(rbac.RolesWrite), noWindow, a.webhook},
		{operation.ChangeWebhook, admins(rbac.RolesWrite), noWindow, a.changeWebhook},
		{operation.DeleteWebhook, admins(rbac.RolesWrite), noWindow, a.deleteWebhook},
		{operation.RotateWebhookSecret, admins(rbac.RolesWrite), noWindow, a.rotateWebhookSecret},
		{operation.DeadLetters, admins(rbac.RolesWrite), noWindow, a.deadLetters},
		{operation.ResendDeadLetter, admins(rbac.RolesWrite), noWindow, a.resendDeadLetter},
	}
}

func (a *API) webhookOf(e webhook.Endpoint) api.Webhook {
	shown := api.Webhook{
		ID: e.ID, AgentCode: e.Agent, URL: e.URL, Types: mapEach(e.Types, func(t stream.Type) stream.Type { return t }), State: e.State,
		Reason: orNull(string(e.Reason)), Cursor: e.Cursor.String(), FailingSince: unixMillisOrNull(e.FailingSince),
		CreatedAt: unixMillis(e.CreatedAt), UpdatedAt: unixMillis(e.UpdatedAt),
	}
	if e.Tries.EventID != "" {
		shown.Next = &api.WebhookTries{
			EventID: e.Tries.EventID, Tries: e.Tries.Count, Refused: e.Tries.Refused, Since: unixMillis(e.Tries.Since), NextAt: unixMillis(e.Tries.NextAt),
			Status: statusOrNull(e.Tries.Last), Failure: orNull(string(e.Tries.Last.Failure)),
		}
	}
	if e.Secrets.Previous.Reveal() != "" && a.casino.Clock.Now().Before(e.Secrets.PreviousUntil) {
		shown.PreviousSecretUntil = unixMillisOrNull(e.Secrets.PreviousUntil)
	}
	return shown
}

func statusOrNull(r webhook.Response) *int {
	if r.Status == 0 {
		return nil
	}
	return &r.Status
}

func deadLetterOf(l webhook.DeadLetter) api.DeadLetter {
	shown := api.DeadLetter{
		ID: l.ID, EventID: l.EventID, Type: l.Type, EventAt: unixMillis(l.EventAt), Tries: l.Tries, Status: statusOrNull(l.Last),
		Failure: orNull(string(l.Last.Failure)), TriedAt: unixMillis(l.At), Due: l.Due,
	}
	if len(l.Body) > 0 {
		shown.Event = l.Body
	}
	return shown
}

// webhookWanted reads the requested settings of an endpoint.
func webhookWanted(f *parse.Fields) webhooks.WebhookRequest {
	w := webhooks.WebhookRequest{URL: f.OptionalText("url")}
	if f.Has("types") {
		types := []stream.Type{}
		f.Texts("types", len(stream.Catalogue()), "must contain types of events", func(text string) bool {
			types = append(types, stream.Type(strings.TrimPrefix(text, eventPrefix)))
			return true
		})
		w.Types = &types
	}
	if text := f.OptionalText("state"); text != nil {
		state := webhook.State(*text)
		w.State = &state
	}
	if text := f.OptionalText("from"); text != nil {
		at, err := stream.ParseCursor(*text)
		if err != nil || len(*text) > cursorMax {
			f.Refuse("from", "must be the cursor of an event, or empty for the beginning")
		}
		w.From = &at
	}
	return w
}

func (a *API) listWebhooks(r *request) (answer, error) {
	all, err := a.casino.Webhooks.Webhooks(r.ctx, r.caller, r.params["id"])
	return ok(api.WebhooksResponse{Webhooks: mapEach(all, a.webhookOf)}), err
}

func (a *API) webhook(r *request) (answer, error) {
	found, err := a.casino.Webhooks.Webhook(r.ctx, r.caller, r.params["id"], r.params["webhookId"])
	return ok(api.WebhookResponse{Webhook: a.webhookOf(found)}), err
}

func (a *API) createWebhook(r *request) (answer, error) {
	f := r.readBody()
	f.Need("url")
	wanted := webhookWanted(f)
	if f.Err != nil {
		return answer{}, f.Err
	}
	made, err := a.casino.Webhooks.CreateWebhook(r.ctx, r.caller, r.params["id"], wanted)
	return answer{status: http.StatusCreated, body: a.webhookSecretOf(made)}, err
}

func (a *API) webhookSecretOf(e webhook.Endpoint) api.WebhookSecret {
	return api.WebhookSecret{Webhook: a.webhookOf(e), Secret: e.Secrets.Current.Reveal()}
}

func (a *API) changeWebhook(r *request) (answer, error) {
	f := r.readBody()
	wanted := webhookWanted(f)
	if f.Empty() {
		f.Refuse("body", "must contain at least one field to change")
	}
	if f.Err != nil {
		return answer{}, f.Err
	}
	changed, err := a.casino.Webhooks.ChangeWebhook(r.ctx, r.caller, r.params["id"], r.params["webhookId"], wanted)
	return ok(api.WebhookResponse{Webhook: a.webhookOf(changed)}), err
}

func (a *API) rotateWebhookSecret(r *request) (answer, error) {
	rotated, err := a.casino.Webhooks.RotateWebhookSecret(r.ctx, r.caller, r.params["id"], r.params["webhookId"])
	return ok(a.webhookSecretOf(rotated)), err
}

func (a *API) deleteWebhook(r *request) (answer, error) {
	return answer{status: http.StatusNoContent}, a.casino.Webhooks.DeleteWebhook(r.ctx, r.caller, r.params["id"], r.params["webhookId"])
}

func (a *API) deadLetters(r *request) (answer, error) {
	return list[struct{}, webhook.DeadLetter, api.DeadLetter, api.DeadLetterPage]{
		page: func(ctx context.Context, _ struct{}, page ports.Page) ([]webhook.DeadLetter, ports.PageInfo, error) {
			found, err := a.casino.Webhooks.DeadLetters(ctx, r.caller, r.params["id"], r.params["webhookId"], page)
			return found.Letters, found.PageInfo, err
		},
		row: deadLetterOf,
	}.servePage(a, r)
}

func (a *API) resendDeadLetter(r *request) (answer, error) {
	waits, err := a.casino.Webhooks.ResendDeadLetter(r.ctx, r.caller, r.params["id"], r.params["webhookId"], r.params["deadLetterId"])
	return answer{status: http.StatusAccepted, body: api.DeadLetterResponse{DeadLetter: deadLetterOf(waits)}}, err
}
