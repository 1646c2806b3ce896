// Package play places bets, rotates seed pairs and pauses play.
package play

import (
	"context"
	"encoding/hex"
	"slices"
	"sync"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
)

// Service has the use cases of play. It is safe for concurrent use.
type Service struct {
	core     *kernel.Kernel
	bankroll *bankrollCache
}

// New returns the use cases of play.
func New(core *kernel.Kernel) *Service {
	return &Service{core: core, bankroll: newBankrollCache(core.Store.Figures, core.Clock)}
}

// BrokeDown raises the alarm of a voided round.
func (c *Service) BrokeDown(ctx context.Context, caller kernel.Caller, round bet.Round) {
	c.core.Alarms.Raise(ctx, alarm.RoundVoided, round.ID, "round", round.ID, "game", round.GameType, "rules", round.Rules,
		"wallet", string(round.Wallet), "token", string(round.Token), "stake", int64(round.Wager), "request_id", caller.RequestID)
}

// OpenRounds returns the caller's open rounds, oldest first, without bets on shared rounds.
func (c *Service) OpenRounds(ctx context.Context, caller kernel.Caller) ([]bet.Open, error) {
	open, err := c.core.Store.OpenRounds.OpenRoundsOf(ctx, caller.Wallet)
	return slices.DeleteFunc(open, bet.Open.IsShared), err
}

// PlayRequest is one bet, unchecked.
type PlayRequest struct {
	GameType string
	Wager    int64
	Token    string
	Config   game.Value // an object; the zero Value means all defaults
	// Expected is the seed pair that the player expects. Another one is InvalidState.
	Expected    bet.Expected
	Idempotency kernel.Idempotency
}

// PlayResult is a settled round. Replayed means that it was settled earlier under the same
// idempotency key.
type PlayResult struct {
	Round     bet.Round
	Balance   money.Amount
	Replayed  bool
	Committed kernel.Committed
}

// Play settles one round of a house game. Every refusal comes before anything is drawn. If
// the caller's session is Unconfirmed, errors may come before the session was checked: call
// ConfirmSession before showing them.
func (c *Service) Play(ctx context.Context, caller kernel.Caller, r PlayRequest) (PlayResult, error) {
	order, refusal, err := c.newOrder(ctx, caller, r)
	if err != nil {
		return PlayResult{}, err
	}
	spare, clientSeed, auditID := c.Spare(), c.ClientSeed(), c.core.Entropy.ID()
	item := player.Item{
		Wallet: caller.Wallet,
		Keys:   r.Idempotency.Keys(caller.Wallet, player.RoundKey, order.ID),
		Needs:  player.Needs{Tokens: []money.Token{order.Terms.Mint}, Draw: true, Game: order.GameType()},
		At:     order.At,
		Fresh:  true,
		Decide: caller.Confirmed(func(v player.View) (player.Change, error) {
			if refusal != nil {
				return player.Change{}, player.Refuse(v, refusal, order.Placed)
			}
			return player.Play(v, order, spare, clientSeed, auditID)
		}),
	}
	receipt, err := c.CommitRound(ctx, caller, item)
	if err != nil {
		return PlayResult{}, err
	}
	if receipt.Change.Round == nil {
		return PlayResult{}, kernel.ErrResultLost
	}
	round := *receipt.Change.Round
	if round.Void && !receipt.Replayed {
		c.BrokeDown(ctx, caller, round)
	}
	return PlayResult{
		Round: round, Balance: receipt.Change.Balance, Replayed: receipt.Replayed,
		Committed: kernel.CommittedBy(caller.Wallet, round.ID, &receipt),
	}, nil
}

// CommitRound commits an item that may end a round.
func (c *Service) CommitRound(ctx context.Context, caller kernel.Caller, item player.Item) (player.Receipt, error) {
	receipt, err := c.core.Store.Writer.Commit(ctx, item)
	if err == nil && receipt.Replayed && caller.Unconfirmed != nil { // no decision ran, so the session was not checked
		err = c.core.ConfirmSession(ctx, *caller.Unconfirmed)
	}
	return receipt, err
}

// newOrder checks the request's fields and plans the game. Conditions that change over
// time, such as the accepted tokens, are returned as a refusal for the decision, so that a
// repeated request still gets its first answer.
func (c *Service) newOrder(ctx context.Context, caller kernel.Caller, r PlayRequest) (order bet.Order, refusal, err error) {
	rules, wager, mint, err := c.Wagered(r)
	if err != nil {
		return bet.Order{}, nil, err
	}
	if order, err = bet.NewOrder(rules, r.Config, wager); err != nil {
		return bet.Order{}, nil, err
	}
	order.Expected = r.Expected
	refusal, err = c.Place(ctx, caller, mint, rules.Type(), &order.Placed)
	return order, refusal, err
}

// Wagered checks the fields that every bet has: game, wager and token.
func (c *Service) Wagered(r PlayRequest) (rules game.Game, wager money.Amount, mint money.Token, err error) {
	if rules, err = c.core.Games.Game(r.GameType); err != nil {
		return nil, 0, "", err
	}
	if wager, err = kernel.ParseAmount("wager", r.Wager); err != nil {
		return nil, 0, "", err
	}
	mint, err = money.ParseToken(r.Token)
	return rules, wager, mint, err
}

// Place sets the terms, bankroll, id, wallet, time and pace of a planned bet.
func (c *Service) Place(ctx context.Context, caller kernel.Caller, mint money.Token, gameType string, p *bet.Placed) (refusal, err error) {
	p.Terms, refusal = c.core.Tokens.Open(mint)
	p.Terms.Mint = mint
	switch unadmitted, err := c.core.Screening.MayPlay(ctx, caller); {
	case err != nil:
		return nil, err
	case unadmitted != nil:
		refusal = unadmitted
	}
	if p.Bankroll, err = c.bankroll.bankrollOf(ctx, mint); err != nil {
		return nil, err
	}
	p.ID, p.Wallet, p.At, p.Pace = c.core.Entropy.ID(), caller.Wallet, c.core.Now(), c.core.Settings.Pace.Least(gameType)
	return refusal, nil
}

// ClientSeed returns a client seed for a player who chose none: 32 hexadecimal digits.
func (c *Service) ClientSeed() string {
	entropy := c.core.Entropy.Seed()
	return hex.EncodeToString(entropy[:16])
}

// bankrollFresh is the maximum age of the bankroll that limits a bet.
const bankrollFresh = time.Second

// bankrollCache caches the bankroll of each token for bankrollFresh. It is the only figure
// of a bet that no wallet's lock protects.
type bankrollCache struct {
	figures ports.Figures
	clock   ports.Clock
	mu      sync.Mutex
	entries map[money.Token]bankrollEntry
}

type bankrollEntry struct {
	total money.Total
	at    time.Time
}

func newBankrollCache(figures ports.Figures, clock ports.Clock) *bankrollCache {
	return &bankrollCache{figures: figures, clock: clock, entries: map[money.Token]bankrollEntry{}}
}

func (b *bankrollCache) bankrollOf(ctx context.Context, token money.Token) (money.Total, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.clock.Now()
	// A negative age means that the clock stepped back, so the age of the figure is unknown.
	if entry, ok := b.entries[token]; ok {
		if age := now.Sub(entry.at); age >= 0 && age < bankrollFresh {
			return entry.total, nil
		}
	}
	total, err := b.figures.Bankroll(ctx, token)
	if err != nil {
		return money.Total{}, err
	}
	b.entries[token] = bankrollEntry{total: total, at: now}
	return total, nil
}
