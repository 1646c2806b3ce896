package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/cmd/internal/capture"
	"github.com/casino-service/casino/cmd/internal/cli"
)

// captured returns the number of captured rounds of each game: few, unless
// CASINO_TEST_CAPTURE_ROUNDS is set.
func captured(t *testing.T) int {
	t.Helper()
	text := os.Getenv("CASINO_TEST_CAPTURE_ROUNDS")
	if text == "" {
		return 8
	}
	rounds, err := strconv.Atoi(text)
	if err != nil || rounds < 1 {
		t.Fatalf("CASINO_TEST_CAPTURE_ROUNDS=%q is no number of rounds", text)
	}
	return rounds
}

// TestACaptureIsProvedWithoutTheService captures every game of a casino dev, stops it, and
// checks the file; a file with one changed payout is refused.
func TestACaptureIsProvedWithoutTheService(t *testing.T) {
	t.Parallel()
	folder, rounds := t.TempDir(), captured(t)
	_, stop := startFolder(t, folder)
	file := filepath.Join(folder, "capture.jsonl")
	args := []string{"fairness", "capture", file, "--data-dir", folder, "--rounds", strconv.Itoa(rounds), "--players", "4"}
	out, errOut, code := runCasino(t, args...)
	if code != exitDone || !strings.Contains(out, "all revealed") {
		t.Fatalf("exit %d\n%s%s", code, out, errOut)
	}
	if _, errOut, code := runCasino(t, args...); code != exitUsage || !strings.Contains(errOut, "exists") {
		t.Errorf("the same file again: exit %d\n%s", code, errOut)
	}
	stop()
	out, errOut, code = runCasino(t, "fairness", "check", file)
	if code != exitDone || !strings.HasSuffix(out, "Nothing was found.\n") {
		t.Fatalf("exit %d\n%s%s", code, out, errOut)
	}
	t.Logf("%s", out)
	if out, errOut, code := runCasino(t, "audit", "--data-dir", folder); code != exitDone || !strings.Contains(out, "everything holds") {
		t.Errorf("exit %d\n%s%s", code, out, errOut)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	changed := filepath.Join(folder, "changed.jsonl")
	if err := os.WriteFile(changed, bytes.Replace(raw, []byte(`"payout":0`), []byte(`"payout":1`), 1), cli.OwnerOnly); err != nil {
		t.Fatal(err)
	}
	out, errOut, code = runCasino(t, "fairness", "check", "--json", changed)
	var report capture.Report
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != exitFailed || report.Clean || report.Rounds != rounds*len(report.Games) || len(report.Games) < 14 ||
		!strings.Contains(errOut, "findings") || len(report.Findings) < 3 {
		t.Errorf("exit %d, %v\n%s%s", code, err, out, errOut)
	}
}

// TestACaptureRefusesWhatItMustNotDo expects each mistake to be reported.
func TestACaptureRefusesWhatItMustNotDo(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	line, _ := startFolder(t, folder)
	file := filepath.Join(folder, "capture.jsonl")
	for want, args := range map[string][]string{
		"--rounds must be":    {"capture", file, "--data-dir", folder, "--rounds", "0"},
		"--bet-real-money":    {"capture", file, "--data-dir", t.TempDir(), "--base-url", line.BaseURL},
		"--players: must be":  {"capture", file, "--data-dir", folder, "--players", "0"},
		"no such file":        {"check", filepath.Join(folder, "absent.jsonl")},
		"--level: must be":    {"check", file, "--level", "1"},
		"no game \"roulade\"": {"capture", file, "--data-dir", folder, "--players", "1", "--games", "roulade"},
	} {
		_, errOut, code := runCasino(t, append([]string{"fairness"}, args...)...)
		if code == exitDone || !strings.Contains(errOut, want) {
			t.Errorf("%s: exit %d: %s", strings.Join(args, " "), code, errOut)
		}
	}
}

// TestACaptureOfAServiceBetsRealMoneyOnlyWhenAllowed captures a casino serve with a given
// session. The bankroll there is too small for most of the greatest prizes.
func TestACaptureOfAServiceBetsRealMoneyOnlyWhenAllowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, session := w.funded()
	sessions, file := w.file("sessions", session.Token+"\n"), filepath.Join(t.TempDir(), "capture.jsonl")
	args := []string{
		"fairness", "capture", file, "--data-dir", t.TempDir(), "--base-url", s.api, "--sessions-file", sessions,
		"--rounds", "40", "--pair-rounds", "200", "--games", "mines,plinko,limbo",
	}
	if _, errOut, code := runCasino(t, args...); code != exitUsage || !strings.Contains(errOut, "--bet-real-money") {
		t.Fatalf("exit %d: %s", code, errOut)
	}
	_, errOut, code := runCasino(t, append(args, "--bet-real-money")...)
	if code != exitDone || !strings.Contains(errOut, "is not the casino dev of") || !strings.Contains(errOut, "not played: mines ") {
		t.Fatalf("exit %d: %s", code, errOut)
	}
	out, errOut, code := runCasino(t, "fairness", "check", file)
	if code != exitDone || !strings.HasPrefix(out, "120 rounds in 1 pairs of 1 players at "+s.api) {
		t.Errorf("exit %d\n%s%s", code, out, errOut)
	}
}
