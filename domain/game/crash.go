package game

import "github.com/casino-service/casino/domain/money"

// crashReach draws all 32 bits.
var crashReach = reach{bits: 32}

const crashMost = 1_000_000_00

// crash is the game of cashing out before the crash, decided beforehand.
type crash struct{ fields []Field }

// Crash returns crash: the curve crashes at max(1.00, ⌊99·2^32 / (k+1)⌋ / 100),
// and a cash-out chosen in advance is paid when the crash is not below it.
//
// Source: the published form, floor(max(1, 2^32/(k+1)·0.99)·100)/100.
func Crash() Game {
	return crash{fields: []Field{{
		Name: "cashout", Title: "Auto cash-out", Description: "Paid when the crash point is this or more.",
		Shape: Number{Min: 101, Max: crashMost, Decimals: 2}, Default: Dec(200, 2),
	}}}
}

func (crash) Type() string      { return "crash" }
func (crash) Rules() string     { return "crash/1" }
func (crash) Title() string     { return "Crash" }
func (c crash) Fields() []Field { return c.fields }

func (crash) Explanation() string {
	return "A curve rises from 1.00 until it crashes. You choose beforehand where to cash out: if the curve gets there you are paid that many times your wager, else it is lost."
}
func (crash) RTP() RTP { return crashReach.rtp(200, 101, crashMost) }

func (crash) Plan(config Value, _ money.Amount) (Plan, error) {
	return planReach(crashReach, config, "cashout", "crash"), nil
}
