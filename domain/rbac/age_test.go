package rbac_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
)

func TestARoleCountsAfterADay(t *testing.T) {
	t.Parallel()
	for age, want := range map[time.Duration]bool{0: false, rbac.MinAge - 1: false, rbac.MinAge: true, 2 * rbac.MinAge: true} {
		err := rbac.Assignment{Role: "finance", GrantedAt: noon.Add(-age)}.CheckAge(noon)
		if (err == nil) != want || err != nil && !fault.Is(err, fault.Forbidden) {
			t.Errorf("a role of %v: %v", age, err)
		}
	}
}

// TestARoleThatLeftThePolicyIsNotTheTop: otherwise the last superadmin could go
// because somebody has a role that means nothing any more.
func TestARoleThatLeftThePolicyIsNotTheTop(t *testing.T) {
	t.Parallel()
	all := []rbac.Assignment{{Wallet: "a", Role: rbac.Superadmin}, {Wallet: "b", Role: "owner"}}
	if err := policy.KeepsTop(all, "a", nil); !fault.Is(err, fault.InvalidState) {
		t.Errorf("the last superadmin goes: %v", err)
	}
	if err := policy.KeepsTop(all, "b", nil); err != nil {
		t.Errorf("somebody without power goes: %v", err)
	}
}
