package money

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Ratio is an exact non-negative rational: a multiplier or a return to player.
// Den is positive; the zero Ratio is not a number and Times refuses it.
type Ratio struct{ Num, Den uint64 }

// Decimal returns coefficient / 10^scale. The scale is at most 19.
func Decimal(coefficient uint64, scale int) Ratio {
	den := uint64(1)
	for range scale {
		den *= 10
	}
	return Ratio{Num: coefficient, Den: den}
}

// Cmp returns -1, 0 or 1 if r is below, equal to or above s.
func (r Ratio) Cmp(s Ratio) int {
	rHi, rLo := bits.Mul64(r.Num, s.Den)
	sHi, sLo := bits.Mul64(s.Num, r.Den)
	switch {
	case rHi == sHi && rLo == sLo:
		return 0
	case rHi < sHi || rHi == sHi && rLo < sLo:
		return -1
	}
	return 1
}

// Plus returns the sum in lowest terms, and false if it needs more than 64 bits.
func (r Ratio) Plus(s Ratio) (Ratio, bool) {
	a, b := r.Reduced(), s.Reduced()
	common := Ratio{Num: a.Den, Den: b.Den}.Reduced()
	left, over := mul64(a.Num, common.Den)
	right, also := mul64(b.Num, common.Num)
	den, too := mul64(a.Den, common.Den)
	num, carry := bits.Add64(left, right, 0)
	return Ratio{Num: num, Den: den}.Reduced(), !over && !also && !too && carry == 0
}

// mul64 returns a product, and true if it needs more than 64 bits.
func mul64(a, b uint64) (product uint64, over bool) {
	hi, lo := bits.Mul64(a, b)
	return lo, hi != 0
}

// Reduced returns the ratio in lowest terms.
func (r Ratio) Reduced() Ratio {
	a, b := r.Num, r.Den
	for b != 0 {
		a, b = b, a%b
	}
	if a == 0 {
		return r
	}
	return Ratio{Num: r.Num / a, Den: r.Den / a}
}

// DecimalText returns the ratio as a decimal cut (not rounded) after at most
// the given digits, without trailing zeros: "1.98", "35", "0.3333".
func (r Ratio) DecimalText(digits int) string {
	whole, rest := r.Num/r.Den, r.Num%r.Den
	var text strings.Builder
	fmt.Fprintf(&text, "%d", whole)
	fraction := make([]byte, 0, digits)
	for range digits {
		hi, lo := bits.Mul64(rest, 10)
		var next uint64
		next, rest = bits.Div64(hi, lo, r.Den)
		fraction = append(fraction, byte('0'+next))
	}
	if trimmed := strings.TrimRight(string(fraction), "0"); trimmed != "" {
		text.WriteString("." + trimmed)
	}
	return text.String()
}

// numberDigits is the greatest number of digits of NumberText, before and after the
// point together: without its point such a number fits 64 bits.
const numberDigits = 18

// NumberText returns the ratio as a JSON number of the API: a decimal without trailing
// zeros, cut (not rounded) after 18 digits in all. It is exact for shorter decimals.
func (r Ratio) NumberText() string {
	if r.Den == 0 {
		return "0"
	}
	whole := len(strconv.FormatUint(r.Num/r.Den, 10))
	return r.DecimalText(max(0, numberDigits-whole))
}

// String returns the exact decimal if there is a finite one of at most 19 digits
// ("1.98"), else the reduced fraction ("1/3").
func (r Ratio) String() string {
	if r.Den == 0 {
		return "undefined"
	}
	reduced := r.Reduced()
	den := reduced.Den
	for den%2 == 0 {
		den /= 2
	}
	for den%5 == 0 {
		den /= 5
	}
	if text := reduced.DecimalText(19); den == 1 && reduced.decimalIsExact(19) {
		return text
	}
	return fmt.Sprintf("%d/%d", reduced.Num, reduced.Den)
}

func (r Ratio) decimalIsExact(digits int) bool {
	rest := r.Num % r.Den
	for range digits {
		hi, lo := bits.Mul64(rest, 10)
		_, rest = bits.Div64(hi, lo, r.Den)
	}
	return rest == 0
}
