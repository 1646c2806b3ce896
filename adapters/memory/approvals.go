package memory

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

func approvalID(a approval.Approval) string { return a.ID }

// Approval serves ports.Approvals.
func (s *Store) Approval(_ context.Context, id string) (approval.Approval, error) {
	defer s.locked()()
	at, ok := search(s.approvals, approvalID, id)
	if !ok {
		return approval.Approval{}, fault.New(fault.NotFound, "no request %q", id)
	}
	return s.approvals[at], nil
}

// OpenApprovals serves ports.Approvals.
func (s *Store) OpenApprovals(_ context.Context, f ports.ApprovalFilter, page ports.Page) (ports.ApprovalPage, error) {
	defer s.locked()()
	found, info, err := listed(s.approvals, approvalID, func(a approval.Approval) bool {
		return a.Status == approval.Open && a.ExpiresAt.After(f.Now) && wants(f.Agent, a.Agent)
	}, page)
	return ports.ApprovalPage{Approvals: found, PageInfo: info}, err
}

// seenApprovals returns the wallet's approval requests that an item needs.
func (s *Store) seenApprovals(w wallet.Address, ids []string) map[string]approval.Approval {
	seen := map[string]approval.Approval{}
	for _, id := range ids {
		if at, ok := search(s.approvals, approvalID, id); ok && s.approvals[at].Wallet == w {
			seen[id] = s.approvals[at]
		}
	}
	return seen
}

func (s *Store) storeApproval(c player.Change) {
	s.votes = append(s.votes, c.Votes...)
	if c.Approval == nil {
		return
	}
	if at, known := search(s.approvals, approvalID, c.Approval.ID); known {
		s.approvals[at] = *c.Approval
		return
	}
	s.approvals = inserted(s.approvals, *c.Approval, approvalID)
}

// This store keeps single votes and computes the sums that SQL stores maintain, which keep
// their reads independent of the number of votes.

func (s *Store) voteSums() (rows []ports.LedgerRow) {
	sums := map[player.VoteTally]money.Total{}
	for _, y := range s.votes {
		y.Tally(func(k player.VoteTally, by money.Total) { sums[k] = sums[k].Add(by) })
	}
	for k, sum := range sums {
		rows = append(rows, ports.LedgerRow{Key: ports.KeyOfVoteSum(k), Sum: sum})
	}
	return rows
}

func (s *Store) creditors() (rows []ports.LedgerRow) {
	newest := map[string]time.Time{}
	for _, y := range s.votes {
		if c, credited := y.Creditor(); credited {
			if key := ports.KeyOfCreditor(c); y.At.After(newest[key]) {
				newest[key] = y.At
			}
		}
	}
	for key, at := range newest {
		rows = append(rows, ports.LedgerRow{Key: key, Last: at})
	}
	return rows
}
