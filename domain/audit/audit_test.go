package audit_test

import (
	"fmt"
	"time"

	"github.com/casino-service/casino/domain/audit"
)

func Example() {
	record := audit.Record{
		ID: "a1", Action: audit.BalanceAdjusted, By: "admin's wallet", Target: "player's wallet",
		Before: "100 sol", After: "600 sol", At: time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC), RequestID: "q1",
	}
	fmt.Printf("%s %s: %s of %s from %s to %s\n",
		record.At.Format(time.DateTime), record.By, record.Action, record.Target, record.Before, record.After)
	// Output: 2026-03-14 09:26:53 admin's wallet: balance.adjusted of player's wallet from 100 sol to 600 sol
}
