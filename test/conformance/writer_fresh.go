package conformance

import (
	"errors"
	"fmt"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
)

var writerFreshCases = []story{
	{"a bet whose COMMIT lost its answer is booked once", Races, func(b *bench) {
		// Loses the answers of COMMITs of bets whose ids were drawn just now, as those of all real bets are: a
		// run that comes after one without an answer has to look for the id all the same.
		if b.LoseCommit == nil {
			return
		}
		b.signIn(alice, 1_000_000)
		for i, carriedOut := range []bool{true, false, true} {
			item := b.play(alice, 10)
			item.Fresh = true
			before, played := b.balance(alice), b.playedBy()
			b.LoseCommit(carriedOut)
			receipt, err := b.Commit(background, item)
			var refusal *fault.Error
			switch {
			case err == nil:
				b.freshAnswer(receipt, before)
				played++
			case !errors.As(err, &refusal) || refusal.Kind != fault.Unavailable || refusal.Details["outcome"] == nil:
				b.Errorf("bet %d, lost, carried out %v: %v", i, carriedOut, err)
			case refusal.Details["outcome"] != "none" && carriedOut:
				played++
			}
			b.same(fmt.Sprint("bet ", i, ", lost, carried out ", carriedOut), b.playedBy(), played)
		}
		b.sound()
	}},
}

// freshAnswer compares the answer to a bet with what is stored of it.
func (b *bench) freshAnswer(receipt player.Receipt, before money.Amount) {
	b.Helper()
	round := receipt.Change.Round
	if round == nil {
		b.Fatalf("a bet is answered with %+v", receipt.Change)
	}
	stored := must(b.Round(background, round.ID))(b)
	b.same("the round returned", withoutTheory(*round), stored)
	b.same("the balance returned", round.Balance, before-round.Wager+round.Payout)
	b.same("the balance", b.balance(alice), round.Balance)
}

func (b *bench) playedBy() int {
	b.Helper()
	return must(b.Rounds(background, ports.RoundFilter{Wallet: alice}, whole))(b).Total
}
