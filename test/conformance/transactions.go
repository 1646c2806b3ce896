package conformance

import (
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// Transactions is the suite of ports.Transactions.
func Transactions(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, transactionsCases, transactionsCountedCases, clockedTransactionsCases)
}

var transactionsCases = []story{
	{"deposits withdrawals and adjustments are one list under their own ids", Rows, func(b *bench) {
		want := b.account()
		slices.Reverse(want)
		listed := must(b.Transactions(background, ports.TransactionFilter{}, whole))(b)
		b.same("lines", len(listed.Transactions), len(want))
		for i, line := range listed.Transactions {
			b.same("a line", line, want[i])
		}
		b.sound()
	}},
	{"a line follows the claim or withdrawal that it shows", Rows, func(b *bench) {
		b.signIn(alice, 1000)
		b.grant(admin, "superadmin")
		w := *b.commit(b.withdraw(alice, 10)).Change.Withdrawal
		check := func(item player.Item) {
			b.Helper()
			w = *b.commit(item).Change.Withdrawal
			line := must(b.Transactions(background, ports.TransactionFilter{Type: ports.WithdrawalTransaction}, whole))(b).Transactions[0]
			if line.ID != w.ID || line.Status != string(w.Status) || line.Signature != w.Signature || line.Reason != w.Reason ||
				!line.CreatedAt.Equal(w.CreatedAt) || !line.UpdatedAt.Equal(w.UpdatedAt) || line.Credit {
				b.Errorf("line %+v of withdrawal %+v", line, w)
			}
		}
		check(b.approve(w, admin))
		check(b.sign(w, 1))
		check(b.settle(w, 1, dead))
		check(b.sign(w, 2))
		check(b.settle(w, 2, errored))
		check(b.reject(w, admin))
	}},
	{"transactions are listed newest first in pages", Rows, func(b *bench) {
		lines := b.account()
		b.lists("all lines", lineIDs(lines, func(ports.Transaction) bool { return true }), b.linesOf(ports.TransactionFilter{}))
	}},
	{"filters narrow the list", Rows, func(b *bench) {
		lines := b.account()
		middle := lines[len(lines)/2].CreatedAt
		rows := map[string]struct {
			filter ports.TransactionFilter
			keep   func(ports.Transaction) bool
		}{
			"of a wallet": {ports.TransactionFilter{Wallet: bob}, func(l ports.Transaction) bool { return l.Wallet == bob }},
			"of a token":  {ports.TransactionFilter{Token: usd}, func(l ports.Transaction) bool { return l.Token == usd }},
			"of an agent": {ports.TransactionFilter{Agent: "agent-7"}, func(l ports.Transaction) bool { return l.Wallet == bob }},
			"from":        {ports.TransactionFilter{From: middle}, func(l ports.Transaction) bool { return !l.CreatedAt.Before(middle) }},
			"to":          {ports.TransactionFilter{To: middle}, func(l ports.Transaction) bool { return l.CreatedAt.Before(middle) }},
			"of nobody":   {ports.TransactionFilter{Wallet: carol}, func(ports.Transaction) bool { return false }},
			"of all at once": {
				ports.TransactionFilter{
					Wallet: bob, Type: ports.DepositTransaction, Status: "review", Token: usd, Agent: "agent-7",
					From: lines[0].CreatedAt, To: lines[len(lines)-1].CreatedAt,
				},
				func(l ports.Transaction) bool { return l.Wallet == bob && l.Status == "review" },
			},
		}
		for _, kind := range ports.TransactionTypes() {
			rows["of type "+string(kind)] = struct {
				filter ports.TransactionFilter
				keep   func(ports.Transaction) bool
			}{ports.TransactionFilter{Type: kind}, func(l ports.Transaction) bool { return l.Type == kind }}
		}
		for _, status := range []string{"pending", "completed", "rejected", "credited", "review", "sending", "nothing"} {
			rows["in status "+status] = struct {
				filter ports.TransactionFilter
				keep   func(ports.Transaction) bool
			}{ports.TransactionFilter{Status: status}, func(l ports.Transaction) bool { return l.Status == status }}
		}
		for what, row := range rows {
			b.lists("lines "+what, lineIDs(lines, row.keep), b.linesOf(row.filter))
		}
	}},
	{"a list is counted up to the cap and cursors go on", Races, func(b *bench) {
		const clients, each = 16, 75 // 1,200 adjustments
		ids := make([]string, clients*each)
		for i := range clients {
			b.signIn(fakes.Wallet(string(rune('A'+i))), 0)
		}
		atOnce(clients, func(client int) {
			for i := range each {
				receipt, err := b.Commit(background, b.adjust(fakes.Wallet(string(rune('A'+client))), 1))
				if err != nil {
					b.Error(err)
					return
				}
				ids[client*each+i] = receipt.Change.Adjustment.ID
			}
		})
		b.cappedAt("lines", newest(ids), b.linesOf(ports.TransactionFilter{}))
		today := ports.TransactionFilter{From: fakes.Start.Add(-time.Hour), To: fakes.Start.Add(time.Hour)}
		b.cappedAt("lines of two hours", newest(ids), b.linesOf(today))
		b.cappedAt("lines of a type", newest(ids), b.linesOf(ports.TransactionFilter{Type: ports.AdjustmentTransaction}))
	}},
}

// Withdrawals is the suite of ports.Withdrawals.
func Withdrawals(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, withdrawalsCases)
}

var withdrawalsCases = []story{
	{"a withdrawal comes back as it stands", Rows, func(b *bench) {
		b.seasoned(admin, "superadmin")
		b.seasoned(other, "finance")
		b.signIn(alice, 10_000_000)
		w := *b.commit(b.withdraw(alice, 2_000_000)).Change.Withdrawal // above TwoPersonAbove
		same := func() {
			b.Helper()
			b.same("the withdrawal", must(b.Withdrawal(background, w.ID))(b), w)
		}
		same()
		w = *b.commit(b.approve(w, admin)).Change.Withdrawal
		same()
		b.errorIf(w.Status != withdrawal.Pending || len(w.Approvals) != 1, "after one of two votes: %+v", w)
		b.refuse(b.approve(w, admin), fault.Forbidden)
		w = *b.commit(b.approve(w, other)).Change.Withdrawal
		same()
		w = *b.commit(b.sign(w, 1)).Change.Withdrawal
		same()
		w = *b.commit(b.settle(w, 1, errored)).Change.Withdrawal
		same()
		w = *b.commit(b.approve(w, other)).Change.Withdrawal
		same()
		w = *b.commit(b.reject(w, admin)).Change.Withdrawal
		same()
		b.sound()
	}},
	{"a wallet's open withdrawals are listed newest first", Rows, func(b *bench) {
		b.grant(admin, "superadmin")
		b.signIn(alice, 1000)
		b.signIn(bob, 1000)
		var made []withdrawal.Withdrawal
		for range 4 {
			made = append(made, *b.commit(b.withdraw(alice, 10)).Change.Withdrawal)
		}
		b.commit(b.withdraw(bob, 10))
		b.commit(b.cancel(made[0]))
		made[2] = *b.commit(b.approve(made[2], admin)).Change.Withdrawal
		b.same("open", must(b.OpenWithdrawals(background, alice))(b), []withdrawal.Withdrawal{made[3], made[2], made[1]})
		b.same("nobody's", len(must(b.OpenWithdrawals(background, carol))(b)), 0)
	}},
	{"an unknown withdrawal is not found", Rows, func(b *bench) {
		b.signIn(alice, 100)
		claim := b.commit(b.credit(alice, "tx", money.SOL, 5)).Change.Deposit
		adjustment := b.commit(b.adjust(alice, 5)).Change.Adjustment
		pending := b.commit(b.withdraw(alice, 5)).Change.Withdrawal
		for _, id := range []string{"", "none", claim.ID, adjustment.ID} {
			b.fails(fault.NotFound, errorOf(b.Withdrawal(background, id)), "withdrawal ", id, " is")
			b.fails(fault.NotFound, errorOf(b.Attempt(background, id)), "the attempt of ", id, " is")
		}
		b.fails(fault.NotFound, errorOf(b.Attempt(background, pending.ID)), "the attempt of a pending withdrawal is")
	}},
	{"withdrawals in a state are listed oldest first after an id", Rows, func(b *bench) {
		b.grant(admin, "superadmin")
		var pending, approved []withdrawal.Withdrawal
		for i, w := range []string{"a", "b", "c", "d"} {
			owner := fakes.Wallet(w)
			b.signIn(owner, 1000)
			for range 3 {
				pending = append(pending, *b.commit(b.withdraw(owner, money.Amount(10+i))).Change.Withdrawal)
			}
			last := pending[len(pending)-1]
			pending = pending[:len(pending)-1]
			approved = append(approved, *b.commit(b.approve(last, admin)).Change.Withdrawal)
		}
		for status, want := range map[withdrawal.Status][]withdrawal.Withdrawal{
			withdrawal.Pending: pending, withdrawal.Approved: approved, withdrawal.Sending: {},
		} {
			for _, limit := range []int{1, 3, 100} {
				b.same(string(status), walkAfter(b, limit, func(w withdrawal.Withdrawal) string { return w.ID },
					func(after string) ([]withdrawal.Withdrawal, error) {
						return b.WithdrawalsIn(background, status, after, limit)
					}), want)
			}
		}
	}},
	{"the newest attempt is returned", Rows, func(b *bench) {
		w := b.requested()
		b.commit(b.approve(w, admin))
		for number := 1; number <= 3; number++ {
			signed := b.commit(b.sign(w, number)).Change.Attempt
			kept := must(b.Attempt(background, w.ID))(b)
			b.same("the attempt", kept, *signed)
			b.same("the bytes", string(kept.Transaction), string(signed.Transaction))
			b.commit(b.settle(w, number, dead))
			b.same("the dead attempt", must(b.Attempt(background, w.ID))(b), *signed)
		}
	}},
}

// Deposits is the suite of ports.Deposits.
func Deposits(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, depositsCases, watchCases)
}

var depositsCases = []story{
	{"a claim comes back as it stands", Rows, func(b *bench) {
		b.signIn(alice, 0)
		ref := deposit.Ref{Signature: fakes.Signature("tx"), Token: usd}
		var made deposit.Claim
		for i, verdict := range []deposit.Verdict{
			{Status: deposit.Pending},
			{Status: deposit.Rejected, Reason: deposit.NotFound},
			{Status: deposit.Pending},
			{Status: deposit.Review, Amount: 12, Reason: deposit.SeveralSenders},
		} {
			kept := *b.commit(b.claim(alice, "tx", usd, verdict)).Change.Deposit
			b.same("the claim", must(b.Claim(background, alice, ref))(b), kept)
			if i == 0 {
				made = kept
			}
			b.errorIf(kept.ID != made.ID || !kept.CreatedAt.Equal(made.CreatedAt),
				"the claim becomes another: %+v, first %+v", kept, made)
		}
		credited := *b.commit(b.credit(alice, "tx", usd, 12)).Change.Deposit
		b.same("the credited claim", must(b.Claim(background, alice, ref))(b), credited)
		b.refuse(b.claim(alice, "tx", usd, deposit.Verdict{Status: deposit.Pending}), fault.InvalidState)
		b.sound()
	}},
	{"a claim is of one wallet, one transaction and one token", Rows, func(b *bench) {
		b.signIn(alice, 0)
		b.signIn(bob, 0)
		pending := deposit.Verdict{Status: deposit.Pending}
		ref := func(tx string, mint money.Token) deposit.Ref {
			return deposit.Ref{Signature: fakes.Signature(tx), Token: mint}
		}
		mine := b.commit(b.claim(alice, "tx", usd, pending)).Change.Deposit
		b.commit(b.claim(bob, "tx 2", usd, pending))
		bobs := b.commit(b.claim(bob, "tx", usd, pending)).Change.Deposit
		for what, err := range map[string]error{
			"another's":     errorOf(b.Claim(background, alice, ref("tx 2", usd))),
			"another token": errorOf(b.Claim(background, alice, ref("tx", money.SOL))),
			"a stranger's":  errorOf(b.Claim(background, carol, ref("tx", usd))),
		} {
			b.errorIf(!fault.Is(err, fault.NotFound), "%s: %v", what, err)
		}
		b.same("alice's", must(b.Claim(background, alice, ref("tx", usd)))(b), *mine)
		b.same("bob's", must(b.Claim(background, bob, ref("tx", usd)))(b), *bobs)
	}},
	{"pending claims wait oldest first after an id", Rows, func(b *bench) {
		var want []deposit.Claim
		for _, name := range []string{"a", "b", "c"} {
			owner := fakes.Wallet(name)
			b.signIn(owner, 0)
			for _, tx := range []string{"1", "2", "3", "4"} {
				verdict := deposit.Verdict{Status: deposit.Pending}
				if tx == "2" {
					verdict = deposit.Verdict{Status: deposit.Review, Amount: 9, Reason: deposit.SeveralSenders}
				}
				claim := *b.commit(b.claim(owner, name+tx, usd, verdict)).Change.Deposit
				switch tx {
				case "3":
					b.commit(b.credit(owner, name+tx, usd, 9))
				case "1", "4":
					want = append(want, claim)
				}
			}
		}
		for _, limit := range []int{1, 4, 100} {
			b.same("waiting", walkAfter(b, limit, func(c deposit.Claim) string { return c.ID },
				func(after string) ([]deposit.Claim, error) { return b.PendingClaims(background, after, limit) }), want)
		}
	}},
}

// account makes a transaction of each type and status, of several players, and returns them as
// they must be listed, in the order they were made.
func (b *bench) account() []ports.Transaction {
	b.Helper()
	var lines []ports.Transaction
	deposited := func(item player.Item) {
		b.Helper()
		c := b.commit(item).Change.Deposit
		line := ports.Transaction{
			ID: c.ID, Wallet: c.Wallet, Type: ports.DepositTransaction, Credit: true, Status: string(c.Status), Token: c.Token,
			Amount: c.Amount, Signature: c.Signature, Reason: c.Reason, CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt,
		}
		if i := slices.IndexFunc(lines, func(l ports.Transaction) bool { return l.ID == c.ID }); i >= 0 {
			lines[i] = line
			return
		}
		lines = append(lines, line)
	}
	adjusted := func(item player.Item) {
		b.Helper()
		a := b.commit(item).Change.Adjustment
		lines = append(lines, ports.Transaction{
			ID: a.ID, Wallet: a.Wallet, Type: ports.TransactionType(a.Kind.String()), Credit: a.Amount > 0, Status: "completed",
			Token: a.Token, Amount: money.Amount(max(a.Amount, -a.Amount)), Reason: a.Reason, CreatedAt: a.At, UpdatedAt: a.At,
			Corrects: a.Reference, // of kinds that can be made without an original
		})
	}
	withdrawn := func(steps ...func(w withdrawal.Withdrawal) player.Item) {
		b.Helper()
		w := *b.commit(b.withdraw(alice, 10)).Change.Withdrawal
		for _, step := range steps {
			w = *b.commit(step(w)).Change.Withdrawal
		}
		lines = append(lines, ports.Transaction{
			ID: w.ID, Wallet: w.Wallet, Type: ports.WithdrawalTransaction, Status: string(w.Status), Token: w.Token,
			Amount: w.Amount, Destination: w.Destination, Signature: w.Signature, Reason: w.Reason,
			CreatedAt: w.CreatedAt, UpdatedAt: w.UpdatedAt,
		})
	}
	approve := func(w withdrawal.Withdrawal) player.Item { return b.approve(w, admin) }
	reject := func(w withdrawal.Withdrawal) player.Item { return b.reject(w, admin) }
	sign := func(w withdrawal.Withdrawal) player.Item { return b.sign(w, w.Attempt+1) }
	ends := func(o withdrawal.Outcome) func(withdrawal.Withdrawal) player.Item {
		return func(w withdrawal.Withdrawal) player.Item { return b.settle(w, w.Attempt, o) }
	}
	b.grant(admin, "superadmin")
	b.commit(b.loginAs(bob, b.now().UnixMilli(), "agent-7"))
	b.commit(b.login(alice, b.now().UnixMilli()))
	deposited(b.credit(alice, "tx 1", money.SOL, 1000))
	deposited(b.claim(alice, "tx 2", usd, deposit.Verdict{Status: deposit.Pending}))
	deposited(b.claim(bob, "tx 2", usd, deposit.Verdict{Status: deposit.Review, Amount: 70, Reason: deposit.SeveralSenders}))
	withdrawn(b.cancel)
	withdrawn(approve, sign, ends(finalized))
	withdrawn(approve, sign, ends(errored))
	withdrawn(approve, sign, ends(dead), sign)
	withdrawn(approve)
	withdrawn(reject)
	for _, kind := range player.AdjustmentKinds() {
		adjusted(b.adjustAs(kind, bob, 500))
		adjusted(b.adjustAs(kind, bob, -200))
	}
	deposited(b.claim(alice, "tx 3", money.SOL, deposit.Verdict{Status: deposit.Pending}))
	deposited(b.claim(alice, "tx 3", money.SOL, deposit.Verdict{Status: deposit.Rejected, Reason: deposit.NotFound}))
	deposited(b.claim(alice, "tx 4", money.SOL, deposit.Verdict{Status: deposit.Pending}))
	deposited(b.credit(alice, "tx 4", money.SOL, 44))
	withdrawn()
	return lines
}

func (b *bench) linesOf(filter ports.TransactionFilter) pageOf {
	return func(page ports.Page) ([]string, ports.PageInfo, error) {
		listed, err := b.Transactions(background, filter, page)
		return mapped(listed.Transactions, func(line ports.Transaction) string { return line.ID }), listed.PageInfo, err
	}
}

func lineIDs(all []ports.Transaction, keep func(ports.Transaction) bool) []string {
	return chosen(all, func(thing ports.Transaction) string { return thing.ID }, keep)
}
