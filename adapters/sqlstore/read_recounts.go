package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

var _ ports.Recounts = (*Store)(nil)

// Miscounts serves ports.Recounts.
func (s *Store) Miscounts(ctx context.Context, visit func(ports.Miscount) error) error {
	for _, part := range []func(context.Context, func(ports.Miscount) error) error{
		s.miscountedPlayers, s.miscountedTransactions, s.miscountedOfPlayers, s.miscountedRounds,
	} {
		if err := part(ctx, visit); err != nil {
			return err
		}
	}
	return nil
}

// miscountedPlayers counts players by operator.
func (s *Store) miscountedPlayers(ctx context.Context, visit func(ports.Miscount) error) error {
	return s.rows(ctx, "recount players", `SELECT agent, sum(kept), sum(found) FROM (
		SELECT agent, players AS kept, 0 AS found FROM lane_players
		UNION ALL SELECT agent, 0, 1 FROM players WHERE created_at IS NOT NULL) AS counts
		GROUP BY agent HAVING sum(kept) <> sum(found) ORDER BY agent`, nil, func(row *sql.Rows) error {
		var agent string
		var m ports.Miscount
		if err := row.Scan(&agent, &m.Kept, &m.Found); err != nil {
			return err
		}
		m.Of = "players of " + agent
		return visit(m)
	})
}

// miscountedTransactions counts transactions by day and over all days. Their days
// are told here, since databases tell them in ways of their own.
func (s *Store) miscountedTransactions(ctx context.Context, visit func(ports.Miscount) error) error {
	kept, found := map[counted]int64{}, map[counted]int64{}
	err := s.rows(ctx, "recount transactions", `SELECT 0, day, 0, type, status, token, agent, n FROM lane_transactions
		UNION ALL SELECT 1, '', created_at, type, status, token, agent, 1 FROM transactions`, nil, func(row *sql.Rows) error {
		var isRow, created, n int64
		var t transaction
		var c counted
		if err := row.Scan(&isRow, &c.day, &created, &t.kind, &t.status, &t.token, &t.agent, &n); err != nil {
			return err
		}
		if isRow == 0 {
			c.kind, c.status, c.token, c.agent = t.kind, t.status, string(t.token), t.agent
			kept[c] += n
			return nil
		}
		t.createdAt = moment(created)
		for _, c := range t.ofLane() {
			found[c] += n
		}
		return nil
	})
	if err != nil {
		return err
	}
	for c := range found {
		kept[c] += 0 // one that is missing counts none
	}
	for _, c := range slices.SortedFunc(maps.Keys(kept), counted.compare) {
		if kept[c] == found[c] {
			continue
		}
		if err := visit(ports.Miscount{Of: c.String(), Kept: kept[c], Found: found[c]}); err != nil {
			return err
		}
	}
	return nil
}

// miscountedOfPlayers counts each player's transactions.
func (s *Store) miscountedOfPlayers(ctx context.Context, visit func(ports.Miscount) error) error {
	return s.rows(ctx, "recount players' transactions", `SELECT wallet, type, status, token, agent, sum(kept), sum(found) FROM (
		SELECT wallet, type, status, token, agent, n AS kept, 0 AS found FROM player_transactions
		UNION ALL SELECT wallet, type, status, token, agent, 0, 1 FROM transactions) AS counts
		GROUP BY wallet, type, status, token, agent HAVING sum(kept) <> sum(found) ORDER BY wallet, type, status, token, agent`,
		nil, func(row *sql.Rows) error {
			var c counted
			var w string
			var m ports.Miscount
			if err := row.Scan(&w, &c.kind, &c.status, &c.token, &c.agent, &m.Kept, &m.Found); err != nil {
				return err
			}
			c.wallet = wallet.Address(w)
			m.Of = c.String()
			return visit(m)
		})
}

// miscountedRounds counts each player's own rounds by game, those of months that were
// taken out included.
func (s *Store) miscountedRounds(ctx context.Context, visit func(ports.Miscount) error) error {
	var of string
	kept, found := map[string]int64{}, map[string]int64{}
	told := func() error {
		for game := range found {
			kept[game] += 0 // one that is missing counts none
		}
		for _, game := range slices.Sorted(maps.Keys(kept)) {
			if kept[game] == found[game] {
				continue
			}
			m := ports.Miscount{Of: "rounds of " + game + " of player " + of, Kept: kept[game], Found: found[game]}
			if err := visit(m); err != nil {
				return err
			}
		}
		clear(found)
		return nil
	}
	err := s.rows(ctx, "recount rounds", `SELECT wallet, played, '', 0 FROM seed_pairs WHERE state = 'active'
		UNION ALL SELECT wallet, '', game, count(*) FROM kept_rounds GROUP BY wallet, game ORDER BY 1`, nil, func(row *sql.Rows) error {
		var w, text, game string
		var n int64
		if err := row.Scan(&w, &text, &game, &n); err != nil {
			return err
		}
		if w != of {
			if err := told(); err != nil {
				return err
			}
			of, kept = w, map[string]int64{}
		}
		maps.Copy(kept, played(text).games())
		if game != "" {
			found[game] = n
		}
		return nil
	})
	if err != nil {
		return err
	}
	return told()
}

// String is the count in words.
func (c counted) String() string {
	text := fmt.Sprintf("%ss of %s that are %s in %s", c.kind, c.agent, c.status, c.token)
	switch {
	case c.wallet != "":
		text += " of player " + string(c.wallet)
	case c.day != "":
		text += " on " + c.day
	}
	return text
}

func (c counted) compare(other counted) int {
	return cmp.Or(cmp.Compare(c.day, other.day), cmp.Compare(c.kind, other.kind), cmp.Compare(c.status, other.status),
		cmp.Compare(c.token, other.token), cmp.Compare(c.agent, other.agent))
}
