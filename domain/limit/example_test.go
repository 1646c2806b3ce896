package limit_test

import (
	"fmt"
	"time"

	"github.com/casino-service/casino/domain/limit"
)

// Two a minute: the third waits until the first has left the window.
func ExampleLog_Take() {
	rule := limit.Rule{Max: 2, Window: time.Minute}
	start := time.Date(2026, 11, 21, 12, 0, 50, 0, time.UTC)

	var log limit.Log
	for _, after := range []time.Duration{0, 5 * time.Second, 20 * time.Second, time.Minute} {
		var decision limit.Decision
		log, decision = log.Take(rule, start.Add(after))
		fmt.Println(start.Add(after).Format("15:04:05"), decision.Allowed, decision.RetryAfter)
	}
	// Output:
	// 12:00:50 true 0s
	// 12:00:55 true 0s
	// 12:01:10 false 40s
	// 12:01:50 true 0s
}
