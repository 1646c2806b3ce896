package bet

import (
	"fmt"
	"math/big"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// Opening is the order of a round that is played step by step. NewOpening makes it; what
// it is placed with is set afterwards, as with an Order.
type Opening struct {
	Placed

	planned
	steps game.Steps
}

// NewOpening plans a round that is played step by step, with a first wager in base units.
// Its faults are those of game.Begin, and of kind Invalid, naming "wager", where that
// isn't positive, and "gameType" without a game. Limits are Admitted's.
func NewOpening(rules game.Game, config game.Value, wager money.Amount) (Opening, error) {
	if err := wagerable(rules, wager); err != nil {
		return Opening{}, err
	}
	steps, err := game.Begin(rules, config, wager)
	if err != nil {
		return Opening{}, err
	}
	return Opening{planned: plannedOf(rules, wager), steps: steps}, nil
}

// Steps returns the config as it will be played; nil of an opening that NewOpening didn't
// make.
func (o Opening) Steps() game.Steps { return o.steps }

// Exposed is what open rounds of a token may cost the house, as whoever decides about one
// more has to count it. Where several decide at the same moment, each of them in a lane
// of its own, the share of the bankroll that open rounds may cost is divided among them,
// so that nobody has to wait for another and all together stay within it.
type Exposed struct {
	// Own is what the rounds may cost that were opened in the deciding lane.
	Own money.Total
	// Others are the same of each other lane that somebody may be deciding in, Idle of all
	// the rest together. They may be as old as the decision's view is.
	Others []money.Total
	Idle   money.Total
	// Unsettled says that others may still be deciding who don't count the deciding lane:
	// it was taken a moment ago, and has no part yet.
	Unsettled bool
}

// Room returns how much more the deciding lane's rounds may cost, of all that open rounds
// may cost together. No lane may cost more than an equal part; where another one does,
// because there were fewer lanes before, it is counted in full, and as an equal part where
// it costs less: it may come to that at the same moment.
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

// All is what open rounds may cost in all lanes together.
func (e Exposed) All() money.Total {
	all := e.Own.Add(e.Idle)
	for _, other := range e.Others {
		all = all.Add(other)
	}
	return all
}

// shareOf is bankroll · share, rounded down; 0 of no bankroll.
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

// roomParts is into how many parts the room is divided for a round that can be bounded, so
// that none of them takes all that is left: others have room beside it as long as it is open.
const roomParts = 8

// upTo bounds the round by a part of what it may pay at most, or by more of that where its
// first step alone comes to more; false where even all isn't enough.
func (o Opening) upTo(most, parts money.Amount) (game.Steps, bool) {
	for ; parts > 1; parts /= 2 {
		if steps, ok := game.UpTo(o.steps, money.Ratio{Num: uint64(max(0, most/parts)), Den: uint64(o.wager)}); ok {
			return steps, true
		}
	}
	return game.UpTo(o.steps, money.Ratio{Num: uint64(max(0, most)), Den: uint64(o.wager)})
}

// Admitted returns the opening as the house admits it, with what it may cost, or refuses
// it: after it every step can be paid. Balance is the player's, exposed what the open
// rounds of the token may cost already. Where every step has the same return the round is
// bounded by the greatest prize that the house can pay, and leaves most of the room to
// others (roomParts); elsewhere all of it must be payable.
// The refusals are Admit's, in the same order.
func (o Opening) Admitted(balance money.Amount, exposed Exposed) (Opening, money.Amount, error) {
	if o.steps == nil {
		return Opening{}, 0, errNoOrder
	}
	refuse := func(format string, args ...any) (Opening, money.Amount, error) {
		return Opening{}, 0, fault.New(fault.WagerOutOfRange, "wager: "+format, args...).With("field", "wager")
	}
	if o.wager < o.Terms.MinWager || o.wager > o.Terms.MaxWager {
		return refuse("must be from %d to %d base units", o.Terms.MinWager, o.Terms.MaxWager)
	}
	if o.Bankroll.Sign() <= 0 {
		return refuse(noCapital)
	}
	room := exposed.Room(shareOf(o.Bankroll, o.Terms.BankrollShare))
	for _, limit := range [...]struct {
		most   money.Amount
		parts  money.Amount
		reason string
	}{
		{o.Terms.MaxPayout, 1, fmt.Sprintf("could pay more than the limit of %d base units a round", o.Terms.MaxPayout)},
		{money.Max - balance, 1, "could pay more than the balance can hold"},
		{room, roomParts, "could pay more than the house can afford at the moment"},
	} {
		steps, ok := o.upTo(limit.most, limit.parts)
		if !ok {
			return refuse("%s", limit.reason)
		}
		o.steps = steps
	}
	if o.wager > balance {
		return Opening{}, 0, fault.New(fault.InsufficientFunds, "the balance of %d base units doesn't cover a wager of %d", balance, o.wager)
	}
	exposure, ok := o.wager.Times(o.steps.MaxMultiplier())
	if !ok {
		return refuse("could pay more than an amount can hold")
	}
	return o, exposure, nil
}

// Offers are the choices of a state as a list of objects, with what each takes of a
// player whose first wager is this, in base units.
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

// decimalOf is a multiplier as the service shows one; false of none.
func decimalOf(of *big.Rat) (game.Value, bool) {
	if of == nil || of.Sign() < 0 || !of.Num().IsUint64() || !of.Denom().IsUint64() {
		return game.Value{}, false
	}
	return game.ParseNumber(money.Ratio{Num: of.Num().Uint64(), Den: of.Denom().Uint64()}.NumberText())
}
