package ports

import (
	"context"

	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

// Mode is what a database is used for; it never changes.
type Mode string

// The modes.
const (
	ModeDev  Mode = "dev"
	ModeReal Mode = "real"
)

// Identity says which mode and which chain a database belongs to.
type Identity struct {
	Mode    Mode
	Genesis string // genesis hash of the chain, base58
	// Ledger is the id that the database's ledger gets if it has none yet, drawn for
	// it by whoever initializes. It is never compared; control.State has the ledger's.
	Ledger string
}

// Registry keeps a database's identity and the tokens it ever had.
type Registry interface {
	// Initialize stores the identity in an empty database; in any other it compares
	// and returns a fault of kind InvalidState that names what differs. A ledger that
	// has an id keeps it.
	Initialize(ctx context.Context, id Identity) error
	// RegisterTokens stores new tokens and returns every token ever registered, those
	// not given marked Closing. A token whose decimals or
	// program differ from what is stored is a fault of kind InvalidState.
	RegisterTokens(ctx context.Context, open []token.Terms) (token.Book, error)
}

// Checkpoints reads the heads of the hash chains.
type Checkpoints interface {
	// Heads returns the newest block of each lane, sorted by lane.
	Heads(ctx context.Context) ([]hashchain.Head, error)
}

// Inclusions proves what blocks have.
type Inclusions interface {
	// Inclusion proves that a block has a wallet's round of an id, or the newest event of its
	// open round, withdrawal, deposit or seed pair of that id. It returns a fault of kind
	// NotFound where the wallet has none. It reads one block.
	Inclusion(ctx context.Context, w wallet.Address, id string) (hashchain.Inclusion, error)
}

// Archive reads everything that was ever committed, for auditors.
type Archive interface {
	// Blocks calls visit for each block of each lane, oldest first, with what it
	// covers, exactly as stored. An error of visit ends the walk and is returned.
	Blocks(ctx context.Context, visit func(Block) error) error
	// LiabilityBalances calls visit for each stored player, hold and unclaimed balance.
	LiabilityBalances(ctx context.Context, visit func(ledger.Balance) error) error
}

// Block is one batch as it was sealed.
type Block struct {
	hashchain.Head
	Previous hashchain.Hash
	// Root is that of the content's Merkle tree, Size the number of its leaves.
	Root hashchain.Hash
	Size int
	// Number is the block's place among those of all lanes: it grows along each lane. It is
	// 0 where the store gives blocks none.
	Number int64
	hashchain.Content
	// Revealed are the server seeds by pair, of those pairs of the block's rounds that were
	// revealed when the walk first met them; others may be among them. It is nil where the
	// store leaves that to Seeds.
	Revealed map[string]string
}
