package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

func approvalID(a approval.Approval) string { return a.ID }

// Approval serves ports.Approvals.
func (s *Store) Approval(_ context.Context, id string) (approval.Approval, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := search(s.approvals, approvalID, id)
	if !ok {
		return approval.Approval{}, fault.New(fault.NotFound, "no request %q", id)
	}
	return s.approvals[at], nil
}

// OpenApprovals serves ports.Approvals.
func (s *Store) OpenApprovals(_ context.Context, f ports.ApprovalFilter, page ports.Page) (ports.ApprovalPage, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, info := listed(s.approvals, approvalID, func(a approval.Approval) bool {
		return a.Status == approval.Open && a.ExpiresAt.After(f.Now) && wants(f.Agent, a.Agent)
	}, page)
	return ports.ApprovalPage{Approvals: found, PageInfo: info}, nil
}

// seenApprovals are the requests about the wallet that an item asks for.
func (s *Store) seenApprovals(w wallet.Address, ids []string) map[string]approval.Approval {
	seen := map[string]approval.Approval{}
	for _, id := range ids {
		if at, ok := search(s.approvals, approvalID, id); ok && s.approvals[at].Wallet == w {
			seen[id] = s.approvals[at]
		}
	}
	return seen
}

// seenYeses are the yeses, of whatever wallet, that bear on an item.
func (s *Store) seenYeses(w wallet.Address, need *player.YesesNeed) []player.Yes {
	if need == nil {
		return nil
	}
	var seen []player.Yes
	for _, y := range s.yeses {
		if need.Wants(w, y) {
			seen = append(seen, y)
		}
	}
	return seen
}

// checkApproval says that a request is asked for once and decided once, and that
// yeses are about the item's wallet and of a moment of their own.
func (s *Store) checkApproval(before, _ player.View, c player.Change) error {
	w := before.Player.Wallet
	for _, y := range c.Yeses {
		if y.Wallet != w {
			return errors.New("a yes is about another wallet")
		}
		if slices.ContainsFunc(s.yeses, func(old player.Yes) bool { return old.Of == y.Of && old.By == y.By && old.At.Equal(y.At) }) {
			return fmt.Errorf("a vote of %s on %q is there already", y.By, y.Of)
		}
	}
	a := c.Approval
	if a == nil {
		return nil
	}
	if a.Wallet != w {
		return fmt.Errorf("request %q is about another wallet", a.ID)
	}
	if at, known := search(s.approvals, approvalID, a.ID); known {
		if old := s.approvals[at]; old.Status != approval.Open || a.Status == approval.Open || old.Request != a.Request || old.By != a.By {
			return fmt.Errorf("request %q is decided already, or becomes another", a.ID)
		}
	}
	return nil
}

func (s *Store) storeApproval(c player.Change) {
	s.yeses = append(s.yeses, c.Yeses...)
	if c.Approval == nil {
		return
	}
	if at, known := search(s.approvals, approvalID, c.Approval.ID); known {
		s.approvals[at] = *c.Approval
		return
	}
	s.approvals = inserted(s.approvals, *c.Approval, approvalID)
}
