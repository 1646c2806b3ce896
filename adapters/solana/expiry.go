package solana

import "context"

// Expiry returns an upper bound of the block height at which a transaction over a blockhash
// can land, and a slot before which it can't. It is for callers that didn't build the
// transaction. The node must call the blockhash valid.
func (n *Node) Expiry(ctx context.Context, blockhash string) (lastValid, slot uint64, err error) {
	var valid contextual[*bool]
	if err := n.rpc.callMethod(ctx, &valid, "isBlockhashValid", blockhash, atCommitment(confirmed)); err != nil {
		return 0, 0, err
	}
	if valid.Value == nil || !*valid.Value || valid.Context.Slot == 0 {
		return 0, 0, unusableError("blockhash %s is not valid", clipText(blockhash))
	}
	var height uint64
	if err := n.rpc.callMethod(ctx, &height, "getBlockHeight", atCommitment(confirmed)); err != nil {
		return 0, 0, err
	}
	// The blockhash was valid before this, so its height is at most this one.
	if height == 0 || height > valid.Context.Slot+LagMax {
		return 0, 0, unusableError("height %d at slot %d: the node's heights are not block heights", height, valid.Context.Slot)
	}
	return height + n.blockhashAge, valid.Context.Slot, nil
}

// Expiry returns the latest height and the earliest slot of the nodes that call the
// blockhash valid. At least two must.
func (c *Cluster) Expiry(ctx context.Context, blockhash string) (lastValid, slot uint64, err error) {
	type answer struct{ lastValid, slot uint64 }
	replies := askAll(ctx, c, func(ctx context.Context, n *Node) (answer, error) {
		lastValid, slot, err := n.Expiry(ctx, blockhash)
		return answer{lastValid, slot}, err
	})
	valid := 0
	for _, r := range replies {
		if r.err != nil {
			continue
		}
		valid++
		if lastValid = max(lastValid, r.answer.lastValid); slot == 0 || r.answer.slot < slot {
			slot = r.answer.slot
		}
	}
	if valid < quorum {
		return 0, 0, joinErrors(replies)
	}
	return lastValid, slot, nil
}
