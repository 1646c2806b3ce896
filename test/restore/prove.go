package restore

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/casino-service/casino/app/accounts"
	"github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/domain/witness"
)

// once checks that no withdrawal was paid twice, or differently from its request.
func (w *World) once(ctx context.Context) error {
	all, err := w.paid(ctx)
	if err != nil {
		return err
	}
	paid := map[string]string{}
	for _, m := range all {
		if m.Failed {
			continue
		}
		if other, twice := paid[m.WithdrawalID]; twice {
			return fmt.Errorf("withdrawal %s was paid by %s and by %s", m.WithdrawalID, other, m.Signature)
		}
		paid[m.WithdrawalID] = m.Signature
		asked, ours := w.eyes.requests[m.WithdrawalID]
		if !ours || len(m.Payments) != 1 || int64(m.Payments[0].Amount) != asked.amount {
			return fmt.Errorf("%+v was paid, %+v was asked for", m, asked)
		}
	}
	return nil
}

// Settle completes everything in progress, and checks that alarms and listeners reflect it.
func (w *World) Settle(ctx context.Context) error {
	for range 12 {
		w.deliver(ctx)
		w.pass(ctx, time.Minute)
		if err := w.work(ctx, nil); err != nil {
			return err
		}
	}
	if err := w.settled(ctx); err != nil {
		return err
	}
	if err := w.alarmsHold(ctx); err != nil {
		return err
	}
	if err := w.listen(ctx, true); err != nil {
		return err
	}
	return w.heardAll(ctx)
}

// settled checks that nothing is in progress.
func (w *World) settled(ctx context.Context) error {
	for _, address := range w.eyes.players {
		a := w.accounts[address]
		for signature, amount := range a.claims {
			if a.known {
				return fmt.Errorf("the deposit %s of %d was never credited", signature, amount)
			}
		}
		for id := range a.open {
			now, err := w.service.store.Withdrawal(ctx, id)
			if err != nil {
				return err
			}
			if a.owed == 0 && now.Status != withdrawal.Pending {
				return fmt.Errorf("withdrawal %s is still %s", id, now.Status)
			}
		}
		if a.known {
			if err := w.balanced(ctx, a); err != nil {
				return err
			}
		}
	}
	return nil
}

// resumed resumes payouts, like an operator who has examined an unknown payment.
func (w *World) resumed(ctx context.Context) error {
	pause, err := w.service.store.Pause(ctx)
	if err != nil || !pause.Paused {
		return err
	}
	_, lost, err := w.foreign(ctx)
	if err == nil && lost == 0 && pause.At.After(w.found) { // the backup may have been paused
		err = fmt.Errorf("payouts were paused for nothing: %+v", pause)
	}
	if err != nil {
		return err
	}
	_, err = payouts.PayoutSwitch{Controls: w.service.store, Clock: w.clock, Entropy: w.entropy}.Set(ctx, false, "looked into")
	return err
}

// foreign sums and counts payouts of withdrawals that the books don't have.
func (w *World) foreign(ctx context.Context) (sum money.Amount, count int, err error) {
	all, err := w.paid(ctx)
	if err != nil {
		return 0, 0, err
	}
	for _, m := range all {
		_, err := w.service.store.Withdrawal(ctx, m.WithdrawalID)
		switch {
		case fault.Is(err, fault.NotFound):
			sum, count = sum+m.Fee+m.Rent, count+1
			for _, p := range m.Payments {
				sum += p.Amount
			}
		case err != nil:
			return 0, 0, err
		}
	}
	return sum, count, nil
}

// Prove compares the books with the chain, and audits them with every published block that isn't
// lost.
func (w *World) Prove(ctx context.Context) error {
	kept, err := w.eyes.blocks.kept()
	if err != nil {
		return err
	}
	report, err := audit.NewAuditor(w.service.store, w.games, kept).Run(ctx)
	if err == nil {
		err = report.Err()
	}
	if err != nil {
		return fmt.Errorf("%w: %v", err, report.Findings)
	}
	if err := w.once(ctx); err != nil {
		return err
	}
	if err := w.completed(ctx); err != nil {
		return err
	}
	holding, err := w.chain.Holding(ctx, terms)
	if err != nil {
		return err
	}
	totals, err := w.service.store.Totals(ctx)
	if err != nil {
		return err
	}
	var book money.Total
	for _, total := range totals {
		if total.Account == ledger.System(ledger.Chain) && total.Token == money.SOL {
			book = total.Amount.Neg()
		}
	}
	unbooked, err := w.service.store.Unbooked(ctx)
	if err != nil {
		return err
	}
	lost, _, err := w.foreign(ctx)
	if err == nil && money.TotalOf(holding).AddAmount(lost) != book.Add(unbooked[money.SOL]) {
		err = fmt.Errorf("the treasury holds %d, %d were paid for unknown withdrawals, the ledger says %v and %v is not booked", holding, lost, book, unbooked[money.SOL])
	}
	return err
}

// completed checks that the books say paid exactly for the withdrawals that the chain paid.
func (w *World) completed(ctx context.Context) error {
	all, err := w.paid(ctx)
	if err != nil {
		return err
	}
	paid := map[string]bool{}
	for _, m := range all {
		paid[m.WithdrawalID] = paid[m.WithdrawalID] || !m.Failed
	}
	for _, id := range sorted(w.eyes.requests) {
		now, err := w.service.store.Withdrawal(ctx, id)
		switch {
		case fault.Is(err, fault.NotFound):
			continue
		case err != nil:
			return err
		case (now.Status == withdrawal.Completed) != paid[id]:
			return fmt.Errorf("withdrawal %s is %s in the books; that it was paid on chain is %v", id, now.Status, paid[id])
		}
	}
	return nil
}

// account is what the casino must know of a player.
type account struct {
	wallet wallet.Address
	// known says that the player has signed in.
	known         bool
	balance, owed int64
	// open are withdrawals that hold money.
	open map[string]int64
	// claims are payments to the treasury that are not credited yet, by signature.
	claims   map[string]int64
	excluded time.Time
	launched bool
	// token is the session, "" if a new one is needed. A restore doesn't change it.
	token string
	// ended says that a recovery ended the player's sessions.
	ended bool
}

func newAccount(w wallet.Address) *account {
	return &account{wallet: w, open: map[string]int64{}, claims: map[string]int64{}}
}

func (a *account) clone() *account {
	twin := *a
	twin.open, twin.claims = maps.Clone(a.open), maps.Clone(a.claims)
	return &twin
}

// books are what the database must contain. They are restored with it.
type books struct {
	accounts map[wallet.Address]*account
	// asked are the withdrawals that it knows.
	asked map[string]bool
	// answers are the answers to callbacks, by transaction.
	answers map[string]answered
	// paidIn is how many payments to the treasury had been made.
	paidIn int
}

// answered is the first answer to a callback.
type answered struct {
	accepted bool
	balance  seamless.Decimal
}

func newBooks() books {
	return books{accounts: map[wallet.Address]*account{}, asked: map[string]bool{}, answers: map[string]answered{}}
}

func (b books) clone() books {
	twin := books{accounts: map[wallet.Address]*account{}, asked: maps.Clone(b.asked), answers: maps.Clone(b.answers), paidIn: b.paidIn}
	for address, a := range b.accounts {
		twin.accounts[address] = a.clone()
	}
	return twin
}

// eyes are what players, providers, the chain and keepers of published heads saw. No restore
// removes it.
type eyes struct {
	keys map[wallet.Address]ed25519.PrivateKey
	// players are all wallets, in the order they joined.
	players []wallet.Address
	// outcomes are the rounds that were shown, by pair and nonce.
	outcomes map[outcome]string
	// dead are the pairs with seeds that may be known from lost rounds.
	dead map[string]bool
	// shown are the pairs that players saw promised or played; they are dead after the next
	// recovery.
	shown    map[string]bool
	messages []login
	sessions []string
	// deposits are all payments to the treasury.
	deposits []payment
	requests map[string]wanted
	sent     []message
	blocks   *blocks
}

type outcome struct {
	commitment string
	nonce      int64
}

type login struct {
	accounts.SignInRequest
	number int // number of backups
}

// payment is a player's payment to the treasury.
type payment struct {
	signature string
	from      wallet.Address
	amount    int64
}

// wanted is a requested withdrawal.
type wanted struct {
	wallet wallet.Address
	amount int64
}

func newEyes() eyes {
	return eyes{
		keys: map[wallet.Address]ed25519.PrivateKey{}, outcomes: map[outcome]string{}, dead: map[string]bool{}, shown: map[string]bool{},
		requests: map[string]wanted{}, blocks: &blocks{seen: map[place]hashchain.Hash{}, newest: map[int]int64{}, lost: map[place]bool{}},
	}
}

// played records a round that a player saw.
func (e *eyes) played(r bet.Round) error {
	seen := outcome{r.Commitment, r.Nonce}
	switch other, twice := e.outcomes[seen]; {
	case twice:
		return fmt.Errorf("rounds %s and %s are both of pair %s and nonce %d: an outcome comes twice", other, r.ID, r.Commitment, r.Nonce)
	case e.dead[r.Commitment]:
		return fmt.Errorf("round %s is drawn from pair %s, and rounds of it may be lost", r.ID, r.Commitment)
	}
	e.outcomes[seen], e.shown[r.Commitment] = r.ID, true
	return nil
}

// epoch marks every pair shown so far as dead.
func (e *eyes) epoch() {
	maps.Copy(e.dead, e.shown)
	clear(e.shown)
}

// blocks are the published heads. It is safe for concurrent use.
type blocks struct {
	mu     sync.Mutex
	seen   map[place]hashchain.Hash
	newest map[int]int64 // of the database
	lost   map[place]bool
	twice  error
	// closed says that a restore was noticed and no epoch has begun yet. Blocks written then,
	// such as that of the discovery, follow the database's newest block, with numbers of lost
	// blocks.
	closed bool
}

type place struct {
	lane int
	seq  int64
}

// note records a committed block.
func (b *blocks) note(h hashchain.Head) {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := place{h.Lane, h.Seq}
	if b.closed && b.lost[at] {
		delete(b.seen, at)
		delete(b.lost, at)
	}
	if hash, known := b.seen[at]; known && hash != h.Hash && b.twice == nil {
		b.twice = fmt.Errorf("block %d of lane %d is %s and %s", h.Seq, h.Lane, hash, h.Hash)
	}
	b.seen[at], b.newest[h.Lane] = h.Hash, max(b.newest[h.Lane], h.Seq)
}

func (b *blocks) sealed(h witness.Head) { b.note(h.Head) }

// heads returns the newest numbers, by lane.
func (b *blocks) heads() map[int]int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.newest)
}

// back marks the blocks above these as lost. Those whose numbers can't be known are forgotten,
// because they are used again.
func (b *blocks) back(to map[int]int64, closed, forget bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for at := range b.seen {
		if at.seq <= to[at.lane] {
			continue
		}
		if forget {
			delete(b.seen, at)
		} else {
			b.lost[at] = true
		}
	}
	b.newest, b.closed = maps.Clone(to), closed
}

// begun records the blocks with which an epoch began.
func (b *blocks) begun(heads []hashchain.Head) {
	b.mu.Lock()
	b.closed = b.closed && len(heads) == 0
	b.mu.Unlock()
	for _, h := range heads {
		b.note(h)
	}
}

// kept returns the blocks that are not lost, for comparisons.
func (b *blocks) kept() (heads []hashchain.Head, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for at, hash := range b.seen {
		if !b.lost[at] {
			heads = append(heads, hashchain.Head{Lane: at.lane, Seq: at.seq, Hash: hash})
		}
	}
	return heads, b.twice
}
