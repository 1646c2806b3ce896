package main

import (
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
)

// TestCommandsWriteNothingWithoutTheKeysOfTheService runs every command that writes a block
// without keys and with other keys: a block that the service can't verify would stop the public
// log. With the service's keys, or with theirs and another, payouts are paused.
func TestCommandsWriteNothingWithoutTheKeysOfTheService(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.do("migrate", "up")
	w.serve().stop()
	before := w.do("audit")
	wallet := string(fakes.Wallet("finance"))
	commands := [][]string{
		{"payouts", "pause", "odd"}, {"payouts", "resume", "odd"}, {"play", "pause", "odd"}, {"play", "resume", "odd"},
		{"capital", "book", string(money.SOL), "1000", "founding"}, {"capital", "sweep", string(money.SOL), "1000", wallet, "odd"},
		{"capital", "accept", "signature", "odd"},
		{"role", "grant", wallet, "finance"}, {"role", "revoke", string(fakes.Wallet("root"))}, {"role", "accept"},
	}
	for keys, want := range map[string]string{"": "CASINO_SEED_KEYS is missing", "other:" + random(8): "CASINO_SEED_KEYS has other keys than the service"} {
		for _, command := range commands {
			args := append(command[:len(command):len(command)], w.flags("database-url")...)
			if keys != "" {
				args = append(args, "--seed-keys", keys)
			}
			if out, errOut, code := runCasino(t, args...); code != exitUsage || !strings.Contains(errOut, want) {
				t.Errorf("casino %v with the keys %q: exit %d, %s%s", command, keys, code, out, errOut)
			}
		}
	}
	if after := w.do("audit"); after != before {
		t.Errorf("a command that was refused wrote something:\n%s%s", before, after)
	}
	if out := w.do("payouts", "pause", "odd", "--seed-keys", "new:"+random(8)+",2026-01:"+random(3)); !strings.Contains(out, "payouts are paused") {
		t.Errorf("payouts pause: %q", out)
	}
}
