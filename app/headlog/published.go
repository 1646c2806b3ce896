package headlog

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/merkle"
	"github.com/casino-service/casino/ports"
)

// tileHeight is the number of levels of a tile, as tlog-tiles says.
const tileHeight = 8

// cosignedMax is for how long a cosigned checkpoint is published instead of a newer one that
// no witness has cosigned yet.
const cosignedMax = 10 * time.Second

var errNoCheckpoint = fault.New(fault.NotFound, "the log has no checkpoint yet")

// Checkpoint returns the published checkpoint of the epoch's log, with its cosignatures: the
// newest, or one that a witness cosigned within the last ten seconds. It returns a fault of
// kind NotFound before the first, and for the log of another epoch. Epoch 0 is the present
// one.
func (s *Service) Checkpoint(ctx context.Context, epoch int64) (ports.LogCheckpoint, error) {
	state, err := s.core.Store.Controls.State(ctx)
	if err != nil {
		return ports.LogCheckpoint{}, err
	}
	if epoch != 0 && epoch != state.Epoch {
		return ports.LogCheckpoint{}, fault.New(fault.NotFound, "this is not the log of the present epoch, which is %d", state.Epoch)
	}
	kept, err := s.core.Store.LogCheckpoints.KeptLogCheckpoints(ctx, originOf(state))
	if err != nil {
		return ports.LogCheckpoint{}, err
	}
	if len(kept) == 0 || kept[0].Witness != "" {
		return ports.LogCheckpoint{}, errNoCheckpoint
	}
	chosen := kept[0]
	if cosigned := largestCosigned(kept); kernel.Now(s.core.Clock).Sub(cosigned.At) < cosignedMax {
		chosen = cosigned
	}
	for _, c := range kept {
		if c.Size == chosen.Size {
			chosen.Note = joinSignatures(chosen.Note, c.Note)
		}
	}
	published, err := s.verified(chosen)
	return published.LogCheckpoint, err
}

func largestCosigned(kept []ports.LogCheckpoint) (largest ports.LogCheckpoint) {
	for _, c := range kept {
		if c.Witness != "" && c.Size > largest.Size {
			largest = c
		}
	}
	return largest
}

// joinSignatures adds the lines of signatures of another note with the same text.
func joinSignatures(note, other string) string {
	_, lines, _ := strings.Cut(other, "\n\n")
	for line := range strings.Lines(lines) {
		if !strings.Contains(note, line) {
			note += line
		}
	}
	return note
}

// VerifierKeys returns the keys that verify the log's checkpoints, as C2SP signed-note
// writes them, newest first; none before the ledger has an id.
func (s *Service) VerifierKeys(ctx context.Context) ([]string, error) {
	state, err := s.core.Store.Controls.State(ctx)
	if err != nil || state.Ledger == "" {
		return nil, err
	}
	return s.keysOf(originOf(state))
}

// errNoTile refuses a tile that the log doesn't have.
var errNoTile = fault.New(fault.NotFound, "the log has no such tile")

// Tile returns a tile of the epoch's log by its path below /tile/ as C2SP tlog-tiles writes
// it. It returns a fault of kind NotFound for one that the newest signed checkpoint doesn't
// cover. A tile never changes.
func (s *Service) Tile(ctx context.Context, epoch int64, level, index string) ([]byte, error) {
	if level == "entries" {
		level = "data"
	} else if level == "data" {
		return nil, errNoTile
	}
	tile, err := tlog.ParseTilePath(fmt.Sprintf("tile/%d/%s/%s", tileHeight, level, index))
	if err != nil {
		return nil, errNoTile
	}
	newest, err := s.newestOf(ctx, epoch)
	if err != nil {
		return nil, err
	}
	if tile.N > newest.Size || tile.N<<tileHeight+int64(tile.W) > newest.Size>>(tileHeight*max(0, tile.L)) {
		return nil, errNoTile
	}
	if tile.L < 0 {
		return s.entries(ctx, tile)
	}
	return tlog.ReadTileData(tile, s.hashReader(ctx))
}

// newestOf returns the newest signed checkpoint of the epoch's log.
func (s *Service) newestOf(ctx context.Context, epoch int64) (tree, error) {
	state, err := s.core.Store.Controls.State(ctx)
	if err == nil && epoch != state.Epoch {
		err = errNoTile
	}
	if err != nil {
		return tree{}, err
	}
	return s.newest(ctx, originOf(state))
}

// entries returns the entries of a tile, each after its length in two bytes.
func (s *Service) entries(ctx context.Context, tile tlog.Tile) (data []byte, err error) {
	headers, err := s.core.Store.HeadLog.LoggedHeaders(ctx, tile.N<<tileHeight, tile.W)
	if err != nil {
		return nil, err
	}
	if len(headers) < tile.W {
		return nil, errNoTile
	}
	for _, h := range headers {
		text := h.Text()
		data = append(binary.BigEndian.AppendUint16(data, uint16(len(text))), text...) // #nosec G115 -- a header has 300 bytes
	}
	return data, nil
}

// Inclusion proves that a checkpoint's tree has an entry.
type Inclusion struct {
	Checkpoint ports.LogCheckpoint
	Index      int64
	Path       []merkle.Hash
}

// Prove proves that the published checkpoint's tree has a block's header. It returns nil
// while it doesn't.
func (s *Service) Prove(ctx context.Context, block hashchain.Header) (*Inclusion, error) {
	published, err := s.Checkpoint(ctx, 0)
	if errors.Is(err, errNoCheckpoint) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	index, found, err := s.core.Store.LogCheckpoints.LogIndex(ctx, block.Lane, block.Seq)
	if err != nil || !found || index >= published.Size {
		return nil, err
	}
	proof, err := tlog.ProveRecord(published.Size, index, s.hashReader(ctx))
	return &Inclusion{Checkpoint: published, Index: index, Path: hashesOf(proof)}, err
}

func hashesOf(proof []tlog.Hash) []merkle.Hash {
	path := make([]merkle.Hash, len(proof))
	for i, hash := range proof {
		path[i] = merkle.Hash(hash)
	}
	return path
}

// hashReader reads the log's hashes from the store.
func (s *Service) hashReader(ctx context.Context) tlog.HashReader {
	return tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		found, err := s.core.Store.HeadLog.LogHashes(ctx, indexes)
		hashes := make([]tlog.Hash, len(found))
		for i, hash := range found {
			hashes[i] = tlog.Hash(hash)
		}
		return hashes, err
	})
}
