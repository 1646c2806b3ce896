package player_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// plainBet returns a bet's item, the whole view of its wallet, and its change.
func plainBet(t testing.TB) (player.Item, player.View, player.Change) {
	t.Helper()
	view := player.View{
		Player:   player.Player{Wallet: "alice", Agent: player.HouseAgent, CreatedAt: time.Unix(1, 0)},
		Balances: map[money.Token]money.Amount{money.SOL: 50_000, "usd": 7},
		Pair: fairness.NewPair(fairness.Spare{ID: "p1", Seed: fairness.NewServerSeed([32]byte{1})},
			fairness.Spare{ID: "p2", Seed: fairness.NewServerSeed([32]byte{2})}, "lucky", at),
	}
	order, err := bet.NewOrder(game.Dice(), game.Value{}, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	order.ID, order.Wallet, order.Terms, order.Bankroll = "r1", "alice", terms(), money.TotalOf(10_000_000)
	item := player.Item{
		Wallet: "alice", At: time.Unix(2, 0), Keys: []player.UniqueKey{{Kind: player.RoundKey, ID: "r1"}},
		Needs:  player.Needs{Tokens: []money.Token{money.SOL}, Draw: true},
		Decide: func(v player.View) (player.Change, error) { return player.Play(v, order, fairness.Spare{}, "", "") },
	}
	var seen player.View
	player.Narrow(&seen, &view, &item.Needs)
	change, err := item.Decide(seen)
	if err != nil {
		t.Fatal(err)
	}
	return item, view, change
}

func TestRulesHaveNamesAndSentences(t *testing.T) {
	t.Parallel()
	names, sentences := map[string]bool{}, map[string]bool{}
	for _, rule := range player.Rules() {
		if rule.Name == "" || rule.Sentence == "" || names[rule.Name] || sentences[rule.Sentence] {
			t.Errorf("rule %q has no name or sentence of its own: %q", rule.Name, rule.Sentence)
		}
		names[rule.Name], sentences[rule.Sentence] = true, true
	}
}

func TestBreachIsADefect(t *testing.T) {
	t.Parallel()
	item, view, change := plainBet(t)
	var seen player.View
	player.Narrow(&seen, &view, &item.Needs)
	if err := errors.Join(player.CheckItem(&item), player.Check(&item, &seen, &change)); err != nil {
		t.Fatalf("a plain bet: %v", err)
	}
	change.Round.Nonce++
	err := player.Check(&item, &seen, &change)
	var broken *player.Breach
	if !errors.As(err, &broken) || broken.Name != "round drawn" || fault.KindOf(err) != fault.Internal {
		t.Errorf("a nonce that isn't next: %v", err)
	}
}

// TestNarrowShowsWhatIsNeeded fills every field of a view, and needs everything and
// nothing: a field missing in the law would stay empty, or be shown to all.
func TestNarrowShowsWhatIsNeeded(t *testing.T) {
	t.Parallel()
	_, whole, _ := plainBet(t)
	always := map[string]bool{"Control": true, "Now": true, "Player": true, "AgentBlocked": true, "Asked": true}
	needs := player.Needs{Votes: &player.VotesNeed{Of: "w", By: "boss", At: time.Unix(5, 0)}}
	whole.Counted.All, whole.Now = money.TotalOf(1), time.Unix(5, 0)
	fill(t, reflect.ValueOf(&whole).Elem())
	fill(t, reflect.ValueOf(&needs).Elem())
	whole.Votes = []player.Vote{{Of: "w", By: "boss", At: time.Unix(5, 0)}, {Of: "another", By: "boss", At: time.Unix(5, 0)}}
	var all, nothing player.View
	player.Narrow(&all, &whole, &needs)
	player.Narrow(&nothing, &whole, &player.Needs{})
	if len(all.Votes) != 1 {
		t.Errorf("an item that asks for one thing's votes sees %+v", all.Votes)
	}
	for i, field := range reflect.VisibleFields(reflect.TypeFor[player.View]()) {
		if reflect.ValueOf(all).Field(i).IsZero() {
			t.Errorf("an item that needs everything sees no %s", field.Name)
		}
		if !always[field.Name] && !reflect.ValueOf(nothing).Field(i).IsZero() {
			t.Errorf("an item that needs nothing sees %s", field.Name)
		}
	}
	var joined player.Needs
	joined.Join(&needs)
	own := map[string]bool{"Funds": true, "Hours": true, "Votes": true, "Game": true, "Payouts": true, "Exposure": true}
	for i, field := range reflect.VisibleFields(reflect.TypeFor[player.Needs]()) {
		if reflect.ValueOf(joined).Field(i).IsZero() != own[field.Name] {
			t.Errorf("what items of a batch need together: %s is %v", field.Name, reflect.ValueOf(joined).Field(i))
		}
	}
}

// fill sets every empty field of a struct: maps and slices get one entry, under a zero
// key.
func fill(t *testing.T, s reflect.Value) {
	t.Helper()
	for i := range s.NumField() {
		f := s.Field(i)
		if !f.IsZero() && f.Kind() != reflect.Map {
			continue
		}
		switch f.Kind() {
		case reflect.Map:
			filled := reflect.MakeMap(f.Type())
			filled.SetMapIndex(reflect.Zero(f.Type().Key()), reflect.Zero(f.Type().Elem()))
			f.Set(filled)
		case reflect.Pointer:
			f.Set(reflect.New(f.Type().Elem()))
		case reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 1, 1))
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int:
			f.SetInt(1)
		case reflect.String:
			f.SetString("x")
		case reflect.Struct:
			switch first := f.Field(0); {
			case first.Kind() == reflect.String:
				first.SetString("x")
			case first.CanInt():
				first.SetInt(1)
			default:
				first.SetBool(true)
			}
		default:
			t.Fatalf("a field of kind %v", f.Kind())
		}
	}
}

func TestApplyInPlaceWritesNoMapOfACopy(t *testing.T) {
	t.Parallel()
	_, view, change := plainBet(t)
	before, printed := view, fmt.Sprintf("%+v", view)
	if err := view.Apply(&change); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%+v", before); got != printed {
		t.Errorf("a copy was %s\n and is %s", printed, got)
	}
	if view.Pair.Nonce != 1 || view.Pair.Next.ID != "p2" {
		t.Errorf("the pair after a bet that asked to draw: %+v", view.Pair)
	}
}

// TestRebindingTakesHoldsAlong includes the fee held besides a withdrawal's amount: left
// behind, one agent's total would keep it and the other's go below zero.
func TestRebindingTakesHoldsAlong(t *testing.T) {
	t.Parallel()
	view := rich()
	held := view.Withdrawals["w"]
	held.Fee = 7
	view.Withdrawals["w"] = held
	view.Roles = map[wallet.Address]rbac.Assignment{boss: {Wallet: boss, Role: rbac.Superadmin}}
	change, err := player.Rebind(view, player.RebindRequest{By: boss, Policy: rbac.DefaultPolicy(), Agent: "acme"})
	if err != nil {
		t.Fatal(err)
	}
	want := []player.Holding{
		{Account: ledger.PlayerOf(alice), Token: money.SOL, Amount: 100}, {Account: ledger.HoldOf("w"), Token: money.SOL, Amount: 17},
	}
	if !slices.Equal(change.Rebinding.Holdings, want) {
		t.Errorf("it takes %v along, not %v", change.Rebinding.Holdings, want)
	}
}

// BenchmarkCheck checks a plain bet, as every bet's commit does.
func BenchmarkCheck(b *testing.B) {
	item, view, change := plainBet(b)
	var seen player.View
	player.Narrow(&seen, &view, &item.Needs)
	b.ReportAllocs()
	for b.Loop() {
		if err := player.Check(&item, &seen, &change); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLaw does all work of the law in a plain bet's commit.
func BenchmarkLaw(b *testing.B) {
	item, view, change := plainBet(b)
	seen, next := new(player.View), new(player.View)
	b.ReportAllocs()
	for b.Loop() {
		player.Narrow(seen, &view, &item.Needs)
		if err := player.Check(&item, seen, &change); err != nil {
			b.Fatal(err)
		}
		*next = view
		if err := next.Apply(&change); err != nil {
			b.Fatal(err)
		}
	}
}

// lawful is a valid change, with its item and the item's view.
type lawful struct {
	item player.Item
	view player.View
	c    player.Change
}

// goods are valid changes of each sort, made again for each breach.
var goods = map[string]func(t *testing.T) lawful{
	"sign-in": good(stranger, func(v player.View) (player.Change, error) {
		return player.SignIn(v, player.SignInRequest{Wallet: alice, Agent: "north", Login: player.Login{Wallet: alice}, First: spare(1), Next: spare(2), ClientSeed: "s", At: at,
			Session: session.Session{Wallet: alice, IssuedAt: at, Until: at.Add(time.Hour)}, AuditID: "a1", SessionAuditID: "a2"})
	}),
	"renewal": good(viewOfEarlierEpoch, renewed),
	"end":     good(nil, func(v player.View) (player.Change, error) { return player.EndSessions(v, "a1", "q1", at) }),
	"rebind": good(nil, func(v player.View) (player.Change, error) {
		return player.Rebind(v, player.RebindRequest{By: boss, Policy: rbac.DefaultPolicy(), Agent: "south", AuditID: "a1", At: at})
	}),
	"rotate": good(pairedView, func(v player.View) (player.Change, error) {
		return player.Rotate(v, player.RotationRequest{ClientSeed: "new", Spare: spare(3), At: at})
	}),
	"repeat": good(pairedView, func(v player.View) (player.Change, error) {
		return player.Rotate(v, player.RotationRequest{ClientSeed: "mine", Spare: spare(3), At: at})
	}),
	"deposit": good(standing(deposit.Pending, ""), func(v player.View) (player.Change, error) { return player.ReceiveDeposit(v, claim(), 300, at) }),
	"claim": good(standing(deposit.Pending, ""), func(v player.View) (player.Change, error) {
		return player.ClaimDeposit(v, claim(), deposit.Verdict{Status: deposit.Review}, at)
	}),
	"adjust": good(nil, func(v player.View) (player.Change, error) {
		return player.Adjust(v, player.Adjustment{ID: "x1", Wallet: alice, Token: money.SOL, Amount: 7, By: boss, At: at}, "a1", "q1")
	}),
	"debit adjust": good(nil, func(v player.View) (player.Change, error) {
		return player.Adjust(v, player.Adjustment{ID: "x1", Wallet: alice, Token: money.SOL, Amount: -7, By: boss, At: at}, "a1", "q1")
	}),
	"fund": good(funded, func(v player.View) (player.Change, error) {
		return player.Fund(v, player.Funding{ID: "f1", Ref: north, Amount: 9, At: at}, "a1", "q1")
	}),
	"unfund": good(funded, func(v player.View) (player.Change, error) {
		return player.Fund(v, player.Funding{ID: "f1", Ref: north, Amount: -9, At: at}, "a1", "q1")
	}),
	"limit": good(funded, func(v player.View) (player.Change, error) {
		return player.SetCreditLimit(v, player.CreditLimitRequest{CreditLimit: player.CreditLimit{Ref: north, Amount: 60}, By: boss, Policy: rbac.DefaultPolicy(), At: at})
	}),
	"ask": good(nil, func(v player.View) (player.Change, error) {
		return player.RequestApproval(v, player.ApprovalRequest{ID: "p1", Request: request().Request, By: finance, Policy: rbac.DefaultPolicy(), At: at})
	}),
	"decide": good(pending, func(v player.View) (player.Change, error) {
		return player.DecideApproval(v, player.ApprovalDecision{ID: "p1", By: boss, Policy: rbac.DefaultPolicy(), At: at}, nil)
	}),
	"withdraw": good(nil, func(v player.View) (player.Change, error) {
		feeTerms := terms()
		feeTerms.NewAccountFee = 50
		return player.Withdraw(v, player.WithdrawalRequest{ID: "w1", Terms: feeTerms, Amount: 600, Destination: withdrawal.Destination{Address: payee}, At: at})
	}),
	"bring back": good(func(v *player.View) { v.Balances = nil }, func(v player.View) (player.Change, error) { return player.BringBack(v, lost()) }),
	"approve": good(holding(withdrawal.Pending), func(v player.View) (player.Change, error) {
		return player.Approve(v, player.WithdrawalDecision{ID: "w1", By: finance, Policy: rbac.DefaultPolicy(), Terms: terms(), At: at})
	}),
	"cancel": good(holding(withdrawal.Pending), func(v player.View) (player.Change, error) { return player.Cancel(v, "w1", at) }),
	"sign": good(holding(withdrawal.Approved), func(v player.View) (player.Change, error) {
		return player.Sign(v, withdrawal.Attempt{WithdrawalID: "w1", Number: 1, Signature: "s1"}, at)
	}),
	"dead": good(holding(withdrawal.Sending), func(v player.View) (player.Change, error) {
		return player.Settle(v, "w1", 2, withdrawal.Outcome{Status: withdrawal.Dead}, at)
	}),
	"launch": good(launched(), func(v player.View) (player.Change, error) {
		return player.Launch(v, player.ProviderLaunch{Connection: "goldapi", Token: money.SOL, Scale: 2, At: at})
	}),
	"bet":     good(launched(), callback(seamless.Debit, "5", "")),
	"refused": good(launched(), callback(seamless.Debit, "500", "")),
	"win": good(launched(func(v *player.View) {
		v.Seamless = map[seamless.Ref]seamless.RoundMatch{spin: {Latest: staked("t0", at)}}
	}), callback(seamless.Credit, "", "7")),
	"asking":    good(launched(prepaid(500, 0)), callback(seamless.Debit, "5", "", forwarded)),
	"delivered": good(launched(prepaid(500, 0)), callback(seamless.Credit, "", "7", forwarded)),
	"answer": good(delivering(seamless.Debit, seamless.Debit, seamless.Asking), func(v player.View) (player.Change, error) {
		return player.SettleDelivery(v, player.DeliveryResponse{DeliveryID: "o1", Sent: seamless.Asking, Site: northSite, Event: seamless.SiteAccepted, At: at,
			Caps: player.ProviderCaps{NetWin: 1_000, WithoutDebit: 1_000, Connection: 1_000}})
	}),
	"round": func(t *testing.T) lawful { return played(t, money.Ratio{Num: 2, Den: 1}) },
	"loss":  func(t *testing.T) lawful { return played(t, money.Ratio{Num: 0, Den: 1}) },
	"void":  func(t *testing.T) lawful { return played(t, money.Ratio{}) },
	"last": func(t *testing.T) lawful {
		return played(t, money.Ratio{Num: 0, Den: 1}, func(v *player.View) { v.Pair.Nonce = fairness.RoundsMax - 1 })
	},
	"open":  good(pairedView, func(v player.View) (player.Change, error) { return opened(v, "rungs", 4) }),
	"climb": good(climbing("rungs", 4), func(v player.View) (player.Change, error) { return stepped(v, fakes.Climb) }),
	"cash":  good(climbing("rungs", 4), func(v player.View) (player.Change, error) { return stepped(v, fakes.CashOut) }),
	"stake": good(climbing("doubles", 1), func(v player.View) (player.Change, error) { return stepped(v, fakes.Double) }),
	"close": good(climbing("rungs", 4), func(v player.View) (player.Change, error) { return voided(v) }),
	"last open": good(func(v *player.View) { pairedView(v); v.Pair.Nonce = fairness.RoundsMax - 1 },
		func(v player.View) (player.Change, error) { return opened(v, "rungs", 4) }),
	"closed":       good(closing, func(v player.View) (player.Change, error) { return stepped(v, fakes.CashOut) }),
	"open renewal": good(func(v *player.View) { climbing("rungs", 4)(v); inLaterEpoch(v) }, renewed),
	"crash bet":    good(betting, bets2),
	"crash out":    good(crashing(2_00, false, false), crashCashOut(high, crash.TimeOf(1_50))),
	"crash end":    good(crashing(2_00, false, true), crashSettle(high.Settled)),
	"break":        good(climbing("breaksAt", 1), func(v player.View) (player.Change, error) { return stepped(v, fakes.Climb) }),
}

func renewed(v player.View) (player.Change, error) {
	return player.SignIn(v, player.SignInRequest{Wallet: alice, Login: player.Login{Wallet: alice, Timestamp: at.UnixMilli()}, First: spare(3), Next: spare(4),
		ClientSeed: "s", At: at, SessionAuditID: "a2"})
}

func pairedView(v *player.View) {
	v.Pair = fairness.NewPair(spare(1), spare(2), "mine", at)
	v.Pair.Nonce = 5
}

// viewOfEarlierEpoch has a pair of an epoch before the present one.
func viewOfEarlierEpoch(v *player.View) {
	pairedView(v)
	v.Control = &control.State{Epoch: 2, EpochAt: at}
}

func played(t *testing.T, multiplier money.Ratio, more ...func(*player.View)) lawful {
	return good(func(v *player.View) {
		pairedView(v)
		for _, change := range more {
			change(v)
		}
	}, func(v player.View) (player.Change, error) {
		return player.Play(v, order(t, multiplier), spare(3), "server's", "a1")
	})(t)
}

func good(view func(*player.View), decide func(player.View) (player.Change, error)) func(t *testing.T) lawful {
	return func(t *testing.T) lawful {
		t.Helper()
		v := known()
		if view != nil {
			view(&v)
		}
		c, err := decide(v)
		if err != nil {
			t.Fatal(err)
		}
		return lawful{seeing(v, c), v, c}
	}
}
