package player_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
)

func spare(n byte) fairness.Spare {
	return fairness.Spare{ID: string(rune('a' + n)), Seed: fairness.NewServerSeed([32]byte{n})}
}

func TestSigningIn(t *testing.T) {
	t.Parallel()
	login := player.Login{Wallet: alice, Timestamp: 77, KeepUntil: at.Add(time.Hour)}
	signIn := func(v player.View) (player.Change, error) {
		return player.SignIn(v, player.SignInRequest{
			Wallet: alice, Agent: "south", Login: login, First: spare(1), Next: spare(2), ClientSeed: "server's", AuditID: "a1",
			SessionAuditID: "a2", RequestID: "q1", At: at,
		})
	}
	session := audit.Record{ID: "a2", Action: audit.SessionOpened, By: alice, Target: "alice", At: at, RequestID: "q1"}
	first := func(postings ...ledger.Posting) func(player.View) player.Change {
		return func(player.View) player.Change {
			pair := fairness.NewPair(spare(1), spare(2), "server's", at)
			return player.Change{
				Login: &login, Player: &player.Player{Wallet: alice, Agent: "south", CreatedAt: at}, Pair: &pair, Postings: postings,
				Audit: []audit.Record{
					{ID: "a1", Action: audit.PlayerFirstSignedIn, By: alice, Target: "alice", After: "south", At: at, RequestID: "q1"}, session,
				},
			}
		}
	}
	paid := ledger.Posting{Key: ledger.Key{Kind: ledger.Claimed, ID: "alice"}}
	for _, token := range []money.Token{"aaa", "bbb", "ccc", "ddd", "eee"} {
		paid.Transfers = append(paid.Transfers, ledger.Transfer{
			Debit: ledger.UnclaimedOf(alice), Credit: ledger.PlayerOf(alice), Token: token, Amount: 1,
		})
	}
	run(t, []decided{
		{name: "again", decide: signIn, want: func(player.View) player.Change {
			return player.Change{Login: &login, Audit: []audit.Record{session}}
		}},
		{name: "for the first time", view: stranger, decide: signIn, want: first()},
		{name: "with nothing left unclaimed", view: func(v *player.View) { stranger(v); v.Unclaimed = map[money.Token]money.Amount{"aaa": 0} },
			decide: signIn, want: first()},
		{name: "what arrived before is paid, in the order of tokens", view: func(v *player.View) {
			stranger(v)
			v.Unclaimed = map[money.Token]money.Amount{"eee": 1, "bbb": 1, "000": 0, "ddd": 1, "aaa": 1, "ccc": 1}
		}, decide: signIn, want: first(paid)},
	})
}

func TestSessionsAreEnded(t *testing.T) {
	t.Parallel()
	end := func(v player.View) (player.Change, error) { return player.EndSessions(v, "a1", "q1", at) }
	from := func(moment time.Time) func(player.View) player.Change {
		return func(v player.View) player.Change {
			row := v.Player
			row.SessionsFrom = moment
			return player.Change{Player: &row, Audit: []audit.Record{{
				ID: "a1", Action: audit.SessionsEnded, By: alice, Target: "alice", At: at, RequestID: "q1",
			}}}
		}
	}
	run(t, []decided{
		{name: "for the first time", decide: end, want: from(at)},
		{name: "by a clock that stepped back", view: func(v *player.View) { v.Player.SessionsFrom = at.Add(time.Second) }, decide: end,
			want: from(at.Add(time.Second))},
	})
	ended := known().Player
	ended.SessionsFrom = at
	for name, row := range map[string]struct {
		player player.Player
		issued time.Time
		want   bool
	}{
		"at the moment":       {ended, at, true},
		"before it":           {ended, at.Add(-time.Nanosecond), false},
		"of an unknown":       {player.Player{Wallet: alice}, at, false},
		"where none is ended": {known().Player, time.Unix(1, 0), true},
	} {
		if err := row.player.Admits(row.issued); (err == nil) != row.want || err != nil && !fault.Is(err, fault.InvalidToken) {
			t.Errorf("a session issued %s: %v", name, err)
		}
	}
}

// fixed is a plan that always returns the same multiplier, or fails. fixedGame is a game
// with such plans.
type fixedGame struct {
	game.Game
	multiplier money.Ratio
}

func (fixedGame) Rules() string { return "1" }

func (f fixedGame) Plan(config game.Value, wager money.Amount) (game.Plan, error) {
	plan, err := f.Game.Plan(config, wager)
	return fixed{plan, f.multiplier}, err
}

type fixed struct {
	game.Plan
	multiplier money.Ratio
}

func (f fixed) Play(game.Draws) game.Result {
	if f.multiplier.Den == 0 {
		panic("table lost")
	}
	return game.Result{Outcome: game.Int(7), Multiplier: f.multiplier}
}

func (f fixed) MaxMultiplier() money.Ratio { return money.Ratio{Num: 4, Den: 1} }

// order is a bet of 1,000 with a fixed outcome; a win of more than 3,000 is large.
func order(t *testing.T, multiplier money.Ratio) bet.Order {
	t.Helper()
	o, err := bet.NewOrder(fixedGame{game.Dice(), multiplier}, game.Value{}, 1_000)
	if err != nil {
		t.Fatal(err)
	}
	o.ID, o.Wallet, o.Terms, o.Bankroll, o.At = "r1", alice, terms(), money.TotalOf(1<<40), at
	o.Terms.LargeWin = 3_000
	return o
}

func TestRoundsAreSettled(t *testing.T) {
	t.Parallel()
	paired := func(v *player.View) {
		v.Pair = fairness.NewPair(spare(1), spare(2), "mine", at)
		v.Pair.Nonce = 5
	}
	times := func(n uint64) money.Ratio { return money.Ratio{Num: n, Den: 1} }
	play := func(multiplier money.Ratio, more ...func(*bet.Order)) func(player.View) (player.Change, error) {
		o := order(t, multiplier)
		for _, change := range more {
			change(&o)
		}
		return func(v player.View) (player.Change, error) { return player.Play(v, o, spare(3), "server's", "a1") }
	}
	settled := func(multiplier money.Ratio, more ...func(*player.Change)) func(player.View) player.Change {
		return func(v player.View) player.Change {
			o := order(t, multiplier)
			o.Agent = "north"
			round, _ := bet.Decide(o, v.Pair, 10_000)
			pair := v.Pair.Advance()
			moved, ok := v.Player.Protection.AddBet(money.SOL, 1_000, round.Payout, at)
			change := player.Change{
				Round: &round, Pair: &pair, Postings: []ledger.Posting{round.Posting()}, Balance: round.Balance, Player: metered(v, moved, ok),
			}
			for _, edit := range more {
				edit(&change)
			}
			return change
		}
	}
	large := func(amount string) func(*player.Change) {
		return func(c *player.Change) {
			c.Audit = []audit.Record{{ID: "a1", Action: audit.LargeWin, By: alice, Target: "r1", After: amount + " " + sol, At: at}}
		}
	}
	void := func(c *player.Change) {
		revealed, next := c.Pair.Rotate(c.Pair.Kept("server's"), spare(3), at)
		c.Pair, c.Retired, c.Player = &next, &revealed, nil
		c.Audit = []audit.Record{{ID: "a1", Action: audit.RoundVoided, Target: "r1", At: at}}
	}
	// ended is the addition by a round that ends its pair: the player's client seed is
	// kept.
	ended := func(source fairness.ClientSource, text string) func(c *player.Change) {
		return func(c *player.Change) {
			revealed, next := c.Pair.Rotate(fairness.ClientSeed{Text: text, Source: source}, spare(3), at)
			c.Pair, c.Retired = &next, &revealed
		}
	}
	ending := func(by func(*player.View)) func(*player.View) { return func(v *player.View) { paired(v); by(v) } }
	loss := money.Ratio{Num: 0, Den: 1}
	run(t, []decided{
		{name: "the last one of a pair", view: ending(func(v *player.View) { v.Pair.Nonce = 9_999 }), decide: play(loss),
			want: settled(loss, ended(fairness.FromServer, "server's"))},
		{name: "the last but one", view: ending(func(v *player.View) { v.Pair.Nonce = 9_998 }), decide: play(loss), want: settled(loss)},
		{name: "of a pair of 30 days", view: ending(func(v *player.View) {
			v.Pair.Since, v.Pair.ClientSource = at.Add(-30*24*time.Hour), fairness.FromPlayer
		}),
			decide: play(loss), want: settled(loss, ended(fairness.FromRepeated, "mine"))},
		{name: "of a pair of less", view: ending(func(v *player.View) { v.Pair.Since = at.Add(1 - 30*24*time.Hour) }), decide: play(loss), want: settled(loss)},
		{name: "the last one, when the player's client seed was repeated already",
			view:   ending(func(v *player.View) { v.Pair.Nonce, v.Pair.ClientSource = 9_999, fairness.FromRepeated }),
			decide: play(loss), want: settled(loss, ended(fairness.FromRepeated, "mine"))},
		{name: "a void round of the player's client seed", view: ending(func(v *player.View) { v.Pair.ClientSource = fairness.FromPlayer }),
			decide: play(money.Ratio{}), want: settled(money.Ratio{}, func(c *player.Change) {
				ended(fairness.FromRepeated, "mine")(c)
				c.Player = nil
				c.Audit = []audit.Record{{ID: "a1", Action: audit.RoundVoided, Target: "r1", At: at}}
			})},
		{name: "the last one that doesn't see the next seed", view: ending(func(v *player.View) { v.Pair.Nonce, v.Pair.Next = 9_999, fairness.NextSeed{} }),
			decide: play(loss), refused: fault.InvalidState},
		{name: "after the last one", view: ending(func(v *player.View) { v.Pair.Nonce = 10_000 }), decide: play(loss), refused: fault.InvalidState},
		{name: "a loss", view: paired, decide: play(money.Ratio{Num: 0, Den: 1}), want: settled(money.Ratio{Num: 0, Den: 1})},
		{name: "a win", view: paired, decide: play(times(3)), want: settled(times(3))},
		{name: "a large win", view: paired, decide: play(times(4)), want: settled(times(4), large("4000"))},
		{name: "a win where none is large", view: paired, decide: play(times(4), func(o *bet.Order) { o.Terms.LargeWin = 0 }), want: settled(times(4))},
		{name: "a win where all are large", view: paired, decide: play(times(2), func(o *bet.Order) { o.Terms.LargeWin = 1 }),
			want: settled(times(2), large("2000"))},
		{name: "a void round", view: paired, decide: play(money.Ratio{}), want: settled(money.Ratio{}, void)},
		{name: "a void round that doesn't see the next seed", view: func(v *player.View) { paired(v); v.Pair.Next = fairness.NextSeed{} },
			decide: play(money.Ratio{}), refused: fault.InvalidState},
		{name: "of a frozen player", view: func(v *player.View) { paired(v); v.Player.Protection.Frozen = true }, decide: play(times(1)), refused: fault.PlayerFrozen},
		{name: "beyond a limit", view: func(v *player.View) { paired(v); v.Player.Protection.Limits[1].Amount = 999 }, decide: play(times(1)),
			refused: fault.LimitExceeded},
		{name: "beyond the balance", view: func(v *player.View) { paired(v); v.Balances[money.SOL] = 999 }, decide: play(times(1)), refused: fault.InsufficientFunds},
	})
	blind := known()
	paired(&blind)
	blind.Pair.Next = fairness.NextSeed{}
	if _, err := play(money.Ratio{})(blind); !asksForPair(err) {
		t.Errorf("a void round of half a pair: %v", err)
	}
	if asksForPair(nil) || asksForPair(fault.New(fault.InvalidState, "no")) {
		t.Error("any refusal asks for the whole pair")
	}
}

func TestResponseOfAReplay(t *testing.T) {
	t.Parallel()
	made := answered(seamless.Debit, seamless.Requested{Bet: "5"}, 500, 0, 9_500)
	made.Site = "https://north.example/"
	asking := seamless.NewDelivery(made, "o1", seamless.Debit, 500)
	draft := asking.Draft()
	paid := asking
	paid.Status = seamless.Paid
	for name, row := range map[string]struct {
		change player.Change
		want   *seamless.Transaction
	}{
		"nothing":                     {player.Change{}, nil},
		"a transaction":               {player.Change{Seamless: &made, Deliveries: []seamless.Delivery{asking}}, &made},
		"what is asked for":           {player.Change{Deliveries: []seamless.Delivery{asking}}, &draft},
		"a leg that goes on":          {player.Change{Deliveries: []seamless.Delivery{paid}}, nil},
		"more than what is asked for": {player.Change{Deliveries: []seamless.Delivery{asking, asking}}, nil},
	} {
		got := row.change.Response()
		if !reflect.DeepEqual(got, row.want) {
			t.Errorf("%s: %+v", name, got)
		}
		if got != nil && got == row.change.Seamless {
			t.Errorf("%s: the change itself is handed out", name)
		}
	}
}

// TestTheNextSeedIsKept: a round that needed only Draw advances the pair and must keep
// its committed next seed; another pair brings its own.
func TestTheNextSeedIsKept(t *testing.T) {
	t.Parallel()
	v := known()
	v.Pair = fairness.NewPair(spare(1), spare(2), "mine", at)
	whole := v.Pair.Advance()
	half := whole
	half.Next = fairness.NextSeed{}
	other := fairness.NewPair(spare(3), spare(4), "mine", at)
	bare := other
	bare.Next = fairness.NextSeed{}
	for name, row := range map[string]struct{ pair, want fairness.Pair }{
		"half of the same": {half, whole}, "the whole": {whole, whole}, "another": {other, other}, "half of another": {bare, bare},
	} {
		after, err := player.Apply(v, player.Change{Pair: &row.pair})
		if err != nil || !after.Pair.Equal(row.want) {
			t.Errorf("%s: %+v, %v", name, after.Pair, err)
		}
	}
	replaced := v.Pair
	replaced.Next = spare(5).Commit()
	if after, err := player.Apply(v, player.Change{Pair: &replaced}); err != nil || !after.Pair.Equal(replaced) {
		t.Errorf("a new seed that follows: %+v, %v", after.Pair, err)
	}
	v.AgentBlocked = true
	if after, err := player.Apply(v, player.Change{Player: &v.Player}); err != nil || !after.AgentBlocked {
		t.Errorf("a blocked agent's player isn't blocked any more: %v", err)
	}
}

func asksForPair(err error) bool {
	more, missing := player.MissingNeeds(err)
	return missing && more.Pair
}
