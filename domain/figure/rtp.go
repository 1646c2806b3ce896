package figure

import "math/big"

// Verdict is the result of comparing a game's actual return with its theoretical one.
type Verdict string

// The verdicts.
const (
	// Within: the difference is within the margin.
	Within Verdict = "within"
	// Outside: the difference is beyond the margin, almost certainly not by chance.
	Outside Verdict = "outside"
	// Few: fewer than RoundsMin rounds prove nothing yet.
	Few Verdict = "few"
	// Unknown: nobody here knows the rules by which a provider's game pays, or the kept
	// variance has reached VarianceMax; there is no margin then.
	Unknown Verdict = "unknown"
)

// Sigmas is how many standard deviations the actual return may be off: a sound
// game is further off once in 15,000 reports, where the sum of its rounds is near a
// normal distribution, which takes RoundsMin rounds.
const (
	Sigmas    = 4
	RoundsMin = 1000
)

// Return is a game's return to player, in parts per million of what was wagered.
type Return struct {
	// Actual is paid/wagered and Theoretical what the rules give, both rounded down.
	Actual, Theoretical int64
	// Known says that there is a theoretical return: those of providers' games aren't
	// known here.
	Known bool
	// Margin is how far apart they may be, rounded up; 0 when the verdict is Unknown.
	Margin  int64
	Verdict Verdict
}

// AtBestPlay is the return of a game that pays by how well it is played, whose theoretical
// one is that of the best play: what is below it may be the players' own doing, so that
// only more is Outside.
func (r Return) AtBestPlay() Return {
	if r.Verdict == Outside && r.Actual < r.Theoretical {
		r.Verdict = Within
	}
	return r
}

// Return compares the actual with the theoretical return of a game of a source, as keys
// name it. The margin is Sigmas standard
// deviations of the sum of the payouts, which is the root of the sum of their
// variances, and one base unit a round, since payouts are rounded down. A cell
// without wagers has the zero figures and the verdict Few.
func (c Cell) Return(source string) Return {
	r := Return{Known: source == Own, Verdict: Unknown}
	wagered := c.Wagered.Big()
	if wagered.Sign() <= 0 {
		if r.Known {
			r.Verdict = Few
		}
		return r
	}
	million := big.NewInt(millionths)
	paid := new(big.Int).Mul(c.Paid.Big(), million)
	expected := c.Expected.Big() // millionths already
	r.Actual = new(big.Int).Quo(paid, wagered).Int64()
	if !r.Known {
		return r
	}
	r.Theoretical = new(big.Int).Quo(expected, wagered).Int64()
	if c.Variance.Cmp(VarianceMax) >= 0 {
		return r
	}
	deviation := new(big.Int).Sqrt(c.Variance.Big())
	deviation.Add(deviation, big.NewInt(1)) // the root was rounded down
	margin := deviation.Mul(deviation, big.NewInt(Sigmas))
	margin.Add(margin, big.NewInt(c.Rounds)).Mul(margin, million)
	off := new(big.Int).Sub(paid, expected)
	switch {
	case c.Rounds < RoundsMin:
		r.Verdict = Few
	case off.Abs(off).Cmp(margin) > 0:
		r.Verdict = Outside
	default:
		r.Verdict = Within
	}
	rest := new(big.Int)
	margin.QuoRem(margin, wagered, rest)
	if rest.Sign() > 0 {
		margin.Add(margin, big.NewInt(1))
	}
	r.Margin = margin.Int64()
	return r
}
