package bet_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/token"
)

var at = time.UnixMilli(1_795_262_400_000)

func ids(all []event.Event) (names []string) {
	for _, e := range all {
		names = append(names, e.Value(event.LimitsOf))
	}
	return names
}

// TestOnlyChangesOfLimitsAreSaid begins with nothing, and changes limits.
func TestOnlyChangesOfLimitsAreSaid(t *testing.T) {
	t.Parallel()
	games, err := game.NewRegistry(game.House()...)
	if err != nil {
		t.Fatal(err)
	}
	terms, pace := token.DefaultSOLTerms(), map[string]time.Duration{"dice": 2500 * time.Millisecond}
	limits := func(tokens ...token.Terms) []event.Event {
		return bet.Limits(tokens, games.Games(), func(gameType string) time.Duration { return pace[gameType] }, at)
	}
	first := limits(terms)
	if n := len(first); n != len(games.Games())+2 || len(bet.ChangedLimits(nil, first)) != n {
		t.Fatalf("%d of %d games: %v", n, len(games.Games()), ids(first))
	}
	values := map[string]string{}
	for _, e := range first {
		if e.Kind != event.Limits || e.Was != "" || e.Wallet != "" || e.ID != e.Value(event.LimitsOf)+"/1795262400000000" {
			t.Errorf("%+v", e)
		}
		for _, f := range e.Fields {
			values[e.Value(event.LimitsOf)+" "+f.Name] = f.Value
		}
	}
	for name, want := range map[string]string{
		"token/" + string(terms.Mint) + " maxPayout": "20000000000", "token/" + string(terms.Mint) + " shareDen": "100", "game/dice paceMs": "2500",
		"game/dice rules": "dice/1", "rounds openMax": "4",
	} {
		if values[name] != want {
			t.Errorf("%s: %q, want %q", name, values[name], want)
		}
	}
	if changed := bet.ChangedLimits(first, limits(terms)); len(changed) != 0 {
		t.Errorf("nothing changed, and %v is said", ids(changed))
	}
	terms.MaxPayout--
	pace["dice"] = 0
	if changed := ids(bet.ChangedLimits(first, limits(terms))); len(changed) != 2 || changed[0] != "token/"+string(terms.Mint) || changed[1] != "game/dice" {
		t.Errorf("%v", changed)
	}
}
