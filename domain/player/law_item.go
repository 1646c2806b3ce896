package player

import (
	"strings"
	"unicode/utf8"

	"github.com/casino-service/casino/domain/wallet"
)

// KeyTextMax bounds each text of a unique key, in bytes.
const KeyTextMax = 512

var itemRules = []Rule{
	{"item decision", "an item has a decision", func(item *Item, _ *View, _ *Change) bool {
		return item.Decide != nil
	}},
	{"item time", "an item has a time", func(item *Item, _ *View, _ *Change) bool {
		return !item.At.IsZero()
	}},
	{"item unique key", "an item has a unique key, or it can't be found again after a lost commit", func(item *Item, _ *View, _ *Change) bool {
		return len(item.Keys) > 0
	}},
	{"item source", "an item comes from a player, a session, a provider, an admin or a worker", func(item *Item, _ *View, _ *Change) bool {
		return item.Source >= FromPlayer && item.Source < Sources
	}},
	{"item wallet", "an item's wallet is a text that every store keeps as it is", func(item *Item, _ *View, _ *Change) bool {
		return storable(string(item.Wallet))
	}},
	{"item key text", "a unique key has a kind and an id, and texts that every store keeps as they are", func(item *Item, _ *View, _ *Change) bool {
		for i := range item.Keys {
			c := &item.Keys[i]
			if c.Kind == "" || c.ID == "" || !storable(c.Scope) || !storable(c.ID) || !storable(c.Fingerprint) {
				return false
			}
		}
		return true
	}},
	{"item idempotency key", "an item has at most one idempotency key", func(item *Item, _ *View, _ *Change) bool {
		keys := 0
		for i := range item.Keys {
			if item.Keys[i].Kind == IdempotencyKey {
				keys++
			}
		}
		return keys <= 1
	}},
}

// storable reports whether every store keeps the text as it is.
func storable(text string) bool {
	return len(text) <= KeyTextMax && utf8.ValidString(text) && !strings.ContainsRune(text, 0)
}

// keyLaw is about the unique keys that are rows of their things.
var keyLaw = thing{rules: []Rule{
	{"unique key made", "an item that takes an id as its unique key makes the thing of that id", func(item *Item, _ *View, c *Change) bool {
		for i := range item.Keys {
			id, made := item.Keys[i].ID, true
			switch item.Keys[i].Kind {
			case RoundKey:
				made = c.Round != nil && c.Round.ID == id
			case WithdrawalKey:
				made = c.Withdrawal != nil && c.Withdrawal.ID == id
			case AdjustmentKey:
				made = c.Adjustment != nil && c.Adjustment.ID == id
			case StepKey:
				last := c.lastStep()
				made = last != nil && last.ID == item.Keys[i].Scope || c.Round != nil && c.Round.Stepped() && c.Round.ID == item.Keys[i].Scope
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
