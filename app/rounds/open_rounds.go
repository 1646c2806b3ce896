// Package rounds plays rounds step by step and ends those that nobody plays on.
package rounds

import (
	"context"
	"errors"
	"strconv"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
)

// Service is the use cases of rounds that are played step by step. It is safe for
// concurrent use.
type Service struct {
	core *kernel.Kernel
	play *play.Service
}

// New returns the use cases of rounds that are played step by step.
func New(core *kernel.Kernel, play *play.Service) *Service { return &Service{core, play} }

// StepResult is how a round stands that is played step by step: open, or the round that
// it ended as. Replayed says that it was so earlier, by the same request.
type StepResult struct {
	Open     *bet.Open
	Round    *bet.Round
	Balance  money.Amount
	Replayed bool
}

// OpenRound opens a round of one of the house's games that are played step by step. Its
// stake is taken, its nonce too, and what the house may owe by it is set aside until it
// ends. Where every step returns the same, the round is bounded by the rule of
// bet.Opening.Bounded: its MaxMultiplier says so, and reaching it cashes out. Every refusal
// comes before anything is drawn; one for lack of room raises an alarm. As with Play an Unconfirmed session may be wrong in an error.
func (c *Service) OpenRound(ctx context.Context, caller kernel.Caller, r play.PlayRequest) (StepResult, error) {
	opening, refusal, err := c.newOpening(ctx, caller, r)
	if err != nil {
		return StepResult{}, err
	}
	request := player.OpenRequest{Opening: opening, Voiding: c.newVoiding(), Seals: c.core.Seals}
	result, err := c.commitStep(ctx, caller, player.Item{
		Wallet: caller.Wallet,
		Keys:   r.Idempotency.Keys(caller.Wallet, player.OperationKey, opening.ID),
		Needs: player.Needs{
			Tokens: []money.Token{opening.Terms.Mint}, Draw: true, OpenRounds: true, Exposure: opening.Terms.Mint, Game: opening.GameType(),
		},
		At: opening.At,
		Decide: caller.Confirmed(func(v player.View) (player.Change, error) {
			if refusal != nil {
				return player.Change{}, refusal
			}
			return player.OpenRound(v, request)
		}),
	})
	if bet.RefusedForRoom(err) {
		c.core.Alarms.Raise(ctx, alarm.OpenRoundsFull, string(opening.Terms.Mint), "game", opening.GameType(), "wager", int64(opening.Wager()))
	}
	return result, err
}

// newOpening checks the request's fields and plans the round. What may change over time
// comes back as a refusal for the decision to return.
func (c *Service) newOpening(ctx context.Context, caller kernel.Caller, r play.PlayRequest) (opening bet.Opening, refusal, err error) {
	rules, wager, mint, err := c.play.Wagered(r)
	if err != nil {
		return bet.Opening{}, nil, err
	}
	if opening, err = bet.NewOpening(rules, r.Config, wager); err != nil {
		return bet.Opening{}, nil, err
	}
	opening.Expected = r.Expected
	refusal, err = c.play.Place(ctx, caller, mint, rules, &opening.Placed)
	return opening, refusal, err
}

func (c *Service) newVoiding() player.Voiding {
	return player.Voiding{Spare: c.play.Spare(), ServerClientSeed: c.play.ClientSeed(), AuditID: c.core.Entropy.ID()}
}

// StepRequest is an action in an open round. Step is how many actions the round had when
// the player chose.
type StepRequest struct {
	RoundID string
	Step    int64
	Action  game.Value
	// Fingerprint identifies the request, as that of an Idempotency does.
	Fingerprint string
}

// Step takes an action in one of the caller's open rounds. The same action at the same
// step gets its first answer again, also when the round has ended since; another one is
// IdempotencyConflict. The order of refusals is NotFound, InvalidState of a round that has
// ended and of a step that isn't the next, Invalid of an action that isn't offered, and
// what forbids a further stake.
func (c *Service) Step(ctx context.Context, caller kernel.Caller, r StepRequest) (StepResult, error) {
	if r.Step < 0 || r.Step >= game.StepsMax {
		return StepResult{}, fault.Field("step", "must be from 0 to %d", game.StepsMax-1)
	}
	item := player.Item{
		Wallet: caller.Wallet, At: c.core.Now(),
		Keys: []player.UniqueKey{{
			Kind: player.StepKey, Scope: r.RoundID, ID: strconv.FormatInt(r.Step, 10), Fingerprint: r.Fingerprint,
		}},
	}
	open, err := c.core.Store.OpenRounds.OpenRound(ctx, r.RoundID)
	switch {
	case fault.Is(err, fault.NotFound):
		if err := c.checkEnded(ctx, caller, r.RoundID); err != nil {
			return StepResult{}, err
		}
		item.Decide = caller.Confirmed(func(player.View) (player.Change, error) { return player.Change{}, errEnded })
		return c.commitStep(ctx, caller, item)
	case err != nil:
		return StepResult{}, err
	case open.Wallet != caller.Wallet:
		return StepResult{}, errNoOpenRound(r.RoundID)
	}
	request, err := c.stepRequest(open)
	if err != nil {
		return StepResult{}, err
	}
	request.Step, request.Action, request.At = int(r.Step), r.Action, item.At
	item.Needs = player.Needs{Tokens: []money.Token{open.Token}, Draw: true, OpenRounds: true, Game: open.GameType}
	item.Decide = caller.Confirmed(func(v player.View) (player.Change, error) { return player.StepRound(v, request) })
	result, err := c.commitStep(ctx, caller, item)
	if errors.Is(err, player.ErrOpenRoundChanged) {
		c.core.Alarms.Raise(ctx, alarm.OpenRoundForged, open.ID, "round", open.ID, "wallet", string(open.Wallet))
	}
	return result, err
}

var errEnded = fault.New(fault.InvalidState, "the round has ended").With("status", "ended")

func errNoOpenRound(id string) error { return fault.New(fault.NotFound, "no open round %q", id) }

// checkEnded is nil for a round of the caller's that was open once.
func (c *Service) checkEnded(ctx context.Context, caller kernel.Caller, id string) error {
	round, err := c.core.Store.Rounds.Round(ctx, id)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	if err != nil || round.Wallet != caller.Wallet || !round.Stepped() {
		return errNoOpenRound(id)
	}
	return nil
}

// stepRequest plans a step of an open round by the rules that it began with.
func (c *Service) stepRequest(open bet.Open) (player.StepRequest, error) {
	rules, err := c.core.Games.Rules(open.GameType, open.Rules)
	if err != nil {
		return player.StepRequest{}, errors.Join(errRulesGone, err)
	}
	steps, err := open.Steps(rules)
	if err != nil {
		return player.StepRequest{}, errors.Join(errRulesGone, err)
	}
	terms, _ := c.core.Tokens.Known(open.Token)
	return player.StepRequest{
		RoundID: open.ID, Steps: steps, LargeWin: terms.LargeWin, At: c.core.Now(), Voiding: c.newVoiding(), Seals: c.core.Seals,
	}, nil
}

// errRulesGone is no fault: a deployment that drops the rules of open rounds is wrong.
var errRulesGone = errors.New("app: the rules of an open round are not registered: games whose rounds may be open are retired, not removed")

// commitStep commits an opening or a step.
func (c *Service) commitStep(ctx context.Context, caller kernel.Caller, item player.Item) (StepResult, error) {
	receipt, err := c.play.CommitRound(ctx, caller, item)
	if err != nil {
		return StepResult{}, err
	}
	result := StepResult{Round: receipt.Change.Round, Balance: receipt.Change.Balance, Replayed: receipt.Replayed}
	if steps := receipt.Change.Steps; result.Round == nil && len(steps) > 0 {
		result.Open = &steps[len(steps)-1]
	}
	if result.Open == nil && result.Round == nil {
		return StepResult{}, kernel.ErrResultLost
	}
	if round := result.Round; round != nil && round.Void && !receipt.Replayed {
		c.play.BrokeDown(ctx, caller, *round)
	}
	return result, nil
}
