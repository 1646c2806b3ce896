package bet

import (
	"slices"
	"strconv"
	"time"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/token"
)

// Limits returns what decides from a moment on which bets are admitted, as facts of kind
// event.Limits: one for each token, one for each game, and one for rounds that are played
// step by step. Pace is the least time between a player's rounds of a type of game. What is
// paused or switched off isn't among them: the audit log says that.
func Limits(tokens []token.Terms, games []game.Game, pace func(gameType string) time.Duration, at time.Time) []event.Event {
	var all []event.Event
	add := func(of string, fields ...event.Field) {
		id := of + "/" + strconv.FormatInt(at.UnixMicro(), 10)
		all = append(all, event.New(event.Limits, id, "", append([]event.Field{event.Text(event.LimitsOf, of)}, fields...)...))
	}
	for _, t := range tokens {
		add("token/"+string(t.Mint),
			event.Text("symbol", t.Symbol), event.Int("minWager", t.MinWager), event.Int("maxWager", t.MaxWager), event.Int("maxPayout", t.MaxPayout),
			event.Uint("shareNum", t.BankrollShare.Num), event.Uint("shareDen", t.BankrollShare.Den), event.Flag("closing", t.Closing))
	}
	for _, g := range games {
		add("game/"+g.Type(), event.Text("rules", g.Rules()), event.Int("paceMs", pace(g.Type()).Milliseconds()))
	}
	add("rounds", event.Int("openMax", OpenMax), event.Int("reserveMultiple", ReserveMultiple), event.Int("fixedPart", FixedPart), event.Int("askedPart", AskedPart))
	return all
}

// ChangedLimits returns those of the limits in force that differ from the newest ones that
// were said.
func ChangedLimits(newest, inForce []event.Event) []event.Event {
	said := map[string]event.Event{}
	for _, e := range newest {
		said[e.Value(event.LimitsOf)] = e
	}
	return slices.DeleteFunc(slices.Clone(inForce), func(e event.Event) bool { return len(e.Differences(said[e.Value(event.LimitsOf)])) == 0 })
}
