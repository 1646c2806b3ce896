package fakes_test

import (
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/admission"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
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

func TestLogWitness(t *testing.T) {
	t.Parallel()
	conformance.LogWitness(t, func(*testing.T) conformance.LogWitnessUnderTest {
		asked := fakes.NewLogWitness("witness.example/one")
		return conformance.LogWitnessUnderTest{LogWitness: asked, Asked: asked}
	})
}

func TestBeacons(t *testing.T) {
	t.Parallel()
	conformance.Beacons(t, func(*testing.T) conformance.BeaconNetwork {
		b := fakes.NewBeacons()
		return conformance.BeaconNetwork{
			Beacons: b, SetUnreachable: b.SetUnreachable, Fork: b.Fork, Withhold: func(hidden bool) { b.Withhold(1_001, hidden) },
			Pass: func(heights uint64) {
				for range heights / 20 {
					b.Pass(8)
					b.PassEmpty(2)
					b.Pass(10)
				}
				b.Pass(heights % 20)
			},
		}
	})
}

func TestScreener(t *testing.T) {
	t.Parallel()
	conformance.Screener(t, func(*testing.T) conformance.ScreenerUnderTest {
		s := fakes.NewScreener("fake", admission.SignIn, admission.Payout)
		return conformance.ScreenerUnderTest{
			Screener: s,
			Subject: func(verdict admission.Verdict) (admission.Subject, bool) {
				s.Find(verdict, "found; by\na test")
				return admission.Subject{Point: admission.SignIn, Wallet: fakes.Wallet("alice")}, true
			},
			SetFailing: func(failing bool) {
				var err error
				if failing {
					err = errors.New("the source is down")
				}
				s.Fail(err)
			},
		}
	})
}

func TestCountries(t *testing.T) {
	t.Parallel()
	conformance.Countries(t, func(*testing.T) conformance.CountriesUnderTest {
		known := fakes.Countries{netip.MustParseAddr("81.2.69.142"): "GB", netip.MustParseAddr("2a02:d300::1"): "UA", netip.MustParseAddr("10.0.0.1"): "DE"}
		public := maps.Clone(known)
		delete(public, netip.MustParseAddr("10.0.0.1"))
		return conformance.CountriesUnderTest{Countries: known, Known: public}
	})
}

func TestSessions(t *testing.T) {
	t.Parallel()
	conformance.SessionTokens(t, func(_ *testing.T, clock ports.Clock, deployment string) ports.SessionTokens {
		return fakes.NewSessions(clock, deployment, time.Hour)
	})
}

// TestDrawsComeFromTheNumberAlone checks that draws depend only on the seed, as simulators
// require.
func TestDrawsComeFromTheNumberAlone(t *testing.T) {
	t.Parallel()
	one, two, other := fakes.NewEntropy(1), fakes.NewEntropy(1), fakes.NewEntropy(2)
	for range 50 {
		if seed := one.Seed(); seed != two.Seed() || seed == other.Seed() {
			t.Fatal("draws don't follow from the number")
		}
		if id := one.ID(); id != two.ID() || id == other.ID() {
			t.Fatal("ids don't follow from the number")
		}
	}
	if alice := fakes.Wallet("alice"); alice != fakes.Wallet("alice") || alice == fakes.Wallet("bob") {
		t.Error("wallets don't follow from their names")
	}
}

func TestGameProvider(t *testing.T) {
	t.Parallel()
	conformance.GameProvider(t, func(*testing.T) conformance.Provider {
		p := fakes.NewGameProvider(
			seamless.Game{Provider: "MAKER", Code: "pears", Name: "Pears", Type: "slot", Open: true},
			seamless.Game{Provider: "ATELIER", Code: "cherry", Name: "Cherry", Type: "slot", Open: true},
			seamless.Game{Provider: "MAKER", Code: "apples", Name: "Apples", Type: "slot"},
		)
		played := 0
		return conformance.Provider{
			GameProvider: p, Maker: "MAKER", Game: "apples", Host: fakes.ProviderHost, Credentials: []string{"of no account"},
			Refuse: p.Refuse, Elsewhere: p.LaunchAt, Garble: func() { p.SetGarbled(true) }, SetUnreachable: p.SetUnreachable,
			Play: func(w wallet.Address, at time.Time, bet, win seamless.Decimal) string {
				played++
				id := fmt.Sprintf("txn-%d", played)
				p.Record(w, seamless.Record{TxnID: id, Kind: seamless.Debit, Provider: "MAKER", Game: "apples", Requested: seamless.Requested{Bet: bet}, At: at})
				p.Record(w, seamless.Record{TxnID: id, Kind: seamless.Credit, Provider: "MAKER", Game: "apples", Requested: seamless.Requested{Win: win}, At: at})
				return id
			},
		}
	})
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
	conformance.ReceiptSigner(t, func(_ *testing.T, names ...string) ports.ReceiptSigner {
		return fakes.StatementSigner{Names: names}
	})
}

func TestAuthenticator(t *testing.T) {
	t.Parallel()
	conformance.Authenticator(t, func(_ *testing.T, names ...string) ports.Authenticator {
		return fakes.Authenticator{Names: names}
	})
}
