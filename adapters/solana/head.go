package solana

import (
	"context"
	"time"

	"github.com/casino-service/casino/ports"
)

var (
	_ ports.ChainHead = (*Node)(nil)
	_ ports.ChainHead = (*Cluster)(nil)
)

// Head serves ports.ChainHead: it returns the newest finalized slot that the node knows,
// and the time of its block. A node that lags returns an old one.
func (n *Node) Head(ctx context.Context) (slot uint64, made time.Time, err error) {
	if err := n.rpc.callMethod(ctx, &slot, "getSlot", atCommitment(finalized)); err != nil {
		return 0, time.Time{}, err
	}
	if made, err = n.madeAt(ctx, slot); err != nil {
		return 0, time.Time{}, err
	}
	return slot, made, nil
}

// madeAt returns the time of a slot's block.
func (n *Node) madeAt(ctx context.Context, slot uint64) (time.Time, error) {
	var seconds *int64
	if err := n.rpc.callMethod(ctx, &seconds, "getBlockTime", slot); err != nil {
		return time.Time{}, err
	}
	if seconds == nil {
		return time.Time{}, unusableError("slot %d has no time", slot)
	}
	return time.Unix(*seconds, 0).UTC(), nil
}

// Head returns the newest finalized slot of the first working node, and the time of its
// block.
func (c *Cluster) Head(ctx context.Context) (slot uint64, made time.Time, err error) {
	type head struct {
		slot uint64
		made time.Time
	}
	newest, err := askInTurn(ctx, c, func(ctx context.Context, n *Node) (head, error) {
		slot, made, err := n.Head(ctx)
		return head{slot, made}, err
	})
	return newest.slot, newest.made, err
}
