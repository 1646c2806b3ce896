package memory

import (
	"context"

	"github.com/casino-service/casino/domain/witness"
)

// Origin serves ports.Origins. A process's memory comes from nowhere.
func (s *Store) Origin(context.Context) (now, remembered witness.Origin, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return witness.Origin{}, s.origin, nil
}

// RememberOrigin serves ports.Origins.
func (s *Store) RememberOrigin(_ context.Context, origin witness.Origin) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.origin = origin
	return nil
}
