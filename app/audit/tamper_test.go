package audit_test

import (
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
)

// firstRound applies a change to the first block with the wanted round.
func firstRound(wanted func(bet.Round) bool, change func(*ports.Block)) func([]ports.Block) []ports.Block {
	return apptest.ChangeFirstBlock(func(b *ports.Block) bool {
		if len(b.Rounds) == 0 || !wanted(b.Rounds[0]) {
			return false
		}
		change(b)
		return true
	})
}

func won(r bet.Round) bool { return r.Payout > 0 && !r.Void && r.Nonce > 0 }

func lost(r bet.Round) bool { return r.Payout == 0 && r.Nonce > 0 }

func some(bet.Round) bool { return true }

// firstRecord applies a change to the first audit record.
func firstRecord(change func(*audit.Record)) func([]ports.Block) []ports.Block {
	return apptest.ChangeFirstBlock(func(b *ports.Block) bool {
		if len(b.Audit) > 0 {
			change(&b.Audit[0])
		}
		return len(b.Audit) > 0
	})
}
