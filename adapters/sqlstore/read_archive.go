package sqlstore

import (
	"context"
	"database/sql"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

var (
	_ ports.Checkpoints = (*Store)(nil)
	_ ports.Archive     = (*Store)(nil)
)

// Heads serves ports.Checkpoints.
func (s *Store) Heads(ctx context.Context) ([]hashchain.Head, error) {
	var heads []hashchain.Head
	err := s.rows(ctx, "read heads", `SELECT b.lane, b.seq, b.hash FROM blocks AS b
		JOIN (SELECT lane, max(seq) AS seq FROM blocks GROUP BY lane) AS newest ON newest.lane = b.lane AND newest.seq = b.seq
		ORDER BY b.lane`, nil, func(row *sql.Rows) error {
		var head hashchain.Head
		var hash string
		err := row.Scan(&head.Lane, &head.Seq, &hash)
		if err == nil {
			head.Hash, err = hashchain.ParseHash(hash)
		}
		heads = append(heads, head)
		return err
	})
	return heads, err
}

// blocksAtOnce is how many blocks an audit reads at a time.
const blocksAtOnce = 100

// Blocks serves ports.Archive. It reads a span of blocks at a time, so that the
// memory it takes doesn't grow with the ledger.
func (s *Store) Blocks(ctx context.Context, visit func(ports.Block) error) error {
	heads, err := s.Heads(ctx)
	if err != nil {
		return err
	}
	for _, head := range heads {
		for from := int64(1); from <= head.Seq; from += blocksAtOnce {
			blocks, err := s.span(ctx, head.Lane, from, min(from+blocksAtOnce-1, head.Seq))
			if err != nil {
				return err
			}
			for _, b := range blocks {
				if err := visit(b); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// span reads the blocks from … to of a lane with their content. Content whose
// block is missing is an error: it was never sealed.
func (s *Store) span(ctx context.Context, lane int, from, to int64) ([]ports.Block, error) {
	var blocks []ports.Block
	place := map[int64]int{}
	which := []any{lane, from, to}
	err := s.rows(ctx, "read blocks", "SELECT seq, previous, hash, at FROM blocks WHERE lane = ? AND seq BETWEEN ? AND ? ORDER BY seq",
		which, func(row *sql.Rows) error {
			b := ports.Block{Head: hashchain.Head{Lane: lane}}
			var previous, hash string
			var at int64
			if err := row.Scan(&b.Seq, &previous, &hash, &at); err != nil {
				return err
			}
			var err error
			if b.Previous, err = hashchain.ParseHash(previous); err != nil {
				return err
			}
			if b.Hash, err = hashchain.ParseHash(hash); err != nil {
				return err
			}
			b.At = moment(at)
			place[b.Seq] = len(blocks)
			blocks = append(blocks, b)
			return nil
		})
	if err != nil {
		return nil, err
	}
	of := func(seq int64) (*ports.Block, error) {
		at, ok := place[seq]
		if !ok {
			return nil, defect("rows belong to block %d:%d, which is missing", lane, seq)
		}
		return &blocks[at], nil
	}
	for _, part := range []func(context.Context, []any, func(int64) (*ports.Block, error)) error{
		s.spanTransfers, s.spanRounds, s.spanAudit, s.spanSeamless,
	} {
		if err := part(ctx, which, of); err != nil {
			return nil, err
		}
	}
	return blocks, nil
}

func (s *Store) spanTransfers(ctx context.Context, which []any, of func(int64) (*ports.Block, error)) error {
	return s.rows(ctx, "read transfers", `SELECT seq, kind, scope, id, n, debit_kind, debit_owner, credit_kind, credit_owner, token, amount
		FROM kept_transfers WHERE lane = ? AND seq BETWEEN ? AND ? ORDER BY seq, position`, which, func(row *sql.Rows) error {
		var seq int64
		var n int
		var key ledger.Key
		var t ledger.Transfer
		var debitKind, creditKind string
		if err := row.Scan(&seq, &key.Kind, &key.Scope, &key.ID, &n, &debitKind, &t.Debit.Owner, &creditKind, &t.Credit.Owner,
			&t.Token, &t.Amount); err != nil {
			return err
		}
		var err error
		if t.Debit, err = account(debitKind, t.Debit.Owner); err != nil {
			return err
		}
		if t.Credit, err = account(creditKind, t.Credit.Owner); err != nil {
			return err
		}
		b, err := of(seq)
		if err != nil {
			return err
		}
		if n == 0 || len(b.Postings) == 0 {
			b.Postings = append(b.Postings, ledger.Posting{Key: key})
		}
		last := &b.Postings[len(b.Postings)-1]
		if last.Key != key || len(last.Transfers) != n {
			return defect("transfer %d of posting %v is out of its order", n, key)
		}
		last.Transfers = append(last.Transfers, t)
		return nil
	})
}

func (s *Store) spanRounds(ctx context.Context, which []any, of func(int64) (*ports.Block, error)) error {
	return s.rows(ctx, "read rounds", "SELECT "+roundColumns+", r.seq FROM kept_rounds AS r"+pairsOfRounds+
		" WHERE r.lane = ? AND r.seq BETWEEN ? AND ? ORDER BY r.seq, r.position", which, func(row *sql.Rows) error {
		var seq int64
		round, err := scanRound(row, &seq)
		if err != nil {
			return err
		}
		b, err := of(seq)
		if err != nil {
			return err
		}
		b.Rounds = append(b.Rounds, round)
		return nil
	})
}

func (s *Store) spanAudit(ctx context.Context, which []any, of func(int64) (*ports.Block, error)) error {
	return s.rows(ctx, "read audit records", `SELECT seq, id, action, actor, target, was, became, at, request_id
		FROM audit WHERE lane = ? AND seq BETWEEN ? AND ? ORDER BY seq, position`, which, func(row *sql.Rows) error {
		var seq, at int64
		var a audit.Record
		if err := row.Scan(&seq, &a.ID, &a.Action, &a.By, &a.Target, &a.Before, &a.After, &at, &a.RequestID); err != nil {
			return err
		}
		a.At = moment(at)
		b, err := of(seq)
		if err != nil {
			return err
		}
		b.Audit = append(b.Audit, a)
		return nil
	})
}

// LiabilityBalances serves ports.Archive.
func (s *Store) LiabilityBalances(ctx context.Context, visit func(ledger.Balance) error) error {
	return s.rows(ctx, "read balances", "SELECT wallet, kind, hold, token, amount FROM balances ORDER BY wallet, kind, hold, token",
		nil, func(row *sql.Rows) error {
			var owner, kind, hold string
			var b ledger.Balance
			var amount money.Amount
			if err := row.Scan(&owner, &kind, &hold, &b.Token, &amount); err != nil {
				return err
			}
			if hold != "" {
				owner = hold
			}
			var err error
			if b.Account, err = account(kind, owner); err != nil {
				return err
			}
			b.Amount = money.TotalOf(amount)
			return visit(b)
		})
}
