package player

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/wallet"
)

// The law is the set of rules for changes to a wallet, independent of the decision that
// made them. Every store calls CheckItem before an item is queued, Narrow for the view
// of its decision, Check for the returned change, and Apply for the next view. A store
// adds only rules that need its data: existing ids, keys and commitments, and holders of
// locks.
//
// Each thing that a wallet owns has a variable of type thing in a file law_*.go and an
// entry in things.

// Rule is one rule of the law. A breach is a defect, never a refusal.
type Rule struct {
	Name     string
	Sentence string
	// keeps reports whether a change keeps the rule. For rules of items both view and
	// change are nil.
	keeps keeps
}

type keeps func(item *Item, seen *View, c *Change) bool

// Breach is the error of an item or a change that breaks a rule.
type Breach struct{ Name, Sentence string }

// Error returns the rule's name and its sentence.
func (b *Breach) Error() string { return "player: " + b.Name + ": " + b.Sentence }

// thing is a part of a wallet or change, with its rules: what an item sees of it, what a
// change may do to it, and its effect on the wallet.
type thing struct {
	// in reports whether a change contains the thing. Only then its rules are checked, in
	// order; a rule may rely on those before it. nil means always.
	in    func(c *Change) bool
	rules []Rule
	// join adds one item's needs to those of others; show copies the needed data to a
	// decision's view; apply applies the change. Each is nil if it has nothing to do.
	join  func(all, one *Needs)
	show  func(seen, whole *View, n *Needs)
	apply func(v *View, c *Change) error
	// covers adds the events of a change that contains the thing.
	covers func(made []event.Event, before *View, c *Change) []event.Event
}

// things is the whole law. Apply uses this order: money moves last.
var things = []*thing{
	&keyLaw, &playerLaw, &rebindingLaw, &loginLaw, &sessionLaw, &openLaw, &crashLaw, &pairLaw, &closingLaw, &roundLaw, &withdrawalLaw, &attemptLaw, &depositLaw,
	&adjustmentLaw, &launchLaw, &seamlessLaw, &providerRoundLaw, &deliveryLaw, &fundsLaw, &approvalLaw, &voteLaw,
	&auditLaw, &postingLaw, &stakeLaw,
}

// Rules returns every rule of the law, rules of items first.
func Rules() []Rule {
	all := slices.Clone(itemRules)
	for _, t := range things {
		all = append(all, t.rules...)
	}
	return all
}

// CheckItem returns the Breach of an invalid item, nil if it is valid. It checks
// everything in an item that comes from clients.
func CheckItem(item *Item) error { return firstBroken(itemRules, item, nil, nil) }

// Check returns the Breach of a change, nil if it is valid. It checks the change against
// its item and the decision's view from Narrow. Only a checked change may be applied. It
// allocates nothing for a valid change.
func Check(item *Item, seen *View, c *Change) error {
	for _, t := range things {
		if t.in != nil && !t.in(c) {
			continue
		}
		if err := firstBroken(t.rules, item, seen, c); err != nil {
			return err
		}
	}
	return nil
}

func firstBroken(rules []Rule, item *Item, seen *View, c *Change) error {
	for i := range rules {
		if r := &rules[i]; !r.keeps(item, seen, c) {
			return &Breach{Name: r.Name, Sentence: r.Sentence}
		}
	}
	return nil
}

// Narrow fills seen with the part of a wallet that an item with these needs may see. The
// whole view may hold data loaded for other items, and no decision may depend on that.
// Maps of seen are copies.
func Narrow(seen, whole *View, n *Needs) {
	*seen = View{Asked: n}
	for _, t := range things {
		if t.show != nil {
			t.show(seen, whole, n)
		}
	}
}

// Join adds the needs of one more item of the same wallet. Needs of things that wallets
// share (Funds, Hours, Votes, Game, Exposure and Payouts) stay separate for each item.
func (n *Needs) Join(one *Needs) {
	for _, t := range things {
		if t.join != nil {
			t.join(n, one)
		}
	}
}

func selectKeys[K comparable, V any](all map[K]V, keys []K) map[K]V {
	if len(keys) == 0 {
		return nil
	}
	some := make(map[K]V, len(keys))
	for _, key := range keys {
		if value, ok := all[key]; ok {
			some[key] = value
		}
	}
	return some
}

func appendMissing[T comparable](all, more []T) []T {
	for _, one := range more {
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}

// KeyTextMax is the greatest length of each text of a unique key, in bytes.
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
	{"item source", "an item comes from a player, a session, a cash-out, a provider, an admin or a worker", func(item *Item, _ *View, _ *Change) bool {
		return item.Source >= FromPlayer && item.Source < Sources
	}},
	{"item wallet", "an item's wallet is a text that every store keeps as it is", func(item *Item, _ *View, _ *Change) bool {
		return isStorableText(string(item.Wallet))
	}},
	{"item key text", "a unique key has a kind and an id, and texts that every store keeps as they are", func(item *Item, _ *View, _ *Change) bool {
		for i := range item.Keys {
			c := &item.Keys[i]
			if c.Kind == "" || c.ID == "" || !isStorableText(c.Scope) || !isStorableText(c.ID) || !isStorableText(c.Fingerprint) {
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

// isStorableText reports whether every store can store the text unchanged.
func isStorableText(text string) bool {
	return len(text) <= KeyTextMax && utf8.ValidString(text) && !strings.ContainsRune(text, 0)
}

// keyLaw checks unique keys that are part of their things' rows.
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

// ownershipRule returns the rule that a thing belongs to the wallet of the item that
// changes it. Items without a wallet can't change it.
func ownershipRule(what string, owner func(c *Change) wallet.Address) Rule {
	return Rule{what + " owned", "a " + what + " belongs to the wallet of the item that changes it", func(item *Item, _ *View, c *Change) bool {
		return item.Wallet != "" && owner(c) == item.Wallet
	}}
}

// Apply returns the view after the change, without changing its argument. It alone
// defines the effect of a change on a wallet. An error is a defect, never a refusal: a
// decision returned an impossible change.
func Apply(v View, c Change) (View, error) {
	if err := v.Apply(&c); err != nil {
		return View{}, err
	}
	return v, nil
}

// Apply applies the change to the view. It replaces changed maps and never writes to
// them, so that copies of the view don't change. After an error the view must not be
// used.
func (v *View) Apply(c *Change) error {
	funds := v.Funds
	for _, t := range things {
		if t.apply == nil {
			continue
		}
		if err := t.apply(v, c); err != nil {
			return err
		}
	}
	return checkFunds(funds, v.Funds)
}

// checkFunds checks that only prepaid accounts in the view move, and never below their
// credit limit.
func checkFunds(before, after map[agent.FundsRef]agent.Funds) error {
	for ref, funds := range after {
		was, seen := before[ref]
		if funds == was {
			continue
		}
		if !seen {
			return fmt.Errorf("funds of %s in %s move but are not in the view", ref.Agent, ref.Token)
		}
		if err := funds.Check(); err != nil {
			// Don't wrap the error: it is a defect of the decision, not a refusal.
			return fmt.Errorf("funds of %s in %s: %s", ref.Agent, ref.Token, err.Error())
		}
	}
	return nil
}

func withEntry[K comparable, V any](m map[K]V, key K, value V) map[K]V {
	next := maps.Clone(m)
	if next == nil {
		next = make(map[K]V, 1)
	}
	next[key] = value
	return next
}

func openDelta(before, after bool) int {
	switch {
	case before == after:
		return 0
	case after:
		return 1
	}
	return -1
}
