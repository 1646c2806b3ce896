package memory

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/ports"
)

var errNoRecord = errors.New("memory: an epoch is begun without an audit record")

// BeginEpoch serves ports.Recovery. The decision must not call the store.
func (s *Store) BeginEpoch(ctx context.Context, known []hashchain.Head, decide ports.ControlDecision) ([]hashchain.Head, error) {
	if err := hashchain.CheckKnown(known); err != nil {
		return nil, err
	}
	defer s.locked()()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	next, record, err := decide(s.control.Clone())
	if err != nil {
		return nil, err
	}
	if err := control.CheckNext(*s.control, next); err != nil {
		return nil, err
	}
	switch {
	case record == nil:
		return nil, errNoRecord
	case s.records[record.ID]:
		return nil, fmt.Errorf("memory: audit record %q exists already", record.ID)
	}
	next = next.Clone()
	s.control = &next
	newest, greatest := maps.Clone(s.heads), map[int]int64{}
	for _, head := range append([]hashchain.Head{{Lane: lane}}, known...) {
		if _, there := newest[head.Lane]; !there {
			newest[head.Lane] = hashchain.Head{Lane: head.Lane}
		}
		greatest[head.Lane] = max(greatest[head.Lane], head.Seq)
	}
	s.keepRecord(*record)
	content := hashchain.Content{At: record.At, Epoch: next.Epoch, Audit: []audit.Record{*record}}
	var heads []hashchain.Head
	for _, lane := range slices.Sorted(maps.Keys(newest)) {
		block := hashchain.Begin(newest[lane], greatest[lane], content)
		s.appendBlock(block, content)
		heads = append(heads, block.Head())
		content.Audit = nil
	}
	return heads, nil
}
