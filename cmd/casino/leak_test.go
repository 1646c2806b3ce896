package main

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain checks that no test leaves a goroutine: neither a stopped service nor one that
// failed to start.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
