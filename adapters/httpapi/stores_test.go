package httpapi_test

import (
	"os"
	"testing"

	"github.com/casino-service/casino/test/stores"
)

// TestMain runs every test on memory and on SQLite: the surface must be the same on
// the store that production uses.
func TestMain(m *testing.M) { os.Exit(stores.Everywhere(m)) }
