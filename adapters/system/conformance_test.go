package system_test

import (
	"testing"

	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	t.Run("Clock", func(t *testing.T) {
		t.Parallel()
		conformance.Clock(t, func(*testing.T) ports.Clock { return system.Default() })
	})
	t.Run("Entropy", func(t *testing.T) {
		t.Parallel()
		conformance.Entropy(t, func(*testing.T) ports.Entropy { return system.Default() })
	})
}
