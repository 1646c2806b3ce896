package catalog_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/catalog"
)

func TestDescribes(t *testing.T) {
	t.Parallel()
	dice := catalog.Game{Code: "dice", Provider: catalog.Own, Name: "Dice", Type: "instant", Banner: "b", Enabled: true}
	switched := dice
	switched.Enabled, switched.UpdatedAt = false, time.Unix(7, 0)
	if !dice.Describes(switched) {
		t.Error("switched off it is another game")
	}
	for _, change := range []func(*catalog.Game){
		func(g *catalog.Game) { g.Code = "x" }, func(g *catalog.Game) { g.Provider = "x" }, func(g *catalog.Game) { g.Name = "x" },
		func(g *catalog.Game) { g.Type = "x" }, func(g *catalog.Game) { g.Banner = "x" }, func(g *catalog.Game) { g.Vanished = true },
	} {
		other := dice
		change(&other)
		if dice.Describes(other) {
			t.Errorf("%+v is the same game", other)
		}
	}
}

// A sync must write only changed games.
func ExampleGame_Describes() {
	known := catalog.Game{Code: "fruits", Provider: "acme", Name: "Fruits"}
	listed := catalog.Game{Code: "fruits", Provider: "acme", Name: "Fruits", Enabled: true}
	fmt.Println(listed.Describes(known))
	// Output: true
}
