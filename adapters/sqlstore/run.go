package sqlstore

import (
	"context"
	"fmt"
	"runtime/debug"
	"strconv"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// run is one try of a batch in one transaction.
type run struct {
	writer  *Writer
	store   *Store
	tx      dbTx
	entries []*entry
	// answers are those of the entries, by place.
	answers []answer
	claims  map[claimKey]*claim
	wallets map[wallet.Address]*holdings
	sorted  []wallet.Address // those of wallets
	// yeses are those that bear on items of the batch, new ones included.
	yeses map[yesKey]player.Yes
	desks map[string]withdrawal.Desk // by withdrawal
	// funds are operators' accounts that items ask for, after the items before.
	funds map[agent.FundsRef]agent.Funds
	// disabled are the games that are switched off.
	disabled map[string]bool
	// asks wait for the next send.
	asks []*ask
	out  output
	// wait says that locks are waited for; without it entries whose wallet somebody
	// else has locked are missed.
	wait bool
	lane int
	// locked are the players whose rows are locked; nil where there is nothing to lock.
	locked map[wallet.Address]player.Player
	// taken are the claims that this run took, blocked the operators that are.
	taken   map[claimKey]bool
	blocked map[string]bool
	// withdrawals are those that items ask for, by id.
	withdrawals map[string]transaction
	// previous is the lane's newest block before the batch, head the batch's own,
	// without its hash until it is sealed.
	previous, head hashchain.Head
}

func newRun(w *Writer, tx dbTx, entries []*entry, lane int) *run {
	for _, e := range entries {
		e.missed = false
	}
	return &run{
		writer: w, store: w.store, tx: tx, entries: entries, lane: lane,
		answers: make([]answer, len(entries)),
		desks:   map[string]withdrawal.Desk{}, yeses: map[yesKey]player.Yes{}, disabled: map[string]bool{}, funds: map[agent.FundsRef]agent.Funds{},
		out: newOutput(len(entries)),
	}
}

func nameOf(writerID string, number int64) string {
	return writerID + "/" + strconv.FormatInt(number, 10)
}

// do runs the batch up to its commit, in the order that every writer keeps:
// wallets, operators' funds, claims, views, decisions, rows, lane rows. What is
// left to write is sent with the commit. It reports false when nothing is to be
// committed.
func (r *run) do(ctx context.Context) (changed bool, err error) {
	if err := r.load(ctx); err != nil {
		return false, err
	}
	for i := range r.entries {
		r.decide(ctx, i)
	}
	if r.out.empty() {
		return false, nil
	}
	if err := r.finishClaims(); err != nil {
		return false, err
	}
	if err := r.writeRows(); err != nil {
		return false, err
	}
	r.writeLane()
	return true, nil
}

// decide answers the i-th entry: from a claim that is held already, or by its
// decision on what the wallet holds after the entries before it.
func (r *run) decide(ctx context.Context, i int) {
	e := r.entries[i]
	if held, err := r.heldAgainst(e); held != nil || err != nil {
		r.answers[i] = answer{err: err}
		if held != nil {
			r.answers[i].receipt = *held
		}
		return
	}
	h := r.wallets[e.item.Wallet]
	if h.broken != nil {
		r.answers[i] = answer{err: h.broken}
		return
	}
	change, err := r.decided(ctx, e, h)
	if err != nil {
		if fault.KindOf(err) == fault.Internal {
			r.writer.options.Logger.ErrorContext(ctx, "an item could not be decided",
				"wallet", string(e.item.Wallet), "claim", e.item.Claims[0].ID, "error", err.Error())
		}
		r.answers[i] = answer{err: err}
		return
	}
	r.answers[i] = answer{receipt: player.Receipt{Change: change}}
	r.hold(e, &r.answers[i].receipt.Change)
}

// decided runs the decision and stages its change. A decision that panics, or
// whose change can't be applied, fails alone: the panic is caught before
// anything of the change is staged.
func (r *run) decided(ctx context.Context, e *entry, h *holdings) (change player.Change, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			r.writer.options.Logger.ErrorContext(ctx, "a decision panicked",
				"wallet", string(e.item.Wallet), "panic", fmt.Sprint(broken), "stack", string(debug.Stack()))
			err = defect("a decision panicked")
		}
	}()
	d, n := &r.writer.decided, &e.item.Needs
	h.view.Yeses, h.view.Funds = r.everyYes(e.item), r.funds
	h.view.GameDisabled, h.view.Desk = r.disabled[n.Game], r.desk(n.Desk)
	player.Narrow(&d.seen, &h.view, n)
	d.change, err = e.item.Decide(d.seen)
	if err != nil {
		return player.Change{}, err
	}
	held, err := d.accept(&r.out, e.item, h)
	if err != nil {
		return player.Change{}, err
	}
	r.out.stage(e, h, d.next, d.change)
	r.book(h.view.Funds, d.next.Funds)
	for _, y := range d.change.Yeses {
		r.yeses[yesKeyOf(y)] = y
	}
	h.view, h.held = d.next, held
	return d.change, nil
}

// publish makes what the run found the entries' answers.
func (r *run) publish() {
	for i, e := range r.entries {
		e.answer = &r.answers[i]
	}
}

// remember keeps what was decided in a run whose commit is in doubt.
func (r *run) remember() {
	for i, e := range r.entries {
		if a := &r.answers[i]; a.err == nil && !a.receipt.Replayed {
			e.first = &a.receipt
		}
	}
}
