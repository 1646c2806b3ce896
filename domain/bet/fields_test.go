package bet_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// scripted is a plan whose draw is known beforehand, and whose figures are those
// of no real game.
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

// TestARoundHasAllThatWasDecided holds every field of a round against what it
// must be, for a win, a win at the very top, a loss and a void draw.
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

// same compares rounds without their values of games, which Go can't compare.
func same(a, b bet.Round) bool {
	return a.ID == b.ID && a.Wallet == b.Wallet && a.Agent == b.Agent && a.Source == b.Source && a.GameType == b.GameType &&
		a.Rules == b.Rules && a.Token == b.Token && a.Wager == b.Wager && a.Payout == b.Payout && a.Multiplier == b.Multiplier &&
		a.Void == b.Void && a.PairID == b.PairID && a.Commitment == b.Commitment && a.ClientSeed == b.ClientSeed &&
		a.ClientSource == b.ClientSource && a.Nonce == b.Nonce && a.Balance == b.Balance && a.At.Equal(b.At) && a.Theory == b.Theory
}

// TestTheDrawIsOfThePairAndItsNonce: the plan gets the stream that anyone can
// make again from what is revealed.
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
		want    fault.Kind // 0 where it is admitted
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
