package player_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// notEvents are the fields of a change that are covered in another way, or that follow
// from covered values.
var notEvents = map[string]string{
	"Rebinding": "its postings, and the player's row", "Round": "covered whole", "Launch": "adds up from transactions",
	"Seamless": "covered whole", "ProviderRound": "adds up from transactions", "Deliveries": "of transactions that are covered",
	"CreditLimit": "its audit record", "Audit": "covered whole, and a fact of what is done to a player",
	"Balance": "no fact of its own",
}

// TestEveryPartOfAChangeIsCovered finds new parts of a change without an event.
func TestEveryPartOfAChangeIsCovered(t *testing.T) {
	t.Parallel()
	before := player.View{Player: player.Player{Wallet: "alice", Agent: "house", CreatedAt: time.Unix(1, 0)}}
	filled := player.Change{
		Player:  &player.Player{Wallet: "alice", Agent: "house", CreatedAt: time.Unix(1, 0), SessionsFrom: time.Unix(2, 0)},
		Session: &session.Session{Wallet: "alice", IssuedAt: time.Unix(2, 0), Until: time.Unix(3, 0)},
		Funding: &player.Funding{ID: "f1", Ref: agent.FundsRef{Agent: "acme"}, Amount: 3, Balance: 4},
		Audit:   []audit.Record{{ID: "q1", Action: audit.PlayerFrozen, By: "ada", Target: "alice"}},
		Postings: []ledger.Posting{{Key: ledger.Key{Kind: ledger.Adjust, ID: "a1"}, Transfers: []ledger.Transfer{{
			Debit: ledger.System(ledger.Adjustment), Credit: ledger.PlayerOf("alice"), Token: "sol", Amount: 5,
		}}}},
		Login: &player.Login{Wallet: "alice", Timestamp: 5, KeepUntil: time.Unix(9, 0)}, Pair: &fairness.Pair{ID: "p1"},
		Retired: &fairness.Revealed{ID: "p0"}, Closing: &fairness.Closing{}, Closed: &fairness.Revealed{ID: "p8"}, Unplayed: &fairness.Revealed{ID: "p9"}, Withdrawal: &withdrawal.Withdrawal{ID: "w1", Wallet: "alice", Status: withdrawal.Pending},
		Attempt: &withdrawal.Attempt{WithdrawalID: "w1", Number: 2}, DeadAttempt: 1, Deposit: &deposit.Claim{ID: "d1", Status: deposit.Pending},
		Adjustment: &player.Adjustment{ID: "a1", Amount: 5}, Approval: &approval.Approval{ID: "r1", Status: approval.Open},
		Votes: []player.Vote{{Of: "w1", By: "ada", Amount: 5}}, Steps: []bet.Open{{ID: "o1", Wallet: "alice", Wager: 5}},
	}
	all := before.Events(&filled)
	kinds := append(event.Kinds(), event.Facts()...)
	for _, e := range all {
		kinds = slices.DeleteFunc(kinds, func(k event.Kind) bool { return k == e.Kind })
	}
	if !slices.Equal(kinds, []event.Kind{event.Role, event.Alarm, event.CrashChain, event.CrashRound, event.Solvency, event.Limits}) { // these don't belong to a player
		t.Errorf("no event of %v", kinds)
	}
	fields := reflect.ValueOf(filled)
	for i := range fields.NumField() {
		name := fields.Type().Field(i).Name
		if _, apart := notEvents[name]; apart {
			continue
		}
		if fields.Field(i).IsZero() {
			t.Errorf("%s is not in this test", name)
			continue
		}
		less := filled
		reflect.ValueOf(&less).Elem().Field(i).SetZero()
		if name == "Pair" || name == "Withdrawal" { // their companions can't occur alone
			less.Retired, less.Closing, less.Unplayed, less.Attempt, less.DeadAttempt = nil, nil, nil, nil, 0
		}
		if len(before.Events(&less)) >= len(all) {
			t.Errorf("%s makes no event", name)
		}
	}
}

// TestEveryValueIsCovered changes each value of each thing in turn: the event must
// change.
func TestEveryValueIsCovered(t *testing.T) {
	t.Parallel()
	covers(t, func(w withdrawal.Withdrawal) event.Event { return w.Covered() }, "Seal", "Tag") // made with keys
	covers(t, func(a withdrawal.Attempt) event.Event { return a.Covered("alice") }, "Seal")
	covers(t, func(c deposit.Claim) event.Event { return c.Covered() })
	covers(t, func(a approval.Approval) event.Event { return a.Covered() })
	covers(t, func(a rbac.Assignment) event.Event { return a.Covered() })
	covers(t, func(y player.Vote) event.Event { return y.Covered() })
	covers(t, func(a player.Adjustment) event.Event { return a.Covered() }, "Kind") // there is one kind
	covers(t, func(l player.Login) event.Event { return l.Covered() })
	covers(t, func(p player.Player) event.Event { return p.Covered() }, "Used", "Since", "LastRound") // meters
	covers(t, func(o bet.Open) event.Event { return o.Covered() }, "Seal")
	covers(t, func(n fairness.NextSeed) event.Event { return n.Covered("alice") }, "Seed")
	covers(t, func(p fairness.Pair) event.Event { return p.Covered("alice") }, "Nonce", "Seed", "Next.Commitment") // covered by others
	covers(t, func(r fairness.Revealed) event.Event { return r.Covered("alice", "p2") })
}

// covers walks the fields of a thing with a value in each.
func covers[T any](t *testing.T, of func(T) event.Event, apart ...string) {
	t.Helper()
	var thing T
	filledIn(reflect.ValueOf(&thing).Elem())
	want := of(thing)
	name := func(e event.Event) string { return e.ID + "\x00" + e.Digest() }
	var walk func(v reflect.Value, path string)
	walk = func(v reflect.Value, path string) {
		if slices.Contains(apart, path) || slices.ContainsFunc(apart, func(a string) bool { return len(path) > len(a) && path[len(path)-len(a):] == a }) {
			return
		}
		old := reflect.New(v.Type()).Elem()
		old.Set(v)
		switch _, moment := v.Interface().(time.Time); {
		case v.Type() == reflect.TypeFor[game.Value]():
			v.Set(reflect.ValueOf(game.Text("other")))
		case moment:
			v.Set(reflect.ValueOf(v.Interface().(time.Time).Add(time.Microsecond)))
		case v.Kind() == reflect.Struct:
			for i := range v.NumField() {
				part := v.Type().Field(i).Name
				if path != "" {
					part = path + "." + part
				}
				walk(v.Field(i), part)
			}
			return
		case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
			walk(v.Index(0), path+"[0]")
			v.Set(reflect.Append(v.Slice(0, v.Len()), v.Index(0)))
		case v.Kind() == reflect.Slice:
			v.Set(reflect.Append(v.Slice(0, v.Len()), v.Index(0)))
		case v.Kind() == reflect.String:
			v.SetString(v.String() + "x")
		case v.Kind() == reflect.Bool:
			v.SetBool(!v.Bool())
		case v.CanInt():
			v.SetInt(v.Int() + 1)
		default:
			v.SetUint(v.Uint() - 1)
		}
		if name(of(thing)) == name(want) {
			t.Errorf("%T: %s changes nothing of its event", thing, path)
		}
		v.Set(old)
	}
	walk(reflect.ValueOf(&thing).Elem(), "")
}

// filledIn sets every field, lists to one item.
func filledIn(v reflect.Value) {
	if _, moment := v.Interface().(time.Time); moment {
		v.Set(reflect.ValueOf(time.Unix(1, 0)))
		return
	}
	if v.Type() == reflect.TypeFor[game.Value]() {
		v.Set(reflect.ValueOf(game.Text("value")))
		return
	}
	if seed, ok := v.Addr().Interface().(*fairness.ServerSeed); ok {
		*seed = fairness.ServerSeedFromText("seed")
		return
	}
	switch {
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			filledIn(v.Field(i))
		}
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		filledIn(v.Index(0))
	case v.Kind() == reflect.String:
		v.SetString("text")
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.CanInt():
		v.SetInt(7)
	default:
		v.SetUint(1)
	}
}

// TestARoundMakesNoEvent: bets have no cost for events, even if they count against the
// player's limits.
func TestARoundMakesNoEvent(t *testing.T) {
	t.Parallel()
	limited := player.Player{Wallet: "alice", Agent: "house", CreatedAt: time.Unix(1, 0), Protection: protection.State{
		Limits: []protection.Limit{{Kind: protection.Wager, Period: protection.Day, Token: "sol", Amount: 10, From: time.Unix(1, 0)}},
	}}
	before := player.View{Player: limited, Pair: fairness.Pair{ID: "p1", Nonce: 4}}
	after := limited
	after.Protection.Limits = slices.Clone(limited.Protection.Limits)
	after.Protection.Limits[0].Used, after.Protection.Limits[0].Since = 5, time.Unix(2, 0)
	if made := before.Events(&player.Change{Player: &after, Pair: &fairness.Pair{ID: "p1", Nonce: 5}}); len(made) != 0 {
		t.Errorf("%+v", made)
	}
	after.Protection.Limits[0].Amount = 0
	if made := before.Events(&player.Change{Player: &after}); len(made) != 1 || made[0].Was != limited.Covered().Digest() {
		t.Errorf("a limit of nothing: %+v", made)
	}
}

// TestPairsLeadFromOneStateToTheNext: a created pair becomes active with its commitment,
// and retires with its active values.
func TestPairsLeadFromOneStateToTheNext(t *testing.T) {
	t.Parallel()
	const alice = wallet.Address("alice")
	spare := func(id string) fairness.Spare {
		return fairness.Spare{ID: id, Seed: fairness.ServerSeedFromText("seed of " + id)}
	}
	first := fairness.NewPair(spare("p1"), spare("p2"), "client", at)
	unseen := player.View{Player: player.Player{Wallet: alice}}
	known := player.View{Player: player.Player{Wallet: alice, CreatedAt: time.Unix(1, 0)}, Pair: first}
	made := unseen.Events(&player.Change{Pair: &first})
	revealed, second := first.Rotate(fairness.Choose("mine", false, ""), spare("p3"), at)
	made = append(made, known.Events(&player.Change{Pair: &second, Retired: &revealed})...)
	is := map[string]string{}
	var states []string
	for _, e := range made {
		if e.Was != is[e.ID] {
			t.Errorf("%s was %q, not %q", e.ID, e.Was, is[e.ID])
		}
		is[e.ID] = e.Digest()
		states = append(states, e.ID+" "+e.Fields[0].Value)
	}
	if !slices.Equal(states, []string{"p1 active", "p2 next", "p1 retired", "p2 active", "p3 next"}) {
		t.Errorf("%v", states)
	}
}
