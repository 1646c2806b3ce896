package conformance

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/test/fakes"
)

// DepositCursors is the suite of ports.DepositCursors.
func DepositCursors(t *testing.T, newStore func(t *testing.T) Store) {
	run(t, newStore, []story{
		{"a cursor is moved from where it was found", cursorIsMoved},
		{"of two watchers at once one moves the cursor", watchersRace},
		{"transactions that can't be credited are parked in the same commit", readIsParked},
		{"cursors outlive reopening", cursorsOutlive},
	})
}

// ParkedDeposits is the suite of ports.ParkedDeposits.
func ParkedDeposits(t *testing.T, newStore func(t *testing.T) Store) {
	run(t, newStore, []story{
		{"a parked transaction is replaced, found and deleted", parkedIsReplaced},
		{"what is due is listed with the longest due first", dueIsListed},
		{"parked transactions outlive reopening", parkedOutlive},
	})
}

// UnbookedDeposits is the suite of ports.UnbookedDeposits.
func UnbookedDeposits(t *testing.T, newStore func(t *testing.T) Store) {
	run(t, newStore, []story{
		{"those of a status are listed in the order they were found", parkedOfAStatus},
		{"what is not booked is summed for each token", unbookedIsSummed},
		{"a transaction is booked as a deposit or as capital", bookedIsKnown},
	})
}

func bookedIsKnown(b *bench) {
	b.signIn(alice, 0)
	ref := parkedRef("credited", money.SOL)
	isBooked := func(want bool, of deposit.Ref) {
		b.Helper()
		if got := must(b.Booked(background, of))(b); got != want {
			b.Errorf("%v is booked: %v", of, got)
		}
	}
	isBooked(false, ref)
	b.commit(b.credit(alice, "credited", money.SOL, 5))
	isBooked(true, ref)
	isBooked(false, deposit.Ref{Signature: ref.Signature, Token: usd})
	capital := parkedRef("capital", money.SOL)
	b.commit(player.Item{
		Keys: []player.UniqueKey{
			{Kind: player.CapitalKey, Scope: string(capital.Token), ID: capital.Signature}, {Kind: player.DepositKey, Scope: string(capital.Token), ID: capital.Signature},
		},
		At: b.now(), Source: player.FromAdmin,
		Decide: func(player.View) (player.Change, error) {
			return player.BookCapital(player.TopUp{Token: money.SOL, Amount: 5, Reference: capital.Signature, AuditID: b.id(), At: b.now()})
		},
	})
	isBooked(true, capital)
}

func parkedRef(name string, mint money.Token) deposit.Ref {
	return deposit.Ref{Signature: fakes.Signature(name), Token: mint}
}

func (b *bench) unread(name string) deposit.Parked {
	return deposit.Parked{Ref: parkedRef(name, money.SOL), FoundAt: b.now()}.Retry(deposit.Unreadable, b.clock.Now())
}

func (b *bench) advance(mint money.Token, from, to string, parked ...deposit.Parked) {
	b.Helper()
	if err := b.Advance(background, mint, from, deposit.WatchProgress{Cursor: to, After: uint64(len(to))}, parked); err != nil {
		b.Fatal(err)
	}
}

func (b *bench) park(p deposit.Parked) {
	b.Helper()
	if err := b.Park(background, p); err != nil {
		b.Fatal(err)
	}
}

func cursorIsMoved(b *bench) {
	if _, err := b.Cursor(background, money.SOL); !fault.Is(err, fault.NotFound) {
		b.Errorf("at first: %v", err)
	}
	b.advance(money.SOL, "", "one")
	b.advance(money.SOL, "one", "two")
	b.advance(usd, "", "uno")
	b.same("SOL", must(b.Cursor(background, money.SOL))(b), deposit.WatchProgress{Cursor: "two", After: 3})
	b.same("the token", must(b.Cursor(background, usd))(b), deposit.WatchProgress{Cursor: "uno", After: 3})
	for _, from := range []string{"", "one", "three"} {
		if err := b.Advance(background, money.SOL, from, deposit.WatchProgress{Cursor: "x"}, []deposit.Parked{b.unread(from)}); !fault.Is(err, fault.InvalidState) {
			b.Errorf("from %q: %v", from, err)
		}
	}
	b.same("SOL", must(b.Cursor(background, money.SOL))(b), deposit.WatchProgress{Cursor: "two", After: 3})
	b.same("parked", len(must(b.ParkedDue(background, b.now().Add(time.Hour), 10))(b)), 0)
}

func watchersRace(b *bench) {
	b.advance(money.SOL, "", "0")
	for round := range 5 {
		var moved atomic.Int32
		atOnce(4, func(int) {
			switch err := b.Advance(background, money.SOL, fmt.Sprint(round), deposit.WatchProgress{Cursor: fmt.Sprint(round + 1), After: 1<<64 - 1}, nil); {
			case err == nil:
				moved.Add(1)
			case !fault.Is(err, fault.InvalidState):
				b.Error(err)
			}
		})
		if moved.Load() != 1 {
			b.Errorf("%d watchers moved the cursor", moved.Load())
		}
	}
}

func readIsParked(b *bench) {
	first, second := b.unread("first"), b.unread("second").Close(deposit.Review, deposit.NoSender, 7)
	b.advance(money.SOL, "", "one", first, second)
	b.same("the first", must(b.Parked(background, first.Ref))(b), first)
	b.same("the second", must(b.Parked(background, second.Ref))(b), second)
	b.advance(money.SOL, "one", "two", second.Retry(deposit.NotFound, b.now()))
	b.same("met again", must(b.Parked(background, second.Ref))(b), second)
}

func parkedIsReplaced(b *bench) {
	p := b.unread("first")
	b.park(p)
	for _, next := range []deposit.Parked{
		p.Retry(deposit.NotFound, b.now()), p.Close(deposit.Review, deposit.SeveralSenders, money.Max),
		p.Close(deposit.Rejected, deposit.BelowMinimum, 1),
	} {
		b.park(next)
		b.same("parked", must(b.Parked(background, p.Ref))(b), next)
	}
	other := parkedRef("first", usd)
	if err := b.Unpark(background, other); err != nil {
		b.Error(err)
	}
	must(b.Parked(background, p.Ref))(b)
	for range 2 {
		if err := b.Unpark(background, p.Ref); err != nil {
			b.Fatal(err)
		}
		if _, err := b.Parked(background, p.Ref); !fault.Is(err, fault.NotFound) {
			b.Errorf("forgotten: %v", err)
		}
	}
}

func dueIsListed(b *bench) {
	now := b.now()
	for i, after := range []time.Duration{3, 1, 2, 5} {
		p := b.unread(fmt.Sprint(i))
		p.NextAt = now.Add(after * time.Second)
		b.park(p)
	}
	b.park(b.unread("review").Close(deposit.Review, deposit.NoSender, 1))
	due := func(after time.Duration, limit int) (names []string) {
		for _, p := range must(b.ParkedDue(background, now.Add(after), limit))(b) {
			for _, name := range []string{"0", "1", "2", "3", "review"} {
				if p.Signature == fakes.Signature(name) {
					names = append(names, name)
				}
			}
		}
		return names
	}
	b.same("nothing is due", len(due(time.Second-time.Millisecond, 10)), 0)
	b.same("due", due(3*time.Second, 10), []string{"1", "2", "0"})
	b.same("due, two of them", due(time.Hour, 2), []string{"1", "2"})
}

func parkedOfAStatus(b *bench) {
	b.park(b.unread("pending"))
	b.park(b.unread("review").Close(deposit.Review, deposit.NoSender, 1))
	b.park(b.unread("older").Close(deposit.Rejected, deposit.BelowMinimum, 1))
	b.park(b.unread("later").Close(deposit.Review, deposit.NoSender, 1))
	for limit, want := range [][]deposit.Ref{{}, {parkedRef("review", money.SOL)}, {parkedRef("review", money.SOL), parkedRef("later", money.SOL)}} {
		refs := []deposit.Ref{}
		for _, p := range must(b.ParkedIn(background, deposit.Review, limit))(b) {
			refs = append(refs, p.Ref)
		}
		b.same("in review", refs, want)
	}
}

func unbookedIsSummed(b *bench) {
	b.same("at first", len(must(b.Unbooked(background))(b)), 0)
	for i := range 3 {
		b.park(b.unread(fmt.Sprint(i)).Close(deposit.Review, deposit.NoSender, money.Max))
	}
	b.park(b.unread("unknown"))
	dust := deposit.Parked{Ref: parkedRef("0", usd), FoundAt: b.now()}.Close(deposit.Rejected, deposit.BelowMinimum, 5)
	b.park(dust)
	sums := must(b.Unbooked(background))(b)
	b.same("SOL", sums[money.SOL].String(), "27670116110564327421")
	b.same("the token", sums[usd].String(), "5")
	b.signIn(alice, 0)
	b.commit(b.credit(alice, "0", money.SOL, money.Max))
	b.same("SOL, one of them credited", must(b.Unbooked(background))(b)[money.SOL].String(), "18446744073709551614")
	if err := b.Unpark(background, dust.Ref); err != nil {
		b.Fatal(err)
	}
	b.same("tokens", len(must(b.Unbooked(background))(b)), 1)
}

func claimsToAreListed(b *bench) {
	b.signIn(alice, 0)
	b.signIn(bob, 0)
	verdict := deposit.Verdict{Status: deposit.Review, Reason: deposit.SeveralSenders, Amount: 5}
	first := *b.commit(b.claim(bob, "shared", usd, verdict)).Change.Deposit
	second := *b.commit(b.claim(alice, "shared", usd, verdict)).Change.Deposit
	b.commit(b.claim(alice, "shared", money.SOL, verdict))
	b.commit(b.claim(alice, "another", usd, verdict))
	b.same("claims", must(b.ClaimsOf(background, parkedRef("shared", usd)))(b), []deposit.Claim{first, second})
	b.same("of nobody", len(must(b.ClaimsOf(background, parkedRef("never", usd)))(b)), 0)
}

func cursorsOutlive(b *bench) {
	if !b.Durable {
		return
	}
	b.advance(money.SOL, "", "one")
	b.Store = b.Reopen(b.T)
	b.same("the cursor", must(b.Cursor(background, money.SOL))(b), deposit.WatchProgress{Cursor: "one", After: 3})
}

func parkedOutlive(b *bench) {
	if !b.Durable {
		return
	}
	p := b.unread("first")
	b.advance(money.SOL, "", "one", p)
	b.Store = b.Reopen(b.T)
	b.same("the parked one", must(b.Parked(background, p.Ref))(b), p)
}
