package main

import (
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
)

// TestRecoverEndsTheSharedCrash restores backups that were taken while a round of the shared
// crash took bets, waited for its beacon, or flew. The service had ended the round before it was
// restored. The round ends once more, with the same hash, beacon and point; or it is cancelled.
func TestRecoverEndsTheSharedCrash(t *testing.T) {
	t.Parallel()
	for _, status := range []crash.Status{crash.Betting, crash.Closed, crash.Flying} {
		t.Run(string(status), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.settings["crash"], w.settings["crash-betting"], w.settings["crash-cap"], w.settings["crash-delay"] = "solana", "4s", "2", "4"
			w.do("migrate", "up")
			first := w.serve()
			w.do("capital", "book", string(money.SOL), "10000000000", "founding")
			alice := first.signIn("alice")
			credited(t, alice, w.pay("alice", 1_000_000_000))
			copied, placed := w.backedUpIn(status, alice)
			bet := placed.Bet
			var before string
			until(t, "the round is settled", func() bool {
				round, text := first.crashRound(bet)
				before = text
				return round.Round.Status == string(crash.Settled)
			})
			first.stop()
			w.putBack(copied)
			second := w.serve()
			second.log.await(t, "the database was restored from an older copy")
			w.recover("--apply")
			var after api.CrashRoundResponse
			var text string
			until(t, "the round has ended", func() bool {
				after, text = second.crashRound(bet)
				return len(after.Bets) == 1 && after.Bets[0].Payout != nil
			})
			now, err := verifier.ReadCrash([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			lost, err := verifier.ReadCrash([]byte(before))
			if err != nil {
				t.Fatal(err)
			}
			won := now.Round.Point >= 1_50
			want, compared := map[bool]int64{true: bet.Wager * 3 / 2, false: bet.Wager}[won], &lost
			if status == crash.Betting {
				want, compared = bet.Wager, nil // its lost result isn't paid
			}
			report, err := now.Verify(compared, nil)
			report.Findings = slices.DeleteFunc(report.Findings, func(text string) bool { // it starts again
				return status == crash.Closed && strings.HasPrefix(text, "before: startedAt was ")
			})
			if err != nil || len(report.Findings) > 0 || status != crash.Betting && !after.Round.Recovered || now.Round.Hash != lost.Round.Hash {
				t.Errorf("%v, %q\nbefore %s\nafter %s", err, report.Findings, before, text)
			}
			if cancelled := after.Round.Status == string(crash.Cancelled); cancelled != (status == crash.Betting) || *after.Bets[0].Payout != want {
				t.Errorf("the round is %s, paid %d, want %d", after.Round.Status, *after.Bets[0].Payout, want)
			}
			until(t, "the next chain has a round", func() bool {
				news, err := client.New(second.api, nil).Crash(t.Context())
				return err == nil && news.Round.Chain != bet.Chain
			})
			again, _, err := client.New(second.api, nil).SignIn(t.Context(), fakes.Key("alice"), time.Now().Add(55*time.Second))
			if err != nil {
				t.Fatal(err)
			}
			if got := balanceOf(t, again); got != placed.Balance+want {
				t.Errorf("alice has %d, want %d", got, placed.Balance+want)
			}
			second.stop()
			w.do("audit", "--seed-keys", w.settings["seed-keys"])
		})
	}
}

// backedUpIn bets on rounds until a backup is whole while the bet's round has a status.
func (w *world) backedUpIn(status crash.Status, session *client.Client) (copied string, placed api.CrashBetAndBalance) {
	t := w.t
	t.Helper()
	var news api.CrashNews
	look := func() bool {
		found, err := session.Crash(t.Context())
		if err == nil {
			news = found
		}
		return err == nil && news.Round != nil
	}
	for try := 1; ; try++ {
		until(t, "the bet is taken", func() bool {
			var err error
			placed, err = session.PlaceCrashBet(t.Context(), api.PlaceCrashBetRequest{Wager: 1_000_000, Token: string(money.SOL), CashOut: "1.5"})
			return err == nil
		})
		until(t, "the round is "+string(status), func() bool {
			return look() && (news.Round.Number > placed.Bet.Round || news.Round.Status == string(status) || news.Round.Hash != "")
		})
		copied = filepath.Join(t.TempDir(), "backup.db")
		w.do("backup", copied)
		if look(); news.Round.Number == placed.Bet.Round && news.Round.Status == string(status) && !(status == crash.Betting && news.Round.Stopped) {
			return copied, placed
		}
		if try == 5 {
			t.Fatalf("no backup was taken while a round was %s", status)
		}
	}
}

// crashRound requests the round of a bet. It returns the round and the text of the response.
func (s *running) crashRound(bet api.OwnCrashBet) (round api.CrashRoundResponse, text string) {
	s.t.Helper()
	answer, err := http.Get(fmt.Sprintf("%s/crash/rounds/%d?chain=%s", s.api, bet.Round, bet.Chain))
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if answer.StatusCode == http.StatusOK && err == nil {
		err = json.Unmarshal(body, &round)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return round, string(body)
}
