package player_test

import (
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// decided is one decision with its expected complete change, so that an extra or missing
// field shows, or with the kind of its refusal.
type decided struct {
	name    string
	view    func(*player.View) // the differences from known
	decide  func(player.View) (player.Change, error)
	want    func(player.View) player.Change
	refused fault.Kind
}

func run(t *testing.T, rows []decided) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			view := known()
			if row.view != nil {
				row.view(&view)
			}
			got, err := row.decide(view)
			if row.want == nil {
				if !fault.Is(err, row.refused) || !reflect.DeepEqual(got, player.Change{}) {
					t.Errorf("%+v, %v, want a refusal of kind %d", got, err, row.refused)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			alike(t, got, row.want(view))
			item := seeing(view, got)
			if err := player.Check(&item, &view, &got); err != nil {
				t.Error(err)
			}
		})
	}
}

// seeing returns an item that needs everything that its change concerns.
func seeing(v player.View, c player.Change) player.Item {
	n := player.Needs{
		Tokens: []money.Token{money.SOL, "usd"}, Pair: true, Draw: true, Open: true, Unclaimed: true, Seamless: []seamless.Ref{spin},
		Withdrawals: slices.Collect(maps.Keys(v.Withdrawals)), Funds: slices.Collect(maps.Keys(v.Funds)),
		Hours:      slices.Collect(maps.Keys(v.Hours)),
		Deliveries: slices.Collect(maps.Keys(v.Deliveries)), Approvals: slices.Collect(maps.Keys(v.Approvals)),
	}
	if c.Deposit != nil {
		n.Deposits = []deposit.Ref{c.Deposit.Ref}
	}
	if len(c.Votes) > 0 {
		n.Votes = &player.VotesNeed{Of: c.Votes[0].Of}
	}
	if c.Pair != nil {
		n.ClientSeeds = []string{c.Pair.ClientSeed}
	}
	if c.Launch != nil {
		n.Launches = []string{c.Launch.Connection}
	}
	return player.Item{
		Wallet: v.Player.Wallet, At: at, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: "o1"}}, Needs: n,
		Decide: func(player.View) (player.Change, error) { return c, nil },
	}
}

// alike compares changes field by field, through pointers.
func alike(t *testing.T, got, want player.Change) {
	t.Helper()
	a, b := reflect.ValueOf(got), reflect.ValueOf(want)
	for i := range a.NumField() {
		x, y := a.Field(i), b.Field(i)
		if x.Kind() == reflect.Pointer && !x.IsNil() && !y.IsNil() {
			x, y = x.Elem(), y.Elem()
		}
		if !reflect.DeepEqual(x.Interface(), y.Interface()) {
			t.Errorf("%s is\n %+v, want\n %+v", a.Type().Field(i).Name, x, y)
		}
	}
}

// at is the time of all decisions in these tables.
var at = time.Date(2026, 11, 21, 15, 30, 0, 0, time.UTC)

// ops is an admin of agent north with the permissions of finance.
const ops = wallet.Address("ops")

// known is a player of agent north with 10,000 lamports and one limit of each kind, and
// the admins who decide about her.
func known() player.View {
	limits, err := protection.State{}.WithLimits([]protection.LimitRequest{
		{Kind: protection.Deposit, Period: protection.Day, Token: money.SOL, Amount: 50_000},
		{Kind: protection.Wager, Period: protection.Day, Token: money.SOL, Amount: 50_000},
		{Kind: protection.Loss, Period: protection.Day, Token: money.SOL, Amount: 50_000},
	}, at.Add(-time.Hour))
	if err != nil {
		panic(err)
	}
	return player.View{
		Player:   player.Player{Wallet: alice, Agent: "north", CreatedAt: at.Add(-48 * time.Hour), Protection: limits},
		Balances: map[money.Token]money.Amount{money.SOL: 10_000},
		Roles: map[wallet.Address]rbac.Assignment{
			finance: {Wallet: finance, Role: "finance"}, boss: {Wallet: boss, Role: "superadmin"},
			support: {Wallet: support, Role: "support"}, alice: {Wallet: alice, Role: "superadmin"},
			ops: {Wallet: ops, Role: "finance", AgentCode: "north"},
		},
	}
}

// stranger replaces the player by one who never signed in.
func stranger(v *player.View) { v.Player = player.Player{Wallet: alice} }

// elsewhere moves the player to an agent that ops doesn't see.
func elsewhere(v *player.View) { v.Player.Agent = "south" }

// metered is the player's row after an update of its meters.
func metered(v player.View, next protection.State, moved bool) *player.Player {
	if !moved {
		panic("the fixture has limits in every token that is moved")
	}
	row := v.Player
	row.Protection = next
	return &row
}

func one(kind ledger.KeyKind, scope, id string, from, to ledger.Account, amount money.Amount) []ledger.Posting {
	return []ledger.Posting{{
		Key:       ledger.Key{Kind: kind, Scope: scope, ID: id},
		Transfers: []ledger.Transfer{{Debit: from, Credit: to, Token: money.SOL, Amount: amount}},
	}}
}
