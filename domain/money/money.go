// Package money holds amounts, exact ratios, 128-bit totals and token names.
//
// Everything is an integer in a token's base units; nothing here or above it
// ever turns money into a float. Every package of the service imports it, and
// it imports nothing of the service but fault.
package money

import (
	"math"
	"math/bits"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/internal/base58"
)

// Amount is a number of base units of one token, 0 … 2^63-1. Its methods never
// leave that range: they report false instead.
type Amount int64

// Max is the largest amount.
const Max Amount = math.MaxInt64

// Add returns a+b, and false when the sum is above Max.
func (a Amount) Add(b Amount) (Amount, bool) {
	if a > Max-b {
		return 0, false
	}
	return a + b, true
}

// Sub returns a-b, and false when b is more than a.
func (a Amount) Sub(b Amount) (Amount, bool) {
	if b > a {
		return 0, false
	}
	return a - b, true
}

// Times returns the amount times the ratio, rounded down to a base unit, and
// false when that is above Max. The product is exact: it is taken in 128 bits.
func (a Amount) Times(r Ratio) (Amount, bool) {
	hi, lo := bits.Mul64(uint64(a), r.Num)
	if r.Den == 0 || hi >= r.Den {
		return 0, false
	}
	quotient, _ := bits.Div64(hi, lo, r.Den)
	if quotient > uint64(Max) {
		return 0, false
	}
	return Amount(quotient), true
}

// Token names a token by its mint: the canonical base58 of 32 bytes. Native SOL
// goes by the mint of wrapped SOL.
type Token string

// SOL is native SOL, counted in lamports.
const SOL Token = "So11111111111111111111111111111111111111112"

// ParseToken returns the token a mint address names, or a fault naming the
// field "token".
func ParseToken(mint string) (Token, error) {
	if _, ok := base58.Decode(mint, 32); !ok {
		return "", fault.Field("token", "must be a mint address: the base58 of 32 bytes")
	}
	return Token(mint), nil
}
