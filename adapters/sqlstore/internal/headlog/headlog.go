// Package headlog stores the log of the headers of all lanes' blocks.
package headlog

import (
	"context"
	"errors"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/chain"
	"github.com/casino-service/casino/adapters/sqlstore/internal/change"
	"github.com/casino-service/casino/adapters/sqlstore/internal/control"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/merkle"
	"github.com/casino-service/casino/ports"
)

// Store implements ports.HeadLog, ports.LogCheckpoints and ports.Anchors.
type Store struct{ *change.Changes }

// EntryRow is a row of log_entries: the block that entry n is the header of.
type EntryRow struct {
	bun.BaseModel `bun:"table:log_entries,alias:e"`
	N             int64 `bun:",pk"`
	Lane          int
	Seq           int64
}

// HashRow is a row of log_hashes: a hash of the log's tree.
type HashRow struct {
	bun.BaseModel `bun:"table:log_hashes,alias:h"`
	N             int64 `bun:",pk"`
	Hash          []byte
}

// CheckpointRow is a row of log_checkpoints: the newest checkpoint of an origin that the
// service signed, or that a witness cosigned.
type CheckpointRow struct {
	bun.BaseModel `bun:"table:log_checkpoints,alias:c"`
	ports.LogCheckpoint
}

var (
	addEntries = table.ModelOf[EntryRow, EntryRow]().Insert("")
	addHashes  = table.ModelOf[HashRow, HashRow]().Insert("")

	checkpoints = table.ModelOf[CheckpointRow, ports.LogCheckpoint]()
)

// logGuard is the guard of all who append.
const logGuard = "log"

const sizeOfLog = "SELECT coalesce(max(e.n) + 1, 0) FROM log_entries AS e"

// AppendHeads implements ports.HeadLog. In each lane blocks become visible in the order of their
// numbers, so that those after the last logged one are all that the log lacks.
func (s *Store) AppendHeads(ctx context.Context, atMost int) (more bool, err error) {
	lanes, err := s.behind(ctx, s.DB.Read)
	if err != nil || len(lanes) == 0 {
		return false, err
	}
	err = s.Run(ctx, logGuard, func(ctx context.Context, tx bun.Tx) error {
		more = false
		now, err := control.ReadControl(ctx, tx)
		if err != nil {
			return err
		}
		if err := now.Open(); err != nil {
			return err
		}
		var size int64
		if err := tx.QueryRowContext(ctx, sizeOfLog).Scan(&size); err != nil {
			return db.Wrap("read the size of the log", err)
		}
		roots, err := hashesAt(ctx, tx, merkle.FrontierIndexes(size))
		if err != nil {
			return err
		}
		log := merkle.FrontierOf(size, roots)
		if lanes, err = s.behind(ctx, tx); err != nil {
			return err
		}
		for _, lane := range lanes {
			share := max(1, atMost/len(lanes))
			n, err := s.appendLane(ctx, tx, lane, share, &log)
			if err != nil {
				return err
			}
			more = more || n == share
		}
		return nil
	})
	return more, err
}

// loggedLane is a lane with blocks after its last logged one.
type loggedLane struct {
	lane int
	last int64
}

// behind returns the lanes with blocks that the log lacks.
func (s *Store) behind(ctx context.Context, on bun.IConn) (lanes []loggedLane, err error) {
	rows, err := on.QueryContext(ctx, `SELECT b.lane, l.last FROM (SELECT h.lane, h.seq, coalesce((SELECT max(e.seq) FROM log_entries AS e
		WHERE e.lane = h.lane), 0) AS last FROM heads AS h) AS l JOIN heads AS b ON b.lane = l.lane WHERE l.seq > l.last ORDER BY b.lane`)
	if err != nil {
		return nil, db.Wrap("read what the log lacks", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var l loggedLane
		if err := rows.Scan(&l.lane, &l.last); err != nil {
			return nil, db.Wrap("read what the log lacks", err)
		}
		lanes = append(lanes, l)
	}
	return lanes, rows.Err()
}

// appendLane appends the next blocks of a lane, at most n.
func (s *Store) appendLane(ctx context.Context, tx bun.Tx, lane loggedLane, n int, log *merkle.Frontier) (int, error) {
	var blocks []chain.Block // the first one is the last logged one, if any
	query := tx.NewSelect().Model(&blocks).Where("b.lane = ? AND b.seq >= ?", lane.lane, lane.last).Order("b.seq")
	if err := query.Limit(int64(n) + 1).Scan(ctx); err != nil {
		return 0, db.Wrap("read blocks", err)
	}
	var last hashchain.Hash
	if lane.last > 0 && len(blocks) > 0 {
		last, blocks = blocks[0].Hash, blocks[1:]
	}
	blocks = blocks[:min(n, len(blocks))]
	var entries []EntryRow
	var hashes []HashRow
	for _, b := range blocks {
		header, err := s.verifiedHeader(b)
		if err != nil {
			return 0, err
		}
		if header.Previous != last {
			return 0, db.Defect("block %d:%d does not follow the last block of its lane in the log", b.Lane, b.Seq)
		}
		last = b.Hash
		entries = append(entries, EntryRow{N: log.Size(), Lane: b.Lane, Seq: b.Seq})
		at := merkle.StoredIndex(0, log.Size())
		for i, hash := range log.Append(header.LogLeaf()) {
			hashes = append(hashes, HashRow{N: at + int64(i), Hash: hash[:]})
		}
	}
	var asks db.Asks
	asks.Write("append to the log", addEntries.Query, addEntries.Rows(entries))
	asks.Write("append hashes to the log", addHashes.Query, addHashes.Rows(hashes))
	return len(blocks), s.DB.Within(tx).Send(ctx, &asks)
}

// verifiedHeader returns the header of a block, or an error if the service did not make the
// block: whoever can write the database can write any header, but not seal it.
func (s *Store) verifiedHeader(b chain.Block) (hashchain.Header, error) {
	header := b.Header()
	if header.Hash() != b.Hash {
		return header, db.Defect("block %d:%d does not have the hash of its header", b.Lane, b.Seq)
	}
	if err := s.Seals.Verify(hashchain.SealPurpose, b.Head().Sealed(), b.Seal); err != nil {
		return header, db.Defect("block %d:%d was not made by the service: %v", b.Lane, b.Seq, err)
	}
	return header, nil
}

// LogSize implements ports.HeadLog.
func (s *Store) LogSize(ctx context.Context) (size int64, err error) {
	err = s.DB.Read.QueryRowContext(ctx, sizeOfLog).Scan(&size)
	return size, s.DB.Unreachable("read the size of the log", err)
}

// LoggedHeaders implements ports.HeadLog.
func (s *Store) LoggedHeaders(ctx context.Context, from int64, n int) ([]hashchain.Header, error) {
	var blocks []chain.Block
	err := s.DB.Read.NewSelect().Model(&blocks).Join("JOIN log_entries AS e ON e.lane = b.lane AND e.seq = b.seq").
		Where("e.n >= ? AND e.n < ?", from, from+int64(n)).Order("e.n").Scan(ctx)
	if err != nil {
		return nil, s.DB.Unreachable("read the log", err)
	}
	headers := make([]hashchain.Header, len(blocks))
	for i, b := range blocks {
		if headers[i], err = s.verifiedHeader(b); err != nil {
			return nil, err
		}
	}
	return headers, nil
}

// LogHashes implements ports.HeadLog.
func (s *Store) LogHashes(ctx context.Context, indexes []int64) ([]merkle.Hash, error) {
	hashes, err := hashesAt(ctx, s.DB.Read, indexes)
	return hashes, s.DB.Unreachable("read hashes of the log", err)
}

func hashesAt(ctx context.Context, on bun.IDB, indexes []int64) ([]merkle.Hash, error) {
	if len(indexes) == 0 {
		return nil, nil
	}
	var rows []HashRow
	if err := on.NewSelect().Model(&rows).Where("h.n IN (?)", bun.List(indexes)).Scan(ctx); err != nil {
		return nil, db.Wrap("read hashes of the log", err)
	}
	found := make(map[int64]merkle.Hash, len(rows))
	for _, r := range rows {
		if len(r.Hash) != len(merkle.Hash{}) {
			return nil, db.Defect("hash %d of the log has %d bytes", r.N, len(r.Hash))
		}
		found[r.N] = merkle.Hash(r.Hash)
	}
	hashes := make([]merkle.Hash, len(indexes))
	for i, index := range indexes {
		hash, there := found[index]
		if !there {
			return nil, fault.New(fault.NotFound, "the log has no hash %d", index)
		}
		hashes[i] = hash
	}
	return hashes, nil
}

// LogIndex implements ports.LogCheckpoints.
func (s *Store) LogIndex(ctx context.Context, lane int, seq int64) (index int64, found bool, err error) {
	found, err = db.Found(s.DB.Read.QueryRowContext(ctx, "SELECT e.n FROM log_entries AS e WHERE e.lane = ? AND e.seq = ?", lane, seq).Scan(&index))
	return index, found, s.DB.Unreachable("find a block in the log", err)
}

// KeptLogCheckpoints implements ports.LogCheckpoints.
func (s *Store) KeptLogCheckpoints(ctx context.Context, origin string) (kept []ports.LogCheckpoint, err error) {
	list := read.From(s.Reads, checkpoints)
	if origin != "" {
		list = list.Where("c.origin = ?", origin)
	}
	err = list.Order("c.origin, c.witness").Each(ctx, "read checkpoints of the log", func(c ports.LogCheckpoint) error {
		kept = append(kept, c)
		return nil
	})
	return kept, err
}

// KeepLogCheckpoint implements ports.LogCheckpoints.
func (s *Store) KeepLogCheckpoint(ctx context.Context, c ports.LogCheckpoint) error {
	return s.RunUnguarded(ctx, logGuard, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewInsert().Model(&CheckpointRow{LogCheckpoint: c}).On("CONFLICT (origin, witness) DO UPDATE").
			Set("size = excluded.size").Set("at = excluded.at").Set("note = excluded.note").Where("excluded.size >= c.size").Exec(ctx)
		return db.Wrap("keep a checkpoint of the log", err)
	})
}
