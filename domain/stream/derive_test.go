package stream_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

const (
	alice = wallet.Address("alice")
	bob   = wallet.Address("bob")
	ada   = wallet.Address("ada") // an admin
)

var (
	at    = time.Unix(1_700_000_000, 0).UTC()
	later = at.Add(time.Hour)
)

// blockOf returns a block with audit records, rounds, transactions and things.
func blockOf(rows ...any) *stream.Block {
	b := &stream.Block{Head: hashchain.Head{Lane: 2, Seq: 5}, Number: 40, At: at, Epoch: 1}
	for i, row := range rows {
		r := stream.Row{Position: 2 * i}
		switch row := row.(type) {
		case bet.Round:
			r.Round = &row
		case seamless.Transaction:
			r.Seamless = &row
		case audit.Record:
			r.Audit = &row
		case event.Event:
			r.Thing = &row
		default:
			panic(fmt.Sprintf("no row: %T", row))
		}
		b.Rows = append(b.Rows, r)
	}
	return b
}

func types(made []stream.Event) string {
	var all []string
	for _, e := range made {
		all = append(all, string(e.Type))
	}
	return strings.Join(all, " ")
}

func TestOrdersAndIdsOfARow(t *testing.T) {
	t.Parallel()
	made := stream.Events(blockOf(
		event.New(event.Login, "l", alice, event.Text("keepUntil", "5")),
		bet.Round{ID: "r1", Wallet: alice, Token: "sol", Wager: 5, Payout: 7, Balance: 12, At: later},
	))
	if types(made) != "round.settled balance.changed" || made[0].ID != "2.5.2" || made[1].ID != "2.5.2.1" {
		t.Fatalf("%+v", made)
	}
	if a, b := made[0].Order, made[1].Order; a != (stream.Order{Number: 40, Position: 2}) || b != (stream.Order{Number: 40, Position: 2, Part: 1}) ||
		a.String() >= b.String() || !made[0].At.Equal(later) {
		t.Errorf("%v, %v", a, b)
	}
}

// TestRoundsAndWhatTheyMakeOfBalances has rounds of one call, void ones, and stepped
// ones, whose balances are in facts.
func TestRoundsAndWhatTheyMakeOfBalances(t *testing.T) {
	t.Parallel()
	round := func(wager, payout, balance int64, more func(*bet.Round)) bet.Round {
		r := bet.Round{ID: "r1", Wallet: alice, Agent: "acme", Token: "sol", Wager: sol(wager), Payout: sol(payout), Balance: sol(balance), At: at}
		if more != nil {
			more(&r)
		}
		return r
	}
	void := func(r *bet.Round) { r.Void = true }
	stepped := func(r *bet.Round) { r.Actions = game.List(game.Text("hit")) }
	for name, c := range map[string]struct {
		round  bet.Round
		types  string
		change stream.Balance
	}{
		"a win":        {round(5, 7, 12, nil), "round.settled balance.changed", stream.Balance{Amount: 2, After: 12}},
		"a loss":       {round(5, 0, 0, nil), "round.settled balance.changed", stream.Balance{Amount: -5}},
		"as much back": {round(5, 5, 10, nil), "round.settled", stream.Balance{}},
		"void":         {round(5, 5, 10, void), "round.void", stream.Balance{}},
		"by steps":     {round(5, 9, 12, stepped), "round.settled", stream.Balance{}},
	} {
		made := stream.Events(blockOf(c.round))
		if types(made) != c.types {
			t.Fatalf("%s: %s", name, types(made))
		}
		if said := made[0].Data.(stream.Settled); !reflect.DeepEqual(said.Round, c.round) || made[0].Agent != "acme" || made[0].Wallet != alice {
			t.Errorf("%s: %+v", name, made[0])
		}
		if len(made) == 2 {
			c.change.Token, c.change.Cause, c.change.Of = "sol", stream.CauseRound, "r1"
			if made[1].Data != c.change || made[1].Subject != "r1" {
				t.Errorf("%s: %+v", name, made[1])
			}
		}
	}
}

func TestTransactionsOfProviders(t *testing.T) {
	t.Parallel()
	taken := seamless.Transaction{
		ID: "t1", Wallet: alice, Agent: "acme", Token: "sol", Bet: 5, Win: 7, Status: seamless.Taken, RoundID: "r1", Balance: 12, At: at,
	}
	with := func(change func(*seamless.Transaction)) seamless.Transaction {
		t := taken
		change(&t)
		return t
	}
	for name, c := range map[string]struct {
		transaction seamless.Transaction
		want        int64 // 0 if it doesn't change
	}{
		"a round":        {taken, 2},
		"in review":      {with(func(t *seamless.Transaction) { t.Status = seamless.Review }), -5},
		"refused":        {with(func(t *seamless.Transaction) { t.Status, t.Bet, t.Win = seamless.Refused, 0, 0 }), 0},
		"turned down":    {with(func(t *seamless.Transaction) { t.Status, t.Bet = seamless.Refused, 0 }), 0},
		"at a site":      {with(func(t *seamless.Transaction) { t.Site = "https://site" }), 0},
		"a win of zero":  {with(func(t *seamless.Transaction) { t.Bet, t.Win = 0, 0 }), 0},
		"the bet is won": {with(func(t *seamless.Transaction) { t.Win = 5 }), 0},
	} {
		made := stream.Events(blockOf(c.transaction))
		if made[0].Type != stream.ProviderTransaction || made[0].Data != (stream.Provided{Transaction: c.transaction}) {
			t.Errorf("%s: %+v", name, made[0])
		}
		if len(made) > 1 != (c.want != 0) {
			t.Errorf("%s: %s", name, types(made))
		} else if c.want != 0 && made[1].Data != (stream.Balance{Token: "sol", Amount: c.want, After: 12, Cause: stream.CauseProvider, Of: "t1", Round: "r1"}) {
			t.Errorf("%s: %+v", name, made[1])
		}
	}
}

// TestThingsAreAnnounced checks the events of things and facts, alone and together with
// related rows of the same commit.
func TestThingsAreAnnounced(t *testing.T) {
	t.Parallel()
	open := bet.Open{
		ID: "r1", Wallet: alice, Agent: "acme", GameType: "blackjack", Token: "sol", Wager: 5, Stake: 5, Config: game.Object(),
		Actions: game.List(), Shown: game.Object(game.Member{Name: "cards", Value: game.List(game.Text("9♠"))}),
		Choices: game.List(game.Text("hit")), OpenedAt: at, TouchedAt: later,
	}
	ended := open
	ended.Ended = true
	request := approval.Approval{ID: "q1", Agent: "acme", Request: approval.Request{Wallet: alice}, By: ada, Status: approval.Open, CreatedAt: at}
	decided := request
	decided.Status = approval.Refused
	frozen := player.Player{Wallet: alice, Agent: "acme", CreatedAt: at, Protection: protection.State{Frozen: true}}
	retired := fairness.Revealed{ID: "p1", ServerSeed: "never shown", Commitment: "c1", ClientSeed: "mine", Rounds: 3}
	next := fairness.Pair{ID: "p2", Commitment: "c2", Next: fairness.NextSeed{ID: "p3", Commitment: "c3"}}
	role := rbac.Assignment{Wallet: bob, Role: "finance", AgentCode: "acme"}
	held := alarm.Raise("m1", alarm.WebhookDisabled, "e1", []alarm.Fact{{Name: "agent", Value: "acme"}}, at)
	known, err := held.Acknowledge(ada, "on it", false, later)
	if err != nil {
		t.Fatal(err)
	}
	sweep := event.New(event.Vote, "v", alice, event.Int("amount", 5))
	for name, c := range map[string]struct {
		rows []any
		want string
		data stream.Data
	}{
		"opened":         {[]any{open.Covered()}, "round.opened", stream.Open{Open: open}},
		"stepped":        {[]any{open.Covered().After(ended.Covered())}, "round.stepped", stream.Open{Open: open}},
		"ended":          {[]any{ended.Covered().After(open.Covered()), ended.Covered().Gone()}, "", nil},
		"unreadable":     {[]any{event.New(event.OpenRound, "r", alice, event.Text("shown", "{"))}, "", nil},
		"as it was":      {[]any{open.Covered().After(open.Covered())}, "", nil},
		"raised":         {[]any{held.Covered()}, "alarm.raised", stream.Alarm{Alarm: held}},
		"acknowledged":   {[]any{known.Covered().After(held.Covered())}, "alarm.acknowledged", stream.Alarm{Alarm: known}},
		"cleared":        {[]any{known.Over(later).Covered().After(known.Covered())}, "alarm.cleared", stream.Alarm{Alarm: known.Over(later)}},
		"asked":          {[]any{request.Covered()}, "approval.opened", stream.Approval{Approval: request}},
		"decided":        {[]any{decided.Covered().After(request.Covered())}, "approval.decided", stream.Approval{Approval: decided}},
		"a player":       {[]any{frozen.Covered()}, "player.created", stream.Player{Agent: "acme", CreatedAt: at, Protection: frozen.Protection}},
		"a player later": {[]any{frozen.Covered().After(open.Covered())}, "", nil},
		"rotated": {
			[]any{retired.Covered(alice, "p2").After(open.Covered()), next.Covered(alice), next.Next.Covered(alice)}, "seed.rotated",
			stream.Rotated{
				Retired: fairness.PairState{ID: "p1", State: "retired", Commitment: "c1", ClientSeed: "mine", Next: "p2", Rounds: 3},
				Next:    fairness.PairState{ID: "p2", State: "active", Commitment: "c2", Next: "p3"},
			},
		},
		"closed": {
			[]any{fairness.Closing{Pair: fairness.Pair{ID: "p1", Commitment: "c1", Nonce: 3}, NextID: "p2"}.Covered(alice), next.Covered(alice)}, "seed.closed",
			stream.Rotated{
				Retired: fairness.PairState{ID: "p1", State: "closing", Commitment: "c1", Next: "p2", Rounds: 3},
				Next:    fairness.PairState{ID: "p2", State: "active", Commitment: "c2", Next: "p3"},
			},
		},
		"retired after it closed": {
			[]any{retired.Covered(alice, "p2").After(open.Covered())}, "seed.rotated",
			stream.Rotated{Retired: fairness.PairState{ID: "p1", State: "retired", Commitment: "c1", ClientSeed: "mine", Next: "p2", Rounds: 3}},
		},
		"a role": {
			[]any{audit.Record{Action: audit.RoleGranted, By: ada, Target: "bob", At: at}, role.Covered()}, "role.granted",
			stream.Role{Record: audit.Record{Action: audit.RoleGranted, By: ada, Target: "bob", At: at}, Role: "finance", Agent: "acme"},
		},
		"no role": {
			[]any{audit.Record{Action: audit.RoleRevoked, By: ada, Target: "bob", At: at}, role.Covered().Gone()}, "role.revoked",
			stream.Role{Record: audit.Record{Action: audit.RoleRevoked, By: ada, Target: "bob", At: at}},
		},
		"an adjustment": {
			[]any{
				player.Adjustment{ID: "a1", Wallet: alice, Amount: -5, Reason: "typo", By: ada, At: at}.Covered(), sweep,
				event.New(event.Balance, "b", alice, event.Text("token", "sol"), event.Int("amount", -5), event.Int("balance", 3), event.Text("cause", "adjust"), event.Text("of", "a1")),
			}, "balance.changed", stream.Balance{Token: "sol", Amount: -5, After: 3, Cause: "adjust", Of: "a1", By: ada, Reason: "typo"},
		},
		"funds": {
			[]any{event.New(event.Funding, "f1", "", event.Text("agent", "acme"), event.Text("token", "sol"), event.Int("amount", -3), event.Int("balance", -4), event.Text("reason", "why"), event.Text("by", ada), event.Time("at", at))},
			"funds.booked", stream.Funds{ID: "f1", Agent: "acme", Token: "sol", Amount: -3, Balance: -4, Reason: "why", By: ada},
		},
		"a session": {
			[]any{event.New(event.Session, "alice/1", alice, event.Time("issuedAt", at), event.Time("until", later))}, "session.started",
			stream.Session{IssuedAt: at, Until: later},
		},
		"no session": {[]any{event.New(event.Signout, "alice/1", alice, event.Time("from", at))}, "session.ended", stream.SessionsEnd{From: at}},
		"other things": {[]any{
			event.New(event.Login, "l", alice, event.Int("a", 1)), event.New(event.Attempt, "w/1", alice, event.Int("a", 1)), sweep, role.Covered(),
			next.Covered(alice), next.Next.Covered(alice),
		}, "", nil},
	} {
		made := stream.Events(blockOf(c.rows...))
		if types(made) != c.want {
			t.Errorf("%s is announced as %q", name, types(made))
			continue
		}
		if c.want != "" && fmt.Sprintf("%+v", made[0].Data) != fmt.Sprintf("%+v", c.data) {
			t.Errorf("%s: %+v\nwant %+v", name, made[0].Data, c.data)
		}
	}
}

func TestProtectionIsAnnouncedByWhatWasDone(t *testing.T) {
	t.Parallel()
	p := player.Player{Wallet: alice, Agent: "acme", CreatedAt: at, Protection: protection.State{Frozen: true, CoolOffUntil: later}}
	for action, want := range map[audit.Action]stream.Type{
		audit.LimitsChanged: stream.PlayerLimited, audit.PlayerExcluded: stream.PlayerExcluded, audit.PlayerCooledOff: stream.PlayerCooledOff,
		audit.PlayerFrozen: stream.PlayerFrozen, audit.PlayerReleased: stream.PlayerReleased, audit.PlayerRebinding: stream.PlayerRebound,
	} {
		fields := append([]event.Field{event.Text("action", action), event.Text("by", ada), event.Text("from", "south")}, p.Covered().Fields...)
		made := stream.Events(blockOf(event.New(event.Protection, "q1", alice, fields...)))
		data := stream.Player{Agent: "acme", CreatedAt: at, Protection: p.Protection, By: ada, From: "south", Record: "q1"}
		if types(made) != string(want) || !reflect.DeepEqual(made[0].Data, data) || made[0].Subject != "alice" || made[0].Agent != "acme" {
			t.Errorf("%s: %+v", action, made)
		}
	}
}

// TestDepositsAndWithdrawalsByTheirStates has a type for each state; a withdrawal's also
// depends on its state before, which the story of package player shows.
func TestDepositsAndWithdrawalsByTheirStates(t *testing.T) {
	t.Parallel()
	for _, status := range []deposit.Status{deposit.Pending, deposit.Review, deposit.Credited, deposit.Rejected} {
		claim := deposit.Claim{ID: "d1", Wallet: alice, Ref: deposit.Ref{Signature: "s", Token: "sol"}, Status: status, Amount: 5, Reason: "why", CreatedAt: at, UpdatedAt: later}
		made := stream.Events(blockOf(claim.Covered()))
		if types(made) != "deposit."+string(status) || made[0].Data != (stream.Deposit{Claim: claim}) {
			t.Errorf("%s: %+v", status, made)
		}
	}
	given := []withdrawal.Approval{{By: ada, At: at, Note: "fine with me", Needed: 2}}
	w := withdrawal.Withdrawal{ID: "w1", Wallet: alice, Token: "sol", Amount: 5, Fee: 1, Destination: "there", CreatedAt: at, UpdatedAt: later}
	before := w.Covered()
	for name, c := range map[string]struct {
		change func(*withdrawal.Withdrawal)
		beside []any
		want   stream.Type
	}{
		"voted":      {func(w *withdrawal.Withdrawal) { w.Status, w.Approvals = withdrawal.Pending, given }, nil, stream.WithdrawalVoted},
		"voted anew": {func(w *withdrawal.Withdrawal) { w.Status, w.Approvals = withdrawal.Failed, given }, nil, stream.WithdrawalVoted},
		"approved":   {func(w *withdrawal.Withdrawal) { w.Status, w.Approvals = withdrawal.Approved, given }, nil, stream.WithdrawalApproved},
		"hindered":   {func(w *withdrawal.Withdrawal) { w.Status, w.Reason = withdrawal.Approved, "no" }, nil, stream.WithdrawalHindered},
		"expired": {func(w *withdrawal.Withdrawal) { w.Status, w.Attempt = withdrawal.Approved, 2 },
			[]any{withdrawal.CoveredDead("w1", 2, alice)}, stream.WithdrawalExpired},
		"approved, an earlier attempt dead": {func(w *withdrawal.Withdrawal) { w.Status, w.Attempt = withdrawal.Approved, 2 },
			[]any{withdrawal.CoveredDead("w1", 1, alice), withdrawal.CoveredDead("w2", 2, alice)}, stream.WithdrawalApproved},
		"sending":   {func(w *withdrawal.Withdrawal) { w.Status = withdrawal.Sending }, nil, stream.WithdrawalSending},
		"completed": {func(w *withdrawal.Withdrawal) { w.Status = withdrawal.Completed }, nil, stream.WithdrawalCompleted},
		"failed":    {func(w *withdrawal.Withdrawal) { w.Status = withdrawal.Failed }, nil, stream.WithdrawalFailed},
		"rejected":  {func(w *withdrawal.Withdrawal) { w.Status = withdrawal.Rejected }, nil, stream.WithdrawalRejected},
		"cancelled": {func(w *withdrawal.Withdrawal) { w.Status = withdrawal.Cancelled }, nil, stream.WithdrawalCancelled},
	} {
		is := w
		c.change(&is)
		made := stream.Events(blockOf(append([]any{is.Covered().After(before)}, c.beside...)...))
		if types(made) != string(c.want) || !reflect.DeepEqual(made[0].Data, stream.Withdrawal{Withdrawal: is}) {
			t.Errorf("%s: %+v", name, made)
		}
	}
}

// TestAPlayersEventsFollowFromTheirRows: a player's events are the same with and
// without the rows of others.
func TestAPlayersEventsFollowFromTheirRows(t *testing.T) {
	t.Parallel()
	of := func(w wallet.Address) []any {
		id := string(w)
		claim := deposit.Claim{ID: "d" + id, Wallet: w, Status: deposit.Pending}
		expired := withdrawal.Withdrawal{ID: "w" + id, Wallet: w, Status: withdrawal.Approved, Attempt: 1, CreatedAt: at}
		return []any{
			claim.Covered(), expired.Covered(), withdrawal.CoveredDead("w"+id, 1, w),
			fairness.Revealed{ID: "p" + id, Commitment: "c"}.Covered(w, "q"+id), fairness.Pair{ID: "q" + id, Since: at}.Covered(w),
			player.Adjustment{ID: "a" + id, Wallet: w, By: ada, At: at}.Covered(),
			event.New(event.Balance, "b"+id, w, event.Int("amount", 1), event.Text("cause", "adjust"), event.Text("of", "a"+id)),
			bet.Round{ID: "r" + id, Wallet: w, Wager: 1, At: at},
		}
	}
	alices, bobs := of(alice), of(bob)
	rows := []any{audit.Record{ID: "q", Action: audit.PlayerFrozen, Target: "alice"}, audit.Record{ID: "g", Action: audit.GameSwitched, Target: "dice"}}
	for i := range alices {
		rows = append(rows, alices[i], bobs[i])
	}
	whole := blockOf(rows...)
	only := *whole
	only.Rows = slices.DeleteFunc(slices.Clone(whole.Rows), func(r stream.Row) bool {
		return r.Audit != nil || r.Thing != nil && r.Thing.Wallet != alice || r.Round != nil && r.Round.Wallet != alice
	})
	own := slices.DeleteFunc(stream.Events(whole), func(e stream.Event) bool { return e.Wallet != alice })
	if got := stream.Events(&only); !reflect.DeepEqual(got, own) || len(own) != 6 {
		t.Errorf("%+v\nof all rows %+v", got, own)
	}
}
