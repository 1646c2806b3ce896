package player_test

import (
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

// spin is the provider's transaction in the tables.
var spin = seamless.Ref{Connection: "goldapi", TxnID: "x9", Provider: "PRAGMATIC", Game: "vs20"}

// hour is the clock hour of at, as launches count it.
var hour = at.Unix() / 3600

// launched is a player who launched a game a day ago and won 40 net this hour, 30 of it
// without a debit. The provider's money has two decimals more than a lamport.
func launched(more ...func(*player.View)) func(*player.View) {
	return func(v *player.View) {
		v.Launches = map[string]seamless.Launch{"goldapi": launch(40, 30)}
		v.Hours = map[seamless.HourRef]seamless.Hour{{Connection: "goldapi", Token: money.SOL}: {Number: hour}}
		for _, change := range more {
			change(v)
		}
	}
}

func launch(net int64, withoutDebit money.Amount) seamless.Launch {
	return seamless.Launch{
		Wallet: alice, Connection: "goldapi", Token: money.SOL, Scale: 2, FirstAt: at.Add(-24 * time.Hour), At: at.Add(-time.Hour),
		Hour: hour, Net: net, WithoutDebit: withoutDebit,
	}
}

// callback requests a bet or a win, within caps of 1,000 an hour.
func callback(kind seamless.Kind, bet, win seamless.Decimal, more ...func(*player.ProviderCallback)) func(player.View) (player.Change, error) {
	c := player.ProviderCallback{
		ID: "t1", Ref: spin, Kind: kind, GameType: "slot", Requested: seamless.Requested{Bet: bet, Win: win}, Tokens: token.NewBook(terms()),
		Caps: player.ProviderCaps{NetWin: 1_000, WithoutDebit: 1_000, Connection: 1_000}, At: at,
	}
	for _, change := range more {
		change(&c)
	}
	return func(v player.View) (player.Change, error) { return player.Transact(v, c) }
}

// answered is the transaction as stored after it was taken.
func answered(kind seamless.Kind, asked seamless.Requested, bet, win, balance money.Amount) seamless.Transaction {
	return seamless.Transaction{
		ID: "t1", Ref: spin, Kind: kind, GameType: "slot", Wallet: alice, Agent: "north", Token: money.SOL, Scale: 2, Requested: asked,
		Bet: bet, Win: win, Status: seamless.Taken, RoundID: "t1", Balance: balance, At: at,
	}
}

// taken is the change of a transaction that moved money and begins a round.
func taken(v player.View, t seamless.Transaction, l seamless.Launch) player.Change {
	begun := t
	begun.RoundID = ""
	round := seamless.Begin(begun)
	moved, ok := v.Player.Protection.AddBet(money.SOL, t.Bet, t.Paid(), at)
	return player.Change{
		Seamless: &t, ProviderRound: &round, Launch: &l, Balance: t.Balance, Postings: t.Postings(), Player: metered(v, moved, ok),
	}
}

// refusedFor is the change of a refused bet.
func refusedFor(t seamless.Transaction, reason seamless.Reason) player.Change {
	t.Status, t.Reason, t.RoundID, t.Bet, t.Win, t.Balance = seamless.Refused, reason, "", 0, 0, 10_000
	return player.Change{Seamless: &t, Balance: 10_000}
}

func TestLaunches(t *testing.T) {
	t.Parallel()
	launches := func(mint money.Token, scale seamless.Scale) func(player.View) (player.Change, error) {
		return func(v player.View) (player.Change, error) {
			return player.Launch(v, player.ProviderLaunch{Connection: "goldapi", Token: mint, Scale: scale, At: at})
		}
	}
	becomes := func(l seamless.Launch, mint money.Token, scale seamless.Scale, balance money.Amount) func(player.View) player.Change {
		l.Token, l.Scale, l.At = mint, scale, at
		return func(player.View) player.Change { return player.Change{Launch: &l, Balance: balance} }
	}
	other := launch(0, 0)
	other.Hour = 0
	run(t, []decided{
		{name: "the first", decide: launches(money.SOL, 2), want: becomes(seamless.Launch{Wallet: alice, Connection: "goldapi", FirstAt: at}, money.SOL, 2, 10_000)},
		{name: "in the same money", view: launched(), decide: launches(money.SOL, 2), want: becomes(launch(40, 30), money.SOL, 2, 10_000)},
		{name: "in another scale", view: launched(), decide: launches(money.SOL, 3), want: becomes(other, money.SOL, 3, 10_000)},
		{name: "in another token", view: launched(), decide: launches("usd", 2), want: becomes(other, "usd", 2, 0)},
		{name: "of a wallet that never signed in", view: stranger, decide: launches(money.SOL, 2), refused: fault.InvalidUser},
	})
}

func TestBetsOfProviders(t *testing.T) {
	t.Parallel()
	five := seamless.Requested{Bet: "5"}
	debit := answered(seamless.Debit, five, 500, 0, 9_500)
	refused := func(asked seamless.Requested, reason seamless.Reason) func(player.View) player.Change {
		return func(player.View) player.Change { return refusedFor(answered(seamless.Debit, asked, 0, 0, 0), reason) }
	}
	barred := func(c *player.ProviderCallback) { c.Barred = seamless.InvalidGame }
	run(t, []decided{
		{name: "a bet", view: launched(), decide: callback(seamless.Debit, "5", ""),
			want: func(v player.View) player.Change { return taken(v, debit, launch(-460, 30)) }},
		{name: "the whole balance", view: launched(), decide: callback(seamless.Debit, "100", ""), want: func(v player.View) player.Change {
			return taken(v, answered(seamless.Debit, seamless.Requested{Bet: "100"}, 10_000, 0, 0), launch(-9_960, 30))
		}},
		{name: "a whole round", view: launched(), decide: callback(seamless.DebitCredit, "5", "7.123"), want: func(v player.View) player.Change {
			both := answered(seamless.DebitCredit, seamless.Requested{Bet: "5", Win: "7.123"}, 500, 712, 10_212)
			both.Residue = "0.3"
			return taken(v, both, launch(252, 30))
		}},
		{name: "a player without limits", view: launched(func(v *player.View) { v.Player.Protection.Limits = nil }), decide: callback(seamless.Debit, "5", ""),
			want: func(player.View) player.Change {
				change := taken(known(), debit, launch(-460, 30))
				change.Player = nil
				return change
			}},
		{name: "in another hour", view: launched(func(v *player.View) {
			old := launch(40, 30)
			old.Hour--
			v.Launches["goldapi"] = old
		}), decide: callback(seamless.Debit, "5", ""), want: func(v player.View) player.Change { return taken(v, debit, launch(-500, 0)) }},
		{name: "when the hour is lost beyond counting", view: launched(func(v *player.View) { v.Launches["goldapi"] = launch(math.MinInt64+499, 0) }),
			decide: callback(seamless.Debit, "5", ""), want: func(v player.View) player.Change { return taken(v, debit, launch(math.MinInt64, 0)) }},
		{name: "more than the balance", view: launched(), decide: callback(seamless.Debit, "100.01", ""),
			want: refused(seamless.Requested{Bet: "100.01"}, seamless.InsufficientFunds)},
		{name: "more than any money", view: launched(func(v *player.View) { v.Player.Protection.Limits = nil }), decide: callback(seamless.Debit, "99999999999999999999", ""),
			want: refused(seamless.Requested{Bet: "99999999999999999999"}, seamless.InsufficientFunds)},
		{name: "finer than the scale", view: launched(), decide: callback(seamless.Debit, "5.001", "", barred),
			want: refused(seamless.Requested{Bet: "5.001"}, seamless.InvalidAmount)},
		{name: "of a game that isn't offered", view: launched(), decide: callback(seamless.Debit, "5", "", barred), want: refused(five, seamless.InvalidGame)},
		{name: "in a token that is closing", view: launched(), decide: callback(seamless.Debit, "5", "", func(c *player.ProviderCallback) {
			closing := terms()
			closing.Closing = true
			c.Tokens = token.NewBook(closing)
		}), want: refused(five, seamless.TokenNotAccepted)},
		{name: "of a frozen player", view: launched(func(v *player.View) { v.Player.Protection.Frozen = true }), decide: callback(seamless.Debit, "5", ""),
			want: refused(five, seamless.PlayerFrozen)},
		{name: "of an excluded player", view: launched(func(v *player.View) { v.Player.Protection.Excluded = true }), decide: callback(seamless.Debit, "5", ""),
			want: refused(five, seamless.PlayerExcluded)},
		{name: "of a blocked agent's player", view: launched(func(v *player.View) { v.AgentBlocked = true }), decide: callback(seamless.Debit, "5", ""),
			want: refused(five, seamless.BlockedAgent)},
		{name: "of a disabled game", view: launched(func(v *player.View) { v.GameDisabled = true }), decide: callback(seamless.Debit, "5", ""),
			want: refused(five, seamless.GameDisabled)},
		{name: "beyond a limit", view: launched(func(v *player.View) { v.Player.Protection.Limits[1].Amount = 499 }), decide: callback(seamless.Debit, "5", ""),
			want: refused(five, seamless.LimitExceeded)},
		{name: "that never launched there", decide: callback(seamless.Debit, "5", ""), refused: fault.InvalidUser},
		{name: "of a wallet that never signed in", view: launched(stranger), decide: callback(seamless.Debit, "5", ""), refused: fault.InvalidUser},
		{name: "of the agent whose site was looked up", view: launched(), decide: callback(seamless.Debit, "5", "", func(c *player.ProviderCallback) { c.SiteAgent = "north" }),
			want: func(v player.View) player.Change { return taken(v, debit, launch(-460, 30)) }},
		{name: "of another agent by now", view: launched(), decide: callback(seamless.Debit, "5", "", func(c *player.ProviderCallback) { c.SiteAgent = "south" }),
			refused: fault.Unavailable},
	})
}

// staked is the debit that the tables' credits settle: 500 in the same money.
func staked(id string, when time.Time) seamless.Round {
	round := seamless.Begin(answered(seamless.Debit, seamless.Requested{Bet: "5"}, 500, 0, 9_500))
	round.ID, round.At = id, when
	return round
}

func TestWinsOfProviders(t *testing.T) {
	t.Parallel()
	standing := func(s seamless.RoundMatch, more ...func(*player.View)) func(*player.View) {
		return launched(append(more, func(v *player.View) { v.Seamless = map[seamless.Ref]seamless.RoundMatch{spin: s} })...)
	}
	win := func(win seamless.Decimal, amount money.Amount) seamless.Transaction {
		return answered(seamless.Credit, seamless.Requested{Win: win}, 0, amount, 10_000+amount)
	}
	settles := func(round seamless.Round, won seamless.Transaction, l seamless.Launch) func(player.View) player.Change {
		return func(v player.View) player.Change {
			change := taken(v, won, l)
			next, _ := round.With(won)
			change.ProviderRound, change.Seamless.RoundID = &next, round.ID
			return change
		}
	}
	alone := func(t seamless.Transaction, l seamless.Launch) func(player.View) player.Change {
		return func(v player.View) player.Change { return taken(v, t, l) }
	}
	// reviewed is a win in review; none of it moves.
	reviewed := func(t seamless.Transaction, reason seamless.Reason, l seamless.Launch) func(player.View) player.Change {
		t.Status, t.Reason, t.Balance, t.RoundID = seamless.Review, reason, t.Balance-t.Win, ""
		return func(v player.View) player.Change {
			moved, ok := v.Player.Protection.AddBet(money.SOL, 0, 0, at)
			return player.Change{Seamless: &t, Launch: &l, Balance: t.Balance, Player: metered(v, moved, ok)}
		}
	}
	exact := staked("t0", at.Add(-48*time.Hour))
	caps := func(net, free money.Amount) func(*player.ProviderCallback) {
		return func(c *player.ProviderCallback) {
			c.Caps = player.ProviderCaps{NetWin: net, WithoutDebit: free, Connection: money.Max}
		}
	}
	whole := answered(seamless.DebitCredit, seamless.Requested{Bet: "5", Win: "15"}, 500, 1_500, 9_500)
	whole.Status, whole.Reason = seamless.Review, seamless.OverNetCap
	huge := seamless.Decimal("92233720368547758.07")
	run(t, []decided{
		{name: "of its own debit", view: standing(seamless.RoundMatch{Exact: exact, Latest: staked("t00", at)}), decide: callback(seamless.Credit, "", "7"),
			want: settles(exact, win("7", 700), launch(740, 30))},
		{name: "of the latest debit", view: standing(seamless.RoundMatch{Latest: staked("t0", at.Add(-24*time.Hour))}), decide: callback(seamless.Credit, "", "7"),
			want: settles(staked("t0", at.Add(-24*time.Hour)), win("7", 700), launch(740, 30))},
		{name: "of a debit at another agent", view: standing(seamless.RoundMatch{Exact: exact}, elsewhere),
			decide: callback(seamless.Credit, "", "7", func(c *player.ProviderCallback) { c.SiteAgent = "other" }),
			want:   settles(exact, win("7", 700), launch(740, 30))},
		{name: "without a debit", view: launched(), decide: callback(seamless.Credit, "", "7"), want: alone(win("7", 700), launch(740, 730))},
		{name: "of nothing", view: launched(func(v *player.View) { v.Launches["goldapi"] = launch(5_000, 5_000) }), decide: callback(seamless.Credit, "", "0"),
			want: alone(win("0", 0), launch(5_000, 5_000))},
		{name: "up to the cap of credits without a debit", view: launched(), decide: callback(seamless.Credit, "", "9.7", caps(5_000, 1_000)),
			want: alone(win("9.7", 970), launch(1_010, 1_000))},
		{name: "beyond it", view: launched(), decide: callback(seamless.Credit, "", "9.71", caps(5_000, 1_000)),
			want: reviewed(win("9.71", 971), seamless.OverCreditCap, launch(40, 30))},
		{name: "up to the cap of an hour", view: launched(), decide: callback(seamless.Credit, "", "9.6", caps(1_000, 5_000)),
			want: alone(win("9.6", 960), launch(1_000, 990))},
		{name: "beyond that", view: launched(), decide: callback(seamless.Credit, "", "9.61", caps(1_000, 5_000)),
			want: reviewed(win("9.61", 961), seamless.OverNetCap, launch(40, 30))},
		{name: "beyond both", view: launched(), decide: callback(seamless.Credit, "", "99"), want: reviewed(win("99", 9_900), seamless.OverCreditCap, launch(40, 30))},
		{name: "of a debit beyond the cap of credits without one", view: standing(seamless.RoundMatch{Exact: exact}),
			decide: callback(seamless.Credit, "", "9", caps(1_000, 30)), want: settles(exact, win("9", 900), launch(940, 30))},
		{name: "of a debit, the cap of credits without one lowered since", view: standing(seamless.RoundMatch{Exact: exact}),
			decide: callback(seamless.Credit, "", "9", caps(1_000, 29)), want: settles(exact, win("9", 900), launch(940, 30))},
		{name: "of a debit beyond the cap of an hour", view: standing(seamless.RoundMatch{Exact: exact}), decide: callback(seamless.Credit, "", "9.61"),
			want: func(v player.View) player.Change {
				change := reviewed(win("9.61", 961), seamless.OverNetCap, launch(40, 30))(v)
				next, _ := exact.With(*change.Seamless)
				change.ProviderRound, change.Seamless.RoundID = &next, "t0"
				return change
			}},
		{name: "of a whole round beyond the cap", view: launched(), decide: callback(seamless.DebitCredit, "5", "15", caps(999, 30)),
			want: func(v player.View) player.Change { return taken(v, whole, launch(-460, 30)) }},
		{name: "of a whole round is none without a debit", view: launched(), decide: callback(seamless.DebitCredit, "5", "7", caps(1_000, 30)),
			want: func(v player.View) player.Change {
				return taken(v, answered(seamless.DebitCredit, seamless.Requested{Bet: "5", Win: "7"}, 500, 700, 10_200), launch(240, 30))
			}},
		{name: "that the balance can't hold", view: launched(func(v *player.View) { v.Balances[money.SOL] = money.Max - 699 }), decide: callback(seamless.Credit, "", "7"),
			want: func(v player.View) player.Change {
				change := reviewed(win("7", 700), seamless.BalanceFull, launch(40, 30))(v)
				change.Balance, change.Seamless.Balance = money.Max-699, money.Max-699
				return change
			}},
		{name: "that the balance just holds", view: launched(func(v *player.View) { v.Balances[money.SOL] = money.Max - 700 }), decide: callback(seamless.Credit, "", "7"),
			want: func(v player.View) player.Change {
				full := win("7", 700)
				full.Balance = money.Max
				return taken(v, full, launch(740, 730))
			}},
		{name: "more than any money", view: launched(), decide: callback(seamless.Credit, "", "99999999999999999999"),
			want: func(v player.View) player.Change {
				change := reviewed(win("99999999999999999999", money.Max), seamless.BalanceFull, launch(40, 30))(v)
				change.Balance, change.Seamless.Balance = 10_000, 10_000
				return change
			}},
		{name: "when nothing without a debit can be counted on", view: launched(func(v *player.View) { v.Balances[money.SOL] = 0 }),
			decide: callback(seamless.Credit, "", huge, caps(money.Max, money.Max)), want: func(v player.View) player.Change {
				change := reviewed(win(huge, money.Max), seamless.OverCreditCap, launch(40, 30))(v)
				change.Balance, change.Seamless.Balance = 0, 0
				return change
			}},
		{name: "when the hour is won beyond counting", view: standing(seamless.RoundMatch{Exact: exact}, func(v *player.View) { v.Balances[money.SOL] = 0 }),
			decide: callback(seamless.Credit, "", huge, caps(money.Max, money.Max)), want: func(v player.View) player.Change {
				top := win(huge, money.Max)
				top.Balance = money.Max
				return settles(exact, top, launch(math.MaxInt64, 30))(v)
			}},
		{name: "of a debit in another token", view: standing(seamless.RoundMatch{Exact: exact}, func(v *player.View) {
			usd := launch(40, 30)
			usd.Token, usd.Scale = "usd", 7
			v.Launches["goldapi"] = usd
		}), decide: callback(seamless.Credit, "", "7"), want: func(v player.View) player.Change {
			usd := launch(700, 0)
			usd.Token, usd.Scale = "usd", 7
			return settles(exact, win("7", 700), usd)(v)
		}},
		{name: "of a round whose payouts are beyond an amount", view: standing(seamless.RoundMatch{Exact: func() seamless.Round {
			rich := exact
			rich.Payout = money.Max
			return rich
		}()}), decide: callback(seamless.Credit, "", "7"), want: alone(win("7", 700), launch(740, 30))},
		{name: "of a token that isn't in the view", view: launched(func(v *player.View) {
			usd := launch(40, 30)
			usd.Token = "usd"
			v.Launches["goldapi"] = usd
		}), decide: callback(seamless.Credit, "", "7"), refused: fault.InvalidState},
		{name: "of another agent by now, without a debit", view: launched(),
			decide: callback(seamless.Credit, "", "7", func(c *player.ProviderCallback) { c.SiteAgent = "south" }), refused: fault.Unavailable},
	})
}

func TestWhatATransactionNeedsInAddition(t *testing.T) {
	t.Parallel()
	v := known()
	launched()(&v)
	usd := launch(0, 0)
	usd.Token = "usd"
	v.Launches["goldapi"] = usd
	v.Asked = &player.Needs{Tokens: []money.Token{money.SOL}}
	_, err := callback(seamless.Debit, "5", "")(v)
	missing := func(what string, err error, want player.Needs, wanted bool) {
		t.Helper()
		if more, ok := player.MissingNeeds(err); !reflect.DeepEqual(more, want) || ok != wanted {
			t.Errorf("%s: %+v, %v", what, more, ok)
		}
	}
	missing("a balance", err, player.Needs{Tokens: []money.Token{"usd"}}, true)
	launched()(&v)
	_, err = callback(seamless.Debit, "5", "", func(c *player.ProviderCallback) { c.Site = "https://north.example/" })(v)
	missing("an agent's funds", err, player.Needs{Funds: []agent.FundsRef{north}}, true)
	v.Hours = nil
	hour := player.Needs{Hours: []seamless.HourRef{{Connection: "goldapi", Token: money.SOL}}}
	_, err = callback(seamless.Credit, "", "7")(v)
	missing("the hour of a win", err, hour, true)
	prepaid(500, 0)(&v)
	_, err = callback(seamless.Credit, "", "7", forwarded)(v)
	missing("the hour of a forwarded win", err, hour, true)
	_, err = callback(seamless.Debit, "5", "")(v)
	missing("a bet", err, player.Needs{}, false)
	_, err = callback(seamless.Credit, "", "0")(v)
	missing("a win of nothing", err, player.Needs{}, false)
	for name, err := range map[string]error{"nothing": nil, "a refusal": fault.New(fault.InvalidState, "no"), "a defect": errDefect{}} {
		missing(name, err, player.Needs{}, false)
	}
}

type errDefect struct{}

func (errDefect) Error() string { return "defect" }

func TestACallbackHasAKeyForEachLeg(t *testing.T) {
	t.Parallel()
	credit := player.UniqueKey{Kind: player.ProviderCreditKey, Scope: "goldapi", ID: "x9"}
	debit := player.UniqueKey{Kind: player.ProviderDebitKey, Scope: "goldapi", ID: "x9"}
	for kind, want := range map[seamless.Kind][]player.UniqueKey{
		seamless.Debit: {debit}, seamless.Credit: {credit}, seamless.DebitCredit: {credit, debit},
	} {
		if got := player.ProviderKeys("goldapi", "x9", kind); !reflect.DeepEqual(got, want) {
			t.Errorf("a %s claims %+v", kind, got)
		}
	}
}

// review is a win of 700 in review.
func review() seamless.Transaction {
	t := answered(seamless.DebitCredit, seamless.Requested{Bet: "5", Win: "7"}, 500, 700, 9_500)
	t.ID, t.Status, t.Reason, t.Residue, t.At = "t0", seamless.Review, seamless.OverNetCap, "0.3", at.Add(-time.Hour)
	return t
}

func TestAdminsSettleWinsInReview(t *testing.T) {
	t.Parallel()
	terms := alone
	terms.TwoPersonAbove = 700
	settle := func(by wallet.Address, pay bool, site string) func(player.View) (player.Change, error) {
		return func(v player.View) (player.Change, error) {
			waits := review()
			waits.Site = site
			return player.SettleReview(v, player.ProviderReviewDecision{
				ID: "s1", Transaction: waits, Pay: pay, DeliveryID: "o1", By: by, Terms: terms, Policy: rbac.DefaultPolicy(), Reason: "looked at", AuditID: "a1",
				RequestID: "q1", At: at,
			})
		}
	}
	settled := func(status seamless.Status, round string, balance money.Amount, site string) seamless.Transaction {
		t := review()
		t.ID, t.Kind, t.Status, t.Reason, t.At = "s1", seamless.Settlement, status, "", at
		t.Bet, t.Residue, t.RoundID, t.Balance, t.Site = 0, "", round, balance, site
		return t
	}
	record := func(after string) []audit.Record {
		return []audit.Record{{
			ID: "a1", Action: audit.ProviderReviewed, By: finance, Target: "t0", Before: "700 " + sol, After: after + ": looked at", At: at, RequestID: "q1",
		}}
	}
	const site = "https://north.example/"
	funds := func(balance int64) func(*player.View) {
		return func(v *player.View) { v.Funds = map[agent.FundsRef]agent.Funds{north: {Balance: balance}} }
	}
	votes := []player.Vote{{Of: "s1", Credit: true, Wallet: alice, Token: money.SOL, Amount: 700, By: finance, At: at, Passes: true}}
	run(t, []decided{
		{name: "paid", decide: settle(finance, true, ""), want: func(player.View) player.Change {
			paid := settled(seamless.Taken, "s1", 10_700, "")
			round := seamless.Begin(paid)
			return player.Change{
				Seamless: &paid, ProviderRound: &round, Balance: 10_700, Audit: record("paid"), Votes: votes,
				Postings: one(ledger.ProviderReview, "goldapi", "x9", ledger.ProviderOf("goldapi"), ledger.PlayerOf(alice), 700),
			}
		}},
		{name: "above the threshold of a day", view: func(v *player.View) { v.Counted.Player = money.TotalOf(1) }, decide: settle(finance, true, ""),
			refused: fault.Forbidden},
		{name: "turned down", decide: settle(finance, false, ""), want: func(player.View) player.Change {
			no := settled(seamless.Refused, "", 10_000, "")
			return player.Change{Seamless: &no, Balance: 10_000, Audit: record("turned down")}
		}},
		{name: "paid to an agent", view: funds(math.MaxInt64 - 700), decide: settle(finance, true, site), want: func(player.View) player.Change {
			paid := settled(seamless.Taken, "s1", 0, site)
			round := seamless.Begin(paid)
			return player.Change{
				Seamless: &paid, ProviderRound: &round, Audit: record("paid"), Votes: votes, Deliveries: []seamless.Delivery{seamless.NewDelivery(paid, "o1", seamless.Credit, 700)},
				Postings: one(ledger.ProviderReview, "goldapi", "x9", ledger.ProviderOf("goldapi"), ledger.AgentOf("north"), 700),
			}
		}},
		{name: "turned down at an agent", view: funds(0), decide: settle(finance, false, site), want: func(player.View) player.Change {
			no := settled(seamless.Refused, "", 0, site)
			return player.Change{Seamless: &no, Audit: record("turned down")}
		}},
		{name: "more than the agent's account holds", view: funds(math.MaxInt64 - 699), decide: settle(finance, true, site), refused: fault.AmountOutOfRange},
		{name: "more than a balance holds", view: func(v *player.View) { v.Balances[money.SOL] = money.Max - 699 }, decide: settle(finance, true, ""),
			refused: fault.AmountOutOfRange},
		{name: "of their own", decide: settle(alice, true, ""), refused: fault.Forbidden},
		{name: "without the permission", decide: settle(support, true, ""), refused: fault.AdminForbidden},
	})
}

// TestBetsOfProvidersCountTowardsLimits states the meters, which the tables above take
// from the rules of protection.
func TestBetsOfProvidersCountTowardsLimits(t *testing.T) {
	t.Parallel()
	v := known()
	launched()(&v)
	change, err := callback(seamless.DebitCredit, "5", "7")(v)
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range change.Player.Protection.Limits {
		want := map[protection.Kind]int64{protection.Wager: 500, protection.Loss: -200}[limit.Kind]
		if limit.Used != want {
			t.Errorf("the %s limit counts %d, want %d", limit.Kind, limit.Used, want)
		}
	}
}
