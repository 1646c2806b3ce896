package bet

import (
	"errors"
	"strconv"
	"time"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// OpenMax is the most open rounds of a wallet.
const OpenMax = 4

// Open is a stepped round after some actions, or a bet on a shared round. It stores
// nothing random: its state follows from config, seeds, nonce and actions.
type Open struct {
	// ID is the round's id; the settled Round has the same one.
	ID       string
	Wallet   wallet.Address
	Agent    string // the player's at the opening
	GameType string
	Rules    string
	Token    money.Token
	// Wager is the first stake, Stake the total so far.
	Wager, Stake money.Amount
	Config       game.Value // with defaults filled in, and the cap if there is one
	// Asked is the config that the player asked for, with defaults filled in. MaxPayout is the
	// token's greatest payout at the opening. They determine Config, see CheckBound.
	Asked     game.Value
	MaxPayout money.Amount

	PairID       string
	Commitment   string
	ClientSeed   string
	ClientSource fairness.ClientSource
	Nonce        int64
	// Shared is the shared round that this is a bet on. Such a bet has no seed pair.
	Shared Shared

	// Actions is the list of actions so far, as the rules encode them.
	Actions game.Value
	// Shown is what the player has seen. Choices is a list of the possible actions, each an
	// object with the action, its fields as a JSON Schema, its stake and its return.
	Shown, Choices game.Value
	// MaxMultiplier is the most that the round can pay in first wagers, Exposure the same
	// in base units: the house's greatest debt from it.
	MaxMultiplier money.Ratio
	Exposure      money.Amount

	// Ended reports that the last action, or the opening, ended the round: it is then a
	// Round.
	Ended bool

	OpenedAt, TouchedAt time.Time
	// Seal proves that the service itself wrote this state of the round, see Sealed.
	Seal string
}

// Step returns the number of actions so far.
func (o Open) Step() int { return o.Actions.Len() }

// Taken returns the actions so far.
func (o Open) Taken() []game.Value {
	taken := make([]game.Value, 0, o.Actions.Len())
	for action := range o.Actions.Items() {
		taken = append(taken, action)
	}
	return taken
}

// Same reports whether other is the same round, perhaps after other actions.
func (o Open) Same(other Open) bool {
	return o.ID == other.ID && o.Wallet == other.Wallet && o.Agent == other.Agent && o.GameType == other.GameType && o.Rules == other.Rules &&
		o.Token == other.Token && o.Wager == other.Wager && o.Config.Equal(other.Config) && o.Asked.Equal(other.Asked) && o.MaxPayout == other.MaxPayout && o.PairID == other.PairID &&
		o.Commitment == other.Commitment && o.ClientSeed == other.ClientSeed && o.ClientSource == other.ClientSource && o.Nonce == other.Nonce && o.Shared == other.Shared &&
		o.MaxMultiplier == other.MaxMultiplier && o.Exposure == other.Exposure && o.OpenedAt.Equal(other.OpenedAt)
}

// Answer returns the round as stored answers hold it: without the seal.
func (o Open) Answer() Open {
	o.Seal = ""
	return o
}

// Covered returns the round's values that blocks cover.
func (o Open) Covered() event.Event {
	return event.New(event.OpenRound, o.ID, o.Wallet,
		event.Text("agent", o.Agent), event.Text("game", o.GameType), event.Text("rules", o.Rules), event.Text("token", o.Token),
		event.Int("wager", o.Wager), event.Int("stake", o.Stake), event.Text("config", o.Config.String()),
		event.Text("asked", o.Asked.String()), event.Int("maxPayout", o.MaxPayout),
		event.Text(pairField, o.PairID), event.Text("commitment", o.Commitment), event.Text("clientSeed", o.ClientSeed),
		event.Text("clientSource", o.ClientSource.String()), event.Text(nonceField, ordinalText(o.Nonce)),
		event.Text(chainField, o.Shared.Chain), event.Int("number", o.Shared.Number),
		event.Text(actionsField, o.Actions.String()), event.Text(shownField, o.Shown.String()), event.Text("choices", o.Choices.String()),
		event.Uint("maxMultiplierNum", o.MaxMultiplier.Num), event.Uint("maxMultiplierDen", o.MaxMultiplier.Den),
		event.Int("exposure", o.Exposure), event.Flag("ended", o.Ended),
		event.Time("openedAt", o.OpenedAt), event.Time("touchedAt", o.TouchedAt))
}

// FromCovered returns the round of an event that Covered made, without the seal, which
// isn't covered. It reports false if a value of the game is malformed.
func FromCovered(e event.Event) (o Open, ok bool) {
	source, _ := fairness.ParseClientSource(e.Value("clientSource"))
	o = Open{
		ID: e.ID, Wallet: e.Wallet, Agent: e.Value("agent"), GameType: e.Value("game"), Rules: e.Value("rules"),
		Token: money.Token(e.Value("token")), Wager: money.Amount(e.Number("wager")), Stake: money.Amount(e.Number("stake")),
		PairID: e.Value(pairField), Commitment: e.Value("commitment"), ClientSeed: e.Value("clientSeed"), ClientSource: source,
		Nonce: e.Number(nonceField), Shared: SharedIn(e), MaxPayout: money.Amount(e.Number("maxPayout")), Exposure: money.Amount(e.Number("exposure")), Ended: e.Value("ended") != "",
		OpenedAt: e.At("openedAt"), TouchedAt: e.At("touchedAt"),
	}
	o.MaxMultiplier.Num, _ = strconv.ParseUint(e.Value("maxMultiplierNum"), 10, 64)
	o.MaxMultiplier.Den, _ = strconv.ParseUint(e.Value("maxMultiplierDen"), 10, 64)
	ok = true
	for name, value := range map[string]*game.Value{
		"config": &o.Config, "asked": &o.Asked, actionsField: &o.Actions, shownField: &o.Shown, "choices": &o.Choices,
	} {
		var read bool
		*value, read = game.ParseValue(e.Value(name))
		ok = ok && read
	}
	return o, ok
}

// DrawnFrom returns the pair and the nonce in an open round's event.
func DrawnFrom(e event.Event) (pair string, nonce int64, ok bool) {
	for _, f := range e.Fields {
		switch f.Name {
		case pairField:
			pair = f.Value
		case nonceField:
			nonce, ok = 0, false
			if n, err := strconv.ParseInt(f.Value, 10, 64); err == nil {
				nonce, ok = n, true
			}
		}
	}
	return pair, nonce, ok && pair != ""
}

// ShownIn returns the actions and the shown state in an open round's event as one text,
// empty for other events.
func ShownIn(e event.Event) string {
	if e.Kind != event.OpenRound || len(e.Fields) == 0 {
		return ""
	}
	actions, shown := "", ""
	for _, f := range e.Fields {
		switch f.Name {
		case actionsField:
			actions = f.Value
		case shownField:
			shown = f.Value
		}
	}
	return actions + "\x00" + shown
}

// Folded is the result of replaying a stepped round.
type Folded struct {
	Result game.Result
	Payout money.Amount
	// Shown is what its events must say, see ShownIn.
	Shown []string
}

// Fold replays an ended stepped round from its revealed seed.
func Fold(r Round, steps game.Steps, seed fairness.ServerSeed) (Folded, error) {
	taken := Open{Actions: r.Actions}.Taken()
	states, err := game.Replay(steps, func() game.Draws { return fairness.NewStream(seed, r.ClientSeed, r.Nonce) }, taken)
	if err != nil {
		return Folded{}, err
	}
	end := states[len(states)-1]
	if !end.Ended {
		return Folded{}, errNotEnded
	}
	f := Folded{Result: game.Settle(end)}
	var fits bool
	if f.Payout, fits = r.Wager.Times(f.Result.Multiplier); !fits {
		return Folded{}, errors.New("pays more than the largest possible amount")
	}
	for i, state := range states {
		f.Shown = append(f.Shown, game.List(taken[:i]...).String()+"\x00"+state.Shown.String())
	}
	return f, nil
}

var errNotEnded = errors.New("it has not ended after its actions")

// The fields of an open round's event that other functions read.
const (
	pairField    = "pair"
	nonceField   = "nonce"
	chainField   = "chain"
	actionsField = "actions"
	shownField   = "shown"
)

// OpenPurpose is the purpose of open rounds' seals.
const OpenPurpose = "open round"

// Sealed returns the message of the round's seal. Someone with access to the database
// alone can't forge it to raise a stake or change what was seen.
func (o Open) Sealed() []byte { return []byte("casino open round 1 " + o.Covered().Digest()) }

// StakePosting books the stake of the action with this number, 0 for the opening: player
// → stake.
func (o Open) StakePosting(step int, amount money.Amount) ledger.Posting {
	return ledger.Posting{
		Key: ledger.Key{Kind: ledger.Staked, Scope: ordinalText(int64(step)), ID: o.ID},
		Transfers: []ledger.Transfer{{
			Debit: ledger.PlayerOf(o.Wallet), Credit: ledger.StakeOf(o.Wallet), Token: o.Token, Amount: amount,
		}},
	}
}

// toSettledRound converts the open round to a Round. Balance is the player's before its
// end.
func (o Open) toSettledRound(at time.Time, balance money.Amount) Round {
	return Round{
		ID: o.ID, Wallet: o.Wallet, Agent: o.Agent, GameType: o.GameType, Rules: o.Rules, Token: o.Token, Wager: o.Stake,
		Config: o.Config, PairID: o.PairID, Commitment: o.Commitment, ClientSeed: o.ClientSeed, ClientSource: o.ClientSource,
		Nonce: o.Nonce, Actions: o.Actions, At: at, Balance: balance,
	}
}

// toVoidRound converts the open round to a void one, which returns its total stake.
func (o Open) toVoidRound(at time.Time, balance money.Amount) Round {
	round := o.toSettledRound(at, balance)
	round.Void, round.Payout, round.Multiplier = true, o.Stake, money.Ratio{Num: 1, Den: 1}
	round.Balance += o.Stake
	return round
}

// TheoryOf returns the theory, by the rules, of a round that ended with these actions
// and this shown state, in units of its total stake.
func TheoryOf(steps game.Steps, actions []game.Value, shown game.Value) (Theory, error) {
	theory, err := game.TheoryFor(steps, actions, shown)
	return Theory(theory), err
}

func ordinalText(n int64) string { return strconv.FormatInt(n, 10) }
