package seamless

import (
	"strings"
	"time"
)

// Game is a game as a provider lists it.
type Game struct {
	Provider string // the maker's code
	Code     string
	Name     string
	Type     string // such as "slot"
	Banner   string // the URL of a picture, empty for none
	// Open says that the provider lets it be played at the moment.
	Open bool
}

// UnreadEntry is an entry of a provider's catalogue that could not be read: a game, a
// maker, or all games of a maker.
type UnreadEntry struct {
	Provider string // the maker's code; empty when it could not be read
	Reason   string // names the entry and what is wrong with it
}

// Record is one transaction as a provider recorded it.
type Record struct {
	TxnID     string
	Kind      Kind
	Provider  string
	Game      string
	Requested Requested
	At        time.Time // to the second
}

// The longest texts that are taken from a provider, in bytes.
const (
	TxnIDMax = 128
	CodeMax  = 64
)

// ValidTxnID reports whether a text can be a provider's transaction id:
// printable ASCII without spaces.
func ValidTxnID(text string) bool {
	return text != "" && len(text) <= TxnIDMax && strings.Trim(text, printable) == ""
}

// ValidCode reports whether a text can be the code of a maker, a game or a type of
// game.
func ValidCode(text string) bool {
	return text != "" && len(text) <= CodeMax && strings.Trim(text, codeAlphabet) == ""
}

// languageMax is the longest tag that is taken, in bytes.
const languageMax = 35

// ValidLanguage reports whether a text has the form of a BCP 47 tag: a language of
// 2 to 8 letters and subtags of 1 to 8 letters and digits.
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
