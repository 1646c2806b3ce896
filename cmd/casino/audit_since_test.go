package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAuditsGoOnFromACheckpoint: an audit's records are signed, and refused once they were
// changed.
func TestAuditsGoOnFromACheckpoint(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	keys := []string{"--checkpoint-keys", w.settings["checkpoint-keys"]}
	w.do("migrate", "up")
	w.serve()
	const sol = "So11111111111111111111111111111111111111112"
	w.do("capital", "book", sol, "10000000000", "founding")
	first, second := filepath.Join(w.folder, "first"), filepath.Join(w.folder, "second")
	audit := func(more ...string) (out, errOut string, code int) {
		return runCasino(t, append(append([]string{"audit"}, more...), w.flags("database-url")...)...)
	}
	if _, errOut, code := audit("--checkpoint", first); code != exitUsage || !strings.Contains(errOut, "CASINO_CHECKPOINT_KEYS") {
		t.Errorf("without keys: exit %d, %s", code, errOut)
	}
	whole := w.do(append([]string{"audit", "--checkpoint", first}, keys...)...)
	for _, name := range []string{first, first + ".rows"} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	w.do("capital", "book", sol, "7", "more")
	since := w.do(append([]string{"audit", "--since", first, "--checkpoint", second}, keys...)...)
	if !strings.Contains(since, "since the checkpoint of 20") || !strings.Contains(since, ": 1 blocks, 1 postings") || !strings.Contains(since, "everything holds") {
		t.Errorf("since:\n%s, the whole:\n%s", since, whole)
	}
	if out := w.do(append([]string{"audit", "--since", second}, keys...)...); !strings.Contains(out, ": 0 blocks") || !strings.Contains(out, "everything holds") {
		t.Errorf("without anything new: %s", out)
	}
	if left, err := filepath.Glob(filepath.Join(w.folder, "*.unfinished")); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	if _, errOut, code := audit(append([]string{"--since", second, "--head", "0:1:" + strings.Repeat("0", 64)}, keys...)...); code != exitUsage ||
		!strings.Contains(errOut, "before the checkpoint") {
		t.Errorf("a head before it: exit %d, %s", code, errOut)
	}
	for _, name := range []string{first, first + ".rows"} {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []int{len(raw) / 3, len(raw) - 20} {
			changed := append([]byte{}, raw...)
			changed[at] ^= 1
			if err := os.WriteFile(name, changed, 0o600); err != nil {
				t.Fatal(err)
			}
			if out, errOut, code := audit(append([]string{"--since", first}, keys...)...); code != exitFailed || strings.Contains(out, "holds") {
				t.Errorf("%s with byte %d changed: exit %d, %s%s", name, at, code, out, errOut)
			}
		}
		if err := os.WriteFile(name, raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, errOut, code := audit("--since", first, "--checkpoint-keys", "2026-09:"+random(9)); code != exitFailed || !strings.Contains(errOut, "unknown key") {
		t.Errorf("with another key: exit %d, %s", code, errOut)
	}
}
