package headlog

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/ports"
)

// AnchorRow is a row of log_anchors.
type AnchorRow struct {
	bun.BaseModel `bun:"table:log_anchors,alias:a"`
	ports.Anchor
	Status string
}

// The states of an anchor.
const (
	anchorSent   = "sent"
	anchorLanded = "landed"
	anchorDead   = "dead" // it never will land
)

var anchors = table.ModelOf[AnchorRow, ports.Anchor]()

// firstAnchor returns the first row of a query, nil without one.
func firstAnchor(ctx context.Context, query *read.Query[ports.Anchor]) (*ports.Anchor, error) {
	found, err := query.Limit(1).All(ctx, "read anchors of the log")
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// NewestAnchors implements ports.Anchors.
func (s *Store) NewestAnchors(ctx context.Context) (landed, sent *ports.Anchor, err error) {
	landed, err = firstAnchor(ctx, read.From(s.Reads, anchors).Where("a.status = ?", anchorLanded).Order("a.at DESC, a.size DESC"))
	if err == nil {
		sent, err = firstAnchor(ctx, read.From(s.Reads, anchors).Where("a.status = ?", anchorSent))
	}
	return landed, sent, err
}

// RecordAnchor implements ports.Anchors. The index log_anchors_sent allows one in flight.
func (s *Store) RecordAnchor(ctx context.Context, a ports.Anchor) (recorded bool, err error) {
	err = s.RunUnguarded(ctx, logGuard, func(ctx context.Context, tx bun.Tx) error {
		result, err := tx.NewInsert().Model(&AnchorRow{Anchor: a, Status: anchorSent}).On("CONFLICT DO NOTHING").Exec(ctx)
		if err != nil {
			return db.Wrap("record an anchor of the log", err)
		}
		n, err := result.RowsAffected()
		recorded = n == 1
		return db.Wrap("record an anchor of the log", err)
	})
	return recorded, err
}

// EndAnchor implements ports.Anchors.
func (s *Store) EndAnchor(ctx context.Context, signature string, landed bool) error {
	status := anchorDead
	if landed {
		status = anchorLanded
	}
	return s.RunUnguarded(ctx, logGuard, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewUpdate().Model((*AnchorRow)(nil)).Set("status = ?", status).
			Where("a.signature = ? AND a.status = ?", signature, anchorSent).Exec(ctx)
		return db.Wrap("end an anchor of the log", err)
	})
}

// AnchorOf implements ports.Anchors.
func (s *Store) AnchorOf(ctx context.Context, origin string, entry int64) (ports.Anchor, bool, error) {
	found, err := firstAnchor(ctx, read.From(s.Reads, anchors).
		Where("a.origin = ? AND a.status = ? AND a.size > ?", origin, anchorLanded, entry).Order("a.size"))
	if err != nil || found == nil {
		return ports.Anchor{}, false, err
	}
	return *found, true, nil
}
