package onchain_test

import (
	"context"
	"testing"

	sol "github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/validator"
)

// TestNaivePayoutsAreCaught plants the two mistakes that pay twice, and checks that the suites of
// payouts find them.
func TestNaivePayoutsAreCaught(t *testing.T) {
	t.Parallel()
	for name, plant := range map[string]planted{
		"signed anew when it takes too long": {chain: func(s *stage, honest app.Chain) app.Chain {
			return &impatient{Chain: honest, asked: map[string]int{}}
		}},
		"signed anew when the status is null": {chain: func(s *stage, honest app.Chain) app.Chain {
			return nullIsDead{honest, s}
		}},
	} {
		t.Run(name+": many payouts", func(t *testing.T) {
			t.Parallel()
			b := newBank(t, plant, 4, 6)
			if faults := b.payAll(40); len(faults) == 0 {
				t.Error("no test notices")
			} else {
				t.Logf("%d faults, among them: %v", len(faults), faults[0])
			}
		})
		t.Run(name+": a worker that was away for long", func(t *testing.T) {
			t.Parallel()
			b := newBank(t, plant, 1, 7)
			to := b.fresh()
			id := b.withdraws(b.players[0], b.usd, payout, string(to))
			b.proxy.Spoil(func(c validator.Call) *validator.Reply {
				if c.Method != "sendTransaction" {
					return nil
				}
				c.Pass()
				return &validator.Reply{Drop: true}
			})
			b.start(0).rounds(b, 1)
			b.slots(10_000)
			b.proxy.Spoil(func(c validator.Call) *validator.Reply {
				for _, f := range validator.Faults {
					if f.Name == "the statuses are gone" {
						return f.Do(c)
					}
				}
				return nil
			})
			b.start(0).rounds(b, 4)
			if got := b.received(to, b.usd); got <= uint64(payout) {
				t.Errorf("%s brought %d: this variant pays once here", id, got)
			}
		})
	}
}

// rounds runs a process's worker, even if it dies.
func (p process) rounds(b *bank, count int) { b.rounds(p.Payouts.PayoutWorker(), count) }

// impatient treats a payout as dead after three checks without a result.
type impatient struct {
	app.Chain
	asked map[string]int
}

func (i *impatient) Outcome(ctx context.Context, attempt withdrawal.Attempt) (withdrawal.Outcome, error) {
	outcome, err := i.Chain.Outcome(ctx, attempt)
	if outcome.Status == withdrawal.Finalized || outcome.Status == withdrawal.Errored {
		return outcome, err
	}
	const asksMax = 3
	if i.asked[attempt.Signature]++; i.asked[attempt.Signature] < asksMax {
		return outcome, err
	}
	return withdrawal.Outcome{Status: withdrawal.Dead}, nil
}

// nullIsDead treats a payout as dead if its status is null among the recent ones, which is all
// that most examples query.
type nullIsDead struct {
	app.Chain
	s *stage
}

func (n nullIsDead) Outcome(ctx context.Context, attempt withdrawal.Attempt) (withdrawal.Outcome, error) {
	answer, err := rpc.New(n.s.url).GetSignatureStatuses(ctx, false, sol.MustSignatureFromBase58(attempt.Signature))
	if err == nil && len(answer.Value) == 1 && answer.Value[0] == nil {
		return withdrawal.Outcome{Status: withdrawal.Dead}, nil
	}
	return n.Chain.Outcome(ctx, attempt)
}
