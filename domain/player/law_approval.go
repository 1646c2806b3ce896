package player

import (
	"slices"

	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/withdrawal"
)

// approvalLaw is about approval requests, and the roles that decide on them. A request
// is about the item's wallet, or about nobody where the item has none.
var approvalLaw = thing{
	in: func(c *Change) bool { return c.Approval != nil },
	rules: []Rule{
		{
			"approval owned", "an approval request is about the wallet of the item that changes it, or about nobody",
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
		all.Approvals, all.Roles = union(all.Approvals, one.Approvals), union(all.Roles, one.Roles)
	},
	show: func(seen, whole *View, n *Needs) {
		seen.Approvals, seen.Roles = only(whole.Approvals, n.Approvals), only(whole.Roles, n.Roles)
		if len(n.Roles) > 0 {
			seen.RoleList = whole.RoleList
		}
	},
	apply: func(v *View, c *Change) error {
		if c.Approval != nil {
			v.Approvals = with(v.Approvals, c.Approval.ID, *c.Approval)
		}
		return nil
	},
	covers: coverApproval,
}

// voteLaw is about the votes of admins.
var voteLaw = thing{
	in: func(c *Change) bool { return len(c.Votes) > 0 },
	rules: []Rule{{
		"vote owned", "a vote is about the wallet of the item that brings it, or about nobody",
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
				if !asked || !y.follows(all[:len(seen.Votes)+i]) {
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
