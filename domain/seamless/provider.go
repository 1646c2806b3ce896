package seamless

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// Game is a game in a provider's list.
type Game struct {
	Provider string // the maker's code
	Code     string
	Name     string
	Type     string // such as "slot"
	Banner   string // the URL of a picture, empty for none
	// Open reports that the provider offers it at present.
	Open bool
}

// UnreadEntry is an unreadable entry of a provider's catalogue: a game, a maker, or all
// games of a maker.
type UnreadEntry struct {
	Provider string // the maker's code; empty if unreadable
	Reason   string // names the entry and its error
}

// Record is one transaction in a provider's records.
type Record struct {
	TxnID     string
	Kind      Kind
	Provider  string
	Game      string
	Requested Requested
	At        time.Time // to the second
}

// The longest texts accepted from a provider, in bytes.
const (
	TxnIDMax = 128
	CodeMax  = 64
)

// ValidTxnID reports whether a text can be a provider's transaction id: printable ASCII
// without spaces.
func ValidTxnID(text string) bool {
	return text != "" && len(text) <= TxnIDMax && strings.Trim(text, printable) == ""
}

// ValidCode reports whether a text can be the code of a maker, a game or a type of game.
func ValidCode(text string) bool {
	return text != "" && len(text) <= CodeMax && strings.Trim(text, codeAlphabet) == ""
}

// languageMax is the greatest length of a language tag, in bytes.
const languageMax = 35

// ValidLanguage reports whether a text is formed like a BCP 47 tag: a language of 2 to 8
// letters and subtags of 1 to 8 letters and digits.
func ValidLanguage(tag string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if len(tag) > languageMax {
		return false
	}
	for i, part := range strings.Split(tag, "-") {
		alphabet, least := letters+"0123456789", 1
		if i == 0 {
			alphabet, least = letters, 2
		}
		if len(part) < least || len(part) > 8 || strings.Trim(part, alphabet) != "" {
			return false
		}
	}
	return true
}

const (
	codeAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"
	printable    = codeAlphabet + "!\"#$%&'()*+,/:;<=>?@[\\]^`{|}~"
)

// Scale relates a provider's decimal money to base units: one unit of the provider's
// money is 10^Scale base units.
type Scale uint8

// ScaleMax is the largest scale: 10^18 still fits an amount.
const ScaleMax Scale = 18

// Decimal is an exact, non-negative decimal number in canonical form: no leading zeros
// except one before the point, and no trailing zeros after it. The zero Decimal is "",
// and counts as 0.
type Decimal string

// The most digits of a number on each side of the point, and of its exponent.
const (
	digitsMax   = 40
	exponentMax = 3
)

// ParseDecimal parses a JSON number exactly. A negative number, or one with more than 40
// digits on a side of the point, is a fault of kind Invalid that names the field.
func ParseDecimal(field, text string) (Decimal, error) {
	refuse := func(why string) (Decimal, error) { return "", fault.Field(field, "must be a number that %s", why) }
	if negative, ok := strings.CutPrefix(text, "-"); ok {
		if strings.Trim(negative, "0.") == "" && isDigits(negative[:min(1, len(negative))]) {
			return "0", nil
		}
		return refuse("is not negative")
	}
	mantissa, exponent, shift := text, "", 0
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		mantissa, exponent = text[:at], text[at+1:]
		unsigned := strings.TrimLeft(exponent, "+-")
		n, err := strconv.Atoi(exponent)
		if err != nil || len(exponent)-len(unsigned) > 1 || len(unsigned) > exponentMax {
			return refuse("has a small exponent")
		}
		shift = n
	}
	whole, fraction, pointed := strings.Cut(mantissa, ".")
	if !isDigits(whole) || pointed && !isDigits(fraction) || len(whole) > digitsMax || len(fraction) > digitsMax {
		return refuse("has at most 40 digits on each side of the point")
	}
	whole, fraction = shiftPoint(whole, fraction, shift)
	whole, fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	if len(whole) > digitsMax || len(fraction) > digitsMax {
		return refuse("has at most 40 digits on each side of the point")
	}
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return Decimal(whole), nil
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// shiftPoint moves the point by this many places, to the right if positive.
func shiftPoint(whole, fraction string, places int) (string, string) {
	if places >= 0 {
		fraction += strings.Repeat("0", max(0, places-len(fraction)))
		return whole + fraction[:places], fraction[places:]
	}
	whole = strings.Repeat("0", max(0, -places-len(whole))) + whole
	at := len(whole) + places
	return whole[:at], whole[at:] + fraction
}

// Units returns the number in base units, rounded down, and the rest as a decimal
// fraction of a base unit, empty if there is none. False means that it exceeds an
// amount.
func (d Decimal) Units(scale Scale) (amount money.Amount, residue string, ok bool) {
	whole, fraction, _ := strings.Cut(string(d), ".")
	whole, fraction = shiftPoint(whole, fraction, int(scale))
	whole = strings.TrimLeft(whole, "0")
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		residue = "0." + fraction
	}
	if whole == "" {
		return 0, residue, true
	}
	units, err := strconv.ParseUint(whole, 10, 64)
	if err != nil || units > math.MaxInt64 {
		return 0, "", false
	}
	return money.Amount(units), residue, true
}

// DecimalOf converts base units to the provider's money.
func DecimalOf(amount money.Amount, scale Scale) Decimal {
	whole, fraction := shiftPoint(strconv.FormatInt(int64(amount), 10), "", -int(scale))
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		whole += "." + fraction
	}
	return Decimal(whole)
}
