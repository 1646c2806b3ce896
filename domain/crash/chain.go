package crash

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
)

// LengthMax is the greatest number of rounds of a chain.
const LengthMax = 10_000_000

// Chain is a hash chain with its secrets. The hash of round i is a text of 64 hexadecimal
// digits in lower case; the hash of round i-1 is the SHA-256 of that text. The hash of
// the last round is the chain's seed. Unrevealed hashes are server seeds, so they print
// as "[sealed]".
type Chain struct {
	// Length is the number of rounds. Every is the distance of the way points.
	Length, Every int64
	// WayPoints are the hashes of the rounds Every, 2·Every, … and of the last round.
	WayPoints []fairness.ServerSeed
	// Terminal is the hash before the first round. It decides no round and is public.
	Terminal string
}

// NewChain computes the chain of a seed. It keeps one hash in every, so that Hash takes at
// most that many steps.
func NewChain(seed fairness.ServerSeed, length, every int64) (Chain, error) {
	if length < 1 || length > LengthMax || every < 1 {
		return Chain{}, fault.Field("length", "must be from 1 to %d, with way points at least 1 apart", LengthMax)
	}
	text, err := parseHash("seed", seed.Reveal())
	if err != nil {
		return Chain{}, err
	}
	c := Chain{Length: length, Every: every, WayPoints: make([]fairness.ServerSeed, (length+every-1)/every)}
	for i, round := len(c.WayPoints)-1, length; i >= 0; i-- {
		c.WayPoints[i] = fairness.ServerSeedFromText(string(text[:]))
		below := int64(i) * every
		text, round = walk(text, round-below), below
	}
	c.Terminal = string(text[:])
	return c, nil
}

// Hash returns the hash of a round, from the way point at or above it.
func (c Chain) Hash(round int64) (fairness.ServerSeed, error) {
	if round < 1 || round > c.Length {
		return fairness.ServerSeed{}, fault.Field("round", "must be from 1 to %d", c.Length)
	}
	i := (round - 1) / c.Every
	text, err := parseHash("wayPoint", c.WayPoints[i].Reveal())
	if err != nil {
		return fairness.ServerSeed{}, err
	}
	text = walk(text, min((i+1)*c.Every, c.Length)-round)
	return fairness.ServerSeedFromText(string(text[:])), nil
}

// CheckHash returns an error unless the hash of a round leads to a known one: that of an
// earlier round, or the terminal hash with number 0.
func CheckHash(hash string, round int64, known string, knownRound int64) error {
	if knownRound < 0 || round <= knownRound || round-knownRound > LengthMax {
		return fault.Field("round", "must be from 1 to %d above the known one", LengthMax)
	}
	text, err := parseHash("hash", hash)
	if err != nil {
		return err
	}
	if text = walk(text, round-knownRound); string(text[:]) != known {
		return fault.Field("hash", "does not lead to the hash of round %d", knownRound)
	}
	return nil
}

// hashText is the text of a hash.
type hashText [2 * sha256.Size]byte

// walk returns the hash so many rounds before.
func walk(text hashText, steps int64) hashText {
	for range steps {
		sum := sha256.Sum256(text[:])
		hex.Encode(text[:], sum[:])
	}
	return text
}

func parseHash(field, text string) (hashText, error) {
	if len(text) != len(hashText{}) || strings.Trim(text, "0123456789abcdef") != "" {
		return hashText{}, fault.Field(field, "must be %d hexadecimal digits in lower case", len(hashText{}))
	}
	return hashText([]byte(text)), nil
}

// Commitment is what is published of a chain before its first round: which rounds it has,
// and where the salt of each comes from.
type Commitment struct {
	// Chain is the chain's id: 1 to 64 letters, digits and hyphens.
	Chain string
	// Epoch is the ledger's epoch in which the chain was made; later epochs don't use it.
	Epoch    int64
	Terminal string
	Length   int64
	Beacon   Rule
}

// commitmentForm has the lines of a commitment's text.
const commitmentForm = "casino crash chain 1\nchain: %s\nepoch: %d\nrules: " + Rules + "\nterminal: %s\nlength: %d\nbeacon: %s\nnetwork: %s\ndelay: %d\nwindow: %d\n"

// Text returns the canonical text, which a block covers. An impossible commitment is a
// fault of kind Invalid.
func (c Commitment) Text() (string, error) {
	if err := checkID(c.Chain); err != nil {
		return "", err
	}
	if c.Epoch < 1 || c.Length < 1 || c.Length > LengthMax {
		return "", fault.Field("length", "must be from 1 to %d, and the epoch at least 1", LengthMax)
	}
	if _, err := parseHash("terminal", c.Terminal); err != nil {
		return "", err
	}
	if err := c.Beacon.check(); err != nil {
		return "", err
	}
	return fmt.Sprintf(commitmentForm, c.Chain, c.Epoch, c.Terminal, c.Length, c.Beacon.Source, c.Beacon.Network, c.Beacon.Delay, c.Beacon.Window), nil
}

// ParseCommitment parses the form of Text.
func ParseCommitment(text string) (Commitment, error) {
	values := map[string]string{}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		values[name] = value
	}
	number := func(name string) uint64 {
		n, _ := strconv.ParseUint(values[name], 10, 63) // the comparison of texts finds what isn't a number
		return n
	}
	c := Commitment{
		Chain: values["chain"], Epoch: int64(number("epoch")), Terminal: values["terminal"], Length: int64(number("length")),
		Beacon: Rule{Source: Source(values["beacon"]), Network: values["network"], Delay: number("delay"), Window: number("window")},
	}
	if again, err := c.Text(); err != nil || again != text {
		return Commitment{}, fault.Field("commitment", "must be the text of a chain's commitment")
	}
	return c, nil
}

func checkID(chain string) error {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"
	if len(chain) < 1 || len(chain) > 64 || strings.Trim(chain, letters) != "" {
		return fault.Field("chain", "must be 1–64 letters, digits and hyphens")
	}
	return nil
}
