package conformance

import (
	"fmt"
	"slices"
	"testing"

	"github.com/mr-tron/base58"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// payoutUnits is the amount that the stories pay out.
const payoutUnits money.Amount = 4_000_000

// heightSlack is by how many blocks an attempt's last valid height may be below that of a new
// transaction: a blockhash may be some blocks old, and readers of heights add a margin.
const heightSlack = 64

// Payer proves the contract of ports.Payer.
func Payer(t *testing.T, newChain func(t *testing.T) Chain) {
	signs(t, newChain)
	sends(t, newChain)
	fates(t, newChain)
}

func signs(t *testing.T, newChain func(t *testing.T) Chain) {
	for name := range (Chain{}).both() {
		onChain(t, newChain, "Sign builds and signs the transaction that pays the withdrawal, and sends nothing: "+name, func(t *testing.T, c Chain) {
			terms, to := c.both()[name], string(c.NewWallet())
			before := c.holding(t, terms)
			w := approved("w1", terms, payoutUnits, to)
			w.Attempt = 6
			attempt, err := c.Sign(t.Context(), w, terms)
			ok(t, err)
			if attempt.WithdrawalID != "w1" || attempt.Number != 7 || len(attempt.Transaction) == 0 || attempt.Blockhash == "" ||
				attempt.LastValidHeight == 0 || attempt.Slot == 0 || deposit.CheckSignature(attempt.Signature) != nil {
				t.Errorf("%+v", attempt)
			}
			heights, err := c.Heights(t.Context())
			ok(t, err)
			// A height that is too low lets an attempt count as dead that can still land.
			if lands := attempt.LastValidHeight; lands+heightSlack < heights.LastValid || lands > heights.LastValid {
				t.Errorf("it can land until block %d, it says; what is signed now can until %d", lands, heights.LastValid)
			}
			c.Finalize()
			c.holds(t, to, terms, 0)
			after := c.holding(t, terms)
			errorIf(t, after != before, "the treasury went from %d to %d", before, after)
			c.fate(t, attempt, withdrawal.Unknown)
		})
	}
	onChain(t, newChain, "A payout that can never work is a fault of kind InvalidDestination or AmountOutOfRange", func(t *testing.T, c Chain) { neverPaid(t, c) })
	onChain(t, newChain, "a chain that can't be asked is External", func(t *testing.T, c Chain) {
		c.SetUnreachable(true)
		external(t, "Sign", errorOf(c.Sign(t.Context(), approved("w1", c.SOL, payoutUnits, string(c.NewWallet())), c.SOL)))
	})
	onChain(t, newChain, "a treasury that can't pay is External, because it can be filled", func(t *testing.T, c Chain) {
		c.Drain(c.SPL)
		_, err := c.Sign(t.Context(), approved("w1", c.SPL, payoutUnits, string(c.NewWallet())), c.SPL)
		external(t, "Sign", err)
	})
	onChain(t, newChain, "two payouts alike are two transactions", func(t *testing.T, c Chain) {
		to := string(c.NewWallet())
		first, second := c.signed(t, "w1", c.SPL, payoutUnits, to), c.signed(t, "w2", c.SPL, payoutUnits, to)
		fatalIf(t, first.Signature == second.Signature, "both have one signature")
		c.send(t, first)
		c.send(t, second)
		c.holds(t, to, c.SPL, 2*payoutUnits)
	})
}

func neverPaid(t *testing.T, c Chain) {
	where, err := c.Treasury(c.SPL)
	ok(t, err)
	offCurve := base58.Encode(append([]byte{2}, make([]byte, 31)...))
	for name, r := range map[string]struct {
		terms       token.Terms
		amount      money.Amount
		destination string
		kind        fault.Kind
	}{
		"no address":                            {c.SOL, payoutUnits, "dave", fault.InvalidDestination},
		"an address off the curve":              {c.SOL, payoutUnits, offCurve, fault.InvalidDestination},
		"a key of small order":                  {c.SPL, payoutUnits, base58.Encode(make([]byte, 32)), fault.InvalidDestination},
		"the treasury":                          {c.SOL, payoutUnits, c.TreasuryAddress(), fault.InvalidDestination},
		"the treasury's token account":          {c.SPL, payoutUnits, where.TokenAccount, fault.InvalidDestination},
		"a mint":                                {c.SPL, payoutUnits, string(c.SPL.Mint), fault.InvalidDestination},
		"a program's account":                   {c.SOL, payoutUnits, c.Occupied(), fault.InvalidDestination},
		"a program's account, of a token":       {c.SPL, payoutUnits, c.Occupied(), fault.InvalidDestination},
		"too little for an account":             {c.SOL, c.TooSmall, string(c.NewWallet()), fault.AmountOutOfRange},
		"nothing":                               {c.SPL, 0, string(c.NewWallet()), fault.AmountOutOfRange},
		"a small amount of a token can be paid": {c.SPL, 1, string(c.NewWallet()), fault.Internal},
	} {
		_, err := c.Sign(t.Context(), approved("w1", r.terms, r.amount, r.destination), r.terms)
		errorIf(t, r.kind == fault.Internal && err != nil || r.kind != fault.Internal && !fault.Is(err, r.kind),
			"%s: %v", name, err)
	}
}

func sends(t *testing.T, newChain func(t *testing.T) Chain) {
	for name := range (Chain{}).both() {
		onChain(t, newChain, "Send hands the stored bytes to the chain: "+name, func(t *testing.T, c Chain) {
			terms, to := c.both()[name], string(c.NewWallet())
			attempt := c.signed(t, "w1", terms, payoutUnits, to)
			c.send(t, attempt)
			c.holds(t, to, terms, payoutUnits)
		})
		onChain(t, newChain, "It may be repeated; the bytes can land only once: "+name, func(t *testing.T, c Chain) {
			terms, to := c.both()[name], string(c.NewWallet())
			attempt := c.signed(t, "w1", terms, payoutUnits, to)
			for range 3 {
				c.send(t, attempt)
			}
			c.Finalize()
			c.send(t, attempt)
			c.Expire()
			c.send(t, attempt)
			c.holds(t, to, terms, payoutUnits)
			c.fate(t, attempt, withdrawal.Finalized)
		})
	}
	onChain(t, newChain, "An error says nothing about whether they landed", func(t *testing.T, c Chain) {
		lost, cut := c.signed(t, "w1", c.SPL, payoutUnits, string(c.NewWallet())), c.signed(t, "w2", c.SPL, payoutUnits, string(c.NewWallet()))
		c.LoseAnswer()
		external(t, "Send with its answer lost", c.Send(t.Context(), lost))
		c.SetUnreachable(true)
		external(t, "Send to nobody", c.Send(t.Context(), cut))
		c.SetUnreachable(false)
		c.Finalize()
		c.fate(t, lost, withdrawal.Finalized)
		c.fate(t, cut, withdrawal.Unknown)
	})
	onChain(t, newChain, "bytes that are not the attempt's are never sent", func(t *testing.T, c Chain) {
		first, second := c.signed(t, "w1", c.SPL, payoutUnits, string(alice)), c.signed(t, "w2", c.SPL, payoutUnits, string(bob))
		mixed := first
		mixed.Transaction = second.Transaction
		torn := first
		torn.Transaction = torn.Transaction[:max(0, len(torn.Transaction)-1)]
		for _, bad := range []withdrawal.Attempt{mixed, torn, {WithdrawalID: "w3", Number: 1}} {
			if err := c.Send(t.Context(), bad); err == nil {
				t.Errorf("sent %+v", bad)
			}
			if outcome, err := c.Outcome(t.Context(), bad); err == nil || outcome.Status != withdrawal.Unknown {
				t.Errorf("%+v, %v", outcome, err)
			}
		}
		c.holds(t, string(alice), c.SPL, 0)
		c.holds(t, string(bob), c.SPL, 0)
	})
}

func fates(t *testing.T, newChain func(t *testing.T) Chain) {
	for name := range (Chain{}).both() {
		onChain(t, newChain, "Fate returns what became of the attempt: "+name, func(t *testing.T, c Chain) { followed(t, c, name) })
	}
	onChain(t, newChain, "Fate returns that a transaction landed with an error, and the reason", func(t *testing.T, c Chain) {
		to := string(c.NewWallet())
		attempt := c.signed(t, "w1", c.SPL, payoutUnits, to)
		c.Drain(c.SPL)
		c.send(t, attempt)
		c.fate(t, attempt, withdrawal.Landed)
		c.Finalize()
		outcome := c.fate(t, attempt, withdrawal.Errored)
		errorIf(t, outcome.Reason == "" || outcome.Cost.Fee < 1 || outcome.Cost.Rent != 0,
			"%+v: it cost its fee alone, for a reason", outcome)
		c.holds(t, to, c.SPL, 0)
		c.Expire()
		c.fate(t, attempt, withdrawal.Errored)
	})
	onChain(t, newChain, "It is Dead only when the chain proves that it did not land and never can", func(t *testing.T, c Chain) {
		to := string(c.NewWallet())
		sent, kept := c.signed(t, "w1", c.SPL, payoutUnits, to), c.signed(t, "w2", c.SPL, payoutUnits, to)
		c.send(t, sent)
		c.Finalize()
		c.fate(t, kept, withdrawal.Unknown)
		c.Expire()
		c.fate(t, sent, withdrawal.Finalized)
		c.fate(t, kept, withdrawal.Dead)
		c.send(t, kept)
		c.Finalize()
		outcome := c.fate(t, kept, withdrawal.Dead)
		c.holds(t, to, c.SPL, payoutUnits)
		if page, err := c.Signed(t.Context(), treasury.Position{}, ports.HistoryMax); err != nil || outcome.Slot <= kept.Slot || outcome.Slot > page.Next.Slot {
			t.Errorf("%+v, signed at slot %d, %+v, %v: it is dead as of a finalized slot", outcome, kept.Slot, page.Next, err)
		}
	})
	onChain(t, newChain, "It is Unknown when nothing can be proved", func(t *testing.T, c Chain) {
		sent, kept := c.signed(t, "w1", c.SPL, payoutUnits, string(c.NewWallet())), c.signed(t, "w2", c.SPL, payoutUnits, string(c.NewWallet()))
		c.send(t, sent)
		c.Expire()
		c.SetUnreachable(true)
		for _, attempt := range []withdrawal.Attempt{sent, kept} {
			outcome, err := c.Outcome(t.Context(), attempt)
			external(t, "Fate", err)
			errorIf(t, outcome.Status != withdrawal.Unknown, "%+v of a chain that can't be asked", outcome)
		}
	})
}

// followed follows two payouts of one token to their end, and counts every unit.
func followed(t *testing.T, c Chain, name string) {
	terms, to := c.both()[name], string(c.NewWallet())
	lamports, units := c.holding(t, c.SOL), c.holding(t, terms)
	var costs money.Amount
	for i, id := range []string{"w1", "w2"} {
		attempt := c.signed(t, id, terms, payoutUnits, to)
		c.fate(t, attempt, withdrawal.Unknown)
		c.send(t, attempt)
		c.fate(t, attempt, withdrawal.Landed)
		c.Finalize()
		outcome := c.fate(t, attempt, withdrawal.Finalized)
		// The first payment in a token opens an account, and the treasury pays its rent.
		if opens := name != "SOL" && i == 0; outcome.Cost.Fee < 1 || (outcome.Cost.Rent > 0) != opens || outcome.Reason != "" {
			t.Errorf("%s: %+v", id, outcome)
		}
		costs += outcome.Cost.Fee + outcome.Cost.Rent
	}
	c.holds(t, to, terms, 2*payoutUnits)
	if got := units - c.holding(t, terms); name != "SOL" && got != 2*payoutUnits {
		t.Errorf("the treasury paid %d of the token", got)
	}
	want := costs
	if name == "SOL" {
		want += 2 * payoutUnits
	}
	if got := lamports - c.holding(t, c.SOL); got != want {
		t.Errorf("the treasury paid %d lamports, %d are accounted for", got, want)
	}
}

// TreasuryHistory proves the contract of ports.TreasuryHistory.
func TreasuryHistory(t *testing.T, newChain func(t *testing.T) Chain) {
	for name := range (Chain{}).both() {
		onChain(t, newChain, "Signed lists the finalized transactions that the treasury signed, with what they paid: "+name, func(t *testing.T, c Chain) { signedIsRead(t, c, name) })
	}
	onChain(t, newChain, "others' payments to the treasury are not among them", func(t *testing.T, c Chain) {
		from, _ := c.movements(t, treasury.Position{}, 0)
		player := c.NewWallet()
		for _, terms := range c.both() {
			c.Fund(player, terms, 2*depositUnits)
			c.Deposit(player, terms, depositUnits, false)
			c.Deposit(player, terms, depositUnits, true)
		}
		c.Finalize()
		if _, got := c.movements(t, from, 0); len(got) > 0 {
			t.Errorf("%+v", got)
		}
	})
	onChain(t, newChain, "a payout that failed is a movement that cost its fee", func(t *testing.T, c Chain) {
		attempt := c.signed(t, "w1", c.SPL, payoutUnits, string(c.NewWallet()))
		c.Drain(c.SPL)
		from, _ := c.movements(t, treasury.Position{}, 0)
		c.send(t, attempt)
		c.Finalize()
		_, got := c.movements(t, from, 0)
		if at := indexOf(got, attempt.Signature); at < 0 || !got[at].Failed || len(got[at].Payments) > 0 || got[at].Fee < 1 || got[at].WithdrawalID != "w1" {
			t.Errorf("%+v", got)
		}
	})
	onChain(t, newChain, "A transaction that is finalized when Signed is called is listed from every position that was returned before", func(t *testing.T, c Chain) { listedFromEveryPosition(t, c) })
	onChain(t, newChain, "At most limit are looked at, and only the last page moves Slot and At", func(t *testing.T, c Chain) { signedInPages(t, c) })
	onChain(t, newChain, "A position that Signed didn't make is a fault of kind Invalid", func(t *testing.T, c Chain) {
		for _, cursor := range []string{"yesterday", "-1", "99999999999999999999999"} {
			_, err := c.Signed(t.Context(), treasury.Position{Cursor: cursor}, 0)
			errorIf(t, !fault.Is(err, fault.Invalid), "Signed(%q): %v", cursor, err)
		}
	})
	onChain(t, newChain, "A chain that can't be asked is External", func(t *testing.T, c Chain) {
		c.SetUnreachable(true)
		external(t, "Signed", errorOf(c.Signed(t.Context(), treasury.Position{}, 0)))
	})
}

// movements reads the history from a position to its end, in pages.
func (c Chain) movements(t *testing.T, from treasury.Position, limit int) (treasury.Position, []treasury.Movement) {
	t.Helper()
	var all []treasury.Movement
	for more := true; more; {
		page, err := c.Signed(t.Context(), from, limit)
		fatalIf(t, err != nil, "Signed: %v", err)
		checkPage(t, from, page)
		for _, m := range page.Movements {
			if indexOf(all, m.Signature) < 0 {
				all = append(all, m)
			}
		}
		from, more = page.Next, page.More
	}
	return from, all
}

func checkPage(t *testing.T, from treasury.Position, page ports.TreasuryPage) {
	t.Helper()
	next := page.Next
	switch {
	case next.Cursor == "":
		t.Fatal("a page without the cursor of the next one")
	case page.More && (next.Slot != from.Slot || !next.At.Equal(from.At)):
		t.Errorf("a page that isn't the last moved from %+v to %+v", from, next)
	case !page.More && (next.Slot == 0 || next.Slot < from.Slot || next.At.IsZero()):
		t.Errorf("the last page moved from %+v to %+v", from, next)
	}
}

func indexOf(all []treasury.Movement, signature string) int {
	return slices.IndexFunc(all, func(m treasury.Movement) bool { return m.Signature == signature })
}

func signedIsRead(t *testing.T, c Chain, name string) {
	terms, to := c.both()[name], string(c.NewWallet())
	from, _ := c.movements(t, treasury.Position{}, 0)
	w := approved("019ab-w1", terms, payoutUnits, to)
	w.Tag = "0123456789abcdef"
	attempt, err := c.Sign(t.Context(), w, terms)
	ok(t, err)
	c.send(t, attempt)
	if _, got := c.movements(t, from, 0); len(got) > 0 {
		t.Errorf("before it is finalized: %+v", got)
	}
	c.Finalize()
	outcome, err := c.Outcome(t.Context(), attempt)
	ok(t, err)
	_, got := c.movements(t, from, 0)
	fatalIf(t, len(got) != 1, "%+v", got)
	m := got[0]
	if m.Signature != attempt.Signature || m.Slot == 0 || m.At.IsZero() || m.WithdrawalID != w.ID || m.Tag != w.Tag ||
		!m.Pays(terms.Mint, payoutUnits, to) || m.Fee != outcome.Cost.Fee || m.Rent != outcome.Cost.Rent {
		t.Errorf("%+v, which cost %+v", m, outcome.Cost)
	}
}

func listedFromEveryPosition(t *testing.T, c Chain) {
	to := string(c.NewWallet())
	first := c.signed(t, "w1", c.SOL, payoutUnits, to)
	c.send(t, first)
	before, _ := c.movements(t, treasury.Position{}, 0) // landed, not final
	c.Finalize()
	between, got := c.movements(t, before, 0)
	errorIf(t, indexOf(got, first.Signature) < 0, "%+v without %s", got, first.Signature)
	second := c.signed(t, "w2", c.SPL, payoutUnits, to)
	c.send(t, second)
	c.Finalize()
	for _, from := range []treasury.Position{{}, before, between} {
		if _, got := c.movements(t, from, 0); indexOf(got, second.Signature) < 0 || from != between && indexOf(got, first.Signature) < 0 {
			t.Errorf("from %+v: %+v", from, got)
		}
	}
}

func signedInPages(t *testing.T, c Chain) {
	const count = 7
	from, _ := c.movements(t, treasury.Position{}, 0)
	to := string(c.NewWallet())
	var made []string
	for i := range count {
		attempt := c.signed(t, fmt.Sprint("w", i), []token.Terms{c.SOL, c.SPL}[i%2], payoutUnits, to)
		c.send(t, attempt)
		made = append(made, attempt.Signature)
	}
	c.Finalize()
	for _, limit := range []int{1, 2, 3, count, ports.HistoryMax} {
		_, got := c.movements(t, from, limit)
		for _, signature := range made {
			errorIf(t, indexOf(got, signature) < 0, "in pages of %d: without %s", limit, signature)
		}
		if !slices.IsSortedFunc(got, func(a, b treasury.Movement) int { return int(a.Slot) - int(b.Slot) }) {
			t.Errorf("in pages of %d: out of order", limit)
		}
	}
}
