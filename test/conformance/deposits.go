package conformance

import (
	"fmt"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// DepositCursors is the suite of ports.DepositCursors.
func DepositCursors(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, depositCursorsCases)
}

var depositCursorsCases = []story{
	{"a cursor is moved from where it was found", Rows, func(b *bench) {
		b.fails(fault.NotFound, errorOf(b.Cursor(background, money.SOL)), "at first")
		b.advance(money.SOL, "", "one")
		b.advance(money.SOL, "one", "two")
		b.advance(usd, "", "uno")
		b.reopen()
		b.same("SOL", must(b.Cursor(background, money.SOL))(b), deposit.WatchProgress{Cursor: "two", After: 3})
		b.same("the token", must(b.Cursor(background, usd))(b), deposit.WatchProgress{Cursor: "uno", After: 3})
		for _, from := range []string{"", "one", "three"} {
			b.fails(fault.InvalidState, b.Advance(background, money.SOL, from, deposit.WatchProgress{Cursor: "x"}, []deposit.Parked{b.unread(from)}), "from ", from)
		}
		b.same("SOL", must(b.Cursor(background, money.SOL))(b), deposit.WatchProgress{Cursor: "two", After: 3})
		b.same("parked", len(must(b.ParkedDue(background, b.now().Add(time.Hour), 10))(b)), 0)
	}},
	{"of two watchers at once one moves the cursor", Races, func(b *bench) {
		b.advance(money.SOL, "", "0")
		for round := range 5 {
			next := deposit.WatchProgress{Cursor: fmt.Sprint(round + 1), After: 1<<64 - 1}
			b.same("watchers that moved the cursor", b.winners(4, fault.InvalidState, func(int) error {
				return b.Advance(background, money.SOL, fmt.Sprint(round), next, nil)
			}), 1)
		}
	}},
	{"transactions that can't be credited are parked in the same commit", Rows, func(b *bench) {
		first, second := b.unread("first"), b.unread("second").Close(deposit.Review, deposit.NoSender, 7)
		b.advance(money.SOL, "", "one", first, second)
		b.same("the first", must(b.Parked(background, first.Ref))(b), first)
		b.same("the second", must(b.Parked(background, second.Ref))(b), second)
		b.advance(money.SOL, "one", "two", second.Retry(deposit.NotFound, b.now()))
		b.same("met again", must(b.Parked(background, second.Ref))(b), second)
	}},
}

// ParkedDeposits is the suite of ports.ParkedDeposits.
func ParkedDeposits(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, parkedDepositsCases)
}

var parkedDepositsCases = []story{
	{"a parked transaction is replaced, found and deleted", Rows, func(b *bench) {
		p := b.unread("first")
		b.park(p)
		for _, next := range []deposit.Parked{
			p.Retry(deposit.NotFound, b.now()), p.Close(deposit.Review, deposit.SeveralSenders, money.Max),
			p.Close(deposit.Rejected, deposit.BelowMinimum, 1),
		} {
			b.park(next)
			b.reopen()
			b.same("parked", must(b.Parked(background, p.Ref))(b), next)
		}
		other := parkedRef("first", usd)
		b.check(b.Unpark(background, other))
		must(b.Parked(background, p.Ref))(b)
		for range 2 {
			b.ok(b.Unpark(background, p.Ref))
			b.fails(fault.NotFound, errorOf(b.Parked(background, p.Ref)), "forgotten")
		}
	}},
	{"due deposits are listed with the longest due first", Rows, func(b *bench) {
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
	}},
}

// UnbookedDeposits is the suite of ports.UnbookedDeposits.
func UnbookedDeposits(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, unbookedDepositsCases)
}

var unbookedDepositsCases = []story{
	{"those of a status are listed in the order they were found", Rows, func(b *bench) {
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
	}},
	{"a transaction is booked as a deposit or as capital", Rows, func(b *bench) {
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
	}},
	{"unbooked amounts are summed per token", Rows, func(b *bench) {
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
		b.ok(b.Unpark(background, dust.Ref))
		b.same("tokens", len(must(b.Unbooked(background))(b)), 1)
	}},
}

func parkedRef(name string, mint money.Token) deposit.Ref {
	return deposit.Ref{Signature: fakes.Signature(name), Token: mint}
}

func (b *bench) unread(name string) deposit.Parked {
	return deposit.Parked{Ref: parkedRef(name, money.SOL), FoundAt: b.now()}.Retry(deposit.Unreadable, b.clock.Now())
}

func (b *bench) advance(mint money.Token, from, to string, parked ...deposit.Parked) {
	b.Helper()
	b.ok(b.Advance(background, mint, from, deposit.WatchProgress{Cursor: to, After: uint64(len(to))}, parked))
}

func (b *bench) park(p deposit.Parked) {
	b.Helper()
	b.ok(b.Park(background, p))
}

var watchCases = []story{
	{"all players' claims to a transaction are listed", Rows, func(b *bench) {
		b.signIn(alice, 0)
		b.signIn(bob, 0)
		verdict := deposit.Verdict{Status: deposit.Review, Reason: deposit.SeveralSenders, Amount: 5}
		first := *b.commit(b.claim(bob, "shared", usd, verdict)).Change.Deposit
		second := *b.commit(b.claim(alice, "shared", usd, verdict)).Change.Deposit
		b.commit(b.claim(alice, "shared", money.SOL, verdict))
		b.commit(b.claim(alice, "another", usd, verdict))
		b.same("claims", must(b.ClaimsOf(background, parkedRef("shared", usd)))(b), []deposit.Claim{first, second})
		b.same("of nobody", len(must(b.ClaimsOf(background, parkedRef("never", usd)))(b)), 0)
	}},
}

// Unclaimed is the suite of ports.Unclaimed.
func Unclaimed(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, unclaimedCases)
}

var unclaimedCases = []story{
	{"unclaimed balances above zero are listed by wallet and token, of one or all", Rows, func(b *bench) {
		move := func(w wallet.Address, id string, mint money.Token, amount money.Amount) {
			b.commit(b.transfer(w, ledger.Key{Kind: ledger.Deposit, Scope: string(mint), ID: id}, ledger.Transfer{
				Debit: ledger.System(ledger.Chain), Credit: ledger.UnclaimedOf(w), Token: mint, Amount: amount,
			}))
		}
		dave := fakes.Wallet("dave")
		b.signIn(alice, 0)
		b.commit(b.credit(alice, "hers", money.SOL, 9))
		move(bob, "1", money.SOL, 5)
		move(bob, "2", usd, 3)
		move(bob, "3", usd, 4)
		move(carol, "4", money.SOL, 2)
		move(dave, "5", money.SOL, 1)
		b.signIn(dave, 0)
		amounts := map[string]money.Amount{}
		line := func(w wallet.Address, token money.Token, amount money.Amount) string {
			id := string(w) + " " + string(token)
			amounts[id] = amount
			return id
		}
		bobs, usds := line(bob, money.SOL, 5), line(bob, usd, 7)
		all := []string{bobs, usds, line(carol, money.SOL, 2)}
		list := func(f ports.UnclaimedFilter) pageOf {
			return func(page ports.Page) ([]string, ports.PageInfo, error) {
				found, err := b.UnclaimedBalances(background, f, page)
				ids := []string{}
				for _, u := range found.Balances {
					id := string(u.Wallet) + " " + string(u.Token)
					b.same("the amount of "+id, u.Amount, amounts[id])
					ids = append(ids, id)
				}
				return ids, found.PageInfo, err
			}
		}
		b.lists("unclaimed balances", newest(all), list(ports.UnclaimedFilter{}))
		b.lists("of one wallet", newest([]string{bobs, usds}), list(ports.UnclaimedFilter{Wallet: bob}))
		b.lists("of one token", []string{usds}, list(ports.UnclaimedFilter{Token: usd}))
		b.lists("of a player", nil, list(ports.UnclaimedFilter{Wallet: dave}))
	}},
}

// Reconciliations is the suite of ports.Reconciliations.
func Reconciliations(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, reconciliationsCases)
}

var reconciliationsCases = []story{
	{"the end of the compared period only moves from the given time", Rows, func(b *bench) {
		b.fails(fault.NotFound, errorOf(b.Reconciled(background, connection)), "at first")
		one, two := b.now(), b.now().Add(time.Hour+time.Microsecond)
		b.fails(fault.InvalidState, b.AdvanceReconciled(background, connection, one, two), "from an end that isn't there")
		b.advanceReconciled(connection, time.Time{}, one)
		b.advanceReconciled("other", time.Time{}, two)
		b.advanceReconciled(connection, one, two)
		b.reopen()
		b.same("the end", must(b.Reconciled(background, connection))(b), two)
		for _, from := range []time.Time{{}, one, two.Add(time.Microsecond)} {
			b.fails(fault.InvalidState, b.AdvanceReconciled(background, connection, from, two.Add(time.Hour)), "from ", from)
		}
		b.same("the end", must(b.Reconciled(background, connection))(b), two)
		b.same("the other's", must(b.Reconciled(background, "other"))(b), two)
	}},
	{"of two concurrent comparisons one moves the end", Races, func(b *bench) {
		end := time.Time{}
		for range 5 {
			next := b.now().Add(time.Hour)
			if !end.IsZero() {
				next = end.Add(time.Hour)
			}
			b.same("comparisons that moved the end", b.winners(4, fault.InvalidState, func(int) error {
				return b.AdvanceReconciled(background, connection, end, next)
			}), 1)
			end = next
		}
	}},
}

func (b *bench) advanceReconciled(connection string, from, to time.Time) {
	b.Helper()
	b.ok(b.AdvanceReconciled(background, connection, from, to))
}
