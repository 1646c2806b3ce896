package scenario_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

const rivalSite = "https://rival.example/"

// rebound is a player of acme, whom a superadmin moves to rival while acme's site is asked for
// the player's bet.
type rebound struct {
	*network
	alice wallet.Address
	rival *fakes.AgentSite
}

func newRebound(n *network) *rebound {
	r := &rebound{network: n}
	r.acme, r.rival = n.agentWithSite("acme", oldSite), n.agentWithSite("rival", rivalSite)
	for _, code := range []string{"acme", "rival"} {
		n.prepay(code, 50_000)
	}
	for _, o := range []*fakes.AgentSite{r.acme, r.rival} { // a player must be known there to launch
		o.Pay(fakes.Wallet("alice"), 9_000)
	}
	r.alice = n.member("alice", "acme")
	return r
}

// movesDuring moves the player to rival while the next message is at acme's site, which then has
// the trouble.
func (r *rebound) movesDuring(trouble fakes.Trouble) {
	r.acme.Trouble(func(ports.SiteMessage) fakes.Trouble {
		r.acme.Trouble(nil)
		_, err := r.instances[1].Admin.Rebind(r.Context(), r.admin, string(r.alice), "rival", "moved")
		r.must(err)
		return trouble
	})
}

// stands compares both sites and both accounts with the expected values.
func (r *rebound) stands(when string, atAcme, atRival money.Amount, acme, rival int64) {
	r.Helper()
	if a, b := r.acme.Has(r.alice), r.rival.Has(r.alice); a != atAcme || b != atRival {
		r.Errorf("%s: the player has %d at acme's site and %d at rival's, want %d and %d", when, a, b, atAcme, atRival)
	}
	for code, want := range map[string]int64{"acme": acme, "rival": rival} {
		if got := r.funds(code); got != (agent.Funds{Balance: want}) {
			r.Errorf("%s: the account of %s is %+v, want %d", when, code, got, want)
		}
	}
}

// TestAnAskedBetStaysWithItsAgent moves a player to another agent between the request to the site
// and its response: the bet and its win belong to the old agent, and the next bet goes to the new
// one's site.
func TestAnAskedBetStaysWithItsAgent(t *testing.T) {
	t.Parallel()
	for name, open := range forwardStores() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRebound(newNetwork(t, open(t), 5))
			r.movesDuring(fakes.SiteFine)
			r.took(seamless.Debit, "one", "2", "")
			r.stands("after the bet", 7_000, 9_000, 48_000, 50_000)
			r.took(seamless.Credit, "one", "", "3")
			r.stands("after its win", 10_000, 9_000, 51_000, 50_000)
			r.took(seamless.DebitCredit, "two", "4", "1")
			r.stands("after the next round", 10_000, 6_000, 51_000, 47_000)
			for code, want := range map[string]int{"acme": 2, "rival": 2} {
				page, err := r.store().Deliveries(t.Context(), ports.DeliveryFilter{Agent: code}, ports.Page{Number: 1, Limit: 10})
				r.must(err)
				if page.Total != want {
					t.Errorf("%s has %d deliveries, want %d: %+v", code, page.Total, want, page.Deliveries)
				}
			}
			r.proved()
		})
	}
}

// took sends a message that must be accepted.
func (r *rebound) took(kind seamless.Kind, txn string, bet, win seamless.Decimal) {
	r.Helper()
	answer, err := r.instances[0].Providers.ProviderTransact(r.Context(), call(r.alice, txn, kind, bet, win))
	r.must(err)
	if !answer.Accepted {
		r.Errorf("%s %s is refused: %+v", kind, txn, answer)
	}
}

// TestALostBetIsGivenBackWhereItWasTaken moves a player to another agent while the response of
// the old one's site gets lost: the bet is refused, and reversed at the old site.
func TestALostBetIsGivenBackWhereItWasTaken(t *testing.T) {
	t.Parallel()
	for name, open := range forwardStores() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRebound(newNetwork(t, open(t), 6))
			r.movesDuring(fakes.SiteAnswerLost)
			answer, err := r.instances[0].Providers.ProviderTransact(t.Context(), call(r.alice, "lost", seamless.Debit, "2", ""))
			r.must(err)
			if answer.Accepted {
				t.Errorf("an unconfirmed bet is taken: %+v", answer)
			}
			r.stands("while the answer is lost", 7_000, 9_000, 50_000, 50_000)
			r.work(time.Minute)
			r.stands("after it was resolved", 9_000, 9_000, 50_000, 50_000)
			if open := r.open(); len(open) > 0 || r.rival.Received("lost", seamless.Debit) > 0 {
				t.Errorf("still open: %+v; rival's site received it %d times", open, r.rival.Received("lost", seamless.Debit))
			}
			r.proved()
		})
	}
}
