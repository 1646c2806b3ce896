package player

import (
	"slices"

	"github.com/casino-service/casino/domain/event"
)

// The law is what a change may do to a wallet, whichever decision made it. Every
// store calls CheckItem before an item is queued, Narrow for the view of its
// decision, Check for the change that the decision returned, and Apply for the view
// after it. A store adds only what it alone can know: which ids, keys and
// commitments exist already, and who holds a lock.
//
// A thing that a wallet owns is one file law_<thing>.go and its line in things.

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

func only[K comparable, V any](all map[K]V, keys []K) map[K]V {
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

func union[T comparable](all, more []T) []T {
	for _, one := range more {
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}
