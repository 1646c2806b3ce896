package bet_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

var terms = token.Terms{
	Mint: money.SOL, MinWager: 10_000, MaxWager: 1_000_000, MaxPayout: 10_000_000,
	BankrollShare: money.Ratio{Num: 1, Den: 100},
}

func pair() fairness.Pair {
	return fairness.NewPair(
		fairness.Spare{ID: "p1", Seed: fairness.NewServerSeed([32]byte{1})},
		fairness.Spare{ID: "p2", Seed: fairness.NewServerSeed([32]byte{2})}, "client", time.Unix(77, 0))
}

func order(t testing.TB, wager money.Amount, config game.Value) bet.Order {
	t.Helper()
	o, err := bet.NewOrder(game.Dice(), config, wager)
	if err != nil {
		t.Fatal(err)
	}
	o.ID, o.Wallet, o.Terms, o.Bankroll, o.At = "r1", "alice", terms, money.TotalOf(1_000_000_000), time.Unix(1, 0)
	return o
}

func target(hundredths int64) game.Value {
	return game.Object(game.Member{Name: "target", Value: game.Dec(hundredths, 2)})
}

func TestAdmitRefusesBeforeTheDraw(t *testing.T) {
	t.Parallel()
	fair := func() bet.Order { return order(t, 10_000, game.Value{}) } // pays at most 19,800
	for name, row := range map[string]struct {
		change  func(*bet.Order)
		balance money.Amount
		want    fault.Kind
	}{
		"below the smallest wager": {func(o *bet.Order) { *o = o.Wagering(9_999) }, 1 << 40, fault.WagerOutOfRange},
		"above the largest wager":  {func(o *bet.Order) { *o = o.Wagering(1_000_001) }, 1 << 40, fault.WagerOutOfRange},
		"could pay above the limit of a round": {
			func(o *bet.Order) { o.Terms.MaxPayout = 19_799 }, 1 << 40, fault.WagerOutOfRange},
		"could pay more than a balance holds": {func(*bet.Order) {}, money.Max - 19_799, fault.WagerOutOfRange},
		"could pay more than the bankroll's share": {
			func(o *bet.Order) { o.Bankroll = money.TotalOf(1_979_999) }, 1 << 40, fault.WagerOutOfRange},
		"an empty bankroll": {func(o *bet.Order) { o.Bankroll = money.Total{} }, 1 << 40, fault.WagerOutOfRange},
		"a bankroll below zero": {
			func(o *bet.Order) { o.Bankroll = money.TotalOf(1).Neg() }, 1 << 40, fault.WagerOutOfRange},
		"more than the balance": {func(*bet.Order) {}, 9_999, fault.InsufficientFunds},
	} {
		o := fair()
		row.change(&o)
		if err := bet.Admit(o, row.balance); !fault.Is(err, row.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	o := fair()
	o.Terms.MaxPayout, o.Bankroll = 19_800, money.TotalOf(1_980_000)
	if err := bet.Admit(o, 10_000); err != nil {
		t.Errorf("at every limit: %v", err)
	}
}

// TestDecidedRoundsCanAlwaysBePaid draws admitted rounds and compares them with the
// ledger: the balance returned is the booked one, and never below zero.
func TestDecidedRoundsCanAlwaysBePaid(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		balance := money.Amount(rapid.Int64Range(10_000, 1_000_000).Draw(t, "balance"))
		wager := money.Amount(rapid.Int64Range(10_000, int64(balance)).Draw(t, "wager"))
		o, err := bet.NewOrder(game.Dice(), target(rapid.Int64Range(1000, 9800).Draw(t, "target")), wager)
		if err != nil {
			t.Skip("a target whose payout would be below 1.01") // allowed: this is how rapid rejects a draw
		}
		o.ID, o.Wallet, o.Terms, o.Bankroll = "r", "alice", terms, money.TotalOf(1_000_000_000)
		if bet.Admit(o, balance) != nil {
			t.Skip("refused") // allowed: this is how rapid rejects a draw
		}
		seeds := pair()
		seeds.Nonce = rapid.Int64Range(0, fairness.RoundsMax-1).Draw(t, "nonce")
		round, next := bet.Decide(o, seeds, balance)
		if !next.Equal(seeds.Advance()) {
			t.Fatalf("the next round is drawn from %+v", next)
		}
		book := ledger.Book{}
		deposit := ledger.Transfer{Debit: ledger.System(ledger.Chain), Credit: ledger.PlayerOf("alice"), Token: money.SOL, Amount: balance}
		if err := book.Post(ledger.Posting{Key: ledger.Key{Kind: ledger.Deposit, ID: "d"}, Transfers: []ledger.Transfer{deposit}}); err != nil {
			t.Fatal(err)
		}
		if err := book.Post(round.Posting()); err != nil {
			t.Fatalf("an admitted round can't be booked: %v", err)
		}
		if got := book.Balance(ledger.PlayerOf("alice"), money.SOL); got != money.TotalOf(round.Balance) {
			t.Fatalf("the round says balance %d, the book %v", round.Balance, got)
		}
		if most, _ := wager.Times(o.Plan().MaxMultiplier()); round.Payout != 0 && round.Payout > most {
			t.Fatalf("paid %d, at most %d was said", round.Payout, most)
		}
		if again, _ := bet.Decide(o, seeds, balance); again.Payout != round.Payout || !again.Outcome.Equal(round.Outcome) {
			t.Fatal("the same decision again gave another round")
		}
	})
}

// broken is an embedder's game that fails in the draw.
type broken struct {
	game.Plan
	play func() game.Result
}

func (b broken) Play(game.Draws) game.Result { return b.play() }

// boundless is a game that states an unlimited payout.
type boundless struct{ game.Plan }

func (boundless) MaxMultiplier() money.Ratio { return money.Ratio{Num: 1 << 63, Den: 1} }

func TestBrokenDrawsGiveVoidRounds(t *testing.T) {
	t.Parallel()
	for name, play := range map[string]func() game.Result{
		"panics":                          func() game.Result { panic("table lost") },
		"pays more than it said it could": func() game.Result { return game.Result{Multiplier: money.Ratio{Num: 3, Den: 1}} },
		"pays no number":                  func() game.Result { return game.Result{Multiplier: money.Ratio{Num: 1}} },
		"pays more than an amount holds":  func() game.Result { return game.Result{Multiplier: money.Ratio{Num: 1 << 63, Den: 1}} },
	} {
		o := order(t, 10_000, game.Value{})
		o = o.Broken(broken{o.Plan(), play})
		if name == "pays more than an amount holds" {
			o = o.Broken(boundless{o.Plan()})
		}
		round, next := bet.Decide(o, pair(), 50_000)
		if !next.Equal(fairness.Pair{}) {
			t.Errorf("%s: the next round is drawn from %+v, whose draws may be known", name, next)
		}
		if !round.Void || round.Payout != round.Wager || round.Balance != 50_000 {
			t.Errorf("%s: %+v, want the stake returned in a void round", name, round)
		}
		if round.Outcome.Kind() != game.Absent || round.Theory != (bet.Theory{}) {
			t.Errorf("%s: a void round has an outcome or a theory: %+v", name, round)
		}
		if posting := round.Posting(); len(posting.Transfers) != 2 || posting.Transfers[0].Amount != posting.Transfers[1].Amount {
			t.Errorf("%s: booked as %+v", name, posting)
		}
	}
}

// TestTheZeroRatioIsALoss: a game that reports a loss by the zero Ratio, or the zero
// Result, keeps the stake. A void round would return it.
func TestTheZeroRatioIsALoss(t *testing.T) {
	t.Parallel()
	shown := game.Object(game.Member{Name: "roll", Value: game.Int(1)})
	for _, result := range []game.Result{{}, {Outcome: shown}, {Outcome: shown, Multiplier: money.Ratio{Den: 7}}} {
		o := order(t, 10_000, game.Value{})
		o = o.Broken(broken{o.Plan(), func() game.Result { return result }})
		round, _ := bet.Decide(o, pair(), 50_000)
		if round.Void || round.Payout != 0 || round.Balance != 40_000 {
			t.Errorf("%+v: %+v, want a loss", result, round)
		}
		if round.Multiplier.Num != 0 || round.Multiplier.Den == 0 || !round.Outcome.Equal(result.Outcome) {
			t.Errorf("%+v: kept as %d/%d, %v", result, round.Multiplier.Num, round.Multiplier.Den, round.Outcome)
		}
		if round.Theory == (bet.Theory{}) || len(round.Posting().Transfers) != 1 {
			t.Errorf("%+v: booked as %+v", result, round.Posting())
		}
	}
}

func ExampleAdmit() {
	order, _ := bet.NewOrder(game.Dice(), game.Value{}, 10_000)
	order.Terms, order.Bankroll = terms, money.TotalOf(1_000)
	fmt.Println(bet.Admit(order, 50_000))
	order.Bankroll = money.Total{}
	fmt.Println(bet.Admit(order, 50_000))
	// Output:
	// wager: could pay more than the house can afford at the moment
	// wager: the house has no capital in this token to pay from: the operator has to book it first (casino capital book, or BookCapital of app/treasury)
}

// The parts of an order must match, and an order without a plan is neither admitted nor
// drawn.
func TestAnOrderIsOfOneGame(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		rules  game.Game
		config game.Value
		wager  money.Amount
		field  string
	}{
		"no game":               {nil, game.Value{}, 10_000, "gameType"},
		"no wager":              {game.Dice(), game.Value{}, 0, "wager"},
		"a wager below zero":    {game.Dice(), game.Value{}, -1, "wager"},
		"another game's config": {game.Dice(), game.Object(game.Member{Name: "rows", Value: game.Int(8)}), 10_000, "config.rows"},
	} {
		_, err := bet.NewOrder(row.rules, row.config, row.wager)
		var refusal *fault.Error
		if !errors.As(err, &refusal) || refusal.Kind != fault.Invalid || refusal.Details["field"] != row.field {
			t.Errorf("%s: %v", name, err)
		}
	}
	var planned money.Amount
	o, err := bet.NewOrder(staked{game.Dice(), &planned}, target(7500), 10_000)
	if err != nil || o.GameType() != "dice" || o.Rules() != game.Dice().Rules() || o.Wager() != 10_000 || planned != 10_000 ||
		!o.Plan().Config().Get("target").Equal(game.Dec(7500, 2)) {
		t.Errorf("%+v, planned for a wager of %d, %v", o, planned, err)
	}
	if _, err := bet.NewOrder(planless{game.Dice()}, game.Value{}, 10_000); err == nil {
		t.Error("a game that makes no plan is played")
	}
	nobodys := bet.Order{Placed: bet.Placed{ID: "r1", Wallet: "alice", Terms: terms, Bankroll: money.TotalOf(1 << 40)}}
	if err := bet.Admit(nobodys, 50_000); !fault.Is(err, fault.InvalidState) {
		t.Errorf("an order that nobody planned: %v", err)
	}
	if round, next := bet.Decide(nobodys, pair(), 50_000); !round.Void || !next.Equal(fairness.Pair{}) {
		t.Errorf("an order that nobody planned is drawn: %+v", round)
	}
	other, err := bet.NewOrder(game.Limbo(), game.Value{}, 20_000)
	if err != nil {
		t.Fatal(err)
	}
	if o.Placed = other.Placed; o.GameType() != "dice" || o.Rules() != game.Dice().Rules() || o.Wager() != 10_000 {
		t.Errorf("placed as another order is, it is of %s and %d", o.GameType(), o.Wager())
	}
}

// staked is a game that records the wager it planned for.
type staked struct {
	game.Game
	wager *money.Amount
}

func (g staked) Plan(config game.Value, wager money.Amount) (game.Plan, error) {
	*g.wager = wager
	return g.Game.Plan(config, wager)
}

// planless is a game that accepts everything and returns no plan.
type planless struct{ game.Game }

func (planless) Plan(game.Value, money.Amount) (game.Plan, error) { return nil, nil }

// Nothing is drawn without a secret seed: a void round is followed by the zero pair, and
// nonces beyond the last aren't played.
func TestNothingIsDrawnFromNoPair(t *testing.T) {
	t.Parallel()
	last := pair()
	last.Nonce = fairness.RoundsMax
	for name, seeds := range map[string]fairness.Pair{"the zero pair": {}, "an exhausted pair": last} {
		round, next := bet.Decide(order(t, 10_000, game.Value{}), seeds, 50_000)
		if !round.Void || round.Balance != 50_000 || !next.Equal(fairness.Pair{}) {
			t.Errorf("%s: %+v", name, round)
		}
	}
}

func BenchmarkDecide(b *testing.B) {
	o, seeds := order(b, 10_000, game.Value{}), pair()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		seeds.Nonce = int64(i)
		bet.Decide(o, seeds, 50_000)
	}
}

// scripted is a plan with a known draw and invented figures.
type scripted struct {
	game.Plan
	result game.Result
	panics bool
}

func (s scripted) Play(game.Draws) game.Result {
	if s.panics {
		panic("table lost")
	}
	return s.result
}

func (s scripted) MaxMultiplier() money.Ratio      { return money.Ratio{Num: 2, Den: 1} }
func (s scripted) Config() game.Value              { return target(1234) }
func (s scripted) RTPPartsPerBillion() uint64      { return 990_000_001 }
func (s scripted) VariancePartsPerBillion() uint64 { return 970_000_007 }

func script(result game.Result, panics bool) bet.Order {
	o := bet.Scripted("dice", "dice-7", scripted{result: result, panics: panics}, 10_000)
	o.ID, o.Wallet, o.Agent, o.Terms, o.Bankroll, o.At = "r77", "alice", "north", terms, money.TotalOf(1<<40), time.Unix(77, 5)
	return o
}

// TestARoundHasAllThatWasDecided checks every field of a round, for a win, the greatest
// win, a loss and a void draw.
func TestARoundHasAllThatWasDecided(t *testing.T) {
	t.Parallel()
	seeds := pair()
	seeds.ID, seeds.Commitment, seeds.ClientSeed, seeds.Nonce = "p9", "commit", "mine", 41
	seeds.ClientSource = fairness.FromPlayer
	outcome := game.Object(game.Member{Name: "roll", Value: game.Int(7)})
	for name, row := range map[string]struct {
		order bet.Order
		want  func(*bet.Round)
	}{
		"a win": {script(game.Result{Outcome: outcome, Multiplier: money.Ratio{Num: 3, Den: 2}}, false), func(r *bet.Round) {
			r.Multiplier, r.Payout, r.Balance = money.Ratio{Num: 3, Den: 2}, 15_000, 55_000
		}},
		"the greatest win": {script(game.Result{Outcome: outcome, Multiplier: money.Ratio{Num: 4, Den: 2}}, false), func(r *bet.Round) {
			r.Multiplier, r.Payout, r.Balance = money.Ratio{Num: 4, Den: 2}, 20_000, 60_000
		}},
		"a loss": {script(game.Result{Outcome: outcome, Multiplier: money.Ratio{Num: 0, Den: 1}}, false), func(r *bet.Round) {
			r.Multiplier, r.Balance = money.Ratio{Num: 0, Den: 1}, 40_000
		}},
		"a void draw": {script(game.Result{}, true), func(r *bet.Round) {
			r.Void, r.Multiplier, r.Payout, r.Balance = true, money.Ratio{Num: 1, Den: 1}, 10_000, 50_000
		}},
		"a draw that pays too much": {script(game.Result{Outcome: outcome, Multiplier: money.Ratio{Num: 201, Den: 100}}, false), func(r *bet.Round) {
			r.Void, r.Multiplier, r.Payout, r.Balance = true, money.Ratio{Num: 1, Den: 1}, 10_000, 50_000
		}},
	} {
		got, _ := bet.Decide(row.order, seeds, 50_000)
		want := bet.Round{
			ID: "r77", Wallet: "alice", Agent: "north", GameType: "dice", Rules: "dice-7", Token: money.SOL, Wager: 10_000,
			PairID: "p9", Commitment: "commit", ClientSeed: "mine", ClientSource: fairness.FromPlayer, Nonce: 41, At: time.Unix(77, 5),
		}
		row.want(&want)
		if !want.Void {
			want.Theory = bet.Theory{RTPPartsPerBillion: 990_000_001, VariancePartsPerBillion: 970_000_007}
		}
		if !got.Config.Equal(target(1234)) {
			t.Errorf("%s: config %v", name, got.Config)
		}
		if want.Void != (got.Outcome.Kind() == game.Absent) || !want.Void && !got.Outcome.Equal(outcome) {
			t.Errorf("%s: outcome %v", name, got.Outcome)
		}
		got.Config, got.Outcome = game.Value{}, game.Value{}
		if !same(got, want) {
			t.Errorf("%s:\n got %+v\nwant %+v", name, got, want)
		}
	}
}

// same compares rounds without their game values, which Go can't compare.
func same(a, b bet.Round) bool {
	return a.ID == b.ID && a.Wallet == b.Wallet && a.Agent == b.Agent && a.Source == b.Source && a.GameType == b.GameType &&
		a.Rules == b.Rules && a.Token == b.Token && a.Wager == b.Wager && a.Payout == b.Payout && a.Multiplier == b.Multiplier &&
		a.Void == b.Void && a.PairID == b.PairID && a.Commitment == b.Commitment && a.ClientSeed == b.ClientSeed &&
		a.ClientSource == b.ClientSource && a.Nonce == b.Nonce && a.Balance == b.Balance && a.At.Equal(b.At) && a.Theory == b.Theory
}

// TestTheDrawIsOfThePairAndItsNonce: the plan gets the stream that anyone can recompute
// from the revealed seed.
func TestTheDrawIsOfThePairAndItsNonce(t *testing.T) {
	t.Parallel()
	o, seeds := order(t, 10_000, game.Value{}), pair()
	for nonce := range int64(20) {
		seeds.Nonce = nonce
		want := o.Plan().Play(fairness.NewStream(seeds.Seed, seeds.ClientSeed, nonce))
		if got, _ := bet.Decide(o, seeds, 50_000); !got.Outcome.Equal(want.Outcome) || got.Multiplier != want.Multiplier || got.Void {
			t.Errorf("nonce %d: %+v, want %+v", nonce, got, want)
		}
	}
}

func TestARoundIsBookedUnderItsID(t *testing.T) {
	t.Parallel()
	player, house := ledger.PlayerOf(wallet.Address("alice")), ledger.System(ledger.House)
	round := bet.Round{ID: "r5", Wallet: "alice", Token: money.SOL, Wager: 9}
	stake := ledger.Transfer{Debit: player, Credit: house, Token: money.SOL, Amount: 9}
	for payout, want := range map[money.Amount][]ledger.Transfer{
		0: {stake},
		1: {stake, {Debit: house, Credit: player, Token: money.SOL, Amount: 1}},
	} {
		round.Payout = payout
		got := round.Posting()
		if got.Key != (ledger.Key{Kind: ledger.Round, ID: "r5"}) || len(got.Transfers) != len(want) {
			t.Fatalf("a payout of %d is booked as %+v", payout, got)
		}
		for i := range want {
			if got.Transfers[i] != want[i] {
				t.Errorf("a payout of %d: transfer %d is %+v", payout, i, got.Transfers[i])
			}
		}
	}
}

func TestAdmitAtItsEdges(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		change  func(*bet.Order)
		balance money.Amount
		want    fault.Kind // 0 if it is admitted
	}{
		"the smallest wager": {func(o *bet.Order) { *o = o.Wagering(terms.MinWager) }, terms.MinWager, 0},
		"the largest wager":  {func(o *bet.Order) { *o = o.Wagering(terms.MaxWager) }, terms.MaxWager, 0},
		"a bankroll beyond an amount counts as the largest": {func(o *bet.Order) {
			o.Bankroll, o.Terms.BankrollShare = money.TotalOf(money.Max).AddAmount(1), money.Ratio{Num: 20_000, Den: uint64(money.Max)}
		}, 10_000, 0},
		"and no more than that": {func(o *bet.Order) {
			o.Bankroll, o.Terms.BankrollShare = money.TotalOf(money.Max).AddAmount(money.Max), money.Ratio{Num: 19_999, Den: uint64(money.Max)}
		}, 10_000, fault.WagerOutOfRange},
		"a bankroll of 1 of which all may be paid": {func(o *bet.Order) {
			o.Bankroll, o.Terms.BankrollShare = money.TotalOf(1), money.Ratio{Num: 20_000, Den: 1}
		}, 10_000, 0},
		"a share that can't be computed": {func(o *bet.Order) { o.Terms.BankrollShare = money.Ratio{} }, 10_000, fault.WagerOutOfRange},
		"a wager that can't be multiplied": {func(o *bet.Order) {
			*o = o.Wagering(money.Max)
			o.Terms.MaxWager, o.Terms.MaxPayout = money.Max, money.Max
		}, money.Max, fault.WagerOutOfRange},
	} {
		o := script(game.Result{}, false)
		row.change(&o)
		err := bet.Admit(o, row.balance)
		if row.want == 0 && err != nil || row.want != 0 && !fault.Is(err, row.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
