package conformance

import (
	"fmt"
	"strings"
	"testing"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/merkle"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// LogWitnessUnderTest is a ports.LogWitness that asks a fake.
type LogWitnessUnderTest struct {
	ports.LogWitness
	Asked *fakes.LogWitness
}

// witnessedOrigin names the suite's log.
const witnessedOrigin = "casino/ledger/1"

// signedLog is a log whose checkpoints the suite signs.
type signedLog struct {
	t      *testing.T
	signer note.Signer
	hashes []tlog.Hash
	size   int64
}

func newSignedLog(t *testing.T) (log *signedLog, key string) {
	t.Helper()
	secret, key, err := note.GenerateKey(nil, witnessedOrigin)
	ok(t, err)
	signer, err := note.NewSigner(secret)
	ok(t, err)
	return &signedLog{t: t, signer: signer}, key
}

// ReadHashes implements tlog.HashReader.
func (l *signedLog) ReadHashes(indexes []int64) (read []tlog.Hash, err error) {
	for _, i := range indexes {
		read = append(read, l.hashes[i])
	}
	return read, nil
}

// grow adds entries and returns a checkpoint.
func (l *signedLog) grow(entries ...string) string {
	l.t.Helper()
	for _, entry := range entries {
		stored, err := tlog.StoredHashes(l.size, []byte(entry), l)
		ok(l.t, err)
		l.hashes, l.size = append(l.hashes, stored...), l.size+1
	}
	root, err := tlog.TreeHash(l.size, l)
	ok(l.t, err)
	signed, err := note.Sign(&note.Note{Text: fmt.Sprintf("%s\n%d\n%s\n", witnessedOrigin, l.size, root)}, l.signer)
	ok(l.t, err)
	return string(signed)
}

// from proves that the log extends the one of old entries.
func (l *signedLog) from(old int64) (path []merkle.Hash) {
	l.t.Helper()
	proof, err := tlog.ProveTree(l.size, old, l)
	ok(l.t, err)
	for _, h := range proof {
		path = append(path, merkle.Hash(h))
	}
	return path
}

// LogWitness is the suite of ports.LogWitness.
func LogWitness(t *testing.T, open func(t *testing.T) LogWitnessUnderTest) {
	for sentence, prove := range logWitnessCases {
		sub(t, sentence, func(t *testing.T) {
			w := open(t)
			log, key := newSignedLog(t)
			w.Asked.Add(witnessedOrigin, key)
			prove(t, w, log)
		})
	}
}

// cosigned fails unless the witness cosigns.
func (w LogWitnessUnderTest) cosigned(t *testing.T, old int64, proof []merkle.Hash, checkpoint string) {
	t.Helper()
	answer, err := w.Cosign(background, old, proof, checkpoint)
	fatalIf(t, err != nil || answer.Signatures == "" || answer.Last != nil || answer.Refusal != "", "%+v, %v", answer, err)
	opened, err := note.Open([]byte(checkpoint+answer.Signatures), note.VerifierList(w.Asked.Verifier()))
	ok(t, err)
	at, err := torchwood.CosignatureTimestamp(opened.Sigs[0])
	errorIf(t, err != nil || at <= 0 || w.Name() != opened.Sigs[0].Name || !strings.HasSuffix(answer.Signatures, "\n"), "%+v at %d, %v", answer, at, err)
}

var logWitnessCases = map[string]func(*testing.T, LogWitnessUnderTest, *signedLog){
	"a first checkpoint and those that extend it are cosigned": func(t *testing.T, w LogWitnessUnderTest, log *signedLog) {
		w.cosigned(t, 0, nil, log.grow("a", "b", "c"))
		checkpoint := log.grow("d", "e")
		w.cosigned(t, 3, log.from(3), checkpoint)
		w.cosigned(t, 5, nil, log.grow())
	},
	"another old size is answered with the right one": func(t *testing.T, w LogWitnessUnderTest, log *signedLog) {
		w.cosigned(t, 0, nil, log.grow("a", "b"))
		checkpoint := log.grow("c")
		for _, old := range []int64{0, 1} {
			answer, err := w.Cosign(background, old, nil, checkpoint)
			fatalIf(t, err != nil || answer.Last == nil || *answer.Last != 2 || answer.Signatures != "" || answer.Refusal != "", "%+v, %v", answer, err)
		}
		w.cosigned(t, 2, log.from(2), checkpoint)
	},
	"what is no extension, or of an unknown log, is refused with a reason": func(t *testing.T, w LogWitnessUnderTest, log *signedLog) {
		w.cosigned(t, 0, nil, log.grow("a", "b"))
		other := &signedLog{t: t, signer: log.signer}
		forked := other.grow("a", "x", "c")
		stranger, _ := newSignedLog(t)
		for name, ask := range map[string]struct {
			proof      []merkle.Hash
			checkpoint string
		}{"a fork": {other.from(2), forked}, "no proof": {nil, forked}, "another's": {nil, stranger.grow("a", "b", "c")}} {
			answer, err := w.Cosign(background, 2, ask.proof, ask.checkpoint)
			errorIf(t, err != nil || answer.Refusal == "" || answer.Signatures != "" || answer.Last != nil, "%s: %+v, %v", name, answer, err)
		}
	},
	"a witness that is down is unavailable": func(t *testing.T, w LogWitnessUnderTest, log *signedLog) {
		w.Asked.Break(true)
		answer, err := w.Cosign(background, 0, nil, log.grow("a"))
		errorIf(t, !fault.Is(err, fault.Unavailable) || answer != ports.Cosigned{}, "%+v, %v", answer, err)
		w.Asked.Break(false)
		w.cosigned(t, 0, nil, log.grow())
	},
}
