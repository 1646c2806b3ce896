package player

import (
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// withdrawalLaw checks withdrawals and their holds.
var withdrawalLaw = thing{
	in: func(c *Change) bool { return c.Withdrawal != nil },
	rules: []Rule{
		ownershipRule("withdrawal", func(c *Change) wallet.Address { return c.Withdrawal.Wallet }),
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
			"withdrawal cancelled", "a withdrawal is cancelled while it is pending or can never be paid",
			func(_ *Item, seen *View, c *Change) bool {
				old := seen.Withdrawals[c.Withdrawal.ID]
				return c.Withdrawal.Status != withdrawal.Cancelled || old.Status == withdrawal.Cancelled || old.Cancellable()
			},
		},
		{
			"withdrawal held", "a withdrawal's hold has its amount and fee while it is open, and nothing afterwards",
			func(_ *Item, seen *View, c *Change) bool {
				held, ok := requiredHold(seen.Withdrawals[c.Withdrawal.ID]), true
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
				return ok && held == requiredHold(*c.Withdrawal)
			},
		},
	},
	join: func(all, one *Needs) {
		all.Withdrawals = appendMissing(all.Withdrawals, one.Withdrawals)
		all.Open = all.Open || one.Open
	},
	show: func(seen, whole *View, n *Needs) {
		seen.Withdrawals = selectKeys(whole.Withdrawals, n.Withdrawals)
		if n.Open {
			seen.OpenWithdrawals = whole.OpenWithdrawals
		}
		if n.Payouts.WithdrawalID != "" {
			seen.Payouts = whole.Payouts
		}
	},
	apply: func(v *View, c *Change) error {
		if w := c.Withdrawal; w != nil {
			v.OpenWithdrawals += openDelta(v.Withdrawals[w.ID].Status.Open(), w.Status.Open())
			v.Withdrawals = withEntry(v.Withdrawals, w.ID, *w)
		}
		return nil
	},
	covers: coverWithdrawal,
}

// requiredHold returns the amount that a withdrawal's hold must have.
func requiredHold(w withdrawal.Withdrawal) money.Amount {
	if w.Status.Open() {
		return w.Held()
	}
	return 0
}

// attemptLaw checks payout attempts.
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

// holdMoved checks that held money belongs to its withdrawal.
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

// depositLaw checks deposit claims and unclaimed deposits.
var depositLaw = thing{
	in: func(c *Change) bool { return c.Deposit != nil },
	rules: []Rule{
		ownershipRule("deposit claim", func(c *Change) wallet.Address { return c.Deposit.Wallet }),
		{
			"deposit claim asked for", "a deposit claim changes only where the item asked to see it",
			func(item *Item, _ *View, c *Change) bool { return slices.Contains(item.Needs.Deposits, c.Deposit.Ref) },
		},
		{
			"deposit claim kept", "a deposit claim keeps its id and when it was made",
			func(_ *Item, seen *View, c *Change) bool {
				old, known := seen.Deposits[c.Deposit.Ref]
				return !known || old.ID == c.Deposit.ID && old.CreatedAt.Equal(c.Deposit.CreatedAt)
			},
		},
	},
	join: func(all, one *Needs) {
		all.Deposits = appendMissing(all.Deposits, one.Deposits)
		all.Unclaimed = all.Unclaimed || one.Unclaimed
	},
	show: func(seen, whole *View, n *Needs) {
		seen.Deposits = selectKeys(whole.Deposits, n.Deposits)
		if n.Open {
			seen.OpenDeposits = whole.OpenDeposits
		}
		if n.Unclaimed {
			seen.Unclaimed = maps.Clone(whole.Unclaimed)
		}
	},
	apply: func(v *View, c *Change) error {
		if d := c.Deposit; d != nil {
			v.OpenDeposits += openDelta(v.Deposits[d.Ref].Status == deposit.Pending, d.Status == deposit.Pending)
			v.Deposits = withEntry(v.Deposits, d.Ref, *d)
		}
		return nil
	},
	covers: coverDeposit,
}

// adjustmentLaw checks adjustments.
var adjustmentLaw = thing{
	in: func(c *Change) bool { return c.Adjustment != nil },
	rules: []Rule{
		ownershipRule("balance adjustment", func(c *Change) wallet.Address { return c.Adjustment.Wallet }),
		{
			"adjustment booked", "an adjustment books its amount, and its change books nothing else",
			func(_ *Item, _ *View, c *Change) bool {
				return len(c.Postings) == 1 && c.Postings[0].Key == c.Adjustment.ledgerKey() &&
					len(c.Postings[0].Transfers) == 1 && c.Postings[0].Transfers[0] == c.Adjustment.ledgerTransfer()
			},
		},
	},
	covers: coverAdjustment,
}

// approvalLaw checks approval requests and the roles that decide on them. A request
// concerns the item's wallet, or no wallet if the item has none.
var approvalLaw = thing{
	in: func(c *Change) bool { return c.Approval != nil },
	rules: []Rule{
		{
			"approval owned", "an approval request is about the wallet of the item that changes it, or about no wallet",
			func(item *Item, _ *View, c *Change) bool { return c.Approval.Wallet == item.Wallet },
		},
		{
			"approval asked for", "an approval request is decided only where the item asked to see it, and otherwise begins as open",
			func(_ *Item, seen *View, c *Change) bool {
				a := c.Approval
				_, known := seen.Approvals[a.ID]
				return known || a.ID != "" && a.Status == approval.Open && a.DecidedBy == ""
			},
		},
		{
			"approval kept", "an approval request keeps what was requested, and by whom",
			func(_ *Item, seen *View, c *Change) bool {
				a := c.Approval
				old, known := seen.Approvals[a.ID]
				return !known || old.Request == a.Request && old.By == a.By && old.Agent == a.Agent
			},
		},
		{
			"approval once", "an approval request is decided once",
			func(_ *Item, seen *View, c *Change) bool {
				old, known := seen.Approvals[c.Approval.ID]
				return !known || old.Status == approval.Open && c.Approval.Status != approval.Open
			},
		},
	},
	join: func(all, one *Needs) {
		all.Approvals, all.Roles = appendMissing(all.Approvals, one.Approvals), appendMissing(all.Roles, one.Roles)
	},
	show: func(seen, whole *View, n *Needs) {
		seen.Approvals, seen.Roles = selectKeys(whole.Approvals, n.Approvals), selectKeys(whole.Roles, n.Roles)
		if len(n.Roles) > 0 {
			seen.RoleList = whole.RoleList
		}
	},
	apply: func(v *View, c *Change) error {
		if c.Approval != nil {
			v.Approvals = withEntry(v.Approvals, c.Approval.ID, *c.Approval)
		}
		return nil
	},
	covers: coverApproval,
}

// voteLaw checks the votes of admins.
var voteLaw = thing{
	in: func(c *Change) bool { return len(c.Votes) > 0 },
	rules: []Rule{{
		"vote owned", "a vote is about the wallet of the item that brings it, or about no wallet",
		func(item *Item, _ *View, c *Change) bool {
			return !slices.ContainsFunc(c.Votes, func(y Vote) bool { return y.Wallet != item.Wallet })
		},
	}, {
		"vote passes", "of the votes of a change at most one lets the amount go, and a withdrawal's where it is approved",
		func(_ *Item, _ *View, c *Change) bool {
			passing := 0
			for _, y := range c.Votes {
				if y.Passes {
					passing++
				}
			}
			approved := c.Withdrawal != nil && c.Withdrawal.Status == withdrawal.Approved
			return passing <= 1 && (c.Withdrawal == nil || (passing == 1) == approved)
		},
	}, {
		"vote follows", "a vote says when those before it in the same thing were given, which a withdrawal's item asks for, and is about the same",
		func(item *Item, seen *View, c *Change) bool {
			all := slices.Concat(seen.Votes, c.Votes)
			for i, y := range c.Votes {
				asked := y.Credit || item.Needs.Votes != nil && item.Needs.Votes.Of == y.Of
				if !asked || !y.followsVotes(all[:len(seen.Votes)+i]) {
					return false
				}
			}
			return true
		},
	}},
	show: func(seen, whole *View, n *Needs) {
		if n.Votes == nil {
			return
		}
		seen.Counted = whole.Counted
		for _, y := range whole.Votes {
			if n.Votes.Includes(whole.Player.Wallet, y) {
				seen.Votes = append(seen.Votes, y)
			}
		}
	},
	apply: func(v *View, c *Change) error {
		if len(c.Votes) > 0 {
			v.Votes = append(slices.Clip(v.Votes), c.Votes...)
		}
		return nil
	},
	covers: coverVotes,
}
