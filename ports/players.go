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

// Players reads players. Results are committed and at least as new as the caller's last
// receipt.
type Players interface {
	// Player returns the wallet's player, or NotFound if the wallet never signed in.
	// SessionsFrom is at least the beginning of the epoch.
	Player(ctx context.Context, w wallet.Address) (player.Player, error)
	// Balances returns the balance of every token the wallet ever had, zeros included,
	// sorted by token; it is empty for an unknown wallet.
	Balances(ctx context.Context, w wallet.Address) ([]TokenBalance, error)
	// PlayerList lists all wallets that ever signed in, in descending order; the wallet is
	// the cursor.
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

// Seeds reads seed pairs without opening active seeds.
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

// PlaySessions reads what was played in sessions. Results are committed and at least as
// new as the caller's last receipt.
type PlaySessions interface {
	// PlaySession returns the wallet's play since the sign-in whose session was issued at
	// the given time, sorted by token, without tokens that had none. An unknown session,
	// or one removed after its time, is NotFound. The cost grows with the wallet's tokens,
	// not with its play.
	PlaySession(ctx context.Context, w wallet.Address, issuedAt time.Time) ([]session.Played, error)
}
