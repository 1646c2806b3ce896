package bet

import (
	"errors"
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

// The rule of what a round that is played step by step reserves, as docs/fairness/steps.md
// publishes it. A round that can win at most PlainMultiplier first wagers may use all of the
// room. One that can win more may only be opened while everything that is reserved with it
// stays within a part of the room: the FixedPart-th where its game can't be bounded lower,
// the AskedPart-th where its player asked for more. So three quarters of the room at least
// are filled by rounds whose wagers come to a fiftieth of what they reserve: until a plain
// round is refused that reserves up to a quarter of the room, the wagers of the open rounds
// come to 1 % of the room.
const (
	PlainMultiplier = 50
	FixedPart       = 4
	AskedPart       = 8
)

// roomDetail is the value of the detail "reason" of a refusal that open rounds are the cause of.
const roomDetail = "room"

// RefusedForRoom reports whether an opening was refused because of what other open rounds
// reserve, and not because of its own size.
func RefusedForRoom(err error) bool {
	var refusal *fault.Error
	return errors.As(err, &refusal) && refusal.Kind == fault.WagerOutOfRange && refusal.Details["reason"] == roomDetail
}

// RoomIsScarce reports whether the open rounds of a token reserve more than a quarter of
// what they may cost together.
func RoomIsScarce(reserved, bankroll money.Total, share money.Ratio) bool {
	return reserved.Cmp(money.TotalOf(shareOf(bankroll, share)/FixedPart)) > 0
}

// Bounded returns the steps that the round is played by, and the part of the room that it
// may use as its divisor. Both follow from the config, the wager and the token's greatest
// payout alone. It is false where the first step could pay more than that.
func (o Opening) Bounded() (steps game.Steps, part money.Amount, ok bool) {
	steps, ok = game.UpTo(o.steps, money.Ratio{Num: uint64(max(0, o.Terms.MaxPayout)), Den: uint64(o.wager)})
	if !ok {
		return nil, 0, false
	}
	plain := money.Ratio{Num: PlainMultiplier, Den: 1}
	switch lower, fits := game.UpTo(steps, plain); {
	case steps.MaxMultiplier().Cmp(plain) <= 0:
		return steps, 1, true
	case game.NamesCap(o.steps):
		return steps, AskedPart, true
	case fits:
		return lower, 1, true
	}
	return steps, FixedPart, true
}

// Admitted returns the opening as the house admits it, with what it reserves, or refuses
// it: after it every step can be paid. Balance is the player's, exposed what the open
// rounds of the token may cost already. What it reserves is that of Bounded, whatever room
// there is. The refusals are Admit's, in the same order; see RefusedForRoom.
func (o Opening) Admitted(balance money.Amount, exposed Exposed) (Opening, money.Amount, error) {
	if o.steps == nil {
		return Opening{}, 0, errNoOrder
	}
	refuse := func(format string, args ...any) *fault.Error {
		return fault.New(fault.WagerOutOfRange, "wager: "+format, args...).With("field", "wager")
	}
	if o.wager < o.Terms.MinWager || o.wager > o.Terms.MaxWager {
		return Opening{}, 0, refuse("must be from %d to %d base units", o.Terms.MinWager, o.Terms.MaxWager)
	}
	if o.Bankroll.Sign() <= 0 {
		return Opening{}, 0, refuse(noCapital)
	}
	steps, part, ok := o.Bounded()
	if !ok {
		return Opening{}, 0, refuse("could pay more than the limit of %d base units a round", o.Terms.MaxPayout)
	}
	o.steps = steps
	exposure, ok := o.wager.Times(steps.MaxMultiplier())
	if _, fits := balance.Add(exposure); !ok || !fits {
		return Opening{}, 0, refuse("could pay more than the balance can hold")
	}
	share := shareOf(o.Bankroll, o.Terms.BankrollShare) / part
	if exposure > exposed.Room(share) {
		refusal := refuse("could pay more than the house can afford at the moment")
		alone := Exposed{Others: make([]money.Total, len(exposed.Others))}
		if part != AskedPart && !exposed.Unsettled && exposure <= alone.Room(share) {
			refusal = refusal.With("reason", roomDetail)
		}
		return Opening{}, 0, refusal
	}
	if o.wager > balance {
		return Opening{}, 0, fault.New(fault.InsufficientFunds, "the balance of %d base units doesn't cover a wager of %d", balance, o.wager)
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
