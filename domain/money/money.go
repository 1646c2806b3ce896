// Package money defines amounts, exact ratios, 128-bit totals and token names.
//
// All values are integers in a token's base units; no code converts money to a float. Of
// the service it imports only fault.
package money

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/internal/base58"
)

// Amount is a number of base units of one token, 0 … 2^63-1. Its methods report false
// instead of leaving that range.
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

// Times returns the amount times the ratio, rounded down to a base unit, and false if
// that is above Max. The product is computed exactly in 128 bits.
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

// Token names a token by its mint: the canonical base58 of 32 bytes. Native SOL has the
// mint of wrapped SOL.
type Token string

// SOL is native SOL, counted in lamports.
const SOL Token = "So11111111111111111111111111111111111111112"

// ParseToken returns the token of a mint address, or a fault naming the field "token".
func ParseToken(mint string) (Token, error) {
	if _, ok := base58.Decode(mint, 32); !ok {
		return "", fault.Field("token", "must be a mint address: the base58 of 32 bytes")
	}
	return Token(mint), nil
}

// Total is a signed sum of amounts, 128 bits wide: totals of the house or a lifetime may
// exceed an Amount, and a sum must never wrap. The zero Total is 0.
type Total struct {
	hi int64
	lo uint64
}

// TotalOf returns the total of one amount.
func TotalOf(a Amount) Total { return Total{lo: uint64(a)} }

// TotalOfInt returns a signed integer as a total.
func TotalOfInt(v int64) Total { return Total{hi: v >> 63, lo: uint64(v)} }

// TotalOfProduct returns the exact product of two unsigned integers. The
// product of two amounts always fits: it is below 2^126.
func TotalOfProduct(a, b uint64) Total {
	hi, lo := bits.Mul64(a, b)
	return Total{hi: int64(hi), lo: lo}
}

// Add returns t+u.
func (t Total) Add(u Total) Total {
	lo, carry := bits.Add64(t.lo, u.lo, 0)
	return Total{hi: t.hi + u.hi + int64(carry), lo: lo}
}

// Neg returns -t.
func (t Total) Neg() Total {
	lo, borrow := bits.Sub64(0, t.lo, 0)
	return Total{hi: -t.hi - int64(borrow), lo: lo}
}

// Sub returns t-u.
func (t Total) Sub(u Total) Total { return t.Add(u.Neg()) }

// AddAmount returns t+a.
func (t Total) AddAmount(a Amount) Total { return t.Add(TotalOf(a)) }

// SubAmount returns t-a.
func (t Total) SubAmount(a Amount) Total { return t.Sub(TotalOf(a)) }

// Sign returns -1, 0 or 1.
func (t Total) Sign() int {
	switch {
	case t.hi < 0:
		return -1
	case t.hi == 0 && t.lo == 0:
		return 0
	}
	return 1
}

// Cmp returns -1, 0 or 1 if t is below, equal to or above u.
func (t Total) Cmp(u Total) int {
	switch {
	case t == u:
		return 0
	case t.hi < u.hi || t.hi == u.hi && t.lo < u.lo:
		return -1
	}
	return 1
}

// DivFloor returns a non-negative t divided by a positive integer, rounded down. It must
// not be given a negative total or a zero divisor.
func (t Total) DivFloor(by uint64) Total {
	hi, rest := uint64(t.hi)/by, uint64(t.hi)%by
	lo, _ := bits.Div64(rest, t.lo, by)
	return Total{hi: int64(hi), lo: lo}
}

// TotalMax is the largest total with Parts that fit two integer columns with room for
// sums: 2^102 - 1.
var TotalMax = Total{hi: 1<<38 - 1, lo: 1<<64 - 1}

// TimesSaturating returns a non-negative total times a factor, at most TotalMax. It is
// for statistics, which prefer a bound to a wrapped sum.
func (t Total) TimesSaturating(factor uint64) Total {
	overflow, high := bits.Mul64(uint64(t.hi), factor)
	carry, low := bits.Mul64(t.lo, factor)
	high, more := bits.Add64(high, carry, 0)
	product := Total{hi: int64(high), lo: low}
	if overflow != 0 || more != 0 || product.hi < 0 || product.Cmp(TotalMax) > 0 {
		return TotalMax
	}
	return product
}

// Amount returns the total as an amount, and false if it is out of range.
func (t Total) Amount() (Amount, bool) {
	if t.hi != 0 || t.lo > uint64(Max) {
		return 0, false
	}
	return Amount(t.lo), true
}

// Big returns the total as a big integer.
func (t Total) Big() *big.Int {
	value := new(big.Int).Lsh(big.NewInt(t.hi), 64)
	return value.Add(value, new(big.Int).SetUint64(t.lo))
}

// String returns the decimal digits.
func (t Total) String() string { return t.Big().String() }

// partBits is the width of the low part. 2^23 low parts add up in an int64, so a
// database may SUM both columns of millions of rows; the high column reaches 2^103, more
// than any stored figure.
const partBits = 40

// Parts splits the total for two integer columns: t = hi·2^40 + lo with 0 ≤ lo < 2^40.
// Sums of parts are sums of totals. Outside ±2^102, which no stored figure reaches, the
// value is taken modulo 2^103.
func (t Total) Parts() (hi, lo int64) {
	return t.hi<<(64-partBits) | int64(t.lo>>partBits), int64(t.lo & (1<<partBits - 1))
}

// TotalFromParts joins the results of Parts, or any sums of them.
func TotalFromParts(hi, lo int64) Total {
	high := Total{hi: hi >> (64 - partBits), lo: uint64(hi) << partBits}
	return high.Add(TotalOfInt(lo))
}
