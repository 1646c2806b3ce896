// Package headlog publishes the log of all lanes' block headers as a transparency log: signed
// checkpoints with cosignatures of witnesses, tiles, and proofs that the log has a block.
package headlog

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/merkle"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/ports"
)

// Interval is the pause between two checkpoints.
const Interval = time.Second

// appendMax is about how many blocks one step appends, and the most that a checkpoint adds.
const appendMax = 1000

// Outside keeps the newest signed checkpoints outside the database, so that no checkpoint of
// a restored database contradicts them. It is safe for concurrent use.
type Outside interface {
	// LogHeads returns the kept checkpoints, each with witness.LogLane.
	LogHeads(ctx context.Context) []witness.Head
	// KeepLogHead keeps a checkpoint, unless a later one is kept.
	KeepLogHead(h witness.Head)
}

// Service has the use cases of the log. It is safe for concurrent use.
type Service struct {
	core      *kernel.Kernel
	signer    ports.ReceiptSigner
	outside   Outside
	witnesses []ports.LogWitness
}

// New returns the use cases of the log. The signer signs its checkpoints. If outside is nil, they
// are kept in the database alone.
func New(core *kernel.Kernel, signer ports.ReceiptSigner, outside Outside, witnesses []ports.LogWitness) *Service {
	return &Service{core, signer, outside, witnesses}
}

// alarmAbout is the subject of the alarm that the log can't go on.
const alarmAbout = "log"

// Step appends new blocks to the log and signs a checkpoint of it. It reports whether there
// is more to append or to sign.
func (s *Service) Step(ctx context.Context) (bool, error) {
	more, err := s.step(ctx)
	if err == nil {
		s.core.Alarms.Over(ctx, alarm.PublicLog, alarmAbout)
	} else if ctx.Err() == nil && !fault.Is(err, fault.Unavailable) && !fault.Is(err, fault.Maintenance) {
		s.core.Alarms.Raise(ctx, alarm.PublicLog, alarmAbout, "error", err.Error())
	}
	return more, err
}

func (s *Service) step(ctx context.Context) (bool, error) {
	state, err := s.core.Store.Controls.State(ctx)
	if err != nil || state.Ledger == "" || state.Restored != nil {
		return false, err
	}
	unlogged, err := s.core.Store.HeadLog.AppendHeads(ctx, appendMax)
	if err != nil {
		return false, err
	}
	unsigned, err := s.signNext(ctx, state)
	return unlogged || unsigned, err
}

// signNext signs the next checkpoint if the log has grown, and reports whether there are
// entries beyond it.
func (s *Service) signNext(ctx context.Context, state control.State) (more bool, err error) {
	size, err := s.core.Store.HeadLog.LogSize(ctx)
	if err != nil {
		return false, err
	}
	last, err := s.newest(ctx, originOf(state))
	if err != nil || last.Size == size {
		return false, err
	}
	next, log, err := s.lastSigned(ctx, state, last)
	if err != nil {
		return false, err
	}
	headers, err := s.core.Store.HeadLog.LoggedHeaders(ctx, next.Seq, int(min(max(0, size-next.Seq), appendMax)))
	if err != nil {
		return false, err
	}
	for _, h := range headers {
		log.Append(h.LogLeaf())
	}
	next.Seq, next.Hash = log.Size(), hashchain.Hash(log.Root())
	stored, err := RootAt(ctx, s.core.Store.HeadLog, next.Seq)
	if err != nil {
		return false, err
	}
	if hashchain.Hash(stored) != next.Hash {
		return false, fmt.Errorf("the stored hashes of the log's %d entries are not those of the blocks: nothing is signed", next.Seq)
	}
	return next.Seq < size, s.sign(ctx, state, next)
}

// lastSigned returns the largest checkpoint of the epoch that is known to be signed, the
// zero checkpoint before the first, and the log at that size. It returns an error if the
// stored log doesn't extend all of them: what is signed then would contradict them.
func (s *Service) lastSigned(ctx context.Context, state control.State, last tree) (largest witness.Head, log merkle.Frontier, err error) {
	largest = witness.Head{Head: hashchain.Head{Lane: witness.LogLane}, Epoch: state.Epoch}
	var known []witness.Head // read before the log, which must have the entries of all of them
	if s.outside != nil {
		known = s.outside.LogHeads(ctx)
	}
	if last.Size > 0 {
		known = append(known, witness.Head{Head: hashchain.Head{Lane: witness.LogLane, Seq: last.Size, Hash: last.root}, Epoch: state.Epoch})
	}
	for _, h := range known {
		if h.Seq == 0 || h.Epoch < state.Epoch {
			continue
		}
		stored, err := frontierAt(ctx, s.core.Store.HeadLog, h.Seq)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return largest, log, err
		}
		if err != nil || h.Epoch > state.Epoch || hashchain.Hash(stored.Root()) != h.Hash {
			return largest, log, fmt.Errorf("the log in the database does not extend the signed checkpoint %s of epoch %d: "+
				"the database was restored or changed, and nothing is signed", witness.Name(h.Head), h.Epoch)
		}
		if h.Seq > largest.Seq {
			largest, log = h, stored
		}
	}
	return largest, log, nil
}

// sign signs and keeps a checkpoint.
func (s *Service) sign(ctx context.Context, state control.State, next witness.Head) error {
	origin := originOf(state)
	text := fmt.Sprintf("%s\n%d\n%s\n", origin, next.Seq, base64.StdEncoding.EncodeToString(next.Hash[:]))
	signed, err := note.Sign(&note.Note{Text: text}, logSigner{origin, s.signer})
	if err != nil {
		return fmt.Errorf("sign a checkpoint of the log: %w", err)
	}
	// A later epoch means that the tree may not extend the earlier checkpoints of the origin.
	if now, err := s.core.Store.Controls.State(ctx); err != nil || originOf(now) != origin || now.Restored != nil {
		return err
	}
	if s.outside != nil {
		s.outside.KeepLogHead(next)
	}
	return s.core.Store.LogCheckpoints.KeepLogCheckpoint(ctx, ports.LogCheckpoint{
		Origin: origin, Size: next.Seq, At: kernel.Now(s.core.Clock), Note: string(signed),
	})
}

// RootAt returns the root of the log's first entries from the stored hashes. It returns a
// fault of kind NotFound if the log has fewer.
func RootAt(ctx context.Context, log ports.HeadLog, size int64) (merkle.Hash, error) {
	frontier, err := frontierAt(ctx, log, size)
	if err != nil {
		return merkle.Hash{}, err
	}
	return frontier.Root(), nil
}

func frontierAt(ctx context.Context, log ports.HeadLog, size int64) (merkle.Frontier, error) {
	hashes, err := log.LogHashes(ctx, merkle.FrontierIndexes(size))
	return merkle.FrontierOf(size, hashes), err
}

// originOf names the log. A database that was restored begins an epoch, and with it a log
// of another name: the former one never forks.
func originOf(state control.State) string {
	return fmt.Sprintf("casino/%s/%d", state.Ledger, state.Epoch)
}

// tree is a stored checkpoint with its root.
type tree struct {
	ports.LogCheckpoint
	root hashchain.Hash
}

// ParseCheckpoint returns the size and the root in the note of a checkpoint. It checks no
// signature.
func ParseCheckpoint(origin, note string) (size int64, root hashchain.Hash, err error) {
	lines := strings.SplitN(note, "\n", 5)
	if len(lines) < 5 || lines[0] != origin || lines[3] != "" {
		return 0, root, errNoNote
	}
	size, sizeErr := strconv.ParseInt(lines[1], 10, 64)
	hash, hashErr := tlog.ParseHash(lines[2])
	if sizeErr != nil || hashErr != nil {
		return 0, root, errNoNote
	}
	return size, hashchain.Hash(hash), nil
}

var errNoNote = errors.New("the stored checkpoint is not one of the log")

// newest returns the newest checkpoint that the service signed, and of size 0 before the
// first. It returns an error if the stored one isn't signed by the service.
func (s *Service) newest(ctx context.Context, origin string) (newest tree, err error) {
	kept, err := s.core.Store.LogCheckpoints.KeptLogCheckpoints(ctx, origin)
	if err != nil || len(kept) == 0 || kept[0].Witness != "" {
		return newest, err
	}
	return s.verified(kept[0])
}

// verified checks a stored checkpoint, which whoever can write the database can replace.
func (s *Service) verified(c ports.LogCheckpoint) (tree, error) {
	keys, err := s.verifiers(c.Origin)
	if err != nil {
		return tree{}, err
	}
	if _, err := note.Open([]byte(c.Note), keys); err != nil {
		return tree{}, fmt.Errorf("the stored checkpoint of the log is not signed by a receipt key of this service: %w", err)
	}
	size, root, err := ParseCheckpoint(c.Origin, c.Note)
	if err == nil && size != c.Size {
		err = errNoNote
	}
	return tree{c, root}, err
}

func (s *Service) verifiers(origin string) (note.Verifiers, error) {
	keys, err := s.keysOf(origin)
	if err != nil {
		return nil, err
	}
	all := make([]note.Verifier, len(keys))
	for i, key := range keys {
		if all[i], err = note.NewVerifier(key); err != nil {
			return nil, err
		}
	}
	return note.VerifierList(all...), nil
}

func (s *Service) keysOf(origin string) (keys []string, err error) {
	for _, k := range s.signer.PublicKeys() {
		key, err := note.NewEd25519VerifierKey(origin, k.Public)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
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
