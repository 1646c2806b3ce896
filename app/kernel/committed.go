package kernel

import (
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// Committed is what a use case committed for a player, or found committed: a receipt can be
// made of it.
type Committed struct {
	Wallet wallet.Address
	// ID is that of the round, open round, withdrawal, deposit or seed pair, see
	// ports.Inclusions.
	ID string
	// receipt is the writer's, nil where nothing was committed now.
	receipt *player.Receipt
}

// CommittedBy returns what was committed of a player's thing with the writer's receipt.
func CommittedBy(w wallet.Address, id string, by *player.Receipt) Committed {
	return Committed{Wallet: w, ID: id, receipt: by}
}

// Inclusion proves that a block has what was committed now. It reports false of what was
// committed before.
func (c Committed) Inclusion() (proved hashchain.Inclusion, known bool) {
	if c.receipt == nil {
		return hashchain.Inclusion{}, false
	}
	return c.receipt.Inclusion()
}
