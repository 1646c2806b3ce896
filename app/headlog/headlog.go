// Package headlog publishes the log of all lanes' block headers as a transparency log: signed
// checkpoints, tiles, and proofs that the log has a block.
package headlog

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/merkle"
	"github.com/casino-service/casino/ports"
)

// Interval is the pause between two checkpoints.
const Interval = time.Second

// appendMax is about how many blocks one step appends.
const appendMax = 1000

// tileHeight is the number of levels of a tile, as tlog-tiles says.
const tileHeight = 8

// Service has the use cases of the log. It is safe for concurrent use.
type Service struct {
	core   *kernel.Kernel
	signer ports.ReceiptSigner
}

// New returns the use cases of the log. The signer signs its checkpoints.
func New(core *kernel.Kernel, signer ports.ReceiptSigner) *Service { return &Service{core, signer} }

// Step appends new blocks to the log and signs a checkpoint of it. It reports whether there
// are more blocks to append.
func (s *Service) Step(ctx context.Context) (bool, error) {
	store := s.core.Store
	state, err := store.Controls.State(ctx)
	if err != nil || state.Ledger == "" {
		return false, err
	}
	more, err := store.HeadLog.AppendHeads(ctx, appendMax)
	if err != nil || more {
		return more, err
	}
	origin := originOf(state)
	size, err := store.HeadLog.LogSize(ctx)
	if err != nil || size == 0 {
		return false, err
	}
	if kept, err := store.LogCheckpoints.LogCheckpoint(ctx, origin); err != nil || kept.Size >= size {
		return false, err
	}
	root, err := tlog.TreeHash(size, s.hashReader(ctx))
	if err != nil {
		return false, err
	}
	text := fmt.Sprintf("%s\n%d\n%s\n", origin, size, base64.StdEncoding.EncodeToString(root[:]))
	signed, err := note.Sign(&note.Note{Text: text}, logSigner{origin, s.signer})
	if err != nil {
		return false, fmt.Errorf("sign a checkpoint of the log: %w", err)
	}
	// A later epoch means that the tree may not extend the earlier checkpoints of the origin.
	if now, err := store.Controls.State(ctx); err != nil || originOf(now) != origin || now.Restored != nil {
		return false, err
	}
	return false, store.LogCheckpoints.KeepLogCheckpoint(ctx, ports.LogCheckpoint{Origin: origin, Size: size, Note: string(signed)})
}

// originOf names the log. A database that was restored begins an epoch, and with it a log
// of another name: the former one never forks.
func originOf(state control.State) string {
	return fmt.Sprintf("casino/%s/%d", state.Ledger, state.Epoch)
}

var errNoCheckpoint = fault.New(fault.NotFound, "the log has no checkpoint yet")

// Checkpoint returns the newest checkpoint, or a fault of kind NotFound before the first.
func (s *Service) Checkpoint(ctx context.Context) (ports.LogCheckpoint, error) {
	state, err := s.core.Store.Controls.State(ctx)
	if err != nil {
		return ports.LogCheckpoint{}, err
	}
	newest, err := s.core.Store.LogCheckpoints.LogCheckpoint(ctx, originOf(state))
	if err == nil && newest.Size == 0 {
		err = errNoCheckpoint
	}
	return newest, err
}

// VerifierKeys returns the keys that verify the log's checkpoints, as C2SP signed-note
// writes them, newest first; none before the ledger has an id.
func (s *Service) VerifierKeys(ctx context.Context) (keys []string, err error) {
	state, err := s.core.Store.Controls.State(ctx)
	if err != nil || state.Ledger == "" {
		return nil, err
	}
	for _, k := range s.signer.PublicKeys() {
		key, err := note.NewEd25519VerifierKey(originOf(state), k.Public)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// errNoTile refuses a tile that the log doesn't have.
var errNoTile = fault.New(fault.NotFound, "the log has no such tile")

// Tile returns a tile by its path below /tile/ as C2SP tlog-tiles writes it. It returns a
// fault of kind NotFound for one that the log doesn't have.
func (s *Service) Tile(ctx context.Context, level, index string) ([]byte, error) {
	if level == "entries" {
		level = "data"
	} else if level == "data" {
		return nil, errNoTile
	}
	tile, err := tlog.ParseTilePath(fmt.Sprintf("tile/%d/%s/%s", tileHeight, level, index))
	if err != nil {
		return nil, errNoTile
	}
	if tile.L < 0 {
		return s.entries(ctx, tile)
	}
	return tlog.ReadTileData(tile, s.hashReader(ctx))
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

// Prove proves that the newest checkpoint's tree has a block's header. It returns nil while
// no checkpoint has it.
func (s *Service) Prove(ctx context.Context, block hashchain.Header) (*Inclusion, error) {
	newest, err := s.Checkpoint(ctx)
	if errors.Is(err, errNoCheckpoint) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	index, found, err := s.core.Store.LogCheckpoints.LogIndex(ctx, block.Lane, block.Seq)
	if err != nil || !found || index >= newest.Size {
		return nil, err
	}
	proof, err := tlog.ProveRecord(newest.Size, index, s.hashReader(ctx))
	if err != nil {
		return nil, err
	}
	made := &Inclusion{Checkpoint: newest, Index: index}
	for _, hash := range proof {
		made.Path = append(made.Path, merkle.Hash(hash))
	}
	return made, nil
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

// logSigner signs checkpoints as notes.
type logSigner struct {
	origin string
	signer ports.ReceiptSigner
}

// Name returns the origin.
func (s logSigner) Name() string { return s.origin }

// KeyHash returns the hash of the newest key, which signs.
func (s logSigner) KeyHash() uint32 {
	key, err := note.NewEd25519VerifierKey(s.origin, s.signer.PublicKeys()[0].Public)
	if err != nil {
		return 0
	}
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return 0
	}
	return verifier.KeyHash()
}

// Sign signs a checkpoint's text.
func (s logSigner) Sign(text []byte) ([]byte, error) {
	signed, err := s.signer.SignText(string(text))
	return signed.Signature, err
}
