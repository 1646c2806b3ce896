package restore

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/casino-service/casino/app/accounts"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

// Fill has so many more players sign in, who do nothing else: each has a pair of seeds.
func (w *World) Fill(ctx context.Context, players int) error {
	const atOnce = 256
	var all sync.WaitGroup
	failed := make([]error, atOnce)
	for part := range atOnce {
		all.Go(func() {
			for n := part; n < players && failed[part] == nil; n += atOnce {
				_, failed[part] = w.visit(ctx, n, w.clock.Now())
			}
		})
	}
	all.Wait()
	return errors.Join(failed...)
}

// visit signs a player of Fill in.
func (w *World) visit(ctx context.Context, n int, at time.Time) (accounts.SignInResult, error) {
	name := fmt.Sprint("one of many ", n)
	address, millis := fakes.Wallet(name), at.UnixMilli()
	return w.service.casino.Accounts.SignIn(ctx, accounts.SignInRequest{
		Wallet: string(address), Timestamp: millis, Signature: ed25519.Sign(fakes.Key(name), []byte(wallet.LoginMessage(address, millis))),
	})
}

// Return has players of Fill come back after a recovery, and returns how long each took.
func (w *World) Return(ctx context.Context, players int) (time.Duration, error) {
	began := time.Now()
	for n := range players {
		if _, err := w.visit(ctx, n, w.clock.Now().Add(time.Second)); err != nil {
			return 0, err
		}
	}
	return time.Since(began) / time.Duration(players), nil
}
