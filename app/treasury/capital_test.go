package treasury_test

import (
	"strings"
	"testing"

	"github.com/casino-service/casino/app/treasury"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

func TestAPaymentIsBookedAsTheChainShowsIt(t *testing.T) {
	t.Parallel()
	h := openWatched(t)
	commands := treasury.CapitalCommands{Bookings: h.Store, Writer: h.Store, Clock: h.Clock, Entropy: h.Entropy}
	book := func(amount money.Amount, signature string) error {
		return commands.BookPayment(h.Ctx, h.Chain, apptest.SOLTerms, amount, signature)
	}
	signature := h.Chain.Pay("owner", money.SOL, 50_000)
	failed := h.Chain.Fake.FailedDeposit(fakes.Wallet("owner"), money.SOL)
	other := h.Chain.Pay("owner", apptest.ClosingTerms.Mint, 50_000)
	h.CheckUnchanged(func() {
		apptest.Refused(t, book(50_000, signature), fault.InvalidState, "status", "pending")
	})
	h.Chain.Finalize()
	h.CheckUnchanged(func() {
		apptest.Refused(t, book(49_999, signature), fault.AmountOutOfRange, "received", int64(50_000))
		apptest.Refused(t, book(50_000, failed), fault.InvalidState, "reason", "failed")
		apptest.Refused(t, book(50_000, other), fault.InvalidState, "reason", "no_credit")
		apptest.Refused(t, book(50_000, fakes.Signature("none")), fault.InvalidState, "reason", "not_found")
		apptest.Refused(t, book(50_000, "founding"), fault.Invalid, "field", "signature")
	})
	if err := book(50_000, signature); err != nil {
		t.Fatal(err)
	}
	h.CheckUnchanged(func() { apptest.Refused(t, book(50_000, signature), fault.InvalidState, "status", "booked") })
	var after string
	for _, r := range h.AuditRecords() {
		if r.Action == audit.CapitalBooked && r.Target == signature {
			after = r.After
		}
	}
	if !strings.Contains(after, "50000 ") || !strings.Contains(after, ", read on chain in slot ") {
		t.Errorf("the audit log says %q", after)
	}

	// A player's deposit is nobody's capital, and a wallet's unclaimed one becomes capital.
	h.SignIn("alice")
	players, unclaimed := h.Chain.Pay("alice", money.SOL, 2_000), h.Chain.Pay("stranger", money.SOL, 3_000)
	h.Chain.Finalize()
	h.RunWatcher(h.Deposits.DepositWatcher())
	h.CheckUnchanged(func() { apptest.Refused(t, book(2_000, players), fault.InvalidState, "status", "booked") })
	if err := book(3_000, unclaimed); err != nil {
		t.Fatal(err)
	}
	key := ledger.Key{Kind: ledger.TopUp, Scope: string(money.SOL), ID: unclaimed}
	apptest.Equal(t, "taken from", apptest.OK(h.Store.Posting(h.Ctx, key))(t).Transfers[0].Debit, ledger.UnclaimedOf(fakes.Wallet("stranger")))
	h.CheckSolvent()
	h.CheckAudit()
}

func TestCapitalBookedUnreadSaysSo(t *testing.T) {
	t.Parallel()
	h := openWatched(t)
	commands := treasury.CapitalCommands{Bookings: h.Store, Writer: h.Store, Clock: h.Clock, Entropy: h.Entropy}
	if err := commands.BookUnread(h.Ctx, money.SOL, 700, "paper"); err != nil {
		t.Fatal(err)
	}
	h.CheckUnchanged(func() {
		apptest.Refused(t, commands.BookUnread(h.Ctx, money.SOL, 700, "paper"), fault.InvalidState, "status", "booked")
	})
	all := h.AuditRecords()
	if last := all[len(all)-1]; !strings.HasSuffix(last.After, ", not read on chain") {
		t.Errorf("the audit log says %q", last.After)
	}
}
