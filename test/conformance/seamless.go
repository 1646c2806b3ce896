package conformance

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Launches is the suite of ports.Launches.
func Launches(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, launchesCases)
}

var launchesCases = []story{
	{"a launch comes back as it stands", Rows, func(b *bench) {
		b.signIn(alice, 5)
		first := *b.commit(b.launch(alice, money.SOL, 3)).Change.Launch
		b.same("launch", must(b.Launch(background, alice, connection))(b), first)
		again := *b.commit(b.launch(alice, usd, 6)).Change.Launch
		b.errorIf(!again.FirstAt.Equal(first.FirstAt) || !again.At.After(first.At) || again.Token != usd || again.Scale != 6,
			"launched again: %+v after %+v", again, first)
		b.same("launch", must(b.Launch(background, alice, connection))(b), again)
		b.sound()
	}},
	{"a wallet that never launched there is not found", Rows, func(b *bench) {
		b.guest(alice, 5)
		for _, who := range []struct {
			w          wallet.Address
			connection string
		}{{bob, connection}, {alice, "other"}, {alice, ""}} {
			b.fails(fault.NotFound, errorOf(b.Launch(background, who.w, who.connection)), "launch of ", who.w, " at ", who.connection)
		}
		b.refuse(b.callback(bob, "t", seamless.Debit, "1", ""), fault.InvalidUser)
	}},
	{"those who launched since a moment are listed by wallet", Rows, func(b *bench) {
		b.guest(alice, 5)
		since := b.now()
		b.guest(bob, 5)
		b.guest(carol, 5)
		listed := func(connection string, since time.Time, after wallet.Address, limit int) []wallet.Address {
			b.Helper()
			var all []wallet.Address
			for _, l := range must(b.LaunchedSince(background, connection, since, after, limit))(b) {
				all = append(all, l.Wallet)
			}
			return all
		}
		later := []wallet.Address{bob, carol}
		slices.Sort(later)
		all := []wallet.Address{alice, bob, carol}
		slices.Sort(all)
		b.same("since the moment", listed(connection, since, "", 9), later)
		b.same("after the first", listed(connection, since, later[0], 9), later[1:])
		b.same("the first of all", listed(connection, since.Add(-time.Hour), "", 1), all[:1])
		b.same("at another", len(listed("other", since.Add(-time.Hour), "", 9)), 0)
	}},
}

// SeamlessTransactions is the suite of ports.SeamlessTransactions, and of the Writer's handling
// of providers' transactions.
func SeamlessTransactions(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, seamlessTransactionsCases, rollbackCases, hoursCases)
}

var seamlessTransactionsCases = []story{
	{"debits and credits move money between player and provider", Rows, func(b *bench) {
		b.guest(alice, 10_000)
		b.asked(alice, "t1", seamless.Debit, "1.5", "")
		b.asked(alice, "t1", seamless.Credit, "", "4.0005")
		b.asked(alice, "t2", seamless.DebitCredit, "2", "0.25")
		b.same("alice has", b.balance(alice), 10_000-1500+4000-2000+250)
		b.same("the provider stands at", b.totalOf(ledger.ProviderOf(connection), money.SOL), "-750")
		b.sound()
	}},
	{"a debit and its credits are one round among the house's own", Rows, func(b *bench) {
		b.guest(alice, 1_000_000)
		b.guest(bob, 1_000_000)
		own := b.commit(b.play(alice, 10)).Change.Round
		debit := b.asked(alice, "t1", seamless.Debit, "2", "")
		b.asked(bob, "t2", seamless.DebitCredit, "1", "0")
		later := b.commit(b.play(alice, 10)).Change.Round
		b.asked(alice, "t1", seamless.Credit, "", "3")
		b.asked(alice, "another", seamless.Credit, "", "1") // of the newest debit of the game
		want := bet.Round{
			ID: debit.ID, Wallet: alice, Agent: player.HouseAgent, Source: "MAKER", GameType: "fruits", Token: money.SOL,
			Wager: 2000, Payout: 4000, Multiplier: money.Ratio{Num: 2, Den: 1}, Balance: b.balance(alice), At: debit.At,
		}
		b.same("round", must(b.Round(background, debit.ID))(b), want)
		ids := func(rounds []bet.Round) (all []string) {
			for _, r := range rounds {
				all = append(all, r.ID)
			}
			return all
		}
		page := must(b.Rounds(background, ports.RoundFilter{Wallet: alice}, whole))(b)
		b.same("alice's rounds", ids(page.Rounds), []string{later.ID, debit.ID, own.ID})
		b.same("the provider's", ids(must(b.Rounds(background, ports.RoundFilter{Wallet: alice, GameType: "fruits"}, whole))(b).Rounds), []string{debit.ID})
		recent := must(b.RecentRounds(background, 3))(b)
		b.errorIf(len(recent) != 3 || recent[0].ID != later.ID || recent[2].ID != debit.ID, "recent rounds: %v", ids(recent))
		var walked []string
		for cursor, number := "", 1; ; number++ {
			one := must(b.Rounds(background, ports.RoundFilter{}, ports.Page{Number: 1, Limit: 1, After: cursor}))(b)
			byNumber := must(b.Rounds(background, ports.RoundFilter{}, ports.Page{Number: number, Limit: 1}))(b)
			b.same("page and cursor", ids(byNumber.Rounds), ids(one.Rounds))
			b.same("total", one.Total, 4)
			walked = append(walked, ids(one.Rounds)...)
			if cursor = one.Next; cursor == "" {
				break
			}
		}
		if !slices.IsSortedFunc(walked, func(x, y string) int { return -compareText(x, y) }) || len(walked) != 4 {
			b.Errorf("walked %v", walked)
		}
		b.sound()
	}},
	{"a refused debit is kept and answered again", Logic, func(b *bench) {
		b.guest(alice, 1000)
		item := b.callback(alice, "t", seamless.Debit, "1.001", "")
		refused := *b.commit(item).Change.Seamless
		b.fatalIf(refused.Status != seamless.Refused || refused.Reason != seamless.InsufficientFunds || refused.Balance != 1000,
			"an overdraft: %+v", refused)
		b.commit(b.credit(alice, "more", money.SOL, 5000))
		b.same("answered again", b.replay(b.callback(alice, "t", seamless.Debit, "1.001", "")).Change.Seamless, &refused)
		finer := b.asked(alice, "fine", seamless.Debit, "0.0001", "")
		b.errorIf(finer.Status != seamless.Refused || finer.Reason != seamless.InvalidAmount,
			"a bet finer than the scale: %+v", finer)
		b.same("alice has", b.balance(alice), 6000)
		b.sound()
	}},
	{"a leg is used once, for all players", Rows, func(b *bench) {
		b.guest(alice, 10_000)
		b.guest(bob, 10_000)
		first := b.commit(b.callback(alice, "t", seamless.DebitCredit, "1", "2")).Change.Seamless
		for _, again := range []player.Item{
			b.callback(alice, "t", seamless.Debit, "1", ""), b.callback(alice, "t", seamless.Credit, "", "2"),
			b.callback(bob, "t", seamless.DebitCredit, "1", "2"), b.callback(bob, "t", seamless.Credit, "", "9"),
		} {
			b.same("what is held", b.replay(again).Change.Seamless, first)
		}
		b.sound()
	}},
	{"a hundred transactions at once are each counted once", Races, func(b *bench) {
		b.guest(alice, 1_000_000)
		items := make([]player.Item, 300)
		for i := range items {
			kind := []seamless.Kind{seamless.Debit, seamless.Credit, seamless.DebitCredit}[i%3]
			items[i] = b.callback(alice, fmt.Sprint("t", i/3%20*2+i%3/2), kind, "1", "2")
		}
		b.commitAll(items)
		b.same("alice has", b.balance(alice), 1_000_000-20_000+40_000-20_000+40_000)
		b.sound()
	}},
	{"a transaction comes back as it was answered", Rows, func(b *bench) {
		b.guest(alice, 10_000)
		won := b.asked(alice, "t1", seamless.DebitCredit, "1", "2.00055")
		b.same("the residue is", won.Residue, "0.55")
		b.same("transaction", must(b.SeamlessTransaction(background, won.ID))(b), won)
		b.fails(fault.NotFound, errorOf(b.SeamlessTransaction(background, "nothing")), "no transaction")
	}},
	{"filters narrow the transactions", Rows, func(b *bench) {
		b.guest(alice, 10_000)
		b.guest(bob, 10_000)
		first := b.asked(alice, "t1", seamless.Debit, "1", "")
		second := b.asked(bob, "t2", seamless.Debit, "1", "")
		third := b.asked(alice, "t3", seamless.Debit, "99", "")
		for _, c := range []struct {
			filter ports.SeamlessFilter
			want   []seamless.Transaction
		}{
			{ports.SeamlessFilter{}, []seamless.Transaction{third, second, first}},
			{ports.SeamlessFilter{Wallet: alice}, []seamless.Transaction{third, first}},
			{ports.SeamlessFilter{Connection: connection, From: second.At}, []seamless.Transaction{third, second}},
			{ports.SeamlessFilter{To: second.At}, []seamless.Transaction{first}},
			{ports.SeamlessFilter{Agent: "acme"}, []seamless.Transaction{}},
			{ports.SeamlessFilter{Agent: player.HouseAgent, Wallet: bob}, []seamless.Transaction{second}},
			{ports.SeamlessFilter{Connection: "other"}, []seamless.Transaction{}},
			{ports.SeamlessFilter{Open: true}, []seamless.Transaction{}},
		} {
			b.same(fmt.Sprintf("%+v", c.filter), must(b.SeamlessTransactions(background, c.filter, whole))(b).Transactions, c.want)
		}
	}},
	{"a win in review waits until an admin decides", Logic, func(b *bench) {
		b.guest(alice, 10_000)
		b.grant(admin, "superadmin")
		caps := player.ProviderCaps{NetWin: 1500, WithoutDebit: 500, Connection: money.Max}
		taken := b.commit(b.callbackIn(alice, "t1", seamless.DebitCredit, "1", "2.5", caps)).Change.Seamless
		over := b.commit(b.callbackIn(alice, "t2", seamless.DebitCredit, "1", "1.001", caps)).Change.Seamless
		item := b.callbackIn(alice, "t4", seamless.Credit, "", "0.501", caps)
		b.fatalIf(taken.Status != seamless.Taken || over.Status != seamless.Review || over.Reason != seamless.OverNetCap,
			"wins at the cap: %+v, above it: %+v", taken, over)
		b.same("alice has", b.balance(alice), 10_000-1000+2500-1000)
		late := b.commit(item).Change.Seamless // of t2's debit: within the net cap again, which the bet lowered
		b.errorIf(late.Status != seamless.Taken || late.RoundID != over.RoundID, "a credit of a debit: %+v", late)
		open := must(b.SeamlessTransactions(background, ports.SeamlessFilter{Open: true}, whole))(b).Transactions
		b.same("open", open, []seamless.Transaction{*over})
		b.refuse(b.settleReview(*over, other, true), fault.AdminForbidden)
		before := b.balance(alice)
		settled := b.commit(b.settleReview(*over, admin, true)).Change.Seamless
		b.replay(b.settleReview(*over, admin, false))
		got := b.balance(alice)
		b.errorIf(got != before+1001 || settled.Kind != seamless.Settlement, "alice has %d after %d: %+v", got, before, settled)
		if open := must(b.SeamlessTransactions(background, ports.SeamlessFilter{Open: true}, whole))(b); len(open.Transactions) != 0 {
			b.Errorf("still open: %+v", open)
		}
		b.sound()
	}},
}

const connection = "gold"

var generous = player.ProviderCaps{NetWin: money.Max, WithoutDebit: money.Max, Connection: money.Max}

// launch returns an item of a player's launch of a provider's game.
func (b *bench) launch(w wallet.Address, mint money.Token, scale seamless.Scale) player.Item {
	id, at := b.id(), b.now()
	return itemOf(w, at, operation(id), player.Needs{Launches: []string{connection}, Tokens: []money.Token{mint}},
		func(v player.View) (player.Change, error) {
			return player.Launch(v, player.ProviderLaunch{Connection: connection, Token: mint, Scale: scale, At: at})
		})
}

// callback returns an item of a provider's transaction.
func (b *bench) callback(w wallet.Address, txn string, kind seamless.Kind, bet, win seamless.Decimal) player.Item {
	return b.callbackIn(w, txn, kind, bet, win, generous)
}

func (b *bench) callbackIn(w wallet.Address, txn string, kind seamless.Kind, bet, win seamless.Decimal, caps player.ProviderCaps) player.Item {
	return b.callbackOf(w, txn, kind, bet, win, "", caps)
}

func (b *bench) callbackOf(w wallet.Address, txn string, kind seamless.Kind, bet, win seamless.Decimal, reference string, caps player.ProviderCaps) player.Item {
	c := player.ProviderCallback{
		ID: b.id(), Ref: seamless.Ref{Connection: connection, TxnID: txn, Provider: "MAKER", Game: "fruits"},
		Kind: kind, GameType: "slot", Reference: reference, Requested: seamless.Requested{Bet: bet, Win: win}, Caps: caps,
		Tokens: token.NewBook(terms(money.SOL), terms(usd)), At: b.now(),
	}
	tokens := []money.Token{money.SOL, usd}
	return player.Item{
		Wallet: w, At: c.At, Keys: player.ProviderKeys(connection, txn, kind),
		Needs: player.Needs{
			Tokens: tokens, Launches: []string{connection}, Seamless: []seamless.Ref{c.RoundRef()},
			Hours: slices.Concat(c.Hours(money.SOL, 3), c.Hours(usd, 0)),
		},
		Decide: func(v player.View) (player.Change, error) { return player.Transact(v, c) },
	}
}

// asked commits a callback and returns the transaction.
func (b *bench) asked(w wallet.Address, txn string, kind seamless.Kind, bet, win seamless.Decimal) seamless.Transaction {
	b.Helper()
	return *b.commit(b.callback(w, txn, kind, bet, win)).Change.Seamless
}

// guest signs a wallet in and launches a game in native SOL; one unit of the provider's money is
// a thousand lamports.
func (b *bench) guest(w wallet.Address, lamports money.Amount) {
	b.Helper()
	b.signIn(w, lamports)
	b.commit(b.launch(w, money.SOL, 3))
}

func (b *bench) totalOf(a ledger.Account, mint money.Token) money.Total {
	b.Helper()
	for _, line := range must(b.Totals(background))(b) {
		if line.Account == a && line.Token == mint {
			return line.Amount
		}
	}
	return money.Total{}
}

// settleReview returns an item of an admin's decision on a win in review.
func (b *bench) settleReview(t seamless.Transaction, by wallet.Address, pay bool) player.Item {
	d := player.ProviderReviewDecision{
		ID: b.id(), DeliveryID: b.id(), Transaction: t, Pay: pay, By: by, Policy: b.policy, Terms: token.Terms{TwoPersonAbove: token.NoTwoPerson, TwoPersonAbovePerDay: token.NoTwoPerson}, Reason: "asked the provider", AuditID: b.id(),
		RequestID: "req", At: b.now(),
	}
	return itemOf(t.Wallet, d.At, player.UniqueKey{Kind: player.ProviderReviewKey, Scope: t.Connection, ID: t.TxnID},
		player.Needs{Tokens: []money.Token{t.Token}, Roles: []wallet.Address{by}},
		func(v player.View) (player.Change, error) { return player.SettleReview(v, d) })
}

// soundSeamless compares providers' transactions with the bookings, and the listed rounds with
// sums of the transactions.
func (b *bench) soundSeamless(book *ledger.Book, all []seamless.Transaction, daily map[figure.Key]figure.Cell) {
	b.Helper()
	type sums struct{ wager, payout money.Amount }
	rounds := map[string]sums{}
	for _, t := range all {
		for _, p := range t.Postings() {
			posted, ok := book.Posted(p.Key)
			b.errorIf(!ok || !slices.Equal(posted, p.Transfers), "transaction %s is booked as %v", t.ID, posted)
		}
		if t.Status == seamless.Refused {
			continue
		}
		key := figure.Key{Day: t.At.UTC().Format("2006-01-02"), Token: t.Token, Source: t.Provider, Game: t.Game, Agent: t.Agent}
		cell := figure.Cell{Wagered: money.TotalOf(t.Bet)}
		if t.Kind == seamless.Debit || t.Kind == seamless.DebitCredit {
			cell.Rounds = 1
		}
		if t.Status == seamless.Taken {
			cell.Paid = money.TotalOf(t.Win)
		}
		paid, _ := cell.Paid.Amount()
		change := sums{t.Bet, paid}
		if t.Kind == seamless.Rollback { // what it returned was wagered, what it took was paid
			change = sums{-paid, -t.Bet}
			cell = figure.Cell{Wagered: money.TotalOfInt(int64(-paid)), Paid: money.TotalOfInt(int64(-t.Bet))}
		}
		if cell != (figure.Cell{}) {
			daily[key] = daily[key].Add(cell)
		}
		if t.RoundID != "" {
			s := rounds[t.RoundID]
			rounds[t.RoundID] = sums{s.wager + change.wager, s.payout + change.payout}
		}
	}
	for id, want := range rounds {
		r, err := b.Round(background, id)
		b.errorIf(err != nil || r.Wager != want.wager || r.Payout != want.payout || r.Source == "",
			"provider round %s: %+v, %v, its transactions make %+v", id, r, err, want)
	}
}
