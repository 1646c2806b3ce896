package approval_test

import (
	"fmt"

	"github.com/casino-service/casino/domain/approval"
)

// Two persons agree on a credit; one alone can't.
func ExampleApproval_Decide() {
	ada := holder("ada", "admin", 99)
	asked, _ := approval.New("a1", credit, "house", finn, policy, noon)

	_, err := asked.Decide(finn, finn, policy, true, noon)
	fmt.Println("finn:", err)
	closed, _ := asked.Decide(ada, finn, policy, true, noon)
	fmt.Println("ada:", closed.Status)
	// Output:
	// finn: the second approval must come from another person
	// ada: approved
}
