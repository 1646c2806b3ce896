package ports

import (
	"context"

	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

// Mode is the purpose of a database; it never changes.
type Mode string

// The modes.
const (
	ModeDev  Mode = "dev"
	ModeReal Mode = "real"
)

// Identity names the mode and the chain of a database.
type Identity struct {
	Mode    Mode
	Genesis string // genesis hash of the chain, base58
	// Ledger is a new random id for the ledger of a database that has none yet. It is never
	// compared; control.State has the ledger's id.
	Ledger string
}

// Registry stores a database's identity and all tokens it ever had.
type Registry interface {
	// Initialize stores the identity in an empty database. In any other it compares, and
	// returns a fault of kind InvalidState that names the difference. An existing ledger id
	// doesn't change.
	Initialize(ctx context.Context, id Identity) error
	// RegisterTokens stores new tokens and returns every token ever registered; those not
	// given are marked Closing. A token with other decimals or another program than stored
	// is a fault of kind InvalidState.
	RegisterTokens(ctx context.Context, open []token.Terms) (token.Book, error)
}

// Checkpoints reads the heads of the hash chains.
type Checkpoints interface {
	// Heads returns the newest block of each lane, sorted by lane.
	Heads(ctx context.Context) ([]hashchain.Head, error)
}

// Inclusions proves that blocks have rounds and events.
type Inclusions interface {
	// Inclusion proves that a block has a wallet's round of an id, the newest event of its
	// open round, deposit or seed pair of that id, or the request of its withdrawal. If the
	// wallet has none, the fault is NotFound. It reads one block. A block that the service
	// didn't seal, or that was changed, is an error.
	Inclusion(ctx context.Context, w wallet.Address, id string) (hashchain.Inclusion, error)
}

// Archive reads everything that was ever committed, for auditors.
type Archive interface {
	// Blocks calls visit for each block of each lane, oldest first, with its content exactly
	// as stored. An error of visit ends the walk and is returned.
	Blocks(ctx context.Context, visit func(Block) error) error
	// LiabilityBalances calls visit for each stored player, hold and unclaimed balance.
	LiabilityBalances(ctx context.Context, visit func(ledger.Balance) error) error
}

// Block is one sealed batch.
type Block struct {
	hashchain.Head
	Previous hashchain.Hash
	// Root is the root of the content's Merkle tree, Size its number of leaves.
	Root hashchain.Hash
	Size int
	// Number is the block's place among those of all lanes: it grows along each lane. It is
	// 0 where the store gives blocks none.
	Number int64
	// Seal is the service's seal of the head, empty where the store seals no blocks.
	Seal string
	hashchain.Content
	// Revealed holds server seeds by pair: those of the block's rounds that were revealed
	// when the walk first met the pair, perhaps others too. It is nil in stores that use
	// Seeds instead.
	Revealed map[string]string
}
