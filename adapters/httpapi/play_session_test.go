package httpapi_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/test/fakes"
)

// TestAPlayerSeesTheSession plays in two concurrent sessions and reads each one's tallies,
// while deposits and withdrawals are made.
func TestAPlayerSeesTheSession(t *testing.T) {
	t.Parallel()
	h, ctx := newHouse(t), t.Context()
	is := func(step string, who *client.Client, began int64, want ...api.PlayedToken) {
		t.Helper()
		got, err := who.PlaySession(ctx)
		h.must(err)
		if got.Tokens == nil || !slices.Equal(got.Tokens, want) || got.StartedAt < began || got.StartedAt > began+1_000 {
			t.Errorf("%s: %+v, want %+v from %d", step, got, want, began)
		}
	}
	token := func(rounds, won, deposits int64) api.PlayedToken {
		text := func(n int64) api.Number { return api.Number(strconv.FormatInt(n, 10)) }
		return api.PlayedToken{
			Token: sol, Rounds: rounds, Wagered: text(rounds * minimum), Won: text(won), Net: text(won - rounds*minimum), NetDeposits: text(deposits),
		}
	}
	signIn := func() (*client.Client, int64) {
		t.Helper()
		now := h.clock.Advance(1_000_000_000)
		alice, _, err := h.client().SignIn(ctx, fakes.Key("alice"), now)
		h.must(err)
		return alice, now.UnixMilli()
	}
	play := func(who *client.Client, rounds int) (won int64) {
		t.Helper()
		for range rounds {
			played, err := who.Play(ctx, api.PlayRequest{GameType: "coinflip", Wager: minimum, Token: sol})
			h.must(err)
			won += played.Round.Payout
		}
		return won
	}
	first, began := signIn()
	is("a fresh session", first, began)
	_, err := first.Deposit(ctx, api.DepositRequest{Signature: h.paid("alice", sol, 1_000_000), Token: sol})
	h.must(err)
	won := play(first, 5)
	second, later := signIn()
	is("the first", first, began, token(5, won, 1_000_000))
	is("the second", second, later)
	more := play(second, 3)
	made, err := second.Withdraw(ctx, api.WithdrawRequest{Amount: 100_000, Token: sol, Destination: address("alice")})
	h.must(err)
	is("the first, beside the second", first, began, token(8, won+more, 900_000))
	is("the second, played", second, later, token(3, more, -100_000))
	_, err = first.CancelWithdrawal(ctx, made.Withdrawal.ID)
	h.must(err)
	is("after the withdrawal was cancelled", second, later, token(3, more, 0))
	h.must(first.Logout(ctx))
	if _, err := second.PlaySession(ctx); client.CodeOf(err) != "INVALID_TOKEN" {
		t.Errorf("after sign-out: %v", err)
	}
}
