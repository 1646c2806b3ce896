package fakes

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Sessions issues readable bearer tokens: wallet, moment of issue in
// microseconds, number, and a keyed digest of those. The key is a parameter and no
// secret.
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

// Issue serves ports.SessionTokens.
func (s *Sessions) Issue(w wallet.Address) (bearer string, expiresAt time.Time, err error) {
	s.mu.Lock()
	s.issued++
	n := s.issued
	s.mu.Unlock()
	at := s.clock.Now()
	text := fmt.Sprintf("%s.%d.%d", w, at.UnixMicro(), n)
	return text + "." + s.digest(text), s.end(at), nil
}

// Verify serves ports.SessionTokens.
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

// end is when a session ends, in whole seconds, as it is reported.
func (s *Sessions) end(at time.Time) time.Time { return at.Add(s.life).Truncate(time.Second) }

func (s *Sessions) digest(text string) string {
	mac := hmac.New(sha256.New, []byte(s.key))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}
