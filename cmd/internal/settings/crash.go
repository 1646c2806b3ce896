package settings

import (
	"time"

	"github.com/casino-service/casino/app/sharedcrash"
	"github.com/casino-service/casino/domain/crash"
)

// Crash holds the settings of the shared crash. The embedding command sets the defaults.
type Crash struct {
	Crash        string        `default:"${crash}" enum:"off,solana" help:"solana: all players bet on one crash round, which a blockhash of Solana decides; off: none."`
	CrashCap     int           `default:"1000" placeholder:"N" help:"The multiplier at which every bet left on a round of the shared crash is cashed out, 2 to 1000000."`
	CrashBetting time.Duration `default:"${betting}" placeholder:"TIME" help:"How long a round of the shared crash takes bets, 1s to 10m."`
	CrashDelay   int           `default:"${delay}" placeholder:"SLOTS" help:"How many slots the one that decides a round is above the newest slot when bets close, 1 to 10000. Applies to new chains."`
	CrashWindow  int           `default:"150" placeholder:"SLOTS" help:"A round is cancelled if none of so many slots was finalized, 1 to 10000. Applies to new chains."`
	CrashLength  int64         `default:"${length}" placeholder:"ROUNDS" help:"The number of rounds of a new chain, 1 to 10000000."`
}

// Bounds of the settings.
const (
	crashCapMax   = 1_000_000
	crashSlotsMax = 10_000
	bettingMax    = 10 * time.Minute
)

// On reports whether the shared crash is played.
func (c Crash) On() bool { return c.Crash == string(crash.Solana) }

// Rules returns the settings for the use cases.
func (c Crash) Rules() sharedcrash.Rules {
	return sharedcrash.Rules{
		Cap: uint64(c.CrashCap) * 100, Betting: c.CrashBetting,
		Delay: uint64(c.CrashDelay), Window: uint64(c.CrashWindow), Length: c.CrashLength,
	}
}

func (c Crash) checkSettings(found *faults) {
	if !c.On() {
		return
	}
	if c.CrashCap < 2 || c.CrashCap > crashCapMax {
		found.addFault("CASINO_CRASH_CAP", "must be from 2 to %d", crashCapMax)
	}
	if c.CrashBetting < time.Second || c.CrashBetting > bettingMax {
		found.addFault("CASINO_CRASH_BETTING", "must be from 1s to %s", bettingMax)
	}
	for name, slots := range map[string]int{"CASINO_CRASH_DELAY": c.CrashDelay, "CASINO_CRASH_WINDOW": c.CrashWindow} {
		if slots < 1 || slots > crashSlotsMax {
			found.addFault(name, "must be from 1 to %d", crashSlotsMax)
		}
	}
	if c.CrashLength < 1 || c.CrashLength > crash.LengthMax {
		found.addFault("CASINO_CRASH_LENGTH", "must be from 1 to %d", crash.LengthMax)
	}
}
