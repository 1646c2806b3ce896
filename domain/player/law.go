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

// The law is what a change may do to a wallet, whichever decision made it. Every
// store calls CheckItem before an item is queued, Narrow for the view of its
// decision, Check for the change that the decision returned, and Apply for the view
// after it. A store adds only what it alone can know: which ids, keys and
// commitments exist already, and who holds a lock.
//
// A thing that a wallet owns has a variable of type thing in a file law_*.go and its
// line in things.

// Rule is one sentence of the law. Breaking it is a defect, never a refusal.
type Rule struct {
	Name     string
	Sentence string
	// keeps reports whether a change keeps the rule. Rules of items are called
	// with neither a view nor a change.
	keeps keeps
}

type keeps func(item *Item, seen *View, c *Change) bool

// Breach is the error of an item or a change that breaks a rule.
type Breach struct{ Name, Sentence string }

// Error returns the rule's name and its sentence.
func (b *Breach) Error() string { return "player: " + b.Name + ": " + b.Sentence }

// thing is something that a wallet owns or that a change brings with it: what an
// item sees of it, what a change may do to it, and what that makes of the wallet.
type thing struct {
	// in reports whether a change has anything of it. Only then are its rules checked,
	// in their order, and a rule may rely on those before it; nil means always.
	in    func(c *Change) bool
	rules []Rule
	// join adds what one item needs to what others need; show lets a decision see
	// what its item asked for; apply makes the change. Each is nil where there is
	// nothing to do.
	join  func(all, one *Needs)
	show  func(seen, whole *View, n *Needs)
	apply func(v *View, c *Change) error
	// covers adds what blocks cover of a change that has anything of it.
	covers func(made []event.Event, before *View, c *Change) []event.Event
}

// things is the law as a whole. Apply keeps the order: money moves last.
var things = []*thing{
	&keyLaw, &playerLaw, &rebindingLaw, &loginLaw, &sessionLaw, &openLaw, &pairLaw, &closingLaw, &roundLaw, &withdrawalLaw, &attemptLaw, &depositLaw,
	&adjustmentLaw, &launchLaw, &seamlessLaw, &providerRoundLaw, &deliveryLaw, &fundsLaw, &approvalLaw, &voteLaw,
	&auditLaw, &postingLaw, &stakeLaw,
}

// Rules returns every rule of the law, those of items first.
func Rules() []Rule {
	all := slices.Clone(itemRules)
	for _, t := range things {
		all = append(all, t.rules...)
	}
	return all
}

// CheckItem returns the Breach that makes an item impossible to commit, nil for
// none. Nothing that a client sends gets into an item unchecked.
func CheckItem(item *Item) error { return firstBroken(itemRules, item, nil, nil) }

// Check returns the Breach of a change, nil for none. The change is checked against
// its item and against what Narrow let the item's decision see; only a checked
// change may be applied. It allocates nothing for a change that keeps the law.
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

// Narrow makes seen what an item with these needs may see of a wallet. The whole
// view may hold more, because a store or a batch has loaded it for other items; no
// decision may depend on that. Maps of seen are copies.
func Narrow(seen, whole *View, n *Needs) {
	*seen = View{Asked: n}
	for _, t := range things {
		if t.show != nil {
			t.show(seen, whole, n)
		}
	}
}

// Join adds what one more item of the same wallet needs to see of it. Needs of
// things that wallets share (Funds, Hours, Votes, Game, Exposure and Payouts) stay each item's own.
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

// isStorableText reports whether every store keeps the text as it is.
func isStorableText(text string) bool {
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

// ownershipRule is the rule that a thing belongs to the wallet of the item that changes it.
// An item without a wallet has none.
func ownershipRule(what string, owner func(c *Change) wallet.Address) Rule {
	return Rule{what + " owned", "a " + what + " belongs to the wallet of the item that changes it", func(item *Item, _ *View, c *Change) bool {
		return item.Wallet != "" && owner(c) == item.Wallet
	}}
}

// Apply returns the view after the change; it leaves its argument alone. It is
// the only place that says what a change does to a wallet. An error is a
// defect, never a refusal: a decision returned an impossible change.
func Apply(v View, c Change) (View, error) {
	if err := v.Apply(&c); err != nil {
		return View{}, err
	}
	return v, nil
}

// Apply makes the view what it is after the change. Maps that change are replaced
// and never written to, so that a copy of the view stays what it was. After an
// error the view must not be used.
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

// checkFunds checks that prepaid accounts move only where the view has them, and
// never below their credit limit.
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
			// Not wrapped: that a decision let it through is a defect, not a refusal.
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
