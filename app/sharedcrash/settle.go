package sharedcrash

import (
	"context"
	"errors"
	"sync"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
)

// settleAll gives bets their results, all at once: the writer commits them together. It returns
// how many can't have one now: their rows were changed, or a balance can't hold the payout. The
// second is an error too.
func (c *Service) settleAll(ctx context.Context, r crash.Round, bets []bet.Open) (left int, err error) {
	var (
		wait   sync.WaitGroup
		mu     sync.Mutex
		failed []error
	)
	for _, open := range bets {
		wait.Go(func() {
			err := c.settleBet(ctx, r, open)
			mu.Lock()
			defer mu.Unlock()
			if errors.Is(err, player.ErrOpenRoundChanged) {
				c.raiseForged(ctx, open)
				left++
				return
			}
			if fault.Is(err, fault.AmountOutOfRange) {
				left++
			}
			failed = append(failed, kernel.Overtaken(err))
		})
	}
	wait.Wait()
	return left, errors.Join(failed...)
}

// settleBet gives a bet its result. Another driver may have done so.
func (c *Service) settleBet(ctx context.Context, r crash.Round, open bet.Open) error {
	terms, _ := c.core.Tokens.Known(open.Token)
	request := player.CrashSettleRequest{
		BetID: open.ID, Round: r, LargeWin: terms.LargeWin, AuditID: c.core.Entropy.ID(), At: c.core.Now(), Seals: c.core.Seals,
	}
	_, err := c.core.Store.Writer.Commit(ctx, player.Item{
		Wallet: open.Wallet, At: request.At, Source: player.FromWorker,
		Keys:   []player.UniqueKey{{Kind: player.RoundKey, ID: open.ID}},
		Needs:  player.Needs{Tokens: []money.Token{open.Token}, OpenRounds: true, Game: crash.GameType},
		Decide: func(v player.View) (player.Change, error) { return player.SettleCrash(v, request) },
	})
	return err
}
