package sim

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// The connection to a provider, with caps that a simulation reaches.
const (
	connection      = "sim"
	maker           = "SIMSPIN"
	scale           = 6
	netWinCap       = 60_000_000
	withoutDebitCap = 25_000_000
	providerUnit    = 1_000_000 // 10^scale
)

var slots = [2]string{"sim-bells", "sim-bars"}

// provider is the simulated provider: it launches games, and its own log has the accepted
// messages.
type provider struct {
	world *World
	log   map[wallet.Address][]seamless.Record
}

// Launch fails before or after it was carried out, or answers.
func (p provider) Launch(context.Context, ports.LaunchRequest) (string, error) {
	if p.world.faults.strike() {
		return "", fault.New(fault.External, "the provider did not answer")
	}
	return "https://games.example/play", nil
}

// Games lists the games.
func (provider) Games(context.Context) ([]seamless.Game, []seamless.UnreadEntry, error) {
	games := make([]seamless.Game, 0, len(slots))
	for _, code := range slots {
		games = append(games, seamless.Game{Provider: maker, Code: code, Name: code, Type: "slot", Open: true})
	}
	return games, nil, nil
}

// Funds answers.
func (provider) Funds(context.Context) (seamless.Decimal, error) { return "1000000", nil }

// Log returns what the provider recorded.
func (p provider) Log(_ context.Context, w wallet.Address, from, to time.Time) (records []seamless.Record, _ error) {
	for _, r := range p.log[w] {
		if !r.At.Before(from) && r.At.Before(to) {
			records = append(records, r)
		}
	}
	return records, nil
}

// message is a callback as the provider sends it; amounts are in base units, finer adds a digit
// that the scale doesn't have.
type message struct {
	user     string
	txn      string
	kind     seamless.Kind
	game     string
	bet, win int64
	finer    bool
}

// firstAnswer is a first answer, which every repeat must get.
type firstAnswer struct {
	message message
	taken   bool
	balance int64
}

// table is what the model expects of the provider's connection. It shares no code with the
// service and only uses the protocol and the answers.
type table struct {
	legs map[string]*firstAnswer // by transaction id and leg
	sent []message
	// bets holds the players with an accepted bet in a game, and the transactions.
	bets map[string]bool
	// paid is the expected balance of the connection's account: bets minus wins.
	paid    int64
	reviews []review
	serial  int
}

// review is a win that waits for an admin.
type review struct {
	of  *account
	txn string
	win int64
}

// seat is a player at the provider.
type seat struct {
	launched          bool
	hour              int64
	net, withoutDebit int64
}

// launch launches a game.
func (w *World) launch(ctx context.Context, a *account) error {
	_, err := again(w, func() (string, error) {
		return w.casino.Providers.Launch(ctx, caller(a.wallet), providers.LaunchRequest{GameCode: slots[w.random.IntN(2)], UserCode: string(a.wallet)})
	})
	a.seat.launched = a.seat.launched || err == nil
	return err
}

// callback delivers a message, sometimes twice, and compares the answers with the model.
func (w *World) callback(ctx context.Context, a *account) error {
	m := w.draw(a)
	for range 1 + w.random.IntN(2) {
		if err := w.deliver(ctx, m); err != nil {
			return fmt.Errorf("%+v: %w", m, err)
		}
	}
	return nil
}

// draw makes a new message, or repeats one, unchanged or spoiled: a credit overtakes its debit, a
// key comes with another amount or another user.
func (w *World) draw(a *account) message {
	t := &w.table
	t.serial++
	m := message{
		user: string(a.wallet), txn: fmt.Sprint("t", t.serial), game: slots[w.random.IntN(2)],
		kind: []seamless.Kind{seamless.Debit, seamless.Credit, seamless.DebitCredit}[w.random.IntN(3)],
		bet:  w.random.Int64N(30_000_000), win: w.random.Int64N(28_000_000), finer: w.random.IntN(12) == 0,
	}
	if len(t.sent) > 0 {
		old := t.sent[w.random.IntN(len(t.sent))]
		switch w.random.IntN(10) {
		case 0, 1:
			return old
		case 2, 3, 4: // the other leg of a transaction, in either order
			m.user, m.txn, m.game = old.user, old.txn, old.game
		case 5:
			old.win++
			old.bet++
			return old
		case 6:
			old.user = m.user
			return old
		}
	}
	if w.random.IntN(25) == 0 {
		m.user = string(fakes.Wallet("a stranger"))
	}
	if m.kind == seamless.Debit {
		m.win = 0
	}
	if m.kind == seamless.Credit {
		m.bet = 0
	}
	t.sent = append(t.sent, m)
	return m
}

// decimal writes base units in the provider's money.
func decimal(units int64, finer bool) seamless.Decimal {
	text := fmt.Sprintf("%d.%06d", units/providerUnit, units%providerUnit)
	if finer {
		return seamless.Decimal(text + "7")
	}
	if text = strings.TrimRight(text, "0"); strings.HasSuffix(text, ".") {
		text = text[:len(text)-1]
	}
	return seamless.Decimal(text)
}

// deliver sends a message until the answer is known.
func (w *World) deliver(ctx context.Context, m message) error {
	a := w.playerOf(m.user)
	want := w.expect(a, m)
	answer, err := again(w, func() (kernel.ProviderResponse, error) {
		return w.casino.Providers.ProviderTransact(ctx, kernel.ProviderCall{
			UserCode: m.user, TxnID: m.txn, Kind: string(m.kind), GameType: "slot", Provider: maker, Game: m.game,
			Bet: decimal(m.bet, m.finer), Win: decimal(m.win, m.finer),
		})
	})
	if want == nil {
		return refusedWith(err, fault.InvalidUser)
	}
	if err != nil {
		return err
	}
	if answer.Accepted != want.taken || answer.Balance != decimal(want.balance, false) {
		return fmt.Errorf("answered %v with balance %s (%s), expected %v with %s",
			answer.Accepted, answer.Balance, answer.Reason, want.taken, decimal(want.balance, false))
	}
	return nil
}

func (w *World) playerOf(user string) *account {
	for _, a := range w.players {
		if string(a.wallet) == user {
			return a
		}
	}
	return nil
}

// expect returns the expected answer to a message, and moves its money in the model; the account
// is nil for a user who never launched.
func (w *World) expect(a *account, m message) *firstAnswer {
	t := &w.table
	var before *firstAnswer
	for _, leg := range m.legs() {
		if t.legs[leg] != nil {
			before = t.legs[leg]
		}
	}
	switch {
	case before != nil && before.message == m:
		return before
	case a == nil || !a.seat.launched && before == nil:
		return nil
	case before != nil && !a.seat.launched: // another user's transaction: there is no balance to return
		return nil
	case before != nil:
		return &firstAnswer{taken: false, balance: a.balances[money.SOL]}
	}
	answer := &firstAnswer{message: m}
	answer.taken = w.settle(a, m)
	answer.balance = a.balances[money.SOL]
	for _, leg := range m.legs() {
		t.legs[leg] = answer
	}
	if answer.taken {
		w.record(a, m)
	}
	return answer
}

func (m message) legs() (legs []string) {
	if m.kind.Bets() {
		legs = append(legs, m.txn+" bet")
	}
	if m.kind.Wins() {
		legs = append(legs, m.txn+" win")
	}
	return legs
}

// settle moves a new message's money in the model and reports whether it is accepted.
func (w *World) settle(a *account, m message) bool {
	t, s := &w.table, &a.seat
	inGame, inTxn := "game "+m.user+" "+m.game, "txn "+m.user+" "+m.txn
	l := w.limitsOf(a)
	if m.kind.Bets() && (m.finer || m.bet > a.balances[money.SOL] || l.forbid(m.bet)) {
		return false
	}
	if hour := w.clock.Now().Unix() / 3600; hour != s.hour {
		s.hour, s.net, s.withoutDebit = hour, 0, 0
	}
	withoutDebit := !m.kind.Bets() && !t.bets[inGame] && !t.bets[inTxn]
	if m.kind.Bets() {
		t.bets[inGame], t.bets[inTxn] = true, true
		a.balances[money.SOL] -= m.bet
		l.count(m.bet, 0)
		s.net -= m.bet
		t.paid += m.bet
	}
	if !m.kind.Wins() {
		return true
	}
	if m.win > 0 && (s.net+m.win > netWinCap || withoutDebit && s.withoutDebit+m.win > withoutDebitCap) {
		t.reviews = append(t.reviews, review{a, m.txn, m.win})
		return true
	}
	s.net += m.win
	if withoutDebit {
		s.withoutDebit += m.win
	}
	a.balances[money.SOL] += m.win
	l.count(0, m.win)
	t.paid -= m.win
	return true
}

// record writes accepted messages to the provider's own log, in whole seconds.
func (w *World) record(a *account, m message) {
	asked := seamless.Requested{}
	if m.kind.Bets() {
		asked.Bet = decimal(m.bet, m.finer)
	}
	if m.kind.Wins() {
		asked.Win = decimal(m.win, m.finer)
	}
	w.provider.log[a.wallet] = append(w.provider.log[a.wallet], seamless.Record{
		TxnID: m.txn, Kind: m.kind, Provider: maker, Game: m.game, Requested: asked, At: w.clock.Now().Truncate(time.Second),
	})
}

// review lets an admin decide on the oldest win in review.
func (w *World) review(ctx context.Context, _ *account) error {
	t := &w.table
	list, err := w.casino.Providers.ProviderReviews(ctx, caller(w.admins[0]), ports.Page{Number: 1, Limit: ports.PageMax})
	if err != nil {
		return err
	}
	if len(list.Transactions) != min(len(t.reviews), ports.PageMax) {
		return fmt.Errorf("%d wins are in review, expected %d", len(list.Transactions), len(t.reviews))
	}
	if len(t.reviews) == 0 {
		return nil
	}
	waits := t.reviews[0]
	for _, found := range list.Transactions {
		if found.TxnID != waits.txn {
			continue
		}
		pay := w.random.IntN(2) == 0
		decision := providers.ReviewDecision{ID: found.ID, Pay: pay, Reason: "simulated"}
		answer, err := again(w, func() (providers.ReviewResult, error) {
			return w.casino.Providers.DecideProviderReview(ctx, caller(w.admins[0]), decision)
		})
		if err != nil { // a lost answer: on the repeat the win was decided already
			if err := refusedWith(err, fault.InvalidState); err != nil {
				return err
			}
		}
		if err == nil && answer.Approval != nil { // above the threshold
			second := approvals.ApprovalDecision{ID: answer.Approval.ID, Approve: true, Idempotency: w.key()}
			if _, err := again(w, func() (approvals.ApprovalResult, error) {
				return w.casino.Approvals.DecideApproval(ctx, caller(w.admins[1]), second)
			}); err != nil {
				return err
			}
			answer.Balance = money.Amount(waits.of.balances[money.SOL] + waits.win)
		}
		t.reviews = t.reviews[1:]
		if pay {
			waits.of.balances[money.SOL] += waits.win
			t.paid -= waits.win
		}
		if err == nil && int64(answer.Balance) != waits.of.balances[money.SOL] {
			return fmt.Errorf("a decided win leaves %d, expected %d", answer.Balance, waits.of.balances[money.SOL])
		}
		return nil
	}
	return fmt.Errorf("the win of %s is not in review", waits.txn)
}

// reconciled compares the connection's account with the model, and the provider's log with the
// ledger, from the beginning.
func (w *World) reconciled(ctx context.Context) error {
	totals, err := w.kept.Totals(ctx)
	if err != nil {
		return err
	}
	for _, total := range totals {
		if total.Account.String() == "provider:"+connection && total.Token == money.SOL && total.Amount != money.TotalOfInt(w.table.paid) {
			return fmt.Errorf("the provider's account holds %v, expected %d", total.Amount, w.table.paid)
		}
	}
	found, err := w.casino.Providers.ProviderReconciler().Between(ctx, w.began, w.clock.Now().Add(time.Hour).Truncate(time.Second))
	if err != nil {
		return err
	}
	if len(found.Differences) > 0 {
		return fmt.Errorf("the provider's log differs: %+v", found.Differences[0])
	}
	transactions := map[string]bool{}
	for _, records := range w.provider.log {
		for _, r := range records {
			transactions[r.TxnID] = true
		}
	}
	if found.Transactions < len(transactions) {
		return fmt.Errorf("%d transactions were compared, there are %d", found.Transactions, len(transactions))
	}
	return nil
}
