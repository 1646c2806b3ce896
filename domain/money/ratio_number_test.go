package money_test

import (
	"math"
	"testing"

	"github.com/casino-service/casino/domain/money"
)

func TestRatiosAsNumbersHaveEighteenDigits(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]money.Ratio{
		"1.98": {Num: 198, Den: 100}, "0": {Num: 0, Den: 7}, "0.33333333333333333": {Num: 1, Den: 3}, "2.34666666666666666": {Num: 176, Den: 75},
		"13.3333333333333333": {Num: 40, Den: 3}, "0.00000190734863281": {Num: 1, Den: 1 << 19}, "5148297": {Num: 51_482_970_000, Den: 10_000},
		"123456789012345678": {Num: 1_234_567_890_123_456_789, Den: 10}, "12345678901234567.8": {Num: 123_456_789_012_345_678, Den: 10},
		"18446744073709551615": {Num: math.MaxUint64, Den: 1},
	} {
		if got := r.NumberText(); got != want {
			t.Errorf("%d/%d is %s, want %s", r.Num, r.Den, got, want)
		}
	}
	if got := (money.Ratio{Num: 5}).NumberText(); got != "0" {
		t.Errorf("no number is %s", got)
	}
}
