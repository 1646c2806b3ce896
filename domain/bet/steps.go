package bet

import (
	"errors"
	"math/big"
	"time"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// Opening is the order of a stepped round. NewOpening makes it; the caller then sets the
// fields of Placed, as with an Order.
type Opening struct {
	Placed

	planned
	steps game.Steps
	asked game.Value
}

// NewOpening plans a stepped round with a first wager in base units. Faults are those of
// game.Begin, and Invalid naming "wager" if it isn't positive or "gameType" without a
// game. Admitted checks limits.
func NewOpening(rules game.Game, config game.Value, wager money.Amount) (Opening, error) {
	if err := checkWager(rules, wager); err != nil {
		return Opening{}, err
	}
	steps, err := game.Begin(rules, config, wager)
	if err != nil {
		return Opening{}, err
	}
	return Opening{planned: plannedOf(rules, wager), steps: steps, asked: steps.Config()}, nil
}

// Steps returns the accepted config, nil for an opening that NewOpening didn't make.
func (o Opening) Steps() game.Steps { return o.steps }

// Exposed is the exposure of a token's open rounds, as counted by a decision to open
// another. Decisions in different lanes run concurrently. So the bankroll's share for
// open rounds is divided among the lanes: none waits for another, and their total stays
// within the share.
type Exposed struct {
	// Own is the exposure of the rounds opened in the deciding lane.
	Own money.Total
	// Others are the exposures of the other active lanes, Idle that of all inactive lanes
	// together. They may be as old as the decision's view.
	Others []money.Total
	Idle   money.Total
	// Unsettled reports that the deciding lane was taken so recently that other lanes may
	// not count it yet. It has no part then.
	Unsettled bool
}

// Room returns how much exposure the deciding lane may add, of the share for all open
// rounds. A lane may use no more than an equal part. Another lane above its part, from a
// time with fewer lanes, counts in full; one below counts as a full part, because it may
// grow to that at the same moment.
func (e Exposed) Room(share money.Amount) money.Amount {
	if e.Unsettled {
		return 0
	}
	part := share / money.Amount(len(e.Others)+1)
	room := money.TotalOf(share).Sub(e.Idle)
	for _, other := range e.Others {
		if other.Cmp(money.TotalOf(part)) < 0 {
			other = money.TotalOf(part)
		}
		room = room.Sub(other)
	}
	if room.Cmp(money.TotalOf(part)) > 0 {
		room = money.TotalOf(part)
	}
	left, ok := room.Sub(e.Own).Amount()
	if !ok || left < 0 {
		return 0
	}
	return left
}

// All returns the exposure of all lanes.
func (e Exposed) All() money.Total {
	all := e.Own.Add(e.Idle)
	for _, other := range e.Others {
		all = all.Add(other)
	}
	return all
}

// shareOf returns bankroll · share, rounded down; 0 without a bankroll.
func shareOf(bankroll money.Total, share money.Ratio) money.Amount {
	if bankroll.Sign() <= 0 {
		return 0
	}
	most, ok := bankroll.Amount()
	if !ok {
		most = money.Max
	}
	limit, _ := most.Times(share)
	return limit
}

// roomDetail is the detail "reason" of refusals because of other open rounds.
const roomDetail = "room"

// RefusedForRoom reports whether an opening was refused because of other rounds'
// exposure, not its own.
func RefusedForRoom(err error) bool {
	var refusal *fault.Error
	return errors.As(err, &refusal) && refusal.Kind == fault.WagerOutOfRange && refusal.Details["reason"] == roomDetail
}

// RoomIsScarce reports whether the exposure of a token's open rounds is above a quarter
// of the room.
func RoomIsScarce(reserved, bankroll money.Total, share money.Ratio) bool {
	return reserved.Cmp(money.TotalOf(shareOf(bankroll, share)/FixedPart)) > 0
}

// Bounded returns BoundSteps of the opening.
func (o Opening) Bounded() (steps game.Steps, part money.Amount, ok bool) {
	return BoundSteps(o.steps, o.wager, o.Terms.MaxPayout)
}

// Admitted returns the opening as accepted, with its reservation, or refuses it; every
// step of an accepted one can be paid. Balance is the player's, exposed the present
// exposure of the token. The reservation is that of Bounded, independent of the room.
// The refusals are Admit's, in the same order; see RefusedForRoom.
func (o Opening) Admitted(balance money.Amount, exposed Exposed) (Opening, money.Amount, error) {
	if o.steps == nil {
		return Opening{}, 0, errNoOrder
	}
	if err := o.checkLimits(o.wager); err != nil {
		return Opening{}, 0, err
	}
	if o.Bankroll.Sign() <= 0 {
		return Opening{}, 0, o.refuse(noCapital)
	}
	steps, part, ok := o.Bounded()
	if !ok {
		return Opening{}, 0, o.aboveLimit()
	}
	o.steps = steps
	exposure, ok := o.wager.Times(steps.MaxMultiplier())
	if !ok {
		return Opening{}, 0, o.refuse("could pay more than the balance can hold")
	}
	if err := o.checkRoom(o.wager, exposure, balance, exposed, part); err != nil {
		return Opening{}, 0, err
	}
	return o, exposure, nil
}

// AdmitBeside returns nil if a wager that pays up to a multiplier is covered beside the
// exposed rounds. Above ReserveMultiple it may use 1/FixedPart of the room. The refusals are
// those of Opening.Admitted.
func (p Placed) AdmitBeside(exposed Exposed, wager money.Amount, most money.Ratio, balance money.Amount) error {
	if err := p.checkLimits(wager); err != nil {
		return err
	}
	if p.Bankroll.Sign() <= 0 {
		return p.refuse(noCapital)
	}
	exposure, ok := wager.Times(most)
	if !ok || exposure > p.Terms.MaxPayout {
		return p.aboveLimit()
	}
	part := money.Amount(1)
	if most.Cmp(money.Ratio{Num: ReserveMultiple, Den: 1}) > 0 {
		part = FixedPart
	}
	return p.checkRoom(wager, exposure, balance, exposed, part)
}

// checkRoom refuses an exposure that the balance or the part of the room can't hold, and a
// wager above the balance.
func (p Placed) checkRoom(wager, exposure, balance money.Amount, exposed Exposed, part money.Amount) error {
	if _, fits := balance.Add(exposure); !fits {
		return p.refuse("could pay more than the balance can hold")
	}
	share := shareOf(p.Bankroll, p.Terms.BankrollShare) / part
	if exposure > exposed.Room(share) {
		refusal := p.refuse("could pay more than the house can afford at the moment")
		alone := Exposed{Others: make([]money.Total, len(exposed.Others))}
		if part != AskedPart && !exposed.Unsettled && exposure <= alone.Room(share) {
			refusal = refusal.With("reason", roomDetail)
		}
		return refusal
	}
	if wager > balance {
		return Uncovered(p.Terms.Mint, balance, wager, "a wager")
	}
	return nil
}

// Offers returns the choices of a state as a list of objects, with the stake of each for
// a first wager in base units.
func Offers(choices []game.Offer, wager money.Amount) game.Value {
	all := make([]game.Value, len(choices))
	for i, choice := range choices {
		members := []game.Member{{Name: "action", Value: choice.Action}}
		if len(choice.Fields) > 0 {
			members = append(members, game.Member{Name: "fields", Value: game.Schema(choice.Fields)})
		}
		if stake, _ := wager.Times(choice.Stake); stake > 0 {
			members = append(members, game.Member{Name: "stake", Value: game.Int(int64(stake))})
		}
		if choice.Chance != nil {
			members = append(members, game.Member{Name: "chance", Value: game.Text(choice.Chance.RatString())})
		}
		if prize, ok := decimalOf(choice.Prize); ok {
			members = append(members, game.Member{Name: "prize", Value: prize})
		}
		all[i] = game.Object(members...)
	}
	return game.List(all...)
}

// decimalOf formats a multiplier as the API does, false if it has no such form.
func decimalOf(of *big.Rat) (game.Value, bool) {
	if of == nil || of.Sign() < 0 || !of.Num().IsUint64() || !of.Denom().IsUint64() {
		return game.Value{}, false
	}
	return game.ParseNumber(money.Ratio{Num: of.Num().Uint64(), Den: of.Denom().Uint64()}.NumberText())
}

// Progress is the result of an opening or an action: the state after each step, the last
// one present, and the Round if it ended. A round that failed is void and has no final
// state.
type Progress struct {
	States []Open
	Round  *Round
	// Staked is the amount taken from the player.
	Staked money.Amount
	// Broken is the reason of a void round.
	Broken error
}

// Last returns the present state, the zero Open if the opening failed.
func (p Progress) Last() Open {
	if len(p.States) == 0 {
		return Open{}
	}
	return p.States[len(p.States)-1]
}

// Begin opens the round at the pair's next nonce. Balance is the player's before it; the
// opening and its exposure come from Admitted. If the round fails at once, or has no
// pair to draw from, it becomes a void Round decided in one call: its stake never left
// the balance.
func (o Opening) Begin(exposure money.Amount, agent string, pair fairness.Pair, balance money.Amount) Progress {
	open := Open{
		ID: o.ID, Wallet: o.Wallet, Agent: agent, GameType: o.gameType, Rules: o.rules, Token: o.Terms.Mint, Wager: o.wager, Stake: o.wager,
		PairID: pair.ID, Commitment: pair.Commitment, ClientSeed: pair.ClientSeed, ClientSource: pair.ClientSource, Nonce: pair.Nonce,
		Actions: game.List(), Exposure: exposure, OpenedAt: o.At, TouchedAt: o.At,
	}
	broken := func(why error) Progress {
		round := open.toVoidRound(o.At, balance-o.wager)
		round.Actions = game.Value{}
		return Progress{Round: &round, Broken: why}
	}
	if o.steps == nil || pair.Seed.Reveal() == "" || pair.Exhausted() {
		return broken(errors.New("the round has no seed pair to draw from"))
	}
	open.Asked, open.MaxPayout = o.asked, o.Terms.MaxPayout
	open.Config, open.MaxMultiplier = o.steps.Config(), o.steps.MaxMultiplier()
	states, err := game.Replay(o.steps, open.drawsFrom(pair), nil)
	if err != nil {
		return broken(err)
	}
	open.Shown, open.Choices, open.Ended = states[0].Shown, Offers(states[0].Choices, o.wager), states[0].Ended
	p := Progress{States: []Open{open}, Staked: o.wager}
	if err := p.endRound(o.steps, states[0], o.At, balance-o.wager); err != nil {
		return broken(err)
	}
	return p
}

// drawsFrom returns a function that restarts the round's draws.
func (o Open) drawsFrom(pair fairness.Pair) func() game.Draws {
	return func() game.Draws { return fairness.NewStream(pair.Seed, o.ClientSeed, o.Nonce) }
}

// Steps plans the round again from its stored values.
func (o Open) Steps(rules game.Game) (game.Steps, error) { return game.Begin(rules, o.Config, o.Wager) }

// Take takes an action of the player. Balance is the player's. may can refuse a further
// stake; it is called only if the action has one.
//
// A refusal is a fault: Invalid for an action that isn't offered, or the one from may.
// Any other error makes the round void and returns all stakes.
func (o Open) Take(steps game.Steps, pair fairness.Pair, action game.Value, balance money.Amount, at time.Time, may func(stake money.Amount) error) (Progress, error) {
	at = o.nextActionTime(at)
	normal, before, after, err := game.Advance(steps, o.drawsFrom(pair), o.Taken(), action)
	var refusal *fault.Error
	if errors.As(err, &refusal) {
		return Progress{}, refusal
	}
	further := o.furtherStake(before, action)
	if further > 0 {
		if err := may(further); err != nil {
			return Progress{}, err
		}
	}
	p := Progress{}
	if err != nil {
		return p.voidRound(o, at, balance, err), nil
	}
	if !p.addState(o, steps, normal, after, at) {
		return p.voidRound(o, at, balance, errors.New("its stake exceeds the largest possible amount")), nil
	}
	p.Staked = further
	if err := p.endRound(steps, after, at, balance-further); err != nil {
		return p.voidRound(o, at, balance, err), nil
	}
	return p, nil
}

// nextActionTime returns the time of an action, never before the round's last one: other
// instances' clocks may be behind, and clocks may be set back.
func (o Open) nextActionTime(at time.Time) time.Time {
	if at.Before(o.TouchedAt) {
		return o.TouchedAt
	}
	return at
}

// furtherStake returns the stake of an action in base units, by the offer before it.
func (o Open) furtherStake(before game.State, action game.Value) money.Amount {
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

// Finish ends the round with the actions that the rules take for an absent player. If
// they fail the round is void.
func (o Open) Finish(steps game.Steps, pair fairness.Pair, balance money.Amount, at time.Time) Progress {
	at = o.nextActionTime(at)
	p := Progress{}
	states, err := game.Replay(steps, o.drawsFrom(pair), o.Taken())
	if err != nil {
		return p.voidRound(o, at, balance, err)
	}
	state, now := states[len(states)-1], o
	for !state.Ended {
		action, err := game.Abandoned(steps, state)
		if err != nil {
			return p.voidRound(o, at, balance, err)
		}
		normal, _, after, err := game.Advance(steps, o.drawsFrom(pair), now.Taken(), action)
		if err != nil {
			return p.voidRound(o, at, balance, err)
		}
		if !p.addState(now, steps, normal, after, at) {
			return p.voidRound(o, at, balance, errors.New("its stake exceeds the largest possible amount"))
		}
		state, now = after, p.Last()
	}
	if err := p.endRound(steps, state, at, balance); err != nil {
		return p.voidRound(o, at, balance, err)
	}
	return p
}

// addState adds the state after an action, false if its stake overflows.
func (p *Progress) addState(from Open, steps game.Steps, normal game.Value, after game.State, at time.Time) bool {
	stake, ok := from.Wager.Times(after.Stake)
	next := from
	next.Stake, next.Shown, next.Choices = stake, after.Shown, Offers(after.Choices, from.Wager)
	next.Actions, next.Ended, next.TouchedAt = game.List(append(from.Taken(), normal)...), after.Ended, at
	p.States = append(p.States, next)
	return ok && stake >= from.Stake
}

// voidRound makes the round void, as it was before.
func (Progress) voidRound(o Open, at time.Time, balance money.Amount, why error) Progress {
	round := o.toVoidRound(at, balance)
	return Progress{Round: &round, Broken: why}
}

// endRound sets Round if the state has ended. Balance is the player's without the
// payout.
func (p *Progress) endRound(steps game.Steps, end game.State, at time.Time, balance money.Amount) error {
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
		return errors.New("pays more than its stated greatest multiplier")
	}
	round := last.toSettledRound(at, balance)
	round.Outcome, round.Multiplier, round.Payout, round.Theory = result.Outcome, result.Multiplier, payout, theory
	round.Balance += payout
	p.Round = &round
	return nil
}
