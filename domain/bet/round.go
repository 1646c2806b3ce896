// Package bet joins game, fairness and ledger into one round: Admit makes every
// refusal before anything is drawn, Decide draws and can't fail.
//
// Both are pure. A use case calls them inside a store's decision, where the
// seed pair is open and the wallet is locked. Amounts are in base units of the
// round's token; multipliers are exact ratios of the wager.
package bet

import (
	"time"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// Round is one game round, settled.
type Round struct {
	ID     string
	Wallet wallet.Address
	// Agent is the player's agent at the time.
	Agent string
	// Source is the maker of a third-party game, empty for the house's own games. Only
	// these have rules, a config, an outcome and a seed pair.
	Source   string
	GameType string
	// Rules is the version of the game's rules and tables it was decided by.
	Rules  string
	Token  money.Token
	Wager  money.Amount
	Payout money.Amount
	// Multiplier is what the rules pay for the outcome in wagers, before rounding
	// down to base units: 0 for a loss, 1 for a void round. Its Den is above 0.
	Multiplier money.Ratio
	Config     game.Value // with defaults filled in
	Outcome    game.Value // the zero Value of a void round
	// Actions are those that were taken in a round that was played step by step, a list;
	// absent of a round that was decided in one call. Its Wager is then everything that
	// was staked, which is the multiplier's measure too.
	Actions game.Value
	// Void is set when the game broke its contract in the draw: the stake was
	// returned and the seed pair retired. A loss is never void.
	Void bool

	PairID       string
	Commitment   string
	ClientSeed   string
	ClientSource fairness.ClientSource
	Nonce        int64

	// Balance is the player's after the round, in its token.
	Balance money.Amount
	At      time.Time

	// Theory is the expectation by the rules for this config; kept figures add it up.
	Theory Theory
}

// BalanceBefore is the player's before the round, in its token; of one that was played
// step by step before its end, when its stakes had been taken already.
func (r Round) BalanceBefore() money.Amount {
	if r.Stepped() {
		return r.Balance - r.Payout
	}
	return r.Balance - r.Payout + r.Wager
}

// Stepped reports whether the round was played step by step.
func (r Round) Stepped() bool { return r.Actions.Kind() != game.Absent }

// Theory is the expected payout of one unit wagered and the variance of that
// payout, both in parts per billion. A void round has none.
type Theory struct {
	RTPPartsPerBillion      uint64
	VariancePartsPerBillion uint64
}

// Posting books the round: player → house the wager, house → player the payout. The wager
// of a round that was played step by step comes from the player's stakes.
func (r Round) Posting() ledger.Posting {
	player, house := ledger.PlayerOf(r.Wallet), ledger.System(ledger.House)
	transfers := []ledger.Transfer{{Debit: r.StakeAccount(), Credit: house, Token: r.Token, Amount: r.Wager}}
	if r.Payout > 0 {
		transfers = append(transfers, ledger.Transfer{Debit: house, Credit: player, Token: r.Token, Amount: r.Payout})
	}
	return ledger.Posting{Key: ledger.Key{Kind: ledger.Round, ID: r.ID}, Transfers: transfers}
}

// StakeAccount is the account that the wager comes from.
func (r Round) StakeAccount() ledger.Account {
	if r.Stepped() {
		return ledger.StakeOf(r.Wallet)
	}
	return ledger.PlayerOf(r.Wallet)
}
