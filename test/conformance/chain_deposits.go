package conformance

import (
	"slices"
	"testing"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// depositUnits is the amount that the stories pay: more than any account's rent.
const depositUnits money.Amount = 25_000_000

// DepositReader proves the contract of ports.DepositReader.
func DepositReader(t *testing.T, newChain func(t *testing.T) Chain) {
	for name := range (Chain{}).both() {
		onChain(t, newChain, "Observe returns what the chain shows of a transaction, for the rules of domain/deposit: "+name, func(t *testing.T, c Chain) { observed(t, c, name) })
		onChain(t, newChain, "Observe tells the slot that a transaction landed in: "+name, func(t *testing.T, c Chain) { inSlots(t, c, name) })
		onChain(t, newChain, "a transaction that failed is found, and failed: "+name, func(t *testing.T, c Chain) {
			terms, player := c.both()[name], c.NewWallet()
			c.Fund(player, terms, depositUnits)
			signature := c.Deposit(player, terms, depositUnits, true)
			c.Finalize()
			c.judged(t, signature, name, player, deposit.Verdict{Status: deposit.Rejected, Reason: deposit.TransactionFailed})
		})
	}
	sub(t, "One that was never seen is an Observation with Found false, not an error", func(t *testing.T) {
		seen, err := newChain(t).Observe(t.Context(), fakes.Signature("never sent"))
		errorIf(t, err != nil || seen.Found || seen.Finalized || seen.Signature != fakes.Signature("never sent"),
			"%+v, %v", seen, err)
	})
	onChain(t, newChain, "a text that is no signature is a fault of kind Invalid", func(t *testing.T, c Chain) {
		for _, text := range []string{"", "deposit", string(alice), fakes.Signature("x") + "1"} {
			if _, err := c.Observe(t.Context(), text); !fault.Is(err, fault.Invalid) {
				t.Errorf("Observe(%q): %v", text, err)
			}
		}
	})
	onChain(t, newChain, "a chain that can't be asked is a fault of kind External", func(t *testing.T, c Chain) {
		c.SetUnreachable(true)
		external(t, "Observe", errorOf(c.Observe(t.Context(), fakes.Signature("never sent"))))
	})
	onChain(t, newChain, "Treasury returns where deposits of a token arrive", func(t *testing.T, c Chain) {
		for name, terms := range c.both() {
			where, err := c.Treasury(terms)
			if err != nil || where.Owner != c.TreasuryAddress() || (where.TokenAccount == "") != (name == "SOL") || where.WrappedSOL == "" {
				t.Errorf("%s: %+v, %v", name, where, err)
			}
		}
	})
}

// observed follows a deposit of one token, claimed by its payer and another player.
func observed(t *testing.T, c Chain, name string) {
	terms, player, stranger := c.both()[name], c.NewWallet(), c.NewWallet()
	c.Fund(player, terms, depositUnits)
	signature := c.Deposit(player, terms, depositUnits-1, false)
	c.judged(t, signature, name, player, deposit.Verdict{Status: deposit.Pending})
	c.Finalize()
	good := deposit.Verdict{Status: deposit.Credited, Amount: depositUnits - 1, Sender: player}
	c.judged(t, signature, name, player, good)
	c.judged(t, signature, name, player, good)
	c.judged(t, signature, name, stranger, deposit.Verdict{Status: deposit.Rejected, Reason: deposit.NotSender, Sender: player})
	for other := range c.both() {
		if other != name {
			c.judged(t, signature, other, player, deposit.Verdict{Status: deposit.Rejected, Reason: deposit.NoCredit})
		}
	}
}

// inSlots follows two deposits, one finalized before the other is made: payments before the
// beginning of a watch are recognized by their slot.
func inSlots(t *testing.T, c Chain, name string) {
	terms, player := c.both()[name], c.NewWallet()
	c.Fund(player, terms, 3*depositUnits)
	first := c.Deposit(player, terms, depositUnits, false)
	c.Finalize()
	second := c.Deposit(player, terms, depositUnits, false)
	c.Finalize()
	good := deposit.Verdict{Status: deposit.Credited, Amount: depositUnits, Sender: player}
	early := c.judged(t, first, name, player, good)
	late := c.judged(t, second, name, player, good)
	errorIf(t, early.Slot == 0 || late.Slot <= early.Slot,
		"the first landed in slot %d and the second in %d", early.Slot, late.Slot)
}

// judged observes a transaction and checks the rules' verdict on it.
func (c Chain) judged(t *testing.T, signature, name string, claimant wallet.Address, want deposit.Verdict) deposit.Observation {
	t.Helper()
	terms := c.both()[name]
	seen, err := c.Observe(t.Context(), signature)
	fatalIf(t, err != nil, "Observe: %v", err)
	errorIf(t, !seen.Found || seen.Signature != signature, "found %v, signature %s", seen.Found, seen.Signature)
	where, err := c.Treasury(terms)
	fatalIf(t, err != nil, "Treasury: %v", err)
	got := deposit.Judge(seen, claimant, terms, where)
	errorIf(t, got != want, "judged %+v, want %+v, of %+v", got, want, seen)
	return seen
}

// DepositTransactions proves the contract of ports.DepositTransactions.
func DepositTransactions(t *testing.T, newChain func(t *testing.T) Chain) {
	for name := range (Chain{}).both() {
		onChain(t, newChain, "Once it is finalized it is that wallet's deposit of the amount: "+name, func(t *testing.T, c Chain) {
			terms, player := c.both()[name], c.NewWallet()
			c.Fund(player, terms, payoutUnits)
			before := c.holding(t, terms)
			signature, landed := c.Pay(player, c.unsigned(t, player, terms, payoutUnits).Transaction)
			fatalIf(t, !landed, "it didn't land")
			c.Finalize()
			c.judged(t, signature, name, player, deposit.Verdict{Status: deposit.Credited, Amount: payoutUnits, Sender: player})
			if got := c.holding(t, terms); got != before+payoutUnits {
				t.Errorf("the treasury went from %d to %d", before, got)
			}
		})
		onChain(t, newChain, "Nothing is sent, and what the wallet holds isn't asked: "+name, func(t *testing.T, c Chain) {
			terms, player := c.both()[name], c.NewWallet()
			before := c.holding(t, terms)
			poor := c.unsigned(t, player, terms, payoutUnits)
			if _, landed := c.Pay(player, poor.Transaction); landed {
				t.Error("a wallet that owns nothing paid it")
			}
			c.Finalize()
			if got := c.holding(t, terms); got != before {
				t.Errorf("the treasury went from %d to %d", before, got)
			}
		})
		onChain(t, newChain, "It can land until its last valid height: "+name, func(t *testing.T, c Chain) {
			terms, player := c.both()[name], c.NewWallet()
			c.Fund(player, terms, payoutUnits)
			late := c.unsigned(t, player, terms, payoutUnits)
			heights, err := c.Heights(t.Context())
			ok(t, err)
			if at := late.LastValidHeight; at+heightSlack < heights.LastValid || at > heights.LastValid {
				t.Errorf("it can land until block %d, it says; what is signed now can until %d", at, heights.LastValid)
			}
			c.Expire()
			if _, landed := c.Pay(player, late.Transaction); landed {
				t.Error("it landed after that")
			}
		})
	}
	onChain(t, newChain, "two for the same may be one transaction, which lands once", func(t *testing.T, c Chain) {
		player := c.NewWallet()
		c.Fund(player, c.SOL, 10*payoutUnits)
		before, signatures := c.holding(t, c.SOL), map[string]bool{}
		for range 2 {
			signature, _ := c.Pay(player, c.unsigned(t, player, c.SOL, payoutUnits).Transaction)
			signatures[signature] = true
		}
		c.Finalize()
		if got, want := c.holding(t, c.SOL), before+money.Amount(len(signatures))*payoutUnits; got != want {
			t.Errorf("%d transactions brought the treasury from %d to %d", len(signatures), before, got)
		}
	})
	for name := range (Chain{}).both() {
		onChain(t, newChain, "Funds returns what the wallet can pay from, finalized: "+name, func(t *testing.T, c Chain) {
			terms, player := c.both()[name], c.NewWallet()
			funds := func() money.Amount {
				c.Finalize()
				held, err := c.Funds(t.Context(), player, terms)
				fatalIf(t, err != nil, "Funds: %v", err)
				return held
			}
			errorIf(t, funds() != 0, "a new wallet holds something")
			c.Fund(player, terms, 2*payoutUnits)
			before := funds()
			errorIf(t, before < 2*payoutUnits || name != "SOL" && before != 2*payoutUnits, "%d after %d were given", before, 2*payoutUnits)
			_, landed := c.Pay(player, c.unsigned(t, player, terms, payoutUnits).Transaction)
			fatalIf(t, !landed, "the deposit didn't land")
			after := funds()
			errorIf(t, after > before-payoutUnits || name != "SOL" && after != before-payoutUnits, "%d before a deposit of %d and %d after it", before, payoutUnits, after)
		})
	}
	onChain(t, newChain, "a chain that can't be asked is External", func(t *testing.T, c Chain) {
		c.SetUnreachable(true)
		external(t, "Funds", errorOf(c.Funds(t.Context(), c.NewWallet(), c.SOL)))
		external(t, "DepositTransaction", errorOf(c.DepositTransaction(t.Context(), c.NewWallet(), c.SOL, payoutUnits)))
	})
}

// unsigned builds a deposit.
func (c Chain) unsigned(t *testing.T, from wallet.Address, terms token.Terms, amount money.Amount) deposit.Unsigned {
	t.Helper()
	built, err := c.DepositTransaction(t.Context(), from, terms, amount)
	fatalIf(t, err != nil || len(built.Transaction) == 0, "DepositTransaction: %+v, %v", built, err)
	return built
}

// DepositHistory proves the contract of ports.DepositHistory.
func DepositHistory(t *testing.T, newChain func(t *testing.T) Chain) {
	for name := range (Chain{}).both() {
		onChain(t, newChain, "Since lists finalized transactions that touched where deposits of the token arrive, oldest first: "+name, func(t *testing.T, c Chain) { listed(t, c, name) })
		onChain(t, newChain, "At most limit are listed, and the next page goes on behind them: "+name, func(t *testing.T, c Chain) { paged(t, c, name) })
	}
	onChain(t, newChain, "What is listed may be anything that names the account: payouts, failed transactions", func(t *testing.T, c Chain) {
		from := c.beginning(t, c.SOL)
		player := c.NewWallet()
		c.Fund(player, c.SOL, depositUnits)
		failed := c.Deposit(player, c.SOL, depositUnits, true)
		attempt := c.signed(t, "w1", c.SPL, payoutUnits, string(c.NewWallet()))
		c.send(t, attempt)
		c.Finalize()
		for _, entry := range c.since(t, c.SOL, from, 0).Entries {
			errorIf(t, entry.Failed != (entry.Signature == failed), "%+v", entry)
		}
		if all := signatures(c.since(t, c.SOL, from, 0)); !slices.Contains(all, failed) || !slices.Contains(all, attempt.Signature) {
			t.Errorf("%v without the failed %s or the payout %s", all, failed, attempt.Signature)
		}
	})
	onChain(t, newChain, "A cursor that Since didn't make is a fault of kind Invalid", func(t *testing.T, c Chain) {
		for _, cursor := range []string{"yesterday", "-1", "99999999999999999999999"} {
			_, err := c.Since(t.Context(), c.SOL, cursor, 0)
			errorIf(t, !fault.Is(err, fault.Invalid), "Since(%q): %v", cursor, err)
		}
	})
	onChain(t, newChain, "a chain that can't be asked is External", func(t *testing.T, c Chain) {
		c.SetUnreachable(true)
		external(t, "Since", errorOf(c.Since(t.Context(), c.SOL, "", 0)))
	})
}

// since returns a page.
func (c Chain) since(t *testing.T, terms token.Terms, cursor string, limit int) ports.HistoryPage {
	t.Helper()
	page, err := c.Since(t.Context(), terms, cursor, limit)
	fatalIf(t, err != nil, "Since: %v", err)
	fatalIf(t, page.Next == "", "a page without the cursor of the next one")
	return page
}

// beginning returns a cursor after all finalized deposits.
func (c Chain) beginning(t *testing.T, terms token.Terms) (cursor string) {
	t.Helper()
	for more := true; more; {
		page := c.since(t, terms, cursor, 0)
		cursor, more = page.Next, page.More
	}
	return cursor
}

func signatures(page ports.HistoryPage) (all []string) {
	for _, entry := range page.Entries {
		all = append(all, entry.Signature)
	}
	return all
}

// follow reads all pages after a cursor: it returns each signature once, and the last cursor.
func (c Chain) follow(t *testing.T, terms token.Terms, cursor string, limit int) ([]string, string) {
	t.Helper()
	var all []string
	for slot, more := uint64(0), true; more; {
		page := c.since(t, terms, cursor, limit)
		fatalIf(t, len(page.Entries) > limit || page.More && len(page.Entries) < limit,
			"%d entries of at most %d, more %v", len(page.Entries), limit, page.More)
		for _, entry := range page.Entries {
			fatalIf(t, entry.Slot < slot || slices.Contains(all, entry.Signature),
				"%+v comes after slot %d, or twice", entry, slot)
			slot, all = entry.Slot, append(all, entry.Signature)
		}
		cursor, more = page.Next, page.More
	}
	return all, cursor
}

// listed makes deposits of both tokens and checks the list of one.
func listed(t *testing.T, c Chain, name string) {
	terms, player := c.both()[name], c.NewWallet()
	for _, each := range c.both() {
		c.Fund(player, each, 10*depositUnits)
	}
	from := c.beginning(t, terms)
	first := c.Deposit(player, terms, depositUnits, false)
	if got, _ := c.follow(t, terms, from, ports.HistoryMax); slices.Contains(got, first) {
		t.Error("listed before it is finalized")
	}
	c.Finalize()
	for other, each := range c.both() {
		if other != name {
			c.Deposit(player, each, depositUnits, false)
		}
	}
	second := c.Deposit(player, terms, depositUnits, false)
	c.Finalize()
	got, cursor := c.follow(t, terms, from, ports.HistoryMax)
	ours := slices.DeleteFunc(slices.Clone(got), func(s string) bool { return s != first && s != second })
	if !slices.Equal(ours, []string{first, second}) {
		t.Errorf("%v, want %s and then %s among them", got, first, second)
	}
	// A watch begins at a listed slot, and claims are judged by the observed slot.
	for _, entry := range c.since(t, terms, from, ports.HistoryMax).Entries {
		seen, err := c.Observe(t.Context(), entry.Signature)
		errorIf(t, err != nil || seen.Slot != entry.Slot, "listed in slot %d and observed in %d, %v", entry.Slot, seen.Slot, err)
	}
	third := c.Deposit(player, terms, depositUnits, false)
	c.Finalize()
	for _, kept := range []string{from, cursor} {
		if got, _ := c.follow(t, terms, kept, ports.HistoryMax); !slices.Contains(got, third) {
			t.Errorf("from %q: %v without %s", kept, got, third)
		}
	}
}

// paged reads a history in small pages.
func paged(t *testing.T, c Chain, name string) {
	const count = 7
	terms, player := c.both()[name], c.NewWallet()
	c.Fund(player, terms, count*depositUnits)
	from := c.beginning(t, terms)
	var made []string
	for i := range count {
		made = append(made, c.Deposit(player, terms, depositUnits-money.Amount(i), false))
	}
	c.Finalize()
	for _, limit := range []int{1, 2, 3, count, ports.HistoryMax} {
		got, _ := c.follow(t, terms, from, limit)
		ours := slices.DeleteFunc(slices.Clone(got), func(s string) bool { return !slices.Contains(made, s) })
		slices.Sort(ours)
		want := slices.Sorted(slices.Values(made))
		errorIf(t, !slices.Equal(ours, want), "in pages of %d: %v, want %v", limit, got, made)
	}
	whole := c.since(t, terms, from, 0)
	errorIf(t, whole.More || len(whole.Entries) < count, "without a limit: %d entries, more %v", len(whole.Entries), whole.More)
}
