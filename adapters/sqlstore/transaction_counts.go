package sqlstore

import (
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/wallet"
)

// counted is what transactions are counted by.
type counted struct {
	// wallet is empty in the counts of lanes, day in those of players and of all days.
	wallet wallet.Address
	day    string
	// kind, status, token and agent are the transaction's.
	kind, status, token, agent string
}

// ofLane are the counts of a lane that a transaction is in: its day's, and that of
// all days.
func (t transaction) ofLane() []counted {
	ever := counted{kind: t.kind, status: t.status, token: string(t.token), agent: t.agent}
	daily := ever
	daily.day = figure.Day(t.createdAt)
	return []counted{ever, daily}
}

// ofPlayer is the count of its player that a transaction is in.
func (t transaction) ofPlayer() []counted {
	return []counted{{wallet: t.wallet, kind: t.kind, status: t.status, token: string(t.token), agent: t.agent}}
}

var (
	addLaneTransactions = insert("lane_transactions", `ON CONFLICT (lane, day, type, status, token, agent) DO UPDATE SET
		n = lane_transactions.n + excluded.n`, "day", "type", "status", "token", "agent", "n:int", "lane:int")
	addPlayerTransactions = insert("player_transactions", `ON CONFLICT (wallet, type, status, token, agent) DO UPDATE SET
		n = player_transactions.n + excluded.n`, "wallet", "type", "status", "token", "agent", "n:int")
)

// countTransactions tells by how much a batch changes each count: what is new there
// less what went elsewhere.
func (o *output) countTransactions(by func(transaction) []counted) map[counted]int64 {
	changed := map[counted]int64{}
	for _, t := range o.transactions {
		for _, c := range by(t.transaction) {
			changed[c]++
		}
		if t.stored == nil {
			continue
		}
		for _, c := range by(*t.stored) {
			changed[c]--
		}
	}
	maps.DeleteFunc(changed, func(_ counted, n int64) bool { return n == 0 })
	return changed
}

// writePlayerTransactions comes under the locks of the wallets.
func (r *run) writePlayerTransactions() {
	var rows [][]any
	for c, n := range r.out.countTransactions(transaction.ofPlayer) {
		rows = append(rows, []any{string(c.wallet), c.kind, c.status, c.token, c.agent, n})
	}
	slices.SortFunc(rows, compareRows)
	r.write("count players' transactions", addPlayerTransactions, rows)
}

// writeLaneTransactions comes with the other rows of the lane.
func (r *run) writeLaneTransactions() {
	var rows [][]any
	for c, n := range r.out.countTransactions(transaction.ofLane) {
		rows = append(rows, []any{c.day, c.kind, c.status, c.token, c.agent, n, r.head.Lane})
	}
	slices.SortFunc(rows, compareRows)
	r.write("count transactions", addLaneTransactions, rows)
}
