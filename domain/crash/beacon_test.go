package crash_test

import (
	"testing"

	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fault"
)

func TestTheHeightIsAboveEverythingSeen(t *testing.T) {
	t.Parallel()
	rule := solanaRule()
	for name, row := range map[string]struct{ seen, before, want uint64 }{
		"above what is seen":           {1000, 900, 1032},
		"above the last round's":       {1000, 1040, 1072},
		"the last round's is the same": {1000, 1000, 1032},
		"the greatest":                 {crash.HeightMax - 32, 0, crash.HeightMax},
	} {
		if got, err := rule.Height(row.seen, row.before); err != nil || got != row.want {
			t.Errorf("%s: %d, %v; want %d", name, got, err, row.want)
		}
	}
	for _, seen := range []uint64{crash.HeightMax - 31, crash.HeightMax, 1<<64 - 1} {
		if _, err := rule.Height(seen, 0); !fault.Is(err, fault.Invalid) {
			t.Errorf("height above %d: %v", seen, err)
		}
	}
}

// A beacon gives a salt, or proves that none came, or is neither; never both.
func TestABeaconIsTheFirstAtOrAfterItsHeight(t *testing.T) {
	t.Parallel()
	solana, drand := solanaRule(), drandRule()
	randomness := hashBefore("randomness")
	for name, row := range map[string]struct {
		rule   crash.Rule
		beacon crash.Beacon
		salt   string
		absent bool
	}{
		"the slot itself":               {solana, crash.Beacon{Height: 1000, Parent: 999, Value: blockhash}, "solana:1000:" + blockhash, false},
		"after skipped slots":           {solana, crash.Beacon{Height: 1149, Parent: 990, Value: blockhash}, "solana:1149:" + blockhash, false},
		"no slot in the window":         {solana, crash.Beacon{Height: 1150, Parent: 999, Value: blockhash}, "", true},
		"long after the window":         {solana, crash.Beacon{Height: 5000, Parent: 3, Value: blockhash}, "", true},
		"early":                         {solana, crash.Beacon{Height: 999, Parent: 998, Value: blockhash}, "", false},
		"not the first":                 {solana, crash.Beacon{Height: 1001, Parent: 1000, Value: blockhash}, "", false},
		"later, one withheld":           {solana, crash.Beacon{Height: 1150, Parent: 1149, Value: blockhash}, "", false},
		"later, all withheld":           {solana, crash.Beacon{Height: 1150, Parent: 1000, Value: blockhash}, "", false},
		"its own parent":                {solana, crash.Beacon{Height: 1000, Parent: 1000, Value: blockhash}, "", false},
		"no blockhash":                  {solana, crash.Beacon{Height: 1000, Parent: 999}, "", false},
		"drand's value":                 {solana, crash.Beacon{Height: 1000, Parent: 999, Value: randomness}, "", false},
		"another spelling":              {solana, crash.Beacon{Height: 1000, Parent: 999, Value: "1" + blockhash}, "", false},
		"absent without a blockhash":    {solana, crash.Beacon{Height: 1150, Parent: 999}, "", false},
		"beyond all heights":            {solana, crash.Beacon{Height: crash.HeightMax + 1, Parent: 999, Value: blockhash}, "", false},
		"the drand round":               {drand, crash.Beacon{Height: 1000, Parent: 999, Value: randomness}, "drand:1000:" + randomness, false},
		"the next drand round":          {drand, crash.Beacon{Height: 1001, Parent: 1000, Value: randomness}, "", false},
		"a drand round after a gap":     {drand, crash.Beacon{Height: 1001, Parent: 999, Value: randomness}, "", false},
		"a drand round far away":        {drand, crash.Beacon{Height: 9000, Parent: 999, Value: randomness}, "", false},
		"a drand round before":          {drand, crash.Beacon{Height: 999, Parent: 998, Value: randomness}, "", false},
		"a blockhash for drand":         {drand, crash.Beacon{Height: 1000, Parent: 999, Value: blockhash}, "", false},
		"drand's parent is its own one": {drand, crash.Beacon{Height: 1000, Parent: 998, Value: randomness}, "", false},
	} {
		salt, err := row.rule.Salt(1000, row.beacon)
		if salt != row.salt || (err == nil) != (row.salt != "") || err != nil && !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: salt %q, %v; want %q", name, salt, err, row.salt)
		}
		if err := row.rule.CheckAbsent(1000, row.beacon); (err == nil) != row.absent || err != nil && !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: absent: %v; want %v", name, err, row.absent)
		}
	}
}
