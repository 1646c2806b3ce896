package archive

import (
	"context"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Inclusion serves ports.Inclusions.
func (s *Store) Inclusion(ctx context.Context, w wallet.Address, id string) (hashchain.Inclusion, error) {
	if db.IsID(id) {
		found, err := read.Collect(ctx, s.Rows, "read where a round is",
			"SELECT t.id, t.lane, t.seq, FALSE FROM kept_rounds AS t WHERE t.id = ? AND t.wallet = ?", []any{s.DB.Dialect.ID(id), s.Key(w)}, ScanPlayed)
		if err != nil {
			return hashchain.Inclusion{}, err
		}
		if len(found) > 0 {
			return s.include(ctx, found[0].Place, w, id)
		}
	}
	found, err := read.Collect(ctx, s.Rows, "read where an event is", `SELECT e.lane, e.seq FROM ledger_events AS e JOIN blocks AS b ON b.lane = e.lane AND b.seq = e.seq
		WHERE e.id = ? AND e.wallet = ? AND e.kind IN ('round.open', 'withdrawal', 'deposit', 'pair') ORDER BY b.number DESC, b.lane DESC LIMIT 1`,
		[]any{id, string(w)}, func(row db.Row) (p Place, err error) { return p, row.Scan(&p.Lane, &p.Seq) })
	if err != nil {
		return hashchain.Inclusion{}, err
	}
	if len(found) == 0 {
		return hashchain.Inclusion{}, fault.New(fault.NotFound, "you have no round, withdrawal, deposit or seed pair %q", id)
	}
	return s.include(ctx, found[0], w, id)
}

// include proves that a block has a wallet's round or event of an id.
func (s *Store) include(ctx context.Context, at Place, w wallet.Address, id string) (hashchain.Inclusion, error) {
	var proved hashchain.Inclusion
	one := []hashchain.Head{{Lane: at.Lane, Seq: at.Seq}}
	before := []hashchain.Head{{Lane: at.Lane, Seq: at.Seq - 1}}
	err := s.BlocksAfter(ctx, before, one, func(b ports.Block) error {
		made := hashchain.Again(hashchain.Head{Lane: b.Lane, Hash: b.Previous}, b.Seq, b.Content)
		if made.Hash() != b.Hash {
			return db.Defect("block %d:%d is not what was sealed", b.Lane, b.Seq)
		}
		var found bool
		if proved, found = made.Find(&b.Content, w, id); !found {
			return db.Defect("block %d:%d has nothing of %q", b.Lane, b.Seq, id)
		}
		return nil
	})
	return proved, err
}
