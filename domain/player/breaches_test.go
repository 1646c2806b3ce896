package player_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// TestEachRuleIsBrokenByItsBreach breaks valid changes in one respect each.
func TestEachRuleIsBrokenByItsBreach(t *testing.T) {
	t.Parallel()
	for name, make := range goods {
		l := make(t)
		if err := errors.Join(player.CheckItem(&l.item), player.Check(&l.item, &l.view, &l.c)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	tested := map[string]bool{}
	for _, row := range slices.Concat(breaches, openBreaches, closingBreaches, crashBreaches) {
		l := goods[row.of](t)
		row.spoil(&l)
		tested[row.rule] = true
		err := player.CheckItem(&l.item)
		if err == nil {
			err = player.Check(&l.item, &l.view, &l.c)
		}
		var broken *player.Breach
		if !errors.As(err, &broken) || broken.Name != row.rule {
			t.Errorf("%s, spoilt: %v, want %q", row.of, err, row.rule)
		}
	}
	for _, rule := range player.Rules() {
		if !tested[rule.Name] {
			t.Errorf("no breach of %q", rule.Name)
		}
	}
}

// votedBefore returns the votes with one more in the same thing, an hour earlier.
func votedBefore(l *lawful, change func(*player.Vote)) []player.Vote {
	y := l.c.Votes[0]
	y.At, y.Passes = at.Add(-time.Hour), false
	change(&y)
	return []player.Vote{y}
}

// free takes a wallet from an item.
func free(l *lawful) { l.item.Wallet = "" }

func long(n int) string { return strings.Repeat("x", n) }

type ruleBreach = struct {
	rule, of string
	spoil    func(l *lawful)
}

var breaches = []ruleBreach{
	{"item decision", "end", func(l *lawful) { l.item.Decide = nil }},
	{"item time", "end", func(l *lawful) { l.item.At = time.Time{} }},
	{"item unique key", "end", func(l *lawful) { l.item.Keys = nil }},
	{"item source", "end", func(l *lawful) { l.item.Source = player.Sources }},
	{"item source", "end", func(l *lawful) { l.item.Source = -1 }},
	{"item wallet", "end", func(l *lawful) { l.item.Wallet = "a\x00" }},
	{"item wallet", "end", func(l *lawful) { l.item.Wallet = "\xff" }},
	{"item wallet", "end", func(l *lawful) { l.item.Wallet = wallet.Address(long(player.KeyTextMax + 1)) }},
	{"item key text", "end", func(l *lawful) { l.item.Keys[0].Kind = "" }},
	{"item key text", "end", func(l *lawful) { l.item.Keys[0].ID = "" }},
	{"item key text", "end", func(l *lawful) { l.item.Keys[0].ID = long(player.KeyTextMax + 1) }},
	{"item key text", "end", func(l *lawful) { l.item.Keys[0].Scope = "\xff" }},
	{"item key text", "end", func(l *lawful) { l.item.Keys[0].Fingerprint = "\x00" }},
	{"item idempotency key", "end", func(l *lawful) {
		l.item.Keys = []player.UniqueKey{{Kind: player.IdempotencyKey, ID: "1"}, {Kind: player.IdempotencyKey, ID: "2"}}
	}},
	{"unique key made", "end", func(l *lawful) { l.item.Keys[0] = player.UniqueKey{Kind: player.RoundKey, ID: "r1"} }},
	{"unique key made", "round", func(l *lawful) { l.item.Keys[0] = player.UniqueKey{Kind: player.RoundKey, ID: "r2"} }},
	{"unique key made", "end", func(l *lawful) { l.item.Keys[0] = player.UniqueKey{Kind: player.WithdrawalKey, ID: "w1"} }},
	{"unique key made", "withdraw", func(l *lawful) { l.item.Keys[0] = player.UniqueKey{Kind: player.WithdrawalKey, ID: "w2"} }},
	{"unique key made", "end", func(l *lawful) { l.item.Keys[0] = player.UniqueKey{Kind: player.AdjustmentKey, ID: "x1"} }},
	{"unique key made", "adjust", func(l *lawful) {
		l.item.Keys = append(l.item.Keys, player.UniqueKey{Kind: player.AdjustmentKey, ID: "x2"})
	}},
	{"player owned", "end", func(l *lawful) { l.c.Player.Wallet = "bob" }},
	{"player owned", "end", func(l *lawful) { l.item.Wallet, l.c.Player.Wallet = "", "" }},
	{"player kept", "end", func(l *lawful) { l.c.Player.CreatedAt = time.Time{} }},
	{"player kept", "end", func(l *lawful) { l.c.Player.CreatedAt = at }},
	{"player kept", "end", func(l *lawful) { l.view.Player.SessionsFrom = at.Add(1) }},
	{"player agent", "end", func(l *lawful) { l.c.Player.Agent = "south" }},
	{"player paired", "sign-in", func(l *lawful) { l.c.Pair = nil }},
	{"rebinding agents", "rebind", func(l *lawful) { l.c.Player = nil }},
	{"rebinding agents", "rebind", func(l *lawful) { l.c.Rebinding.From = "west" }},
	{"rebinding agents", "rebind", func(l *lawful) { l.c.Rebinding.To = "west" }},
	{"rebinding agents", "rebind", func(l *lawful) { l.c.Rebinding.To, l.c.Player.Agent = "north", "north" }},
	{"rebinding agents", "sign-in", func(l *lawful) { l.c.Rebinding = &player.Rebinding{To: "north"} }},
	{"rebinding whole", "rebind", func(l *lawful) { l.c.Rebinding.Holdings = nil }},
	{"rebinding whole", "rebind", func(l *lawful) { l.view.OpenWithdrawals = 1 }},
	{"login owned", "sign-in", func(l *lawful) { l.c.Login.Wallet = "bob" }},
	{"session owned", "sign-in", func(l *lawful) { l.c.Session.Wallet = "bob" }},
	{"session signed in", "sign-in", func(l *lawful) { l.c.Login = nil }},
	{"session begun", "sign-in", func(l *lawful) { l.view.Tallies = map[money.Token]session.Tally{money.SOL: {Rounds: 1}} }},
	{"session begun", "sign-in", func(l *lawful) { l.c.Session.Before = []session.Played{{Token: money.SOL}} }},
	{"pair owned", "rotate", free},
	{"pair succeeded", "rotate", func(l *lawful) { l.c.Pair = nil }},
	{"pair asked for", "rotate", func(l *lawful) { l.item.Needs.Pair = false }},
	{"pair asked for", "loss", func(l *lawful) { l.item.Needs.Pair, l.item.Needs.Draw = false, false }},
	{"pair first", "rotate", func(l *lawful) { l.view.Pair = fairness.Pair{} }},
	{"pair first", "sign-in", func(l *lawful) { l.c.Player = nil }},
	{"pair in its epoch", "loss", func(l *lawful) { l.view.Control = &control.State{Epoch: 2, EpochAt: at} }},
	{"pair in its epoch", "rotate", func(l *lawful) { l.view.Control = &control.State{Epoch: 2, EpochAt: at} }},
	{"pair in its epoch", "rotate", func(l *lawful) { l.view.Control = &control.State{Epoch: 1}; l.c.Pair.Epoch = 2 }},
	{"pair in its epoch", "sign-in", func(l *lawful) { l.view.Control = &control.State{Epoch: 2, EpochAt: at} }},
	{"pair in its epoch", "void", func(l *lawful) {
		l.view.Control = &control.State{Epoch: 2, EpochAt: at}
		l.c.Pair.Epoch = 2
	}},
	{"pair in its epoch", "renewal", func(l *lawful) { l.c.Pair.Epoch = 1 }},
	{"pair promised", "renewal", func(l *lawful) { // the promised one
		_, *l.c.Pair = l.view.Pair.Rotate(fairness.Choose("", false, "s"), spare(3), at)
		l.c.Pair.Epoch = 2
	}},
	{"pair promised", "renewal", func(l *lawful) { l.c.Pair.Next = l.view.Pair.Next }},
	{"pair promised", "renewal", func(l *lawful) {
		fresh := fairness.NewPair(fairness.Spare{ID: "p9", Seed: l.view.Pair.Seed}, spare(4), "s", at).In(2)
		l.c.Pair = &fresh
	}},
	{"pair unplayed", "renewal", func(l *lawful) { l.c.Unplayed = nil }},
	{"pair unplayed", "renewal", func(l *lawful) { l.c.Unplayed.ID = "other" }},
	{"pair unplayed", "renewal", func(l *lawful) { l.c.Unplayed.Commitment = "other" }},
	{"pair unplayed", "renewal", func(l *lawful) { l.c.Unplayed.ClientSeed = "other" }},
	{"pair unplayed", "renewal", func(l *lawful) { l.c.Unplayed.ClientSource++ }},
	{"pair unplayed", "renewal", func(l *lawful) { l.c.Unplayed.Rounds++ }},
	{"pair unplayed", "renewal", func(l *lawful) { l.c.Unplayed.ServerSeed = "other" }},
	{"pair unplayed", "rotate", func(l *lawful) { l.c.Unplayed = &fairness.Revealed{} }},
	{"pair unplayed", "sign-in", func(l *lawful) { l.c.Unplayed = &fairness.Revealed{} }},
	{"pair revealed", "renewal", func(l *lawful) { l.c.Retired = nil }},
	{"pair revealed", "renewal", func(l *lawful) { l.c.Retired.Rounds-- }},
	{"pair counted", "loss", func(l *lawful) { l.c.Pair.Nonce++ }},
	{"pair counted", "loss", func(l *lawful) { l.c.Pair.Nonce-- }},
	{"pair counted", "rotate", func(l *lawful) { l.c.Pair.Nonce = 1 }},
	{"pair counted", "rotate", func(l *lawful) { *l.c.Pair = l.view.Pair.Advance() }},
	{"pair kept", "loss", func(l *lawful) { l.c.Pair.ClientSeed = "other" }},
	{"pair committed", "rotate", func(l *lawful) { l.c.Pair.ID = "" }},
	{"pair committed", "rotate", func(l *lawful) { l.c.Pair.Next.ID = "" }},
	{"pair committed", "rotate", func(l *lawful) { l.c.Pair.Next.ID = l.c.Pair.ID }},
	{"pair committed", "rotate", func(l *lawful) { l.c.Pair.Next.ID = l.view.Pair.ID }},
	{"pair committed", "rotate", func(l *lawful) {
		l.c.Pair.Next.Seed, l.c.Pair.Next.Commitment = l.c.Pair.Seed, l.c.Pair.Commitment
	}},
	{"pair committed", "rotate", func(l *lawful) { l.c.Pair.Commitment = "other" }},
	{"pair promised", "rotate", func(l *lawful) { l.view.Pair.Next.ID = "other" }},
	{"pair promised", "rotate", func(l *lawful) { l.view.Pair.Next.Commitment = "other" }},
	{"pair revealed", "rotate", func(l *lawful) { l.c.Retired = nil }},
	{"pair revealed", "loss", func(l *lawful) { l.c.Retired = &fairness.Revealed{} }},
	{"pair revealed", "sign-in", func(l *lawful) { l.c.Retired = &fairness.Revealed{} }},
	{"pair revealed", "rotate", func(l *lawful) { l.c.Retired.ID = "other" }},
	{"pair revealed", "rotate", func(l *lawful) { l.c.Retired.Commitment = "other" }},
	{"pair revealed", "rotate", func(l *lawful) { l.c.Retired.ClientSeed = "other" }},
	{"pair revealed", "rotate", func(l *lawful) { l.c.Retired.ClientSource++ }},
	{"pair revealed", "rotate", func(l *lawful) { l.c.Retired.Rounds++ }},
	{"pair revealed", "void", func(l *lawful) { l.c.Retired.Rounds-- }},
	{"pair revealed", "rotate", func(l *lawful) { l.c.Retired.ServerSeed = "other" }},
	{"pair revealed", "rotate", func(l *lawful) { l.c.Retired.Since = at.Add(1) }},
	{"pair unplayed", "renewal", func(l *lawful) { l.c.Unplayed.Since = at }},
	{"pair kept", "loss", func(l *lawful) { l.c.Pair.Since = at.Add(1) }},
	{"pair begun", "rotate", func(l *lawful) { l.c.Pair.Since = at.Add(-1) }},
	{"pair begun", "sign-in", func(l *lawful) { l.c.Pair.Since = time.Time{} }},
	{"pair begun", "void", func(l *lawful) { l.item.At = at.Add(1) }},
	{"pair chosen", "sign-in", func(l *lawful) { l.c.Pair.ClientSource = fairness.FromPlayer }},
	{"pair chosen", "renewal", func(l *lawful) { l.c.Pair.ClientSource = fairness.FromRepeated }},
	{"pair chosen", "rotate", func(l *lawful) { l.item.Needs.ClientSeeds = nil }},
	{"pair chosen", "rotate", func(l *lawful) { l.view.ClientSeeds = map[string]bool{"new": true} }},
	{"pair chosen", "rotate", func(l *lawful) { l.c.Pair.ClientSource = fairness.FromRepeated }},
	{"pair chosen", "repeat", func(l *lawful) { l.c.Pair.ClientSource = fairness.FromPlayer }},
	{"pair chosen", "void", func(l *lawful) { l.c.Pair.ClientSource = fairness.FromPlayer }},
	{"pair ended", "last", func(l *lawful) { // it continues
		next := l.view.Pair.Advance()
		l.c.Pair, l.c.Retired = &next, nil
	}},
	{"pair ended", "loss", func(l *lawful) { l.c.Round.At = at.Add(fairness.AgeMax) }},
	{"pair ended", "void", func(l *lawful) { l.c.Round.Void = false }},
	{"round owned", "loss", func(l *lawful) { l.c.Round.Wallet = "bob" }},
	{"round drawn", "loss", func(l *lawful) { l.c.Pair = nil }},
	{"round drawn", "loss", func(l *lawful) { l.c.Round.PairID = "other" }},
	{"round drawn", "loss", func(l *lawful) { l.c.Round.Nonce++ }},
	{"round drawn", "loss", func(l *lawful) { l.c.Round.Commitment = "other" }},
	{"round drawn", "loss", func(l *lawful) { l.c.Round.ClientSeed = "other" }},
	{"round drawn", "loss", func(l *lawful) { l.c.Round.ClientSource++ }},
	{"round booked", "loss", func(l *lawful) { l.c.Postings = nil }},
	{"round booked", "loss", func(l *lawful) { l.c.Postings[0].Key.ID = "other" }},
	{"round booked", "loss", func(l *lawful) { l.c.Postings[0].Transfers[0].Amount++ }},
	{"round booked", "round", func(l *lawful) { l.c.Postings[0].Transfers = l.c.Postings[0].Transfers[:1] }},
	{"round booked", "round", func(l *lawful) { l.c.Round.Payout++ }},
	{"round balance", "round", func(l *lawful) { l.c.Round.Balance++ }},
	{"round balance", "round", func(l *lawful) { l.view.Balances[money.SOL]++ }},
	{"round balance", "round", func(l *lawful) { l.item.Needs.Tokens = nil }},
	{"withdrawal owned", "withdraw", func(l *lawful) { l.c.Withdrawal.Wallet = "bob" }},
	{"withdrawal asked for", "withdraw", func(l *lawful) { l.c.Withdrawal.Status = withdrawal.Approved }},
	{"withdrawal asked for", "withdraw", func(l *lawful) { l.c.Withdrawal.ID = "" }},
	{"withdrawal asked for", "withdraw", func(l *lawful) { l.c.Withdrawal.Attempt = 1 }},
	{"withdrawal asked for", "withdraw", func(l *lawful) { l.c.Withdrawal.Signature = "s" }},
	{"withdrawal asked for", "withdraw", func(l *lawful) { l.c.Withdrawal.Approvals = []withdrawal.Approval{{}} }},
	{"withdrawal asked for", "sign", func(l *lawful) { l.view.Withdrawals = nil }},
	{"withdrawal kept", "approve", func(l *lawful) { l.c.Withdrawal.Token = "usd" }},
	{"withdrawal kept", "approve", func(l *lawful) { l.c.Withdrawal.Amount++ }},
	{"withdrawal kept", "approve", func(l *lawful) { l.c.Withdrawal.Fee++ }},
	{"withdrawal kept", "approve", func(l *lawful) { l.c.Withdrawal.Destination = "bob" }},
	{"withdrawal kept", "approve", func(l *lawful) { l.c.Withdrawal.CreatedAt = at }},
	{"withdrawal attempts", "approve", func(l *lawful) { l.c.Withdrawal.Attempt++ }},
	{"withdrawal attempts", "sign", func(l *lawful) { l.c.Attempt = nil }},
	{"withdrawal held", "withdraw", func(l *lawful) { l.c.Postings = nil }},
	{"withdrawal held", "withdraw", func(l *lawful) { l.c.Postings[0].Transfers[0].Amount-- }},
	{"withdrawal held", "withdraw", func(l *lawful) { l.c.Postings[0].Transfers[0].Amount++ }},
	{"withdrawal cancelled", "cancel", func(l *lawful) {
		w := l.view.Withdrawals["w1"]
		w.Status = withdrawal.Approved
		l.view.Withdrawals["w1"] = w
	}},
	{"withdrawal held", "cancel", func(l *lawful) { l.c.Postings = nil }},
	{"withdrawal held", "cancel", func(l *lawful) { l.c.Postings[0].Transfers[0].Amount++ }},
	{"withdrawal held", "cancel", func(l *lawful) { l.c.Postings[0].Transfers[0].Amount-- }},
	{"withdrawal held", "cancel", func(l *lawful) { l.c.Withdrawal.Status = withdrawal.Pending }},
	{"attempt numbered", "sign", func(l *lawful) { l.c.Attempt.WithdrawalID = "w2" }},
	{"attempt numbered", "sign", func(l *lawful) { l.c.Attempt.Number++ }},
	{"attempt numbered", "sign", func(l *lawful) { l.c.Withdrawal = nil }},
	{"attempt dead", "dead", func(l *lawful) { l.c.DeadAttempt = 3 }},
	{"attempt dead", "dead", func(l *lawful) { l.c.DeadAttempt = -1 }},
	{"attempt dead", "dead", func(l *lawful) { l.c.Withdrawal = nil }},
	{"deposit claim owned", "claim", func(l *lawful) { l.c.Deposit.Wallet = "bob" }},
	{"deposit claim asked for", "claim", func(l *lawful) { l.item.Needs.Deposits = nil }},
	{"deposit claim kept", "claim", func(l *lawful) { l.c.Deposit.ID = "other" }},
	{"deposit claim kept", "claim", func(l *lawful) { l.c.Deposit.CreatedAt = at }},
	{"balance adjustment owned", "adjust", func(l *lawful) { l.c.Adjustment.Wallet = "bob" }},
	{"adjustment booked", "adjust", func(l *lawful) { l.c.Adjustment.Amount++ }},
	{"adjustment booked", "debit adjust", func(l *lawful) { l.c.Adjustment.Amount++ }},
	{"adjustment booked", "debit adjust", func(l *lawful) { l.c.Adjustment.Amount = 7 }},
	{"adjustment booked", "adjust", func(l *lawful) { l.c.Adjustment.Token = "usd" }},
	{"adjustment booked", "adjust", func(l *lawful) { l.c.Adjustment.ID = "other" }},
	{"adjustment booked", "adjust", func(l *lawful) { l.c.Postings = nil }},
	{"adjustment booked", "adjust", func(l *lawful) {
		l.c.Postings[0].Transfers = append(l.c.Postings[0].Transfers, l.c.Postings[0].Transfers[0])
	}},
	{"adjustment booked", "adjust", func(l *lawful) { l.c.Postings = append(l.c.Postings, l.c.Postings[0]) }},
	{"launch owned", "launch", func(l *lawful) { l.c.Launch.Wallet = "bob" }},
	{"launch asked for", "launch", func(l *lawful) { l.item.Needs.Launches = nil }},
	{"provider transaction owned", "bet", func(l *lawful) { l.c.Seamless.Wallet = "bob" }},
	{"provider transaction asked for", "win", func(l *lawful) { l.item.Needs.Seamless = nil }},
	{"provider transaction booked", "bet", func(l *lawful) { l.c.Seamless.Bet++ }},
	{"provider transaction booked", "bet", func(l *lawful) { l.c.Postings[0].Key.ID = "other" }},
	{"provider transaction balance", "bet", func(l *lawful) { l.c.Seamless.Balance++ }},
	{"provider transaction balance", "bet", func(l *lawful) { l.item.Needs.Tokens = nil }},
	{"provider transaction balance", "win", func(l *lawful) { l.view.Balances[money.SOL]-- }},
	{"provider win counted", "win", func(l *lawful) { l.item.Needs.Hours = nil }},
	{"provider win counted", "delivered", func(l *lawful) { l.item.Needs.Hours[0].Token = "usd" }},
	{"provider round joined", "bet", func(l *lawful) { l.c.ProviderRound = nil }},
	{"provider round joined", "bet", func(l *lawful) { l.c.Seamless, l.c.Postings = nil, nil }},
	{"provider round joined", "refused", func(l *lawful) { l.c.Seamless.RoundID = "t1" }},
	{"provider round joined", "bet", func(l *lawful) { l.c.ProviderRound.ID = "other" }},
	{"provider round joined", "bet", func(l *lawful) { l.c.ProviderRound.ID, l.c.Seamless.RoundID = "", "" }},
	{"provider round joined", "bet", func(l *lawful) { l.c.ProviderRound.Wallet = "bob" }},
	{"provider round continued", "bet", func(l *lawful) { l.c.ProviderRound.Wager++ }},
	{"provider round continued", "win", func(l *lawful) { l.c.ProviderRound.Credits++ }},
	{"provider round continued", "win", func(l *lawful) { l.view.Seamless = nil }},
	{"delivery owned", "asking", func(l *lawful) { l.c.Deliveries[0].Wallet = "bob" }},
	{"delivery owned", "asking", func(l *lawful) {
		l.item.Wallet, l.c.Deliveries[0].Wallet, l.c.Player = "", "", nil
	}},
	{"delivery once", "asking", func(l *lawful) { l.c.Deliveries = append(l.c.Deliveries, l.c.Deliveries[0]) }},
	{"delivery kept", "answer", func(l *lawful) { l.c.Deliveries[0].Amount++ }},
	{"delivery kept", "answer", func(l *lawful) { l.c.Deliveries[0].Status = seamless.Reversed }},
	{"delivery begun", "asking", func(l *lawful) { l.c.Deliveries[0].ID = "" }},
	{"delivery begun", "asking", func(l *lawful) { l.c.Deliveries[0].Status = seamless.Paid }},
	{"delivery begun", "asking", func(l *lawful) { l.c.Deliveries[0].Status = seamless.Delivering }},
	{"delivery begun", "asking", func(l *lawful) { l.c.Deliveries[0].Site = "" }},
	{"delivery begun", "asking", func(l *lawful) { l.c.Deliveries[0].SiteTxnID = "" }},
	{"delivery begun", "asking", func(l *lawful) { l.c.Deliveries[0].Amount = -1 }},
	{"delivery begun", "delivered", func(l *lawful) { l.c.Deliveries[0].TransactionID = "other" }},
	{"delivery answered", "answer", func(l *lawful) {
		l.c.Seamless, l.c.ProviderRound, l.c.Postings = nil, nil, nil
	}},
	{"delivery answered", "answer", func(l *lawful) {
		l.c.Seamless.ID, l.c.ProviderRound.ID, l.c.Seamless.RoundID = "other", "other", "other"
	}},
	{"funds asked for", "asking", func(l *lawful) { l.item.Needs.Funds = nil }},
	{"funds asked for", "delivered", func(l *lawful) { l.item.Needs.Funds = nil }},
	{"funds asked for", "answer", func(l *lawful) { l.item.Needs.Funds = nil }},
	{"funds asked for", "fund", func(l *lawful) { l.item.Needs.Funds = nil }},
	{"funds asked for", "unfund", func(l *lawful) { l.item.Needs.Funds = []agent.FundsRef{{Agent: "north", Token: "usd"}} }},
	{"funds asked for", "limit", func(l *lawful) { l.item.Needs.Funds = []agent.FundsRef{{Agent: "south", Token: money.SOL}} }},
	{"funds booked", "fund", func(l *lawful) { l.c.Funding.Balance++ }},
	{"funds booked", "fund", func(l *lawful) { l.view.Funds[north] = agent.Funds{Balance: 1} }},
	{"funds booked", "fund", func(l *lawful) { l.c.Funding.ID = "other" }},
	{"funds booked", "fund", func(l *lawful) { l.c.Postings = nil }},
	{"funds booked", "fund", func(l *lawful) { l.c.Postings[0].Transfers[0].Amount++ }},
	{"funds booked", "unfund", func(l *lawful) { l.c.Postings[0].Transfers[0].Amount++ }},
	{"funds booked", "unfund", func(l *lawful) { l.c.Postings = append(l.c.Postings, l.c.Postings[0]) }},
	{"funds booked", "unfund", func(l *lawful) {
		l.c.Postings[0].Transfers = append(l.c.Postings[0].Transfers, l.c.Postings[0].Transfers[0])
	}},
	{"approval owned", "ask", func(l *lawful) { l.c.Approval.Wallet = "bob" }},
	{"approval asked for", "ask", func(l *lawful) { l.c.Approval.ID = "" }},
	{"approval asked for", "ask", func(l *lawful) { l.c.Approval.Status = approval.Approved }},
	{"approval asked for", "ask", func(l *lawful) { l.c.Approval.DecidedBy = boss }},
	{"approval asked for", "decide", func(l *lawful) { l.view.Approvals = nil }},
	{"approval kept", "decide", func(l *lawful) { l.c.Approval.Amount++ }},
	{"approval kept", "decide", func(l *lawful) { l.c.Approval.By = boss }},
	{"approval kept", "decide", func(l *lawful) { l.c.Approval.Agent = "south" }},
	{"approval once", "decide", func(l *lawful) { l.c.Approval.Status = approval.Open }},
	{"approval once", "decide", func(l *lawful) {
		decided := l.view.Approvals["p1"]
		decided.Status = approval.Approved
		l.view.Approvals["p1"] = decided
	}},
	{"vote passes", "approve", func(l *lawful) { l.c.Votes[0].Passes = false }},
	{"vote passes", "approve", func(l *lawful) { l.c.Votes = append(l.c.Votes, l.c.Votes[0]) }},
	{"vote owned", "approve", func(l *lawful) { l.c.Votes[0].Wallet = "bob" }},
	{"vote follows", "approve", func(l *lawful) { l.item.Needs.Votes = nil }},
	{"vote follows", "approve", func(l *lawful) { l.item.Needs.Votes.Of = "w2" }},
	{"vote follows", "approve", func(l *lawful) { l.c.Votes[0].After = at }},
	{"vote follows", "approve", func(l *lawful) { l.c.Votes[0].AfterOwn = at }},
	{"vote follows", "approve", func(l *lawful) { l.view.Votes = votedBefore(l, func(*player.Vote) {}) }},
	{"vote follows", "approve", func(l *lawful) {
		l.view.Votes = votedBefore(l, func(y *player.Vote) { y.Amount++ })
		l.c.Votes[0].After, l.c.Votes[0].AfterOwn = l.view.Votes[0].At, l.view.Votes[0].At
	}},
	{"audit once", "end", func(l *lawful) { l.c.Audit = append(l.c.Audit, audit.Record{ID: "a2"}, audit.Record{ID: "a1"}) }},
	{"posting keyed", "end", func(l *lawful) {
		l.c.Postings = []ledger.Posting{{Key: ledger.Key{ID: "1"}, Transfers: one("k", "", "1", ledger.System(ledger.House), ledger.System(ledger.Fees), 1)[0].Transfers}}
	}},
	{"posting keyed", "end", func(l *lawful) {
		l.c.Postings = one("k", "", "", ledger.System(ledger.House), ledger.System(ledger.Fees), 1)
	}},
	{"posting keyed", "end", func(l *lawful) { l.c.Postings = []ledger.Posting{{Key: ledger.Key{Kind: "k", ID: "1"}}} }},
	{"correction posted", "end", func(l *lawful) { // another kind than those an admin books
		key := ledger.Key{Kind: ledger.Round, ID: "1"}
		l.item.Keys = append(l.item.Keys, player.CorrectionKeyOf(key))
		l.c.Postings = []ledger.Posting{{Key: key.Correction("2"), Transfers: []ledger.Transfer{{}}}}
	}},
	{"correction posted", "end", func(l *lawful) { // a correction
		key := ledger.Key{Kind: ledger.Adjust, ID: "1"}.Correction("2")
		l.item.Keys = append(l.item.Keys, player.CorrectionKeyOf(key))
		l.c.Postings = []ledger.Posting{{Key: key.Correction("3"), Transfers: []ledger.Transfer{{}}}}
	}},
	{"correction posted", "end", func(l *lawful) { // nothing
		l.c.Postings = []ledger.Posting{{Key: ledger.Key{Kind: ledger.Correct, ID: "1"}, Transfers: []ledger.Transfer{{}}}}
	}},
	{"correction posted", "end", func(l *lawful) { // without the key of the correction
		l.item.Keys = append(l.item.Keys, player.CorrectionKeyOf(ledger.Key{Kind: ledger.Adjust, ID: "other"}))
		l.c.Postings = []ledger.Posting{{Key: ledger.Key{Kind: ledger.Adjust, ID: "1"}.Correction("2"), Transfers: []ledger.Transfer{{}}}}
	}},
	{"round posted", "end", func(l *lawful) {
		l.c.Postings = []ledger.Posting{{Key: ledger.Key{Kind: ledger.Round, ID: "1"}, Transfers: []ledger.Transfer{{}}}}
	}},
	{"posting once", "end", func(l *lawful) {
		l.c.Postings = append(one("k", "", "1", ledger.System(ledger.House), ledger.System(ledger.Fees), 1),
			one("k", "", "1", ledger.System(ledger.House), ledger.System(ledger.Fees), 1)...)
	}},
	{"balance asked for", "deposit", func(l *lawful) { l.item.Needs.Tokens = nil }},
	{"balance asked for", "cancel", func(l *lawful) { l.item.Needs.Tokens = nil }},
	{"balance asked for", "withdraw", func(l *lawful) { l.item.Needs.Tokens = []money.Token{"usd"} }},
	{"balance asked for", "end", func(l *lawful) {
		l.item.Needs.Unclaimed = false
		l.c.Postings = one("k", "", "1", ledger.System(ledger.Chain), ledger.UnclaimedOf(alice), 1)
	}},
	{"balance asked for", "end", func(l *lawful) {
		l.item.Needs.Unclaimed = false
		l.c.Postings = one("k", "", "1", ledger.UnclaimedOf(alice), ledger.System(ledger.Chain), 1)
	}},
	{"player imposed", "bring back", func(l *lawful) {
		l.c.Player.Protection.Limits = []protection.Limit{{Kind: protection.Wager, Period: protection.Day, Token: money.SOL, Imposed: true, Amount: 9}}
	}},
	{"player imposed", "bring back", func(l *lawful) {
		l.c.Player.Protection.Limits = []protection.Limit{{Kind: protection.Wager, Period: protection.Day, Token: money.SOL, Imposed: true, Amount: 9}}
		l.c.Audit = []audit.Record{{ID: "a1", Action: audit.LimitsChanged, By: l.c.Player.Wallet}}
	}},
	{"player owing", "bring back", func(l *lawful) { l.c.Player.Protection = l.c.Player.Protection.WithDebt(money.SOL, 599) }},
	{"player owing", "bring back", func(l *lawful) { l.c.Player.Protection = l.c.Player.Protection.WithDebt(money.SOL, 0) }},
	{"player owing", "bring back", func(l *lawful) { l.c.Player.Protection = l.c.Player.Protection.WithDebt("usd", 1) }},
	{"player owing", "end", func(l *lawful) { l.c.Player.Protection = l.c.Player.Protection.WithDebt("usd", 1) }},
	{"player owing", "end", func(l *lawful) {
		l.c.Postings = one("k", "", "1", ledger.System(ledger.Chain), ledger.System(ledger.Owed), 1)
	}},
	{"owed moved", "bring back", func(l *lawful) { l.c.Player = nil }},
	{"owed moved", "cancel", func(l *lawful) {
		l.c.Postings = append(l.c.Postings, one("k", "", "1", ledger.System(ledger.Chain), ledger.System(ledger.Owed), 1)...)
	}},
	{"hold moved", "end", func(l *lawful) { l.c.Postings = one("k", "", "1", ledger.HoldOf("w1"), ledger.System(ledger.Chain), 1) }},
	{"hold moved", "end", func(l *lawful) { l.c.Postings = one("k", "", "1", ledger.System(ledger.Chain), ledger.HoldOf("w1"), 1) }},
	{"hold moved", "approve", func(l *lawful) { l.c.Postings = one("k", "", "1", ledger.System(ledger.Chain), ledger.HoldOf("w2"), 1) }},
	{"hold moved", "cancel", func(l *lawful) { l.c.Postings[0].Transfers[0].Token = "usd" }},
}

// TestNarrowHidesTheNextSeed also checks that nothing of an earlier view is left.
func TestNarrowHidesTheNextSeed(t *testing.T) {
	t.Parallel()
	whole := known()
	pairedView(&whole)
	for name, row := range map[string]struct {
		needs      player.Needs
		pair, next string
	}{
		"nothing": {player.Needs{}, "", ""}, "to draw": {player.Needs{Draw: true}, "b", ""}, "the pair": {player.Needs{Pair: true}, "b", "c"},
		"both": {player.Needs{Pair: true, Draw: true}, "b", "c"},
	} {
		seen := player.View{Pair: whole.Pair, GameDisabled: true, OpenDeposits: 7, Votes: []player.Vote{{}}}
		row.needs.Tokens = []money.Token{"usd", money.SOL}
		player.Narrow(&seen, &whole, &row.needs)
		if seen.Pair.ID != row.pair || seen.Pair.Next.ID != row.next || seen.OpenDeposits != 0 || len(seen.Votes) != 0 || len(seen.Balances) != 1 {
			t.Errorf("who asks for %s sees %+v", name, seen)
		}
	}
	all := player.Needs{Tokens: []money.Token{"usd"}}
	all.Join(&player.Needs{Tokens: []money.Token{money.SOL, "usd"}})
	if len(all.Tokens) != 2 {
		t.Errorf("joined: %v", all.Tokens)
	}
	if len(player.Rules()) < 60 {
		t.Errorf("only %d rules", len(player.Rules()))
	}
}
