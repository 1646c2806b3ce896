package restore

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/accounts"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

func caller(w wallet.Address) app.Caller { return app.Caller{Wallet: w, RequestID: "restore"} }

// refusedWith checks that an answer is one of the refusals.
func refusedWith(err error, kinds ...fault.Kind) error {
	for _, kind := range kinds {
		if fault.Is(err, kind) {
			return nil
		}
	}
	return fmt.Errorf("answered %w (kind %d), expected one of %v", err, fault.KindOf(err), kinds)
}

// step does one random thing and compares the answer with the model.
func (w *World) step(ctx context.Context) error {
	a := w.accounts[w.eyes.players[w.random.IntN(len(w.eyes.players))]]
	if a.token == "" {
		if a.ended && w.random.IntN(8) == 0 {
			return w.unsigned(ctx, a)
		}
		return w.signIn(ctx, a)
	}
	actions := []struct {
		weight int
		name   string
		do     func(context.Context, *account) error
	}{
		{40, "play", w.play}, {5, "rotate", w.rotate}, {8, "pay in", w.payIn}, {4, "claim", w.claimDeposit}, {9, "withdraw", w.withdraw},
		{2, "cancel", w.cancel}, {10, "decide", w.decide}, {14, "work", w.work}, {12, "callback", w.callback}, {4, "sign in", w.signIn},
		{3, "replay a login", w.replayLogin}, {1, "exclude", w.exclude}, {1, "join", w.join},
	}
	total := 0
	for _, action := range actions {
		total += action.weight
	}
	pick := w.random.IntN(total)
	for _, action := range actions {
		if pick -= action.weight; pick < 0 {
			if err := action.do(ctx, a); err != nil {
				return fmt.Errorf("%s: %s: %w", a.wallet, action.name, err)
			}
			return nil
		}
	}
	return nil
}

// join adds a new wallet.
func (w *World) join(ctx context.Context, _ *account) error {
	a := w.newPlayer()
	w.chain.Fund(a.wallet, money.SOL, 5_000_000_000)
	if err := w.signIn(ctx, a); err != nil {
		return err
	}
	return w.payIn(ctx, a)
}

// signIn opens a session by a message with a time up to a minute off.
func (w *World) signIn(ctx context.Context, a *account) error {
	at := w.clock.Now().Add(time.Duration(w.random.IntN(115)-60) * time.Second).UnixMilli()
	request := accounts.SignInRequest{
		Wallet: string(a.wallet), Timestamp: at,
		Signature: ed25519.Sign(w.eyes.keys[a.wallet], []byte(wallet.LoginMessage(a.wallet, at))),
	}
	answer, err := w.service.casino.Accounts.SignIn(ctx, request)
	switch {
	case fault.Is(err, fault.StaleTimestamp) && at < w.loginsFrom.UnixMilli():
		return nil // it may have been used in the lost time
	case fault.Is(err, fault.ReplayedLogin):
		return nil // the same millisecond
	case err != nil:
		return err
	}
	a.known, a.token = true, answer.Token
	w.eyes.messages = append(w.eyes.messages, login{request, len(w.backups)})
	w.eyes.sessions = append(w.eyes.sessions, answer.Token)
	return w.shows(ctx, a)
}

// shows records the pairs that the player is shown.
func (w *World) shows(ctx context.Context, a *account) error {
	pair, err := w.service.casino.Play.Seed(ctx, caller(a.wallet))
	if err != nil {
		return err
	}
	for _, commitment := range []string{pair.Commitment, pair.Next.Commitment} {
		if w.eyes.dead[commitment] {
			return fmt.Errorf("%s is promised pair %s, and rounds of it may be lost", a.wallet, commitment)
		}
		w.eyes.shown[commitment] = true
	}
	return nil
}

// unsigned plays without a sign-in of this epoch, with an earlier session.
func (w *World) unsigned(ctx context.Context, a *account) error {
	answer, err := w.service.casino.Play.Play(ctx, caller(a.wallet), w.bet())
	if err == nil {
		return fmt.Errorf("%s played round %s by a session of before", a.wallet, answer.Round.ID)
	}
	return refusedWith(err, fault.InvalidToken, fault.WagerOutOfRange, fault.InsufficientFunds, fault.PlayerExcluded)
}

func (w *World) bet() play.PlayRequest {
	games := w.games.Games()
	return play.PlayRequest{
		GameType: games[w.random.IntN(len(games))].Type(), Token: string(money.SOL),
		Wager: 9_000 + w.random.Int64N(30_000_000), Idempotency: w.key(),
	}
}

func (w *World) play(ctx context.Context, a *account) error {
	request := w.bet()
	answer, err := w.service.casino.Play.Play(ctx, caller(a.wallet), request)
	if err != nil {
		kinds := []fault.Kind{fault.WagerOutOfRange, fault.InsufficientFunds}
		if w.clock.Now().Before(a.excluded) {
			kinds = append(kinds, fault.PlayerExcluded)
		}
		return refusedWith(err, kinds...)
	}
	if w.clock.Now().Before(a.excluded) {
		return fmt.Errorf("played while excluded until %v", a.excluded)
	}
	r := answer.Round
	if a.balance += int64(r.Payout) - int64(r.Wager); int64(r.Balance) != a.balance {
		return fmt.Errorf("round %s leaves %d, expected %d", r.ID, r.Balance, a.balance)
	}
	return w.eyes.played(r)
}

func (w *World) rotate(ctx context.Context, a *account) error {
	if _, err := w.service.casino.Play.Rotate(ctx, caller(a.wallet), play.RotateRequest{Idempotency: w.key()}); err != nil {
		return err
	}
	return w.shows(ctx, a)
}

func (w *World) payIn(_ context.Context, a *account) error {
	amount := 2_000_000 + w.random.Int64N(400_000_000)
	if int64(w.chain.Held(string(a.wallet), money.SOL)) < amount {
		return nil
	}
	signature := w.chain.Deposit(a.wallet, money.SOL, money.Amount(amount))
	w.eyes.deposits = append(w.eyes.deposits, payment{signature, a.wallet, amount})
	a.claims[signature], w.paidIn = amount, len(w.eyes.deposits)
	return nil
}

// claimDeposit registers a payment, which may have been credited before.
func (w *World) claimDeposit(ctx context.Context, a *account) error {
	var own []payment
	for _, p := range w.eyes.deposits {
		if p.from == a.wallet {
			own = append(own, p)
		}
	}
	if len(own) == 0 {
		return nil
	}
	p := own[w.random.IntN(len(own))]
	answer, err := w.service.casino.Deposits.Deposit(ctx, caller(a.wallet), p.signature, string(money.SOL))
	if err != nil {
		return err
	}
	w.credited(a, p.signature, answer.Claim.Status)
	return w.balanced(ctx, a)
}

// credited adds a credit to the model, once.
func (w *World) credited(a *account, signature string, status deposit.Status) {
	if amount, waits := a.claims[signature]; waits && status == deposit.Credited {
		a.balance += amount
		delete(a.claims, signature)
	}
}

func (w *World) withdraw(ctx context.Context, a *account) error {
	destination := a.wallet
	if w.random.IntN(2) == 0 {
		n := slices.Index(w.eyes.players, a.wallet)
		destination = w.eyes.players[(n+1)%crowd] // another player
	}
	request := payouts.WithdrawalRequest{
		Amount: 1_000_000 + w.random.Int64N(300_000_000), Token: string(money.SOL), Destination: string(destination), Idempotency: w.key(),
	}
	answer, err := w.service.casino.Payouts.Withdraw(ctx, caller(a.wallet), request)
	if err != nil {
		return refusedWith(err, fault.AmountOutOfRange, fault.InsufficientFunds, fault.TooManyOpen)
	}
	a.balance -= request.Amount + a.owed // debt is paid first
	a.owed = 0
	if int64(answer.Balance) != a.balance || a.balance < 0 {
		return fmt.Errorf("withdrawal leaves %d, expected %d", answer.Balance, a.balance)
	}
	id := answer.Withdrawal.ID
	a.open[id], w.asked[id] = request.Amount, true
	w.eyes.requests[id] = wanted{a.wallet, request.Amount}
	return nil
}

func (w *World) cancel(ctx context.Context, a *account) error {
	open := sorted(a.open)
	if len(open) == 0 {
		return nil
	}
	if _, err := w.service.casino.Payouts.CancelWithdrawal(ctx, caller(a.wallet), open[0]); err != nil && !fault.Is(err, fault.InvalidState) {
		return err
	}
	return w.refreshed(ctx, a, open[0])
}

func (w *World) decide(ctx context.Context, a *account) error {
	for _, id := range sorted(a.open) {
		decide := w.service.casino.Payouts.ApproveWithdrawal
		if w.random.IntN(6) == 0 {
			decide = w.service.casino.Payouts.RejectWithdrawal
		}
		decision := payouts.WithdrawalDecision{ID: id, Reason: "rehearsed", Note: "rehearsed", Idempotency: w.key()}
		if _, err := decide(ctx, caller(w.admins[w.random.IntN(len(w.admins))]), decision); err != nil {
			if err := refusedWith(err, fault.InvalidState); err != nil {
				return err
			}
			continue
		}
		return w.refreshed(ctx, a, id)
	}
	return nil
}

// refreshed updates the model with the end of a withdrawal.
func (w *World) refreshed(ctx context.Context, a *account, id string) error {
	now, err := w.service.store.Withdrawal(ctx, id)
	if err != nil {
		return err
	}
	if now.Status.Open() {
		return nil
	}
	if now.Status != withdrawal.Completed {
		a.balance += a.open[id]
	}
	delete(a.open, id)
	return nil
}

// work advances the chain and the workers; a step that fails is tried again later, as in their
// loops.
func (w *World) work(ctx context.Context, _ *account) error {
	w.pass(ctx, time.Duration(w.random.IntN(20))*time.Second)
	for range 3 {
		for _, step := range w.service.steps {
			_, _ = step(ctx) // a fault of the chain: the next round tries again
		}
	}
	_, err := w.service.heads.Step(ctx)
	if _, comparing := w.service.restoration.Step(ctx); err == nil {
		err = comparing
	}
	if err == nil && w.service.restoration.Closed() != nil {
		err = fmt.Errorf("the service is closed for nothing: %+v", *w.service.restoration.Closed())
	}
	if err != nil {
		return err
	}
	if w.random.IntN(20) == 0 {
		w.olderRedis, err = copyOf(ctx, w.redis)
	}
	return errors.Join(err, w.resumed(ctx), w.caughtUp(ctx), w.once(ctx), w.listen(ctx, false))
}

// caughtUp updates the model with what the workers did.
func (w *World) caughtUp(ctx context.Context) error {
	for _, address := range w.eyes.players {
		a := w.accounts[address]
		for _, id := range sorted(a.open) {
			if err := w.refreshed(ctx, a, id); err != nil {
				return err
			}
		}
		for _, signature := range sorted(a.claims) {
			claim, err := w.service.store.Claim(ctx, address, deposit.Ref{Signature: signature, Token: money.SOL})
			if err != nil && !fault.Is(err, fault.NotFound) {
				return err
			}
			if err == nil {
				w.credited(a, signature, claim.Status)
			}
		}
	}
	return nil
}

// balanced compares a player's balance and debt with the model.
func (w *World) balanced(ctx context.Context, a *account) error {
	found, err := w.service.store.Player(ctx, a.wallet)
	if err != nil {
		return err
	}
	balances, err := w.service.casino.Accounts.Balances(ctx, caller(a.wallet), time.Time{})
	if err != nil {
		return err
	}
	var has int64
	for _, b := range balances {
		has = int64(b.Amount)
	}
	if owes := int64(found.Protection.Owes(money.SOL)); has != a.balance || owes != a.owed {
		return fmt.Errorf("%s has %d and owes %d, expected %d and %d", a.wallet, has, owes, a.balance, a.owed)
	}
	return nil
}

// replayLogin repeats a login message.
func (w *World) replayLogin(ctx context.Context, _ *account) error {
	used := w.eyes.messages[len(w.eyes.messages)-1-w.random.IntN(min(10, len(w.eyes.messages)))]
	if _, err := w.service.casino.Accounts.SignIn(ctx, used.SignInRequest); err == nil {
		return fmt.Errorf("the login message of %s, stamped %d, opened two sessions", used.Wallet, used.Timestamp)
	} else if err := refusedWith(err, fault.ReplayedLogin, fault.StaleTimestamp); err != nil {
		return err
	}
	return nil
}

func (w *World) exclude(ctx context.Context, a *account) error {
	if w.random.IntN(4) > 0 {
		return nil
	}
	until := w.clock.Now().Add(25 * time.Hour)
	if _, err := w.service.casino.Accounts.Exclude(ctx, caller(a.wallet), until, false); err != nil {
		return err
	}
	if until.After(a.excluded) {
		a.excluded = until
	}
	return nil
}

// message is a callback as the provider sends it.
type message struct {
	user     wallet.Address
	txn      string
	bet, win int64
}

// callback delivers a message of the provider, or repeats one.
func (w *World) callback(ctx context.Context, a *account) error {
	if !a.launched {
		_, err := w.service.casino.Providers.Launch(ctx, caller(a.wallet), providers.LaunchRequest{GameCode: slot, UserCode: string(a.wallet)})
		if fault.Is(err, fault.PlayerExcluded) {
			return nil
		}
		a.launched = err == nil
		return err
	}
	m := message{a.wallet, fmt.Sprint("t", len(w.eyes.sent)), w.random.Int64N(20_000_000), w.random.Int64N(19_000_000)}
	if len(w.eyes.sent) > 0 && w.random.IntN(3) == 0 {
		m = w.eyes.sent[w.random.IntN(len(w.eyes.sent))]
	} else {
		w.eyes.sent = append(w.eyes.sent, m)
	}
	return w.transact(ctx, m)
}

func (w *World) transact(ctx context.Context, m message) error {
	a := w.accounts[m.user]
	if !a.launched {
		return nil // in the lost time
	}
	answer, err := w.service.casino.Providers.ProviderTransact(ctx, kernel.ProviderCall{
		UserCode: string(m.user), TxnID: m.txn, Kind: string(seamless.DebitCredit), GameType: "slot", Provider: maker, Game: slot,
		Bet: decimal(m.bet), Win: decimal(m.win),
	})
	if err != nil {
		return err
	}
	first, repeated := w.answers[m.txn]
	if !repeated {
		if answer.Accepted {
			a.balance += m.win - m.bet
		}
		first = answered{answer.Accepted, decimal(a.balance)}
		w.answers[m.txn] = first
	}
	if answer.Accepted != first.accepted || answer.Balance != first.balance {
		return fmt.Errorf("callback %+v is answered %v with %s, expected %v with %s", m, answer.Accepted, answer.Balance, first.accepted, first.balance)
	}
	return nil
}

// decimal writes base units in the provider's money.
func decimal(units int64) seamless.Decimal {
	text := strings.TrimRight(fmt.Sprintf("%d.%06d", units/1_000_000, units%1_000_000), "0")
	return seamless.Decimal(strings.TrimSuffix(text, "."))
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
