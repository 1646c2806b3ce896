package conformance

import (
	"context"
	"errors"
	"maps"
	"net/netip"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/domain/admission"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// beingBroken is set in the process that runs suites on adapters which must fail them.
const beingBroken = "CASINO_TEST_BROKEN_ADAPTERS"

// brokenAdapters are empty adapters, or adapters with one defect, with the suites that run them.
// Each fails at least one subtest.
var brokenAdapters = map[string]func(t *testing.T){
	"a store that panics": func(t *testing.T) {
		newStore := func(*testing.T) Store { return Store{Ports: struct{ Ports }{}} }
		t.Run("Writer", func(t *testing.T) { Writer(t, newStore) })
		for name, suite := range Suites() {
			t.Run(name, func(t *testing.T) { suite(t, newStore) })
		}
	},
	"a writer that decides nothing": func(t *testing.T) {
		Writer(t, func(t *testing.T) Store { return Store{Ports: noWriter{memory.New()}} })
	},
	"no game":             func(t *testing.T) { Game(t, nil) },
	"a game with nothing": func(t *testing.T) { Game(t, struct{ game.Game }{}) },
	"no store":            func(t *testing.T) { Brandings(t, func(*testing.T) Store { return Store{} }) },
	"one port that returns nothing": func(t *testing.T) {
		newStore := func(t *testing.T) Store { return Store{Ports: noPlayers{memory.New()}} }
		Players(t, newStore)
		Protection(t, newStore)
	},
	"no chain": func(t *testing.T) { chainSuites(t, func(*testing.T) Chain { return Chain{} }) },
	"a chain that panics": func(t *testing.T) {
		chainSuites(t, func(*testing.T) Chain {
			c := FakeChain()
			c.ChainPorts = struct{ ChainPorts }{}
			return c
		})
	},
	"a payer that returns nothing": func(t *testing.T) { Payer(t, ownPayer(func(rest ChainPorts) ChainPorts { return noPayer{rest} })) },
	"a last valid height 100 too low": func(t *testing.T) {
		Payer(t, ownPayer(func(rest ChainPorts) ChainPorts { return hastyPayer{rest} }))
	},
	"the edge returns nothing": func(t *testing.T) {
		Clock(t, func(*testing.T) ports.Clock { return nil })
		Entropy(t, func(*testing.T) ports.Entropy { return nil })
		Limiter(t, func(*testing.T) LimiterUnderTest {
			return LimiterUnderTest{Limiter: noLimiter{}, Advance: func(time.Duration) {}}
		})
		SessionTokens(t, func(*testing.T, ports.Clock, string) ports.SessionTokens { return noSessions{} })
		Sealer(t, func(*testing.T, string) ports.Sealer { return nil })
		Authenticator(t, func(*testing.T, ...string) ports.Authenticator { return nil })
		StatementSigner(t, func(*testing.T, ...string) ports.StatementSigner { return nil })
		RotatedSeals(t, func(*testing.T, ...string) Rotated { return nil })
	},
	"the outside returns nothing": func(t *testing.T) {
		GameProvider(t, func(*testing.T) Provider { return Provider{} })
		AgentSite(t, func(*testing.T, *fakes.AgentSite) Site {
			return Site{To: ports.SiteAccess{Endpoint: "https://acme.example/", Agent: "acme", Secret: agent.SecretFrom("x")}}
		})
		Witness(t, func(*testing.T) WitnessUnderTest { return WitnessUnderTest{} })
		Restrictions(t, func(*testing.T) RestrictionsUnderTest { return RestrictionsUnderTest{} })
	},
	"screeners return nothing": func(t *testing.T) {
		Screener(t, func(*testing.T) ScreenerUnderTest { return ScreenerUnderTest{} })
		Countries(t, func(*testing.T) CountriesUnderTest { return CountriesUnderTest{} })
	},
	"a screener that allows while its source fails": brokenScreener(func(s *fakes.Screener) ports.Screener { return lenientScreener{s} }),
	"a screener that waits without an end":          brokenScreener(func(s *fakes.Screener) ports.Screener { return endlessScreener{s} }),
	"a screener with evidence of any length":        brokenScreener(func(s *fakes.Screener) ports.Screener { return longScreener{s} }),
	"a screener that panics on a zero subject":      brokenScreener(func(s *fakes.Screener) ports.Screener { return fragileScreener{s} }),
	"a screener under another's name":               brokenScreener(func(s *fakes.Screener) ports.Screener { return renamedScreener{s} }),
	"countries that know a private address": func(t *testing.T) {
		Countries(t, func(*testing.T) CountriesUnderTest {
			return CountriesUnderTest{Countries: everyCountry{}, Known: fakes.Countries{netip.MustParseAddr("81.2.69.142"): "GB", netip.MustParseAddr("2a02:d300::1"): "GB"}}
		})
	},
	"a limiter that steps by seven seconds and says so nowhere": func(t *testing.T) {
		Limiter(t, func(*testing.T) LimiterUnderTest { return stepping(7*time.Second, 0) })
	},
	"a limiter that admits one too many": func(t *testing.T) {
		Limiter(t, func(*testing.T) LimiterUnderTest {
			l := stepping(7*time.Second, 7*time.Second)
			l.Limiter = oneMore{l.Limiter}
			return l
		})
	},
}

// brokenScreener runs the suite on a screener with a defect.
func brokenScreener(broken func(*fakes.Screener) ports.Screener) func(t *testing.T) {
	return func(t *testing.T) {
		Screener(t, func(*testing.T) ScreenerUnderTest {
			s := fakes.NewScreener("fake")
			return ScreenerUnderTest{
				Screener: broken(s),
				Subject: func(verdict admission.Verdict) (admission.Subject, bool) {
					s.Find(verdict, "because")
					return admission.Subject{Point: admission.SignIn, Wallet: fakes.Wallet("alice")}, true
				},
				SetFailing: func(failing bool) {
					if s.Fail(nil); failing {
						s.Fail(errors.New("down"))
					}
				},
			}
		})
	}
}

type lenientScreener struct{ *fakes.Screener }

func (s lenientScreener) Screen(ctx context.Context, about admission.Subject) (admission.Finding, error) {
	finding, err := s.Screener.Screen(ctx, about)
	if err != nil {
		finding = admission.Finding{Screener: s.Name(), Verdict: admission.Allow}
	}
	return finding, nil
}

type endlessScreener struct{ *fakes.Screener }

func (s endlessScreener) Screen(ctx context.Context, about admission.Subject) (admission.Finding, error) {
	if ctx.Err() != nil {
		select {}
	}
	return s.Screener.Screen(ctx, about)
}

type longScreener struct{ *fakes.Screener }

func (s longScreener) Screen(ctx context.Context, about admission.Subject) (admission.Finding, error) {
	finding, err := s.Screener.Screen(ctx, about)
	if err == nil {
		finding.Evidence = strings.Repeat("e", admission.EvidenceMax+1)
	}
	return finding, err
}

type fragileScreener struct{ *fakes.Screener }

func (s fragileScreener) Screen(ctx context.Context, about admission.Subject) (admission.Finding, error) {
	_ = about.Wallet[0]
	return s.Screener.Screen(ctx, about)
}

type renamedScreener struct{ *fakes.Screener }

func (s renamedScreener) Name() string { return "another" }

type everyCountry struct{}

func (everyCountry) Country(netip.Addr) (string, error) { return "GB", nil }

func chainSuites(t *testing.T, newChain func(*testing.T) Chain) {
	DepositReader(t, newChain)
	DepositTransactions(t, newChain)
	DepositHistory(t, newChain)
	TreasuryHistory(t, newChain)
	Mints(t, newChain)
	Payer(t, newChain)
	ChainHeights(t, newChain)
	Memos(t, newChain)
	ChainProbe(t, newChain)
	HouseAddresses(t, newChain)
}

// ownPayer returns the fake chain with another payer.
func ownPayer(own func(rest ChainPorts) ChainPorts) func(t *testing.T) Chain {
	return func(*testing.T) Chain {
		c := FakeChain()
		c.ChainPorts = own(c.ChainPorts)
		return c
	}
}

type noWriter struct{ Ports }

func (noWriter) Commit(context.Context, player.Item) (player.Receipt, error) {
	return player.Receipt{}, nil
}

type noPlayers struct{ Ports }

func (noPlayers) Balances(context.Context, wallet.Address) ([]ports.TokenBalance, error) {
	return nil, nil
}

type noPayer struct{ ChainPorts }

func (noPayer) Sign(context.Context, withdrawal.Withdrawal, token.Terms) (withdrawal.Attempt, error) {
	return withdrawal.Attempt{}, nil
}
func (noPayer) Send(context.Context, withdrawal.Attempt) error { return nil }
func (noPayer) Outcome(context.Context, withdrawal.Attempt) (withdrawal.Outcome, error) {
	return withdrawal.Outcome{}, nil
}

// hastyPayer assumes that its payouts can land for a third of the real time.
type hastyPayer struct{ ChainPorts }

func (p hastyPayer) Sign(ctx context.Context, w withdrawal.Withdrawal, terms token.Terms) (withdrawal.Attempt, error) {
	attempt, err := p.ChainPorts.Sign(ctx, w, terms)
	attempt.LastValidHeight -= min(100, attempt.LastValidHeight)
	return attempt, err
}

type noLimiter struct{}

func (noLimiter) Take(context.Context, string, limit.Rule) (limit.Decision, error) {
	return limit.Decision{}, nil
}

type oneMore struct{ ports.Limiter }

func (g oneMore) Take(ctx context.Context, key string, rule limit.Rule) (limit.Decision, error) {
	rule.Max++
	return g.Limiter.Take(ctx, key, rule)
}

type noSessions struct{}

func (noSessions) Issue(wallet.Address) (string, time.Time, error) { return "", time.Time{}, nil }
func (noSessions) Verify(string) (ports.Session, error)            { return ports.Session{}, nil }

// stepping returns a limiter with a clock that moves in steps, and declares a step.
func stepping(by, declared time.Duration) LimiterUnderTest {
	clock := fakes.NewClock(fakes.Start)
	return LimiterUnderTest{
		Limiter: fakes.NewLimiter(coarse{clock, by}), Advance: func(d time.Duration) { clock.Advance(d) }, Step: declared,
	}
}

type coarse struct {
	*fakes.Clock
	step time.Duration
}

func (c coarse) Now() time.Time {
	return fakes.Start.Add(c.Clock.Now().Sub(fakes.Start) / c.step * c.step)
}

// TestBrokenAdapters runs the suites on broken adapters, in the process that must fail.
func TestBrokenAdapters(t *testing.T) {
	t.Parallel()
	if os.Getenv(beingBroken) == "" {
		return
	}
	patience = time.Second // of this process, which runs nothing else
	for name, suites := range brokenAdapters {
		t.Run(name, func(t *testing.T) { suites(t) })
	}
	for name, p := range plantedStores {
		t.Run(name, func(t *testing.T) {
			if suite, known := Suites()[p.suite]; known {
				suite(t, storeWith(p.plant))
				return
			}
			Writer(t, storeWith(p.plant))
		})
	}
}

// TestABrokenAdapterFailsItsSuite checks that every broken adapter's test fails: the suites
// neither pass nor panic, and run to their end.
func TestABrokenAdapterFailsItsSuite(t *testing.T) {
	t.Parallel()
	run := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestBrokenAdapters$", "-test.v", "-test.timeout=4m")
	run.Env = append(os.Environ(), beingBroken+"=yes")
	out, err := run.CombinedOutput()
	said := string(out)
	if err == nil || run.ProcessState.ExitCode() != 1 {
		t.Errorf("the process ended with %v", err)
	}
	for _, line := range strings.Split(said, "\n") {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			t.Errorf("%.1000s", said[strings.Index(said, line):])
		}
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(brokenAdapters)), slices.Collect(maps.Keys(plantedStores))) {
		if !strings.Contains(said, "--- FAIL: TestBrokenAdapters/"+strings.ReplaceAll(name, " ", "_")+" ") {
			t.Errorf("%s passes its suites, or was not run", name)
		}
	}
}

// TestALimiterOfAnyStepConforms checks that limiters of several declared steps pass.
func TestALimiterOfAnyStepConforms(t *testing.T) {
	t.Parallel()
	for _, step := range []time.Duration{time.Millisecond, 300 * time.Millisecond, time.Second, 7 * time.Second, 5 * time.Minute} {
		t.Run(step.String(), func(t *testing.T) {
			t.Parallel()
			Limiter(t, func(*testing.T) LimiterUnderTest { return stepping(step, step) })
		})
	}
}
