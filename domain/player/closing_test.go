package player_test

import (
	"slices"
	"testing"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/test/fakes"
)

// voided is a bet that fails.
func voided(v player.View) (player.Change, error) {
	o, err := bet.NewOrder(fixedGame{game.Dice(), money.Ratio{}}, game.Value{}, 1_000)
	o.ID, o.Wallet, o.Terms, o.Bankroll, o.At = "r1", alice, terms(), money.TotalOf(1<<40), at
	if err != nil {
		return player.Change{}, err
	}
	return player.Play(v, o, spare(3), "server's", "a1")
}

// closing opens a ladder with a closing pair.
func closing(v *player.View) {
	climbing("rungs", 4)(v)
	c, err := voided(*v)
	if err == nil {
		*v, err = player.Apply(*v, c)
	}
	if err != nil {
		panic(err)
	}
}

// closingBreaches break the rules of closing pairs.
var closingBreaches = []ruleBreach{
	{"pair closing", "close", func(l *lawful) { l.c.Closing.Nonce++ }},
	{"pair closing", "close", func(l *lawful) { l.c.Closing.Nonce-- }},
	{"pair closing", "close", func(l *lawful) { l.c.Closing.ClientSeed = "other" }},
	{"pair closing", "close", func(l *lawful) { l.c.Closing.Seed = spare(3).Seed }},
	{"pair closing", "close", func(l *lawful) { l.c.Closing.NextID = "other" }},
	{"pair closing", "close", func(l *lawful) { l.c.Closing.Epoch++ }},
	{"pair closing", "loss", func(l *lawful) { l.c.Closing = &fairness.Closing{} }},
	{"pair closing", "climb", func(l *lawful) {
		pair, closing := l.view.Pair, l.view.Pair.Closing()
		l.c.Pair, l.c.Closing = &pair, &closing
	}},
	{"pair closing", "rotate", func(l *lawful) { // a rotation waits for the open rounds
		l.view.OpenRounds = map[string]bet.Open{"o1": {ID: "o1", PairID: l.view.Pair.ID}}
		closing := l.view.Pair.Closing()
		l.c.Retired, l.c.Closing = nil, &closing
	}},
	{"pair revealed", "close", func(l *lawful) { l.c.Retired = &fairness.Revealed{} }},
	{"pair of open rounds", "close", func(l *lawful) {
		revealed := l.c.Closing.Reveal()
		l.c.Closing, l.c.Retired = nil, &revealed
	}},
	{"pair of open rounds", "open renewal", func(l *lawful) {
		revealed := l.c.Closing.Reveal()
		l.c.Closing, l.c.Retired = nil, &revealed
	}},
	{"pair of open rounds", "void", func(l *lawful) { // nothing is open
		drawn := l.view.Pair.Advance()
		closing := drawn.Closing()
		l.c.Retired, l.c.Closing = nil, &closing
	}},
	{"pair chosen", "last open", func(l *lawful) {
		l.c.Pair.ClientSource = fairness.FromPlayer
		l.c.Pair.ClientSeed, l.item.Needs.ClientSeeds = "new", []string{"new"}
	}},
	{"pair ended", "close", func(l *lawful) { // it continues
		next := l.view.Pair.Advance()
		l.c.Pair, l.c.Closing = &next, nil
	}},
	{"pair ended", "last open", func(l *lawful) {
		next := l.view.Pair.Advance()
		l.c.Pair, l.c.Closing = &next, nil
	}},
	{"pair ended", "open", func(l *lawful) { // nothing requires it
		drawn := l.view.Pair.Advance()
		closing := drawn.Closing()
		_, next := drawn.Rotate(drawn.Kept("s"), spare(3), at)
		l.c.Pair, l.c.Closing = &next, &closing
	}},
	{"pair ended", "break", func(l *lawful) { l.c.Pair, l.c.Retired = nil, nil }},
	{"pair closed", "closed", func(l *lawful) { l.c.Closed = nil }},
	{"pair closed", "closed", func(l *lawful) { l.c.Closed.Rounds++ }},
	{"pair closed", "closed", func(l *lawful) { l.c.Closed.ServerSeed = "other" }},
	{"pair closed", "closed", func(l *lawful) { l.c.Closed.ID = "other" }},
	{"pair closed", "closed", func(l *lawful) { l.c.Closed.Since = at.Add(1) }},
	{"pair closed", "closed", func(l *lawful) { // another one is open
		l.view.OpenRounds["o2"] = bet.Open{ID: "o2", PairID: l.c.Closed.ID}
	}},
	{"pair closed", "cash", func(l *lawful) { l.c.Closed = &fairness.Revealed{} }},
	{"pair closed", "loss", func(l *lawful) { l.c.Closed = &fairness.Revealed{} }},
}

// TestAPairClosesWhileRoundsAreOpen: after any end of a pair the player continues at
// once, and its open rounds are played to their end before it is revealed.
func TestAPairClosesWhileRoundsAreOpen(t *testing.T) {
	t.Parallel()
	open := func(more ...func(*player.View)) func(*player.View) {
		return func(v *player.View) {
			climbing("rungs", 4)(v)
			v.Pair.ClientSource = fairness.FromPlayer
			for _, change := range more {
				change(v)
			}
		}
	}
	last := func(v *player.View) { v.Pair.Nonce = fairness.RoundsMax - 1 }
	old := func(v *player.View) { v.Pair.Since = at.Add(-fairness.AgeMax) }
	loses := func(v player.View) (player.Change, error) {
		return player.Play(v, order(t, money.Ratio{Num: 0, Den: 1}), spare(3), "server's", "a1")
	}
	another := func(v player.View) (player.Change, error) {
		c, err := opened(v, "rungs", 4)
		for i := range c.Steps {
			c.Steps[i].ID, c.Postings[0].Key.ID = "o2", "o2"
		}
		return c, err
	}
	for name, row := range map[string]struct {
		view   func(*player.View)
		decide func(player.View) (player.Change, error)
		rounds int64 // of the pair
		source fairness.ClientSource
	}{
		"a void bet":                       {open(), voided, 7, fairness.FromRepeated},
		"the 10,000th round, a bet":        {open(last), loses, fairness.RoundsMax, fairness.FromRepeated},
		"the 10,000th round, an opening":   {open(last), another, fairness.RoundsMax, fairness.FromRepeated},
		"30 days, a bet":                   {open(old), loses, 7, fairness.FromRepeated},
		"30 days, an opening":              {open(old), another, 7, fairness.FromRepeated},
		"a recovery, the player's sign-in": {open(inLaterEpoch), renewed, 6, fairness.FromServer},
	} {
		v := known()
		row.view(&v)
		before := v.Pair
		c, err := row.decide(v)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		item := seeing(v, c)
		if err := player.Check(&item, &v, &c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c.Closing == nil || c.Retired != nil || c.Closing.Nonce != row.rounds || c.Closing.NextID != before.Next.ID || c.Pair.ID == before.ID ||
			c.Pair.Nonce != 0 || c.Pair.ClientSource != row.source || (row.source == fairness.FromRepeated) != (c.Pair.ClientSeed == before.ClientSeed) {
			t.Errorf("%s: closes as %+v, %+v follows", name, c.Closing, c.Pair)
			continue
		}
		made := v.Events(&c)
		if v, err = player.Apply(v, c); err != nil {
			t.Fatal(err)
		}
		if v.Pair.ID != c.Pair.ID || len(v.Closing) != 1 {
			t.Errorf("%s: %+v are closing", name, v.Closing)
		}
		if c, err = loses(v); err != nil || c.Round.PairID != v.Pair.ID || c.Round.Nonce != 0 {
			t.Errorf("%s: then %+v is played, %v", name, c.Round, err)
		}
		c, err = player.Rotate(v, player.RotationRequest{ClientSeed: before.ClientSeed, Spare: spare(5), At: at})
		if err != nil || c.Pair.ClientSource != fairness.FromRepeated {
			t.Errorf("%s: a rotation to the client seed of a closing pair: %+v, %v", name, c.Pair, err)
		}
		revealed := plays(t, name, &v, &made)
		if len(v.Closing) != 0 || revealed.ID != before.ID || revealed.Rounds != row.rounds || revealed.Verify() != nil {
			t.Errorf("%s: revealed as %+v, closing are %+v", name, revealed, v.Closing)
		}
		leads(t, name, made, before.ID, before.Covered(alice))
	}
}

// plays ends the open rounds, abandoned or cashed out, and returns the pair that the
// last one reveals.
func plays(t *testing.T, name string, v *player.View, made *[]event.Event) (revealed fairness.Revealed) {
	t.Helper()
	ids := []string{"o2", "o1"}
	for i, id := range ids {
		if _, there := v.OpenRounds[id]; !there {
			continue
		}
		open := v.OpenRounds[id]
		r := asked(player.View{OpenRounds: map[string]bet.Open{"o1": open}}, fakes.CashOut)
		r.RoundID = id
		c, err := player.AbandonRound(*v, r, at)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		item := seeing(*v, c)
		if err := player.Check(&item, v, &c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if last := i == len(ids)-1; (c.Closed != nil) != last || c.Retired != nil || c.Pair != nil {
			t.Errorf("%s: the end of %s reveals %+v", name, id, c.Closed)
		} else if last {
			revealed = *c.Closed
		}
		*made = append(*made, v.Events(&c)...)
		if *v, err = player.Apply(*v, c); err != nil {
			t.Fatal(err)
		}
	}
	return revealed
}

// leads checks that the events of a pair lead from active over closing to retired.
func leads(t *testing.T, name string, made []event.Event, pair string, is event.Event) {
	t.Helper()
	var states []string
	for _, e := range made {
		if e.Kind != event.Pair || e.ID != pair {
			continue
		}
		if e.Was != is.Digest() {
			t.Errorf("%s: %+v doesn't follow %+v", name, e, is)
		}
		is = e
		states = append(states, e.Fields[0].Value)
	}
	if !slices.Equal(states, []string{"closing", "retired"}) {
		t.Errorf("%s: the pair's events are %v", name, states)
	}
}

// TestAClosingPairOfAnEarlierEpochIsNotPlayedOn.
func TestAClosingPairOfAnEarlierEpochIsNotPlayedOn(t *testing.T) {
	t.Parallel()
	v := known()
	closing(&v)
	v.Control = &control.State{Epoch: v.Pair.Epoch + 1, EpochAt: at}
	if _, err := stepped(v, fakes.CashOut); !fault.Is(err, fault.InvalidState) {
		t.Errorf("a step: %v", err)
	}
	c, err := player.AbandonRound(v, asked(v, game.Value{}), at.Add(-1))
	if err != nil || c.Closed == nil {
		t.Errorf("abandoned: %+v, %v", c, err)
	}
	item := seeing(v, c)
	if err := player.Check(&item, &v, &c); err != nil {
		t.Error(err)
	}
}

// TestNarrowShowsClosingPairsWithOpenRounds also checks that other items don't see them.
func TestNarrowShowsClosingPairsWithOpenRounds(t *testing.T) {
	t.Parallel()
	whole := known()
	closing(&whole)
	for name, row := range map[string]struct {
		needs player.Needs
		want  int
	}{"draw": {player.Needs{Draw: true}, 0}, "pair": {player.Needs{Pair: true}, 1}, "open rounds": {player.Needs{OpenRounds: true}, 1}} {
		var seen player.View
		player.Narrow(&seen, &whole, &row.needs)
		if len(seen.Closing) != row.want {
			t.Errorf("who asks for %s sees %d", name, len(seen.Closing))
		}
	}
}
