package player

import (
	"strings"
	"unicode/utf8"

	"github.com/casino-service/casino/domain/wallet"
)

// ClaimTextMax bounds each text of a claim, in bytes.
const ClaimTextMax = 512

var itemRules = []Rule{
	{"item decision", "an item has a decision", func(item *Item, _ *View, _ *Change) bool {
		return item.Decide != nil
	}},
	{"item time", "an item has a time", func(item *Item, _ *View, _ *Change) bool {
		return !item.At.IsZero()
	}},
	{"item claim", "an item has a claim, or it can't be found again after a lost commit", func(item *Item, _ *View, _ *Change) bool {
		return len(item.Claims) > 0
	}},
	{"item wallet", "an item's wallet is a text that every store keeps as it is", func(item *Item, _ *View, _ *Change) bool {
		return storable(string(item.Wallet))
	}},
	{"item claims", "a claim has a kind and an id, and texts that every store keeps as they are", func(item *Item, _ *View, _ *Change) bool {
		for i := range item.Claims {
			c := &item.Claims[i]
			if c.Kind == "" || c.ID == "" || !storable(c.Scope) || !storable(c.ID) || !storable(c.Fingerprint) {
				return false
			}
		}
		return true
	}},
	{"item keys", "an item has one idempotency key at most", func(item *Item, _ *View, _ *Change) bool {
		keys := 0
		for i := range item.Claims {
			if item.Claims[i].Kind == IdempotencyKey {
				keys++
			}
		}
		return keys <= 1
	}},
}

// storable reports whether every store keeps the text as it is.
func storable(text string) bool {
	return len(text) <= ClaimTextMax && utf8.ValidString(text) && !strings.ContainsRune(text, 0)
}

// claimLaw is of the claims that are rows of their things.
var claimLaw = thing{rules: []Rule{
	{"claim made", "an item that claims an id makes the thing of that id", func(item *Item, _ *View, c *Change) bool {
		for i := range item.Claims {
			id, made := item.Claims[i].ID, true
			switch item.Claims[i].Kind {
			case RoundID:
				made = c.Round != nil && c.Round.ID == id
			case WithdrawalID:
				made = c.Withdrawal != nil && c.Withdrawal.ID == id
			case AdjustmentID:
				made = c.Adjustment != nil && c.Adjustment.ID == id
			}
			if !made {
				return false
			}
		}
		return true
	}},
}}

// owned is the rule that a thing belongs to the wallet of the item that changes it.
// An item without a wallet has none.
func owned(what string, owner func(c *Change) wallet.Address) Rule {
	return Rule{what + " owned", "a " + what + " belongs to the wallet of the item that changes it", func(item *Item, _ *View, c *Change) bool {
		return item.Wallet != "" && owner(c) == item.Wallet
	}}
}
