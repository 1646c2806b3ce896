package player

import (
	"fmt"
	"slices"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
)

// auditLaw checks audit records.
var auditLaw = thing{
	in: func(c *Change) bool { return len(c.Audit) > 0 },
	rules: []Rule{{
		"audit once", "audit records of one change have different ids",
		func(_ *Item, _ *View, c *Change) bool {
			for i := range c.Audit {
				for j := range i {
					if c.Audit[i].ID == c.Audit[j].ID {
						return false
					}
				}
			}
			return true
		},
	}},
	covers: coverProtection,
}

// postingLaw checks postings. Apply checks that balances stay within their bounds, and
// that accounts belong to the wallet.
var postingLaw = thing{
	in: func(c *Change) bool { return len(c.Postings) > 0 },
	rules: []Rule{
		{
			"posting keyed", "a posting has a key and at least one transfer",
			func(_ *Item, _ *View, c *Change) bool {
				for i := range c.Postings {
					if p := &c.Postings[i]; p.Key.Kind == "" || p.Key.ID == "" || len(p.Transfers) == 0 {
						return false
					}
				}
				return true
			},
		},
		{
			"posting once", "postings of one change have different keys",
			func(_ *Item, _ *View, c *Change) bool {
				for i := range c.Postings {
					for j := range i {
						if c.Postings[i].Key == c.Postings[j].Key {
							return false
						}
					}
				}
				return true
			},
		},
		{
			"round posted", "a posting under a round's key comes with its round",
			func(_ *Item, _ *View, c *Change) bool {
				return c.Round != nil || !slices.ContainsFunc(c.Postings, func(p ledger.Posting) bool { return p.Key.Kind == ledger.Round })
			},
		},
		{
			"correction posted", "a posting corrects an adjustment, an assignment or a top-up, and its item takes the only key of that correction",
			func(item *Item, _ *View, c *Change) bool {
				return !slices.ContainsFunc(c.Postings, func(p ledger.Posting) bool {
					if p.Key.Kind != ledger.Correct {
						return false
					}
					original, corrects := p.Key.Corrected()
					return !corrects || !original.Kind.Correctable() || !slices.Contains(item.Keys, CorrectionKeyOf(original))
				})
			},
		},
		{
			"balance asked for", "a balance moves only where the item asked to see it",
			func(item *Item, seen *View, c *Change) bool {
				n := &item.Needs
				return eachTransfer(c, func(t *ledger.Transfer) bool {
					if (t.Debit.Kind == ledger.Unclaimed || t.Credit.Kind == ledger.Unclaimed) && !n.Unclaimed {
						return false
					}
					if t.Debit.Kind != ledger.Player && t.Credit.Kind != ledger.Player || slices.Contains(n.Tokens, t.Token) {
						return true
					}
					_, arrived := seen.Unclaimed[t.Token]
					return arrived // before the first sign-in, which moves all of it in any token
				})
			},
		},
		holdMoved,
		owedMoved,
	},
	join:   func(all, one *Needs) { all.Tokens = appendMissing(all.Tokens, one.Tokens) },
	show:   func(seen, whole *View, n *Needs) { seen.Balances = selectKeys(whole.Balances, n.Tokens) },
	apply:  func(v *View, c *Change) error { return v.applyPostings(c.Postings) },
	covers: coverBalances,
}

func eachTransfer(c *Change, kept func(t *ledger.Transfer) bool) bool {
	for i := range c.Postings {
		for j := range c.Postings[i].Transfers {
			if !kept(&c.Postings[i].Transfers[j]) {
				return false
			}
		}
	}
	return true
}

// balanceAfter returns the player's balance after the change. The sum wraps if an
// account leaves its bounds on the way; Apply checks that.
func (v *View) balanceAfter(c *Change, token money.Token) money.Amount {
	balance, own := v.Balances[token], ledger.PlayerOf(v.Player.Wallet)
	for i := range c.Postings {
		for j := range c.Postings[i].Transfers {
			t := &c.Postings[i].Transfers[j]
			if t.Token != token {
				continue
			}
			if t.Debit == own {
				balance -= t.Amount
			}
			if t.Credit == own {
				balance += t.Amount
			}
		}
	}
	return balance
}

// applyPostings applies postings to the view.
func (v *View) applyPostings(postings []ledger.Posting) error {
	for i := range postings {
		for _, t := range postings[i].Transfers {
			err := t.Check()
			if err != nil {
				return err
			}
			if err = v.applyTransferSide(t.Debit, t.Token, t.Amount, false); err == nil {
				err = v.applyTransferSide(t.Credit, t.Token, t.Amount, true)
			}
			if err != nil {
				return fmt.Errorf("posting %v: %w", postings[i].Key, err)
			}
		}
	}
	return nil
}

// applyTransferSide applies one side of a transfer to the balances of the view: the
// wallet's own, and prepaid accounts of agents. Other accounts are ignored.
func (v *View) applyTransferSide(a ledger.Account, token money.Token, amount money.Amount, into bool) error {
	var balances *map[money.Token]money.Amount
	switch {
	case a.Kind == ledger.Agent:
		return v.applyToFunds(a, token, amount, into)
	case a == ledger.PlayerOf(v.Player.Wallet):
		balances = &v.Balances
	case a == ledger.UnclaimedOf(v.Player.Wallet):
		balances = &v.Unclaimed
	case a.Kind == ledger.Hold:
		return v.checkHold(a.Owner)
	case a == ledger.StakeOf(v.Player.Wallet): // the law checks it with its round
		return nil
	case a.Kind.Liability():
		return fmt.Errorf("account %v doesn't belong to wallet %s", a, v.Player.Wallet)
	default:
		return nil
	}
	by := money.Amount.Sub
	if into {
		by = money.Amount.Add
	}
	after, ok := by((*balances)[token], amount)
	if !ok {
		return fmt.Errorf("account %v can't move %d from %d", a, amount, (*balances)[token])
	}
	*balances = withEntry(*balances, token, after)
	return nil
}

// applyToFunds applies one side of a transfer to an agent's prepaid account.
func (v *View) applyToFunds(a ledger.Account, token money.Token, amount money.Amount, into bool) error {
	signed := money.TotalOf(amount)
	if !into {
		signed = signed.Neg()
	}
	ref := agent.FundsRef{Agent: a.Owner, Token: token}
	after, ok := v.Funds[ref].Moved(signed)
	if !ok {
		return fmt.Errorf("account %v can't move %v from %d", a, signed, v.Funds[ref].Balance)
	}
	v.Funds = withEntry(v.Funds, ref, after)
	return nil
}

// checkHold checks that a hold moves only together with its withdrawal.
func (v *View) checkHold(id string) error {
	if _, ok := v.Withdrawals[id]; !ok {
		return fmt.Errorf("hold of withdrawal %q moved without the withdrawal", id)
	}
	return nil
}
