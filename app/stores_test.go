package app_test

import (
	"os"
	"testing"

	"github.com/casino-service/casino/test/stores"
)

// TestMain runs every test on memory and on SQLite: use cases behave the same on the
// store that production has.
func TestMain(m *testing.M) { os.Exit(stores.Everywhere(m)) }
