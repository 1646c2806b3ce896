package memory_test

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/test/fakes"
)

// All data of a wallet is written through Commit. An item names the wallet, its unique
// keys, the data its decision needs, and the decision. If a key is already in use, the
// stored answer is returned.
func Example() {
	ctx, store := context.Background(), memory.New()
	alice, now := fakes.Wallet("alice"), fakes.Start
	if _, err := store.Commit(ctx, signIn(now)); err != nil {
		fmt.Println(err)
		return
	}
	for _, amount := range []int64{500, -200, -200, -900} {
		made := player.Adjustment{
			ID: "adjustment " + strconv.FormatInt(amount, 10), Wallet: alice, Token: money.SOL, Amount: amount,
			Reason: "goodwill", By: fakes.Wallet("admin"), At: now,
		}
		receipt, err := store.Commit(ctx, player.Item{
			Wallet: alice, At: now,
			Keys:   []player.UniqueKey{{Kind: player.AdjustmentKey, ID: made.ID}},
			Needs:  player.Needs{Tokens: []money.Token{made.Token}},
			Decide: func(v player.View) (player.Change, error) { return player.Adjust(v, made, "record "+made.ID, "") },
		})
		if err != nil {
			fmt.Println(made.ID, "is refused:", fault.KindOf(err) == fault.InsufficientFunds)
			continue
		}
		fmt.Println(made.ID, "leaves", receipt.Change.Balance, "replayed:", receipt.Replayed)
	}
	balances, err := store.Balances(ctx, alice)
	fmt.Println(balances[0].Amount, err)
	// Output:
	// adjustment 500 leaves 500 replayed: false
	// adjustment -200 leaves 300 replayed: false
	// adjustment -200 leaves 300 replayed: true
	// adjustment -900 is refused: true
	// 300 <nil>
}

// signIn is the item of alice's first sign-in, which begins her seed pair.
func signIn(now time.Time) player.Item {
	alice, entropy := fakes.Wallet("alice"), fakes.NewEntropy(1)
	spare := func() fairness.Spare {
		return fairness.Spare{ID: entropy.ID(), Seed: fairness.NewServerSeed(entropy.Seed())}
	}
	request := player.SignInRequest{
		Wallet: alice, Login: player.Login{Wallet: alice, Timestamp: now.UnixMilli(), KeepUntil: now.Add(time.Hour)},
		First: spare(), Next: spare(), ClientSeed: "of the server", AuditID: entropy.ID(), SessionAuditID: entropy.ID(), At: now,
	}
	return player.Item{
		Wallet: alice, At: now,
		Keys:   []player.UniqueKey{{Kind: player.LoginKey, Scope: string(alice), ID: strconv.FormatInt(now.UnixMilli(), 10)}},
		Needs:  player.Needs{Unclaimed: true},
		Decide: func(v player.View) (player.Change, error) { return player.SignIn(v, request) },
	}
}
