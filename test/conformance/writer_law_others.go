package conformance

import (
	"slices"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
)

func providerBreaches() map[string][]breach {
	launches := func(w *accused) player.Item { return w.launch(alice, money.SOL, 3) }
	bets := func(w *accused) player.Item { return w.callback(alice, w.id(), seamless.Debit, "1", "") }
	wins := func(w *accused) player.Item { return w.callback(alice, "open", seamless.Credit, "", "1") }
	return map[string][]breach{
		"launch owned": {spoils(launches, func(_ *accused, c *player.Change) { c.Launch.Wallet = bob })},
		"launch asked for": {func(w *accused) player.Item {
			item := launches(w)
			item.Needs.Launches = nil
			return item
		}},
		"provider transaction owned": {spoils(bets, func(_ *accused, c *player.Change) { c.Seamless.Wallet = bob })},
		"provider transaction asked for": {func(w *accused) player.Item {
			item := wins(w)
			item.Needs.Seamless = nil
			return item
		}},
		"provider transaction booked": {
			spoils(bets, func(_ *accused, c *player.Change) { c.Seamless.Bet++ }),
			spoils(bets, func(_ *accused, c *player.Change) { c.Postings = nil }),
			spoils(wins, func(_ *accused, c *player.Change) { c.Postings[0].Transfers[0].Amount++ }),
			spoils(bets, func(_ *accused, c *player.Change) { c.Postings = append(c.Postings, c.Postings[0]) }),
		},
		"provider transaction balance": {
			spoils(bets, func(_ *accused, c *player.Change) { c.Seamless.Balance-- }),
			func(w *accused) player.Item {
				item := bets(w)
				item.Needs.Tokens = nil
				return item
			},
		},
		"provider win counted": {
			func(w *accused) player.Item {
				item := wins(w)
				item.Needs.Hours = nil
				// The decision sees it all the same, as one of another item's in its batch.
				item.Decide = seesHours(item.Decide)
				return item
			},
		},
		"provider round joined": {
			spoils(bets, func(_ *accused, c *player.Change) { c.ProviderRound = nil }),
			spoils(bets, func(_ *accused, c *player.Change) { c.Seamless.RoundID = "" }),
			spoils(bets, func(w *accused, c *player.Change) { c.ProviderRound.ID = w.id() }),
			spoils(bets, func(_ *accused, c *player.Change) { c.ProviderRound.Wallet = bob }),
			spoils(adjusts, func(w *accused, c *player.Change) {
				round := seamless.Begin(w.debit)
				c.ProviderRound = &round
			}),
		},
		"provider round continued": {
			spoils(bets, func(_ *accused, c *player.Change) { c.ProviderRound.Wager++ }),
			spoils(wins, func(_ *accused, c *player.Change) { c.ProviderRound.Payout++ }),
			spoils(wins, func(_ *accused, c *player.Change) { c.ProviderRound.Credits += 5 }),
			spoils(wins, func(_ *accused, c *player.Change) { c.ProviderRound.WithoutDebit = true }),
		},
	}
}

// seesHours is the decision with an hour of each token that its item doesn't ask for.
func seesHours(decide player.Decision) player.Decision {
	return func(v player.View) (player.Change, error) {
		v.Hours = map[seamless.HourRef]seamless.Hour{{Connection: connection, Token: money.SOL}: {}, {Connection: connection, Token: usd}: {}}
		return decide(v)
	}
}

func deliveryBreaches() map[string][]breach {
	begins := func(w *accused) player.Item { return w.forwarded(carol, "acme", w.id(), seamless.Debit, "1", "") }
	answers := func(w *accused) player.Item { return w.responded(w.route, seamless.SiteAccepted) }
	first := func(item func(w *accused) player.Item, by func(r *seamless.Delivery)) breach {
		return spoils(item, func(_ *accused, c *player.Change) {
			c.Deliveries = slices.Clone(c.Deliveries)
			by(&c.Deliveries[0])
		})
	}
	books := func(w *accused) player.Item { return w.bench.funds(w.funds, 5) }
	blindly := func(item func(w *accused) player.Item) breach {
		return func(w *accused) player.Item {
			made := item(w)
			made.Needs.Funds = nil
			return made
		}
	}
	return map[string][]breach{
		"delivery owned": {first(begins, func(r *seamless.Delivery) { r.Wallet = bob })},
		"delivery once":  {spoils(begins, func(_ *accused, c *player.Change) { c.Deliveries = append(c.Deliveries, c.Deliveries[0]) })},
		"delivery kept": {
			first(answers, func(r *seamless.Delivery) { r.Amount++ }),
			first(answers, func(r *seamless.Delivery) { r.SiteTxnID += "x" }),
			first(answers, func(r *seamless.Delivery) { r.Status = seamless.Reversed }),
		},
		"delivery begun": {
			func(w *accused) player.Item {
				return blind(answers(w), func(n *player.Needs) { n.Deliveries = nil }, func(v *player.View) {
					v.Deliveries = map[string]seamless.Delivery{w.route.ID: w.route}
				})
			},
			first(begins, func(r *seamless.Delivery) { r.Status = seamless.Delivering }),
			first(begins, func(r *seamless.Delivery) { r.Status = seamless.Paid }),
			first(begins, func(r *seamless.Delivery) { r.ID = "" }),
			first(begins, func(r *seamless.Delivery) { r.Site = "" }),
			first(begins, func(r *seamless.Delivery) { r.SiteTxnID = "" }),
			first(begins, func(r *seamless.Delivery) { r.Amount = -1 }),
		},
		"delivery answered": {spoils(answers, func(_ *accused, c *player.Change) { c.Seamless, c.ProviderRound, c.Postings = nil, nil, nil })},
		"funds asked for": {
			first(begins, func(r *seamless.Delivery) { r.Agent = "other" }),
			blindly(books),
			blindly(func(w *accused) player.Item { return w.limits(w.funds, 5) }),
			func(w *accused) player.Item {
				has := map[agent.FundsRef]agent.Funds{w.funds: w.fundsIn("acme")}
				return blind(begins(w), func(n *player.Needs) { n.Funds = nil }, func(v *player.View) { v.Funds = has })
			},
		},
		"funds booked": {
			spoils(books, func(_ *accused, c *player.Change) { c.Funding.Balance++ }),
			spoils(books, func(_ *accused, c *player.Change) { c.Funding.Amount = -c.Funding.Amount }),
			spoils(books, func(_ *accused, c *player.Change) { c.Postings = nil }),
		},
	}
}

func approvalBreaches() map[string][]breach {
	asks := func(w *accused) player.Item { return w.credits(alice, 3_000_000) }
	decides := func(w *accused) player.Item { return w.decision(w.asked, other, true) }
	return map[string][]breach{
		"approval owned": {spoils(asks, func(_ *accused, c *player.Change) { c.Approval.Wallet = bob })},
		"approval asked for": {
			func(w *accused) player.Item {
				return blind(decides(w), func(n *player.Needs) { n.Approvals = nil }, func(v *player.View) {
					v.Approvals = map[string]approval.Approval{w.asked.ID: w.asked}
				})
			},
			spoils(asks, func(_ *accused, c *player.Change) { c.Approval.Status = approval.Approved }),
			spoils(asks, func(_ *accused, c *player.Change) { c.Approval.DecidedBy = other }),
		},
		"approval kept": {
			spoils(decides, func(_ *accused, c *player.Change) { c.Approval.Amount++ }),
			spoils(decides, func(_ *accused, c *player.Change) { c.Approval.Reason += "!" }),
			spoils(decides, func(_ *accused, c *player.Change) { c.Approval.By = other }),
			spoils(decides, func(_ *accused, c *player.Change) { c.Approval.Agent = "acme" }),
		},
		"approval once": {
			spoils(decides, func(_ *accused, c *player.Change) { c.Approval.Status = approval.Open }),
			func(w *accused) player.Item {
				return w.does(alice, player.Needs{Approvals: []string{w.decided.ID}}, func(v player.View) player.Change {
					again := v.Approvals[w.decided.ID]
					again.Status = approval.Approved
					return player.Change{Approval: &again}
				})
			},
		},
		"vote passes": {spoils(adjusts, func(_ *accused, c *player.Change) { c.Votes = append(c.Votes, c.Votes[0]) })},
		"vote owned":  {spoils(adjusts, func(_ *accused, c *player.Change) { c.Votes[0].Wallet = bob })},
		"vote follows": {
			spoils(adjusts, func(_ *accused, c *player.Change) { c.Votes[0].After = c.Votes[0].At }),
			spoils(adjusts, func(_ *accused, c *player.Change) { c.Votes[0].AfterOwn = c.Votes[0].At }),
			spoils(adjusts, func(_ *accused, c *player.Change) { c.Votes[0].Credit, c.Votes[0].Destination = false, "there" }),
		},
	}
}
