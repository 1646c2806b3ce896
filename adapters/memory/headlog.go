package memory

import (
	"cmp"
	"context"
	"slices"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/merkle"
	"github.com/casino-service/casino/ports"
)

// headLog is the log of headers. The store's blocks are its entries, in their order.
type headLog struct {
	frontier    merkle.Frontier
	headers     []hashchain.Header
	hashes      []merkle.Hash
	checkpoints []ports.LogCheckpoint // by origin and witness
	anchors     []ports.Anchor        // that landed
	sent        *ports.Anchor
}

// AppendHeads serves ports.HeadLog.
func (s *Store) AppendHeads(ctx context.Context, atMost int) (bool, error) {
	defer s.locked()()
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if err := s.control.Open(); err != nil {
		return false, err
	}
	for range atMost {
		next := len(s.log.headers)
		if next == len(s.blocks) {
			return false, nil
		}
		header := headerOf(s.blocks[next])
		s.log.headers = append(s.log.headers, header)
		s.log.hashes = append(s.log.hashes, s.log.frontier.Append(header.LogLeaf())...)
	}
	return len(s.log.headers) < len(s.blocks), nil
}

func headerOf(b ports.Block) hashchain.Header {
	return hashchain.Header{Lane: b.Lane, Seq: b.Seq, Epoch: b.Epoch, Previous: b.Previous, At: b.At, Root: b.Root, Size: b.Size}
}

// LogSize serves ports.HeadLog.
func (s *Store) LogSize(context.Context) (int64, error) {
	defer s.locked()()
	return int64(len(s.log.headers)), nil
}

// LoggedHeaders serves ports.HeadLog.
func (s *Store) LoggedHeaders(_ context.Context, from int64, n int) ([]hashchain.Header, error) {
	defer s.locked()()
	from = min(max(0, from), int64(len(s.log.headers)))
	to := min(from+int64(n), int64(len(s.log.headers)))
	return append([]hashchain.Header(nil), s.log.headers[from:to]...), nil
}

// LogHashes serves ports.HeadLog.
func (s *Store) LogHashes(_ context.Context, indexes []int64) ([]merkle.Hash, error) {
	defer s.locked()()
	found := make([]merkle.Hash, len(indexes))
	for i, index := range indexes {
		if index < 0 || index >= int64(len(s.log.hashes)) {
			return nil, fault.New(fault.NotFound, "the log has no hash %d", index)
		}
		found[i] = s.log.hashes[index]
	}
	return found, nil
}

// LogIndex serves ports.LogCheckpoints.
func (s *Store) LogIndex(_ context.Context, lane int, seq int64) (int64, bool, error) {
	defer s.locked()()
	for i, h := range s.log.headers {
		if h.Lane == lane && h.Seq == seq {
			return int64(i), true, nil
		}
	}
	return 0, false, nil
}

// KeptLogCheckpoints serves ports.LogCheckpoints.
func (s *Store) KeptLogCheckpoints(_ context.Context, origin string) (kept []ports.LogCheckpoint, err error) {
	defer s.locked()()
	for _, c := range s.log.checkpoints {
		if origin == "" || c.Origin == origin {
			kept = append(kept, c)
		}
	}
	return kept, nil
}

// KeepLogCheckpoint serves ports.LogCheckpoints.
func (s *Store) KeepLogCheckpoint(_ context.Context, c ports.LogCheckpoint) error {
	defer s.locked()()
	at, there := slices.BinarySearchFunc(s.log.checkpoints, c, func(a, b ports.LogCheckpoint) int {
		return cmp.Or(cmp.Compare(a.Origin, b.Origin), cmp.Compare(a.Witness, b.Witness))
	})
	switch {
	case !there:
		s.log.checkpoints = slices.Insert(s.log.checkpoints, at, c)
	case s.log.checkpoints[at].Size <= c.Size:
		s.log.checkpoints[at] = c
	}
	return nil
}

// NewestAnchors serves ports.Anchors.
func (s *Store) NewestAnchors(context.Context) (landed, sent *ports.Anchor, err error) {
	defer s.locked()()
	if n := len(s.log.anchors); n > 0 {
		newest := s.log.anchors[n-1]
		landed = &newest
	}
	if s.log.sent != nil {
		last := *s.log.sent
		sent = &last
	}
	return landed, sent, nil
}

// RecordAnchor serves ports.Anchors.
func (s *Store) RecordAnchor(_ context.Context, a ports.Anchor) (bool, error) {
	defer s.locked()()
	if s.log.sent != nil {
		return false, nil
	}
	s.log.sent = &a
	return true, nil
}

// EndAnchor serves ports.Anchors.
func (s *Store) EndAnchor(_ context.Context, signature string, landed bool) error {
	defer s.locked()()
	if s.log.sent == nil || s.log.sent.Signature != signature {
		return nil
	}
	if landed {
		s.log.anchors = append(s.log.anchors, *s.log.sent)
	}
	s.log.sent = nil
	return nil
}

// AnchorOf serves ports.Anchors.
func (s *Store) AnchorOf(_ context.Context, origin string, entry int64) (ports.Anchor, bool, error) {
	defer s.locked()()
	at := slices.IndexFunc(s.log.anchors, func(a ports.Anchor) bool { return a.Origin == origin && a.Size > entry })
	if at < 0 {
		return ports.Anchor{}, false, nil
	}
	return s.log.anchors[at], true, nil
}
