package fault_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/casino-service/casino/domain/fault"
)

func TestKindOfLooksThroughWrapping(t *testing.T) {
	t.Parallel()
	refusal := fault.New(fault.NotFound, "no round %q", "r1")
	if got := fault.KindOf(fmt.Errorf("loading: %w", refusal)); got != fault.NotFound {
		t.Errorf("wrapped refusal has kind %d, want NotFound", got)
	}
	if got := fault.KindOf(errors.New("disk on fire")); got != fault.Internal {
		t.Errorf("foreign error has kind %d, want Internal", got)
	}
	if fault.Is(nil, fault.Internal) {
		t.Error("nil is no refusal of any kind")
	}
}

func TestWithLeavesTheOriginalAlone(t *testing.T) {
	t.Parallel()
	first := fault.New(fault.InvalidState, "already decided")
	second := first.With("status", "rejected").With("id", "w1")
	if len(first.Details) != 0 {
		t.Errorf("With changed its receiver: %v", first.Details)
	}
	if second.Details["status"] != "rejected" || second.Details["id"] != "w1" {
		t.Errorf("details = %v", second.Details)
	}
}

func TestKindsAreDistinctAndWhole(t *testing.T) {
	t.Parallel()
	kinds := fault.Kinds()
	if kinds[0] != fault.Internal || kinds[len(kinds)-1] != fault.Unavailable {
		t.Errorf("kinds run from %d to %d", kinds[0], kinds[len(kinds)-1])
	}
}

func ExampleField() {
	err := fault.Field("wager", "must be at least %d", 10000)
	fmt.Println(err, err.Details["field"], fault.Is(err, fault.Invalid))
	// Output: wager: must be at least 10000 wager true
}
