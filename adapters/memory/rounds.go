package memory

import (
	"context"
	"slices"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

func roundID(r bet.Round) string { return r.ID }

// Round serves ports.Rounds.
func (s *Store) Round(_ context.Context, id string) (bet.Round, error) {
	defer s.locked()()
	if at, ok := search(s.rounds, roundID, id); ok {
		return s.rounds[at], nil
	}
	if at, ok := search(s.providerRounds, providerRoundID, id); ok {
		return s.providerRounds[at].Bet(), nil
	}
	return bet.Round{}, fault.New(fault.NotFound, "no round %q", id)
}

// Rounds serves ports.Rounds.
func (s *Store) Rounds(_ context.Context, f ports.RoundFilter, page ports.Page) (ports.RoundPage, error) {
	defer s.locked()()
	rounds, info, err := listed(s.everyRound(), roundID, func(r bet.Round) bool {
		return wants(f.Wallet, r.Wallet) && wants(f.GameType, r.GameType) && wants(f.Token, r.Token) &&
			wants(f.Agent, r.Agent) && within(f.From, f.To, r.At)
	}, page)
	return ports.RoundPage{Rounds: rounds, PageInfo: info}, err
}

// RecentRounds serves ports.Rounds.
func (s *Store) RecentRounds(_ context.Context, n int) ([]bet.Round, error) {
	defer s.locked()()
	recent := []bet.Round{}
	for _, r := range slices.Backward(s.everyRound()) {
		if len(recent) >= n {
			break
		}
		if !r.Void && r.Wager > 0 {
			recent = append(recent, r)
		}
	}
	return recent, nil
}

// wants reports whether a filter's field accepts a value; zero accepts any.
func wants[T comparable](wanted, value T) bool {
	var anything T
	return wanted == anything || wanted == value
}

// within reports whether a time is in [from, to); a zero bound is open.
func within(from, to, at time.Time) bool {
	return (from.IsZero() || !at.Before(from)) && (to.IsZero() || at.Before(to))
}

// storeSession stores a new session. If two begin at the same time, the first is kept.
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
	defer s.locked()()
	begun, known := s.sessions[sessionName{w, issuedAt.UnixMilli()}]
	if !known {
		return nil, fault.New(fault.NotFound, "the session is not known")
	}
	return begun.Since(session.Tallies(s.view(w).Tallies)), nil
}
