package conformance

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// Clock is the suite of ports.Clock.
func Clock(t *testing.T, newClock func(t *testing.T) ports.Clock) {
	sub(t, "the time doesn't run back", func(t *testing.T) {
		clock := newClock(t)
		atOnce(4, func(int) {
			last := clock.Now()
			errorIf(t, last.IsZero(), "it returns the zero time")
			for range 1000 {
				now := clock.Now()
				errorIf(t, now.Before(last), "%v comes after %v", now, last)
				last = now
			}
		})
	})
}

// Entropy is the suite of ports.Entropy.
func Entropy(t *testing.T, newEntropy func(t *testing.T) ports.Entropy) {
	sub(t, "seeds are fresh", func(t *testing.T) {
		entropy := newEntropy(t)
		var seen sync.Map
		var bits atomic.Int64
		atOnce(4, func(int) {
			for range 500 {
				seed := entropy.Seed()
				if _, twice := seen.LoadOrStore(seed, true); twice {
					t.Errorf("seed %x comes twice", seed)
				}
				for _, b := range seed {
					for ; b != 0; b &= b - 1 {
						bits.Add(1)
					}
				}
			}
		})
		// 2,000 seeds of 256 fair bits have 256,000 ones, and one standard deviation is 358.
		if ones := bits.Load(); ones < 256_000-2_500 || ones > 256_000+2_500 {
			t.Errorf("%d of 512,000 bits are set", ones)
		}
	})
	sub(t, "ids are UUIDs of version 7, in lower case", func(t *testing.T) {
		entropy := newEntropy(t)
		for range 100 {
			if id := entropy.ID(); !uuid7.MatchString(id) {
				t.Errorf("id %q", id)
			}
		}
	})
	sub(t, "ids are unique and sort by the time they were made", func(t *testing.T) {
		entropy := newEntropy(t)
		var seen sync.Map
		atOnce(4, func(int) {
			last := ""
			for range 3000 {
				id := entropy.ID()
				if _, twice := seen.LoadOrStore(id, true); twice {
					t.Errorf("id %q comes twice", id)
				}
				errorIf(t, id <= last, "%q was made after %q", id, last)
				last = id
			}
		})
	})
}

// uuid7 matches the text of a UUIDv7 (RFC 9562, section 5.7).
var uuid7 = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// LimiterUnderTest is a limiter and a way to advance its time.
type LimiterUnderTest struct {
	ports.Limiter
	Advance func(time.Duration)
	// Step is the limiter's smallest step of time, 0 for a millisecond: the suite's windows and
	// times are multiples of it.
	Step time.Duration
}

func (l LimiterUnderTest) step() time.Duration { return max(l.Step, time.Millisecond) }

// unit returns the shortest time of whole steps that is at least a second.
func (l LimiterUnderTest) unit() time.Duration { return inSteps(time.Second, l.step()) }

// inSteps rounds a time up to whole steps.
func inSteps(d, step time.Duration) time.Duration { return (d + step - 1) / step * step }

// admitsAtMost sends requests at random times and compares each decision with a count of all that
// were admitted within the window.
func admitsAtMost(t *testing.T, limiter LimiterUnderTest, rule limit.Rule, take func() limit.Decision) {
	t.Helper()
	step := limiter.step()
	const seed = 7
	random := rand.New(rand.NewPCG(seed, seed))
	now, admitted := time.Duration(0), []time.Duration{}
	for i := range 400 {
		by := time.Duration(random.Int64N(int64(12*limiter.unit()/step))) * step
		limiter.Advance(by)
		now += by
		inWindow := 0
		for _, at := range admitted {
			if now-at < rule.Window {
				inWindow++
			}
		}
		decision := take()
		fatalIf(t, decision.Allowed != (inWindow < rule.Max),
			"seed %d, request %d at %v: %+v with %d in the window", seed, i, now, decision, inWindow)
		if decision.Allowed {
			admitted = append(admitted, now)
		}
	}
}

// Limiter is the suite of ports.Limiter. Its window is a minute, or sixty steps if the limiter's
// step is above a second.
func Limiter(t *testing.T, newLimiter func(t *testing.T) LimiterUnderTest) {
	ctx := context.Background()
	ruled := func(l LimiterUnderTest) limit.Rule { return limit.Rule{Max: 10, Window: 60 * l.unit()} }
	take := func(t *testing.T, l LimiterUnderTest, key string) limit.Decision {
		t.Helper()
		decision, err := l.Take(ctx, key, ruled(l))
		ok(t, err)
		return decision
	}
	fill := func(t *testing.T, l LimiterUnderTest, key string) {
		t.Helper()
		for i := range ruled(l).Max {
			if d := take(t, l, key); !d.Allowed || d.Remaining != ruled(l).Max-1-i || d.RetryAfter != 0 {
				t.Fatalf("request %d: %+v", i+1, d)
			}
		}
	}
	sub(t, "in any window at most max are admitted", func(t *testing.T) {
		limiter := newLimiter(t)
		admitsAtMost(t, limiter, ruled(limiter), func() limit.Decision { return take(t, limiter, "one") })
	})
	sub(t, "refused requests don't count", func(t *testing.T) {
		limiter := newLimiter(t)
		fill(t, limiter, "one")
		limiter.Advance(ruled(limiter).Window / 2)
		for range 30 {
			if d := take(t, limiter, "one"); d.Allowed || d.Remaining != 0 {
				t.Fatalf("%+v", d)
			}
		}
		limiter.Advance(ruled(limiter).Window / 2)
		fill(t, limiter, "one")
	})
	sub(t, "a refusal says how long to wait", func(t *testing.T) {
		limiter := newLimiter(t)
		step := limiter.step()
		fill(t, limiter, "one")
		limiter.Advance(17 * limiter.unit())
		wait := take(t, limiter, "one").RetryAfter
		want := ruled(limiter).Window - 17*limiter.unit()
		errorIf(t, wait < want-step || wait > want+step, "asked to wait %v, want %v", wait, want)
		wait = inSteps(wait, step)
		limiter.Advance(wait - 2*step)
		if d := take(t, limiter, "one"); d.Allowed {
			t.Errorf("admitted before the wait was over: %+v", d)
		}
		limiter.Advance(2 * step)
		if d := take(t, limiter, "one"); !d.Allowed {
			t.Errorf("refused after the wait: %+v", d)
		}
	})
	sub(t, "keys are counted apart", func(t *testing.T) {
		limiter := newLimiter(t)
		for _, key := range []string{"one", "two", "one:two", "", "ü\x00:*?[]"} {
			fill(t, limiter, key)
			if d := take(t, limiter, key); d.Allowed {
				t.Errorf("key %q: %+v", key, d)
			}
		}
	})
	sub(t, "of many at once exactly max are admitted", func(t *testing.T) {
		limiter := newLimiter(t)
		rule := ruled(limiter)
		var admitted atomic.Int32
		atOnce(60, func(int) {
			decision, err := limiter.Take(ctx, "one", rule)
			if err != nil {
				t.Error(err)
			}
			if decision.Allowed {
				admitted.Add(1)
			}
		})
		errorIf(t, int(admitted.Load()) != rule.Max, "%d were admitted", admitted.Load())
	})
}

// SessionTokens is the suite of ports.SessionTokens. newTokens makes the adapter of a deployment:
// adapters with the same deployment accept each other's tokens, others don't.
func SessionTokens(t *testing.T, newTokens func(t *testing.T, clock ports.Clock, deployment string) ports.SessionTokens) {
	issue := func(t *testing.T, tokens ports.SessionTokens) (string, time.Time) {
		t.Helper()
		bearer, expires, err := tokens.Issue(alice)
		ok(t, err)
		return bearer, expires
	}
	sub(t, "a token of ours has its wallet and its times", func(t *testing.T) {
		clock := fakes.NewClock(fakes.Start)
		tokens := newTokens(t, clock, "ours")
		bearer, expires := issue(t, tokens)
		errorIf(t, expires.Nanosecond() != 0 || !expires.After(clock.Now()), "it ends at %v, now is %v", expires, clock.Now())
		for _, reader := range []ports.SessionTokens{tokens, newTokens(t, clock, "ours")} {
			session, err := reader.Verify(bearer)
			errorIf(t, err != nil || session.Wallet != alice || !session.ExpiresAt.Equal(expires), "%+v, %v", session, err)
			late := clock.Now().Sub(session.IssuedAt)
			errorIf(t, late < 0 || late > time.Millisecond, "issued at %v, now is %v", session.IssuedAt, clock.Now())
		}
	})
	sub(t, "a token that is only too old is expired", func(t *testing.T) {
		clock := fakes.NewClock(fakes.Start)
		tokens := newTokens(t, clock, "ours")
		bearer, expires := issue(t, tokens)
		clock.Set(expires.Add(-time.Millisecond))
		if _, err := tokens.Verify(bearer); err != nil {
			t.Errorf("just before its end: %v", err)
		}
		for _, after := range []time.Duration{0, time.Millisecond, 1000 * time.Hour} {
			clock.Set(expires.Add(after))
			if _, err := tokens.Verify(bearer); !fault.Is(err, fault.ExpiredToken) {
				t.Errorf("%v after its end: %v", after, err)
			}
			if _, err := newTokens(t, clock, "theirs").Verify(bearer); !fault.Is(err, fault.InvalidToken) {
				t.Errorf("of another deployment and too old: %v", err)
			}
		}
	})
	sub(t, "anything that is not a token of ours is invalid", func(t *testing.T) {
		clock := fakes.NewClock(fakes.Start)
		tokens := newTokens(t, clock, "ours")
		bearer, _ := issue(t, tokens)
		foreign, _ := issue(t, newTokens(t, clock, "theirs"))
		texts := []string{"", ".", "..", "...", " ", bearer + " ", " " + bearer, bearer + "=", bearer + ".", bearer + bearer,
			strings.ToUpper(bearer), foreign, bearer[:len(bearer)-1], bearer[1:], string(alice), strings.Repeat("a", 100_000)}
		for i := range bearer {
			for _, other := range []string{"A", "z", "0", ".", "\x00"} {
				if bearer[i:i+1] != other {
					texts = append(texts, bearer[:i]+other+bearer[i+1:])
				}
			}
		}
		for _, text := range texts {
			if session, err := tokens.Verify(text); !fault.Is(err, fault.InvalidToken) {
				t.Errorf("%.80q is %+v, %v", text, session, err)
			}
		}
	})
}

// Sealer is the suite of ports.Sealer. newSealer makes one with the key of a name: sealers with
// the same name open each other's boxes, others don't.
func Sealer(t *testing.T, newSealer func(t *testing.T, key string) ports.Sealer) {
	secret := []byte("the secret that nobody is to read")
	facts := []string{"pair", "wallet", "commitment"}
	seal := func(t *testing.T, s ports.Sealer, secret []byte, facts ...string) []byte {
		t.Helper()
		box, err := s.Seal(secret, facts...)
		ok(t, err)
		return box
	}
	sub(t, "a box opens with its key and its facts", func(t *testing.T) {
		sealer := newSealer(t, "ours")
		for _, text := range [][]byte{secret, {}, {0}, bytes.Repeat([]byte{0xff}, 5000)} {
			for _, bound := range [][]string{facts, {}, {""}, {"", "", "ü\x00"}} {
				box := seal(t, sealer, text, bound...)
				for _, reader := range []ports.Sealer{sealer, newSealer(t, "ours")} {
					if opened, err := reader.Open(box, bound...); err != nil || !bytes.Equal(opened, text) {
						t.Errorf("%q bound to %q opens as %q, %v", text, bound, opened, err)
					}
				}
			}
		}
	})
	sub(t, "a box doesn't show its secret", func(t *testing.T) {
		sealer := newSealer(t, "ours")
		first, second := seal(t, sealer, secret, facts...), seal(t, sealer, secret, facts...)
		errorIf(t, bytes.Contains(first, secret) || bytes.Contains(first, secret[:8]), "the secret shows")
		errorIf(t, bytes.Equal(first, second), "two boxes of one secret are equal, which reveals that")
	})
	sub(t, "another box, key or fact is an error", func(t *testing.T) {
		sealer := newSealer(t, "ours")
		box := seal(t, sealer, secret, facts...)
		refused := func(what string, s ports.Sealer, box []byte, facts ...string) {
			t.Helper()
			if opened, err := s.Open(box, facts...); err == nil {
				t.Errorf("%s opens as %q", what, opened)
			}
		}
		refused("with another key", newSealer(t, "theirs"), box, facts...)
		for _, other := range [][]string{
			{}, {"pair"}, {"pair", "wallet"}, {"pair", "wallet", "other"}, {"wallet", "pair", "commitment"},
			{"pairwallet", "", "commitment"}, {"pair", "walletcommitment"}, {"pair", "wallet", "commitment", ""},
			{"pai", "rwallet", "commitment"}, {"pair,wallet,commitment"},
		} {
			refused(fmt.Sprintf("bound to %q", other), sealer, box, other...)
		}
		for i := range box {
			changed := bytes.Clone(box)
			changed[i] ^= 1
			refused(fmt.Sprintf("with byte %d changed", i), sealer, changed, facts...)
		}
		for n := range box {
			refused(fmt.Sprintf("cut to %d bytes", n), sealer, box[:n], facts...)
		}
		refused("with a byte more", sealer, append(bytes.Clone(box), 0), facts...)
		refused("nothing", sealer, nil, facts...)
	})
}
