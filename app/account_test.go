package app_test

import (
	"context"
	"maps"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/events"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

func TestHistoryShowsTheSeedOnceItIsRevealed(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.player("alice", 10_000)
	old := ok(h.Play.Play(h.ctx, alice, flip(100)))(t).Round
	page := ports.Page{Number: 1, Limit: 10}
	equal(t, "seed of an active pair", ok(h.Accounts.History(h.ctx, alice, ports.RoundFilter{}, page))(t).Rounds[0].ServerSeed, "")
	equal(t, "seed of an active pair", ok(h.Accounts.Round(h.ctx, alice, old.ID))(t).ServerSeed, "")

	seed := ok(h.Play.Rotate(h.ctx, alice, play.RotateRequest{}))(t).Revealed.ServerSeed
	young := ok(h.Play.Play(h.ctx, alice, flip(100)))(t).Round
	rounds := ok(h.Accounts.History(h.ctx, alice, ports.RoundFilter{}, page))(t).Rounds
	equal(t, "rounds", len(rounds), 2)
	equal(t, "newest", rounds[0].ID, young.ID)
	equal(t, "its seed", rounds[0].ServerSeed, "")
	equal(t, "oldest", rounds[1].ID, old.ID)
	equal(t, "its seed", rounds[1].ServerSeed, seed)
	equal(t, "seed of the round", ok(h.Accounts.Round(h.ctx, alice, old.ID))(t).ServerSeed, seed)
}

// seedQuestions counts how often a store is asked for seeds.
type seedQuestions struct {
	of    ports.RevealedSeeds
	asked int
}

func (s *seedQuestions) RevealedSeeds(ctx context.Context, pairs []string) (map[string]string, error) {
	s.asked++
	return s.of.RevealedSeeds(ctx, pairs)
}

func TestAPageOfRoundsAsksForItsSeedsOnce(t *testing.T) {
	t.Parallel()
	questions := &seedQuestions{}
	h := open(t, func(d *app.Deps) {
		questions.of, d.Store.RevealedSeeds = d.Store.RevealedSeeds, questions
	})
	root, want := h.admin("root", "superadmin"), map[string]string{}
	for _, name := range []string{"alice", "bob", "carol"} {
		caller := h.player(name, 10_000)
		for range 2 {
			round := ok(h.Play.Play(h.ctx, caller, flip(100)))(t).Round
			want[round.ID] = ok(h.Play.Rotate(h.ctx, caller, play.RotateRequest{}))(t).Revealed.ServerSeed
		}
		want[ok(h.Play.Play(h.ctx, caller, flip(100)))(t).Round.ID] = ""
	}
	seeds := map[string]string{}
	for _, round := range ok(h.Admin.AdminRounds(h.ctx, root, ports.RoundFilter{}, ports.Page{Number: 1, Limit: 50}))(t).Rounds {
		seeds[round.ID] = round.ServerSeed
	}
	if !maps.Equal(seeds, want) {
		t.Errorf("seeds: %v, want %v", seeds, want)
	}
	equal(t, "questions", questions.asked, 1)
}

func TestPlayersSeeTheirOwnRoundsOnly(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, bob := h.player("alice", 10_000), h.player("bob", 10_000)
	round := ok(h.Play.Play(h.ctx, alice, flip(100)))(t).Round
	refused(t, no(h.Accounts.Round(h.ctx, bob, round.ID)), fault.NotFound)
	refused(t, no(h.Accounts.Round(h.ctx, alice, "none")), fault.NotFound)
	// The filter's wallet is always the caller's.
	filter := ports.RoundFilter{Wallet: alice.Wallet}
	equal(t, "bob's rounds", ok(h.Accounts.History(h.ctx, bob, filter, ports.Page{Number: 1, Limit: 10}))(t).Total, 0)
}

func TestAccountTransactionsAreTheCallers(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.player("alice", 10_000)
	h.player("bob", 20_000)
	request := payouts.WithdrawalRequest{Amount: 4_000, Token: sol, Destination: string(fakes.Wallet("elsewhere"))}
	w := ok(h.Payouts.Withdraw(h.ctx, alice, request))(t).Withdrawal
	lines := ok(h.Accounts.AccountTransactions(h.ctx, alice, ports.Page{Number: 1, Limit: 10}))(t).Transactions
	equal(t, "lines", len(lines), 2)
	equal(t, "newest", lines[0].ID, w.ID)
	equal(t, "destination", lines[0].Destination, request.Destination)
	equal(t, "credit", lines[0].Credit, false)
	equal(t, "oldest", lines[1].Type, ports.DepositTransaction)
	equal(t, "amount", lines[1].Amount, 10_000)
	balances := ok(h.Accounts.Balances(h.ctx, alice))(t)
	equal(t, "balances", len(balances), 1)
	equal(t, "balance", balances[0], ports.TokenBalance{Token: money.SOL, Amount: 6_000})
	equal(t, "stranger's balances", len(ok(h.Accounts.Balances(h.ctx, caller("stranger")))(t)), 0)
}

func TestRecentBetsAreTheNewestWithoutVoidOnes(t *testing.T) {
	t.Parallel()
	h := open(t, withBroken(t, func(game.Draws) game.Result { panic("out of cards") }))
	alice := h.player("alice", 10_000)
	for range events.RecentBetsMax + 2 {
		ok(h.Play.Play(h.ctx, alice, flip(100)))(t)
	}
	newest := ok(h.Play.Play(h.ctx, alice, flip(100)))(t).Round
	ok(h.Play.Play(h.ctx, alice, play.PlayRequest{GameType: "broken", Wager: 100, Token: sol}))(t)
	bets := ok(h.Events.RecentBets(h.ctx))(t)
	equal(t, "bets", len(bets), events.RecentBetsMax)
	equal(t, "newest", bets[0].ID, newest.ID)
}
