package receipt_test

import (
	"testing"

	"github.com/casino-service/casino/domain/merkle"
	"github.com/casino-service/casino/domain/receipt"
)

func TestAnAnchorStatesItsCheckpoint(t *testing.T) {
	t.Parallel()
	const want = "casino-log-1 casino/ledger-1/2 300 AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
	if got := receipt.AnchorText("casino/ledger-1/2", 300, merkle.Hash{1}); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
