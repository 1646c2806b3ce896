package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/wallet"
)

// Players reads players. Results are of committed state, at least as new as the
// last receipt the caller got.
type Players interface {
	// Player returns the wallet's player, or a fault of kind NotFound when the
	// wallet never signed in. Its SessionsFrom is the beginning of the epoch where that
	// is later.
	Player(ctx context.Context, w wallet.Address) (player.Player, error)
	// Balances returns the balance of every token the wallet ever had, zeros
	// included, sorted by token; none for an unknown wallet.
	Balances(ctx context.Context, w wallet.Address) ([]TokenBalance, error)
	// PlayerList lists those who ever signed in, by wallet, the greatest first; the
	// wallet is the cursor.
	PlayerList(ctx context.Context, filter PlayerFilter, page Page) (PlayerPage, error)
}

// PlayerFilter narrows a list of players; zero fields don't.
type PlayerFilter struct {
	Wallet wallet.Address
	Agent  string
}

// PlayerPage is a page of players.
type PlayerPage struct {
	Players []player.Player
	PageInfo
}

// TokenBalance is a player's balance of one token in base units.
type TokenBalance struct {
	Token  money.Token
	Amount money.Amount
}

// Seeds reads seed pairs without ever opening an active seed.
type Seeds interface {
	// ActivePair returns the wallet's active pair with both commitments and no
	// seed text, or NotFound.
	ActivePair(ctx context.Context, w wallet.Address) (fairness.Pair, error)
	// RevealedPairs lists the wallet's retired pairs, newest first.
	RevealedPairs(ctx context.Context, w wallet.Address, page Page) (RevealedPage, error)
	// RevealedPair returns one retired pair by its id, or NotFound while it is active.
	RevealedPair(ctx context.Context, id string) (fairness.Revealed, error)
}

// RevealedPage is a page of retired pairs.
type RevealedPage struct {
	Pairs []fairness.Revealed
	PageInfo
}

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
