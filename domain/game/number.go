package game

import (
	"strconv"
	"strings"
)

// ScaleMax is the most decimals of a number that can be computed with.
const ScaleMax = 18

// ParseNumber returns the number a JSON number literal spells, with the decimals
// it was written with, and false when the text is no such literal. A literal
// with an exponent, with more than ScaleMax decimals or of more than 64 bits is
// kept as written and nothing else: every field refuses it, under its own name.
func ParseNumber(literal string) (Value, bool) {
	digits := strings.TrimPrefix(literal, "-")
	mantissa, exponent, hasExponent := cutAny(digits, "eE")
	whole, fraction, hasPoint := strings.Cut(mantissa, ".")
	switch {
	case !allDigits(whole), len(whole) > 1 && whole[0] == '0':
		return Value{}, false
	case hasPoint && !allDigits(fraction):
		return Value{}, false
	case hasExponent && !allDigits(trimSign(exponent)):
		return Value{}, false
	}
	asWritten := Value{kind: NumberKind, wide: true, text: literal}
	if hasExponent || len(fraction) > ScaleMax {
		return asWritten, true
	}
	coefficient, err := strconv.ParseInt(literal[:len(literal)-len(digits)]+whole+fraction, 10, 64)
	if err != nil {
		return asWritten, true
	}
	return Dec(coefficient, uint8(len(fraction))), true
}

func cutAny(text, separators string) (before, after string, found bool) {
	if i := strings.IndexAny(text, separators); i >= 0 {
		return text[:i], text[i+1:], true
	}
	return text, "", false
}

func trimSign(text string) string {
	if text != "" && (text[0] == '+' || text[0] == '-') {
		return text[1:]
	}
	return text
}

func allDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}

// Decimal returns a number as coefficient / 10^scale, and false for every other
// kind and for a number that is only kept as written.
func (v Value) Decimal() (coefficient int64, scale uint8, ok bool) {
	if v.kind != NumberKind || v.wide {
		return 0, 0, false
	}
	return v.number, v.scale, true
}

// Int returns a number without decimals, and false for everything else.
func (v Value) Int() (int64, bool) {
	coefficient, scale, ok := v.Decimal()
	return coefficient, ok && scale == 0
}

// Units returns a number in units of 10^-decimals: 2.5 in 2 decimals is 250.
// False: no number, written with more decimals (even zeros), or out of range.
func (v Value) Units(decimals uint8) (int64, bool) {
	coefficient, scale, ok := v.Decimal()
	if !ok || scale > decimals {
		return 0, false
	}
	for range decimals - scale {
		next := coefficient * 10
		if next/10 != coefficient {
			return 0, false
		}
		coefficient = next
	}
	return coefficient, true
}

// NumberText returns a number as a JSON number literal with its decimals
// ("2.50"), and "" for every other kind.
func (v Value) NumberText() string {
	switch {
	case v.kind != NumberKind:
		return ""
	case v.wide:
		return v.text
	case v.scale == 0:
		return strconv.FormatInt(v.number, 10)
	}
	text := strconv.FormatInt(v.number, 10)
	sign := ""
	if text[0] == '-' {
		sign, text = "-", text[1:]
	}
	if missing := int(v.scale) + 1 - len(text); missing > 0 {
		text = strings.Repeat("0", missing) + text
	}
	point := len(text) - int(v.scale)
	return sign + text[:point] + "." + text[point:]
}
