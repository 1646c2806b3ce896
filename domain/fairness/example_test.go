package fairness_test

import (
	"fmt"
	"time"

	"github.com/casino-service/casino/domain/fairness"
)

// A player sees the next commitment, chooses a client seed, plays, and rotates again to
// verify the rounds.
func ExamplePair_Rotate() {
	now := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
	first := fairness.Spare{ID: "p1", Seed: fairness.NewServerSeed([32]byte{1})}
	second := fairness.Spare{ID: "p2", Seed: fairness.NewServerSeed([32]byte{2})}
	third := fairness.Spare{ID: "p3", Seed: fairness.NewServerSeed([32]byte{3})}
	fourth := fairness.Spare{ID: "p4", Seed: fairness.NewServerSeed([32]byte{4})}

	pair := fairness.NewPair(first, second, "made by the house", now)
	shown := pair.Next.Commitment
	_, pair = pair.Rotate(fairness.Choose("my own words", false, ""), third, now)
	fmt.Println("committed before the client seed:", pair.Commitment == shown)

	roll := pair.Draws().Pick(10001)
	pair = pair.Advance()
	fmt.Println("roll:", roll, "seed:", pair.Seed, "chosen by the", pair.ClientSource)

	revealed, _ := pair.Rotate(fairness.Choose("", false, "made by the house"), fourth, now)
	again := fairness.NewStream(fairness.ServerSeedFromText(revealed.ServerSeed), revealed.ClientSeed, 0).Pick(10001)
	fmt.Println("rounds:", revealed.Rounds, "same roll:", again == roll, "seed as promised:", revealed.Verify() == nil)
	// Output:
	// committed before the client seed: true
	// roll: 4951 seed: [sealed] chosen by the player
	// rounds: 1 same roll: true seed as promised: true
}

func ExampleStream() {
	seed := fairness.ServerSeedFromText("18e93f4a7b5b58d2569765766d1b6c3296bbd8430d6f20249044d72f14720159")
	stream := fairness.NewStream(seed, "bb62964774", 1)
	fmt.Println(stream.Pick(10001), stream.Pick(37), stream.Next())
	// Output: 7718 32 1323433970
}
