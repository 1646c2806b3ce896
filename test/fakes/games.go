package fakes

import (
	"sync"

	"github.com/casino-service/casino/domain/game"
)

// StandardGames, LadderGames and HouseGames are the registries of game.Standard, of those
// with Ladder, and of game.House. A registry tries each of its games out, which costs more
// than most tests; it is immutable, so the tests of a process share one.
var (
	StandardGames = sync.OnceValues(func() (*game.Registry, error) { return game.NewRegistry(game.Standard()...) })
	LadderGames   = sync.OnceValues(func() (*game.Registry, error) { return game.NewRegistry(append(game.Standard(), Ladder())...) })
	HouseGames    = sync.OnceValues(func() (*game.Registry, error) { return game.NewRegistry(game.House()...) })
)
