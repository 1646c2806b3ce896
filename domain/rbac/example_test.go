package rbac_test

import (
	"fmt"

	"github.com/casino-service/casino/domain/rbac"
)

// A support clerk may reject a withdrawal, but not approve it.
func ExamplePolicy_Check() {
	policy := rbac.DefaultPolicy()
	clerk := rbac.Assignment{Role: "support"}

	fmt.Println("reject:", policy.Check(clerk, rbac.WithdrawReject))
	fmt.Println("approve:", policy.Check(clerk, rbac.WithdrawApprove))
	// Output:
	// reject: <nil>
	// approve: this needs the permission withdraw:approve
}

// A superadmin grants roles below its own; further superadmins are made on the command
// line.
func ExamplePolicy_CanGrant() {
	policy := rbac.DefaultPolicy()
	actor := rbac.Assignment{Role: rbac.Superadmin}

	fmt.Println("finance:", policy.CanGrant(actor, rbac.Assignment{}, "finance"))
	fmt.Println("superadmin:", policy.CanGrant(actor, rbac.Assignment{}, rbac.Superadmin))
	// Output:
	// finance: <nil>
	// superadmin: the role superadmin is not below your own level
}
