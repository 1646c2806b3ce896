package main

import (
	"fmt"
	"time"

	"github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/ports"
)

// progressEach is how often a terminal shows how far an audit is.
const progressEach = 200 * time.Millisecond

// watchAudit shows on a terminal how far an audit is, until done is called.
func watchAudit(auditor *audit.Auditor, clock ports.Clock, s streams) (done func()) {
	line := newStatusLine(s.err)
	if !line.seen() {
		return line.clear
	}
	begun, shown := clock.Now(), time.Time{}
	auditor.Watch(func(p audit.AuditProgress) {
		now := clock.Now()
		if now.Sub(shown) < progressEach && p.Blocks < p.Of {
			return
		}
		shown = now
		line.show(progressLine(p, now.Sub(begun)))
	})
	return line.clear
}

// progressLine is one line of progress.
func progressLine(p audit.AuditProgress, took time.Duration) string {
	line := fmt.Sprintf("%d of %d blocks, %d rounds", p.Blocks, p.Of, p.Rounds)
	if seconds := took.Seconds(); seconds > 1 {
		line += fmt.Sprintf(", %.0f rounds/s", float64(p.Rounds)/seconds)
		if p.Blocks > 0 && p.Of > p.Blocks {
			left := time.Duration(seconds * float64(p.Of-p.Blocks) / float64(p.Blocks) * float64(time.Second))
			line += fmt.Sprintf(", %s left", left.Round(time.Second))
		}
	}
	if p.Blocks >= p.Of {
		line += ": comparing rows"
	}
	return line
}
