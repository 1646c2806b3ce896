package solana

import (
	"context"
	"errors"
	"fmt"

	"github.com/casino-service/casino/domain/withdrawal"
)

// LagMax is the maximum number of slots (about a minute) that a node may be behind the
// newest.
const LagMax = 150

// Outcome reports an end only if two nodes report the same end and the same cost. So a node
// that forgot a payout can't cause a second one, and a node that invented one can't have it
// booked. Until then it returns Landed if any node has seen the payout, else Unknown.
func (c *Cluster) Outcome(ctx context.Context, attempt withdrawal.Attempt) (withdrawal.Outcome, error) {
	replies := askAll(ctx, c, func(ctx context.Context, n *Node) (withdrawal.Outcome, error) { return n.Outcome(ctx, attempt) })
	if err := permanentError(replies); err != nil {
		return withdrawal.Outcome{}, err
	}
	ends := func(o withdrawal.Outcome) bool {
		return o.Status != withdrawal.Unknown && o.Status != withdrawal.Landed
	}
	landed, ended := false, 0
	for _, r := range replies {
		// A reply may be an error with Landed: the payout was seen, and its cost is still
		// unknown.
		landed = landed || r.answer.Status == withdrawal.Landed || r.answer.Status == withdrawal.Finalized || r.answer.Status == withdrawal.Errored
		if r.err == nil && ends(r.answer) {
			ended++
		}
	}
	slot := uint64(0) // nodes found it at different slots; death holds at every later slot
	for i := range replies {
		slot = max(slot, replies[i].answer.Slot)
	}
	for i := range replies {
		if replies[i].answer.Status == withdrawal.Dead {
			replies[i].answer.Slot = slot
		}
	}
	outcome, found := agreedAnswer(replies, func(a, b withdrawal.Outcome) bool { return ends(a) && a == b })
	switch {
	case found && !(outcome.Status == withdrawal.Dead && landed):
		return outcome, nil
	case landed:
		outcome = withdrawal.Outcome{Status: withdrawal.Landed}
	default:
		outcome = withdrawal.Outcome{}
	}
	if ended >= quorum {
		return outcome, disagreementError(fmt.Sprintf("attempt %d of %s", attempt.Number, attempt.WithdrawalID))
	}
	if !landed {
		return outcome, joinErrors(replies)
	}
	return outcome, nil
}

// Genesis returns the genesis hash of the nodes that answer, which must be the same.
func (c *Cluster) Genesis(ctx context.Context) (string, error) {
	c.mu.Lock()
	for i := range c.state {
		c.state[i].checked = false
	}
	c.mu.Unlock()
	replies := askAll(ctx, c, func(context.Context, *Node) (struct{}, error) { return struct{}{}, nil })
	answered := false
	for _, r := range replies {
		if answered = answered || r.err == nil; errors.Is(r.err, errOtherChain) {
			return "", r.err
		}
	}
	if !answered {
		return "", joinErrors(replies)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.genesis, nil
}

// Healthy returns nil if every node works: it answers, is on the right chain, and is not
// behind the others. With one node missing the rest may still agree; with two missing
// nothing can be booked. So every failing node is reported at once, by its position.
func (c *Cluster) Healthy(ctx context.Context) error {
	replies := askAll(ctx, c, func(ctx context.Context, n *Node) (slot uint64, err error) {
		if err := n.Healthy(ctx); err != nil {
			return 0, err
		}
		return slot, n.rpc.callMethod(ctx, &slot, "getSlot", atCommitment(finalized))
	})
	newest := uint64(0)
	for _, r := range replies {
		newest = max(newest, r.answer)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []error
	for i, r := range replies {
		if r.err == nil && r.answer+LagMax < newest {
			r.err = c.nameNode(i, unusableError("it is %d slots behind", newest-r.answer))
		}
		if c.state[i].behind = r.err != nil; r.err != nil {
			all = append(all, r.err)
			c.state[i].checked = false // its URL may lead to another node next time
		}
	}
	return errors.Join(all...)
}

// TreasuryAddress returns the wallet that receives deposits.
func (c *Cluster) TreasuryAddress() string { return c.nodes[0].TreasuryAddress() }

// Reserved reports whether the address is the treasury, one of its token
// accounts, or an accepted mint.
func (c *Cluster) Reserved(address string) bool { return c.nodes[0].Reserved(address) }
