package conformance

import (
	"time"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/withdrawal"
)

func adjusts(w *accused) player.Item     { return w.adjust(alice, 10) }
func plays(w *accused) player.Item       { return w.play(alice, 10) }
func rotates(w *accused) player.Item     { return w.rotate(alice, "mine") }
func withdraws(w *accused) player.Item   { return w.withdraw(alice, 10) }
func cancels(w *accused) player.Item     { return w.cancel(w.pending) }
func signsIn(w *accused) player.Item     { return w.login(alice, w.now().UnixMilli()) }
func signsPayout(w *accused) player.Item { return w.sign(w.approved, 1) }

// bringsBack is of a token that alice has nothing of.
func bringsBack(w *accused) player.Item { return w.bringBack(alice, w.id(), "gone", usd, 40) }

func rebinds(w *accused) player.Item {
	return w.rebind(alice, "acme", w.pending.ID, w.approved.ID)
}

func playerBreaches() map[string][]breach {
	row := func(by func(p *player.Player)) breach {
		return func(w *accused) player.Item {
			return w.does(alice, player.Needs{}, func(v player.View) player.Change {
				by(&v.Player)
				return player.Change{Player: &v.Player}
			})
		}
	}
	return map[string][]breach{
		"player owned": {
			row(func(p *player.Player) { p.Wallet = bob }),
			func(w *accused) player.Item {
				return w.does("", player.Needs{}, func(player.View) player.Change {
					return player.Change{Player: &player.Player{CreatedAt: w.clock.Now()}}
				})
			},
		},
		"player kept": {
			row(func(p *player.Player) { *p = player.Player{Wallet: alice, Agent: p.Agent} }),
			row(func(p *player.Player) { p.CreatedAt = p.CreatedAt.Add(-1_000_000) }),
			row(func(p *player.Player) { p.SessionsFrom = p.SessionsFrom.Add(-1_000_000) }),
		},
		"player agent":  {row(func(p *player.Player) { p.Agent = "acme" })},
		"player paired": {spoils(func(w *accused) player.Item { return w.login(dave, w.now().UnixMilli()) }, func(_ *accused, c *player.Change) { c.Pair = nil })},
		"player imposed": {row(func(p *player.Player) {
			p.Protection, _ = p.Protection.Impose([]protection.LimitRequest{{Kind: protection.Wager, Period: protection.Day, Token: money.SOL, Amount: 1}}, p.CreatedAt)
		})},
		"player owing": {
			row(func(p *player.Player) { p.Protection = p.Protection.WithDebt(money.SOL, 1) }),
			spoils(bringsBack, func(_ *accused, c *player.Change) { c.Player.Protection = c.Player.Protection.WithDebt(usd, 0) }),
		},
		"owed moved": {
			spoils(bringsBack, func(_ *accused, c *player.Change) { c.Player = nil }),
			func(w *accused) player.Item {
				return w.transfer(alice, ledger.Key{Kind: ledger.Adjust, ID: w.id()},
					ledger.Transfer{Debit: ledger.System(ledger.Chain), Credit: ledger.System(ledger.Owed), Token: money.SOL, Amount: 10})
			},
		},
		"rebinding agents": {
			spoils(rebinds, func(_ *accused, c *player.Change) { c.Player = nil }),
			spoils(rebinds, func(_ *accused, c *player.Change) { c.Rebinding.From = "acme" }),
			spoils(rebinds, func(_ *accused, c *player.Change) { c.Rebinding.To = "other" }),
			func(w *accused) player.Item {
				return w.does(alice, player.Needs{}, func(v player.View) player.Change {
					return player.Change{Player: &v.Player, Rebinding: &player.Rebinding{From: v.Player.Agent, To: v.Player.Agent}}
				})
			},
		},
		"rebinding whole": {
			spoils(rebinds, func(_ *accused, c *player.Change) { c.Rebinding.Holdings = c.Rebinding.Holdings[1:] }),
			spoils(rebinds, func(_ *accused, c *player.Change) { c.Rebinding.Holdings[0].Amount++ }),
			func(w *accused) player.Item {
				item := rebinds(w)
				return blind(item, func(n *player.Needs) { n.Withdrawals = n.Withdrawals[:1] }, func(v *player.View) { v.OpenWithdrawals-- })
			},
		},
		"login owned": {spoils(func(w *accused) player.Item { return w.login(alice, w.now().UnixMilli()) },
			func(_ *accused, c *player.Change) { c.Login.Wallet = bob })},
		"session owned":     {spoils(signsIn, func(_ *accused, c *player.Change) { c.Session.Wallet = bob })},
		"session signed in": {spoils(signsIn, func(_ *accused, c *player.Change) { c.Login = nil })},
		"session begun": {
			spoils(signsIn, func(_ *accused, c *player.Change) { c.Session.Before = nil }),
			spoils(signsIn, func(_ *accused, c *player.Change) { c.Session.Before[0].Rounds++ }),
			func(w *accused) player.Item {
				return blind(signsIn(w), func(n *player.Needs) { n.Tallies = false }, func(v *player.View) { v.Tallies = map[money.Token]session.Tally{usd: {Rounds: 1}} })
			},
		},
	}
}

func pairBreaches() map[string][]breach {
	moved := func(needs player.Needs, by func(w *accused, c *player.Change)) breach {
		return func(w *accused) player.Item {
			return w.does(alice, needs, func(v player.View) player.Change {
				change := player.Change{Pair: &v.Pair}
				by(w, &change)
				return change
			})
		}
	}
	fresh := func(w *accused, c *player.Change) {
		pair := fairness.NewPair(w.spare(), w.spare(), "mine", w.now())
		c.Pair = &pair
	}
	return map[string][]breach{
		"pair owned": {func(w *accused) player.Item {
			return w.does("", player.Needs{}, func(player.View) (c player.Change) {
				fresh(w, &c)
				return c
			})
		}},
		"pair succeeded": {spoils(rotates, func(_ *accused, c *player.Change) { c.Pair = nil })},
		"pair asked for": {
			moved(player.Needs{}, fresh), moved(player.Needs{Draw: true}, fresh),
			func(w *accused) player.Item {
				pair := must(w.ActivePair(background, alice))(w.bench)
				return w.does(alice, player.Needs{}, func(player.View) player.Change { return player.Change{Pair: &pair} })
			},
		},
		"pair first": {func(w *accused) player.Item {
			return w.does(dave, player.Needs{Pair: true}, func(player.View) (c player.Change) {
				fresh(w, &c)
				return c
			})
		}},
		"pair in its epoch": {
			spoils(rotates, func(_ *accused, c *player.Change) { c.Pair.Epoch++ }),
			moved(player.Needs{Pair: true}, func(_ *accused, c *player.Change) { c.Pair.Epoch++ }),
		},
		"pair begun": {
			spoils(rotates, func(_ *accused, c *player.Change) { c.Pair.Since = c.Pair.Since.Add(1_000) }),
			spoils(func(w *accused) player.Item { return w.login(dave, w.now().UnixMilli()) }, func(_ *accused, c *player.Change) { c.Pair.Since = time.Time{} }),
		},
		"pair chosen": {
			spoils(func(w *accused) player.Item { return w.rotate(alice, "of the server") }, func(_ *accused, c *player.Change) { c.Pair.ClientSource = fairness.FromPlayer }),
			spoils(rotates, func(_ *accused, c *player.Change) { c.Pair.ClientSource = fairness.FromRepeated }),
			spoils(rotates, func(_ *accused, c *player.Change) { c.Pair.ClientSeed = "unasked" }),
		},
		"pair ended": {
			spoils(plays, func(_ *accused, c *player.Change) { c.Round.At = c.Round.At.Add(fairness.AgeMax) }),
		},
		"pair unplayed": {spoils(rotates, func(_ *accused, c *player.Change) { c.Unplayed = c.Retired })},
		"pair counted": {
			moved(player.Needs{Draw: true}, func(_ *accused, c *player.Change) { c.Pair.Nonce += 5 }),
			moved(player.Needs{Pair: true}, func(_ *accused, c *player.Change) { c.Pair.Nonce = 0 }),
			spoils(plays, func(_ *accused, c *player.Change) { c.Pair.Nonce-- }),
			spoils(plays, func(_ *accused, c *player.Change) { c.Pair.Nonce++ }),
			spoils(rotates, func(_ *accused, c *player.Change) { c.Pair.Nonce = 7 }),
			spoils(func(w *accused) player.Item { return w.login(dave, w.now().UnixMilli()) }, func(_ *accused, c *player.Change) { c.Pair.Nonce = 7 }),
		},
		"pair kept": {
			moved(player.Needs{Draw: true}, func(_ *accused, c *player.Change) { c.Pair.ClientSeed = "another" }),
			moved(player.Needs{Draw: true}, func(_ *accused, c *player.Change) { c.Pair.ClientSource = fairness.FromPlayer }),
			moved(player.Needs{Draw: true}, func(w *accused, c *player.Change) {
				spare := w.spare()
				c.Pair.Seed, c.Pair.Commitment = spare.Seed, spare.Commit().Commitment
			}),
			moved(player.Needs{Pair: true}, func(w *accused, c *player.Change) { c.Pair.Next = w.spare().Commit() }),
		},
		"pair committed": {
			spoils(rotates, func(w *accused, c *player.Change) { c.Pair.Next.Seed = w.spare().Seed }),
			spoils(rotates, func(w *accused, c *player.Change) { c.Pair.Seed = w.spare().Seed }),
			spoils(rotates, func(_ *accused, c *player.Change) { c.Pair.Next = fairness.NextSeed{} }),
			spoils(rotates, func(_ *accused, c *player.Change) { c.Pair.ID = "" }),
			spoils(rotates, func(_ *accused, c *player.Change) { c.Pair.Next.ID = c.Pair.ID }),
			spoils(rotates, func(_ *accused, c *player.Change) { c.Pair.Next.ID = c.Retired.ID }),
			spoils(rotates, func(_ *accused, c *player.Change) {
				c.Pair.Next.Seed, c.Pair.Next.Commitment = c.Pair.Seed, c.Pair.Commitment
			}),
		},
		"pair promised": {spoils(rotates, fresh), spoils(rotates, func(w *accused, c *player.Change) { c.Pair.ID = w.id() })},
		"pair revealed": {
			spoils(rotates, func(_ *accused, c *player.Change) { c.Retired = nil }),
			spoils(rotates, func(_ *accused, c *player.Change) { c.Retired.Rounds += 3 }),
			spoils(rotates, func(_ *accused, c *player.Change) { c.Retired.Rounds = 0 }),
			spoils(rotates, func(w *accused, c *player.Change) { c.Retired.ID = w.id() }),
			spoils(rotates, func(w *accused, c *player.Change) { c.Retired.ServerSeed = w.spare().Seed.Reveal() }),
			spoils(rotates, func(_ *accused, c *player.Change) { c.Retired.ClientSeed = "another" }),
			spoils(rotates, func(_ *accused, c *player.Change) { c.Retired.ClientSource = fairness.FromPlayer }),
			spoils(plays, func(_ *accused, c *player.Change) {
				c.Retired = &fairness.Revealed{ID: c.Pair.ID, Commitment: c.Pair.Commitment, Rounds: c.Pair.Nonce}
			}),
		},
	}
}

func roundBreaches() map[string][]breach {
	return map[string][]breach{
		"round owned": {spoils(plays, func(_ *accused, c *player.Change) { c.Round.Wallet = bob })},
		"round drawn": {
			spoils(plays, func(_ *accused, c *player.Change) { c.Pair = nil }),
			spoils(plays, func(_ *accused, c *player.Change) { c.Round.PairID = "none" }),
			spoils(plays, func(_ *accused, c *player.Change) { c.Round.Nonce++ }),
			spoils(plays, func(w *accused, c *player.Change) { c.Round.Commitment = w.spare().Commit().Commitment }),
			spoils(plays, func(_ *accused, c *player.Change) { c.Round.ClientSeed = "another" }),
			spoils(plays, func(_ *accused, c *player.Change) { c.Round.ClientSource = fairness.FromPlayer }),
		},
		"round booked": {
			spoils(plays, func(_ *accused, c *player.Change) { c.Postings = nil }),
			spoils(plays, func(_ *accused, c *player.Change) { c.Postings[0].Key.ID += "x" }),
			spoils(plays, func(_ *accused, c *player.Change) { c.Postings[0].Transfers[0].Amount-- }),
			spoils(plays, func(_ *accused, c *player.Change) { c.Round.Payout++ }),
			spoils(plays, func(_ *accused, c *player.Change) {
				t := c.Postings[0].Transfers
				c.Postings[0].Transfers = append(t[:len(t):len(t)], t[0])
			}),
			spoils(plays, func(w *accused, c *player.Change) {
				c.Postings = append(c.Postings, ledger.Posting{Key: ledger.Key{Kind: ledger.Adjust, ID: w.id()}, Transfers: c.Postings[0].Transfers})
			}),
		},
		"round balance": {
			spoils(plays, func(_ *accused, c *player.Change) { c.Round.Balance++ }),
			func(w *accused) player.Item {
				has := map[money.Token]money.Amount{money.SOL: w.balance(alice)}
				return blind(w.play(alice, 10), func(n *player.Needs) { n.Tokens = nil }, func(v *player.View) { v.Balances = has })
			},
		},
	}
}

func withdrawalBreaches() map[string][]breach {
	return map[string][]breach{
		"withdrawal owned": {spoils(withdraws, func(_ *accused, c *player.Change) { c.Withdrawal.Wallet = bob })},
		"withdrawal asked for": {
			func(w *accused) player.Item {
				return blind(w.cancel(w.pending), func(n *player.Needs) { n.Withdrawals = nil }, func(v *player.View) {
					v.Withdrawals = map[string]withdrawal.Withdrawal{w.pending.ID: w.pending}
				})
			},
			spoils(withdraws, func(_ *accused, c *player.Change) { c.Withdrawal.Status = withdrawal.Approved }),
			spoils(withdraws, func(_ *accused, c *player.Change) { c.Withdrawal.Attempt = 1 }),
			spoils(withdraws, func(_ *accused, c *player.Change) { c.Withdrawal.Signature = "signed" }),
			spoils(withdraws, func(_ *accused, c *player.Change) { c.Withdrawal.Approvals = []withdrawal.Approval{{By: admin}} }),
		},
		"withdrawal kept": {
			spoils(cancels, func(_ *accused, c *player.Change) { c.Withdrawal.Token = usd }),
			spoils(cancels, func(_ *accused, c *player.Change) { c.Withdrawal.Amount++ }),
			spoils(cancels, func(_ *accused, c *player.Change) { c.Withdrawal.Fee++ }),
			spoils(cancels, func(_ *accused, c *player.Change) { c.Withdrawal.Destination = string(bob) }),
			spoils(cancels, func(_ *accused, c *player.Change) { c.Withdrawal.CreatedAt = c.Withdrawal.CreatedAt.Add(1_000_000) }),
		},
		"withdrawal attempts": {
			spoils(cancels, func(_ *accused, c *player.Change) { c.Withdrawal.Attempt++ }),
			spoils(signsPayout, func(_ *accused, c *player.Change) { c.Attempt = nil }),
			spoils(signsPayout, func(_ *accused, c *player.Change) { c.Withdrawal.Attempt++ }),
		},
		"withdrawal cancelled": {func(w *accused) player.Item {
			needs := player.Needs{Tokens: []money.Token{w.approved.Token}, Withdrawals: []string{w.approved.ID}}
			return w.does(alice, needs, func(v player.View) player.Change {
				hindered := v.Withdrawals[w.approved.ID]
				hindered.Reason = withdrawal.HinderedReason("nobody says so")
				v.Withdrawals = map[string]withdrawal.Withdrawal{hindered.ID: hindered}
				change, _ := player.Cancel(v, hindered.ID, w.now())
				return change
			})
		}},
		"withdrawal held": {
			spoils(cancels, func(_ *accused, c *player.Change) { c.Postings = nil }),
			spoils(cancels, func(_ *accused, c *player.Change) { c.Postings[0].Transfers[0].Amount-- }),
			spoils(cancels, func(_ *accused, c *player.Change) {
				t := c.Postings[0].Transfers[0]
				t.Debit, t.Credit = t.Credit, t.Debit
				c.Postings[0].Transfers = append(c.Postings[0].Transfers, c.Postings[0].Transfers[0], t)
			}),
			spoils(withdraws, func(_ *accused, c *player.Change) { c.Postings = nil }),
			spoils(withdraws, func(_ *accused, c *player.Change) { c.Postings[0].Transfers[0].Amount++ }),
		},
		"attempt numbered": {
			spoils(adjusts, func(w *accused, c *player.Change) {
				c.Attempt = &withdrawal.Attempt{WithdrawalID: w.approved.ID, Number: 1, Signature: "s", Transaction: []byte{1}}
			}),
			spoils(signsPayout, func(_ *accused, c *player.Change) { c.Attempt.Number = 7 }),
			spoils(signsPayout, func(w *accused, c *player.Change) { c.Attempt.WithdrawalID = w.pending.ID }),
		},
		"attempt dead": {
			spoils(adjusts, func(_ *accused, c *player.Change) { c.DeadAttempt = 1 }),
			spoils(signsPayout, func(_ *accused, c *player.Change) { c.DeadAttempt = 3 }),
			spoils(signsPayout, func(_ *accused, c *player.Change) { c.DeadAttempt = -1 }),
		},
		"hold moved": {
			spoils(cancels, func(w *accused, c *player.Change) {
				t := c.Postings[0].Transfers[0]
				t.Debit.Owner = w.approved.ID
				c.Postings[0].Transfers = append(c.Postings[0].Transfers, t)
			}),
			spoils(cancels, func(w *accused, c *player.Change) {
				t := c.Postings[0].Transfers[0]
				t.Debit, t.Credit, t.Token = ledger.System(ledger.House), ledger.HoldOf(w.approved.ID), usd
				c.Postings[0].Transfers = append(c.Postings[0].Transfers, t)
			}),
			func(w *accused) player.Item {
				return w.transfer(alice, ledger.Key{Kind: ledger.Adjust, ID: w.id()},
					ledger.Transfer{Debit: ledger.HoldOf(w.pending.ID), Credit: ledger.PlayerOf(alice), Token: money.SOL, Amount: 10})
			},
		},
	}
}

func depositBreaches() map[string][]breach {
	claims := func(w *accused) player.Item {
		return w.claim(alice, "new", usd, deposit.Verdict{Status: deposit.Pending})
	}
	again := func(w *accused) player.Item {
		return w.claim(alice, "waiting", usd, deposit.Verdict{Status: deposit.Review})
	}
	forget := func(w *accused, item player.Item) player.Item {
		return blind(item, func(n *player.Needs) { n.Deposits = nil }, func(*player.View) {})
	}
	return map[string][]breach{
		"deposit claim owned": {spoils(claims, func(_ *accused, c *player.Change) { c.Deposit.Wallet = bob })},
		"deposit claim asked for": {
			func(w *accused) player.Item { return forget(w, again(w)) },
			func(w *accused) player.Item { return forget(w, claims(w)) },
		},
		"deposit claim kept": {
			spoils(again, func(w *accused, c *player.Change) { c.Deposit.ID = w.id() }),
			spoils(again, func(_ *accused, c *player.Change) { c.Deposit.CreatedAt = c.Deposit.CreatedAt.Add(1_000_000) }),
		},
		"balance adjustment owned": {spoils(adjusts, func(_ *accused, c *player.Change) { c.Adjustment.Wallet = bob })},
		"adjustment booked": {
			spoils(adjusts, func(_ *accused, c *player.Change) { c.Adjustment.Amount++ }),
			spoils(adjusts, func(_ *accused, c *player.Change) { c.Adjustment.Amount = -10 }),
			spoils(adjusts, func(_ *accused, c *player.Change) { c.Adjustment.Token = usd }),
			spoils(adjusts, func(_ *accused, c *player.Change) { c.Postings = nil }),
			spoils(adjusts, func(w *accused, c *player.Change) { c.Postings[0].Key.ID = w.id() }),
			spoils(adjusts, func(_ *accused, c *player.Change) { c.Postings = append(c.Postings, c.Postings[0]) }),
		},
	}
}

func postingBreaches() map[string][]breach {
	house := ledger.System(ledger.House)
	pays := func(w *accused) player.Item {
		return w.transfer(alice, ledger.Key{Kind: ledger.Adjust, ID: w.id()},
			ledger.Transfer{Debit: house, Credit: ledger.PlayerOf(alice), Token: money.SOL, Amount: 10})
	}
	forget := func(item player.Item, by func(n *player.Needs)) player.Item {
		by(&item.Needs)
		return item
	}
	return map[string][]breach{
		"audit once": {spoils(adjusts, func(_ *accused, c *player.Change) { c.Audit = append(c.Audit, c.Audit[0]) })},
		"posting keyed": {
			spoils(pays, func(_ *accused, c *player.Change) { c.Postings[0].Transfers = nil }),
			spoils(pays, func(_ *accused, c *player.Change) { c.Postings[0].Key.ID = "" }),
			spoils(pays, func(_ *accused, c *player.Change) { c.Postings[0].Key.Kind = "" }),
		},
		"posting once": {spoils(pays, func(_ *accused, c *player.Change) { c.Postings = append(c.Postings, c.Postings[0]) })},
		"round posted": {func(w *accused) player.Item {
			return w.transfer(alice, ledger.Key{Kind: ledger.Round, ID: w.id()},
				ledger.Transfer{Debit: house, Credit: ledger.PlayerOf(alice), Token: money.SOL, Amount: 10})
		}},
		"balance asked for": {
			func(w *accused) player.Item { return forget(pays(w), func(n *player.Needs) { n.Tokens = nil }) },
			func(w *accused) player.Item {
				return forget(pays(w), func(n *player.Needs) { n.Tokens, n.Unclaimed = []money.Token{usd}, false })
			},
			func(w *accused) player.Item {
				return forget(w.transfer(alice, ledger.Key{Kind: ledger.Adjust, ID: w.id()},
					ledger.Transfer{Debit: house, Credit: ledger.UnclaimedOf(alice), Token: money.SOL, Amount: 10}),
					func(n *player.Needs) { n.Unclaimed = false })
			},
		},
	}
}
