package crash

import (
	"errors"
	"fmt"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// GameType is the type of game of the bets.
const GameType = "crash"

// The names in the config, the actions and the outcome of a bet.
const (
	cashOutName    = "cashOut"
	chainName      = "chain"
	roundName      = "round"
	receivedName   = "received"
	multiplierName = "multiplier"
	pointName      = "crash"
	capName        = "cap"
	startedName    = "startedAt"
)

// hundredths returns a multiplier as it is written in values, with two decimals.
func hundredths(of uint64) game.Value { return game.Dec(int64(of), 2) }

// multiplierIn returns a multiplier that hundredths wrote, 0 for any other value.
func multiplierIn(v game.Value) uint64 {
	of, scale, ok := v.Decimal()
	if !ok || scale != 2 || of < 0 {
		return 0
	}
	return uint64(of)
}

// Open returns the bet as the ledger stores it until the round ends. Agent is the
// player's, maxPayout the token's greatest payout. The bet must have passed Admit.
func (r Round) Open(b Bet, agent string, maxPayout money.Amount, at time.Time) bet.Open {
	config := game.Object(
		game.Member{Name: cashOutName, Value: hundredths(b.Auto)},
		game.Member{Name: chainName, Value: game.Text(r.Chain)}, game.Member{Name: roundName, Value: game.Int(r.Number)})
	exposure, _ := b.Exposure()
	return bet.Open{
		ID: b.ID, Wallet: b.Wallet, Agent: agent, GameType: GameType, Rules: Rules, Token: b.Token, Wager: b.Wager, Stake: b.Wager,
		Config: config, Asked: config, MaxPayout: maxPayout, Shared: bet.Shared{Chain: r.Chain, Number: r.Number},
		Actions: game.List(), Shown: game.Object(), Choices: game.List(),
		MaxMultiplier: ratioOf(b.Auto), Exposure: exposure, OpenedAt: at, TouchedAt: at,
	}
}

// BetOf returns the bet that Open stored, with its cash-out by hand, nil if it has none.
// Errors are internal: they say that the row isn't what this package wrote.
func BetOf(o bet.Open) (b Bet, out *CashOut, err error) {
	if b, out, err = betIn(o.ID, o.Config, o.Actions); err != nil {
		return Bet{}, nil, err
	}
	b.Wallet, b.Token, b.Wager = o.Wallet, o.Token, o.Wager
	want := Round{Chain: o.Shared.Chain, Number: o.Shared.Number}.Open(b, o.Agent, o.MaxPayout, o.OpenedAt)
	if _, fits := b.Exposure(); !fits || !want.Same(o) || o.Stake != o.Wager || o.Ended {
		return Bet{}, nil, fmt.Errorf("crash: the open round %s is no bet on a crash round", o.ID)
	}
	return b, out, nil
}

// CashOutsIn returns the automatic cash-out in hundredths in the config of a stored bet, and the
// cash-out by hand in its actions, nil if it has none.
func CashOutsIn(config, actions game.Value) (auto uint64, out *CashOut) {
	b, out, _ := betIn("", config, actions)
	return b.Auto, out
}

// betIn returns a bet's automatic cash-out, and its cash-out by hand, by their values.
func betIn(id string, config, actions game.Value) (b Bet, out *CashOut, err error) {
	b = Bet{ID: id, Auto: multiplierIn(config.Get(cashOutName))}
	switch {
	case b.Auto < CashOutMin || b.Auto > CapMax:
		return Bet{}, nil, fmt.Errorf("crash: bet %s has no automatic cash-out", id)
	case actions.Kind() != game.ListKind || actions.Len() > 1:
		return Bet{}, nil, fmt.Errorf("crash: bet %s has other actions than one cash-out", id)
	case actions.Len() == 0:
		return b, nil, nil
	}
	action := actions.At(0)
	micros, whole := action.Get(receivedName).Int()
	out = &CashOut{Bet: id, Received: time.UnixMicro(micros).UTC(), Multiplier: multiplierIn(action.Get(multiplierName))}
	if !whole || !action.Equal(out.action()) {
		return Bet{}, nil, fmt.Errorf("crash: bet %s has an action that is no cash-out", id)
	}
	return b, out, nil
}

// action returns the cash-out as an action of an open round.
func (c CashOut) action() game.Value {
	return game.Object(
		game.Member{Name: game.ActionType, Value: game.Text(cashOutName)},
		game.Member{Name: receivedName, Value: game.Int(c.Received.UnixMicro())},
		game.Member{Name: multiplierName, Value: hundredths(c.Multiplier)})
}

// WithCashOut returns the stored bet with its cash-out by hand. Microseconds of its
// moment are kept.
func WithCashOut(o bet.Open, out CashOut, at time.Time) bet.Open {
	o.Actions = game.List(append(o.Taken(), out.action())...)
	if at.After(o.TouchedAt) {
		o.TouchedAt = at
	}
	return o
}

// End returns the stored bet as the player's settled round, by Settle. Balance is the
// player's before it.
func (r Round) End(o bet.Open, at time.Time, balance money.Amount) (bet.Round, error) {
	b, out, err := BetOf(o)
	if err != nil {
		return bet.Round{}, err
	}
	if o.Shared != (bet.Shared{Chain: r.Chain, Number: r.Number}) {
		return bet.Round{}, fmt.Errorf("crash: bet %s is on another round than %d", o.ID, r.Number)
	}
	result, err := r.result(b, out)
	if err != nil {
		return bet.Round{}, err
	}
	return o.EndShared(result, at, balance), nil
}

// result returns the result of one bet as the ledger stores it.
func (r Round) result(b Bet, out *CashOut) (bet.SharedResult, error) {
	var outs []CashOut
	if out != nil {
		outs = []CashOut{*out}
	}
	settled, err := r.Settle([]Bet{b}, outs)
	if err != nil {
		return bet.SharedResult{}, err
	}
	return bet.SharedResult{
		Outcome: r.outcome(), Multiplier: ratioOf(settled[0].Multiplier), Payout: settled[0].Payout, Void: settled[0].Void, Theory: theoryOf(b),
	}, nil
}

// theoryOf returns what the rules expect of a bet: the odds of its automatic cash-out. A
// cash-out by hand has nearly the same mean.
func theoryOf(b Bet) bet.Theory {
	odds := Odds(b.Auto, b.Auto)
	return bet.Theory{RTPPartsPerBillion: odds.RTPPartsPerBillion(), VariancePartsPerBillion: odds.VariancePartsPerBillion()}
}

// outcome returns what decides all bets of a crashed round.
func (r Round) outcome() game.Value {
	return game.Object(
		game.Member{Name: pointName, Value: hundredths(r.Point)}, game.Member{Name: capName, Value: hundredths(r.Cap)},
		game.Member{Name: startedName, Value: game.Int(r.StartedAt.UnixMilli())})
}

// SharedOf returns the shared round of a settled bet.
func SharedOf(s bet.Round) bet.Shared {
	number, _ := s.Config.Get(roundName).Int()
	return bet.Shared{Chain: s.Config.Get(chainName).Text(), Number: number}
}

// StatesOf returns what the events of a settled bet must show, see bet.ShownIn: the bet
// as placed and, if it has one, its cash-out by hand.
func StatesOf(s bet.Round) (states []string) {
	open := bet.Open{ID: s.ID, Actions: game.List(), Shown: game.Object()}
	states = append(states, bet.ShownIn(open.Covered()))
	if s.Actions.Len() > 0 {
		open.Actions = s.Actions
		states = append(states, bet.ShownIn(open.Covered()))
	}
	return states
}

var errOtherResult = errors.New("crash: its result doesn't follow from its outcome, config and actions")

// Check returns what the rules expect of a settled bet, and an error unless its result
// follows by Settle from its own config and actions and the outcome of its round. That
// this is the outcome of the round of the chain is for the round's own record to prove.
// A void bet must return its stake.
func Check(s bet.Round) (bet.Theory, error) {
	shared := SharedOf(s)
	b, out, err := betIn(s.ID, s.Config, s.Actions)
	if err != nil {
		return bet.Theory{}, err
	}
	b.Wallet, b.Token, b.Wager = s.Wallet, s.Token, s.Wager
	started, whole := s.Outcome.Get(startedName).Int()
	r := Round{
		Chain: shared.Chain, Number: shared.Number, Status: Crashed, Paying: true, StartedAt: time.UnixMilli(started).UTC(),
		Cap: multiplierIn(s.Outcome.Get(capName)), Point: multiplierIn(s.Outcome.Get(pointName)),
	}
	opened := r.Open(b, s.Agent, 0, s.At)
	switch {
	case s.GameType != GameType || s.Rules != Rules || !s.Config.Equal(opened.Config):
		return bet.Theory{}, fmt.Errorf("crash: round %s is no bet on a crash round", s.ID)
	case s.Void && s.Payout == s.Wager && s.Outcome.Kind() == game.Absent:
		return bet.Theory{}, nil
	case s.Void || !whole || !s.Outcome.Equal(r.outcome()):
		return bet.Theory{}, errOtherResult
	}
	result, err := r.result(b, out)
	if err != nil {
		return bet.Theory{}, err
	}
	if result.Payout != s.Payout || result.Multiplier != s.Multiplier || result.Void {
		return bet.Theory{}, errOtherResult
	}
	return result.Theory, nil
}
