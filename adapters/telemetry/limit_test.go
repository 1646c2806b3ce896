package telemetry_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/casino-service/casino/adapters/telemetry"
)

func TestTheSameErrorIsWrittenAFewTimesAndThenCounted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		log := telemetry.NewLogger(&out, telemetry.LogConfig{JSON: true})
		parts := []*slog.Logger{log, log.With("part", "one"), log.WithGroup("other")}
		taken := func() (lines []string) {
			lines = strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
			out.Reset()
			return lines
		}
		var all sync.WaitGroup
		for i := range 3_000 {
			all.Go(func() { parts[i%3].Error("the database can't be reached", "error", errors.New("away"), "number", i) })
		}
		all.Wait()
		log.Error("something else")
		for range 20 {
			log.Info("as usual")
		}
		if lines := taken(); len(lines) != 5+1+20 {
			t.Fatalf("%d lines", len(lines))
		}
		time.Sleep(11 * time.Second) // allowed: the clock of the bubble
		synctest.Wait()
		if lines := taken(); len(lines) != 1 || !strings.Contains(lines[0], `"not_shown":2995`) || !strings.Contains(lines[0], "can't be reached") {
			t.Errorf("after the window: %q", lines)
		}
		log.Warn("the database can't be reached")
		if lines := taken(); len(lines) != 1 {
			t.Errorf("in the next window: %q", lines)
		}
		time.Sleep(11 * time.Second) // allowed: the clock of the bubble
		synctest.Wait()
		if out.Len() > 0 {
			t.Errorf("nothing was left out, and yet: %s", out.String())
		}
	})
}
