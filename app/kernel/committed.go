package kernel

import (
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// Committed names a commit of a use case, now or earlier, for which a receipt can be issued.
type Committed struct {
	Wallet wallet.Address
	// ID is the id of the round, open round, withdrawal, deposit or seed pair.
	ID string
	// receipt is the writer's receipt, nil if nothing was committed now.
	receipt *player.Receipt
}

// CommittedBy returns the commit of an item of a player, with the writer's receipt.
func CommittedBy(w wallet.Address, id string, by *player.Receipt) Committed {
	return Committed{Wallet: w, ID: id, receipt: by}
}

// Inclusion proves that a block has the commit. It reports false for earlier commits.
func (c Committed) Inclusion() (proved hashchain.Inclusion, known bool) {
	if c.receipt == nil {
		return hashchain.Inclusion{}, false
	}
	return c.receipt.Inclusion()
}

// ProvedBy reports whether a leaf that was read later has the state of the commit. Each step
// of an open round makes another one, so the leaf may be of a later step.
func (c Committed) ProvedBy(leaf hashchain.Leaf) bool {
	if c.receipt == nil || c.receipt.Change.Round != nil || len(c.receipt.Change.Steps) == 0 {
		return true
	}
	steps := c.receipt.Change.Steps
	return leaf.Event != nil && leaf.Event.Digest() == steps[len(steps)-1].Covered().Digest()
}
