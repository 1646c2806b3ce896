// Command go plays a session against casino dev with each generated Go client.
package main

import (
	"context"
	"fmt"
	"os"
	"time"
)

const token = "So11111111111111111111111111111111111111112"

// client lists the calls of a session that a generated client must have.
type client interface {
	wallets(ctx context.Context) map[string]string
	sign(ctx context.Context, name, message string) string
	send(ctx context.Context, name, transaction string) string
	// login signs in, and uses the bearer token from then on.
	login(ctx context.Context, wallet string, timestamp int64, signature string)
	depositTransaction(ctx context.Context, amount int64) string
	deposit(ctx context.Context, signature string) string
	play(ctx context.Context, wager int64, key string) string
	history(ctx context.Context) []string
	withdraw(ctx context.Context, amount int64, destination, key string) string
	cancel(ctx context.Context, id string) string
	approve(ctx context.Context, id, key string) string
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	base := os.Getenv("CASINO_URL")
	session(ctx, newOAPI(base))
	fmt.Println("oapi-codegen: done")
	session(ctx, newOgen(base))
	fmt.Println("ogen: done")
}

func session(ctx context.Context, c client) {
	wallets := c.wallets(ctx)
	signIn := func(name string) {
		now := time.Now().UnixMilli()
		c.login(ctx, wallets[name], now, c.sign(ctx, name, fmt.Sprintf("casino-auth:%s:%d", wallets[name], now)))
	}
	signIn("alice")
	signature := c.send(ctx, "alice", c.depositTransaction(ctx, 1_000_000_000))
	status := "pending"
	for tries := 0; status != "credited" && tries < 100; tries++ {
		if status = c.deposit(ctx, signature); status != "credited" {
			time.Sleep(200 * time.Millisecond)
		}
	}
	same("deposit", status, "credited")
	key := fmt.Sprintf("%T-%d-", c, time.Now().UnixNano())
	round := c.play(ctx, 1_000_000, key+"1")
	same("newest round", c.history(ctx)[0], round)
	same("cancel", c.cancel(ctx, c.withdraw(ctx, 10_000_000, wallets["alice"], key+"2")), "cancelled")
	withdrawal := c.withdraw(ctx, 20_000_000, wallets["alice"], key+"3")
	signIn("finance")
	same("approve", c.approve(ctx, withdrawal, key+"4"), "approved")
}

func same(what, got, want string) {
	if got != want {
		panic(fmt.Sprintf("%s: %q, want %q", what, got, want))
	}
}

// must returns a client's answer.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
