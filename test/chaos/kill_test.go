package chaos_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/test/history"
	"github.com/casino-service/casino/test/services"
)

// kills returns how often the service is killed; CASINO_TEST_KILLS sets another number.
func kills(t *testing.T) int { return number(t, "CASINO_TEST_KILLS", 3) }

// acknowledged is the answer to a client's bet.
type acknowledged struct {
	key   string
	bet   api.PlayRequest
	round string
	asked *history.Operation
}

// record records the answer.
func (a *acknowledged) record(played api.Played) {
	a.round = played.Round.ID
	a.asked.End(history.Response{
		Outcome: history.Done, Payout: played.Round.Payout, Balance: &played.Balance,
		Seed: history.Seed{Pair: *played.Round.ServerSeedHash, Nonce: *played.Round.Nonce},
	})
}

// TestKilledUnderLoad kills the service while clients play, starts it again, and compares every
// acknowledged round, every retry by key and the whole ledger with the answers before.
func TestKilledUnderLoad(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and kills the real binary") // allowed: make test runs it
	}
	folder := t.TempDir()
	running := services.NewDev(t, folder)
	mint := running.Tokens[0].Mint
	tokens, past := map[string]string{}, map[string]*history.History{}
	admin := client.New(running.BaseURL, nil).WithToken(running.SignIn(t, "superadmin"))
	for _, name := range []string{"alice", "bob"} {
		tokens[name] = running.SignIn(t, name)
		_, address := running.Key(t, name)
		if _, err := admin.AdjustBalance(context.Background(), address, api.AdjustRequest{Token: mint, Amount: 1_000_000_000, Reason: "stakes for the test"}); err != nil {
			t.Fatal(err)
		}
		past[name] = history.New(balanceOf(t, running.BaseURL, tokens[name], mint))
	}
	var known []acknowledged
	for round := range kills(t) {
		acks, open := loadUntilKilled(t, running, round, mint, tokens, past)
		known = append(known, acks...)
		running = services.NewDev(t, folder)
		for name, token := range tokens {
			checkAcknowledged(t, client.New(running.BaseURL, nil).WithToken(token), name, acks)
			checkOpen(t, client.New(running.BaseURL, nil).WithToken(token), name, open)
			look := past[name].Begin(0, history.Ask{Kind: history.BalanceRead, Key: "after the kill"})
			balance := balanceOf(t, running.BaseURL, token, mint)
			look.End(history.Response{Outcome: history.Done, Balance: &balance})
		}
	}
	if len(known) == 0 {
		t.Fatal("nothing was acknowledged between the kills")
	}
	for name, h := range past {
		if err := h.Check(); err != nil {
			t.Errorf("the history of %s: %v", name, err)
		}
	}
	running.Kill()
	out, err := services.Audit(t, folder)
	if err != nil {
		t.Fatalf("after %d kills and %d acknowledged rounds the ledger doesn't hold: %v\n%s", kills(t), len(known), err, out)
	}
	t.Logf("%d kills, %d acknowledged rounds; audit: %s", kills(t), len(known), out)
}

func balanceOf(t *testing.T, url, bearer, mint string) int64 {
	t.Helper()
	balances, err := client.New(url, nil).WithToken(bearer).Balance(context.Background(), api.BalanceParams{})
	noError(t, err)
	for _, b := range balances {
		if b.Token == mint {
			return b.Balance
		}
	}
	return 0
}

// loadUntilKilled plays until a number of rounds is acknowledged, then kills. It returns the
// acknowledged and the unanswered bets.
func loadUntilKilled(t *testing.T, running *services.Dev, kill int, mint string, tokens map[string]string, past map[string]*history.History) (known, open []acknowledged) {
	t.Helper()
	const clients, enough = 4, 60
	var mu sync.Mutex
	var all sync.WaitGroup
	for name, token := range tokens {
		for c := range clients {
			all.Go(func() {
				session := client.New(running.BaseURL, nil).WithToken(token)
				for n := 0; ; n++ {
					bet := api.PlayRequest{GameType: "dice", Wager: 10_000, Token: mint}
					bet.IdempotencyKey = fmt.Sprintf("%s-%d-%d-%d", name, kill, c, n)
					ask := acknowledged{key: bet.IdempotencyKey, bet: bet}
					ask.asked = past[name].Begin(c, history.Ask{Kind: history.Bet, Key: ask.key, Amount: bet.Wager})
					played, err := session.Play(context.Background(), bet)
					mu.Lock()
					if err != nil {
						open = append(open, ask)
						mu.Unlock()
						return
					}
					ask.record(played)
					known = append(known, ask)
					reached := len(known) == enough
					mu.Unlock()
					if reached {
						running.Kill()
					}
				}
			})
		}
	}
	all.Wait()
	return known, open
}

// checkAcknowledged reads acknowledged rounds by id and by key.
func checkAcknowledged(t *testing.T, session *client.Client, name string, known []acknowledged) {
	t.Helper()
	for _, ack := range known {
		if ack.key[:len(name)] != name {
			continue
		}
		if _, err := session.Round(context.Background(), ack.round); err != nil {
			t.Fatalf("acknowledged round %s is not there after the kill: %v", ack.round, err)
		}
		again, err := session.Play(context.Background(), ack.bet)
		if err != nil || !again.Replayed || again.Round.ID != ack.round {
			t.Fatalf("key %s gave round %s before the kill and %s (%v, replayed %v) after it",
				ack.key, ack.round, again.Round.ID, err, again.Replayed)
		}
	}
}

// checkOpen repeats unanswered bets twice with their keys: one result each.
func checkOpen(t *testing.T, session *client.Client, name string, open []acknowledged) {
	t.Helper()
	for _, ask := range open {
		if ask.key[:len(name)] != name {
			continue
		}
		first, err := session.Play(context.Background(), ask.bet)
		if err != nil {
			t.Fatalf("the retry of %s: %v", ask.key, err)
		}
		ask.record(first)
		second, err := session.Play(context.Background(), ask.bet)
		if err != nil || !second.Replayed || first.Round.ID != second.Round.ID {
			t.Fatalf("key %s gave rounds %s and %s (%v)", ask.key, first.Round.ID, second.Round.ID, err)
		}
	}
}
