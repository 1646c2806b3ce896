package conformance

import (
	"fmt"
	"testing"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Routes is the suite of ports.Routes, and of what the Writer makes of
// transactions that are forwarded to operators' sites.
func Routes(t *testing.T, newStore func(t *testing.T) Store) {
	run(t, newStore, []story{
		{"a bet is reserved while its site is asked and moves agent to provider when it says yes", forwardedBetIsPaid},
		{"a bet that the site refuses or says nothing to is refused for good and free again", forwardedBetIsRefused},
		{"a word that a route doesn't wait for changes nothing", routeWaitsForItsWord},
		{"a word on another message than the route waits for changes nothing", routeKnowsItsMessages},
		{"a bet is given back that was refused for good and taken", forwardedBetIsReversed},
		{"a credit follows the site of its debit and moves provider to agent", forwardedCreditFollows},
		{"a whole round is its debit and then its credit", forwardedRoundIsTwoLegs},
		{"a win in review is delivered when a person lets it through", forwardedReviewIsDelivered},
		{"a repeat meets the first answer, or that there is none yet", forwardedRepeatIsAnswered},
		{"routes are found by id, transaction and status, open ones oldest first", routesAreFound},
		{"a person sends a route elsewhere or closes it", routeIsOrdered},
		{"limits count a bet while it is asked for", limitsCountAskedBets},
		{"a route that isn't what its transaction tells is refused", lyingRouteIsRefused},
		{"a lost commit is found out and nothing is reserved or booked twice", lostForwardIsFoundOut},
		{"routes and funds outlive reopening", routesOutlive},
	})
}

const theSite = "https://acme.example/wallet"

// operator is an agent with a site and so much prepaid.
func (b *bench) operator(code string, prepaid int64, limit money.Amount) {
	b.Helper()
	b.grant(admin, "superadmin")
	a := b.acme(code)
	a.SiteEndpoint = theSite
	b.keepAgent(a, nil)
	ref := agent.FundsRef{Agent: code, Token: money.SOL}
	if limit > 0 {
		b.commit(b.limits(ref, limit))
	}
	if prepaid != 0 {
		b.commit(b.funds(ref, prepaid))
	}
}

// member signs a player of the operator in and lets him launch.
func (b *bench) member(w wallet.Address, code string) {
	b.Helper()
	b.commit(b.loginAs(w, b.now().UnixMilli(), code))
	b.commit(b.launch(w, money.SOL, 0))
}

// forwarded is an item of a callback that goes to the site.
func (b *bench) forwarded(w wallet.Address, code, txn string, kind seamless.Kind, bet, win seamless.Decimal) player.Item {
	return b.forwardedIn(w, code, txn, kind, bet, win, generous)
}

func (b *bench) forwardedIn(w wallet.Address, code, txn string, kind seamless.Kind, bet, win seamless.Decimal, caps player.ProviderCaps) player.Item {
	c := player.ProviderCallback{
		ID: b.id(), Ref: seamless.Ref{Connection: connection, TxnID: txn, Provider: "MAKER", Game: "fruits"},
		Kind: kind, GameType: "slot", Asked: seamless.Asked{Bet: bet, Win: win}, Caps: caps, Site: theSite,
		Tokens: token.NewBook(terms(money.SOL), terms(usd)), At: b.now(),
	}
	return player.Item{
		Wallet: w, At: c.At, Claims: player.ProviderClaims(connection, txn, kind),
		Needs: player.Needs{
			Tokens: []money.Token{money.SOL}, Launches: []string{connection}, Seamless: []seamless.Ref{c.Ref},
			Funds: []agent.FundsRef{{Agent: code, Token: money.SOL}},
		},
		Decide: func(v player.View) (player.Change, error) { return player.Transacts(v, c, []money.Token{money.SOL}) },
	}
}

// bet begins a bet of the operator's player and returns its route.
func (b *bench) bet(w wallet.Address, code, txn string, amount seamless.Decimal) seamless.Route {
	b.Helper()
	change := b.commit(b.forwarded(w, code, txn, seamless.Debit, amount, "")).Change
	if change.Seamless != nil || len(change.Routes) != 1 {
		b.Fatalf("a forwarded bet: %+v", change.Seamless)
	}
	return change.Routes[0]
}

// heard is an item of a site's word on a route.
func (b *bench) heard(r seamless.Route, word seamless.Word) player.Item {
	a := player.RouteAnswer{
		RouteID: r.ID, Sent: r.Status, Site: r.Site, Word: word, Balance: 77, Reason: seamless.InsufficientFunds, CreditID: b.id(), Caps: generous, At: b.now(),
	}
	if !word.Answers() {
		a.Balance, a.Reason = 0, seamless.AgentSeamless
	}
	return player.Item{
		Wallet: r.Wallet, At: a.At, Claims: []player.Claim{{Kind: player.Operation, ID: b.id()}},
		Needs: player.Needs{
			Routes: []string{r.ID}, Launches: []string{connection}, Funds: []agent.FundsRef{{Agent: r.Agent, Token: r.Token}},
		},
		Decide: func(v player.View) (player.Change, error) { return player.AnswersRoute(v, a) },
	}
}

func (b *bench) fundsIn(code string) agent.Funds {
	b.Helper()
	for _, line := range must(b.FundsOf(background, code))(b) {
		if line.Token == money.SOL {
			return line.Funds
		}
	}
	return agent.Funds{}
}

func forwardedBetIsPaid(b *bench) {
	b.operator("acme", 1000, 500)
	b.member(alice, "acme")
	r := b.bet(alice, "acme", "t1", "300")
	b.same("while it is asked", b.fundsIn("acme"), agent.Funds{Balance: 1000, Reserved: 300, CreditLimit: 500})
	if r.Status != seamless.Asking || r.Site != theSite || r.Amount != 300 || r.SiteTxnID != "t1" {
		b.Errorf("the route is %+v", r)
	}
	change := b.commit(b.heard(r, seamless.Yes)).Change
	b.same("when it is paid", b.fundsIn("acme"), agent.Funds{Balance: 700, CreditLimit: 500})
	t := *change.Seamless
	if t.Status != seamless.Taken || t.Bet != 300 || t.Balance != 77 || t.Site != theSite {
		b.Errorf("the transaction is %+v", t)
	}
	b.same("transaction", must(b.SeamlessTransaction(background, t.ID))(b), t)
	if got := b.totalOf(ledger.AgentOf("acme"), money.SOL); got.String() != "700" {
		b.Errorf("the agent stands at %v", got)
	}
	if got := b.totalOf(ledger.ProviderOf(connection), money.SOL); got.String() != "300" {
		b.Errorf("the provider stands at %v", got)
	}
	if round := must(b.Round(background, t.RoundID))(b); round.Wager != 300 || round.Agent != "acme" {
		b.Errorf("the round is %+v", round)
	}
	if b.balance(alice) != 0 {
		b.Errorf("alice has %d here", b.balance(alice))
	}
	b.sound()
}

func forwardedBetIsRefused(b *bench) {
	b.operator("acme", 1000, 0)
	b.member(alice, "acme")
	for i, word := range []seamless.Word{seamless.No, seamless.Silent} {
		r := b.bet(alice, "acme", fmt.Sprint("t", i), "300")
		change := b.commit(b.heard(r, word)).Change
		want := map[seamless.Word]seamless.Reason{seamless.No: seamless.InsufficientFunds, seamless.Silent: seamless.AgentSeamless}[word]
		if t := change.Seamless; t.Status != seamless.Refused || t.Reason != want || t.Bet != 0 {
			b.Errorf("after %s: %+v", word, t)
		}
		b.same("funds", b.fundsIn("acme"), agent.Funds{Balance: 1000})
		b.same("the first answer", b.replay(b.forwarded(alice, "acme", r.TxnID, seamless.Debit, "300", "")).Change.Seamless.Status, seamless.Undecided)
	}
	over := b.commit(b.forwarded(alice, "acme", "over", seamless.Debit, "1001", "")).Change
	if over.Seamless == nil || over.Seamless.Reason != seamless.AgentFunds || len(over.Routes) != 0 {
		b.Errorf("a bet that the funds don't cover: %+v", over)
	}
	b.sound()
}

func routeWaitsForItsWord(b *bench) {
	b.operator("acme", 1000, 0)
	b.member(alice, "acme")
	r := b.bet(alice, "acme", "t1", "300")
	b.commit(b.heard(r, seamless.Yes))
	for _, word := range []seamless.Word{seamless.Yes, seamless.No, seamless.Silent, seamless.Close} {
		b.refuse(b.heard(r, word), fault.InvalidState)
	}
	b.refuse(b.heard(seamless.Route{ID: "nothing", Wallet: alice, Agent: "acme", Token: money.SOL}, seamless.Yes), fault.NotFound)
	foreign := b.bet(alice, "acme", "t2", "1")
	foreign.Wallet = bob
	b.refuse(b.heard(foreign, seamless.Yes), fault.NotFound)
	b.sound()
}

// routeKnowsItsMessages lets two hear the same yes to a bet that was refused for good:
// the second must not pass for a yes to its return.
func routeKnowsItsMessages(b *bench) {
	b.operator("acme", 1000, 0)
	b.member(alice, "acme")
	asked := b.bet(alice, "acme", "t1", "300")
	unknown := b.commit(b.heard(asked, seamless.Silent)).Change.Routes[0]
	b.commit(b.heard(asked, seamless.Unsent)) // said of a message that wasn't sent: it stays unknown
	reversing := b.commit(b.heard(asked, seamless.Yes)).Change.Routes[0]
	if reversing.Status != seamless.Reversing {
		b.Errorf("a late yes makes it %s", reversing.Status)
	}
	for _, stale := range []seamless.Route{asked, unknown} {
		b.refuse(b.heard(stale, seamless.Yes), fault.InvalidState)
		b.refuse(b.heard(stale, seamless.No), fault.InvalidState)
	}
	b.same("the route", must(b.Route(background, asked.ID))(b), reversing)
	gone := b.bet(alice, "acme", "t2", "300")
	if t := b.commit(b.heard(gone, seamless.Unsent)).Change; t.Seamless.Status != seamless.Refused || t.Routes[0].Status != seamless.Declined {
		b.Errorf("a bet that was never sent: %+v", t)
	}
	b.sound()
}

func forwardedBetIsReversed(b *bench) {
	b.operator("acme", 1000, 0)
	b.member(alice, "acme")
	r := b.bet(alice, "acme", "t1", "300")
	for _, step := range []struct {
		word seamless.Word
		want seamless.RouteStatus
	}{{seamless.Silent, seamless.Unknown}, {seamless.Yes, seamless.Reversing}, {seamless.Yes, seamless.Reversed}} {
		change := b.commit(b.heard(r, step.word)).Change
		r = change.Routes[0]
		if r.Status != step.want {
			b.Errorf("after %s it is %s", step.word, r.Status)
		}
		if id, leg := r.Message(); r.Status == seamless.Reversing && (id != "reversal-"+r.ID || leg != seamless.Credit) {
			b.Errorf("it is given back as %s %s", leg, id)
		}
		b.same("funds", b.fundsIn("acme"), agent.Funds{Balance: 1000})
	}
	b.same("the route", must(b.Route(background, r.ID))(b), r)
	b.sound()
}

func forwardedCreditFollows(b *bench) {
	b.operator("acme", 1000, 0)
	b.member(alice, "acme")
	b.commit(b.heard(b.bet(alice, "acme", "t1", "300"), seamless.Yes))
	item := b.forwarded(alice, "acme", "t1", seamless.Credit, "", "450.9")
	change := b.commit(item).Change
	if t := change.Seamless; t.Status != seamless.Taken || t.Win != 450 || t.Residue != "0.9" || t.Site != theSite {
		b.Fatalf("the credit is %+v", t)
	}
	r := change.Routes[0]
	if r.Status != seamless.Delivering || r.Leg != seamless.Credit || r.Amount != 450 {
		b.Errorf("its route is %+v", r)
	}
	b.same("funds", b.fundsIn("acme"), agent.Funds{Balance: 1150})
	r = b.commit(b.heard(r, seamless.Yes)).Change.Routes[0]
	if r.Status != seamless.Delivered || r.Balance != 77 {
		b.Errorf("told, it is %+v", r)
	}
	if b.balance(alice) != 0 {
		b.Errorf("alice has %d here", b.balance(alice))
	}
	round := must(b.Rounds(background, ports.RoundFilter{Wallet: alice}, whole))(b).Rounds
	if len(round) != 1 || round[0].Payout != 450 {
		b.Errorf("the rounds are %+v", round)
	}
	b.sound()
}

func forwardedRoundIsTwoLegs(b *bench) {
	b.operator("acme", 1000, 0)
	b.member(alice, "acme")
	r := b.commit(b.forwarded(alice, "acme", "t1", seamless.DebitCredit, "300", "50")).Change.Routes[0]
	change := b.commit(b.heard(r, seamless.Yes)).Change
	if t := change.Seamless; t.Bet != 300 || t.Win != 50 || t.Kind != seamless.DebitCredit {
		b.Errorf("the transaction is %+v", t)
	}
	b.same("funds", b.fundsIn("acme"), agent.Funds{Balance: 750})
	legs := must(b.RoutesOf(background, r.TransactionID))(b)
	b.same("legs", legs, change.Routes)
	if len(legs) != 2 || legs[0].Status != seamless.Paid || legs[1].Status != seamless.Delivering || legs[1].Leg != seamless.Credit {
		b.Fatalf("the legs are %+v", legs)
	}
	b.commit(b.heard(legs[1], seamless.Yes))
	b.sound()
}

func forwardedReviewIsDelivered(b *bench) {
	b.operator("acme", 1000, 0)
	b.member(alice, "acme")
	item := b.forwardedIn(alice, "acme", "big", seamless.Credit, "", "900", player.ProviderCaps{NetWin: 10, Loose: 10})
	change := b.commit(item).Change
	t := *change.Seamless
	if t.Status != seamless.Review || len(change.Routes) != 0 {
		b.Fatalf("a win above the caps: %+v", change)
	}
	settle := b.settleReview(t, admin, true)
	settle.Needs.Funds = []agent.FundsRef{{Agent: "acme", Token: money.SOL}}
	settled := b.commit(settle).Change
	if len(settled.Routes) != 1 || settled.Routes[0].SiteTxnID != seamless.SettlementID(settled.Seamless.ID) || settled.Routes[0].Amount != 900 {
		b.Errorf("let through it is %+v", settled.Routes)
	}
	b.same("funds", b.fundsIn("acme"), agent.Funds{Balance: 1900})
	b.sound()
}

func forwardedRepeatIsAnswered(b *bench) {
	b.operator("acme", 1000, 0)
	b.member(alice, "acme")
	again := func() seamless.Transaction {
		b.Helper()
		return *b.replay(b.forwarded(alice, "acme", "t1", seamless.Debit, "300", "")).Change.Seamless
	}
	r := b.bet(alice, "acme", "t1", "300")
	first := again()
	b.same("while it is asked", first, r.Draft())
	b.commit(b.heard(r, seamless.Yes))
	b.same("afterwards", again(), first) // what became of it is the transaction of that id
	if !first.Same(alice, r.Ref, seamless.Debit, seamless.Asked{Bet: "300"}) {
		b.Errorf("a repeat isn't known as one: %+v", first)
	}
	b.sound()
}
