package conformance

import (
	"fmt"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// TreasuryIndex is the suite of ports.TreasuryIndex.
func TreasuryIndex(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, treasuryIndexCases)
}

var treasuryIndexCases = []story{
	{"the index is zero before it began, and moves from where it was found", Rows, func(b *bench) {
		b.same("at first", must(b.IndexPosition(background))(b), treasury.Position{})
		first := treasury.Position{Cursor: "one"}
		b.extend("", first)
		b.same("the first page", must(b.IndexPosition(background))(b), first)
		second := b.reaches("two", 1<<63-1)
		b.extend("one", second)
		b.reopen()
		b.same("the second", must(b.IndexPosition(background))(b), second)
		for _, from := range []string{"", "one", "three"} {
			lost := b.moved("lost "+from, "w-1", 1)
			b.fails(fault.InvalidState, b.ExtendIndex(background, from, b.reaches("x", 9), []treasury.Movement{lost}), "from ", from)
		}
		b.same("the index", must(b.IndexPosition(background))(b), second)
		b.same("movements", len(must(b.Movements(background, "w-1"))(b)), 0)
	}},
	{"of several who extend it at once one does", Races, func(b *bench) {
		b.extend("", b.reaches("0", 1))
		for round := range 5 {
			b.same("those that extended the index", b.winners(4, fault.InvalidState, func(i int) error {
				m := b.moved(fmt.Sprint(round, i), "w-1", uint64(round))
				return b.ExtendIndex(background, fmt.Sprint(round), b.reaches(fmt.Sprint(round+1), 1), []treasury.Movement{m})
			}), 1)
			b.same("movements", len(must(b.Movements(background, "w-1"))(b)), round+1)
		}
	}},
	{"movements that are in the index already stay as they are", Rows, func(b *bench) {
		m := b.moved("one", "w-1", 5)
		b.extend("", b.reaches("1", 5), m)
		b.ok(b.Review(background, m.Signature, treasury.New, treasury.Explained))
		other := m
		other.WithdrawalID, other.Failed, other.Payments = "w-2", true, nil
		b.extend("1", b.reaches("2", 6), other)
		b.same("as it was", must(b.Movements(background, "w-1"))(b), []treasury.Movement{m})
		_, state, err := b.MovementState(background, m.Signature)
		b.errorIf(err != nil || state != treasury.Explained, "%s, %v", state, err)
	}},
	{"Movements lists what carries a withdrawal's id, oldest first", Rows, func(b *bench) {
		late, early, tie := b.moved("late", "w-1", 300), b.moved("early", "w-1", 9), b.moved("other", "w-2", 10)
		plain := treasury.Movement{Signature: fakes.Signature("plain"), Slot: 1, At: b.now().Truncate(time.Second), Failed: true}
		b.extend("", b.reaches("1", 300), late, tie, plain)
		b.extend("1", b.reaches("2", 301), early)
		b.reopen()
		b.same("of the first", must(b.Movements(background, "w-1"))(b), []treasury.Movement{early, late})
		b.same("of none", len(must(b.Movements(background, ""))(b)), 0)
		got, state, err := b.MovementState(background, plain.Signature)
		b.errorIf(err != nil || state != treasury.New, "%s, %v", state, err)
		b.same("with nothing but a signature", got, plain)
	}},
	{"a signing commit sees how far the index reaches and what has paid the withdrawal", Rows, func(b *bench) {
		w := b.payable(alice, money.SOL, 5_000)
		b.same("at first", b.payoutState(w), withdrawal.PayoutControls{Held: w.Held()})
		failed := b.moved("failed", w.ID, 3)
		failed.Failed = true
		reached := b.reaches("1", 3)
		b.extend("", reached, failed, b.moved("another", "another", 3))
		state := b.payoutState(w)
		b.same("the index", state.Index, reached)
		b.same("one that failed", state.Landed, "")
		paid := b.moved("paid", w.ID, 4)
		b.extend("1", b.reaches("2", 4), paid)
		b.same("one that landed", b.payoutState(w).Landed, paid.Signature)
	}},
	{"a payout is not signed when the index shows that it was paid, or reaches too little", Logic, func(b *bench) {
		terms := token.Terms{Mint: money.SOL, PayoutCap: 10_000, PayoutCapPerHour: 10_000}
		w := b.payable(alice, money.SOL, 5_000)
		b.lease(w.ID, "one")
		refused := func(what, status string) {
			b.Helper()
			refusal := b.refuse(b.payOutBy(w, 1, player.PayoutSigner{Worker: "one", Terms: terms}), fault.InvalidState)
			b.same(what, refusal.Details["status"], status)
		}
		refused("nothing is indexed", treasury.StaleStatus)
		old := b.reaches("1", 3)
		old.At = old.At.Add(-time.Hour)
		b.extend("", old)
		refused("an old index", treasury.StaleStatus)
		late := b.reaches("2", 4)
		late.Since = w.CreatedAt.Add(time.Microsecond)
		b.extend("1", late)
		refused("a history that begins later", treasury.UnknownStatus)
		b.extend("2", b.reaches("3", 5), b.moved("paid", w.ID, 4))
		refused("paid", treasury.LandedStatus)
		other := b.payable(carol, money.SOL, 5_000)
		b.lease(other.ID, "one")
		b.commit(b.payOutBy(other, 1, player.PayoutSigner{Worker: "one", Terms: terms}))
	}},
}

// TreasuryReview is the suite of ports.TreasuryReview.
func TreasuryReview(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, treasuryReviewCases)
}

var treasuryReviewCases = []story{
	{"MovementsIn lists those that are New or Foreign, oldest first", Rows, func(b *bench) {
		one, two, three := b.moved("one", "", 1), b.moved("two", "", 2), b.moved("three", "", 3)
		b.extend("", b.reaches("1", 5), three, one, two)
		b.same("new", must(b.MovementsIn(background, treasury.New, 2))(b), []treasury.Movement{one, two})
		for _, step := range []struct {
			m  treasury.Movement
			to treasury.State
		}{{one, treasury.Explained}, {two, treasury.Foreign}} {
			b.ok(b.Review(background, step.m.Signature, treasury.New, step.to))
		}
		b.same("new", must(b.MovementsIn(background, treasury.New, 9))(b), []treasury.Movement{three})
		b.same("foreign", must(b.MovementsIn(background, treasury.Foreign, 9))(b), []treasury.Movement{two})
		b.same("explained", len(must(b.MovementsIn(background, treasury.Explained, 9))(b)), 0)
	}},
	{"a movement moves from the state that the caller saw, or not at all", Rows, func(b *bench) {
		m := b.moved("one", "", 1)
		b.extend("", b.reaches("1", 5), m)
		for _, step := range []struct {
			from, to treasury.State
			fits     bool
		}{
			{treasury.Foreign, treasury.Explained, false}, {treasury.New, treasury.New, false}, {treasury.New, treasury.Foreign, true},
			{treasury.New, treasury.Explained, false}, {treasury.Foreign, treasury.New, false}, {treasury.Foreign, treasury.Explained, true},
			{treasury.Explained, treasury.Foreign, false}, {treasury.Explained, treasury.Explained, false},
		} {
			err := b.Review(background, m.Signature, step.from, step.to)
			b.errorIf((err == nil) != step.fits || err != nil && !fault.Is(err, fault.InvalidState),
				"%s to %s: %v", step.from, step.to, err)
		}
		missing := fakes.Signature("missing")
		b.fails(fault.NotFound, b.Review(background, missing, treasury.New, treasury.Explained), "one that isn't there")
		if _, _, err := b.MovementState(background, missing); !fault.Is(err, fault.NotFound) {
			b.Errorf("one that isn't there: %v", err)
		}
	}},
	{"AttemptKnown reports whether the books have an attempt of that signature", Rows, func(b *bench) {
		w := b.payable(alice, money.SOL, 5_000)
		b.lease(w.ID, "one")
		signature := b.commit(b.payOut(w, 1, "one", token.Terms{Mint: money.SOL, PayoutCap: 10_000, PayoutCapPerHour: 10_000})).Change.Attempt.Signature
		b.same("known", must(b.AttemptKnown(background, signature))(b), true)
		b.same("another", must(b.AttemptKnown(background, fakes.Signature("another")))(b), false)
	}},
}

// TreasurySweeps is the suite of ports.TreasurySweeps.
func TreasurySweeps(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, treasurySweepsCases)
}

var treasurySweepsCases = []story{
	{"a sweep is open until its time is over or its transaction was found", Rows, func(b *bench) {
		now := b.now()
		short, long := b.announced("s-1", time.Hour), b.announced("s-2", 2*time.Hour)
		b.announce(short)
		b.announce(long)
		b.same("open", must(b.OpenSweeps(background, now.Add(time.Hour)))(b), []treasury.Sweep{short, long})
		b.same("an hour later", must(b.OpenSweeps(background, now.Add(time.Hour+time.Second)))(b), []treasury.Sweep{long})
		b.ok(b.LandSweep(background, short.ID, fakes.Signature("one")))
		b.same("after one was found", must(b.OpenSweeps(background, now))(b), []treasury.Sweep{long})
	}},
	{"a sweep lands once", Rows, func(b *bench) {
		b.announce(b.announced("s-1", time.Hour))
		b.ok(b.LandSweep(background, "s-1", fakes.Signature("one")))
		for _, id := range []string{"s-1", "s-2"} {
			b.fails(fault.InvalidState, b.LandSweep(background, id, fakes.Signature("two")), id)
		}
	}},
	{"a sweep is announced with its audit record or not at all", Rows, func(b *bench) {
		first := b.announced("s-1", time.Hour)
		record := audit.Record{ID: b.id(), Action: audit.SweepAnnounced, Target: first.ID, At: first.At}
		b.ok(b.AnnounceSweep(background, first, record))
		if err := b.AnnounceSweep(background, b.announced("s-2", time.Hour), record); err == nil {
			b.Error("a second sweep took the same record")
		}
		b.same("open", must(b.OpenSweeps(background, first.At))(b), []treasury.Sweep{first})
	}},
}

// moved returns a movement of the treasury by name.
func (b *bench) moved(name, withdrawalID string, slot uint64) treasury.Movement {
	return treasury.Movement{
		Signature: fakes.Signature(name), Slot: slot, At: b.now().Truncate(time.Second), WithdrawalID: withdrawalID, Tag: "0123456789abcdef",
		Payments: []treasury.Payment{
			{Token: money.SOL, Amount: money.Max, Destination: string(bob)}, {Token: usd, Amount: 1},
		},
		Fee: 5_000, Rent: 2_039_280,
	}
}

func (b *bench) reaches(cursor string, slot uint64) treasury.Position {
	return treasury.Position{Cursor: cursor, Slot: slot, At: b.now(), Since: b.now().Add(-time.Hour)}
}

func (b *bench) extend(from string, to treasury.Position, movements ...treasury.Movement) {
	b.Helper()
	b.ok(b.ExtendIndex(background, from, to, movements))
}

func (b *bench) announced(id string, until time.Duration) treasury.Sweep {
	at := b.now()
	return treasury.Sweep{
		ID: id, Payment: treasury.Payment{Token: usd, Amount: 7, Destination: string(bob)}, Reason: "profit", At: at, Until: at.Add(until),
	}
}

func (b *bench) announce(s treasury.Sweep) {
	b.Helper()
	record := audit.Record{ID: b.id(), Action: audit.SweepAnnounced, Target: s.ID, After: "7 of usd", At: s.At}
	b.ok(b.AnnounceSweep(background, s, record))
}
