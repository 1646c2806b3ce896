package domain_test

import (
	"fmt"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

// A whole bet: Alice has 100,000 lamports and bets 10,000 that the dice roll over 50.
// She saw the pair's commitment before; the rotation at the end reveals the seed, and
// anyone can recompute the round from it.
func Example() {
	alice := wallet.Address("4zvwRjXUKGfvwnParsHAS3HuSVzV5cA4McphgmoCtajS")
	spare := func(n byte) fairness.Spare {
		return fairness.Spare{ID: fmt.Sprintf("pair-%d", n), Seed: fairness.NewServerSeed([32]byte{n})}
	}
	view := player.View{
		Player:   player.Player{Wallet: alice, Agent: player.HouseAgent, CreatedAt: time.Unix(0, 0)},
		Balances: map[money.Token]money.Amount{money.SOL: 100_000},
		Pair:     fairness.NewPair(spare(1), spare(2), "server-chosen", time.Unix(0, 0)),
	}

	games, _ := game.NewRegistry(game.Standard()...)
	dice, _ := games.Game("dice")
	order, err := bet.NewOrder(dice, game.Object(
		game.Member{Name: "target", Value: game.Dec(5000, 2)},
		game.Member{Name: "direction", Value: game.Text("over")},
	), 10_000)
	if err != nil {
		fmt.Println(err)
		return
	}
	order.ID, order.Wallet, order.At = "round-1", alice, time.Unix(0, 0)
	order.Terms = token.Terms{
		Mint: money.SOL, MinWager: 10_000, MaxWager: 1_000_000, MaxPayout: 100_000_000,
		BankrollShare: money.Ratio{Num: 1, Den: 100},
	}
	order.Bankroll = money.TotalOf(10_000_000)
	change, err := player.Play(view, order, spare(3), "server-chosen", "audit-1")
	if err != nil {
		fmt.Println(err)
		return
	}
	round := change.Round
	fmt.Printf("rolled %v, pays %v× of %d: %d\n", round.Outcome.Get("roll"), round.Multiplier, round.Wager, round.Payout)

	book := ledger.Book{}
	funding := ledger.Transfer{Debit: ledger.System(ledger.Chain), Credit: ledger.PlayerOf(alice), Token: money.SOL, Amount: 100_000}
	_ = book.Post(ledger.Posting{Key: ledger.Key{Kind: ledger.Deposit, ID: "deposit-1"}, Transfers: []ledger.Transfer{funding}})
	for _, posting := range change.Postings {
		if err := book.Post(posting); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println("alice:", book.Balance(ledger.PlayerOf(alice), money.SOL),
		"house:", book.Balance(ledger.System(ledger.House), money.SOL), "all accounts:", book.Sums()[money.SOL])

	view, _ = player.Apply(view, change)
	rotation, _ := player.Rotate(view, player.RotationRequest{ClientSeed: "alice's own", Spare: spare(3), At: time.Unix(1, 0)})
	result, commitment, _ := games.Verify(game.RoundInputs{
		GameType: "dice", Rules: round.Rules, Config: round.Config,
		ServerSeed: rotation.Retired.ServerSeed, ClientSeed: round.ClientSeed, Nonce: round.Nonce,
	})
	fmt.Println("recomputed the same:", result.Outcome.Equal(round.Outcome) && commitment == round.Commitment)
	// Output:
	// rolled 80.72, pays 1.98× of 10000: 19800
	// alice: 109800 house: -9800 all accounts: 0
	// recomputed the same: true
}
