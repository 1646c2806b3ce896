package verifier_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
)

func TestWhatCantBeRecomputedIsRefused(t *testing.T) {
	t.Parallel()
	games, err := game.NewRegistry(game.Standard()...)
	if err != nil {
		t.Fatal(err)
	}
	good := verifier.RoundInputs{GameType: "dice", ServerSeed: strings.Repeat("ab", 32), ClientSeed: "c"}
	for name, change := range map[string]func(*verifier.RoundInputs){
		"an unknown game":       func(c *verifier.RoundInputs) { c.GameType = "chess" },
		"unknown rules":         func(c *verifier.RoundInputs) { c.Rules = "dice/999" },
		"a config that is none": func(c *verifier.RoundInputs) { c.Config = []byte(`{"target":`) },
		"a config out of range": func(c *verifier.RoundInputs) { c.Config = []byte(`{"target":100}`) },
		"a negative nonce":      func(c *verifier.RoundInputs) { c.Nonce = -1 },
		"no server seed":        func(c *verifier.RoundInputs) { c.ServerSeed = "" },
	} {
		claim := good
		change(&claim)
		if _, err := verifier.Verify(games, claim); err == nil || fault.KindOf(err) == fault.Internal {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func ExampleVerify() {
	games, _ := game.NewRegistry(game.Standard()...)
	answer, err := verifier.Verify(games, verifier.RoundInputs{
		GameType: "dice", Config: []byte(`{"target":50.00,"direction":"over"}`),
		ServerSeed: "0101010101010101010101010101010101010101010101010101010101010101", ClientSeed: "mine", Nonce: 7,
	})
	fmt.Println(string(answer.Outcome), answer.Multiplier, err)
	// Output: {"roll":26.43} 0 <nil>
}
