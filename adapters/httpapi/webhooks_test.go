package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/webhooks"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/webhook"
)

const acmesHook = "https://hooks.acme.example.com/casino?key=1"

// created makes an endpoint; its secret must not be shown again.
func (h *house) created(as, agentID string, r api.CreateWebhookRequest) api.WebhookSecret {
	h.Helper()
	return h.shownOnce(got[api.WebhookSecret](h)(h.as(as).CreateWebhook(h.Context(), agentID, r)))
}

// shownOnce records a secret that only the last answer may contain.
func (h *house) shownOnce(made api.WebhookSecret) api.WebhookSecret {
	h.secrets[made.Secret] = "a webhook's secret"
	h.Cleanup(func() {
		if shown := strings.Count(h.seen.String(), made.Secret); shown != 1 {
			h.Errorf("the secret of a webhook was shown %d times", shown)
		}
	})
	return made
}

func TestWebhooksOverHTTP(t *testing.T) {
	t.Parallel()
	h := staff(t, map[string]string{"root": rbac.Superadmin, "olga": "ops"})
	h.there("acme")
	root, id := h.as("root"), "id-acme"
	made := h.created("root", id, api.CreateWebhookRequest{URL: acmesHook, Types: []stream.Type{"round.settled", "casino.balance.changed", "round.settled"}})
	w := made.Webhook
	if w.AgentCode != "acme" || w.URL != acmesHook || !slices.Equal(w.Types, []stream.Type{"balance.changed", "round.settled"}) ||
		w.State != webhook.Active || w.Reason != nil || w.Cursor == "" || w.Next != nil || w.FailingSince != nil || w.PreviousSecretUntil != nil {
		t.Errorf("made %+v", w)
	}
	whole := h.created("root", id, api.CreateWebhookRequest{URL: acmesHook, From: ptr("")}).Webhook
	if len(whole.Types) != 0 || whole.Cursor != "" {
		t.Errorf("of everything made %+v", whole)
	}
	if all := got[[]api.Webhook](h)(root.ListWebhooks(t.Context(), id)); len(all) != 2 || all[0].ID != w.ID || all[1].ID != whole.ID {
		t.Errorf("listed %+v", all)
	}
	changed := got[api.Webhook](h)(root.ChangeWebhook(t.Context(), id, w.ID, api.WebhookRequest{
		URL: ptr("https://elsewhere.example.com/"), Types: []stream.Type{}, State: ptr(webhook.Disabled), From: ptr(w.Cursor),
	}))
	if changed.URL != "https://elsewhere.example.com/" || len(changed.Types) != 0 || changed.State != webhook.Disabled || *changed.Reason != "admin" || changed.Cursor != w.Cursor {
		t.Errorf("changed to %+v", changed)
	}
	if again := got[api.Webhook](h)(root.ChangeWebhook(t.Context(), id, w.ID, api.WebhookRequest{State: ptr(webhook.Active)})); again.State != webhook.Active || again.Reason != nil || again.URL != changed.URL {
		t.Errorf("enabled to %+v", again)
	}
	rotated := h.shownOnce(got[api.WebhookSecret](h)(root.RotateWebhookSecret(t.Context(), id, w.ID)))
	if rotated.Secret == made.Secret || *rotated.Webhook.PreviousSecretUntil != h.clock.Now().Add(webhook.PreviousTime).UnixMilli() {
		t.Errorf("rotated to %+v", rotated.Webhook)
	}
	h.later(webhook.PreviousTime)
	root = h.as("root")
	if found := got[api.Webhook](h)(root.Webhook(t.Context(), id, w.ID)); found.PreviousSecretUntil != nil || found.URL != changed.URL {
		t.Errorf("found %+v", found)
	}
	if page := got[api.DeadLetterPage](h)(root.DeadLetters(t.Context(), id, w.ID, api.DeadLettersParams{})); page.Total != 0 {
		t.Errorf("dead letters %+v", page)
	}
	h.must(root.DeleteWebhook(t.Context(), id, w.ID))
	h.code("NOT_FOUND", root.DeleteWebhook(t.Context(), id, w.ID))
	h.code("NOT_FOUND", refusal(root.Webhook(t.Context(), id, w.ID)))
	if all := got[[]api.Webhook](h)(root.ListWebhooks(t.Context(), id)); len(all) != 1 {
		t.Errorf("listed %+v", all)
	}
	// The audit log shows who made each change, and no secret in a URL.
	if log := h.get("root", "/admin/audit").ok(http.StatusOK); strings.Contains(string(log.text), "key=1") || !strings.Contains(string(log.text), "hooks.acme.example.com") {
		t.Errorf("the audit log says %s", log.text)
	}
}

func TestInvalidWebhooks(t *testing.T) {
	t.Parallel()
	h := staff(t, map[string]string{"root": rbac.Superadmin})
	made := h.created("root", "house", api.CreateWebhookRequest{URL: acmesHook})
	path := "/admin/legacy/agents/house/webhooks"
	patch := func(body any) reply {
		return h.ask(question{method: http.MethodPatch, path: path + "/" + made.Webhook.ID, as: "root", body: body})
	}
	both := func(field string, value any) {
		t.Helper()
		body := object{"url": acmesHook}
		body[field] = value
		h.post("root", path, body).is(http.StatusBadRequest, "INVALID_PARAMETER").names(field)
		patch(object{field: value}).is(http.StatusBadRequest, "INVALID_PARAMETER").names(field)
	}
	for _, inside := range []string{
		"", "x", "http://acme.example.com/", "https://127.0.0.1/", "https://localhost/", "https://[::1]/", "https://2130706433/", "https://0x7f.0.0.1/", "https://127.1/",
		"https://169.254.169.254/latest/meta-data", "https://10.0.0.1/", "https://[::ffff:10.0.0.1]/", "https://intranet/", "https://user:pass@acme.example.com/",
		"file:///etc/passwd", "gopher://acme.example.com/", "javascript:alert(1)", "https://acme.example.com/\r\nX: y", "//acme.example.com/",
		"https://acme.example.com/" + strings.Repeat("x", 2048),
	} {
		both("url", inside)
	}
	for _, value := range []any{5, true, object{}, []string{acmesHook}} {
		both("url", value)
	}
	for _, value := range []any{
		"round.settled", 5, []int{5}, []string{"nothing.happened"}, []string{""}, []string{"casino.casino.round.settled"}, []string{"ledger.closed"},
		[]string{"round.settled", "payouts.paused"}, []string{"role.granted"}, []string{"withdrawal.completed", "capital.booked"}, slices.Repeat([]string{"round.settled"}, 201),
	} {
		both("types", value)
	}
	for _, value := range []any{"!", "AAAA", 5, strings.Repeat("A", 16_001)} {
		both("from", value)
	}
	for _, field := range []string{"id", "secret", "agentCode", "cursor", "reason", "next", "failingSince", "__proto__"} {
		both(field, "x")
	}
	h.post("root", path, object{"url": acmesHook, "state": "disabled"}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("state")
	for _, value := range []any{"", "gone", 5} {
		patch(object{"state": value}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("state")
	}
	patch(object{}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("body")
	h.post("root", path, object{}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("url")
	if all := got[[]api.Webhook](h)(h.as("root").ListWebhooks(t.Context(), "house")); len(all) != 1 || all[0].ID != made.Webhook.ID {
		t.Errorf("there are %+v", all)
	}
}

// leading looks up hosts by a rule on their names.
type leading struct{}

func (leading) PublicHost(_ context.Context, host string) error {
	switch {
	case strings.HasPrefix(host, "inside."):
		return fault.New(fault.Invalid, "the name %s leads to an address that is not on the public internet", host)
	case strings.HasPrefix(host, "nowhere."):
		return fault.New(fault.NotFound, "the name %s leads nowhere", host)
	case strings.HasPrefix(host, "silent."):
		return fault.New(fault.Unavailable, "the name %s can't be looked up now", host).With("outcome", "none")
	}
	return nil
}

// TestAWebhookWhoseNameLeadsInsideIsRefused at its creation and at a change.
func TestAWebhookWhoseNameLeadsInsideIsRefused(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{deps: func(d *app.Deps) { d.Hosts = leading{} }})
	h.role("root", rbac.Superadmin, "")
	made := h.created("root", "house", api.CreateWebhookRequest{URL: acmesHook})
	for host, want := range map[string]string{"inside": "INVALID_PARAMETER", "nowhere": "INVALID_PARAMETER", "silent": "UNAVAILABLE"} {
		url := "https://" + host + ".example.com/"
		h.code(want, refusal(h.as("root").CreateWebhook(t.Context(), "house", api.CreateWebhookRequest{URL: url})))
		h.code(want, refusal(h.as("root").ChangeWebhook(t.Context(), "house", made.Webhook.ID, api.WebhookRequest{URL: &url})))
	}
}

// TestWebhooksAreTheirAgentsAndTheTopRoles: by the matrix only roles:write may see them. A
// role of one agent sees no other agent's, and no endpoint is found under another agent.
func TestWebhooksAreTheirAgentsAndTheTopRoles(t *testing.T) {
	t.Parallel()
	h := staff(t, map[string]string{"root": rbac.Superadmin})
	h.there("acme")
	h.role("bound", rbac.Superadmin, "rival")
	h.clock.Advance(rbac.MinAge)
	clear(h.tokens)
	made := h.created("root", "id-acme", api.CreateWebhookRequest{URL: acmesHook})
	hook := "/webhooks/" + made.Webhook.ID
	asked := func(as, agentID string) {
		t.Helper()
		for _, q := range []question{
			{method: http.MethodGet, path: hook},
			{method: http.MethodPatch, path: hook, body: object{"url": "https://mallory.example.com/"}},
			{method: http.MethodPatch, path: hook, body: object{"state": "disabled"}},
			{method: http.MethodPost, path: hook + "/secret"},
			{method: http.MethodDelete, path: hook},
			{method: http.MethodGet, path: hook + "/dead-letters"},
			{method: http.MethodPost, path: hook + "/dead-letters/x/send"},
		} {
			q.path, q.as = "/admin/legacy/agents/"+agentID+q.path, as
			h.ask(q).is(http.StatusNotFound, "NOT_FOUND")
		}
	}
	asked("root", "id-rival")
	asked("root", "house")
	asked("root", "nobody")
	asked("bound", "id-acme")
	asked("bound", "id-rival")
	h.get("bound", "/admin/legacy/agents/id-acme/webhooks").is(http.StatusNotFound, "NOT_FOUND")
	h.post("bound", "/admin/legacy/agents/id-acme/webhooks", object{"url": acmesHook}).is(http.StatusNotFound, "NOT_FOUND")
	if found := got[api.Webhook](h)(h.as("root").Webhook(t.Context(), "id-acme", made.Webhook.ID)); found.URL != acmesHook || found.State != webhook.Active || found.PreviousSecretUntil != nil {
		t.Errorf("it is %+v", found)
	}
}

// TestAnAgentHasTenWebhooks at most, even with concurrent requests.
func TestAnAgentHasTenWebhooks(t *testing.T) {
	t.Parallel()
	h := staff(t, map[string]string{"root": rbac.Superadmin})
	root := h.as("root")
	var all sync.WaitGroup
	outcomes := make(chan string, 2*webhook.EndpointsMax)
	for range cap(outcomes) {
		all.Go(func() {
			_, err := root.CreateWebhook(t.Context(), "house", api.CreateWebhookRequest{URL: acmesHook})
			outcomes <- client.CodeOf(err)
		})
	}
	all.Wait()
	close(outcomes)
	counts := map[string]int{}
	for code := range outcomes {
		counts[code]++
	}
	if fmt.Sprint(counts) != fmt.Sprint(map[string]int{"": webhook.EndpointsMax, "TOO_MANY_OPEN": webhook.EndpointsMax}) {
		t.Errorf("answered %v", counts)
	}
	list := got[[]api.Webhook](h)(root.ListWebhooks(t.Context(), "house"))
	h.must(root.DeleteWebhook(t.Context(), "house", list[0].ID))
	h.created("root", "house", api.CreateWebhookRequest{URL: acmesHook})
	h.there("acme")
	h.created("root", "id-acme", api.CreateWebhookRequest{URL: acmesHook})
}

// TestAForgedCursorOfAWebhookReadsNothing: the stream handles positions that never existed,
// and invalid cursors are rejected.
func TestAForgedCursorOfAWebhookReadsNothing(t *testing.T) {
	t.Parallel()
	h := staff(t, map[string]string{"root": rbac.Superadmin})
	forged := stream.Cursor{Epoch: 9, Marks: []stream.Mark{{Lane: 0, Seq: 1 << 40}}}.String()
	r := h.post("root", "/admin/legacy/agents/house/webhooks", object{"url": acmesHook, "from": forged})
	if r.status >= http.StatusInternalServerError {
		t.Errorf("answered %d %s", r.status, r.text)
	}
}

// works runs a worker once a second until there is nothing to do.
func (h *house) works(w *webhooks.WebhookWorker, seconds int) {
	h.Helper()
	for range seconds {
		h.clock.Advance(time.Second)
		for worked := true; worked; {
			var err error
			worked, err = w.Step(h.Context())
			h.must(err)
		}
	}
}

// hookedBet creates an endpoint of acme at a fake server, and plays a round of a player of
// acme and one of another agent's.
func hookedBet(t *testing.T) (h *house, made api.WebhookSecret) {
	t.Helper()
	h = staff(t, map[string]string{"root": rbac.Superadmin})
	h.there("acme")
	h.hooks.Answer(acmesHook, func(context.Context, webhook.Message) webhook.Response {
		return webhook.Response{Status: http.StatusTeapot}
	})
	h.signUp("bob", "acme")
	h.funded("bob", sol, 1_000_000)
	h.funded("carol", sol, 1_000_000)
	made = h.created("root", "id-acme", api.CreateWebhookRequest{URL: acmesHook, Types: []stream.Type{stream.RoundSettled}})
	for _, name := range []string{"carol", "bob", "carol"} {
		h.post(name, "/play", object{"gameType": "dice", "wager": minimum, "token": sol}).ok(http.StatusOK)
	}
	return h, made
}

// TestDeadLettersOverHTTP: a message that an endpoint rejects can be read and sent again.
// It is the event of GET /admin/events, signed, and only of the agent's own players.
func TestDeadLettersOverHTTP(t *testing.T) {
	t.Parallel()
	h, made := hookedBet(t)
	worker, root, id := h.casino.Webhooks.WebhookWorker(), h.as("root"), made.Webhook.ID
	h.works(worker, 1)
	stuck := got[api.Webhook](h)(root.Webhook(t.Context(), "id-acme", id))
	if stuck.Next == nil || stuck.Next.Tries != 1 || stuck.Next.Refused != 1 || *stuck.Next.Status != http.StatusTeapot || stuck.Next.Failure != nil || stuck.FailingSince != nil {
		t.Errorf("after a refusal: %+v of %+v", stuck.Next, stuck)
	}
	for range webhook.TriesMax {
		h.clock.Advance(30 * time.Minute)
		h.works(worker, 1)
	}
	clear(h.tokens)
	root = h.as("root")
	page := got[api.DeadLetterPage](h)(root.DeadLetters(t.Context(), "id-acme", id, api.DeadLettersParams{}))
	sent := h.hooks.Received(acmesHook)
	if page.Total != 1 || len(sent) != webhook.TriesMax {
		t.Fatalf("%d dead letters after %d tries", page.Total, len(sent))
	}
	letter := page.DeadLetters[0]
	if letter.EventID != sent[0].ID || letter.Type != stream.RoundSettled || letter.Tries != webhook.TriesMax || *letter.Status != http.StatusTeapot || letter.Due || string(letter.Event) != string(sent[0].Body) {
		t.Errorf("the letter is %+v", letter)
	}
	for _, m := range sent {
		if err := webhook.Verify(agent.SecretFrom(made.Secret), m.ID, webhook.Timestamp(m.At), m.Signatures, m.Body, m.At); err != nil || m.ID != letter.EventID || !bytes.Equal(m.Body, sent[0].Body) {
			t.Errorf("sent %+v: %v", m, err)
		}
	}
	shown := got[api.EventPage](h)(root.AdminEvents(t.Context(), api.AdminEventsParams{Types: "round.settled", Cursor: made.Webhook.Cursor, Wallet: address("bob")}))
	var heard api.Event
	h.must(json.Unmarshal(letter.Event, &heard))
	if len(shown.Events) != 1 || heard.ID != shown.Events[0].ID || heard.Sequence != shown.Events[0].Sequence || heard.Cursor != "" || heard.Source != shown.Events[0].Source ||
		strings.Contains(string(letter.Event), "agentCode") {
		t.Errorf("heard %s, shown %+v", letter.Event, shown.Events)
	}

	// Sent again it is first rejected, then accepted.
	again := func() {
		t.Helper()
		if due := got[api.DeadLetter](h)(root.ResendDeadLetter(t.Context(), "id-acme", id, letter.ID)); !due.Due {
			t.Errorf("it is %+v", due)
		}
		h.works(worker, 2)
	}
	again()
	if page = got[api.DeadLetterPage](h)(root.DeadLetters(t.Context(), "id-acme", id, api.DeadLettersParams{})); page.Total != 1 || page.DeadLetters[0].Tries != webhook.TriesMax+1 || page.DeadLetters[0].Due {
		t.Errorf("after it was refused again: %+v", page)
	}
	h.code("NOT_FOUND", refusal(root.ResendDeadLetter(t.Context(), "id-acme", id, "none")))
	h.hooks.Answer(acmesHook, func(context.Context, webhook.Message) webhook.Response { return webhook.Response{Status: 200} })
	got[api.Webhook](h)(root.ChangeWebhook(t.Context(), "id-acme", id, api.WebhookRequest{State: ptr(webhook.Disabled)}))
	h.code("INVALID_STATE", refusal(root.ResendDeadLetter(t.Context(), "id-acme", id, letter.ID)))
	got[api.Webhook](h)(root.ChangeWebhook(t.Context(), "id-acme", id, api.WebhookRequest{State: ptr(webhook.Active)}))
	again()
	if page = got[api.DeadLetterPage](h)(root.DeadLetters(t.Context(), "id-acme", id, api.DeadLettersParams{})); page.Total != 0 {
		t.Errorf("after it was taken: %+v", page)
	}
	h.post("bob", "/play", object{"gameType": "dice", "wager": minimum, "token": sol}).ok(http.StatusOK)
	h.works(worker, 2)
	if sent = h.hooks.Received(acmesHook); len(sent) != webhook.TriesMax+3 || sent[len(sent)-1].ID == letter.EventID {
		t.Errorf("%d messages were sent", len(sent))
	}
}

// TestAWebhookThatFailsIsDisabled after three days, with an alarm, and continues from its
// position.
func TestAWebhookThatFailsIsDisabled(t *testing.T) {
	t.Parallel()
	h, made := hookedBet(t)
	worker := h.casino.Webhooks.WebhookWorker()
	h.hooks.Answer(acmesHook, func(context.Context, webhook.Message) webhook.Response {
		return webhook.Response{Failure: webhook.TimedOut}
	})
	for range 3*24*2 + 10 {
		h.clock.Advance(30 * time.Minute)
		h.works(worker, 1)
	}
	clear(h.tokens)
	root := h.as("root")
	failed := got[api.Webhook](h)(root.Webhook(t.Context(), "id-acme", made.Webhook.ID))
	if failed.State != webhook.Disabled || *failed.Reason != "failing" || *failed.Next.Failure != "timeout" || failed.Next.Status != nil || failed.FailingSince == nil {
		t.Errorf("after three days: %+v %+v", failed.Next, failed)
	}
	if log := h.log.String(); strings.Count(log, alarm.WebhookDisabled.Message()) != 1 || strings.Contains(log, "hooks.acme.example.com") {
		t.Errorf("the log: %s", log)
	}
	tried := len(h.hooks.Received(acmesHook))
	h.works(worker, 5)
	if now := len(h.hooks.Received(acmesHook)); now != tried {
		t.Errorf("%d messages to a disabled endpoint", now-tried)
	}
	h.hooks.Answer(acmesHook, func(context.Context, webhook.Message) webhook.Response { return webhook.Response{Status: 200} })
	if on := got[api.Webhook](h)(root.ChangeWebhook(t.Context(), "id-acme", made.Webhook.ID, api.WebhookRequest{State: ptr(webhook.Active)})); on.FailingSince != nil || on.Next != nil {
		t.Errorf("enabled: %+v", on)
	}
	h.works(worker, 2)
	sent := h.hooks.Received(acmesHook)
	if len(sent) != tried+1 || sent[tried].ID != sent[0].ID {
		t.Errorf("%d messages after %d", len(sent), tried)
	}
}
