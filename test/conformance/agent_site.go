package conformance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// Site is an adapter to agents' sites under test, with one site at its end.
type Site struct {
	ports.AgentSite
	To    ports.SiteAccess
	Agent *fakes.AgentSite
	// Gone is an endpoint without a site.
	Gone string
}

// AgentSite is the suite of ports.AgentSite. newSite gets an agent whose scale is 3.
func AgentSite(t *testing.T, newSite func(t *testing.T, o *fakes.AgentSite) Site) {
	for _, s := range []struct {
		sentence string
		prove    func(t *testing.T, s Site)
	}{
		{"a player's balance is returned in the provider's money", siteReturnsBalance},
		{"a player whom the site doesn't know is InvalidUser", siteKnowsNoSuchPlayer},
		{"a debit takes and a credit gives, and the balance after it is returned", siteTakesAndGives},
		{"the same message again is answered as the first time", siteAnswersAgain},
		{"a refusal is a response with its reason, not an error", siteRefuses},
		{"a site that is too slow or answers outside its protocol is External, whatever it did", siteFails},
		{"a site that doesn't know us is External", siteDoesntKnowUs},
		{"a site that can't be reached is AgentSeamless: nothing was sent", siteIsGone},
		{"no error holds the secret or what a site answered", siteErrorsHoldNothing},
	} {
		sub(t, s.sentence, func(t *testing.T) {
			o := fakes.NewAgentSite("acme", "ags_0123456789abcdef", 3)
			o.Pay(alice, 10_500)
			site := newSite(t, o)
			site.Agent = o
			s.prove(t, site)
		})
	}
}

func message(txn string, leg seamless.Kind, amount seamless.Decimal) ports.SiteMessage {
	return ports.SiteMessage{
		Wallet: alice, TxnID: txn, Leg: leg, Provider: "MAKER", Game: "fruits", GameType: "slot", Amount: amount,
	}
}

func siteReturnsBalance(t *testing.T, s Site) {
	if got, err := s.PlayerBalance(t.Context(), s.To, alice); err != nil || got != "10.5" {
		t.Errorf("the balance is %q, %v", got, err)
	}
}

func siteKnowsNoSuchPlayer(t *testing.T, s Site) {
	if got, err := s.PlayerBalance(t.Context(), s.To, bob); !fault.Is(err, fault.InvalidUser) {
		t.Errorf("the balance is %q, %v", got, err)
	}
}

// responds sends a message that must be answered as wanted.
func (s Site) responds(t *testing.T, m ports.SiteMessage, want ports.SiteResponse) {
	t.Helper()
	if got, err := s.Send(t.Context(), s.To, m); err != nil || got != want {
		t.Errorf("%s %s: %+v, %v, want %+v", m.Leg, m.TxnID, got, err, want)
	}
}

func siteTakesAndGives(t *testing.T, s Site) {
	s.responds(t, message("t1", seamless.Debit, "0.125"), ports.SiteResponse{Accepted: true, Balance: "10.375"})
	s.responds(t, message("t1", seamless.Credit, "3"), ports.SiteResponse{Accepted: true, Balance: "13.375"})
	s.responds(t, message("t2", seamless.Debit, "0"), ports.SiteResponse{Accepted: true, Balance: "13.375"})
}

func siteAnswersAgain(t *testing.T, s Site) {
	for range 3 {
		s.responds(t, message("t1", seamless.Debit, "0.5"), ports.SiteResponse{Accepted: true, Balance: "10"})
	}
	if s.Agent.Has(alice) != 10_000 {
		t.Errorf("the site moved %d", s.Agent.Has(alice))
	}
}

func siteRefuses(t *testing.T, s Site) {
	s.responds(t, message("t1", seamless.Debit, "11"), ports.SiteResponse{Balance: "10.5", Reason: seamless.InsufficientFunds})
	s.Agent.Refuse(seamless.Debit, "NO_WAY_"+seamless.Reason(s.Agent.Secret))
	s.responds(t, message("t2", seamless.Debit, "1"), ports.SiteResponse{Balance: "10.5", Reason: seamless.AgentSeamless})
}

func siteFails(t *testing.T, s Site) {
	left := s.Agent.Has(alice)
	for i, trouble := range fakes.Troubles() {
		s.Agent.Trouble(func(ports.SiteMessage) fakes.Trouble { return trouble })
		m := message(fmt.Sprint("t", i), seamless.Debit, "0.001")
		if got, err := s.Send(t.Context(), s.To, m); !fault.Is(err, fault.External) {
			t.Errorf("trouble %d: %+v, %v", trouble, got, err)
		}
		if trouble.Acts() {
			left--
		}
		if got := s.Agent.Has(alice); got != left {
			t.Errorf("after trouble %d the player has %d, not %d", trouble, got, left)
		}
		s.Agent.Trouble(nil)
		if got, err := s.Send(t.Context(), s.To, m); err != nil || !got.Accepted {
			t.Errorf("after trouble %d: %+v, %v", trouble, got, err)
		}
		if !trouble.Acts() {
			left--
		}
	}
}

func siteDoesntKnowUs(t *testing.T, s Site) {
	to := s.To
	to.Secret = agent.SecretFrom("ags_another")
	if got, err := s.Send(t.Context(), to, message("t1", seamless.Debit, "1")); !fault.Is(err, fault.External) {
		t.Errorf("with another secret: %+v, %v", got, err)
	}
	if got, err := s.PlayerBalance(t.Context(), to, alice); !fault.Is(err, fault.External) {
		t.Errorf("with another secret: %+v, %v", got, err)
	}
	if s.Agent.Has(alice) != 10_500 {
		t.Errorf("the player has %d", s.Agent.Has(alice))
	}
}

func siteIsGone(t *testing.T, s Site) {
	to := s.To
	to.Endpoint = s.Gone
	for range 10 {
		if got, err := s.Send(t.Context(), to, message("t1", seamless.Debit, "1")); !fault.Is(err, fault.AgentSeamless) {
			t.Errorf("a site that is gone: %+v, %v", got, err)
		}
	}
	s.responds(t, message("t1", seamless.Debit, "0.5"), ports.SiteResponse{Accepted: true, Balance: "10"})
}

func siteErrorsHoldNothing(t *testing.T, s Site) {
	for _, trouble := range fakes.Troubles() {
		s.Agent.Trouble(func(ports.SiteMessage) fakes.Trouble { return trouble })
		for _, err := range []error{
			errorOf(s.Send(t.Context(), s.To, message("t", seamless.Debit, "1"))), errorOf(s.PlayerBalance(t.Context(), s.To, alice)),
		} {
			if err == nil || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), s.Agent.Secret) {
				t.Errorf("trouble %d: %v", trouble, err)
			}
		}
	}
}

func failureOf[T any](_ T, err error) error { return err }
