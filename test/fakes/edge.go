package fakes

import (
	"context"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Sessions issues readable bearer tokens: wallet, time of issue in microseconds, number, and a
// keyed digest of those. The key is a parameter and not secret.
type Sessions struct {
	clock ports.Clock
	key   string
	life  time.Duration

	mu     sync.Mutex
	issued int64
}

// NewSessions returns sessions that last the given time.
func NewSessions(clock ports.Clock, key string, life time.Duration) *Sessions {
	return &Sessions{clock: clock, key: key, life: life}
}

// Issue implements ports.SessionTokens.
func (s *Sessions) Issue(w wallet.Address) (bearer string, expiresAt time.Time, err error) {
	s.mu.Lock()
	s.issued++
	n := s.issued
	s.mu.Unlock()
	at := s.clock.Now()
	text := fmt.Sprintf("%s.%d.%d", w, at.UnixMicro(), n)
	return text + "." + s.digest(text), s.end(at), nil
}

// Verify implements ports.SessionTokens.
func (s *Sessions) Verify(bearer string) (ports.Session, error) {
	parts := strings.Split(bearer, ".")
	if len(parts) != 4 || s.digest(strings.Join(parts[:3], ".")) != parts[3] {
		return ports.Session{}, fault.New(fault.InvalidToken, "not a token of ours")
	}
	micros, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return ports.Session{}, fault.New(fault.InvalidToken, "not a token of ours")
	}
	at := time.UnixMicro(micros).UTC()
	session := ports.Session{Wallet: wallet.Address(parts[0]), IssuedAt: at, ExpiresAt: s.end(at)}
	if !s.clock.Now().Before(session.ExpiresAt) {
		return ports.Session{}, fault.New(fault.ExpiredToken, "the token has expired")
	}
	return session, nil
}

// end returns when a session ends, in whole seconds, as reported.
func (s *Sessions) end(at time.Time) time.Time { return at.Add(s.life).Truncate(time.Second) }

func (s *Sessions) digest(text string) string {
	mac := hmac.New(sha256.New, []byte(s.key))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}

// Limiter counts in memory by a given clock. It never frees memory, so use it for short runs.
type Limiter struct {
	clock ports.Clock

	mu   sync.Mutex
	logs map[string]limit.Log
}

// NewLimiter returns a limiter that has counted nothing.
func NewLimiter(clock ports.Clock) *Limiter {
	return &Limiter{clock: clock, logs: map[string]limit.Log{}}
}

// Take implements ports.Limiter.
func (l *Limiter) Take(_ context.Context, key string, rule limit.Rule) (limit.Decision, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	log, decision := l.logs[key].Take(rule, l.clock.Now())
	l.logs[key] = log
	return decision, nil
}

// Authenticator makes and checks seals under keys made of names, newest first. Without a name its
// key is "fake".
type Authenticator struct{ Names []string }

func (a Authenticator) names() []string {
	if len(a.Names) == 0 {
		return []string{"fake"}
	}
	return a.Names
}

// Seal implements ports.Authenticator.
func (a Authenticator) Seal(purpose string, message []byte) (string, error) {
	return fakeSeal(a.names()[0], purpose, message), nil
}

// Seals implements ports.RotatedSeals.
func (a Authenticator) Seals(purpose string, message []byte) (all []string, _ error) {
	for _, name := range a.names() {
		all = append(all, fakeSeal(name, purpose, message))
	}
	return all, nil
}

// Verify implements ports.Authenticator.
func (a Authenticator) Verify(purpose string, message []byte, seal string) error {
	name, _, _ := strings.Cut(seal, ":")
	if !slices.Contains(a.names(), name) || seal != fakeSeal(name, purpose, message) {
		return errors.New("fakes: the seal doesn't match")
	}
	return nil
}

func fakeSeal(name, purpose string, message []byte) string {
	mac := hmac.New(sha256.New, []byte(fmt.Sprintf("%d %s %s", len(name), name, purpose)))
	mac.Write(message)
	return name + ":" + hex.EncodeToString(mac.Sum(nil))
}

// StatementSigner signs statements with keys made of names, newest first. Without a name its key
// is "fake".
type StatementSigner struct{ Names []string }

func (s StatementSigner) names() []string {
	if len(s.Names) == 0 {
		return []string{"fake"}
	}
	return s.Names
}

// Sign implements ports.StatementSigner.
func (s StatementSigner) Sign(made checkpoint.Statement) (checkpoint.Signed, error) {
	text, err := made.Text()
	if err != nil {
		return checkpoint.Signed{}, err
	}
	return s.SignText(text)
}

// SignText serves ports.ReceiptSigner.
func (s StatementSigner) SignText(text string) (checkpoint.Signed, error) {
	name := s.names()[0]
	return checkpoint.Signed{Text: text, Key: name, Signature: ed25519.Sign(Key("statements "+name), []byte(text))}, nil
}

// PublicKeys implements ports.StatementSigner.
func (s StatementSigner) PublicKeys() (keys []checkpoint.Key) {
	for _, name := range s.names() {
		public, _ := Key("statements " + name).Public().(ed25519.PublicKey)
		keys = append(keys, checkpoint.Key{ID: name, Public: public})
	}
	return keys
}

// Start is the default start of a Clock: an ordinary time in whole microseconds, which stores
// keep.
var Start = time.Date(2026, time.March, 14, 9, 26, 53, 589_793_000, time.UTC)

// Clock is a clock that only Advance and Set move. Its zero value is at Start.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock at this time.
func NewClock(at time.Time) *Clock { return &Clock{now: at} }

// Now implements ports.Clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.present()
}

// Advance moves the clock forward and returns the new time; a negative duration moves it back.
func (c *Clock) Advance(by time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.present().Add(by)
	return c.now
}

// Set sets the clock.
func (c *Clock) Set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = at
}

func (c *Clock) present() time.Time {
	if c.now.IsZero() {
		c.now = Start
	}
	return c.now
}

// Entropy generates everything from one seed: the same seed gives the same values, in the order
// of the calls.
type Entropy struct {
	seed int64

	mu         sync.Mutex
	seeds, ids int64
}

// NewEntropy returns an Entropy with this seed.
func NewEntropy(seed int64) *Entropy { return &Entropy{seed: seed} }

// Seed implements ports.Entropy: the SHA-256 of the seed and the number of calls.
func (e *Entropy) Seed() [32]byte {
	e.mu.Lock()
	e.seeds++
	n := e.seeds
	e.mu.Unlock()
	var text [16]byte
	binary.BigEndian.PutUint64(text[:8], uint64(e.seed))
	binary.BigEndian.PutUint64(text[8:], uint64(n))
	return sha256.Sum256(text[:])
}

// ID implements ports.Entropy: UUIDv7s, each a millisecond after the one before it, beginning at
// Start. Their random bits are the seed, so that two sources generate the same ids only if they
// have the same seed.
func (e *Entropy) ID() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ids++
	millis, bits := uint64(Start.UnixMilli()+e.ids), uint64(e.seed)
	return fmt.Sprintf("%08x-%04x-7%03x-8%03x-%012x", millis>>16, millis&0xffff, bits>>60, bits>>48&0xfff, bits&(1<<48-1))
}
