package receipt_test

import (
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/merkle"
	"github.com/casino-service/casino/domain/receipt"
)

func TestAnchorsReadBack(t *testing.T) {
	t.Parallel()
	want := receipt.Anchor{Origin: "casino/ledger/1", Size: 12, Root: merkle.Hash{31: 7}}
	const text = "casino-log-1 casino/ledger/1 12 AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAc="
	if got := want.Text(); got != text {
		t.Errorf("written as %q", got)
	}
	if got, err := receipt.ParseAnchor(text); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	for _, change := range [][2]string{
		{"casino-log-1", "casino-log-2"}, {" 12 ", " 012 "}, {" 12 ", " -1 "}, {" 12 ", "  "}, {"casino/ledger/1", ""}, {"AAc=", "AAd="}, {"AAc=", ""}, {"c=", "c= x"},
	} {
		if got, err := receipt.ParseAnchor(strings.Replace(text, change[0], change[1], 1)); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q for %q: %+v, %v", change[1], change[0], got, err)
		}
	}
}
