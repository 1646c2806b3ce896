package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/test/fakes"
)

// TestAWholeSession goes through every endpoint with the typed client.
func TestAWholeSession(t *testing.T) {
	t.Parallel()
	h, ctx := newHouse(t), t.Context()
	h.role("finance", "finance", "")
	alice, session, err := h.client().SignIn(ctx, fakes.Key("alice"), h.clock.Now())
	h.must(err)
	if want := h.clock.Now().Add(30 * time.Minute).Truncate(time.Second).UnixMilli(); session.ExpiresAt != want || session.Wallet != string(fakes.Wallet("alice")) {
		t.Errorf("session %+v, want the end at %d", session, want)
	}
	paid, err := alice.Deposit(ctx, api.DepositRequest{Signature: h.paid("alice", sol, 1_000_000), Token: sol})
	h.must(err)
	if paid.Transaction.Status != "credited" || *paid.Balance != 1_000_000 || *paid.Transaction.Amount != 1_000_000 {
		t.Fatalf("deposited %+v", paid)
	}
	rounds := h.playEveryGame(ctx, alice)
	before, err := alice.Seed(ctx)
	h.must(err)
	rotated, err := alice.RotateSeed(ctx, api.RotateRequest{ClientSeed: "alice's own", ExpectedServerSeedHash: before.ServerSeedHash})
	h.must(err)
	if rotated.Revealed.ServerSeedHash != before.ServerSeedHash || rotated.Revealed.Rounds != int64(len(rounds)) ||
		rotated.Seed.ServerSeedHash != before.NextServerSeedHash || rotated.Seed.Nonce != 0 || rotated.Seed.ClientSeedSource != "player" {
		t.Errorf("rotated %+v after %+v", rotated, before)
	}
	h.verifyAll(ctx, alice, rounds, rotated.Revealed.ServerSeed)
	h.withdrawAndDecide(ctx, alice)
	h.must(alice.Logout(ctx))
	if _, err := alice.Balance(ctx, api.BalanceParams{}); client.CodeOf(err) != "INVALID_TOKEN" {
		t.Errorf("after sign-out: %v", err)
	}
}

func (h *house) playEveryGame(ctx context.Context, as *client.Client) []api.Round {
	h.Helper()
	games, err := as.Games(ctx)
	h.must(err)
	if len(games) < 5 {
		h.Fatalf("only %d games", len(games))
	}
	var rounds []api.Round
	for nonce, game := range games {
		if string(game.ConfigSchema) == "null" {
			continue // only played step by step, tested after the others
		}
		played, err := as.Play(ctx, api.PlayRequest{GameType: game.GameType, Wager: minimum, Token: sol, Config: game.Defaults})
		h.must(err)
		r := played.Round
		effect := string(game.Defaults)
		switch game.GameType { // without bets the whole wager is on one
		case "roulette":
			effect = fmt.Sprintf(`{"bets":[{"type":"red","amount":%d}]}`, minimum)
		case "baccarat":
			effect = fmt.Sprintf(`{"bets":[{"on":"player","amount":%d}]}`, minimum)
		}
		if *r.Nonce != int64(nonce) || *r.Rules != game.Rules || string(r.Config) != effect || r.ServerSeed != nil ||
			*r.ClientSeedSource != "server" || played.Balance != int64(h.balance("alice", sol)) {
			h.Errorf("played %+v of %+v", played, game)
		}
		rounds = append(rounds, r)
	}
	return rounds
}

func (h *house) verifyAll(ctx context.Context, as *client.Client, rounds []api.Round, serverSeed string) {
	h.Helper()
	for _, played := range rounds {
		r, err := as.Round(ctx, played.ID)
		h.must(err)
		if r.ServerSeed == nil || *r.ServerSeed != serverSeed {
			h.Errorf("round %s shows the seed %v after its rotation", r.ID, r.ServerSeed)
		}
		verified, err := h.client().Verify(ctx, api.VerifyRequest{
			GameType: r.GameType, Rules: *r.Rules, Config: r.Config, ServerSeed: serverSeed, ClientSeed: *r.ClientSeed, Nonce: *r.Nonce,
		})
		h.must(err)
		if string(verified.Outcome) != string(r.Outcome) || verified.Multiplier != r.Multiplier || verified.ServerSeedHash != *r.ServerSeedHash {
			h.Errorf("verified %+v, played %+v", verified, r)
		}
	}
	listed, err := as.ListRounds(ctx, api.ListRoundsParams{Limit: 100})
	h.must(err)
	if len(listed.Rounds) != len(rounds) || listed.Total != len(rounds) || listed.Rounds[0].ID != rounds[len(rounds)-1].ID || listed.NextCursor != nil {
		h.Errorf("history %+v", listed)
	}
	seeds, err := as.SeedHistory(ctx, api.SeedHistoryParams{})
	h.must(err)
	if len(seeds.Seeds) != 1 || seeds.Seeds[0].ServerSeed != serverSeed || seeds.Seeds[0].ClientSeedSource != "server" {
		h.Errorf("seed history %+v", seeds)
	}
	recent, err := h.client().RecentBets(ctx)
	h.must(err)
	if len(recent) != len(rounds) || recent[0].Player == "" || recent[0].Player != recent[len(recent)-1].Player {
		h.Errorf("recent bets %+v", recent)
	}
}

func (h *house) withdrawAndDecide(ctx context.Context, as *client.Client) {
	h.Helper()
	held := h.balance("alice", sol)
	own := string(fakes.Wallet("alice"))
	first, err := as.Withdraw(ctx, api.WithdrawRequest{Amount: 5_000, Token: sol, Destination: own})
	h.must(err)
	second, err := as.Withdraw(ctx, api.WithdrawRequest{Amount: 6_000, Token: sol, Destination: string(fakes.Wallet("elsewhere"))})
	h.must(err)
	third, err := as.Withdraw(ctx, api.WithdrawRequest{Amount: 7_000, Token: sol, Destination: own})
	h.must(err)
	if !first.Withdrawal.DestinationIsOwner || second.Withdrawal.DestinationIsOwner || third.Balance != int64(held)-18_000 || first.Withdrawal.Status != "pending" {
		h.Errorf("asked for %+v, %+v, %+v", first, second, third)
	}
	finance, _, err := h.client().SignIn(ctx, fakes.Key("finance"), h.clock.Now())
	h.must(err)
	me, err := finance.AdminMe(ctx)
	h.must(err)
	if me.Role != "finance" || me.Level != 2 || len(me.Permissions) != 5 || me.AgentCode != nil {
		h.Errorf("me %+v", me)
	}
	approved, err := finance.ApproveWithdrawal(ctx, api.ApproveRequest{ID: first.Withdrawal.ID, Note: "checked"})
	h.must(err)
	rejected, err := finance.RejectWithdrawal(ctx, api.RejectRequest{ID: second.Withdrawal.ID, Reason: "unknown destination"})
	h.must(err)
	cancelled, err := as.CancelWithdrawal(ctx, third.Withdrawal.ID)
	h.must(err)
	if approved.Withdrawal.Status != "approved" || approved.Withdrawal.Approvals != 1 || *approved.Withdrawal.Note != "checked" ||
		rejected.Withdrawal.Status != "rejected" || *rejected.Withdrawal.Reason != "unknown destination" ||
		cancelled.Withdrawal.Status != "cancelled" || cancelled.Balance != int64(held)-5_000 {
		h.Errorf("approved %+v, rejected %+v, cancelled %+v", approved, rejected, cancelled)
	}
	adjusted, err := finance.AdjustBalance(ctx, own, api.AdjustRequest{Token: sol, Amount: -1_000, Reason: "correction"})
	h.must(err)
	if adjusted.Balance != int64(held)-6_000 || adjusted.Transaction.Direction != "debit" || *adjusted.Transaction.Amount != 1_000 {
		h.Errorf("adjusted %+v", adjusted)
	}
	listed, err := finance.AdminTransactions(ctx, api.AdminTransactionsParams{Wallet: own, Type: "withdrawal"})
	h.must(err)
	account, err := as.AccountTransactions(ctx, api.AccountTransactionsParams{})
	h.must(err)
	if listed.Total != 3 || listed.Transactions[0].Wallet != own || account.Total != 5 {
		h.Errorf("listed %+v, account %+v", listed, account)
	}
}

func TestPublicEndpoints(t *testing.T) {
	t.Parallel()
	h, ctx := newHouse(t), t.Context()
	c := h.client()
	health, err := c.Health(ctx)
	h.must(err)
	if health.Status != "ok" || health.Version != "test" || len(health.Checks) != 6 {
		t.Errorf("health %+v", health)
	}
	address, err := c.WalletAddress(ctx)
	h.must(err)
	branding, err := c.Whitelabel(ctx)
	h.must(err)
	if address != h.chain.TreasuryAddress() || branding.Title != "Casino" {
		t.Errorf("treasury %s, branding %+v", address, branding)
	}
	listed, err := c.Tokens(ctx)
	h.must(err)
	if len(listed) != 2 || listed[0].MinWager != minimum && listed[1].MinWager != minimum {
		t.Errorf("tokens %+v", listed)
	}
	kept, err := c.Checkpoints(ctx)
	h.must(err)
	if len(kept.Checkpoints) != 1 || kept.Checkpoints[0].Seq != 2 {
		t.Errorf("checkpoints %+v after two bookings of capital", kept)
	}
	games, err := c.Games(ctx)
	h.must(err)
	for _, g := range games {
		if g.GameType == "coinflip" && (g.RTP.Default.Ratio != "99/100" || g.RTP.Default.Percent != "99.000000") || len(g.Limits) != 2 {
			t.Errorf("game %+v", g)
		}
	}
}

func TestHealthFollowsTheProbes(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	broken := map[string]bool{}
	for _, name := range []string{"database", "chain"} {
		h.casino.Health().Watch(name, func(context.Context) error {
			if broken[name] {
				return context.DeadlineExceeded
			}
			return nil
		})
	}
	for _, row := range []struct {
		broken, state string
		status        int
	}{{"chain", "degraded", http.StatusOK}, {"database", "down", http.StatusServiceUnavailable}} {
		broken[row.broken] = true
		_, err := h.casino.Health().Step(t.Context())
		h.must(err)
		got := h.get("", "/health").ok(row.status)
		if got.text_("status") != row.state || got.text_("checks", row.broken, "status") != "down" {
			t.Errorf("with the %s down: %s", row.broken, got.text)
		}
	}
}

func TestClosingTokensTakeNoBets(t *testing.T) {
	t.Parallel()
	var deps app.Deps
	h := openHouse(t, setup{deps: func(d *app.Deps) { deps = *d }})
	h.funded("alice", usd, 100_000)
	closing := tokens[1]
	closing.Closing = true
	deps.Tokens = token.NewBook(tokens[0], closing)
	casino, err := app.New(deps)
	h.must(err)
	h.must(casino.Deposits.BeginWatch(t.Context()))
	h.api, err = httpapi.New(casino, httpapi.Config{Limiter: fakes.NewLimiter(h.clock)})
	h.must(err)
	bet := object{"gameType": "dice", "wager": minimum, "token": usd}
	h.post("alice", "/play", bet).is(http.StatusBadRequest, "TOKEN_NOT_ACCEPTED")
	h.post("alice", "/deposit", object{"signature": fakes.Signature("x"), "token": usd}).is(http.StatusBadRequest, "TOKEN_NOT_ACCEPTED")
	h.post("alice", "/withdraw", object{"amount": 1_000, "token": usd, "destination": fakes.Wallet("alice")}).ok(http.StatusCreated)
}
