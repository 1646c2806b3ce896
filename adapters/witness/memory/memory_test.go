package memory_test

import (
	"testing"

	"github.com/casino-service/casino/adapters/witness/memory"
	"github.com/casino-service/casino/test/conformance"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	conformance.Witness(t, func(*testing.T) conformance.WitnessUnderTest {
		return conformance.WitnessUnderTest{Witness: memory.New()}
	})
}

func TestRestrictionsConform(t *testing.T) {
	t.Parallel()
	conformance.Restrictions(t, func(*testing.T) conformance.RestrictionsUnderTest {
		return conformance.RestrictionsUnderTest{Restrictions: memory.NewRestrictions()}
	})
}
