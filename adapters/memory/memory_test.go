package memory_test

import (
	"testing"

	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/test/conformance"
)

func newStore(*testing.T) conformance.Store {
	store := memory.New()
	return conformance.Store{Ports: store, Stop: store.Stop}
}

func TestConformance(t *testing.T) {
	t.Parallel()
	t.Run("Writer", func(t *testing.T) {
		t.Parallel()
		conformance.Writer(t, newStore)
	})
	for name, suite := range conformance.Suites() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			suite(t, newStore)
		})
	}
}
