package accounts_test

import (
	"context"
	"maps"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/events"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

func TestHistoryShowsTheSeedOnceItIsRevealed(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.NewPlayer("alice", 10_000)
	old := apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t).Round
	page := ports.Page{Number: 1, Limit: 10}
	apptest.Equal(t, "seed of an active pair", apptest.OK(h.Accounts.History(h.Ctx, alice, ports.RoundFilter{}, page))(t).Rounds[0].ServerSeed, "")
	apptest.Equal(t, "seed of an active pair", apptest.OK(h.Accounts.Round(h.Ctx, alice, old.ID))(t).ServerSeed, "")

	seed := apptest.OK(h.Play.Rotate(h.Ctx, alice, play.RotateRequest{}))(t).Revealed.ServerSeed
	young := apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t).Round
	rounds := apptest.OK(h.Accounts.History(h.Ctx, alice, ports.RoundFilter{}, page))(t).Rounds
	apptest.Equal(t, "rounds", len(rounds), 2)
	apptest.Equal(t, "newest", rounds[0].ID, young.ID)
	apptest.Equal(t, "its seed", rounds[0].ServerSeed, "")
	apptest.Equal(t, "oldest", rounds[1].ID, old.ID)
	apptest.Equal(t, "its seed", rounds[1].ServerSeed, seed)
	apptest.Equal(t, "seed of the round", apptest.OK(h.Accounts.Round(h.Ctx, alice, old.ID))(t).ServerSeed, seed)
}

// seedQuestions counts reads of seeds.
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
	root, want := h.NewAdmin("root", "superadmin"), map[string]string{}
	for _, name := range []string{"alice", "bob", "carol"} {
		caller := h.NewPlayer(name, 10_000)
		for range 2 {
			round := apptest.OK(h.Play.Play(h.Ctx, caller, apptest.Flip(100)))(t).Round
			want[round.ID] = apptest.OK(h.Play.Rotate(h.Ctx, caller, play.RotateRequest{}))(t).Revealed.ServerSeed
		}
		want[apptest.OK(h.Play.Play(h.Ctx, caller, apptest.Flip(100)))(t).Round.ID] = ""
	}
	seeds := map[string]string{}
	for _, round := range apptest.OK(h.Admin.AdminRounds(h.Ctx, root, ports.RoundFilter{}, ports.Page{Number: 1, Limit: 50}))(t).Rounds {
		seeds[round.ID] = round.ServerSeed
	}
	if !maps.Equal(seeds, want) {
		t.Errorf("seeds: %v, want %v", seeds, want)
	}
	apptest.Equal(t, "questions", questions.asked, 1)
}

func TestPlayersSeeTheirOwnRoundsOnly(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, bob := h.NewPlayer("alice", 10_000), h.NewPlayer("bob", 10_000)
	round := apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t).Round
	apptest.Refused(t, apptest.ErrorOf(h.Accounts.Round(h.Ctx, bob, round.ID)), fault.NotFound)
	apptest.Refused(t, apptest.ErrorOf(h.Accounts.Round(h.Ctx, alice, "none")), fault.NotFound)
	// The filter's wallet is always the caller's.
	filter := ports.RoundFilter{Wallet: alice.Wallet}
	apptest.Equal(t, "bob's rounds", apptest.OK(h.Accounts.History(h.Ctx, bob, filter, ports.Page{Number: 1, Limit: 10}))(t).Total, 0)
}

func TestAccountTransactionsAreTheCallers(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.NewPlayer("alice", 10_000)
	h.NewPlayer("bob", 20_000)
	request := payouts.WithdrawalRequest{Amount: 4_000, Token: apptest.SOL, Destination: string(fakes.Wallet("elsewhere"))}
	w := apptest.OK(h.Payouts.Withdraw(h.Ctx, alice, request))(t).Withdrawal
	lines := apptest.OK(h.Accounts.AccountTransactions(h.Ctx, alice, ports.TransactionFilter{}, ports.Page{Number: 1, Limit: 10}))(t).Transactions
	apptest.Equal(t, "lines", len(lines), 2)
	apptest.Equal(t, "newest", lines[0].ID, w.ID)
	apptest.Equal(t, "destination", lines[0].Destination, request.Destination)
	apptest.Equal(t, "credit", lines[0].Credit, false)
	apptest.Equal(t, "oldest", lines[1].Type, ports.DepositTransaction)
	apptest.Equal(t, "amount", lines[1].Amount, 10_000)
	balances := apptest.OK(h.Accounts.Balances(h.Ctx, alice, time.Time{}))(t)
	apptest.Equal(t, "balances", len(balances), 1)
	apptest.Equal(t, "balance", balances[0], ports.TokenBalance{Token: money.SOL, Amount: 6_000})
	apptest.Equal(t, "stranger's balances", len(apptest.OK(h.Accounts.Balances(h.Ctx, apptest.Caller("stranger"), time.Time{}))(t)), 0)
}

func TestRecentBetsAreTheNewestWithoutVoidOnes(t *testing.T) {
	t.Parallel()
	h := open(t, apptest.WithBroken(t, func(game.Draws) game.Result { panic("out of cards") }))
	alice := h.NewPlayer("alice", 10_000)
	for range events.RecentBetsMax + 2 {
		apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t)
	}
	newest := apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t).Round
	apptest.OK(h.Play.Play(h.Ctx, alice, play.PlayRequest{GameType: "broken", Wager: 100, Token: apptest.SOL}))(t)
	bets := apptest.OK(h.Events.RecentBets(h.Ctx))(t)
	apptest.Equal(t, "bets", len(bets), events.RecentBetsMax)
	apptest.Equal(t, "newest", bets[0].ID, newest.ID)
}
