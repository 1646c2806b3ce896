package chaos_test

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/casino-service/casino/test/services"
)

// number returns the value of an environment variable, or the given number.
func number(t testing.TB, variable string, otherwise int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return n
}

// pause waits while a fault lasts.
func pause(t testing.TB, d time.Duration) {
	t.Helper()
	select {
	case <-time.After(d):
	case <-t.Context().Done():
	}
}

// eventually waits until holds returns true, and fails the test when the time of the run is over.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for ; !holds(); pause(t, 10*time.Millisecond) {
		if services.Overdue() {
			t.Fatalf("%s: not before the tests' time-out", what)
		}
	}
}
