package conformance

import (
	"errors"
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
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// breach is an item that breaks a rule of the law.
type breach struct {
	rule string
	item func(w *accused) player.Item
}

// breaches are about what a store adds to the law: it applies the law to items and changes, and
// shows it only what the item asked for. Tests of domain/player check each rule.
var breaches = []breach{
	{"item time", func(w *accused) player.Item {
		item := w.adjust(alice, 1)
		item.At = time.Time{}
		return item
	}},
	{"unique key made", func(w *accused) player.Item {
		return spoilt(w.play(alice, 10), func(c *player.Change) { *c = player.Change{} })
	}},
	{"pair asked for", func(w *accused) player.Item {
		pair := must(w.ActivePair(background, alice))(w.bench)
		return w.does(alice, player.Needs{}, func(player.View) player.Change { return player.Change{Pair: &pair} })
	}},
	{"round booked", func(w *accused) player.Item {
		return spoilt(w.play(alice, 10), func(c *player.Change) { c.Round.Payout++ })
	}},
	{"round balance", func(w *accused) player.Item {
		has := map[money.Token]money.Amount{money.SOL: w.balance(alice)}
		return blind(w.play(alice, 10), func(n *player.Needs) { n.Tokens = nil }, func(v *player.View) { v.Balances = has })
	}},
	{"balance asked for", func(w *accused) player.Item {
		item := w.transfer(alice, ledger.Key{Kind: ledger.Adjust, ID: w.id()},
			ledger.Transfer{Debit: ledger.System(ledger.House), Credit: ledger.PlayerOf(alice), Token: money.SOL, Amount: 10})
		item.Needs.Tokens = nil
		return item
	}},
	{"withdrawal held", func(w *accused) player.Item {
		return spoilt(w.cancel(w.pending), func(c *player.Change) { c.Postings = nil })
	}},
	{"withdrawal asked for", cancelsUnasked},
	{"deposit claim asked for", claimsUnasked},
	{"approval asked for", decidesUnasked},
	{"launch asked for", func(w *accused) player.Item {
		item := w.launch(alice, money.SOL, 3)
		item.Needs.Launches = nil
		return item
	}},
	{"provider transaction asked for", func(w *accused) player.Item {
		item := w.callback(alice, "open", seamless.Credit, "", "1")
		item.Needs.Seamless = nil
		return item
	}},
	{"provider win counted", func(w *accused) player.Item {
		return blind(w.callback(alice, "open", seamless.Credit, "", "1"), func(n *player.Needs) { n.Hours = nil }, func(v *player.View) {
			v.Hours = map[seamless.HourRef]seamless.Hour{{Connection: connection, Token: money.SOL}: {}, {Connection: connection, Token: usd}: {}}
		})
	}},
	{"delivery begun", answersUnasked},
	{"funds asked for", func(w *accused) player.Item {
		has := map[agent.FundsRef]agent.Funds{w.funds: w.fundsIn("acme")}
		return blind(w.forwarded(carol, "acme", w.id(), seamless.Debit, "1", ""), func(n *player.Needs) { n.Funds = nil }, func(v *player.View) { v.Funds = has })
	}},
	{openRoundAskedFor, func(w *accused) player.Item {
		rounds := must(w.OpenRoundsOf(background, bob))(w.bench)
		pair := must(w.ActivePair(background, bob))(w.bench)
		return blind(w.steps(w.climbing, fakes.Double), func(n *player.Needs) { n.OpenRounds, n.Pair = false, false }, func(v *player.View) {
			v.OpenRounds, v.Pair = map[string]bet.Open{}, pair
			for _, open := range rounds {
				v.OpenRounds[open.ID] = open
			}
		})
	}},
}

// openRoundAskedFor is the rule that only a store with open rounds applies.
const openRoundAskedFor = "open round asked for"

func cancelsUnasked(w *accused) player.Item {
	return blind(w.cancel(w.pending), func(n *player.Needs) { n.Withdrawals = nil }, func(v *player.View) {
		v.Withdrawals = map[string]withdrawal.Withdrawal{w.pending.ID: w.pending}
	})
}

func claimsUnasked(w *accused) player.Item {
	item := w.claim(alice, "waiting", usd, deposit.Verdict{Status: deposit.Review})
	item.Needs.Deposits = nil
	return item
}

func decidesUnasked(w *accused) player.Item {
	return blind(w.decision(w.asked, other, true), func(n *player.Needs) { n.Approvals = nil }, func(v *player.View) {
		v.Approvals = map[string]approval.Approval{w.asked.ID: w.asked}
	})
}

func answersUnasked(w *accused) player.Item {
	return blind(w.responded(w.route, seamless.SiteAccepted), func(n *player.Needs) { n.Deliveries = nil }, func(v *player.View) {
		v.Deliveries = map[string]seamless.Delivery{w.route.ID: w.route}
	})
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
	climbing          bet.Open              // bob's, one of the most that may be open
	funds             agent.FundsRef        // of carol's agent
}

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
		b.check(err)
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

// does returns an item with an invented decision that only reads its view.
func (b *bench) does(w wallet.Address, needs player.Needs, make func(v player.View) player.Change) player.Item {
	return itemOf(w, b.now(), operation(b.id()), needs,
		func(v player.View) (player.Change, error) { return make(v), nil })
}

// spoilt returns an item with a decision whose change is modified.
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

// blind returns an item that declares fewer needs than its decision uses.
func blind(item player.Item, forget func(n *player.Needs), look func(v *player.View)) player.Item {
	decide := item.Decide
	forget(&item.Needs)
	item.Decide = func(v player.View) (player.Change, error) {
		look(&v)
		return decide(v)
	}
	return item
}

var writerLawCases = []story{
	{"what breaks the law is refused with the rule's message", Logic, func(b *bench) {
		// Commit breaches of the law: the store refuses each with the rule's message, and nothing
		// changes.
		w := newAccused(b)
		before := b.snapshot()
		for _, planted := range breaches {
			_, err := b.Commit(background, planted.item(w))
			var broken *player.Breach
			b.errorIf(!errors.As(err, &broken) || broken.Name != planted.rule || !strings.Contains(err.Error(), broken.Sentence),
				"%s: refused with %v", planted.rule, err)
		}
		b.same("everything after the breaches", b.snapshot(), before)
		b.commit(b.play(alice, 10))
		b.commit(b.cancel(w.pending))
		b.commit(b.decision(w.asked, other, true))
		b.commit(b.responded(w.route, seamless.SiteAccepted))
		b.sound()
	}},
	{"a decision doesn't see what other items of its batch asked for", Races, func(b *bench) {
		// Let items of one wallet concurrently ask for a thing, and change or make it without
		// asking. In any batch, only items that asked for it may be committed.
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
				cancelsUnasked(w), claimsUnasked(w), decidesUnasked(w), answersUnasked(w),
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
				b.errorIf(err == nil, "item %d was committed", i)
			})
			b.same("everything", b.snapshot(), before)
		}
		b.sound()
	}},
}

// behindOne commits items while the first one is being decided, so that they may share the batch
// after it.
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
