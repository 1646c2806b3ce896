package sqlstore

import (
	"strings"
	"unicode/utf8"

	"github.com/casino-service/casino/domain/player"
)

// claimTextMax bounds each text of a claim, in bytes.
const claimTextMax = 512

// checkItem returns what makes an item impossible to write. All of it are
// defects of the caller: nothing a client sends gets here unchecked.
func checkItem(item player.Item) error {
	switch {
	case item.Decide == nil:
		return defect("an item without a decision")
	case item.At.IsZero():
		return defect("an item without a time")
	case len(item.Claims) == 0:
		return defect("an item without a claim can't be found again after a lost commit")
	case !storable(string(item.Wallet)):
		return defect("an item of an impossible wallet %q", item.Wallet)
	}
	keys := 0
	for _, c := range item.Claims {
		if c.Kind == player.IdempotencyKey {
			keys++
		}
		if c.Kind == "" || c.ID == "" || !storable(c.Scope) || !storable(c.ID) || !storable(c.Fingerprint) {
			return defect("an item with an impossible claim (%s, %q, %q)", c.Kind, c.Scope, c.ID)
		}
	}
	if keys > 1 {
		return defect("an item with %d idempotency keys", keys)
	}
	return nil
}

// storable reports whether both databases keep the text as it is.
func storable(text string) bool {
	return len(text) <= claimTextMax && utf8.ValidString(text) && !strings.ContainsRune(text, 0)
}
