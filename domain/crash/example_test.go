package crash_test

import (
	"fmt"
	"time"

	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/money"
)

// A round from the publication of its chain to the payouts.
func Example() {
	check := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	chain, err := crash.NewChain(fairness.NewServerSeed([32]byte{1, 2, 3}), 1000, 100)
	check(err)
	published := crash.Commitment{Chain: "2026-1", Epoch: 1, Terminal: chain.Terminal, Length: chain.Length, Beacon: crash.Rule{
		Source: crash.Solana, Network: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d", Delay: 32, Window: 150,
	}}
	text, err := published.Text()
	check(err)
	fmt.Print(text)

	began := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	round, err := crash.NextRound(published, 1, nil, 100_00, began)
	check(err)
	bets := []crash.Bet{
		{ID: "a", Wallet: "alice", Token: money.SOL, Wager: 1_000_000, Auto: 1_10},
		{ID: "b", Wallet: "bob", Token: money.SOL, Wager: 1_000_000, Auto: 100_00},
		{ID: "c", Wallet: "carol", Token: money.SOL, Wager: 1_000_000, Auto: 100_00},
	}
	round, err = round.Stop() // its commit is the last one before bets are read
	check(err)
	round, err = round.Close(published.Beacon, 380_000_000, bets)
	check(err)
	fmt.Print(round.Closing)
	round, err = round.Reveal(published.Beacon, crash.Beacon{Height: 380_000_033, Parent: 380_000_031, Value: "EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N"})
	check(err)
	began = began.Add(30 * time.Second)
	round, err = round.Start(began)
	check(err)

	hash, err := chain.Hash(round.Number)
	check(err)
	out, err := round.CashOut(bets[1], began.Add(2500*time.Millisecond), hash)
	check(err)
	ends, err := round.EndsAt(hash)
	check(err)
	round, err = round.Crash(hash, ends)
	check(err)
	fmt.Printf("crashed at %d.%02d after %s, provably: %t\n", round.Point/100, round.Point%100, ends.Sub(began),
		crash.CheckHash(round.Hash, round.Number, published.Terminal, 0) == nil)

	round, err = round.BeginSettlement(ends)
	check(err)
	results, err := round.Settle(bets, []crash.CashOut{out})
	check(err)
	for _, result := range results {
		fmt.Printf("%s is paid %d\n", result.Wallet, result.Payout)
	}
	round, err = round.Finish(0)
	check(err)
	fmt.Println(round.Status)
	// Output:
	// casino crash chain 1
	// chain: 2026-1
	// epoch: 1
	// rules: crash/2
	// terminal: 04bbf01610d6c17018a916c42713cf63084d30d10e36ec5250a04d955f236164
	// length: 1000
	// beacon: solana
	// network: 5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d
	// delay: 32
	// window: 150
	// casino crash round 1
	// chain: 2026-1
	// round: 1
	// cap: 10000
	// seen: 380000000
	// height: 380000032
	// bets: 3
	// root: 54b9831a4a554271a77a45d0042ead879e90952aede86b6b646b1ce02f62a7b8
	// crashed at 5.02 after 26.924s, provably: true
	// alice is paid 1100000
	// bob is paid 1160000
	// carol is paid 0
	// settled
}
