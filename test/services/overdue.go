package services

import (
	"flag"
	"time"
)

// began is when this process did.
var began = time.Now()

// Overdue reports that the time-out of go test will end this process soon. It is the one bound
// of waits in tests: however slow the machine is, what is waited for decides.
func Overdue() bool {
	const report, least = time.Minute, 10 // what is left to say what was waited for
	bound, set := flag.Lookup("test.timeout").Value.(flag.Getter).Get().(time.Duration)
	return set && bound > 0 && time.Since(began) > bound-min(report, bound/least)
}
