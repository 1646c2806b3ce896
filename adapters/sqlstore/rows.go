package sqlstore

import (
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/ledger"
)

var (
	writePlayers = insert("players", `ON CONFLICT (wallet) DO UPDATE SET
		agent = excluded.agent, created_at = excluded.created_at, sessions_from = excluded.sessions_from`,
		"wallet", "agent", "created_at:int", "sessions_from:int")
	// Where the row is known to be there, an update takes less than an insert that
	// looks for it first and locks it before.
	updateBalances = change(`UPDATE balances SET amount = s.amount FROM {sent} AS s
		WHERE balances.wallet = s.wallet AND balances.kind = 'player' AND balances.hold = '' AND balances.token = s.token`,
		"wallet", "token", "amount:int")
	writeBalances = insert("balances", `ON CONFLICT (wallet, kind, hold, token) DO UPDATE SET amount = excluded.amount`,
		"wallet", "kind", "hold", "token", "amount:int")
	insertTransfers = insert("transfers", "",
		"kind", "scope", "id", "n:int", "debit_kind", "debit_owner", "credit_kind", "credit_owner", "token", "amount:int",
		"wallet", "lane:int", "seq:int", "position:int")
	insertAudit = insert("audit", "",
		"id", "action", "actor", "target", "was", "became", "at:int", "request_id", "lane:int", "seq:int", "position:int")
)

// writeRows writes what the batch's wallets own. Pairs come before rounds: a
// round is only taken when its pair counts it.
func (r *run) writeRows() error {
	r.writePlayers()
	if err := r.writeProtections(); err != nil {
		return err
	}
	if err := r.writePairs(); err != nil {
		return err
	}
	r.writeRounds()
	r.writeBalances()
	r.writeTransactions()
	r.writeAttempts()
	r.writeApprovalRequests()
	r.writeYeses()
	r.writeLaunches()
	r.writePlayed()
	r.writeSeamless()
	r.writeRoutes()
	r.writeFunds()
	r.writeTransfers()
	r.writeAudit()
	return nil
}

func (r *run) writePlayers() {
	var rows [][]any
	for _, w := range slices.Sorted(maps.Keys(r.out.players)) {
		p := r.wallets[w].view.Player
		rows = append(rows, []any{string(w), p.Agent, microsOrNil(p.CreatedAt), microsOrNil(p.SessionsFrom)})
	}
	r.write("write players", writePlayers, rows)
}

func (r *run) writeBalances() {
	var known, others [][]any
	for _, k := range slices.SortedFunc(maps.Keys(r.out.balances), balanceKey.compare) {
		h := r.wallets[k.wallet]
		amount := h.view.Balances[k.token]
		switch {
		case k.kind == ledger.Unclaimed:
			amount = h.view.Unclaimed[k.token]
		case k.kind == ledger.Hold:
			amount = h.held[k.hold]
		case slices.Contains(h.stored, k.token):
			known = append(known, []any{string(k.wallet), string(k.token), int64(amount)})
			continue
		}
		others = append(others, []any{string(k.wallet), k.kind.String(), k.hold, string(k.token), int64(amount)})
	}
	r.write("write balances", updateBalances, known)
	r.write("write balances", writeBalances, others)
}

func (r *run) writeTransfers() {
	var rows [][]any
	for i, p := range r.out.content.Postings {
		for n, t := range p.Transfers {
			rows = append(rows, []any{string(p.Key.Kind), p.Key.Scope, p.Key.ID, n, t.Debit.Kind.String(), t.Debit.Owner,
				t.Credit.Kind.String(), t.Credit.Owner, string(t.Token), int64(t.Amount), string(r.out.owners[i]),
				r.head.Lane, r.head.Seq, len(rows)})
		}
	}
	r.write("write transfers", insertTransfers, rows)
}

func (r *run) writeAudit() {
	r.write("write audit records", insertAudit, auditRows(r.head, r.out.content.Audit))
}
