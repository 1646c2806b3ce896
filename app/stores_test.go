package app_test

import (
	"os"
	"testing"

	"github.com/casino-service/casino/test/stores"
)

// TestMain runs every test on memory and on SQLite, so that use cases also run on a store
// of production.
func TestMain(m *testing.M) { os.Exit(stores.Everywhere(m)) }
