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

// forwards has alice bet and win at an operator's site, so that each statement for it
// is asked.
func (w *world) forwards() {
	w.Helper()
	ref := agent.FundsRef{Agent: player.HouseAgent, Token: money.SOL}
	caps := player.ProviderCaps{NetWin: money.Max, Loose: money.Max}
	commit := func(who wallet.Address, needs player.Needs, decide player.Decision) player.Change {
		w.Helper()
		needs.Tokens, needs.Launches, needs.Funds = []money.Token{money.SOL}, []string{"gold"}, []agent.FundsRef{ref}
		receipts, errs := w.together(player.Item{
			Wallet: who, At: w.now(), Claims: []player.Claim{{Kind: player.Operation, ID: w.id()}}, Needs: needs, Decide: decide,
		})
		if err := errors.Join(errs...); err != nil {
			w.Fatal(err)
		}
		return receipts[0].Change
	}
	commit("", player.Needs{}, func(v player.View) (player.Change, error) {
		return player.Funds(v, player.Funding{ID: "funding", Ref: ref, Amount: 1000, By: admin, At: w.now()}, w.id(), "")
	})
	commit(alice, player.Needs{}, func(v player.View) (player.Change, error) {
		return player.Launches(v, player.ProviderLaunch{Connection: "gold", Token: money.SOL, At: w.now()})
	})
	called := player.ProviderCallback{
		ID: w.id(), Ref: seamless.Ref{Connection: "gold", TxnID: "t", Provider: "MAKER", Game: "fruits"}, GameType: "slot",
		Caps: caps, Site: "https://acme.example/", Tokens: token.NewBook(token.Terms{Mint: money.SOL}), At: w.now(),
	}
	transact := func(kind seamless.Kind, asked seamless.Asked) seamless.Route {
		w.Helper()
		c := called
		c.Kind, c.Asked, c.ID = kind, asked, w.id()
		return commit(alice, player.Needs{Seamless: []seamless.Ref{c.Ref}}, func(v player.View) (player.Change, error) {
			return player.Transacts(v, c, []money.Token{money.SOL})
		}).Routes[0]
	}
	answer := func(r seamless.Route) {
		w.Helper()
		commit(alice, player.Needs{Routes: []string{r.ID}}, func(v player.View) (player.Change, error) {
			return player.AnswersRoute(v, player.RouteAnswer{RouteID: r.ID, Sent: r.Status, Site: r.Site, Word: seamless.Yes, CreditID: w.id(), Caps: caps, At: w.now()})
		})
	}
	answer(transact(seamless.Debit, seamless.Asked{Bet: "5"}))
	win := transact(seamless.Credit, seamless.Asked{Win: "7"})
	commit(alice, player.Needs{Routes: []string{win.ID}, Roles: []wallet.Address{admin}}, func(v player.View) (player.Change, error) {
		v.Roles = map[wallet.Address]rbac.Assignment{admin: {Wallet: admin, Role: rbac.Superadmin}}
		return player.OrdersRoute(v, player.RouteOrder{
			RouteID: win.ID, Word: seamless.Resend, Site: "https://new.example/", By: admin, Policy: rbac.DefaultPolicy(),
			AuditID: w.id(), At: w.now(),
		})
	})
	answer(win)
}
