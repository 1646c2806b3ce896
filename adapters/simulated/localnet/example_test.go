package localnet_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/adapters/simulated/localnet"
)

// A chain in memory, under a clock that stands still until it is moved.
func ExampleOpen() {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	chain, err := localnet.Open(localnet.Config{
		Now:    func() time.Time { return now },
		Random: rand.NewChaCha8([32]byte{1}),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = chain.Close() }()
	alice := solana.MustPublicKeyFromBase58("4Nd1mYvYx1mCzvMbxbGYhV9nCGsbLHL2EYYBQkPEwh1r")
	if _, err := chain.Airdrop(alice, 2*solana.LAMPORTS_PER_SOL); err != nil {
		fmt.Println(err)
		return
	}
	ask := func() {
		body := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"getBalance","params":["` + alice.String() + `"]}`)
		answer := httptest.NewRecorder()
		chain.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodPost, "/", body))
		fmt.Print(answer.Body)
	}
	ask()
	now = now.Add(localnet.FinalityDepth * localnet.DefaultSlotDuration)
	ask()
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":{"context":{"slot":69,"apiVersion":"4.1.2-localnet"},"value":0}}
	// {"jsonrpc":"2.0","id":1,"result":{"context":{"slot":100,"apiVersion":"4.1.2-localnet"},"value":2000000000}}
}
