package memory

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

var _ ports.PlaySessions = (*Store)(nil)

// storeSession keeps a session that begins; of two that began at once the first.
func (s *Store) storeSession(c player.Change) {
	if c.Session == nil {
		return
	}
	name := sessionName{c.Session.Wallet, c.Session.IssuedAt.UnixMilli()}
	if _, begun := s.sessions[name]; !begun {
		s.sessions[name] = *c.Session
	}
}

// PlaySession serves ports.PlaySessions.
func (s *Store) PlaySession(_ context.Context, w wallet.Address, issuedAt time.Time) ([]session.Played, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	begun, known := s.sessions[sessionName{w, issuedAt.UnixMilli()}]
	if !known {
		return nil, fault.New(fault.NotFound, "the session is not known")
	}
	return begun.Since(session.Tallies(s.view(w).Tallies)), nil
}
