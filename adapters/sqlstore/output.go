package sqlstore

import (
	"cmp"
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// output is what a batch writes, coalesced: one final row for each key, however
// many of its items changed it.
type output struct {
	// players and balances are the rows that changed; their wallets' final views
	// tell the values.
	players      map[wallet.Address]struct{}
	balances     map[balanceKey]struct{}
	pairs        map[string]pairRow
	transactions map[string]transactionRow
	attempts     map[attemptKey]withdrawal.Attempt
	dead         map[attemptKey]bool
	logins       map[*entry]*player.Login
	launches     map[launchKey]struct{}
	played       map[string]seamless.Round
	approvals    map[string]approvalRow
	routes       map[string]routeRow
	funds        map[agent.FundsRef]struct{}
	yeses        []player.Yes
	// content is what the block covers; owners are the wallets of its postings.
	content hashchain.Content
	owners  []wallet.Address
	totals  map[totalKey]money.Total
	figures map[figure.Key]figure.Cell
	// newcomers counts first sign-ins by operator.
	newcomers map[string]int64
	// entries counts the changes staged, of at most items.
	entries, items int
}

// balanceKey names a row of balances.
type balanceKey struct {
	wallet wallet.Address
	kind   ledger.Kind
	hold   string
	token  money.Token
}

func (k balanceKey) compare(other balanceKey) int {
	return cmp.Or(cmp.Compare(k.wallet, other.wallet), cmp.Compare(k.kind, other.kind),
		cmp.Compare(k.hold, other.hold), cmp.Compare(k.token, other.token))
}

// totalKey names a row of lane_totals within its lane.
type totalKey struct {
	account ledger.Account
	agent   string
	token   money.Token
}

func (k totalKey) compare(other totalKey) int {
	return cmp.Or(cmp.Compare(k.account.Kind, other.account.Kind), cmp.Compare(k.account.Owner, other.account.Owner),
		cmp.Compare(k.agent, other.agent), cmp.Compare(k.token, other.token))
}

func newOutput(items int) output {
	return output{
		items:    items,
		players:  map[wallet.Address]struct{}{},
		balances: map[balanceKey]struct{}{}, pairs: map[string]pairRow{}, transactions: map[string]transactionRow{},
		attempts: map[attemptKey]withdrawal.Attempt{}, dead: map[attemptKey]bool{}, logins: map[*entry]*player.Login{},
		launches: map[launchKey]struct{}{}, played: map[string]seamless.Round{},
		approvals: map[string]approvalRow{}, routes: map[string]routeRow{}, funds: map[agent.FundsRef]struct{}{},
		totals: map[totalKey]money.Total{}, figures: map[figure.Key]figure.Cell{},
		newcomers: map[string]int64{},
	}
}

func (o *output) empty() bool { return o.entries == 0 }

// covered reports whether there is anything that a block covers.
func (o *output) covered() bool {
	return len(o.content.Postings)+len(o.content.Rounds)+len(o.content.Audit)+len(o.content.Seamless) > 0
}

// stage adds the entry's change, after which its wallet looks like next. It
// can't fail: everything was checked before.
func (o *output) stage(e *entry, h *holdings, next player.View, c player.Change) {
	o.entries++
	w := e.item.Wallet
	if c.Player != nil {
		o.players[w] = struct{}{}
		if c.Player.Known() && !h.view.Player.Known() {
			o.newcomers[c.Player.Agent]++
		}
	}
	if c.Rebound != nil {
		o.stageRebound(w, *c.Rebound)
	}
	if c.Login != nil {
		o.logins[e] = c.Login
	}
	agent := next.Player.Agent
	o.stagePairs(h, w, c)
	o.stageTransactions(h, agent, c)
	o.stageApproval(h, c.Approval)
	o.yeses = append(o.yeses, c.Yeses...)
	if o.content.Postings == nil && len(c.Postings) > 0 {
		o.content.Postings, o.owners = make([]ledger.Posting, 0, o.items), make([]wallet.Address, 0, o.items)
	}
	for _, p := range c.Postings {
		o.content.Postings = append(o.content.Postings, p)
		o.owners = append(o.owners, w)
		for _, t := range p.Transfers {
			o.move(w, agent, t.Debit, t.Token, money.TotalOf(t.Amount).Neg())
			o.move(w, agent, t.Credit, t.Token, money.TotalOf(t.Amount))
		}
	}
	if c.Round != nil {
		if o.content.Rounds == nil {
			o.content.Rounds = make([]bet.Round, 0, o.items)
		}
		o.content.Rounds = append(o.content.Rounds, *c.Round)
		key, cell := figure.Of(*c.Round)
		o.figures[key] = o.figures[key].Add(cell)
	}
	o.stageSeamless(w, c)
	o.stageRoutes(h, c)
	o.content.Audit = append(o.content.Audit, c.Audit...)
	if e.item.At.After(o.content.At) {
		o.content.At = e.item.At
	}
}

// stageRebound counts a player, and what he is owed, to another operator.
func (o *output) stageRebound(w wallet.Address, r player.Rebound) {
	o.newcomers[r.From]--
	o.newcomers[r.To]++
	for _, h := range r.Holdings {
		o.move(w, r.From, h.Account, h.Token, money.TotalOf(h.Amount).Neg())
		o.move(w, r.To, h.Account, h.Token, money.TotalOf(h.Amount))
	}
}

// move notes one side of a transfer.
func (o *output) move(w wallet.Address, agent string, a ledger.Account, token money.Token, amount money.Total) {
	key := totalKey{a.Bucket(), agent, token}
	o.totals[key] = o.totals[key].Add(amount)
	switch {
	case a.Kind == ledger.Hold:
		o.balances[balanceKey{w, a.Kind, a.Owner, token}] = struct{}{}
	case a.Kind.Liability():
		o.balances[balanceKey{w, a.Kind, "", token}] = struct{}{}
	}
}

// sorted returns the rows by id: every writer writes in one order.
func sorted[V any](rows map[string]V) []V {
	all := make([]V, 0, len(rows))
	for _, id := range slices.Sorted(maps.Keys(rows)) {
		all = append(all, rows[id])
	}
	return all
}
