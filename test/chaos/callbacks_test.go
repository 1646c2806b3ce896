package chaos_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/test/services"
)

// callback is a provider's message with the amounts it moves, in base units.
type callback struct {
	txn, kind string
	bet, win  int64
}

// unit is a unit of the demo provider's money in base units of the demo token.
const unit = 1_000_000

// provider sends callbacks to a service that is killed and started again.
type provider struct {
	url    atomic.Pointer[string]
	secret string
	user   string
}

// deliver sends a message until its outcome is known, as providers do, and returns the answer's
// status.
func (p *provider) deliver(c callback) (status int, err error) {
	money := func(n int64) json.Number { return json.Number(fmt.Sprintf("%d.%06d", n/unit, n%unit)) }
	body, err := json.Marshal(map[string]any{
		"method": "transaction", "agent_code": "casino-dev", "agent_secret": p.secret, "user_code": p.user, "game_type": "slot",
		"slot": map[string]any{
			"provider_code": "DEMOSPIN", "game_code": "cherry-rush", "txn_id": c.txn, "txn_type": c.kind,
			"bet_money": money(c.bet), "win_money": money(c.win),
		},
	})
	if err != nil {
		return 0, err
	}
	for begin := time.Now(); time.Since(begin) < 2*time.Minute; {
		answer, err := http.Post(*p.url.Load(), "application/json", bytes.NewReader(body))
		if err != nil {
			time.Sleep(20 * time.Millisecond) // allowed: the service is being started again
			continue
		}
		text, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		var parsed struct {
			Status  int    `json:"status"`
			Message string `json:"msg"`
		}
		if err != nil || answer.StatusCode != http.StatusOK || json.Unmarshal(text, &parsed) != nil {
			continue
		}
		if parsed.Status != 1 {
			return parsed.Status, fmt.Errorf("%s %s: %s", c.kind, c.txn, parsed.Message)
		}
		return parsed.Status, nil
	}
	return 0, fmt.Errorf("%s %s is never answered", c.kind, c.txn)
}

// TestKilledUnderCallbacks kills the service during a provider's callbacks and starts it again,
// while the provider repeats unanswered ones: in the end every message counts once.
func TestKilledUnderCallbacks(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and kills the real binary") // allowed: make test runs it
	}
	folder := t.TempDir()
	running := services.NewDev(t, folder)
	bearer, sent, stakes := readyToPlay(t, running, folder)
	messages, want := drawCallbacks(stakes)
	queue := make(chan callback)
	var known atomic.Int64
	var senders sync.WaitGroup
	for range 12 {
		senders.Go(func() {
			for c := range queue {
				if _, err := sent.deliver(c); err != nil {
					t.Error(err)
				}
				known.Add(1)
			}
		})
	}
	killed := make(chan *services.Dev, 1)
	go func() {
		now, times := running, kills(t)
		for n := range times {
			for known.Load() < int64((n+1)*len(messages)/(times+1)) {
				time.Sleep(time.Millisecond) // allowed: waits for the load to get so far
			}
			now.Kill()
			now = services.NewDev(t, folder)
			url := now.BaseURL + "/gold_api"
			sent.url.Store(&url)
		}
		killed <- now
	}()
	for _, c := range messages {
		queue <- c
	}
	close(queue)
	senders.Wait()
	running = <-killed
	if got := demoBalance(t, running, bearer); got != want {
		t.Errorf("after %d kills the balance is %d, the model says %d", kills(t), got, want)
	}
	running.Kill()
	if out, err := services.Audit(t, folder); err != nil {
		t.Errorf("the ledger doesn't hold: %v\n%s", err, out)
	}
}

// demoBalance returns a player's balance of the demo token.
func demoBalance(t *testing.T, s *services.Dev, bearer string) int64 {
	t.Helper()
	return balanceOf(t, s.BaseURL, bearer, s.Tokens[1].Mint)
}

// launch launches alice's game, after the catalogue was synchronized.
func launch(t *testing.T, running *services.Dev, bearer string) (game string) {
	t.Helper()
	_, address := running.Key(t, "alice")
	session := client.New(running.BaseURL, nil).WithToken(bearer)
	for begin := time.Now(); game == "" && time.Since(begin) < time.Minute; {
		game, _ = session.Launch(context.Background(), api.LaunchRequest{GameCode: "cherry-rush", UserCode: address})
	}
	return game
}

// readyToPlay signs alice in with some of the demo token, launches a game and
// spins it as its page does. It returns the bearer token and the balance.
func readyToPlay(t *testing.T, running *services.Dev, folder string) (bearer string, _ *provider, stakes int64) {
	t.Helper()
	admin := client.New(running.BaseURL, nil).WithToken(running.SignIn(t, "superadmin"))
	bearer = running.SignIn(t, "alice")
	_, address := running.Key(t, "alice")
	if _, err := admin.AdjustBalance(context.Background(), address, api.AdjustRequest{Token: running.Tokens[1].Mint, Amount: 1_000_000_000, Reason: "stakes for the test"}); err != nil {
		t.Fatal(err)
	}
	game := launch(t, running, bearer)
	before := demoBalance(t, running, bearer)
	answer, err := http.Post(game+"/spin", "application/json", strings.NewReader(`{"bet":100}`))
	if err != nil {
		t.Fatalf("the demo's game can't be played: %v", err)
	}
	var spin struct {
		Window []string `json:"window"`
		Win    int64    `json:"win"` // hundredths
	}
	err = json.NewDecoder(answer.Body).Decode(&spin)
	_ = answer.Body.Close()
	stakes = demoBalance(t, running, bearer)
	if want := before - unit + spin.Win*(unit/100); err != nil || len(spin.Window) != 3 || stakes != want {
		t.Fatalf("a spin of one unit: %+v, %v; the balance went from %d to %d", spin, err, before, stakes)
	}
	raw, err := os.ReadFile(filepath.Join(folder, "provider-secret.key"))
	noError(t, err)
	p := &provider{secret: strings.TrimSpace(string(raw)), user: address}
	url := running.BaseURL + "/gold_api"
	p.url.Store(&url)
	return bearer, p, stakes
}

// drawCallbacks draws messages in random order, some of them twice or three times, and returns
// the rest of the stakes if each counts once.
func drawCallbacks(stakes int64) (messages []callback, left int64) {
	random := rand.New(rand.NewPCG(20260321, 7))
	left = stakes
	for i := range 200 {
		txn := fmt.Sprint("chaos-", i)
		bet, win := 1+random.Int64N(unit), random.Int64N(unit)
		left += win - bet
		own := []callback{{txn, "debit_credit", bet, win}}
		if random.IntN(2) == 0 {
			own = []callback{{txn, "debit", bet, 0}, {txn, "credit", 0, win}}
		}
		for _, c := range own {
			for range 1 + random.IntN(3) {
				messages = append(messages, c)
			}
		}
	}
	random.Shuffle(len(messages), func(i, j int) { messages[i], messages[j] = messages[j], messages[i] })
	return messages, left
}
