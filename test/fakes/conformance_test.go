package fakes_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
)

func TestClock(t *testing.T) {
	t.Parallel()
	conformance.Clock(t, func(*testing.T) ports.Clock { return &fakes.Clock{} })
}

func TestEntropy(t *testing.T) {
	t.Parallel()
	conformance.Entropy(t, func(*testing.T) ports.Entropy { return fakes.NewEntropy(42) })
}

func TestLimiter(t *testing.T) {
	t.Parallel()
	conformance.Limiter(t, func(*testing.T) conformance.LimiterUnderTest {
		clock := &fakes.Clock{}
		return conformance.LimiterUnderTest{Limiter: fakes.NewLimiter(clock), Advance: func(d time.Duration) { clock.Advance(d) }}
	})
}

func TestSessions(t *testing.T) {
	t.Parallel()
	conformance.SessionTokens(t, func(_ *testing.T, clock ports.Clock, deployment string) ports.SessionTokens {
		return fakes.NewSessions(clock, deployment, time.Hour)
	})
}

// TestDrawsComeFromTheNumberAlone proves what simulators rely on.
func TestDrawsComeFromTheNumberAlone(t *testing.T) {
	t.Parallel()
	one, two, other := fakes.NewEntropy(1), fakes.NewEntropy(1), fakes.NewEntropy(2)
	for range 50 {
		if seed := one.Seed(); seed != two.Seed() || seed == other.Seed() {
			t.Fatal("draws don't follow from the number")
		}
		if one.ID() != two.ID() {
			t.Fatal("ids don't follow from the number")
		}
	}
	if alice := fakes.Wallet("alice"); alice != fakes.Wallet("alice") || alice == fakes.Wallet("bob") {
		t.Error("wallets don't follow from their names")
	}
}

func TestSites(t *testing.T) {
	t.Parallel()
	conformance.AgentSite(t, func(_ *testing.T, o *fakes.AgentSite) conformance.Site {
		sites := fakes.NewSites()
		sites.Set("https://acme.example/", o)
		return conformance.Site{AgentSite: sites, Gone: "https://gone.example/", To: ports.SiteAccess{
			Endpoint: "https://acme.example/", Agent: "acme", Secret: agent.SecretFrom(o.Secret),
		}}
	})
}

func TestRotatedSeals(t *testing.T) {
	t.Parallel()
	conformance.RotatedSeals(t, func(_ *testing.T, names ...string) conformance.Rotated {
		return fakes.Authenticator{Names: names}
	})
}

func TestStatementSigner(t *testing.T) {
	t.Parallel()
	conformance.StatementSigner(t, func(_ *testing.T, names ...string) ports.StatementSigner {
		return fakes.StatementSigner{Names: names}
	})
}

func TestAuthenticator(t *testing.T) {
	t.Parallel()
	conformance.Authenticator(t, func(_ *testing.T, names ...string) ports.Authenticator {
		return fakes.Authenticator{Names: names}
	})
}
