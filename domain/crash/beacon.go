package crash

import (
	"fmt"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/internal/base58"
)

// Source is where a beacon comes from.
type Source string

// The sources.
const (
	// Solana: the blockhash of the first finalized slot at or after the height.
	Solana Source = "solana"
	// Drand: the randomness of the drand round with the height as its number.
	Drand Source = "drand"
)

// HeightMax is the greatest height of a beacon, the greatest integer that JSON readers
// keep exactly.
const HeightMax = 1<<53 - 1

// Rule says which beacon decides a round.
type Rule struct {
	Source Source
	// Network is the genesis hash of the Solana cluster in base58, or the hash of the drand
	// chain in hexadecimal.
	Network string
	// Delay is added to the newest height seen when bets close. It is at least 1; choose one
	// so great that no value at the height can be known then.
	Delay uint64
	// Window is the number of slots among which one must be finalized, or else the round is
	// cancelled. It is 0 for drand, which skips no round.
	Window uint64
}

func (r Rule) check() error {
	switch {
	case r.Delay < 1 || r.Delay > HeightMax || r.Window > HeightMax:
		return fault.Field("delay", "must be at least 1")
	case r.Source != Solana && r.Source != Drand:
		return fault.Field("beacon", "must be %s or %s", Solana, Drand)
	case r.Source == Solana && r.Window < 1 || r.Source == Drand && r.Window != 0:
		return fault.Field("window", "must be at least 1 for %s, and 0 for %s", Solana, Drand)
	}
	return r.checkValue("network", r.Network)
}

// checkValue checks the form of a value of the source: 32 bytes in its usual encoding.
func (r Rule) checkValue(field, text string) error {
	if r.Source == Drand {
		_, err := parseHash(field, text)
		return err
	}
	if _, ok := base58.Decode(text, 32); !ok {
		return fault.Field(field, "must be the base58 of 32 bytes")
	}
	return nil
}

// Height returns the height of a round's beacon: Delay above the newest height seen when
// bets close, or above the beacon of the round before, whichever is greater.
func (r Rule) Height(seen, before uint64) (uint64, error) {
	if newest := max(seen, before); newest <= HeightMax-r.Delay {
		return newest + r.Delay, nil
	}
	return 0, fault.Field("seen", "must be at most %d", HeightMax-r.Delay)
}

// Beacon is a finalized slot, or a drand round whose signature was verified.
type Beacon struct {
	Height uint64
	// Parent is the height of the one before it: a slot's parent slot, a drand round's
	// number less 1. Between the two there is none.
	Parent uint64
	// Value is the blockhash in base58, or the randomness in hexadecimal.
	Value string
}

// Salt returns the salt of the round whose beacon has this height. It refuses a beacon
// that isn't the first at or after the height, and one beyond the window.
func (r Rule) Salt(height uint64, b Beacon) (string, error) {
	if err := r.checkFirst(height, b); err != nil {
		return "", err
	}
	if r.beyond(height, b) {
		return "", fault.Field("height", "is beyond the window of %d: the round is cancelled", r.Window)
	}
	return fmt.Sprintf("%s:%d:%s", r.Source, b.Height, b.Value), nil
}

// CheckAbsent returns nil if b proves that the round's beacon never came to be: it is the
// first at or after the height, and beyond the window. Whoever withholds a beacon can't
// prove that.
func (r Rule) CheckAbsent(height uint64, b Beacon) error {
	if err := r.checkFirst(height, b); err != nil {
		return err
	}
	if !r.beyond(height, b) {
		return fault.Field("height", "is within the window of %d: the beacon exists", r.Window)
	}
	return nil
}

func (r Rule) beyond(height uint64, b Beacon) bool {
	return r.Source == Solana && b.Height-height >= r.Window
}

// checkFirst refuses a beacon that isn't the first one at or after a height.
func (r Rule) checkFirst(height uint64, b Beacon) error {
	switch {
	case b.Height < height || b.Height > HeightMax:
		return fault.Field("height", "must be at least %d", height)
	case b.Parent >= height || r.Source == Drand && b.Parent+1 != b.Height:
		return fault.Field("parent", "must be below %d: the beacon is not the first", height)
	}
	return r.checkValue("value", b.Value)
}
