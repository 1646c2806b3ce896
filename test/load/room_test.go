package load_test

import (
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
)

// The attackers of BenchmarkFullRoom, and how many rounds each of them may have open.
const (
	roomAttackers = 200
	roomRounds    = 4
)

// BenchmarkFullRoom measures the cost of blocking the games that are played step by step, against
// `casino dev` with its 1,000 SOL of capital: 200 wallets open 4 rounds of hilo each and never
// step. After each wave another player makes a normal bet. The waves wager 10,000 lamports per
// round, then 3,000,000 after the rounds of the first were cashed out. It prints the wagers, the
// player's answers, the open alarms, and how many rounds an admin must end until the player's bet
// is accepted. It doesn't wait for the 45 minutes after which the service ends idle rounds
// itself.
func BenchmarkFullRoom(b *testing.B) {
	p := startDev(b)
	token := p.run("login", "--data-dir", filepath.Join(p.folder, "data"), "--keypair", filepath.Join(p.folder, "data", "wallets", "superadmin.json"))
	admin := client.New(p.base, nil).WithToken(strings.TrimSpace(token))
	seat := func(name string, n int, amount int64) *client.Client {
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 65, byte(n/254), byte(1+n%254))}}
		own := &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 1}}
		signedIn, _, err := client.New(p.base, own).SignIn(b.Context(), fakes.Key(name), time.Now())
		noError(b, err)
		if _, err := admin.AdjustBalance(b.Context(), string(fakes.Wallet(name)), api.AdjustRequest{Token: string(money.SOL), Amount: amount, Reason: "a stake for a measurement", IdempotencyKey: name}); err != nil {
			b.Fatal(err)
		}
		return signedIn
	}
	bet := func(who *client.Client, wager int64) (api.Stepped, error) {
		return who.OpenRound(b.Context(), api.PlayRequest{GameType: "hilo", Wager: wager, Token: string(money.SOL)})
	}
	for b.Loop() {
		victim := seat("a normal player", roomAttackers, 1_000_000_000)
		attackers := make([]*client.Client, roomAttackers)
		for i := range attackers {
			attackers[i] = seat(fmt.Sprint("attacker ", i), i, 15_000_000)
		}
		var open []api.OpenRound
		for _, wager := range []int64{10_000, 3_000_000} {
			for _, round := range open {
				if _, err := admin.EndRound(b.Context(), round.ID, api.EndRoundRequest{Reason: "the next wave"}); err != nil {
					b.Fatal(err)
				}
			}
			open = nil
			began, refused := time.Now(), 0
			for range roomRounds {
				for _, who := range attackers {
					if opened, err := bet(who, wager); err == nil && opened.Open != nil {
						open = append(open, *opened.Open)
					} else if err != nil {
						refused++
					}
				}
			}
			took := time.Since(began)
			mine, err := bet(victim, 100_000_000)
			alarms, problem := admin.ListAlarms(b.Context(), api.ListAlarmsParams{})
			if problem != nil {
				b.Fatal(problem)
			}
			kinds := []string{}
			for _, a := range alarms.Alarms {
				kinds = append(kinds, string(a.Kind))
			}
			fmt.Printf("wagers of %d: %d rounds open, %d refused, %d lamports staked in %.1f s; a bet of 0.1 SOL beside them: %v; alarms: %v\n",
				wager, len(open), refused, int64(len(open))*wager, took.Seconds(), err, kinds)
			if err == nil {
				if _, err := admin.EndRound(b.Context(), mine.Open.ID, api.EndRoundRequest{Reason: "measured"}); err != nil {
					b.Fatal(err)
				}
				continue
			}
			ended, closed := 0, time.Now()
			for ; err != nil && ended < len(open); ended++ {
				if _, problem := admin.EndRound(b.Context(), open[ended].ID, api.EndRoundRequest{Reason: "it holds scarce room"}); problem != nil {
					b.Fatal(problem)
				}
				mine, err = bet(victim, 100_000_000)
			}
			fmt.Printf("an admin ended %d rounds in %.1f s, then the bet was answered: %v\n", ended, time.Since(closed).Seconds(), err)
		}
	}
	b.ReportMetric(0, "ns/op")
}
