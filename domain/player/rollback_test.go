package player_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
)

// undoing is the transaction id of the tables' rollbacks, of the debit x9.
var undoing = seamless.Ref{Connection: "goldapi", TxnID: "u1", Provider: "PRAGMATIC", Game: "vs20"}

// accepted is the debit of 500 that began the round t0, ten minutes ago.
func accepted() seamless.Transaction {
	t := answered(seamless.Debit, seamless.Requested{Bet: "5"}, 500, 0, 9_500)
	t.ID, t.RoundID, t.At = "t0", "t0", at.Add(-10*time.Minute)
	return t
}

// won is a win of 700 that joined the round of accepted.
func won() seamless.Transaction {
	t := accepted()
	t.ID, t.TxnID, t.Reference, t.Kind, t.Bet, t.Win, t.Requested = "t2", "w1", "x9", seamless.Credit, 0, 700, seamless.Requested{Win: "7"}
	return t
}

// rolling is a view with the round of accepted after a win of 700.
func rolling(more ...func(*player.View)) func(*player.View) {
	return launched(append([]func(*player.View){func(v *player.View) {
		round := seamless.Begin(accepted())
		round.Payout, round.Credits = 700, 1
		v.Seamless = map[seamless.Ref]seamless.RoundMatch{spin: {Exact: round}}
	}}, more...)...)
}

func rollback(undone seamless.Transaction, more ...func(*player.ProviderRollback)) func(player.View) (player.Change, error) {
	r := player.ProviderRollback{
		ID: "t1", Ref: undoing, GameType: "slot", Reference: "x9", Undone: undone,
		Caps: player.ProviderCaps{NetWin: 1_000, WithoutDebit: 1_000, Connection: 1_000}, At: at,
	}
	if undone.ID != "" {
		r.Reference = undone.TxnID
	}
	for _, change := range more {
		change(&r)
	}
	return func(v player.View) (player.Change, error) { return player.RollBack(v, r) }
}

// undid is the change of a rollback that moved money in the round of accepted.
func undid(reference string, bet, win, balance money.Amount, net int64) func(player.View) player.Change {
	return func(v player.View) player.Change {
		t := seamless.Transaction{
			ID: "t1", Ref: undoing, Kind: seamless.Rollback, GameType: "slot", Reference: reference, Wallet: alice, Agent: "north", Token: money.SOL,
			Scale: 2, Bet: bet, Win: win, Status: seamless.Taken, RoundID: "t0", Balance: balance, At: at,
		}
		change := player.Change{Seamless: &t, Balance: balance}
		if round, ok := v.Seamless[spin].Exact.With(t); ok {
			change.ProviderRound = &round
		}
		l := launch(net, 30)
		meters := v.Player.Protection
		switch {
		case win > 0:
			meters, _ = meters.RemoveBet(money.SOL, win, accepted().At, at)
			change.Postings = one(ledger.ProviderRollback, "goldapi", reference, ledger.ProviderOf("goldapi"), ledger.PlayerOf(alice), win)
		case bet > 0:
			meters.Limits = slices.Clone(meters.Limits)
			meters.Limits[1].Used += int64(bet) // the limit of losses
			change.Postings = one(ledger.ProviderRollback, "goldapi", reference, ledger.PlayerOf(alice), ledger.ProviderOf("goldapi"), bet)
		default:
			return change
		}
		change.Launch, change.Player = &l, metered(v, meters, true)
		return change
	}
}

// unmoved is the change of a rollback that moved nothing and concerns no round.
func unmoved(reference string) func(player.View) player.Change {
	return func(v player.View) player.Change {
		change := undid(reference, 0, 0, 10_000, 0)(v)
		change.Seamless.RoundID, change.ProviderRound = "", nil
		return change
	}
}

func TestRollbacks(t *testing.T) {
	t.Parallel()
	refused := accepted()
	refused.Status, refused.Reason, refused.Bet, refused.RoundID = seamless.Refused, seamless.InsufficientFunds, 0, ""
	waiting := won()
	waiting.Status, waiting.Reason = seamless.Review, seamless.OverNetCap
	settled := func(status seamless.Status) func(*player.ProviderRollback) {
		return func(r *player.ProviderRollback) {
			r.Settled = waiting
			r.Settled.ID, r.Settled.Kind, r.Settled.Status = "s1", seamless.Settlement, status
		}
	}
	whole := accepted()
	whole.Kind, whole.Win = seamless.DebitCredit, 700
	poor := func(has money.Amount) func(*player.View) {
		return func(v *player.View) { v.Balances[money.SOL] = has }
	}
	capped := func(net, all money.Amount) func(*player.ProviderRollback) {
		return func(r *player.ProviderRollback) { r.Caps.NetWin, r.Caps.Connection = net, all }
	}
	reviewed := func(reason seamless.Reason) func(player.View) player.Change {
		return func(v player.View) player.Change {
			change := undid("x9", 0, 0, 10_000, 40)(v)
			l := launch(40, 30)
			change.Launch, change.Seamless.Win, change.Seamless.Status, change.Seamless.Reason = &l, 500, seamless.Review, reason
			return change
		}
	}
	other := func(change func(*seamless.Transaction)) seamless.Transaction {
		t := accepted()
		change(&t)
		return t
	}
	run(t, []decided{
		{name: "of a bet", view: rolling(), decide: rollback(accepted()), want: undid("x9", 0, 500, 10_500, 540)},
		{name: "of a bet of an excluded player", view: rolling(func(v *player.View) { v.Player.Protection.Excluded = true }), decide: rollback(accepted()),
			want: undid("x9", 0, 500, 10_500, 540)},
		{name: "of a bet of an earlier day", view: rolling(func(v *player.View) {
			for i := range v.Player.Protection.Limits {
				v.Player.Protection.Limits[i].Since, v.Player.Protection.Limits[i].Used = at.Add(-time.Minute), 90
			}
		}), decide: rollback(accepted()), want: undid("x9", 0, 500, 10_500, 540)},
		{name: "of a win", view: rolling(), decide: rollback(won()), want: undid("w1", 700, 0, 9_300, -660)},
		{name: "of a win that takes the whole balance", view: rolling(poor(700)), decide: rollback(won()), want: undid("w1", 700, 0, 0, -660)},
		{name: "of a win that was spent", view: rolling(poor(699)), decide: rollback(won()), refused: fault.InsufficientFunds},
		{name: "of a whole round", view: rolling(poor(200)), decide: rollback(whole), want: func(v player.View) player.Change {
			change := undid("x9", 700, 500, 0, -160)(v)
			change.Postings[0].Transfers = append(change.Postings[0].Transfers,
				ledger.Transfer{Debit: ledger.PlayerOf(alice), Credit: ledger.ProviderOf("goldapi"), Token: money.SOL, Amount: 700})
			change.Player.Protection.Limits[1].Used += 700
			return change
		}},
		{name: "of a whole round that was spent", view: rolling(poor(199)), decide: rollback(whole), refused: fault.InsufficientFunds},
		{name: "of an unknown transaction", view: launched(), decide: rollback(seamless.Transaction{}), want: unmoved("x9")},
		{name: "of a refused bet", view: rolling(), decide: rollback(refused), want: unmoved("x9")},
		{name: "of a win in review", view: rolling(), decide: rollback(waiting), want: undid("w1", 0, 0, 10_000, 0)},
		{name: "of a win that an admin paid", view: rolling(), decide: rollback(waiting, settled(seamless.Taken)), want: undid("w1", 700, 0, 9_300, -660)},
		{name: "of a win that an admin refused", view: rolling(), decide: rollback(waiting, settled(seamless.Refused)), want: undid("w1", 0, 0, 10_000, 0)},
		{name: "up to the cap of an hour", view: rolling(), decide: rollback(accepted(), capped(540, 500)), want: undid("x9", 0, 500, 10_500, 540)},
		{name: "beyond it", view: rolling(), decide: rollback(accepted(), capped(539, 500)), want: reviewed(seamless.OverNetCap)},
		{name: "beyond the connection's", view: rolling(), decide: rollback(accepted(), capped(540, 499)), want: reviewed(seamless.OverConnectionCap)},
		{name: "of another player's bet", view: rolling(), decide: rollback(other(func(t *seamless.Transaction) { t.Wallet = "bob" })), refused: fault.Forbidden},
		{name: "of another connection's bet", view: rolling(), decide: rollback(other(func(t *seamless.Transaction) { t.Connection = "x" })), refused: fault.Forbidden},
		{name: "of another transaction", view: rolling(), decide: rollback(accepted(), func(r *player.ProviderRollback) { r.Reference = "x8" }), refused: fault.Forbidden},
		{name: "of a rollback", view: rolling(), decide: rollback(other(func(t *seamless.Transaction) { t.Kind = seamless.Rollback })), refused: fault.Forbidden},
		{name: "of a settlement", view: rolling(), decide: rollback(other(func(t *seamless.Transaction) { t.Kind = seamless.Settlement })), refused: fault.Forbidden},
		{name: "by a user who never launched there", decide: rollback(accepted()), refused: fault.InvalidUser},
	})
}

// A bet that an agent's site took goes back to the agent's account and to the site; a win
// that the site was sent stays.
func TestRollbacksOfForwardedBets(t *testing.T) {
	t.Parallel()
	at := func(undone seamless.Transaction) func(player.View) (player.Change, error) {
		undone.Site, undone.Balance = "https://north.example/", 0
		return rollback(undone)
	}
	view := rolling(prepaid(500, 0), func(v *player.View) {
		round := v.Seamless[spin].Exact
		round.Site = "https://north.example/"
		v.Seamless[spin] = seamless.RoundMatch{Exact: round}
	})
	run(t, []decided{
		{name: "a bet", view: view, decide: at(accepted()), want: func(v player.View) player.Change {
			change := undid("x9", 0, 500, 0, 540)(v)
			change.Seamless.Site = "https://north.example/"
			change.Postings = one(ledger.ProviderRollback, "goldapi", "x9", ledger.ProviderOf("goldapi"), ledger.AgentOf("north"), 500)
			change.ProviderRound.Balance = v.Seamless[spin].Exact.Balance
			change.Deliveries = []seamless.Delivery{seamless.NewDelivery(*change.Seamless, "t1", seamless.Credit, 500)}
			return change
		}},
		{name: "a win", view: view, decide: at(won()), refused: fault.Forbidden},
	})
}

// The keys serialize a rollback with its transaction, with other rollbacks of it, and with
// an admin's decision on its win.
func TestKeysOfRollbacks(t *testing.T) {
	t.Parallel()
	own := player.ProviderKeys("goldapi", "u1", seamless.DebitCredit)
	key := func(kind player.KeyKind, id string) player.UniqueKey {
		return player.UniqueKey{Kind: kind, Scope: "goldapi", ID: id}
	}
	waiting := won()
	waiting.Status = seamless.Review
	for name, row := range map[string]struct {
		r    player.ProviderRollback
		want []player.UniqueKey
	}{
		"of an unknown transaction": {player.ProviderRollback{Reference: "x9"}, player.ProviderKeys("goldapi", "x9", seamless.DebitCredit)},
		"of a bet":                  {player.ProviderRollback{Reference: "x9", Undone: accepted()}, []player.UniqueKey{key(player.ProviderRollbackKey, "x9")}},
		"of a win in review": {player.ProviderRollback{Reference: "w1", Undone: waiting},
			[]player.UniqueKey{key(player.ProviderRollbackKey, "w1"), key(player.ProviderReviewKey, "w1")}},
		"of a win that was decided": {player.ProviderRollback{Reference: "w1", Undone: waiting, Settled: won()}, []player.UniqueKey{key(player.ProviderRollbackKey, "w1")}},
	} {
		row.r.Ref = undoing
		if got, want := row.r.Keys(), slices.Concat(own, row.want); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// A rollback asks for what its transaction turns out to need.
func TestWhatARollbackNeeds(t *testing.T) {
	t.Parallel()
	bet := accepted()
	bet.Site = "https://north.example/"
	want := player.Needs{
		Tokens: []money.Token{money.SOL}, Launches: []string{"goldapi"}, Seamless: []seamless.Ref{spin},
		Hours: []seamless.HourRef{{Connection: "goldapi", Token: money.SOL}}, Funds: []agent.FundsRef{north},
	}
	if got := (player.ProviderRollback{Ref: undoing, Reference: "x9", Undone: bet}).Needs("usd"); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	v := known()
	launched()(&v)
	v.Asked, v.Hours = &player.Needs{Tokens: []money.Token{"usd"}}, nil
	for _, more := range []struct {
		undone seamless.Transaction
		want   player.Needs
		seen   func()
	}{
		{accepted(), player.Needs{Hours: want.Hours}, func() { launched()(&v) }},
		{accepted(), player.Needs{Tokens: want.Tokens}, func() {}},
		{bet, player.Needs{Funds: want.Funds}, func() {}},
	} {
		_, err := rollback(more.undone)(v)
		if got, ok := player.MissingNeeds(err); !ok || !reflect.DeepEqual(got, more.want) {
			t.Errorf("%+v, %v, want %+v", got, err, more.want)
		}
		more.seen()
	}
}

// A win with a reference joins only the round that it names, and only while its bet stands.
func TestWinsWithAReference(t *testing.T) {
	t.Parallel()
	named := func(c *player.ProviderCallback) { c.TxnID, c.Reference = "w1", "x9" }
	standing := func(change func(*seamless.RoundMatch)) func(*player.View) {
		return launched(func(v *player.View) {
			match := seamless.RoundMatch{Exact: seamless.Begin(accepted())}
			change(&match)
			v.Seamless = map[seamless.Ref]seamless.RoundMatch{spin: match}
		})
	}
	run(t, []decided{
		{name: "of a bet that stands", view: standing(func(*seamless.RoundMatch) {}), decide: callback(seamless.Credit, "", "7", named),
			want: func(v player.View) player.Change {
				win := won()
				win.ID, win.At, win.Balance = "t1", at, 10_700
				change := taken(v, win, launch(740, 30))
				round, _ := v.Seamless[spin].Exact.With(win)
				change.ProviderRound = &round
				return change
			}},
		{name: "of a bet that was rolled back", view: standing(func(m *seamless.RoundMatch) { m.Exact.RolledBack = true }),
			decide: callback(seamless.Credit, "", "7", named), refused: fault.NotFound},
		{name: "of no bet, though one of the game stands", view: standing(func(m *seamless.RoundMatch) { m.Latest, m.Exact = m.Exact, seamless.Round{} }),
			decide: callback(seamless.Credit, "", "7", named), refused: fault.NotFound},
	})
}
