package solana

import (
	"context"
	"errors"

	"github.com/casino-service/casino/ports"
)

// Heights serves ports.ChainHeights.
func (n *Node) Heights(ctx context.Context) (ports.Heights, error) {
	// Read the newest blockhash first: the finalized height read later can only be greater.
	newest, err := n.recentBlockhash(ctx)
	if err != nil {
		return ports.Heights{}, err
	}
	var height, slot uint64
	if err := n.rpc.callMethod(ctx, &height, "getBlockHeight", atCommitment(finalized)); err != nil {
		return ports.Heights{}, err
	}
	if err := n.rpc.callMethod(ctx, &slot, "getSlot", atCommitment(finalized)); err != nil {
		return ports.Heights{}, err
	}
	if heightImpossible(height, slot) {
		return ports.Heights{}, unusableError("height %d at slot %d: the node reports slots as heights", height, slot)
	}
	// A node that lags knows an older blockhash than the nodes of other signers.
	return ports.Heights{LastValid: newest.lastValid + deadMargin, Finalized: height}, nil
}

// Heights returns the greatest last valid height and the least finalized height of the
// nodes that answer. At least two must.
func (c *Cluster) Heights(ctx context.Context) (ports.Heights, error) {
	replies := askAll(ctx, c, func(ctx context.Context, n *Node) (ports.Heights, error) { return n.Heights(ctx) })
	var heights ports.Heights
	answered := 0
	for _, r := range replies {
		if r.err != nil {
			continue
		}
		if answered == 0 || r.answer.Finalized < heights.Finalized {
			heights.Finalized = r.answer.Finalized
		}
		heights.LastValid = max(heights.LastValid, r.answer.LastValid)
		answered++
	}
	if answered < quorum {
		return ports.Heights{}, errors.Join(joinErrors(replies))
	}
	return heights, nil
}
