package httpapi_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/oasdiff/yaml"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// byHand returns the contract's commands for verifying a checkpoint, and its example.
func byHand(t *testing.T) (commands string, example []byte) {
	t.Helper()
	raw, err := os.ReadFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	type content struct{ Example any }
	var contract struct {
		Paths map[string]map[string]struct {
			Description string
			Responses   map[string]struct{ Content map[string]content }
		}
	}
	if _, err := yaml.Unmarshal(raw, &contract, yaml.DecodeOpts{}); err != nil {
		t.Fatal(err)
	}
	get := contract.Paths["/public/checkpoints"]["get"]
	for line := range strings.Lines(get.Description) {
		if command, indented := strings.CutPrefix(line, "    "); indented {
			commands += command
		}
	}
	example, err = json.Marshal(get.Responses["200"].Content["application/json"].Example)
	if err != nil || strings.Count(commands, "\n") != 4 {
		t.Fatalf("%v: the commands are\n%s", err, commands)
	}
	return commands, example
}

// TestCheckpointsVerifyByHand runs the contract's commands on its example and on an answer
// of the service, and on changed copies of both.
func TestCheckpointsVerifyByHand(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"sh", "jq", "base64", "openssl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%v", err) // allowed: the commands are for people who have these tools; casino checkpoint is tested without
		}
	}
	commands, example := byHand(t)
	answer := answered(t)
	verify := func(text []byte) (string, bool) {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "checkpoint.json"), text, 0o600); err != nil {
			t.Fatal(err)
		}
		run := exec.CommandContext(t.Context(), "sh", "-ec", commands)
		run.Dir = folder
		out, err := run.CombinedOutput()
		return string(out), err == nil
	}
	for name, text := range map[string][]byte{"the example": example, "an answer": answer} {
		if out, good := verify(text); !good || !strings.Contains(out, "Verified Successfully") {
			t.Errorf("%s doesn't verify: %s", name, out)
		}
		changed := bytes.Replace(text, []byte(`epoch: 1\n`), []byte(`epoch: 2\n`), 1)
		if bytes.Equal(changed, text) {
			t.Fatalf("%s states no epoch: %s", name, text)
		}
		if out, good := verify(changed); good {
			t.Errorf("%s verifies although it was changed: %s", name, out)
		}
	}
}

// answered returns an answer of a service that signs.
func answered(t *testing.T) []byte {
	t.Helper()
	h := openHouse(t, setup{deps: func(d *app.Deps) {
		d.Statements = fakes.StatementSigner{Names: []string{"2026-01", "2025-12"}}
	}})
	h.must(h.store.Initialize(t.Context(), ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "the ledger"}))
	first := h.ask(question{method: http.MethodGet, path: "/public/checkpoints"}).ok(http.StatusOK)
	again := h.ask(question{method: http.MethodGet, path: "/public/checkpoints"}).ok(http.StatusOK)
	if !bytes.Equal(first.text, again.text) {
		t.Errorf("two answers within a second:\n%s\n%s", first.text, again.text)
	}
	var read api.CheckpointsResponse
	h.must(json.Unmarshal(first.text, &read))
	if read.Signed == nil || len(read.Keys) != 2 || read.Signed.Kid != "2026-01" {
		t.Fatalf("answered %s", first.text)
	}
	stated, err := checkpoint.Parse(read.Signed.Statement)
	h.must(err)
	if stated.Ledger != read.Signed.Ledger || stated.Epoch != read.Signed.Epoch || stated.At.UnixMilli() != read.Signed.Time ||
		read.Signed.Slot != nil || stated.Slot != nil || len(stated.Heads) != len(read.Checkpoints) {
		t.Errorf("beside the statement %+v stands %+v", stated, read)
	}
	h.clock.Advance(time.Second)
	return first.text
}
