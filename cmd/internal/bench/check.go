package bench

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// rawMember returns the JSON text of a member's value: a number, a literal or a string. It
// finds the first member with the name at any depth, which is sufficient for the API's
// answers. It doesn't find strings with escapes. After is the position behind the value.
func rawMember(body []byte, name string) (value []byte, after int) {
	at := bytes.Index(body, []byte(name))
	if at < 0 {
		return nil, 0
	}
	begin := at + len(name)
	rest := body[begin:]
	if len(rest) > 0 && rest[0] == '"' {
		end := bytes.IndexAny(rest[1:], `"\`)
		if end < 0 || rest[1+end] != '"' {
			return nil, 0
		}
		return rest[:end+2], begin + end + 2
	}
	end := bytes.IndexAny(rest, ",}]")
	if end <= 0 {
		return nil, 0
	}
	return rest[:end], begin + end
}

// memberText returns the text of a member: a string without its quotes, or any other value
// as written.
func memberText(body []byte, name string) (text []byte, after int, ok bool) {
	text, after = rawMember(body, name)
	if len(text) > 1 && text[0] == '"' {
		text = text[1 : len(text)-1]
	}
	return text, after, after > 0
}

func memberNumber(body []byte, name string) (int64, bool) {
	text, _ := rawMember(body, name)
	n, err := strconv.ParseInt(string(text), 10, 64)
	return n, err == nil
}

func isText(body []byte, name, want string) bool {
	text, _, ok := memberText(body, name)
	return ok && string(text) == want
}

// hashLength is the length of a commitment in hexadecimal digits.
const hashLength = 64

// settled is the content of the answer to a bet.
type settled struct {
	wager, payout, nonce, balance int64
	multiplier                    float64
	committed                     bool
	pair                          [hashLength]byte
}

// readPlay parses the answer to a bet. It reports false if the body isn't one.
func readPlay(body []byte) (settled, bool) {
	var s settled
	var ok [5]bool
	s.wager, ok[0] = memberNumber(body, `"wager":`)
	s.payout, ok[1] = memberNumber(body, `"payout":`)
	s.nonce, ok[2] = memberNumber(body, `"nonce":`)
	multiplier, _, _ := memberText(body, `"multiplier":`)
	hash, _, _ := memberText(body, `"serverSeedHash":`)
	s.committed = len(hash) == hashLength && isText(body, `"serverSeed":`, "null")
	copy(s.pair[:], hash)
	var err error
	s.multiplier, err = strconv.ParseFloat(string(multiplier), 64)
	ok[3] = err == nil
	_, last, found := memberText(body, `"createdAt":`)
	if !found {
		return s, false
	}
	s.balance, ok[4] = memberNumber(body[last:], `"balance":`)
	return s, isObject(body) && ok == [5]bool{true, true, true, true, true}
}

// paysWhatItSays reports whether the payout is the wager times the multiplier, rounded up
// or down.
func (s settled) paysWhatItSays() bool {
	return s.payout >= 0 && math.Abs(float64(s.payout)-float64(s.wager)*s.multiplier) <= 1+float64(s.payout)*1e-9
}

// checkPlay compares the answer to a bet with the bet and the player's balance. It returns
// the error as text, or "".
func (p *Player) checkPlay(bet Bet, body []byte) string {
	s, ok := readPlay(body)
	if !ok {
		return "the answer is not a settled round"
	}
	before, nonceBefore, follows := p.house, p.nonce, p.followsNonce(s.pair, s.nonce)
	p.house, p.nonce, p.pair, p.provider.known = followed{s.balance, !bet.Shared}, s.nonce, s.pair, false
	switch {
	case s.wager != bet.Wager || !isText(body, `"gameType":`, bet.GameType) || !isText(body, `"token":`, bet.Token):
		return "it is another bet's"
	case !s.committed:
		return "the seed isn't shown by its commitment alone"
	case !s.paysWhatItSays():
		return fmt.Sprintf("the payout is %d for %d at ×%g", s.payout, s.wager, s.multiplier)
	case s.balance < s.payout:
		return fmt.Sprintf("the balance is %d after a payout of %d", s.balance, s.payout)
	case before.known && s.balance != before.amount-s.wager+s.payout:
		return fmt.Sprintf("the balance is %d, expected %d - %d + %d", s.balance, before.amount, s.wager, s.payout)
	case before.known && !follows:
		return fmt.Sprintf("the nonce is %d after %d", s.nonce, nonceBefore)
	}
	return ""
}

// followsNonce reports whether a nonce is the next one: the following nonce of the pair, or
// the first of another pair, because the service may end a pair.
func (p *Player) followsNonce(pair [hashLength]byte, nonce int64) bool {
	return pair == p.pair && nonce == p.nonce+1 || pair != p.pair && nonce == 0
}

// checkCallback compares the answer to a bet in a provider's game with the bet and the
// player's balance.
func (p *Player) checkCallback(shared bool, body []byte) string {
	text, _, found := memberText(body, `"user_balance":`)
	balance, ok := parseBillionths(text)
	if !found || !ok || !isObject(body) {
		return "the answer is not one to a callback"
	}
	before := p.provider
	p.provider, p.house.known = followed{balance, !shared}, false
	if expected := before.amount - callbackBet + callbackWin; before.known && balance != expected {
		return fmt.Sprintf("the balance is %d billionths, expected %d", balance, expected)
	}
	return ""
}

// Bet and win of a callback, in billionths of the provider's money and as decimal text.
const (
	callbackBet, callbackWin         = 10_000, 9_000
	callbackBetText, callbackWinText = "0.00001", "0.000009"
)

// parseBillionths parses a decimal that isn't negative.
func parseBillionths(text []byte) (int64, bool) {
	whole, fraction, _ := bytes.Cut(text, []byte{'.'})
	if len(fraction) > 9 || len(whole) == 0 {
		return 0, false
	}
	digits := append(append(make([]byte, 0, 32), whole...), fraction...)
	for range 9 - len(fraction) {
		digits = append(digits, '0')
	}
	n, err := strconv.ParseInt(string(digits), 10, 64)
	return n, err == nil && n >= 0
}

// isObject reports whether a body is exactly one JSON object.
func isObject(body []byte) bool {
	value := jsontext.Value(body)
	return value.Kind() == '{' && value.IsValid()
}
