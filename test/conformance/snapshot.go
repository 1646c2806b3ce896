package conformance

import (
	"fmt"
	"strings"

	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// people are the wallets that a snapshot covers.
var people = []wallet.Address{alice, bob, carol, admin, other}

// whole is a page that every story's list fits on.
var whole = ports.Page{Number: 1, Limit: ports.PageMax}

// snapshot is all that the read ports return, as text, one fact a line. Two equal
// ones mean that nothing was stored in between.
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
