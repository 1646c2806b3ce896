package player

import (
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// withdrawalLaw is about withdrawals and the money that is held for them.
var withdrawalLaw = thing{
	in: func(c *Change) bool { return c.Withdrawal != nil },
	rules: []Rule{
		owned("withdrawal", func(c *Change) wallet.Address { return c.Withdrawal.Wallet }),
		{
			"withdrawal asked for", "a withdrawal changes only where the item asked to see it, and otherwise begins as pending",
			func(_ *Item, seen *View, c *Change) bool {
				w := c.Withdrawal
				_, known := seen.Withdrawals[w.ID]
				return known || w.ID != "" && w.Status == withdrawal.Pending && w.Attempt == 0 && w.Signature == "" && len(w.Approvals) == 0
			},
		},
		{
			"withdrawal kept", "a withdrawal keeps the token, amount, fee, destination, time and seal that it was requested with",
			func(_ *Item, seen *View, c *Change) bool {
				w := c.Withdrawal
				old, known := seen.Withdrawals[w.ID]
				return !known || old.Token == w.Token && old.Amount == w.Amount && old.Fee == w.Fee &&
					old.Destination == w.Destination && old.CreatedAt.Equal(w.CreatedAt) && old.Seal == w.Seal
			},
		},
		{
			"withdrawal attempts", "a withdrawal counts the attempts that were signed for it",
			func(_ *Item, seen *View, c *Change) bool {
				signed := seen.Withdrawals[c.Withdrawal.ID].Attempt
				if c.Attempt != nil {
					signed++
				}
				return c.Withdrawal.Attempt == signed
			},
		},
		{
			"withdrawal cancelled", "a withdrawal is cancelled while it is pending or hindered for good",
			func(_ *Item, seen *View, c *Change) bool {
				old := seen.Withdrawals[c.Withdrawal.ID]
				return c.Withdrawal.Status != withdrawal.Cancelled || old.Status == withdrawal.Cancelled || old.Cancellable()
			},
		},
		{
			"withdrawal held", "a withdrawal's hold has its amount and fee while it is open, and nothing afterwards",
			func(_ *Item, seen *View, c *Change) bool {
				held, ok := due(seen.Withdrawals[c.Withdrawal.ID]), true
				hold := ledger.HoldOf(c.Withdrawal.ID)
				for i := range c.Postings {
					for _, t := range c.Postings[i].Transfers {
						if t.Debit == hold && ok {
							held, ok = held.Sub(t.Amount)
						}
						if t.Credit == hold && ok {
							held, ok = held.Add(t.Amount)
						}
					}
				}
				return ok && held == due(*c.Withdrawal)
			},
		},
	},
	join: func(all, one *Needs) {
		all.Withdrawals = union(all.Withdrawals, one.Withdrawals)
		all.Open = all.Open || one.Open
	},
	show: func(seen, whole *View, n *Needs) {
		seen.Withdrawals = only(whole.Withdrawals, n.Withdrawals)
		if n.Open {
			seen.OpenWithdrawals = whole.OpenWithdrawals
		}
		if n.Payouts.WithdrawalID != "" {
			seen.Payouts = whole.Payouts
		}
	},
	apply: func(v *View, c *Change) error {
		if w := c.Withdrawal; w != nil {
			v.OpenWithdrawals += opened(v.Withdrawals[w.ID].Status.Open(), w.Status.Open())
			v.Withdrawals = with(v.Withdrawals, w.ID, *w)
		}
		return nil
	},
	covers: coverWithdrawal,
}

// due is what the hold of a withdrawal must have.
func due(w withdrawal.Withdrawal) money.Amount {
	if w.Status.Open() {
		return w.Held()
	}
	return 0
}

// attemptLaw is about payout attempts.
var attemptLaw = thing{
	in: func(c *Change) bool { return c.Attempt != nil || c.DeadAttempt != 0 },
	rules: []Rule{
		{
			"attempt numbered", "a payout attempt is its withdrawal's newest, one after the attempt before, and changes with it",
			func(_ *Item, seen *View, c *Change) bool {
				a, w := c.Attempt, c.Withdrawal
				return a == nil || w != nil && a.WithdrawalID == w.ID && a.Number == w.Attempt && a.Number == seen.Withdrawals[w.ID].Attempt+1
			},
		},
		{
			"attempt dead", "a payout attempt that is marked dead is one of the withdrawal that changes with it",
			func(_ *Item, _ *View, c *Change) bool {
				return c.DeadAttempt == 0 || c.Withdrawal != nil && c.DeadAttempt > 0 && c.DeadAttempt <= c.Withdrawal.Attempt
			},
		},
	},
	covers: coverAttempt,
}

// holdMoved is about the money that is held: it belongs to its withdrawal.
var holdMoved = Rule{
	"hold moved", "a hold moves only with its withdrawal, and in its token",
	func(_ *Item, _ *View, c *Change) bool {
		return eachTransfer(c, func(t *ledger.Transfer) bool {
			for _, a := range [...]*ledger.Account{&t.Debit, &t.Credit} {
				if a.Kind == ledger.Hold && (c.Withdrawal == nil || a.Owner != c.Withdrawal.ID || t.Token != c.Withdrawal.Token) {
					return false
				}
			}
			return true
		})
	},
}
