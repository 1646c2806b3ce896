package player_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// plainBet is an item of a bet, the whole view of its wallet, and what it decides.
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

// TestNarrowShowsWhatIsNeeded fills every field of a view, and needs everything
// and nothing: a field that the law leaves out would stay empty, or be shown to all.
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

// fill gives every empty field of a struct something: maps and slices one entry, under
// a zero key.
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

// TestRebindingTakesHoldsAlong counts the fee that is held beside a withdrawal's
// amount: left behind, the one agent's total would keep it and the other's go
// below zero.
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

// BenchmarkCheck is of a plain bet, as every bet's commit asks it.
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

// BenchmarkLaw is all that a plain bet's commit asks of the law.
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
