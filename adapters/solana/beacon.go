package solana

import (
	"context"
	"strconv"

	"github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/ports"
)

var (
	_ ports.Beacons = (*Node)(nil)
	_ ports.Beacons = (*Cluster)(nil)
)

// BeaconRule names the chain by its genesis hash.
func (n *Node) BeaconRule(ctx context.Context) (crash.Rule, error) { return beaconRule(ctx, n.Genesis) }

func beaconRule(ctx context.Context, genesis func(context.Context) (string, error)) (crash.Rule, error) {
	hash, err := genesis(ctx)
	if err != nil {
		return crash.Rule{}, err
	}
	return crash.Rule{Source: crash.Solana, Network: hash}, nil
}

// NewestHeight returns the newest slot that the node has processed.
func (n *Node) NewestHeight(ctx context.Context) (uint64, error) {
	var slot *uint64
	if err := n.rpc.callMethod(ctx, &slot, "getSlot", atCommitment(processed)); err != nil {
		return 0, err
	}
	if slot == nil || *slot == 0 || *slot > crash.HeightMax {
		return 0, unusableError("the newest slot is not a slot")
	}
	return *slot, nil
}

// FirstBeacon returns the first finalized slot at or above a height. A node that lacks old
// blocks names a later one; its parent slot shows that, and it is an error.
func (n *Node) FirstBeacon(ctx context.Context, height uint64) (crash.Beacon, bool, error) {
	var slots []uint64
	if err := n.rpc.callMethod(ctx, &slots, "getBlocksWithLimit", height, 1, atCommitment(finalized)); err != nil {
		return crash.Beacon{}, false, err
	}
	if slots == nil {
		return crash.Beacon{}, false, unusableError("the slots from %d are not shown", height)
	}
	if len(slots) == 0 {
		return crash.Beacon{}, false, nil
	}
	slot := slots[0]
	var block *struct {
		Hash   *solana.Hash `json:"blockhash"`
		Parent *uint64      `json:"parentSlot"`
	}
	if err := n.rpc.callMethod(ctx, &block, "getBlock", slot, options{
		"commitment": finalized, "transactionDetails": "none", "rewards": false, "maxSupportedTransactionVersion": 0,
	}); err != nil {
		return crash.Beacon{}, false, err
	}
	switch {
	case slot < height || slot > crash.HeightMax:
		return crash.Beacon{}, false, unusableError("slot %d is not one from %d", slot, height)
	case block == nil || block.Hash == nil || block.Parent == nil:
		return crash.Beacon{}, false, unusableError("slot %d is shown without its blockhash or its parent slot", slot)
	case *block.Parent >= height:
		return crash.Beacon{}, false, unusableError("slot %d follows slot %d: it is not the first from %d", slot, *block.Parent, height)
	}
	return crash.Beacon{Height: slot, Parent: *block.Parent, Value: block.Hash.String()}, true, nil
}

// BeaconRule names the chain by its genesis hash.
func (c *Cluster) BeaconRule(ctx context.Context) (crash.Rule, error) {
	return beaconRule(ctx, c.Genesis)
}

// NewestHeight returns the greatest slot of all nodes. At least two must answer, and one of
// them be at most LagMax slots below: a node that is far ahead of all others is broken, or
// all others are behind.
func (c *Cluster) NewestHeight(ctx context.Context) (uint64, error) {
	replies := askAll(ctx, c, func(ctx context.Context, n *Node) (uint64, error) { return n.NewestHeight(ctx) })
	var newest, second uint64
	answered := 0
	for _, r := range replies {
		if r.err != nil {
			continue
		}
		answered++
		newest, second = max(newest, r.answer), max(second, min(newest, r.answer))
	}
	switch {
	case answered < quorum:
		return 0, joinErrors(replies)
	case newest-second > LagMax:
		return 0, disagreementError("the newest slot")
	}
	return newest, nil
}

// FirstBeacon returns the beacon that two nodes report alike. It returns none while fewer
// have finalized one, and an error if any two report different ones.
func (c *Cluster) FirstBeacon(ctx context.Context, height uint64) (crash.Beacon, bool, error) {
	replies := askAll(ctx, c, func(ctx context.Context, n *Node) (*crash.Beacon, error) {
		b, found, err := n.FirstBeacon(ctx, height)
		if err != nil || !found {
			return nil, err
		}
		return &b, nil
	})
	var first *crash.Beacon
	answered, agreed := 0, 0
	for _, r := range replies {
		if r.err != nil {
			continue
		}
		answered++
		switch {
		case r.answer == nil:
			continue
		case first == nil:
			first = r.answer
		case *first != *r.answer:
			return crash.Beacon{}, false, disagreementError("the beacon of slot " + strconv.FormatUint(height, 10))
		}
		agreed++
	}
	switch {
	case answered < quorum:
		return crash.Beacon{}, false, joinErrors(replies)
	case agreed < quorum:
		return crash.Beacon{}, false, nil
	}
	return *first, true, nil
}
