package conformance

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// cashiers are players of several agents with transactions in every status, each kind on
// different days.
type cashiers struct {
	*bench
	random      *rand.Rand
	withdrawals []withdrawal.Withdrawal
	claims      []deposit.Claim
}

func (b *bench) cashiers(seed uint64) *cashiers {
	b.Helper()
	b.grant(admin, "superadmin")
	for i, w := range []wallet.Address{alice, bob, carol} {
		b.commit(b.loginAs(w, b.now().UnixMilli(), []string{"house", "agent-7", "agent-8"}[i]))
		for _, mint := range []money.Token{money.SOL, usd} {
			b.commit(b.credit(w, fmt.Sprint("first ", i, mint), mint, 1_000_000))
		}
	}
	return &cashiers{bench: b, random: rand.New(rand.NewPCG(seed, 3))} //nolint:gosec // a test's own order
}

// act begins a transaction, or advances an old one.
func (c *cashiers) act() {
	c.Helper()
	who, mint := pick(c.random, alice, bob, carol), pick(c.random, money.SOL, usd)
	switch c.random.IntN(6) {
	case 0:
		c.clock.Advance(time.Duration(c.random.Int64N(int64(20 * time.Hour))))
	case 1:
		c.commit(c.adjust(who, pick(c.random, int64(-5), 7)))
	case 2:
		if w := c.do(c.withdrawIn(who, mint, 3)).Withdrawal; w != nil {
			c.withdrawals = append(c.withdrawals, *w)
		}
	case 3:
		claim := deposit.Claim{Wallet: who, Ref: deposit.Ref{Signature: c.id(), Token: mint}}
		c.claims = append(c.claims, claim)
		c.judge(claim)
	case 4:
		if len(c.claims) > 0 {
			c.judge(pick(c.random, c.claims...))
		}
	case 5:
		if len(c.withdrawals) > 0 {
			c.stepOn(c.random.IntN(len(c.withdrawals)))
		}
	}
}

// do commits an item that may be refused.
func (c *cashiers) do(item player.Item) player.Change {
	c.Helper()
	receipt, err := c.Commit(background, item)
	if err != nil && fault.KindOf(err) == fault.Internal {
		c.Fatal(err)
	}
	return receipt.Change
}

// judge gives a deposit claim any verdict, again or for the first time.
func (c *cashiers) judge(claim deposit.Claim) {
	c.Helper()
	verdict := pick(c.random, deposit.Verdict{Status: deposit.Pending}, deposit.Verdict{Status: deposit.Review, Amount: 9},
		deposit.Verdict{Status: deposit.Rejected, Reason: deposit.NotFound}, deposit.Verdict{Status: deposit.Credited})
	if verdict.Status == deposit.Credited {
		c.do(c.credit(claim.Wallet, claim.Signature, claim.Token, 9))
		return
	}
	c.do(c.claim(claim.Wallet, claim.Signature, claim.Token, verdict))
}

// stepOn tries any step on the i-th withdrawal.
func (c *cashiers) stepOn(i int) {
	c.Helper()
	w := c.withdrawals[i]
	item := pick(c.random, c.cancel, func(w withdrawal.Withdrawal) player.Item { return c.approve(w, admin) },
		func(w withdrawal.Withdrawal) player.Item { return c.reject(w, admin) },
		func(w withdrawal.Withdrawal) player.Item { return c.sign(w, w.Attempt+1) },
		func(w withdrawal.Withdrawal) player.Item {
			return c.settle(w, w.Attempt, pick(c.random, finalized, errored, dead))
		})(w)
	if after := c.do(item).Withdrawal; after != nil {
		c.withdrawals[i] = *after
	}
}

var transactionsCountedCases = []story{
	{"a total counts what the list has, under any filter", Rows, func(b *bench) {
		// Compare totals and pages with a complete list that is filtered here.
		c := b.cashiers(2)
		for range 300 {
			c.act()
		}
		agents := map[wallet.Address]string{alice: "house", bob: "agent-7", carol: "agent-8"}
		all := allPages(b, ports.PageMax, func(page ports.Page) ([]ports.Transaction, ports.PageInfo, error) {
			found, err := b.Transactions(background, ports.TransactionFilter{}, page)
			return found.Transactions, found.PageInfo, err
		})
		statuses := map[string]bool{}
		for _, t := range all {
			statuses[string(t.Type)+t.Status] = true
		}
		if span := all[0].CreatedAt.Sub(all[len(all)-1].CreatedAt); len(all) < 100 || len(statuses) < 9 || span < 12*24*time.Hour {
			b.Fatalf("only %d transactions within %s: %v", len(all), span, statuses)
		}
		bounds := func() time.Time {
			at := all[c.random.IntN(len(all))].CreatedAt
			return pick(c.random, time.Time{}, time.Time{}, at, at.Add(max(b.TimeStep, time.Microsecond)),
				at.Truncate(24*time.Hour), at.Truncate(24*time.Hour).Add(48*time.Hour))
		}
		narrowed := 0
		for range 300 {
			f := ports.TransactionFilter{
				Type:   pick(c.random, append(ports.TransactionTypes(), "", "")...),
				Status: pick(c.random, "", "", "", "pending", "rejected", "completed", "credited", "approved"),
				Token:  pick(c.random, "", "", money.SOL, usd), Agent: pick(c.random, "", "", "house", "agent-7", "nobody"),
				Wallet: pick(c.random, "", "", "", alice, carol), From: bounds(), To: bounds(),
			}
			want := []string{}
			for _, t := range all {
				if narrows(f, t, agents[t.Wallet]) {
					want = append(want, t.ID)
				}
			}
			b.pageIs(c.random, fmt.Sprintf("%+v", f), b.linesOf(f), want)
			if len(want) > 0 && len(want) < len(all) {
				narrowed++
			}
		}
		b.errorIf(narrowed < 50, "only %d filters left some transactions and not all", narrowed)
	}},
}

// narrows reports whether a transaction of an agent's player matches the filter.
func narrows(f ports.TransactionFilter, t ports.Transaction, agent string) bool {
	return asked(f.Type, t.Type) && asked(f.Status, t.Status) && asked(f.Token, t.Token) && asked(f.Agent, agent) &&
		asked(f.Wallet, t.Wallet) && !t.CreatedAt.Before(f.From) && (f.To.IsZero() || t.CreatedAt.Before(f.To))
}

// asked reports whether a filter has this value, or is empty.
func asked[T comparable](wanted, is T) bool {
	var none T
	return wanted == none || wanted == is
}
