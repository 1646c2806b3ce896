package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/wallet"
)

// PlaySessions reads what was played in sessions. Results are of committed state, at least
// as new as the last receipt the caller got.
type PlaySessions interface {
	// PlaySession returns what was done with the wallet's balances since the sign-in whose
	// session was issued at a moment, of each token of which anything was, sorted by token;
	// a fault of kind NotFound for a session that is not known, or was forgotten after its
	// time. Its cost grows with the tokens that the wallet has, neither with what was played
	// in the session nor before.
	PlaySession(ctx context.Context, w wallet.Address, issuedAt time.Time) ([]session.Played, error)
}
