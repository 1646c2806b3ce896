package ports

import (
	"context"

	"github.com/casino-service/casino/domain/token"
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
