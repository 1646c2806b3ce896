package solvency_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/solvency"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/stores"
)

// TestMain runs every test on memory and on SQLite.
func TestMain(m *testing.M) { os.Exit(stores.Everywhere(m)) }

var signer = fakes.StatementSigner{Names: []string{"new", "old"}}

// open opens a casino that states what it owes, with players who are owed something.
func open(t *testing.T, options ...func(*app.Deps)) *apptest.House {
	t.Helper()
	h := apptest.Open(t, append([]func(*app.Deps){func(d *app.Deps) { d.Settings.SolvencyKeep, d.Receipts = 2*time.Hour, signer }}, options...)...)
	if err := h.Store.Initialize(h.Ctx, ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "the ledger"}); err != nil {
		t.Fatal(err)
	}
	return h
}

// stated opens a signed statement.
func stated(t *testing.T, s checkpoint.Signed) (checkpoint.Statement, []solvency.Stated) {
	t.Helper()
	statement, err := s.Open(solvency.Purpose, signer.PublicKeys()...)
	if err != nil {
		t.Fatal(err)
	}
	return statement, apptest.OK(solvency.ParseFacts(statement.Facts))(t)
}

func step(t *testing.T, h *apptest.House) bool {
	t.Helper()
	return apptest.OK(h.Solvency.Step(h.Ctx))(t)
}

func TestEachPlayerIsProvedToBeCounted(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, bob := h.NewPlayer("alice", 50_000), h.NewPlayer("bob", 20_000)
	h.ApprovedWithdrawal("carol", 2_000)
	apptest.OK(h.Play.Play(h.Ctx, bob, apptest.Dice(100)))(t)
	apptest.Refused(t, apptest.ErrorOf(h.Solvency.Prove(h.Ctx, alice)), fault.NotFound)
	heads := apptest.OK(h.Store.Heads(h.Ctx))(t)
	if !step(t, h) || step(t, h) {
		t.Error("the hour has not one snapshot")
	}
	var sum money.Amount
	for name, caller := range map[string]app.Caller{"alice": alice, "bob": bob, "carol": apptest.Caller("carol")} {
		shown := apptest.OK(h.Solvency.Prove(h.Ctx, caller))(t)
		statement, all := stated(t, shown.Signed)
		if statement.Ledger != "the ledger" || !slices.Equal(statement.Heads, heads) || len(shown.Proofs) != 1 || shown.Wallet != caller.Wallet {
			t.Fatalf("%+v with %+v", statement, shown)
		}
		p := shown.Proofs[0]
		if err := p.Check(caller.Wallet, shown.Salt, all); err != nil {
			t.Error(err)
		}
		apptest.Equal(t, "available", p.Available, h.Balance(name))
		owed, _ := p.Sum()
		sum += owed
	}
	shown := apptest.OK(h.Solvency.Prove(h.Ctx, apptest.Caller("stranger")))(t)
	_, all := stated(t, shown.Signed)
	apptest.Equal(t, "a stranger's proofs", len(shown.Proofs), 0)
	at := slices.IndexFunc(all, func(s solvency.Stated) bool { return s.Token == money.SOL })
	apptest.Equal(t, "the sum", all[at].Root.Sum, sum)
	apptest.Equal(t, "leaves", all[at].Leaves, 3)
	apptest.Equal(t, "the treasury", all[at].Treasury, h.Chain.TreasuryAddress())
	apptest.Equal(t, "what it holds", *all[at].Holding, apptest.OK(h.Chain.Holding(h.Ctx, apptest.OK(h.Tokens.Known(money.SOL))(t)))(t))
}

func TestStatementsFollowEachHourAndOldOnesAreForgotten(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.NewPlayer("alice", 50_000)
	apptest.Equal(t, "before", len(apptest.OK(h.Solvency.Statements(h.Ctx))(t)), 0)
	var texts []string
	for range 4 {
		if !step(t, h) {
			t.Fatal("no snapshot")
		}
		shown := apptest.OK(h.Solvency.Prove(h.Ctx, alice))(t)
		texts = append([]string{shown.Signed.Text}, texts...)
		h.Clock.Advance(time.Hour)
	}
	kept := apptest.OK(h.Solvency.Statements(h.Ctx))(t)
	apptest.Equal(t, "kept", len(kept), 2)
	for i, s := range kept {
		apptest.Equal(t, "a statement", s.Text, texts[i])
	}
}

// TestInstancesMakeOneSnapshot lets another instance be faster.
func TestInstancesMakeOneSnapshot(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.NewPlayer("alice", 50_000)
	late := &lateStore{}
	other := h.Remade(func(d *app.Deps) {
		late.DebtReader = d.Store.DebtReader
		d.Store.DebtReader = late
	})
	late.before = func() { step(t, h) }
	if worked := apptest.OK(other.Solvency.Step(h.Ctx))(t); worked {
		t.Error("the hour has two snapshots")
	}
	apptest.Equal(t, "statements", len(apptest.OK(h.Solvency.Statements(h.Ctx))(t)), 1)
}

// lateStore does something before it reads what is owed.
type lateStore struct {
	ports.DebtReader
	before func()
}

func (l *lateStore) Debts(ctx context.Context) (solvency.Debts, []hashchain.Head, error) {
	l.before()
	return l.DebtReader.Debts(ctx)
}

// TestWhatDoesNotFollowIsNotSigned has another balance read than the blocks book, before the
// first snapshot and before the second one.
func TestWhatDoesNotFollowIsNotSigned(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.NewPlayer("alice", 50_000)
	yes, lower := true, true
	h = h.Remade(func(d *app.Deps) { d.Store.DebtReader = changedDebts{d.Store.DebtReader, alice.Wallet, &lower} })
	raised := func() bool {
		return len(h.StoredAlarms(ports.AlarmFilter{Open: &yes, Kind: alarm.SolvencyUnproved})) > 0
	}
	for hour, name := range []string{"bob", "carol"} {
		h.Clock.Advance(time.Hour)
		lower = true
		if _, err := h.Solvency.Step(h.Ctx); !errors.Is(err, solvency.ErrUnproved) || !raised() {
			t.Errorf("hour %d: %v, raised an alarm: %v", hour, err, raised())
		}
		apptest.Equal(t, "statements", len(apptest.OK(h.Solvency.Statements(h.Ctx))(t)), hour)
		apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t)
		h.ApprovedWithdrawal(name, 2_000)
		lower = false
		h.Clock.Advance(alarm.Quiet)
		if !step(t, h) || raised() {
			t.Errorf("hour %d: what follows is not signed, or the alarm stays open", hour)
		}
	}
}

// changedDebts owes a wallet a unit less than the ledger while lower is set.
type changedDebts struct {
	ports.DebtReader
	of    wallet.Address
	lower *bool
}

func (c changedDebts) Debts(ctx context.Context) (solvency.Debts, []hashchain.Head, error) {
	debts, heads, err := c.DebtReader.Debts(ctx)
	if *c.lower {
		owed := debts[money.SOL][c.of]
		owed.Available--
		debts[money.SOL][c.of] = owed
	}
	return debts, heads, err
}

// TestAChainThatIsAwayLeavesHoldingsUnknown: the statement is made all the same.
func TestAChainThatIsAwayLeavesHoldingsUnknown(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.NewPlayer("alice", 50_000)
	h.Chain.Fake.SetUnreachable(true)
	step(t, h)
	_, all := stated(t, apptest.OK(h.Solvency.Prove(h.Ctx, alice))(t).Signed)
	for _, s := range all {
		if s.Holding != nil {
			t.Errorf("%s: %d", s.Token, *s.Holding)
		}
	}
}

func TestASnapshotThatProvesNothingIsNotShown(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.NewPlayer("alice", 50_000)
	step(t, h)
	forged := h.Remade(func(d *app.Deps) { d.Store.Solvency = forgedStore{d.Store.Solvency} })
	_, err := forged.Solvency.Prove(h.Ctx, alice)
	if err == nil || errors.As(err, new(*fault.Error)) || !strings.Contains(err.Error(), "is broken") {
		t.Errorf("%v", err)
	}
}

// forgedStore has another statement than the tree is of.
type forgedStore struct{ ports.Solvency }

func (f forgedStore) Snapshots(ctx context.Context, limit int) ([]ports.SolvencySnapshot, error) {
	all, err := f.Solvency.Snapshots(ctx, limit)
	for i := range all {
		all[i].Signed.Text = strings.Replace(all[i].Signed.Text, "\nsum: 5", "\nsum: 4", 1)
	}
	return all, err
}

func TestWithoutKeysOrSettingNothingIsStated(t *testing.T) {
	t.Parallel()
	for _, option := range []func(*app.Deps){
		func(d *app.Deps) { d.Settings.SolvencyKeep, d.Receipts = time.Hour, nil }, func(d *app.Deps) { d.Receipts = signer },
	} {
		h := apptest.Open(t, option)
		if h.Solvency != nil || slices.ContainsFunc(h.Workers(), func(w kernel.Worker) bool { return w.Name == kernel.SolvencyWorker }) {
			t.Error("something is stated")
		}
	}
}

// TestBalancesAtAMoment asks as players and admins do.
func TestBalancesAtAMoment(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, boss := h.NewPlayer("alice", 50_000), h.NewAdmin("boss", "admin")
	before := h.Clock.Now()
	h.Clock.Advance(time.Minute)
	was := h.Balance("alice")
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t)
	for _, c := range []struct {
		at   time.Time
		want money.Amount
	}{{before, was}, {h.Clock.Now(), h.Balance("alice")}, {time.Time{}, h.Balance("alice")}} {
		apptest.Equal(t, "a player's", apptest.OK(h.Accounts.Balances(h.Ctx, alice, c.at))(t)[0].Amount, c.want)
		apptest.Equal(t, "an admin's", apptest.OK(h.Admin.AdminPlayer(h.Ctx, boss, string(alice.Wallet), c.at))(t).Balances[0].Amount, c.want)
	}
	future := h.Clock.Now().Add(time.Minute)
	apptest.Refused(t, apptest.ErrorOf(h.Accounts.Balances(h.Ctx, alice, future)), fault.Invalid)
	apptest.Refused(t, apptest.ErrorOf(h.Admin.Overview(h.Ctx, boss, future)), fault.Invalid)
	apptest.Refused(t, apptest.ErrorOf(h.Admin.Overview(h.Ctx, boss, before)), fault.NotFound)
	step(t, h)
	stated := h.Clock.Now()
	owed := apptest.OK(h.Admin.Overview(h.Ctx, boss, time.Time{}))(t).Tokens
	h.Clock.Advance(time.Minute)
	h.NewPlayer("bob", 7_000)
	then := apptest.OK(h.Admin.Overview(h.Ctx, boss, h.Clock.Now()))(t)
	for i, row := range then.Tokens {
		apptest.Equal(t, "liabilities", row.Liabilities, owed[i].Liabilities)
		apptest.Equal(t, "held", row.Held, owed[i].Held)
		if row.Treasury != nil {
			t.Error("the treasury of the present is compared")
		}
	}
	if age := stated.Sub(then.At); age < 0 || age >= time.Millisecond {
		t.Errorf("of %s, want %s", then.At, stated)
	}
	h.EnsureAgent("acme")
	operator := h.Founder("olga", "operator", "acme")
	apptest.Refused(t, apptest.ErrorOf(h.Admin.Overview(h.Ctx, operator, stated)), fault.Invalid)
}
