package conformance

import (
	"errors"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// breach makes an item that breaks one rule of the law, and at most rules after it.
type breach func(w *accused) player.Item

// breaches are those of each rule, by its name. A rule without one fails the suite,
// and so does a breach of no rule.
func breaches() map[string][]breach {
	all := map[string][]breach{}
	for _, part := range []map[string][]breach{
		itemBreaches(), playerBreaches(), pairBreaches(), roundBreaches(), withdrawalBreaches(), depositBreaches(), providerBreaches(),
		deliveryBreaches(), approvalBreaches(), postingBreaches(), openRoundBreaches(),
	} {
		maps.Copy(all, part)
	}
	return all
}

// accused is a bench with one of everything that a wallet can own.
type accused struct {
	*bench
	pending, approved withdrawal.Withdrawal // alice's
	waiting           deposit.Ref           // alice's deposit claim in usd
	asked             approval.Approval     // about alice, open
	decided           approval.Approval     // about alice, approved
	route             seamless.Delivery     // carol's, asking
	debit             seamless.Transaction  // alice's, open
	climbing          bet.Open              // bob's, one of as many as may be open
	funds             agent.FundsRef        // of carol's agent
}

// dave never signed in.
var dave = fakes.Wallet("dave")

func newAccused(b *bench) *accused {
	b.Helper()
	w := &accused{bench: b, funds: agent.FundsRef{Agent: "acme", Token: money.SOL}}
	b.prepaidAgent("acme", 1_000, 0)
	b.seasoned(admin, rbac.Superadmin)
	b.seasoned(other, "finance")
	b.guest(alice, 10_000)
	b.signIn(bob, 1_000)
	b.member(carol, "acme")
	b.commit(b.does(alice, player.Needs{}, func(v player.View) player.Change {
		change, err := player.EndSessions(v, b.id(), "req", b.clock.Now())
		if err != nil {
			b.Error(err)
		}
		return change
	}))
	b.commit(b.play(alice, 10))
	w.pending = *b.commit(b.withdraw(alice, 300)).Change.Withdrawal
	w.approved = *b.commit(b.withdraw(alice, 200)).Change.Withdrawal
	b.commit(b.approve(w.approved, other))
	w.waiting = b.commit(b.claim(alice, "waiting", usd, deposit.Verdict{Status: deposit.Pending})).Change.Deposit.Ref
	w.decided = b.ask()
	b.commit(b.decision(w.decided, other, false))
	w.asked = b.ask()
	w.route = b.bet(carol, "acme", "asked", "300")
	w.debit = b.asked(alice, "open", seamless.Debit, "1", "")
	for range bet.OpenMax {
		w.climbing = b.opened(bob, 10, doubles)
	}
	return w
}

// does is an item with a made-up decision that only reads its view.
func (b *bench) does(w wallet.Address, needs player.Needs, make func(v player.View) player.Change) player.Item {
	return player.Item{
		Wallet: w, At: b.now(), Needs: needs, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: b.id()}},
		Decide: func(v player.View) (player.Change, error) { return make(v), nil },
	}
}

// spoilt is an item whose decision's change is modified afterwards.
func spoilt(item player.Item, by func(c *player.Change)) player.Item {
	decide := item.Decide
	item.Decide = func(v player.View) (player.Change, error) {
		change, err := decide(v)
		if err == nil {
			by(&change)
		}
		return change, err
	}
	return item
}

// spoils is a breach by such a modification.
func spoils(item func(w *accused) player.Item, by func(w *accused, c *player.Change)) breach {
	return func(w *accused) player.Item {
		return spoilt(item(w), func(c *player.Change) { by(w, c) })
	}
}

// blind is an item that needs less than what its decision looks at.
func blind(item player.Item, forget func(n *player.Needs), look func(v *player.View)) player.Item {
	decide := item.Decide
	forget(&item.Needs)
	item.Decide = func(v player.View) (player.Change, error) {
		look(&v)
		return decide(v)
	}
	return item
}

// breachesALook is after how many breaches the suite looks whether anything changed: what the
// store keeps is read as a whole, which costs much more than a breach.
const breachesALook = 8

// everyRuleIsKept plants a breach of each rule of the law: the store refuses it with
// the rule's message, and nothing changes.
func everyRuleIsKept(b *bench) {
	w, all := newAccused(b), breaches()
	before := b.snapshot()
	var since []string // the rules broken since the last look
	look := func() {
		b.same("everything after breaches of "+strings.Join(since, ", "), b.snapshot(), before)
		since = nil
	}
	for _, rule := range player.Rules() {
		planted := all[rule.Name]
		delete(all, rule.Name)
		if len(planted) == 0 {
			b.Errorf("no breach is planted of the rule %q", rule.Name)
		}
		for i, plant := range planted {
			item := plant(w)
			_, err := b.Commit(background, item)
			var broken *player.Breach
			if !errors.As(err, &broken) || broken.Name != rule.Name || !strings.Contains(err.Error(), rule.Sentence) {
				b.Errorf("%s, breach %d: refused with %v", rule.Name, i, err)
			}
			if since = append(since, rule.Name); len(since) == breachesALook {
				look()
			}
		}
	}
	look()
	if len(all) > 0 {
		b.Errorf("breaches of no rule: %v", slices.Sorted(maps.Keys(all)))
	}
	b.commit(b.play(alice, 10))
	b.commit(b.cancel(w.pending))
	b.commit(b.decision(w.asked, other, true))
	b.commit(b.responded(w.route, seamless.SiteAccepted))
	b.sound()
}

// neighboursShareNothing has items of one wallet, at the same time, ask for a thing
// and change or make it without having asked. Whatever shares their batch, only items
// that asked for it may be committed.
func neighboursShareNothing(b *bench) {
	w := newAccused(b)
	look := func(of wallet.Address, needs player.Needs) player.Item {
		item := b.does(of, needs, nil)
		item.Decide = func(player.View) (player.Change, error) {
			return player.Change{}, fault.New(fault.Forbidden, "only looking")
		}
		return item
	}
	needs := player.Needs{
		Pair: true, Open: true, Withdrawals: []string{w.pending.ID}, Approvals: []string{w.asked.ID}, Deposits: []deposit.Ref{w.waiting},
	}
	again := func(item player.Item, by func(c *player.Change)) player.Item {
		item.Keys = []player.UniqueKey{{Kind: player.OperationKey, ID: b.id()}}
		return spoilt(item, by)
	}
	before := b.snapshot()
	for range 3 {
		bad := []player.Item{
			withdrawalBreaches()["withdrawal asked for"][0](w),
			depositBreaches()["deposit claim asked for"][0](w),
			approvalBreaches()["approval asked for"][0](w),
			deliveryBreaches()["delivery begun"][0](w),
			again(b.withdraw(alice, 10), func(c *player.Change) {
				c.Withdrawal.ID, c.Postings[0].Transfers[0].Credit.Owner = w.pending.ID, w.pending.ID
			}),
			again(b.claim(alice, "another", usd, deposit.Verdict{Status: deposit.Pending}), func(c *player.Change) { c.Deposit.ID = w.pending.ID }),
			again(b.adjust(alice, 10), func(c *player.Change) { c.Adjustment.ID, c.Postings[0].Key.ID = w.pending.ID, w.pending.ID }),
			again(b.credits(alice, 2_000_000), func(c *player.Change) { c.Approval.ID = w.asked.ID }),
			spoilt(b.forwarded(carol, "acme", b.id(), seamless.Debit, "1", ""), func(c *player.Change) { c.Deliveries[0].ID = w.route.ID }),
		}
		items := slices.Clone(bad)
		for range 3 {
			items = append(items, look(alice, needs), look(carol, player.Needs{Deliveries: []string{w.route.ID}}))
		}
		b.behindOne(look(bob, player.Needs{}), items, func(i int, err error) {
			if err == nil {
				b.Errorf("item %d was committed", i)
			}
		})
		b.same("everything", b.snapshot(), before)
	}
	b.sound()
}

// behindOne commits items while the first one is being decided, so that they may
// share the batch after its own.
func (b *bench) behindOne(first player.Item, items []player.Item, answered func(i int, err error)) {
	gate := make(chan struct{})
	first, begun := gated(first, gate)
	var all sync.WaitGroup
	all.Go(func() { _, _ = b.Commit(background, first) })
	b.await(begun)
	for i := range items {
		all.Go(func() {
			_, err := b.Commit(background, items[i])
			answered(i, err)
		})
	}
	for range 5000 { // time to queue; without it they share fewer batches
		runtime.Gosched()
	}
	close(gate)
	all.Wait()
}

func itemBreaches() map[string][]breach {
	of := func(by func(w *accused, item *player.Item)) breach {
		return func(w *accused) player.Item {
			item := w.adjust(alice, 1)
			by(w, &item)
			return item
		}
	}
	claim := func(c player.UniqueKey) breach {
		return of(func(_ *accused, item *player.Item) { item.Keys = append(item.Keys, c) })
	}
	nothing := func(_ *accused, c *player.Change) { *c = player.Change{} }
	return map[string][]breach{
		"item decision":   {of(func(_ *accused, item *player.Item) { item.Decide = nil })},
		"item time":       {of(func(_ *accused, item *player.Item) { item.At = time.Time{} })},
		"item unique key": {of(func(_ *accused, item *player.Item) { item.Keys = nil })},
		"item source": {
			of(func(_ *accused, item *player.Item) { item.Source = player.Sources }),
			of(func(_ *accused, item *player.Item) { item.Source = -1 }),
		},
		"item wallet": {
			of(func(_ *accused, item *player.Item) { item.Wallet += "\x00" }),
			of(func(_ *accused, item *player.Item) { item.Wallet = "\xff" }),
			of(func(_ *accused, item *player.Item) {
				item.Wallet = wallet.Address(strings.Repeat("x", player.KeyTextMax+1))
			}),
		},
		"item key text": {
			claim(player.UniqueKey{ID: "id"}), claim(player.UniqueKey{Kind: player.OperationKey}),
			claim(player.UniqueKey{Kind: player.OperationKey, ID: "id", Scope: "\xff"}),
			claim(player.UniqueKey{Kind: player.OperationKey, ID: "id\x00"}),
			claim(player.UniqueKey{Kind: player.IdempotencyKey, ID: "id", Fingerprint: strings.Repeat("x", player.KeyTextMax+1)}),
		},
		"item idempotency key": {of(func(_ *accused, item *player.Item) {
			item.Keys = []player.UniqueKey{{Kind: player.IdempotencyKey, ID: "a"}, {Kind: player.IdempotencyKey, ID: "b"}}
		})},
		"unique key made": {
			spoils(func(w *accused) player.Item { return w.play(alice, 10) }, nothing),
			spoils(func(w *accused) player.Item { return w.withdraw(alice, 10) }, nothing),
			spoils(func(w *accused) player.Item { return w.adjust(alice, 10) }, nothing),
			spoils(func(w *accused) player.Item { return w.adjust(alice, 10) }, func(w *accused, c *player.Change) { c.Adjustment.ID = w.id() }),
		},
	}
}
