package recovery_test

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

// open opens a casino with its capital.
func open(t *testing.T, options ...func(*app.Deps)) *house {
	return &house{apptest.Open(t, options...)}
}

// unwatched opens a casino whose watch has not begun.
func unwatched(t *testing.T, options ...func(*app.Deps)) *house {
	return &house{apptest.Unwatched(t, options...)}
}

// Remade returns another casino over the same parts, with what the option changes.
func (h *house) Remade(option func(*app.Deps)) *house { return &house{h.House.Remade(option)} }

// openWithLadder opens a casino that offers the ladder, a stepped game.
func openWithLadder(t *testing.T) *house { return &house{apptest.OpenWithLadder(t)} }
