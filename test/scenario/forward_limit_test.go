package scenario_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// TestOnePrepaidAccountUnderTwoInstances lets many players of one agent bet concurrently through
// both instances: the account never exceeds its credit limit at any read, and every bet that it
// covers is accepted.
func TestOnePrepaidAccountUnderTwoInstances(t *testing.T) {
	t.Parallel()
	for name, open := range forwardStores() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNetwork(t, open(t), 5)
			acme := n.agentWithSite("acme", oldSite)
			n.creditLimit("acme", 20_000)
			n.prepay("acme", 50_000)
			var players []wallet.Address
			for i := range 6 {
				who := fmt.Sprint("bettor ", i)
				acme.Pay(caller(who).Wallet, 1_000_000)
				players = append(players, n.member(who, "acme"))
			}
			taken := n.betAtOnce(players, 60, 3_000)
			if taken != 23 { // 69 of 70
				t.Errorf("%d bets were taken", taken)
			}
			if got := n.funds("acme"); got != (agent.Funds{Balance: -19_000, CreditLimit: 20_000}) {
				t.Errorf("the account is %+v", got)
			}
			n.proved()
		})
	}
}

// betAtOnce sends a number of bets through both instances, and returns how many were accepted;
// all others must be refused for lack of the agent's funds.
func (n *network) betAtOnce(players []wallet.Address, bets int, amount int64) (taken int) {
	n.Helper()
	var mu sync.Mutex
	var all, watcher sync.WaitGroup
	done := make(chan struct{})
	watcher.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			if f := n.funds("acme"); f.Free().Sign() < 0 {
				n.Errorf("seen at %+v", f)
			}
		}
	})
	for i := range bets {
		all.Go(func() {
			for {
				got, err := n.instances[i%len(n.instances)].Providers.ProviderTransact(n.Context(),
					call(players[i%len(players)], fmt.Sprint("bet-", i), seamless.Debit, decimalOf(amount), ""))
				if fault.Is(err, fault.RateLimited) || fault.Is(err, fault.Unavailable) {
					continue // the provider sends it again
				}
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err != nil:
					n.Errorf("bet %d: %v", i, err)
				case got.Accepted:
					taken++
				case got.Reason != seamless.AgentFunds:
					n.Errorf("bet %d is refused for %s", i, got.Reason)
				}
				return
			}
		})
	}
	all.Wait()
	close(done)
	watcher.Wait()
	return taken
}

// TestAgentsAccountsAreMadeAtOnce lets players of many agents without an account play free rounds
// concurrently through both instances: the accounts are made on the way, in different orders, and
// no round is refused.
func TestAgentsAccountsAreMadeAtOnce(t *testing.T) {
	t.Parallel()
	for name, open := range forwardStores() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNetwork(t, open(t), 6)
			var players []wallet.Address
			for i := range 12 {
				code, who := fmt.Sprint("operator-", i), fmt.Sprint("guest ", i)
				o := n.agentWithSite(code, fmt.Sprintf("https://%s.example/", code))
				o.Pay(caller(who).Wallet, 1000)
				players = append(players, n.member(who, code))
			}
			var all sync.WaitGroup
			for i := range 4 * len(players) {
				all.Go(func() {
					for {
						got, err := n.instances[i%2].Providers.ProviderTransact(t.Context(),
							call(players[(i*7)%len(players)], fmt.Sprint("free-", i), seamless.DebitCredit, "0", "0.001"))
						if fault.Is(err, fault.RateLimited) || fault.Is(err, fault.Unavailable) {
							continue
						}
						if err != nil || !got.Accepted {
							t.Errorf("a free round: %+v, %v", got, err)
						}
						return
					}
				})
			}
			all.Wait()
			for i := range players {
				if got := n.funds(fmt.Sprint("operator-", i)); got != (agent.Funds{Balance: 4}) {
					t.Errorf("the account of agent %d is %+v", i, got)
				}
			}
			n.proved()
		})
	}
}
