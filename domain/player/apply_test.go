package player_test

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// rich is a wallet with a value in every part.
func rich() player.View {
	ref := deposit.Ref{Signature: "tx", Token: money.SOL}
	return player.View{
		Player:    player.Player{Wallet: alice, Agent: "house", CreatedAt: time.Unix(1, 0)},
		Balances:  map[money.Token]money.Amount{money.SOL: 100},
		Unclaimed: map[money.Token]money.Amount{money.SOL: 40},
		Withdrawals: map[string]withdrawal.Withdrawal{
			"w": {ID: "w", Wallet: alice, Status: withdrawal.Pending, Token: money.SOL, Amount: 10},
		},
		Deposits:        map[deposit.Ref]deposit.Claim{ref: {ID: "d", Wallet: alice, Ref: ref, Status: deposit.Pending}},
		OpenWithdrawals: 1, OpenDeposits: 1,
	}
}

func posting(transfers ...ledger.Transfer) player.Change {
	return player.Change{Postings: []ledger.Posting{{Key: ledger.Key{Kind: ledger.Adjust, ID: "a"}, Transfers: transfers}}}
}

func move(from, to ledger.Account, amount money.Amount) ledger.Transfer {
	return ledger.Transfer{Debit: from, Credit: to, Token: money.SOL, Amount: amount}
}

func TestApplyRefusesImpossibleChanges(t *testing.T) {
	t.Parallel()
	own, house, unclaimed := ledger.PlayerOf(alice), ledger.System(ledger.House), ledger.UnclaimedOf(alice)
	for name, change := range map[string]player.Change{
		"more than the balance":          posting(move(own, house, 101)),
		"below zero in between":          posting(move(own, house, 101), move(house, own, 101)),
		"more than is unclaimed":         posting(move(unclaimed, own, 41)),
		"above the largest amount":       posting(move(house, own, money.Max)),
		"another wallet's balance":       posting(move(ledger.PlayerOf("bob"), own, 1)),
		"another wallet's unclaimed":     posting(move(house, ledger.UnclaimedOf("bob"), 1)),
		"the hold of nothing known":      posting(move(own, ledger.HoldOf("other"), 1)),
		"nothing":                        posting(move(house, own, 0)),
		"less than nothing":              posting(move(house, own, -5)),
		"from an account to itself":      posting(move(own, own, 5)),
		"an account that can't be":       posting(move(ledger.Account{Kind: ledger.Player}, own, 5)),
		"an unknown kind of account":     posting(move(ledger.Account{Kind: 99, Owner: "x"}, own, 5)),
		"an owner where there is none":   posting(move(ledger.Account{Kind: ledger.House, Owner: "x"}, own, 5)),
		"no token":                       posting(ledger.Transfer{Debit: house, Credit: own, Amount: 5}),
		"another token than it has":      posting(ledger.Transfer{Debit: own, Credit: house, Token: "usd", Amount: 1}),
		"good first and then impossible": posting(move(own, house, 50), move(own, house, 51)),
	} {
		if after, err := player.Apply(rich(), change); err == nil {
			t.Errorf("%s: gave %+v", name, after)
		}
	}
}

func TestApplyReplacesAndCounts(t *testing.T) {
	t.Parallel()
	before := rich()
	ref := deposit.Ref{Signature: "tx", Token: money.SOL}
	pair := fairness.Pair{ID: "p"}
	ended := before.Player
	ended.SessionsFrom = time.Unix(9, 0)
	for _, step := range []struct {
		change               player.Change
		withdrawals, waiting int
		check                func(player.View) bool
	}{
		{player.Change{}, 1, 1, func(v player.View) bool { return v.Balances[money.SOL] == 100 }},
		{player.Change{Player: &ended}, 1, 1, func(v player.View) bool { return reflect.DeepEqual(v.Player, ended) }},
		{player.Change{Pair: &pair}, 1, 1, func(v player.View) bool { return v.Pair.ID == "p" && v.Balances[money.SOL] == 100 }},
		{player.Change{Withdrawal: &withdrawal.Withdrawal{ID: "w", Status: withdrawal.Completed}}, 0, 1, nil},
		{player.Change{Withdrawal: &withdrawal.Withdrawal{ID: "w", Status: withdrawal.Failed}}, 1, 1, nil},
		{player.Change{Withdrawal: &withdrawal.Withdrawal{ID: "x", Status: withdrawal.Pending}}, 2, 1,
			func(v player.View) bool { return len(v.Withdrawals) == 2 }},
		{player.Change{Withdrawal: &withdrawal.Withdrawal{ID: "x", Status: withdrawal.Rejected}}, 1, 1, nil},
		{player.Change{Deposit: &deposit.Claim{Ref: ref, Status: deposit.Credited}}, 1, 0, nil},
		{player.Change{Deposit: &deposit.Claim{Ref: ref, Status: deposit.Pending}}, 1, 1, nil},
		{player.Change{Deposit: &deposit.Claim{Ref: deposit.Ref{Signature: "other"}, Status: deposit.Pending}}, 1, 2, nil},
		{player.Change{Deposit: &deposit.Claim{Ref: deposit.Ref{Signature: "other"}, Status: deposit.Review}}, 1, 1, nil},
	} {
		after, err := player.Apply(before, step.change)
		if err != nil || after.OpenWithdrawals != step.withdrawals || after.OpenDeposits != step.waiting {
			t.Errorf("%+v leaves %d and %d open: %v", step.change, after.OpenWithdrawals, after.OpenDeposits, err)
		}
		if step.check != nil && !step.check(after) {
			t.Errorf("%+v gives %+v", step.change, after)
		}
	}
}

func TestApplyLeavesItsArgumentAlone(t *testing.T) {
	t.Parallel()
	before := rich()
	want := fmt.Sprintf("%+v", before)
	w := withdrawal.Withdrawal{ID: "w", Status: withdrawal.Cancelled, Token: money.SOL, Amount: 10}
	change := posting(move(ledger.PlayerOf(alice), ledger.System(ledger.House), 60), move(ledger.UnclaimedOf(alice), ledger.PlayerOf(alice), 40),
		move(ledger.HoldOf("w"), ledger.PlayerOf(alice), 10))
	change.Withdrawal, change.Deposit = &w, &deposit.Claim{Ref: deposit.Ref{Signature: "tx", Token: money.SOL}, Status: deposit.Credited}
	after, err := player.Apply(before, change)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%+v", before); got != want {
		t.Errorf("it was %s\n and is %s", want, got)
	}
	if after.Balances[money.SOL] != 90 || after.Unclaimed[money.SOL] != 0 {
		t.Errorf("%+v", after)
	}
	if _, err := player.Apply(player.View{Player: player.Player{Wallet: alice}}, posting(move(ledger.System(ledger.Chain), ledger.PlayerOf(alice), 5))); err != nil {
		t.Errorf("an empty view takes no money: %v", err)
	}
}

// TestRandomLivesAgreeWithTheBook draws lines of a story. After each, view and book have
// the same balances, no decision returns an impossible booking, and all accounts sum to
// zero.
func TestRandomLivesAgreeWithTheBook(t *testing.T) {
	t.Parallel()
	verbs := []string{"bets", "rotates", "claims", "adjusts", "withdraws", "cancels", "approves", "rejects", "signs", "settles", "bets-broken"}
	rapid.Check(t, func(rt *rapid.T) {
		s := newStory(t)
		s.run("signs-in house")
		for range rapid.IntRange(5, 40).Draw(rt, "lines") {
			verb := rapid.SampledFrom(verbs).Draw(rt, "verb")
			small := fmt.Sprint(rapid.Int64Range(50, 60).Draw(rt, "small"))
			large := fmt.Sprint(rapid.Int64Range(100, 2000).Draw(rt, "large"))
			attempt := fmt.Sprint(rapid.IntRange(1, 3).Draw(rt, "attempt"))
			args := map[string][]string{
				"bets": {large}, "bets-broken": {large}, "rotates": {"mine"}, "adjusts": {large, "boss"},
				"claims":    {attempt, rapid.SampledFrom([]string{"pending", "review", "rejected", "credited"}).Draw(rt, "verdict"), large},
				"withdraws": {small}, "cancels": {small}, "approves": {small, "finance"}, "rejects": {small, "support"},
				"signs":   {small, attempt},
				"settles": {small, attempt, rapid.SampledFrom([]string{"finalized", "errored", "dead", "unknown"}).Draw(rt, "fate")},
			}[verb]
			change, err := s.decide(verb, args)
			if err != nil {
				if fault.KindOf(err) == fault.Internal {
					rt.Fatalf("%s %v: %v", verb, args, err)
				}
				continue
			}
			if before, ok := s.view.Withdrawals["w-"+small]; verb == "withdraws" && ok {
				rt.Logf("asked again: %+v", before) // ids are unique in stores; here the name is the amount
				continue
			}
			s.apply(change)
		}
		if t.Failed() {
			rt.Fatal("the view and the book have come apart")
		}
		for mint, sum := range s.book.Sums() {
			if sum.Sign() != 0 {
				rt.Fatalf("all accounts of %s add up to %v", mint, sum)
			}
		}
		held := money.Total{}
		open := 0
		for _, w := range s.view.Withdrawals {
			if w.Status.Open() {
				held = held.AddAmount(w.Amount)
				open++
			}
		}
		if held != s.held() || open != s.view.OpenWithdrawals {
			rt.Fatalf("%d open withdrawals of %v, the holds have %v and the count is %d", open, held, s.held(), s.view.OpenWithdrawals)
		}
	})
}

func TestUsedUpPairIsRefused(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.run("signs-in house")
	s.view.Pair.Nonce = math.MaxInt64
	if _, err := s.bets(game.Dice(), 100); !fault.Is(err, fault.InvalidState) {
		t.Errorf("%v", err)
	}
}

func TestWhatIsRecorded(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	check := func(line string, want audit.Record) {
		t.Helper()
		s.run(line)
		got := s.last.Audit[0]
		got.ID, got.At, got.RequestID = "", time.Time{}, ""
		if got != want {
			t.Errorf("%s\n records %+v\n want %+v", line, got, want)
		}
	}
	check("signs-in agent-7", audit.Record{Action: audit.PlayerFirstSignedIn, By: alice, Target: "alice", After: "agent-7"})
	sol := " " + string(money.SOL)
	check("adjusts 900 boss", audit.Record{
		Action: audit.BalanceAdjusted, By: boss, Target: "alice", Before: "0" + sol, After: "900" + sol,
	})
	s.run("withdraws 100")
	check("approves 100 finance", audit.Record{
		Action: audit.WithdrawalApproved, By: finance, Target: "w-100", Before: "pending, approvals 0", After: "approved, approvals 1",
	})
	check("rejects 100 support", audit.Record{
		Action: audit.WithdrawalRejected, By: support, Target: "w-100", Before: "approved, approvals 1",
		After: `rejected, approvals 1, reason "odd"`,
	})
	change, err := player.EndSessions(s.view, "audit", "request", time.Unix(7, 0))
	if err != nil || change.Audit[0].Action != audit.SessionsEnded || !change.Player.SessionsFrom.Equal(time.Unix(7, 0)) ||
		change.Player.Agent != "agent-7" {
		t.Errorf("%+v, %v", change, err)
	}
}

func TestCapitalIsBookedUnderItsReference(t *testing.T) {
	t.Parallel()
	change, err := player.BookCapital(player.TopUp{Token: money.SOL, Amount: 5000, Reference: "signature", AuditID: "a"})
	if err != nil {
		t.Fatal(err)
	}
	var book ledger.Book
	for range 2 { // the same again changes nothing
		if err := book.Post(change.Postings[0]); err != nil {
			t.Fatal(err)
		}
	}
	if got := book.Balance(ledger.System(ledger.Capital), money.SOL); got != money.TotalOf(5000) {
		t.Errorf("capital is %v", got)
	}
	if change.Audit[0].Action != audit.CapitalBooked || change.Audit[0].Target != "signature" {
		t.Errorf("recorded as %+v", change.Audit)
	}
	if _, err := player.Apply(player.View{}, change); err != nil {
		t.Errorf("an item without a wallet can't apply it: %v", err)
	}
}

func TestUniqueKeysHaveOneOrder(t *testing.T) {
	t.Parallel()
	sorted := []player.UniqueKey{
		{Kind: player.DepositKey, Scope: "a", ID: "z"}, {Kind: player.DepositKey, Scope: "b", ID: "a"},
		{Kind: player.IdempotencyKey, ID: "a"}, {Kind: player.IdempotencyKey, ID: "b", Fingerprint: "x"},
		{Kind: player.OperationKey}, {Kind: player.RoundKey, ID: "a"},
	}
	for i, x := range sorted {
		for j, y := range sorted {
			if got := x.Compare(y); (got < 0) != (i < j) || (got == 0) != (i == j) {
				t.Errorf("%+v and %+v compare as %d", x, y, got)
			}
		}
	}
	if (player.UniqueKey{Kind: "k", ID: "i", Fingerprint: "f"}).Compare(player.UniqueKey{Kind: "k", ID: "i", Fingerprint: "g"}) != 0 {
		t.Error("a fingerprint makes another claim")
	}
}

func TestChangesPrintNoSeed(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.run("signs-in house")
	printed := fmt.Sprintf("%v %+v %#v %s", s.view, s.view, s.view, fmt.Sprint(*s.last.Pair))
	for _, seed := range []fairness.ServerSeed{s.view.Pair.Seed, s.view.Pair.Next.Seed} {
		if text := seed.Reveal(); len(text) != 64 || strings.Contains(printed, text) {
			t.Errorf("a view prints its seed of %d characters", len(text))
		}
	}
}

func ExampleApply() {
	view := player.View{
		Player:   player.Player{Wallet: "alice", Agent: player.HouseAgent, CreatedAt: time.Unix(1, 0)},
		Balances: map[money.Token]money.Amount{money.SOL: 50_000},
		Pair: fairness.NewPair(fairness.Spare{ID: "p1", Seed: fairness.NewServerSeed([32]byte{1})},
			fairness.Spare{ID: "p2", Seed: fairness.NewServerSeed([32]byte{2})}, "lucky", at),
	}
	order, _ := bet.NewOrder(game.Dice(), game.Value{}, 10_000)
	order.ID, order.Wallet, order.Terms, order.Bankroll = "r1", "alice", terms(), money.TotalOf(10_000_000)
	change, err := player.Play(view, order, fairness.Spare{}, "", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	next, err := player.Apply(view, change)
	fmt.Println(change.Round.Payout, next.Balances[money.SOL], next.Pair.Nonce, err)
	// Output: 19800 59800 1 <nil>
}

// bound adds admins of two agents, and one of none, under a policy in which a role bound
// to an agent moves money.
func bound(v player.View) (player.View, rbac.Policy) {
	v.Roles = map[wallet.Address]rbac.Assignment{
		"own": {Wallet: "own", Role: "branch", AgentCode: "acme"}, "rival": {Wallet: "rival", Role: "branch", AgentCode: "rival"},
		finance: {Wallet: finance, Role: "finance"}, boss: {Wallet: boss, Role: "finance"}, alice: {Wallet: alice, Role: "finance"},
	}
	return v, rbac.NewPolicy(append(rbac.DefaultPolicy().Roles(), rbac.Role{
		Name: "branch", Level: 3, NeedsAgent: true, Permissions: []rbac.Permission{rbac.AdminRead, rbac.BalancesWrite},
	})...)
}

func TestWhoDecidesOnAWinInReview(t *testing.T) {
	t.Parallel()
	v, policy := bound(asking())
	for by, kind := range map[wallet.Address]fault.Kind{
		"own": none, finance: none, "rival": fault.NotFound, alice: fault.Forbidden, "nobody": fault.AdminForbidden,
	} {
		for _, pay := range []bool{true, false} {
			change, err := player.SettleReview(v, player.ProviderReviewDecision{
				ID: "decision", By: by, Terms: alone, Policy: policy, Pay: pay, Reason: "seen", AuditID: "a", At: noon,
				Transaction: seamless.Transaction{
					ID: "t", Kind: seamless.Credit, Wallet: alice, Agent: "acme", Token: money.SOL, Win: 50, Status: seamless.Review,
				},
			})
			if kind == none && (err != nil || change.Seamless == nil) || kind != none && !fault.Is(err, kind) {
				t.Errorf("by %s, paid %v: %+v, %v", by, pay, change.Seamless, err)
			}
		}
	}
}

// none means no refusal.
const none fault.Kind = 255

// TestWhoBooksAnAgentsFunds: admins bound to an agent can't book funds, alone or as the
// second of two, their own agent's or another's.
func TestWhoBooksAnAgentsFunds(t *testing.T) {
	t.Parallel()
	ref := agent.FundsRef{Agent: "acme", Token: money.SOL}
	v, policy := bound(player.View{Funds: map[agent.FundsRef]agent.Funds{ref: {Balance: 1000}}})
	for by, forbidden := range map[wallet.Address]bool{"own": true, "rival": true, finance: false} {
		for _, amount := range []int64{10, -10} {
			change, err := player.RequestFunding(v, player.FundingRequest{
				Funding: player.Funding{ID: "f", Ref: ref, Amount: amount, Reason: "wire", By: by, At: noon},
				Terms:   terms(), Policy: policy, ApprovalID: "app", AuditID: "a",
			})
			if fault.Is(err, fault.Forbidden) != forbidden || (change.Funding == nil) != forbidden {
				t.Errorf("%d by %s: %+v, %v", amount, by, change.Funding, err)
			}
		}
		asked := approval.Approval{
			Request: approval.Request{Kind: approval.AgentFunds, Token: money.SOL, Amount: 9000, Reason: "wire"},
			Agent:   "acme", By: boss, Status: approval.Approved, DecidedBy: by, DecidedAt: noon,
		}
		change, err := player.FundApproved(v, asked, "f", "a", "r")
		if fault.Is(err, fault.Forbidden) != forbidden || (change.Funding == nil) != forbidden {
			t.Errorf("agreed to by %s: %+v, %v", by, change.Funding, err)
		}
	}
}

// TestAdminsCantResolveTheirOwnDeposits covers both a credit and declining.
func TestAdminsCantResolveTheirOwnDeposits(t *testing.T) {
	t.Parallel()
	ref := deposit.Ref{Signature: "paid", Token: money.SOL}
	claim := deposit.Claim{ID: "c", Wallet: alice, Ref: ref, Status: deposit.Review, CreatedAt: noon, UpdatedAt: noon}
	v, policy := bound(asking())
	v.Deposits = map[deposit.Ref]deposit.Claim{ref: claim}
	for by, forbidden := range map[wallet.Address]bool{alice: true, finance: false} {
		resolution := player.DepositDecision{First: boss, By: by, Policy: policy, Reason: "seen", AuditID: "a", At: noon}
		credited, err := player.ResolveDeposit(v, claim, 40, resolution)
		if fault.Is(err, fault.Forbidden) != forbidden || (credited.Deposit == nil) != forbidden {
			t.Errorf("credited by %s: %+v, %v", by, credited.Deposit, err)
		}
		declined, err := player.DeclineDeposit(v, ref, resolution)
		if fault.Is(err, fault.Forbidden) != forbidden || (declined.Deposit == nil) != forbidden {
			t.Errorf("declined by %s: %+v, %v", by, declined.Deposit, err)
		}
	}
}
