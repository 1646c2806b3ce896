package fakes

import (
	"context"
	"net/netip"
	"slices"
	"sync"

	"github.com/casino-service/casino/domain/admission"
	"github.com/casino-service/casino/ports"
)

// Screener finds what a test says, at first that everyone is allowed.
type Screener struct {
	name   string
	points []admission.Point

	mu      sync.Mutex
	verdict admission.Verdict
	why     string
	err     error
	asked   []admission.Subject
}

var _ ports.Screener = (*Screener)(nil)

// NewScreener returns a screener that is asked at the points, at all if none are named.
func NewScreener(name string, points ...admission.Point) *Screener {
	if len(points) == 0 {
		points = admission.Points()
	}
	return &Screener{name: name, points: points, verdict: admission.Allow}
}

// Find makes the screener find the verdict for everyone.
func (s *Screener) Find(verdict admission.Verdict, evidence string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.verdict, s.why, s.err = verdict, evidence, nil
}

// Fail makes the screener fail with an error until Find is called, or Fail with nil.
func (s *Screener) Fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

// Asked returns the subjects that it was asked about, in their order.
func (s *Screener) Asked() []admission.Subject {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// Name implements ports.Screener.
func (s *Screener) Name() string { return s.name }

// Screens implements ports.Screener.
func (s *Screener) Screens(at admission.Point) bool { return slices.Contains(s.points, at) }

// Screen implements ports.Screener.
func (s *Screener) Screen(ctx context.Context, subject admission.Subject) (admission.Finding, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, subject)
	switch {
	case ctx.Err() != nil:
		return admission.Finding{}, ctx.Err()
	case s.err != nil:
		return admission.Finding{}, s.err
	}
	return admission.Finding{Screener: s.name, Verdict: s.verdict, Evidence: s.why}.Checked(), nil
}

// Countries has the countries of single addresses.
type Countries map[netip.Addr]string

var _ ports.Countries = Countries{}

// Country implements ports.Countries.
func (c Countries) Country(at netip.Addr) (string, error) {
	at = at.Unmap()
	if !at.IsGlobalUnicast() || at.IsPrivate() {
		return "", nil
	}
	return c[at], nil
}
