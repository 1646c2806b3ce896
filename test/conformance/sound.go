package conformance

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// sound checks all stored data against the archive: the chain of blocks against their contents,
// the balances and totals against the transfers, the figures and the listed rounds against the
// rounds. Stories end with it.
func (b *bench) sound() {
	b.Helper()
	book := &ledger.Book{}
	daily := map[figure.Key]figure.Cell{}
	var played []seamless.Transaction
	blocks := b.chained()
	post := book.Post
	if slices.ContainsFunc(blocks, func(block ports.Block) bool { return block.Lane != blocks[0].Lane }) {
		post = book.Add // lanes have no order between them
	}
	for _, block := range blocks {
		for _, posting := range block.Postings {
			_, ok := book.Posted(posting.Key)
			b.errorIf(ok, "posting %v is booked twice", posting.Key)
			b.same(fmt.Sprint("posting ", posting.Key), post(posting), nil)
		}
		for _, round := range block.Rounds {
			b.archived(book, round)
			key, cell := figure.Of(b.withTheory(round))
			daily[key] = daily[key].Add(cell)
		}
		played = append(played, block.Seamless...)
	}
	b.same("balances out of bounds", []ledger.Balance{}, book.OutOfBounds())
	b.soundSeamless(book, played, daily)
	b.soundBalances(book)
	b.soundFunds(book)
	b.soundFigures(daily)
	b.soundThings()
	b.soundSessions(blocks)
}

// chained returns every block, and checks that each follows from the previous one, up to the
// heads.
func (b *bench) chained() []ports.Block {
	b.Helper()
	var all []ports.Block
	last := map[int]hashchain.Link{}
	b.ok(b.Blocks(background, func(block ports.Block) error {
		previous := last[block.Lane]
		previous.Lane = block.Lane
		link := hashchain.Link{Head: block.Head, Epoch: block.Epoch}
		if block.Previous != previous.Hash || !link.Follows(previous) || hashchain.Again(previous.Head, block.Seq, block.Content).Header != headerOf(block) || headerOf(block).Head() != block.Head {
			b.Errorf("block %d:%d doesn't follow from its content and block %d", block.Lane, block.Seq, previous.Seq)
		}
		last[block.Lane] = link
		all = append(all, block)
		return nil
	}))
	for _, head := range must(b.Heads(background))(b) {
		b.same(fmt.Sprint("the head of lane ", head.Lane), last[head.Lane].Head, head)
		delete(last, head.Lane)
	}
	b.errorIf(len(last) > 0, "lanes without a head: %v", last)
	return all
}

// archived compares a round of a block with its posting and with the listed round.
func (b *bench) archived(book *ledger.Book, round bet.Round) {
	b.Helper()
	posted, ok := book.Posted(round.Posting().Key)
	b.errorIf(!ok || !slices.Equal(posted, round.Posting().Transfers), "round %s is booked as %v", round.ID, posted)
	listed, err := b.Round(background, round.ID)
	b.errorIf(err != nil, "round %s of a block: %v", round.ID, err)
	b.same("the round of a block", withoutTheory(round), listed)
}

// withTheory adds the rules' expected values for the round, which aren't stored.
func (b *bench) withTheory(round bet.Round) bet.Round {
	b.Helper()
	round.Theory = bet.Theory{}
	if round.Void {
		return round
	}
	if round.IsShared() {
		round.Theory = must(crash.Check(round))(b)
		return round
	}
	if round.Stepped() {
		steps := must(game.Begin(must(b.games.Rules(round.GameType, round.Rules))(b), round.Config, 0))(b)
		round.Theory = must(bet.TheoryOf(steps, bet.Open{Actions: round.Actions}.Taken(), round.Outcome))(b)
		return round
	}
	rules := must(b.games.Rules(round.GameType, round.Rules))(b)
	plan := must(game.Prepare(rules, round.Config, round.Wager))(b)
	round.Theory = bet.Theory{
		RTPPartsPerBillion: plan.RTPPartsPerBillion(), VariancePartsPerBillion: plan.VariancePartsPerBillion(),
	}
	return round
}

func (b *bench) soundBalances(book *ledger.Book) {
	b.Helper()
	type holding struct {
		account ledger.Account
		token   money.Token
	}
	stored, want := map[holding]money.Total{}, map[holding]money.Total{}
	b.ok(b.LiabilityBalances(background, func(l ledger.Balance) error {
		if l.Amount.Sign() != 0 {
			stored[holding{l.Account, l.Token}] = l.Amount
		}
		return nil
	}))
	for _, l := range book.Balances() {
		if l.Account.Kind.Liability() && l.Amount.Sign() != 0 {
			want[holding{l.Account, l.Token}] = l.Amount
		}
	}
	b.same("liabilities", stored, want)
	clear(stored)
	clear(want)
	for _, l := range must(b.Totals(background))(b) {
		if l.Amount.Sign() != 0 {
			stored[holding{l.Account, l.Token}] = l.Amount
		}
	}
	for account, tokens := range book.Totals() {
		for token, amount := range tokens {
			if amount.Sign() != 0 {
				want[holding{account, token}] = amount
			}
		}
	}
	b.same("kept totals", stored, want)
	for token, sum := range book.Sums() {
		b.same("the sum of all accounts of "+string(token), sum.Sign(), 0)
	}
}

func (b *bench) soundFigures(want map[figure.Key]figure.Cell) {
	b.Helper()
	stored := map[figure.Key]figure.Cell{}
	for _, f := range must(b.Daily(background, "0000-01-01", "9999-12-31"))(b) {
		_, twice := stored[f.Key]
		b.errorIf(twice, "figures of %+v come twice", f.Key)
		stored[f.Key] = f.Cell
	}
	b.same("kept figures", stored, want)
}

// revoke removes a role.
func (b *bench) revoke(w wallet.Address) {
	b.Helper()
	record := audit.Record{ID: b.id(), Action: audit.RoleRevoked, Target: string(w), At: b.now()}
	b.ok(b.ChangeRole(background, w, func([]rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
		return nil, record, nil
	}))
}

// people are the wallets of a snapshot.
var people = []wallet.Address{alice, bob, carol, admin, other}

// whole is a page that holds every story's list.
var whole = ports.Page{Number: 1, Limit: ports.PageMax}

// snapshot returns all results of the read ports as text, one fact per line. If two are equal,
// nothing was stored in between.
func (b *bench) snapshot() string {
	b.Helper()
	var text strings.Builder
	add := func(what string, value any, err error) { fmt.Fprintf(&text, "%s: %+v, %v\n", what, value, err) }
	for _, w := range people {
		open, err := b.OpenRoundsOf(background, w)
		add("open rounds", open, err)
		known, err := b.Player(background, w)
		add("player", known, err)
		balances, err := b.Balances(background, w)
		add("balances", balances, err)
		pair, err := b.ActivePair(background, w)
		add("pair", pair, err)
		revealed, err := b.RevealedPairs(background, w, whole)
		add("revealed", revealed, err)
		rounds, err := b.Rounds(background, ports.RoundFilter{Wallet: w}, whole)
		add("rounds", rounds, err)
		transactions, err := b.Transactions(background, ports.TransactionFilter{Wallet: w}, whole)
		add("transactions", transactions, err)
		launch, err := b.Launch(background, w, connection)
		add("launch", launch, err)
		asked, err := b.SeamlessTransactions(background, ports.SeamlessFilter{Wallet: w}, whole)
		add("asked by providers", asked, err)
	}
	routes, err := b.Deliveries(background, ports.DeliveryFilter{}, whole)
	add("deliveries", routes, err)
	funds, err := b.FundsOf(background, "")
	add("agents' funds", funds, err)
	recent, err := b.RecentRounds(background, ports.PageMax)
	add("recent", recent, err)
	for _, status := range withdrawal.Statuses() {
		in, err := b.WithdrawalsIn(background, status, "", ports.PageMax)
		add(string(status), in, err)
		for _, w := range in {
			attempt, err := b.Attempt(background, w.ID)
			add("attempt", attempt, err)
		}
	}
	waiting, err := b.PendingClaims(background, "", ports.PageMax)
	add("waiting", waiting, err)
	roles, err := b.Roles(background)
	add("roles", roles, err)
	approvals, err := b.OpenApprovals(background, ports.ApprovalFilter{}, whole)
	add("approvals", approvals, err)
	counts, err := b.Counts(background, "")
	add("counts", counts, err)
	branded, err := b.Branding(background)
	add("branding", branded, err)
	agents, err := b.Agents(background)
	add("agents", agents, err)
	games, err := b.ProviderGames(background, ports.GameFilter{}, whole)
	add("games", games, err)
	totals, err := b.Totals(background)
	add("totals", totals, err)
	for _, mint := range []money.Token{money.SOL, usd} {
		bankroll, err := b.Bankroll(background, mint)
		add("bankroll", bankroll, err)
	}
	daily, err := b.Daily(background, "0000-01-01", "9999-12-31")
	add("daily", daily, err)
	alarms, err := b.Alarms(background, ports.AlarmFilter{}, whole)
	add("alarms", alarms, err)
	add("crashes", b.crashes(), nil)
	endpoints, err := b.WebhooksOf(background, "acme")
	add("webhooks", endpoints, err)
	pause, err := b.Pause(background)
	add("pause of payouts", pause, err)
	control, err := b.State(background)
	add("control", shown(control), err)
	list, err := b.RoleList(background)
	add("role list", list, err)
	liabilities := map[string]string{}
	err = b.LiabilityBalances(background, func(l ledger.Balance) error {
		liabilities[l.Account.String()+" "+string(l.Token)] = l.Amount.String()
		return nil
	})
	add("liabilities", liabilities, err)
	covered := 0
	err = b.Blocks(background, func(block ports.Block) error {
		covered += len(block.Postings) + len(block.Rounds) + len(block.Audit) + len(block.Seamless)
		return nil
	})
	add("covered by blocks", covered, err)
	return text.String()
}

// Populate makes at least one of everything that a store keeps, most of it in several states, for
// tests that change its rows afterwards. Midway is called while many things are in another state
// than in the end: a withdrawal approved and not paid, a role not revoked, a bet not lost. It
// returns the final time.
func Populate(t *testing.T, s Store, midway func()) time.Time {
	t.Helper()
	b := newBench(t, s)
	b.know(terms(money.SOL), terms(usd))
	b.prepaidAgent("acme", 0, 500)
	b.askers() // admin, another admin, and alice with 100; their roles are old
	b.signIn(bob, 5_000)
	b.grant(bob, "support")
	b.commit(b.credit(alice, "first", money.SOL, 3_000_000))
	b.commit(b.claim(bob, "in review", usd, deposit.Verdict{Status: deposit.Review}))
	paid := *b.commit(b.withdraw(alice, 700)).Change.Withdrawal
	b.commit(b.approving(paid, admin))
	asked := b.ask()
	b.commit(b.play(alice, 100))
	b.commit(b.protect(bob, func(s protection.State, at time.Time) (protection.State, error) {
		return s.Exclude(at.Add(time.Hour), false, at)
	}))
	midway()
	b.commit(b.sign(paid, 1))
	b.commit(b.settle(paid, 1, dead))
	b.commit(b.sign(paid, 2))
	b.commit(b.settle(paid, 2, finalized))
	b.commit(b.decision(asked, other, true))
	b.revoke(bob)
	b.climbs(alice, 100, fakes.CashOut)
	b.commit(b.rotate(alice, "mine"))
	for range 3 {
		b.commit(b.play(alice, 1_000))
	}
	b.climbs(alice, 10_000)
	b.commit(b.protect(bob, func(s protection.State, _ time.Time) (protection.State, error) { return s.Freeze(true), nil }))
	b.commit(b.does(bob, player.Needs{}, func(v player.View) player.Change {
		change, err := player.EndSessions(v, b.id(), "req", b.now())
		b.check(err)
		return change
	}))
	b.commit(b.withdraw(alice, 900)) // pending
	b.commit(b.approve(*b.commit(b.withdraw(alice, 800)).Change.Withdrawal, other))
	b.ask()
	b.commit(b.adjust(bob, 50))
	b.commit(b.correct(*b.commit(b.adjust(bob, 33)).Change.Adjustment))
	b.raised(b.alarmed(alarm.LowFees, "SOL", alarm.Fact{Name: "holding", Value: "7"}))
	b.over(b.raised(b.alarmed(alarm.Insolvent, "SOL")))
	b.provided()
	c := b.shared(25)
	c.plays(1, crashLife...)
	c.plays(2, crashLifeUntil(crash.StartCurve)...)
	b.ok(b.ReportDrained(background, "an instance", b.now(), b.now(), time.Hour))
	return b.now()
}

// provided makes rounds of providers, by the house's own players and by those of an agent with a
// site.
func (b *bench) provided() {
	b.Helper()
	b.commit(b.launch(alice, money.SOL, 3))
	b.asked(alice, "t1", seamless.Debit, "1", "")
	b.asked(alice, "t1", seamless.Credit, "", "2")
	b.asked(alice, "t2", seamless.DebitCredit, "1", "0")
	b.commit(b.funds(agent.FundsRef{Agent: "acme", Token: money.SOL}, 1_000))
	b.member(carol, "acme")
	b.commit(b.responded(b.bet(carol, "acme", "t3", "300"), seamless.SiteAccepted))
	b.bet(carol, "acme", "t4", "200")
}

// climbs opens a round that is played step by step, stakes again and takes the actions.
func (b *bench) climbs(w wallet.Address, wager money.Amount, actions ...game.Value) {
	b.Helper()
	open := b.opened(w, wager, doubles)
	for _, action := range append([]game.Value{fakes.Double}, actions...) {
		open = b.commit(b.steps(open, action)).Change.Steps[0]
	}
}

// headerOf returns the header of a block as the store shows it. Its hash is that of what is
// shown, whatever the store says.
func headerOf(b ports.Block) hashchain.Header {
	return hashchain.Header{Lane: b.Lane, Seq: b.Seq, Epoch: b.Epoch, Previous: b.Previous, At: b.At, Root: b.Root, Size: b.Size}
}
