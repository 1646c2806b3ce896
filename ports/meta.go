package ports

import (
	"context"

	"github.com/casino-service/casino/domain/token"
)

// Mode says what a database was made for; it never changes.
type Mode string

// The modes.
const (
	ModeDev  Mode = "dev"
	ModeReal Mode = "real"
)

// Identity is what a database remembers of the world it belongs to.
type Identity struct {
	Mode    Mode
	Genesis string // genesis hash of the chain, base58
}

// Registry keeps the few facts a database was founded on.
type Registry interface {
	// Initialize stores the identity in an empty database; in any other it compares
	// and returns a fault of kind InvalidState that names what differs.
	Initialize(ctx context.Context, id Identity) error
	// RegisterTokens stores tokens met for the first time and returns every token
	// ever known, those not given marked Closing. A token whose decimals or
	// program differ from what is stored is a fault of kind InvalidState.
	RegisterTokens(ctx context.Context, open []token.Terms) (token.Book, error)
}
