package bet

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
)

// Limits returns what decides from a moment on which bets are admitted, as facts of kind
// event.Limits: one for each token, one for each game, and one for rounds that are played
// step by step. Pace is the least time between a player's rounds of a type of game. What is
// paused or switched off isn't among them: the audit log says that.
func Limits(tokens []token.Terms, games []game.Game, pace func(gameType string) time.Duration, at time.Time) []event.Event {
	var all []event.Event
	add := func(of string, fields ...event.Field) { all = append(all, limitsFact(of, at, fields...)) }
	for _, t := range tokens {
		add("token/"+string(t.Mint),
			event.Text("symbol", t.Symbol), event.Int("minWager", t.MinWager), event.Int("maxWager", t.MaxWager), event.Int("maxPayout", t.MaxPayout),
			event.Uint("shareNum", t.BankrollShare.Num), event.Uint("shareDen", t.BankrollShare.Den), event.Flag("closing", t.Closing))
	}
	for _, g := range games {
		fields := []event.Field{event.Text("rules", g.Rules()), event.Int("paceMs", pace(g.Type()).Milliseconds())}
		if most, ok := GreatestBound(g); ok {
			fields = append(fields, event.Text("maxMultiplier", most.NumberText()))
		}
		add("game/"+g.Type(), fields...)
	}
	add("rounds", event.Int("openMax", OpenMax), event.Int("reserveMultiple", ReserveMultiple), event.Int("fixedPart", FixedPart), event.Int("askedPart", AskedPart))
	return all
}

func limitsFact(of string, at time.Time, fields ...event.Field) event.Event {
	id := of + "/" + strconv.FormatInt(at.UnixMicro(), 10)
	return event.New(event.Limits, id, "", append([]event.Field{event.Text(event.LimitsOf, of)}, fields...)...)
}

// ChangedLimits returns those of the limits in force that differ from the newest ones that
// were said, and one that only says so for what is no longer offered, sorted by id.
func ChangedLimits(newest, inForce []event.Event, at time.Time) []event.Event {
	said := map[string]event.Event{}
	for _, e := range newest {
		said[e.Value(event.LimitsOf)] = e
	}
	var changed []event.Event
	for _, e := range inForce {
		of := e.Value(event.LimitsOf)
		if len(e.Differences(said[of])) > 0 {
			changed = append(changed, e)
		}
		delete(said, of)
	}
	for of, e := range said {
		if gone := limitsFact(of, at, event.Flag("gone", true)); len(gone.Differences(e)) > 0 {
			changed = append(changed, gone)
		}
	}
	slices.SortFunc(changed, func(a, b event.Event) int { return strings.Compare(a.ID, b.ID) })
	return changed
}

// GreatestBound returns the most that a round of the game can pay which is played step by
// step with the default config, in first wagers; false of games that aren't.
func GreatestBound(g game.Game) (money.Ratio, bool) {
	stepped, ok := g.(game.Stepped)
	if !ok {
		return money.Ratio{}, false
	}
	steps, err := game.Begin(stepped, game.Object(), 0)
	if err != nil {
		return money.Ratio{}, false
	}
	return steps.MaxMultiplier(), true
}
