package bet

import (
	"errors"
	"time"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// Progress is what an opening or an action made of a round: how it stood after each, the
// last one as it stands now, and, where it has ended, the round that it is. A round that
// broke down is void and has no state of its end.
type Progress struct {
	States []Open
	Round  *Round
	// Staked is what was taken of the player.
	Staked money.Amount
	// Broken is why the round is void.
	Broken error
}

// Last is how the round stands; the zero Open where it broke down at its opening.
func (p Progress) Last() Open {
	if len(p.States) == 0 {
		return Open{}
	}
	return p.States[len(p.States)-1]
}

// Begin opens the round at the pair's next nonce. Balance is the player's before it;
// Admitted has admitted the opening and named its exposure. A round that breaks down at
// once is a void Round, decided in one call: its stake never left the balance. So is one
// that has no pair to be drawn from.
func (o Opening) Begin(exposure money.Amount, agent string, pair fairness.Pair, balance money.Amount) Progress {
	open := Open{
		ID: o.ID, Wallet: o.Wallet, Agent: agent, GameType: o.gameType, Rules: o.rules, Token: o.Terms.Mint, Wager: o.wager, Stake: o.wager,
		PairID: pair.ID, Commitment: pair.Commitment, ClientSeed: pair.ClientSeed, ClientSource: pair.ClientSource, Nonce: pair.Nonce,
		Actions: game.List(), Exposure: exposure, OpenedAt: o.At, TouchedAt: o.At,
	}
	broken := func(why error) Progress {
		round := open.voided(o.At, balance-o.wager)
		round.Actions = game.Value{}
		return Progress{Round: &round, Broken: why}
	}
	if o.steps == nil || pair.Seed.Reveal() == "" || pair.Exhausted() {
		return broken(errors.New("there is nothing to draw from"))
	}
	open.Config, open.MaxMultiplier = o.steps.Config(), o.steps.MaxMultiplier()
	states, err := game.Replay(o.steps, open.draws(pair), nil)
	if err != nil {
		return broken(err)
	}
	open.Shown, open.Choices, open.Ended = states[0].Shown, Offers(states[0].Choices, o.wager), states[0].Ended
	p := Progress{States: []Open{open}, Staked: o.wager}
	if err := p.end(o.steps, states[0], o.At, balance-o.wager); err != nil {
		return broken(err)
	}
	return p
}

// draws gives the draws of the round from their start.
func (o Open) draws(pair fairness.Pair) func() game.Draws {
	return func() game.Draws { return fairness.NewStream(pair.Seed, o.ClientSeed, o.Nonce) }
}

// Steps plans the round again from what is kept of it.
func (o Open) Steps(rules game.Game) (game.Steps, error) { return game.Begin(rules, o.Config, o.Wager) }

// Take takes an action of the player. Balance is the player's; may refuses a further
// stake, and is asked for none that the action doesn't take.
//
// A refusal is a fault: of kind Invalid for an action that isn't offered, or may's. What
// else goes wrong makes a void round, whose stakes all come back.
func (o Open) Take(steps game.Steps, pair fairness.Pair, action game.Value, balance money.Amount, at time.Time, may func(stake money.Amount) error) (Progress, error) {
	at = o.next(at)
	normal, before, after, err := game.Advance(steps, o.draws(pair), o.Taken(), action)
	var refusal *fault.Error
	if errors.As(err, &refusal) {
		return Progress{}, refusal
	}
	further := o.further(before, action)
	if further > 0 {
		if err := may(further); err != nil {
			return Progress{}, err
		}
	}
	p := Progress{}
	if err != nil {
		return p.breaks(o, at, balance, err), nil
	}
	if !p.takes(o, steps, normal, after, at) {
		return p.breaks(o, at, balance, errors.New("its stake is no amount")), nil
	}
	p.Staked = further
	if err := p.end(steps, after, at, balance-further); err != nil {
		return p.breaks(o, at, balance, err), nil
	}
	return p, nil
}

// next is the moment at which the round goes on: by another instance's clock, or one that
// was set back, it may be earlier than the last, which nothing of a round is.
func (o Open) next(at time.Time) time.Time {
	if at.Before(o.TouchedAt) {
		return o.TouchedAt
	}
	return at
}

// further is what an action takes in base units, by the offer before it.
func (o Open) further(before game.State, action game.Value) money.Amount {
	for _, choice := range before.Choices {
		if choice.Action.Get(game.ActionType).Equal(action.Get(game.ActionType)) {
			if total, ok := before.Stake.Plus(choice.Stake); ok {
				if staked, ok := o.Wager.Times(total); ok {
					return staked - o.Stake
				}
			}
		}
	}
	return 0
}

// Finish ends the round by the actions that its rules take for a player who never comes
// back. Where they break down the round is void.
func (o Open) Finish(steps game.Steps, pair fairness.Pair, balance money.Amount, at time.Time) Progress {
	at = o.next(at)
	p := Progress{}
	states, err := game.Replay(steps, o.draws(pair), o.Taken())
	if err != nil {
		return p.breaks(o, at, balance, err)
	}
	state, now := states[len(states)-1], o
	for !state.Ended {
		action, err := game.Abandoned(steps, state)
		if err != nil {
			return p.breaks(o, at, balance, err)
		}
		normal, _, after, err := game.Advance(steps, o.draws(pair), now.Taken(), action)
		if err != nil {
			return p.breaks(o, at, balance, err)
		}
		if !p.takes(now, steps, normal, after, at) {
			return p.breaks(o, at, balance, errors.New("its stake is no amount"))
		}
		state, now = after, p.Last()
	}
	if err := p.end(steps, state, at, balance); err != nil {
		return p.breaks(o, at, balance, err)
	}
	return p
}

// takes adds the state after an action; false where its stake is no amount.
func (p *Progress) takes(from Open, steps game.Steps, normal game.Value, after game.State, at time.Time) bool {
	stake, ok := from.Wager.Times(after.Stake)
	next := from
	next.Stake, next.Shown, next.Choices = stake, after.Shown, Offers(after.Choices, from.Wager)
	next.Actions, next.Ended, next.TouchedAt = game.List(append(from.Taken(), normal)...), after.Ended, at
	p.States = append(p.States, next)
	return ok && stake >= from.Stake
}

// breaks makes the round, as it stood before, a void one.
func (Progress) breaks(o Open, at time.Time, balance money.Amount, why error) Progress {
	round := o.voided(at, balance)
	return Progress{Round: &round, Broken: why}
}

// end makes a Round of one that has ended. Balance is the player's without what it pays.
func (p *Progress) end(steps game.Steps, end game.State, at time.Time, balance money.Amount) error {
	if !end.Ended {
		return nil
	}
	last := &p.States[len(p.States)-1]
	theory, err := TheoryOf(steps, last.Taken(), end.Shown)
	if err != nil {
		return err
	}
	result := game.Settle(end)
	payout, ok := last.Stake.Times(result.Multiplier)
	if !ok || payout > last.Exposure {
		return errors.New("pays more than it said it could")
	}
	round := last.settled(at, balance)
	round.Outcome, round.Multiplier, round.Payout, round.Theory = result.Outcome, result.Multiplier, payout, theory
	round.Balance += payout
	p.Round = &round
	return nil
}
