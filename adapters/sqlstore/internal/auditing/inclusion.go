package auditing

import (
	"context"

	"github.com/casino-service/casino/adapters/sqlstore/internal/archive"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/wallet"
)

// Inclusion implements ports.Inclusions.
func (s *Store) Inclusion(ctx context.Context, w wallet.Address, id string) (hashchain.Inclusion, error) {
	at, found, err := s.placeOf(ctx, w, id)
	if err != nil {
		return hashchain.Inclusion{}, err
	}
	if !found {
		return hashchain.Inclusion{}, fault.New(fault.NotFound, "you have no round, withdrawal, deposit or seed pair %q", id)
	}
	blocks, err := s.blocksAt(ctx, []archive.Place{at})
	if err != nil {
		return hashchain.Inclusion{}, err
	}
	b := blocks[0]
	if b.Wrong != nil { // for one, a block without the service's seal
		return hashchain.Inclusion{}, db.Defect("block %d:%d can't be proved: %v", at.Lane, at.Seq, b.Wrong)
	}
	block := hashchain.Again(hashchain.Head{Lane: b.Lane, Hash: b.Previous}, b.Seq, b.Content)
	if block.Hash() != b.Hash {
		return hashchain.Inclusion{}, db.Defect("the content of block %d:%d was changed: its hash is %s, not %s", at.Lane, at.Seq, block.Hash(), b.Hash)
	}
	leaf, index, found := b.Find(w, id)
	if !found {
		return hashchain.Inclusion{}, db.Defect("block %d:%d should have an entry %q of %s, but has none", at.Lane, at.Seq, id, w)
	}
	return block.Include(leaf, index), nil
}

// placeOf returns the block that Inclusion proves a wallet's thing by: that of a round, else
// the newest one with an event that hashchain.Content.Find accepts.
func (s *Store) placeOf(ctx context.Context, w wallet.Address, id string) (at archive.Place, found bool, err error) {
	if db.IsID(id) {
		at, found, err = s.firstPlace(ctx, "read the block of a round", "SELECT t.lane, t.seq FROM kept_rounds AS t WHERE t.id = ? AND t.wallet = ?",
			s.DB.Dialect.ID(id), s.Key(w))
		if err != nil || found {
			return at, found, err
		}
	}
	return s.firstPlace(ctx, "read the block of an event", `SELECT e.lane, e.seq FROM ledger_events AS e JOIN blocks AS b ON b.lane = e.lane AND b.seq = e.seq
		WHERE e.id = ? AND e.wallet = ? AND e.kind IN ('round.open', 'withdrawal', 'deposit', 'pair') AND (e.kind <> 'withdrawal' OR e.was = '')
		ORDER BY b.number DESC, b.lane DESC LIMIT 1`, id, string(w))
}

func (s *Store) firstPlace(ctx context.Context, doing, text string, arguments ...any) (at archive.Place, found bool, err error) {
	places, err := read.Collect(ctx, s.Rows, doing, text, arguments, func(row db.Row) (p archive.Place, err error) {
		return p, row.Scan(&p.Lane, &p.Seq)
	})
	if err != nil || len(places) == 0 {
		return archive.Place{}, false, err
	}
	return places[0], true, nil
}
