package main

import (
	"testing"

	"go.uber.org/goleak"
)

// Whatever a command started has ended with it: a service that was stopped leaves
// no goroutine behind, nor one that could not start.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
