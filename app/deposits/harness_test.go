package deposits_test

import (
	"os"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/stores"
)

// TestMain runs every test on memory and on SQLite.
func TestMain(m *testing.M) { os.Exit(stores.Everywhere(m)) }

// house is a casino over fakes, with what the tests of this package repeat.
type house struct{ *apptest.House }

// bare opens a casino without any money in it.
func bare(t *testing.T, options ...func(*app.Deps)) *house {
	return &house{apptest.Bare(t, options...)}
}

// open opens a casino with its capital.
func open(t *testing.T, options ...func(*app.Deps)) *house {
	return &house{apptest.Open(t, options...)}
}

// unwatched opens a casino whose watch has not begun.
func unwatched(t *testing.T, options ...func(*app.Deps)) *house {
	return &house{apptest.Unwatched(t, options...)}
}

// openWatched opens a casino with its capital whose watch has begun.
func openWatched(t *testing.T, options ...func(*app.Deps)) *house {
	return &house{apptest.OpenWatched(t, options...)}
}
