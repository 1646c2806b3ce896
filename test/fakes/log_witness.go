package fakes

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/merkle"
	"github.com/casino-service/casino/ports"
)

// LogWitness is a witness of public logs, with somebody else's cosignatures and checks. As an
// http.Handler it is one over HTTP.
type LogWitness struct {
	signer *torchwood.CosignatureSigner

	mu   sync.Mutex
	down bool
	logs map[string]*witnessedLog
}

// witnessedLog is what a witness knows of a log.
type witnessedLog struct {
	keys note.Verifiers
	tree tlog.Tree
}

var _ ports.LogWitness = (*LogWitness)(nil)

// NewLogWitness returns a witness of no log.
func NewLogWitness(name string) *LogWitness {
	signer, err := torchwood.NewCosignatureSigner(name, Key("log witness "+name))
	if err != nil {
		panic(err)
	}
	return &LogWitness{signer: signer, logs: map[string]*witnessedLog{}}
}

// Add adds a log by its name and its verifier keys.
func (w *LogWitness) Add(origin string, keys ...string) {
	var verifiers []note.Verifier
	for _, key := range keys {
		verifier, err := note.NewVerifier(key)
		if err != nil {
			panic(err)
		}
		verifiers = append(verifiers, verifier)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.logs[origin] = &witnessedLog{keys: note.VerifierList(verifiers...)}
}

// Break makes the witness unavailable, or available again.
func (w *LogWitness) Break(down bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down = down
}

// Verifier verifies the witness's cosignatures.
func (w *LogWitness) Verifier() *torchwood.CosignatureVerifier { return w.signer.Verifier() }

// Name implements ports.LogWitness.
func (w *LogWitness) Name() string { return w.signer.Name() }

// Cosign implements ports.LogWitness.
func (w *LogWitness) Cosign(_ context.Context, old int64, proof []merkle.Hash, checkpoint string) (ports.Cosigned, error) {
	hashes := make(tlog.TreeProof, len(proof))
	for i, h := range proof {
		hashes[i] = tlog.Hash(h)
	}
	status, text := w.cosign(old, hashes, checkpoint)
	switch last, err := strconv.ParseInt(text, 10, 64); {
	case status == http.StatusOK:
		return ports.Cosigned{Signatures: text}, nil
	case status == http.StatusServiceUnavailable:
		return ports.Cosigned{}, fault.New(fault.Unavailable, "%s", text)
	case status == http.StatusConflict && err == nil:
		return ports.Cosigned{Last: &last}, nil
	}
	return ports.Cosigned{Refusal: text}, nil
}

// cosign returns the status and the text of the witness's answer.
func (w *LogWitness) cosign(old int64, proof tlog.TreeProof, checkpoint string) (int, string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.down {
		return http.StatusServiceUnavailable, "out of order"
	}
	origin, _, _ := strings.Cut(checkpoint, "\n")
	log := w.logs[origin]
	if log == nil {
		return http.StatusForbidden, "unknown log"
	}
	opened, err := note.Open([]byte(checkpoint), log.keys)
	if err != nil {
		return http.StatusForbidden, "invalid signature"
	}
	next, err := torchwood.ParseCheckpoint(opened.Text)
	if err != nil || old > next.N {
		return http.StatusBadRequest, "bad request"
	}
	if old != log.tree.N {
		return http.StatusConflict, fmt.Sprint(log.tree.N)
	}
	if old > 0 && tlog.CheckTree(proof, next.N, next.Hash, old, log.tree.Hash) != nil {
		return http.StatusUnprocessableEntity, "bad consistency proof"
	}
	log.tree = next.Tree
	signed, err := note.Sign(&note.Note{Text: opened.Text}, w.signer)
	if err != nil {
		return http.StatusInternalServerError, err.Error()
	}
	_, lines, _ := strings.Cut(string(signed), "\n\n")
	return http.StatusOK, lines
}

// ServeHTTP serves add-checkpoint.
func (w *LogWitness) ServeHTTP(to http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	head, checkpoint, split := strings.Cut(string(body), "\n\n")
	lines := strings.Split(head, "\n")
	old, number := strconv.ParseInt(strings.TrimPrefix(lines[0], "old "), 10, 64)
	if r.Method != http.MethodPost || r.URL.Path != "/add-checkpoint" || err != nil || !split || number != nil {
		http.Error(to, "bad request", http.StatusBadRequest)
		return
	}
	var proof tlog.TreeProof
	for _, line := range lines[1:] {
		hash, err := base64.StdEncoding.DecodeString(line)
		if err != nil || len(hash) != tlog.HashSize {
			http.Error(to, "bad request", http.StatusBadRequest)
			return
		}
		proof = append(proof, tlog.Hash(hash))
	}
	status, text := w.cosign(old, proof, checkpoint)
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		to.Header().Set("Content-Type", "text/x.tlog.size")
	}
	to.WriteHeader(status)
	_, _ = io.WriteString(to, strings.TrimSuffix(text, "\n")+"\n") // the client may have disconnected
}
