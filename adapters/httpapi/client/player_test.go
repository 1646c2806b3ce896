package client_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
)

// seated is a player with money, at a service in memory.
func seated(t *testing.T) (*client.Player, *httptest.Server) {
	t.Helper()
	clock, chain := fakes.NewClock(fakes.Start), fakes.NewChain(terms)
	server, err := serve(clock, chain)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	chain.Fund(fakes.Wallet("alice"), money.SOL, 50_000_000)
	paid := chain.Deposit(fakes.Wallet("alice"), money.SOL, 50_000_000)
	chain.Finalize()
	signed, _, err := client.New(server.URL+httpapi.BasePathDefault, nil).SignIn(t.Context(), fakes.Key("alice"), clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := signed.Deposit(t.Context(), api.DepositRequest{Signature: paid, Token: string(money.SOL)}); err != nil {
		t.Fatal(err)
	}
	return signed.Player(), server
}

func bets(t *testing.T, p *client.Player, key string) api.Played {
	t.Helper()
	played, err := p.Play(t.Context(), api.PlayRequest{GameType: "dice", Wager: 10_000, Token: string(money.SOL), IdempotencyKey: key})
	if err != nil {
		t.Fatal(err)
	}
	return played
}

// TestAPlayerBetsWithASeedOfItsOwn: the first pair is rotated before the first bet, and bets that
// are made at once have nonces of their own.
func TestAPlayerBetsWithASeedOfItsOwn(t *testing.T) {
	t.Parallel()
	p, _ := seated(t)
	first, err := p.Seed(t.Context())
	if err != nil || first.ClientSeedSource != "server" {
		t.Fatalf("%+v, %v", first, err)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { bets(t, p, "") })
	}
	all.Wait()
	round := bets(t, p, "").Round
	if *round.ClientSeedSource != "player" || len(*round.ClientSeed) != 32 || strings.Trim(*round.ClientSeed, "0123456789abcdef") != "" ||
		*round.ServerSeedHash != first.NextServerSeedHash || *round.Nonce != 4 {
		t.Errorf("%+v", round)
	}
	if one, other := client.NewClientSeed(), client.NewClientSeed(); one == other {
		t.Error("client seeds repeat")
	}
}

// TestAPlayerFollowsItsPair through rotations, other devices and repeated bets.
func TestAPlayerFollowsItsPair(t *testing.T) {
	t.Parallel()
	p, _ := seated(t)
	first := bets(t, p, "k").Round
	other := p.Client.Player()
	if nonce := *bets(t, other, "").Round.Nonce; nonce != 1 {
		t.Errorf("another device drew from nonce %d", nonce)
	}
	if nonce := *bets(t, p, "").Round.Nonce; nonce != 2 {
		t.Errorf("after another device's bet the nonce is %d", nonce)
	}
	if again := bets(t, p, "k"); !again.Replayed || again.Round.ID != first.ID {
		t.Errorf("again: %+v", again)
	}
	if nonce := *bets(t, p, "").Round.Nonce; nonce != 3 {
		t.Errorf("after a repeated bet the nonce is %d", nonce)
	}
	rotated, err := p.RotateSeed(t.Context(), api.RotateRequest{})
	if err != nil || rotated.Seed.ClientSeedSource != "player" {
		t.Fatalf("%+v, %v", rotated, err)
	}
	if _, err := other.Client.RotateSeed(t.Context(), api.RotateRequest{}); err != nil { // with a seed of the server's
		t.Fatal(err)
	}
	if round := bets(t, p, "").Round; *round.ClientSeedSource != "player" || *round.Nonce != 0 {
		t.Errorf("after a pair of the server's: %+v", round)
	}
}

// TestABetThatIsRefusedOtherwiseIsSentOnce and leaves the expectation.
func TestABetThatIsRefusedOtherwiseIsSentOnce(t *testing.T) {
	t.Parallel()
	p, _ := seated(t)
	bets(t, p, "")
	_, err := p.Play(t.Context(), api.PlayRequest{GameType: "dice", Wager: 1, Token: string(money.SOL)})
	if code := client.CodeOf(err); code != "WAGER_OUT_OF_RANGE" {
		t.Errorf("%v", err)
	}
	if nonce := *bets(t, p, "").Round.Nonce; nonce != 1 {
		t.Error(fmt.Sprint("nonce ", nonce))
	}
}
