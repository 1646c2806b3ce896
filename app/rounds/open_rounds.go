// Package rounds plays stepped rounds and ends those that their players abandon.
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

// Service has the use cases of stepped rounds. It is safe for concurrent use.
type Service struct {
	core *kernel.Kernel
	play *play.Service
}

// New returns the use cases of stepped rounds.
func New(core *kernel.Kernel, play *play.Service) *Service { return &Service{core, play} }

// StepResult is a stepped round: either Open, or the Round that it ended as. Replayed means
// that the same request got this result earlier.
type StepResult struct {
	Open      *bet.Open
	Round     *bet.Round
	Balance   money.Amount
	Replayed  bool
	Committed kernel.Committed
}

// OpenRound opens a round of a house game that is played in steps. It takes the stake and
// the nonce, and reserves the maximum payout until the round ends. If every step has the
// same return, the rule of bet.Opening.Bounded limits the round: reaching its MaxMultiplier
// cashes out. Every refusal comes before anything is drawn; a refusal for lack of room
// raises an alarm. As with Play, errors may come before an Unconfirmed session was checked.
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
				return player.Change{}, player.Refuse(v, refusal, opening.Placed)
			}
			return player.OpenRound(v, request)
		}),
	})
	if bet.RefusedForRoom(err) {
		c.core.Alarms.Raise(ctx, alarm.OpenRoundsFull, string(opening.Terms.Mint), "game", opening.GameType(), "wager", int64(opening.Wager()))
	}
	return result, err
}

// newOpening checks the request's fields and plans the round. Conditions that change over
// time are returned as a refusal for the decision.
func (c *Service) newOpening(ctx context.Context, caller kernel.Caller, r play.PlayRequest) (opening bet.Opening, refusal, err error) {
	rules, wager, mint, err := c.play.Wagered(r)
	if err != nil {
		return bet.Opening{}, nil, err
	}
	if opening, err = bet.NewOpening(rules, r.Config, wager); err != nil {
		return bet.Opening{}, nil, err
	}
	opening.Expected = r.Expected
	refusal, err = c.play.Place(ctx, caller, mint, rules.Type(), &opening.Placed)
	return opening, refusal, err
}

func (c *Service) newVoiding() player.Voiding {
	return player.Voiding{Spare: c.play.Spare(), ServerClientSeed: c.play.ClientSeed(), AuditID: c.core.Entropy.ID()}
}

// StepRequest is an action in an open round. Step is the number of actions that the round
// had when the player chose.
type StepRequest struct {
	RoundID string
	Step    int64
	Action  game.Value
	// Fingerprint identifies the request, like that of an Idempotency.
	Fingerprint string
}

// Step takes an action in one of the caller's open rounds. The same action at the same step
// gets its first answer again, even after the round has ended; a different action is
// IdempotencyConflict. The order of refusals is NotFound, InvalidState if the round has
// ended or the step isn't the next, Invalid if the action isn't offered, and the refusals
// of a further stake.
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

// checkEnded returns nil if the id names a stepped round of the caller that has ended.
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

// stepRequest plans a step of an open round by the rules that the round began with.
func (c *Service) stepRequest(open bet.Open) (player.StepRequest, error) {
	if open.IsShared() {
		return player.StepRequest{}, player.ErrSharedRound
	}
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

// errRulesGone isn't a fault: the deployment is wrong if it drops the rules of open rounds.
var errRulesGone = errors.New("app: the rules of an open round are not registered: retire games that may have open rounds instead of removing them")

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
	if result.Open != nil {
		result.Committed = kernel.CommittedBy(caller.Wallet, result.Open.ID, &receipt)
	} else {
		result.Committed = kernel.CommittedBy(caller.Wallet, result.Round.ID, &receipt)
	}
	if round := result.Round; round != nil && round.Void && !receipt.Replayed {
		c.play.BrokeDown(ctx, caller, *round)
	}
	return result, nil
}
