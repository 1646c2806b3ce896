package providers_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/golang/mock/gomock"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/mocks"
)

// callOf is a provider's transaction of a player.
func callOf(who app.Caller, txn string, kind seamless.Kind, bet, win seamless.Decimal) kernel.ProviderCall {
	return kernel.ProviderCall{
		UserCode: string(who.Wallet), TxnID: txn, Kind: string(kind), GameType: "slot", Provider: "SPIN", Game: "bells", Bet: bet, Win: win,
	}
}

// A callback that can't be read commits nothing.
func TestMalformedCallbacksCommitNothing(t *testing.T) {
	t.Parallel()
	h := open(t, apptest.WithSlots)
	alice := h.NewSeatedPlayer("acme", "alice", 10_000)
	mocked, _ := h.Mocked()
	for name, change := range map[string]func(*kernel.ProviderCall){
		"no wallet":       func(c *kernel.ProviderCall) { c.UserCode = "?" },
		"no transaction":  func(c *kernel.ProviderCall) { c.TxnID = "" },
		"an unknown kind": func(c *kernel.ProviderCall) { c.Kind = "gift" },
	} {
		call := callOf(alice, "txn", seamless.Debit, "10", "")
		if change(&call); apptest.ErrorOf(mocked.Providers.ProviderTransact(h.Ctx, call)) == nil {
			t.Errorf("a callback with %s was taken", name)
		}
	}
}

// A callback with a commit that gets no answer is committed once: the provider repeats it
// and gets the first response.
func TestACallbackOfUnknownOutcomeIsCommittedOnce(t *testing.T) {
	t.Parallel()
	for name, call := range map[string]kernel.ProviderCall{
		"a bet": callOf(apptest.Caller("alice"), "bet", seamless.Debit, "10", ""),
		"a win": callOf(apptest.Caller("alice"), "win", seamless.Credit, "", "10"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, apptest.WithSlots)
			h.NewSeatedPlayer("acme", "alice", 10_000)
			mocked, m := h.Mocked()
			m.LoseCommit().Times(1)
			if _, err := mocked.Providers.ProviderTransact(h.Ctx, call); !errors.Is(err, apptest.ErrUnknown) {
				t.Fatal(err)
			}
			m.Commit().AnyTimes()
			h.CheckUnchanged(func() { apptest.OK(mocked.Providers.ProviderTransact(h.Ctx, call))(t) })
		})
	}
}

// withSite returns a casino over mocks with a player's money at an agent's site.
func withSite(t *testing.T) (*apptest.House, *apptest.Mocks, *mocks.MockAgentSite, app.Caller) {
	t.Helper()
	h, site := open(t, apptest.WithSlots), mocks.NewMockAgentSite(gomock.NewController(t))
	sited := h.Remade(func(d *app.Deps) {
		connection := *d.Provider
		connection.Sites = site
		d.Provider, d.Settings.LocalSites = &connection, true
	})
	endpoint := "http://127.0.0.1:8877/site"
	root := h.NewAdmin("root", "superadmin")
	acme, _, err := sited.Admin.CreateAgent(h.Ctx, root, "acme", admin.AgentRequest{Name: new("Acme"), SiteEndpoint: &endpoint})
	if err != nil {
		t.Fatal(err)
	}
	apptest.OK(sited.Admin.FundAgent(h.Ctx, root, apptest.Funding(acme, 1_000)))(t)
	site.EXPECT().PlayerBalance(gomock.Any(), gomock.Any(), gomock.Any()).Return(seamless.Decimal("100"), nil).AnyTimes()
	alice := sited.NewSeatedPlayer("acme", "alice", 10_000)
	mocked, m := sited.Mocked()
	return mocked, m, site, alice
}

// A forwarded bet is committed, then sent to the site, then settled. If the outcome at the
// site is unknown, nothing is sent again in the same call.
func TestAForwardedBetIsCommittedSentAndSettled(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		response ports.SiteResponse
		err      error
		reason   seamless.Reason
	}{
		"accepted":           {response: ports.SiteResponse{Accepted: true, Balance: "90"}},
		"refused":            {response: ports.SiteResponse{Balance: "5", Reason: seamless.InsufficientFunds}, reason: seamless.InsufficientFunds},
		"an unknown outcome": {err: apptest.ErrUnknown, reason: seamless.AgentSeamless},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, m, site, alice := withSite(t)
			var calls []string
			m.Writer.EXPECT().Commit(gomock.Any(), gomock.Any()).DoAndReturn(func(ctx context.Context, item player.Item) (player.Receipt, error) {
				receipt, err := h.Store.Commit(ctx, item)
				if err == nil {
					calls = append(calls, "commit")
				}
				return receipt, err
			}).AnyTimes()
			site.EXPECT().Send(gomock.Any(), gomock.Any(), gomock.Any()).DoAndReturn(func(any, any, any) (ports.SiteResponse, error) {
				calls = append(calls, "send")
				return c.response, c.err
			}).AnyTimes()
			answer := apptest.OK(h.Providers.ProviderTransact(h.Ctx, callOf(alice, "bet", seamless.Debit, "10", "")))(t)
			apptest.Equal(t, "reason", answer.Reason, c.reason)
			apptest.Equal(t, "calls", strings.Join(calls, ", "), "commit, send, commit")
		})
	}
}

// A forwarded bet isn't sent to the site if its commit gets no answer.
func TestAForwardedBetOfUnknownCommitIsNotSent(t *testing.T) {
	t.Parallel()
	h, m, _, alice := withSite(t)
	m.LoseCommit().Times(1)
	if _, err := h.Providers.ProviderTransact(h.Ctx, callOf(alice, "bet", seamless.Debit, "10", "")); !errors.Is(err, apptest.ErrUnknown) {
		t.Fatal(err)
	}
}

// A win in review is decided with a role only.
func TestReviewsAreDecidedWithARoleOnly(t *testing.T) {
	t.Parallel()
	h := open(t, apptest.WithSlots)
	alice := h.NewSeatedPlayer("acme", "alice", 10_000)
	h.Transact(alice, "win", seamless.Credit, "", "5000")
	review := h.openReview()
	mocked, _ := h.Mocked()
	for _, who := range []app.Caller{alice, h.NewAdmin("rob", "readonly")} {
		decision := providers.ReviewDecision{ID: review.ID, Pay: true, Reason: "looked at"}
		apptest.Refused(t, apptest.ErrorOf(mocked.Providers.DecideProviderReview(h.Ctx, who, decision)), fault.AdminForbidden)
	}
}
