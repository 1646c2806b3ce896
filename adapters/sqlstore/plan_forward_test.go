package sqlstore_test

import (
	"errors"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

// forwards lets alice bet and win at an agent's site, so that each statement for that is run.
func (w *world) forwards() {
	w.Helper()
	ref := agent.FundsRef{Agent: player.HouseAgent, Token: money.SOL}
	caps := player.ProviderCaps{NetWin: money.Max, WithoutDebit: money.Max, Connection: money.Max}
	commit := func(who wallet.Address, needs player.Needs, decide player.Decision) player.Change {
		w.Helper()
		needs.Hours = []seamless.HourRef{{Connection: "gold", Token: money.SOL}}
		needs.Tokens, needs.Launches, needs.Funds = []money.Token{money.SOL}, []string{"gold"}, []agent.FundsRef{ref}
		receipts, errs := w.together(player.Item{
			Wallet: who, At: w.now(), Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: w.id()}}, Needs: needs, Decide: decide,
		})
		if err := errors.Join(errs...); err != nil {
			w.Fatal(err)
		}
		return receipts[0].Change
	}
	commit("", player.Needs{}, func(v player.View) (player.Change, error) {
		return player.Fund(v, player.Funding{ID: "funding", Ref: ref, Amount: 1000, By: admin, At: w.now()}, w.id(), "")
	})
	commit(alice, player.Needs{}, func(v player.View) (player.Change, error) {
		return player.Launch(v, player.ProviderLaunch{Connection: "gold", Token: money.SOL, At: w.now()})
	})
	called := player.ProviderCallback{
		ID: w.id(), Ref: seamless.Ref{Connection: "gold", TxnID: "t", Provider: "MAKER", Game: "fruits"}, GameType: "slot",
		Caps: caps, Site: "https://acme.example/", Tokens: token.NewBook(token.Terms{Mint: money.SOL}), At: w.now(),
	}
	transact := func(kind seamless.Kind, asked seamless.Requested) seamless.Delivery {
		w.Helper()
		c := called
		c.Kind, c.Requested, c.ID = kind, asked, w.id()
		return commit(alice, player.Needs{Seamless: []seamless.Ref{c.Ref}}, func(v player.View) (player.Change, error) {
			return player.Transact(v, c)
		}).Deliveries[0]
	}
	answer := func(r seamless.Delivery) {
		w.Helper()
		commit(alice, player.Needs{Deliveries: []string{r.ID}}, func(v player.View) (player.Change, error) {
			return player.SettleDelivery(v, player.DeliveryResponse{DeliveryID: r.ID, Sent: r.Status, Site: r.Site, Event: seamless.SiteAccepted, CreditID: w.id(), Caps: caps, At: w.now()})
		})
	}
	answer(transact(seamless.Debit, seamless.Requested{Bet: "5"}))
	win := transact(seamless.Credit, seamless.Requested{Win: "7"})
	commit(alice, player.Needs{Deliveries: []string{win.ID}, Roles: []wallet.Address{admin}}, func(v player.View) (player.Change, error) {
		v.Roles = map[wallet.Address]rbac.Assignment{admin: {Wallet: admin, Role: rbac.Superadmin}}
		return player.DecideDelivery(v, player.DeliveryDecision{
			DeliveryID: win.ID, Event: seamless.Resend, Site: "https://new.example/", By: admin, Policy: rbac.DefaultPolicy(),
			AuditID: w.id(), At: w.now(),
		})
	})
	answer(win)
}
