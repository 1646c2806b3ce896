package sqlstore

import (
	"context"
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

var (
	// What is found under a whole key is answered by the place of the key.
	readBalances = newQuery(`SELECT s.place, b.amount FROM {sent} AS s CROSS JOIN balances AS b
		WHERE b.wallet = s.wallet AND b.kind = 'player' AND b.hold = '' AND b.token = s.token`, "wallet", "token", "place:int")
	readEveryBalance = newQuery(`SELECT b.wallet, b.kind, b.hold, b.token, b.amount
		FROM {sent} AS s CROSS JOIN balances AS b
		WHERE b.wallet = s.wallet AND b.kind IN ('player', 'unclaimed') AND b.hold = ''`, "wallet")
	readHolds = newQuery(`SELECT b.wallet, b.kind, b.hold, b.token, b.amount
		FROM {sent} AS s CROSS JOIN balances AS b
		WHERE b.wallet = s.wallet AND b.kind = 'hold' AND b.hold = s.hold`, "wallet", "hold")
	countOpen = newQuery(`SELECT t.wallet, t.type, count(*) FROM {sent} AS s CROSS JOIN transactions AS t
		WHERE t.wallet = s.wallet
		AND (t.type = 'withdrawal' AND t.status IN ('pending', 'approved', 'sending', 'failed')
		  OR t.type = 'deposit' AND t.status = 'pending')
		GROUP BY t.wallet, t.type`, "wallet")
	lockRoles = newQuery(`UPDATE roles SET role = roles.role FROM {sent} AS s WHERE roles.wallet = s.wallet`, "wallet")
	readRoles = newQuery(`SELECT r.wallet, r.role, r.agent, r.granted_by, r.granted_at
		FROM {sent} AS s CROSS JOIN roles AS r WHERE r.wallet = s.wallet`, "wallet")
)

// askViews asks for what the entries need, one statement a table.
func (r *run) askViews() {
	r.wallets = map[wallet.Address]*holdings{}
	for _, e := range r.entries {
		h := r.wallets[e.item.Wallet]
		if h == nil {
			h = newHoldings(e.item.Wallet)
			r.wallets[e.item.Wallet] = h
		}
		h.needs.Join(&e.item.Needs)
	}
	r.sorted = slices.Sorted(maps.Keys(r.wallets))
	for _, part := range []func(){
		r.askPlayers, r.askBalances, r.askPairs, r.askDeposits, r.askOpen, r.askRoles, r.askLaunches,
		r.askStandings, r.askRoutes, r.askApprovalRequests, r.askGames, r.askYeses,
	} {
		part()
	}
	r.withdrawals = r.askWithdrawals()
}

// rowsOf makes rows of what each wallet needs, wallets sorted.
func (r *run) rowsOf(needed func(w wallet.Address, n player.Needs, add func(row ...any))) [][]any {
	var rows [][]any
	for _, w := range r.sorted {
		if w != "" {
			needed(w, r.wallets[w].needs, func(row ...any) { rows = append(rows, row) })
		}
	}
	return rows
}

func (r *run) askBalances() {
	type purse struct {
		of    *holdings
		token money.Token
	}
	var purses []purse
	r.ask("read balances", readBalances, r.rowsOf(func(w wallet.Address, n player.Needs, add func(...any)) {
		for _, token := range n.Tokens {
			if !n.Unclaimed {
				add(string(w), string(token), len(purses))
				purses = append(purses, purse{r.wallets[w], token})
			}
		}
	}), func(row Row) error {
		var place int
		var amount money.Amount
		if err := row.Scan(&place, &amount); err != nil {
			return err
		}
		purses[place].of.found(purses[place].token, amount)
		return nil
	})
	r.ask("read balances", readEveryBalance, r.rowsOf(func(w wallet.Address, n player.Needs, add func(...any)) {
		if n.Unclaimed {
			add(string(w))
		}
	}), r.scanBalance)
	r.ask("read holds", readHolds, r.rowsOf(func(w wallet.Address, n player.Needs, add func(...any)) {
		for _, id := range n.Withdrawals {
			add(string(w), id)
		}
	}), r.scanBalance)
}

func (r *run) scanBalance(row Row) error {
	var w wallet.Address
	var kind, hold string
	var token money.Token
	var amount money.Amount
	if err := row.Scan(&w, &kind, &hold, &token, &amount); err != nil {
		return err
	}
	switch h := r.wallets[w]; kind {
	case ledger.Player.String():
		h.found(token, amount)
	case ledger.Unclaimed.String():
		put(&h.view.Unclaimed, token, amount)
	default:
		h.held[hold] = amount
	}
	return nil
}

// askWithdrawals reads the withdrawals that items ask for, into the map that it
// returns; loadApprovals brings what else there is to know of them.
func (r *run) askWithdrawals() map[string]transaction {
	rows := r.rowsOf(func(_ wallet.Address, n player.Needs, add func(...any)) {
		for _, id := range n.Withdrawals {
			add(id)
		}
	})
	slices.SortFunc(rows, compareRows)
	rows = slices.CompactFunc(rows, func(a, b []any) bool { return compareRows(a, b) == 0 })
	found := map[string]transaction{}
	r.askTransactions("read withdrawals", readTransactions, rows, func(t transaction) {
		if t.kind == withdrawalType && r.wallets[t.wallet] != nil {
			found[t.id] = t
		}
	})
	return found
}

// loadApprovals reads the approvals of the withdrawals and makes these part of the
// views that asked for them.
func (r *run) loadApprovals(ctx context.Context) error {
	found := r.withdrawals
	r.askApprovals(sortedRows(found), func(id string, a withdrawal.Approval) {
		t := found[id]
		t.approvals = append(t.approvals, a)
		found[id] = t
	})
	if err := r.send(ctx); err != nil {
		return err
	}
	for id, t := range found {
		if h := r.wallets[t.wallet]; slices.Contains(h.needs.Withdrawals, id) {
			put(&h.rows, id, t)
			put(&h.view.Withdrawals, id, t.withdrawal())
		}
	}
	return nil
}

func (r *run) askDeposits() {
	rows := r.rowsOf(func(w wallet.Address, n player.Needs, add func(...any)) {
		for _, ref := range n.Deposits {
			add(string(w), ref.Signature, string(ref.Token))
		}
	})
	r.askTransactions("read deposits", readDeposits, rows, func(t transaction) {
		h := r.wallets[t.wallet]
		put(&h.rows, t.id, t)
		put(&h.view.Deposits, deposit.Ref{Signature: t.signature, Token: t.token}, t.deposit())
	})
}

func (r *run) askOpen() {
	rows := r.rowsOf(func(w wallet.Address, n player.Needs, add func(...any)) {
		if n.Open {
			add(string(w))
		}
	})
	r.ask("count what is open", countOpen, rows, func(row Row) error {
		var w wallet.Address
		var kind string
		var n int
		if err := row.Scan(&w, &kind, &n); err != nil {
			return err
		}
		if h := r.wallets[w]; kind == withdrawalType {
			h.view.OpenWithdrawals = n
		} else {
			h.view.OpenDeposits = n
		}
		return nil
	})
}

// askRoles reads the roles that decisions ask for. A role may be asked for by
// several wallets.
func (r *run) askRoles() {
	askers := map[wallet.Address][]*holdings{}
	for _, h := range r.wallets {
		for _, w := range h.needs.Roles {
			askers[w] = append(askers[w], h)
		}
	}
	// Writing the rows to themselves locks them on every database: a role that is
	// being taken away decides nothing.
	r.ask("lock roles", lockRoles, sortedRows(askers), nil)
	r.ask("read roles", readRoles, sortedRows(askers), func(row Row) error {
		var a rbac.Assignment
		var granted int64
		if err := row.Scan(&a.Wallet, &a.Role, &a.AgentCode, &a.GrantedBy, &granted); err != nil {
			return err
		}
		a.GrantedAt = moment(granted)
		for _, h := range askers[a.Wallet] {
			put(&h.view.Roles, a.Wallet, a)
		}
		return nil
	})
}
