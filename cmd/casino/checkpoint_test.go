package main

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/test/fakes"
)

// keptCheckpoint writes an answer into a file, after change.
func keptCheckpoint(t *testing.T, answer api.CheckpointsResponse, change func(*api.CheckpointsResponse)) string {
	t.Helper()
	signed := *answer.Signed
	answer.Signed = &signed
	change(&answer)
	raw, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "kept.json")
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAKeptCheckpointIsVerified(t *testing.T) {
	t.Parallel()
	signer := fakes.StatementSigner{Names: []string{"k1", "k0"}}
	head := hashchain.Head{Lane: 2, Seq: 7, Hash: hashchain.Hash{1}}
	statement := checkpoint.Statement{Purpose: checkpoint.Public, Ledger: "the ledger", Epoch: 3, At: time.UnixMilli(1_795_262_400_000), Heads: []hashchain.Head{head}}
	encoded := func(k checkpoint.Key) string { return base64.StdEncoding.EncodeToString(k.PKIX()) }
	sign := func(purpose checkpoint.Purpose) api.CheckpointsResponse {
		statement.Purpose = purpose
		signed, err := signer.Sign(statement)
		if err != nil {
			t.Fatal(err)
		}
		return api.CheckpointsResponse{
			Checkpoints: []api.Checkpoint{{Head: checkpoint.HeadText(head)}},
			Signed:      &api.SignedCheckpoint{Statement: signed.Text, Kid: signed.Key, Signature: base64.StdEncoding.EncodeToString(signed.Signature)},
		}
	}
	good, key := sign(checkpoint.Public), "k1:"+encoded(signer.PublicKeys()[0])
	same := func(*api.CheckpointsResponse) {}
	out, errOut, code := runCasino(t, "checkpoint", keptCheckpoint(t, good, same), "--key", key)
	if code != exitDone || !strings.Contains(out, "ledger the ledger, epoch 3, at 2026-11-21T12:00:00Z, slot unknown") || !strings.Contains(out, checkpoint.HeadText(head)) {
		t.Errorf("exit %d\n%s%s", code, out, errOut)
	}
	for name, c := range map[string]struct {
		answer api.CheckpointsResponse
		key    string
		change func(*api.CheckpointsResponse)
		code   int
	}{
		"another key":           {good, "k1:" + encoded(signer.PublicKeys()[1]), same, exitFailed},
		"a key of another name": {good, "k0:" + encoded(signer.PublicKeys()[1]), same, exitFailed},
		"no key":                {good, "k1", same, exitUsage},
		"half a key":            {good, key[:len(key)-4], same, exitUsage},
		"an audit's":            {sign(checkpoint.Audit), key, same, exitFailed},
		"a changed epoch": {good, key, func(a *api.CheckpointsResponse) {
			a.Signed.Statement = strings.Replace(a.Signed.Statement, "epoch: 3", "epoch: 1", 1)
		}, exitFailed},
		"another head beside it": {good, key, func(a *api.CheckpointsResponse) {
			a.Checkpoints = []api.Checkpoint{{Head: checkpoint.HeadText(hashchain.Head{Lane: 2, Seq: 8})}}
		}, exitFailed},
		"a head left out beside it": {good, key, func(a *api.CheckpointsResponse) { a.Checkpoints = nil }, exitFailed},
		"a signature of text":       {good, key, func(a *api.CheckpointsResponse) { a.Signed.Signature = "?" }, exitFailed},
	} {
		out, errOut, code := runCasino(t, "checkpoint", keptCheckpoint(t, c.answer, c.change), "--key", c.key)
		if code != c.code || strings.Contains(out, "signed by") || strings.Contains(errOut, "panic") {
			t.Errorf("%s: exit %d\n%s%s", name, code, out, errOut)
		}
	}
}

// checkpointHolds keeps a running service's checkpoint, verifies it, and returns its head
// for an audit.
func (w *world) checkpointHolds(s *running) (head string) {
	w.t.Helper()
	answer, err := http.Get(s.api + "/public/checkpoints")
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	raw, err := io.ReadAll(answer.Body)
	var kept api.CheckpointsResponse
	oneLane := !strings.HasPrefix(w.settings["database-url"], "postgres") // SQLite has one, a server several
	if err != nil || json.Unmarshal(raw, &kept) != nil || kept.Signed == nil || kept.Signed.Slot == nil || *kept.Signed.Slot == 0 || len(kept.Checkpoints) == 0 || oneLane && len(kept.Checkpoints) != 1 {
		w.t.Fatalf("%v: a service with a chain states %s", err, raw)
	}
	file := w.file("kept.json", string(raw))
	out, errOut, code := runCasino(w.t, "checkpoint", file, "--key", kept.Keys[0].Kid+":"+kept.Keys[0].PublicKey)
	if code != exitDone {
		w.t.Errorf("casino checkpoint: exit %d\n%s%s", code, out, errOut)
	}
	for _, c := range kept.Checkpoints {
		if !strings.Contains(out, c.Head) {
			w.t.Errorf("casino checkpoint doesn't print the head %s:\n%s", c.Head, out)
		}
	}
	return kept.Checkpoints[len(kept.Checkpoints)-1].Head
}
