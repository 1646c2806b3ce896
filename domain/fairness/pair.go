package fairness

import (
	"errors"
	"time"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
)

// ClientSource says who chose a pair's client seed. Only rounds whose client
// seed the player chose are called provably fair.
type ClientSource uint8

// The sources of a client seed.
const (
	// FromServer: the house made the client seed, for the first pair and for a
	// rotation without one.
	FromServer ClientSource = iota
	// FromPlayer: the player chose it, after the server seed was committed to.
	FromPlayer
	// FromRepeated: the player chose it, but for an earlier pair: the house knew it when
	// it drew the server seed, and could have drawn that one for it.
	FromRepeated
)

// String returns "server", "player" or "repeated".
func (c ClientSource) String() string {
	switch c {
	case FromPlayer:
		return "player"
	case FromRepeated:
		return "repeated"
	}
	return "server"
}

// ParseClientSource returns the source with this name, and false for any other
// text.
func ParseClientSource(name string) (ClientSource, bool) {
	switch name {
	case FromServer.String():
		return FromServer, true
	case FromPlayer.String():
		return FromPlayer, true
	case FromRepeated.String():
		return FromRepeated, true
	}
	return 0, false
}

// Unproven returns what a round of such a pair doesn't prove, in a sentence for people; empty
// for a client seed that the player chose.
func (c ClientSource) Unproven() string {
	switch c {
	case FromServer:
		return "The house chose both seeds (clientSeedSource server): it could have tried many until they suited it, so the round proves nothing against the house."
	case FromRepeated:
		return "The house knew the client seed when it drew the server seed (clientSeedSource repeated): it could have drawn one that suits it, so the round proves nothing against the house."
	}
	return ""
}

// ClientSeed is a client seed with who chose it.
type ClientSeed struct {
	Text   string
	Source ClientSource
}

// Choose returns the client seed of a pair that a rotation begins: the player's choice,
// which is repeated where a pair of the player had it before, and the server's own where
// the player makes none.
func Choose(choice string, before bool, server string) ClientSeed {
	switch {
	case choice == "":
		return ClientSeed{server, FromServer}
	case before:
		return ClientSeed{choice, FromRepeated}
	}
	return ClientSeed{choice, FromPlayer}
}

// ClientSeedMax is the longest client seed a player may choose, in characters.
const ClientSeedMax = 64

// ParseClientSeed returns a client seed as given: 1–64 printable ASCII
// characters, blanks included. Anything else is a fault naming the field
// "clientSeed". A colon is allowed: nonce and cursor are the last two parts of
// the message, so no two rounds ever share one.
func ParseClientSeed(text string) (string, error) {
	if len(text) == 0 || len(text) > ClientSeedMax {
		return "", fault.Field("clientSeed", "must be 1–%d characters", ClientSeedMax)
	}
	if !isPrintableASCII(text) {
		return "", fault.Field("clientSeed", "must be printable ASCII")
	}
	return text, nil
}

// isPrintableASCII reports whether a text is printable ASCII only.
func isPrintableASCII(text string) bool {
	for i := range len(text) {
		if text[i] < 0x20 || text[i] > 0x7e {
			return false
		}
	}
	return true
}

// Spare is fresh randomness that a pair may need for its next server seed. It is
// drawn outside, before the decision that may use it runs.
type Spare struct {
	ID   string
	Seed ServerSeed
}

// NextSeed is the server seed of the pair after the active one. Its commitment
// is shown to the player before they choose a client seed for it.
type NextSeed struct {
	ID         string
	Seed       ServerSeed
	Commitment string
}

// Commit returns the spare with its commitment.
func (s Spare) Commit() NextSeed {
	return NextSeed{ID: s.ID, Seed: s.Seed, Commitment: s.Seed.Commitment()}
}

// RoundsMax and AgeMax are how many rounds a pair decides and for how long: the round that
// reaches one of them is its last. So a server seed that leaked shows little.
const (
	RoundsMax = 10_000
	AgeMax    = 30 * 24 * time.Hour
)

// Pair is one player's active seed pair as a decision sees it. Nonce is the one
// that the next round uses, Since when the pair became active. Epoch is the one of the
// ledger in which the pair and the seed after it were made; in a later one neither
// decides anything.
type Pair struct {
	ID           string
	Epoch        int64
	Seed         ServerSeed
	Commitment   string
	ClientSeed   string
	ClientSource ClientSource
	Nonce        int64
	Since        time.Time
	Next         NextSeed
}

// Revealed is a retired pair. It decides no further round, so its server seed is
// plain text. Rounds is how many rounds it decided: the nonces 0 … Rounds-1. Since is when
// it became active, zero where it never did.
type Revealed struct {
	ID           string
	ServerSeed   string
	Commitment   string
	ClientSeed   string
	ClientSource ClientSource
	Rounds       int64
	Since        time.Time
}

// Closing is a pair that ended while rounds were open that are drawn from it: it takes no
// further nonce, and is revealed when the last of them has ended. Its Pair has no Next,
// because that one is active by then, or was: NextID names it.
type Closing struct {
	Pair
	NextID string
}

// Reveal retires the pair, as Rotate does an active one.
func (c Closing) Reveal() Revealed { return c.revealSeed() }

// Equal reports whether two closing pairs are the same in everything.
func (c Closing) Equal(d Closing) bool { return c.NextID == d.NextID && c.Pair.Equal(d.Pair) }

// Closing returns the pair as one that closes.
func (p Pair) Closing() Closing {
	next := p.Next.ID
	p.Next = NextSeed{}
	return Closing{p, next}
}

// NewPair returns a player's first pair, of the first epoch, active since at. Its client
// seed is the house's own, because there was no commitment yet on which the player could
// have chosen.
func NewPair(first, next Spare, clientSeed string, at time.Time) Pair {
	return first.Commit().activatePair(1, ClientSeed{clientSeed, FromServer}, next, at)
}

// In returns the pair as one that was made in the epoch.
func (p Pair) In(epoch int64) Pair {
	p.Epoch = epoch
	return p
}

// activatePair makes the committed seed the active one.
func (n NextSeed) activatePair(epoch int64, client ClientSeed, spare Spare, at time.Time) Pair {
	return Pair{
		ID: n.ID, Epoch: epoch, Seed: n.Seed, Commitment: n.Commitment,
		ClientSeed: client.Text, ClientSource: client.Source,
		Since: at, Next: spare.Commit(),
	}
}

// Rotate retires the pair and reveals its server seed. The next pair takes the
// server seed that was committed to as Next, with nonce 0 and the client seed. The spare
// becomes the seed after that.
//
// Rotating retires before it reveals: both results go into one commit, and the
// old pair must take no nonce after it.
func (p Pair) Rotate(client ClientSeed, spare Spare, at time.Time) (Revealed, Pair) {
	return p.revealSeed(), p.Next.activatePair(p.Epoch, client, spare, at)
}

// Kept is the client seed that follows when a pair ends without the player's doing: the
// player's own, repeated, and where that was the server's another one of the server's.
func (p Pair) Kept(server string) ClientSeed {
	if p.ClientSource == FromServer {
		return ClientSeed{server, FromServer}
	}
	return ClientSeed{p.ClientSeed, FromRepeated}
}

func (p Pair) revealSeed() Revealed {
	return Revealed{
		ID: p.ID, ServerSeed: p.Seed.Reveal(), Commitment: p.Commitment,
		ClientSeed: p.ClientSeed, ClientSource: p.ClientSource, Rounds: p.Nonce, Since: p.Since,
	}
}

// Renew retires a pair of an earlier epoch and the seed that was to follow it, and
// reveals both: rounds may have been drawn from either in what the ledger has lost. The
// second has no client seed and no rounds. What follows is new altogether, with a client
// seed of the house's own, as the first pair has.
func (p Pair) Renew(epoch int64, first, next Spare, clientSeed string, at time.Time) (retired, unplayed Revealed, fresh Pair) {
	unplayed = Revealed{
		ID: p.Next.ID, ServerSeed: p.Next.Seed.Reveal(), Commitment: p.Next.Commitment, ClientSource: FromServer,
	}
	return p.revealSeed(), unplayed, NewPair(first, next, clientSeed, at).In(epoch)
}

// Draws returns the stream of draws of the next round.
func (p Pair) Draws() *Stream { return NewStream(p.Seed, p.ClientSeed, p.Nonce) }

// Exhausted reports whether the pair has no nonce left for another round.
func (p Pair) Exhausted() bool { return p.Nonce >= RoundsMax }

// Ended reports whether a pair that decided a round at that time has decided its last
// one: it then retires in the round's own commit.
func (p Pair) Ended(at time.Time) bool { return p.Exhausted() || at.Sub(p.Since) >= AgeMax }

// Advance returns the pair after one more round. It panics on an exhausted pair,
// which Admit refuses to play: a nonce used twice would repeat a round that the
// player has seen.
func (p Pair) Advance() Pair {
	if p.Exhausted() {
		panic("fairness: advance of an exhausted seed pair")
	}
	p.Nonce++
	return p
}

// The errors of a broken pair. They are defects, not refusals.
var (
	// ErrCommitment: a server seed isn't the one that was committed to.
	ErrCommitment = errors.New("fairness: server seed does not match its commitment")
	// ErrNonce: the nonce is below zero.
	ErrNonce = errors.New("fairness: negative nonce")
)

// Equal reports whether two pairs are the same in everything, seeds included.
func (p Pair) Equal(q Pair) bool {
	return p.ID == q.ID && p.Epoch == q.Epoch && p.Seed.Reveal() == q.Seed.Reveal() && p.Commitment == q.Commitment &&
		p.ClientSeed == q.ClientSeed && p.ClientSource == q.ClientSource && p.Nonce == q.Nonce && p.Since.Equal(q.Since) &&
		p.Next.ID == q.Next.ID && p.Next.Seed.Reveal() == q.Next.Seed.Reveal() && p.Next.Commitment == q.Next.Commitment
}

// Verify checks the pair against itself, wherever one is opened from storage:
// the server seeds match their commitments and the nonce is not negative. A pair
// opened without the seed that follows has no Next. The error names no seed.
func (p Pair) Verify() error {
	switch {
	case p.Seed.Commitment() != p.Commitment, p.Next.ID != "" && p.Next.Seed.Commitment() != p.Next.Commitment:
		return ErrCommitment
	case p.Nonce < 0:
		return ErrNonce
	}
	return nil
}

// Verify checks the revealed seed against the commitment that was published.
func (r Revealed) Verify() error {
	if ServerSeedFromText(r.ServerSeed).Commitment() != r.Commitment {
		return ErrCommitment
	}
	return nil
}

// Seed pairs are covered when they are committed to, when they become active, when they
// close and when they retire. The nonces between are their rounds'.

// Covered is what blocks cover of a wallet's next seed.
func (n NextSeed) Covered(w wallet.Address) event.Event {
	return event.New(event.Pair, n.ID, w, event.Text("state", NextState), event.Text("commitment", n.Commitment))
}

// Covered is what blocks cover of a wallet's active pair.
func (p Pair) Covered(w wallet.Address) event.Event {
	return event.New(event.Pair, p.ID, w, event.Text("state", ActiveState), event.Text("commitment", p.Commitment),
		event.Text("clientSeed", p.ClientSeed), event.Text("clientSource", p.ClientSource.String()), event.Text("next", p.Next.ID),
		event.Int("epoch", p.Epoch), event.Time("since", p.Since))
}

// Covered is what blocks cover of a wallet's closing pair.
func (c Closing) Covered(w wallet.Address) event.Event {
	return event.New(event.Pair, c.ID, w, event.Text("state", ClosingState), event.Text("commitment", c.Commitment),
		event.Text("clientSeed", c.ClientSeed), event.Text("clientSource", c.ClientSource.String()), event.Text("next", c.NextID),
		event.Int("epoch", c.Epoch), event.Int("rounds", c.Nonce), event.Time("since", c.Since))
}

// Covered is what blocks cover of a wallet's retired pair; next is the one after it. Of
// the seed they cover the hash that a commitment is: that of the text itself, so that it
// is compared where the pair has no rounds too.
func (r Revealed) Covered(w wallet.Address, next string) event.Event {
	return event.New(event.Pair, r.ID, w, event.Text("state", RetiredState), event.Text("commitment", r.Commitment),
		event.Text("clientSeed", r.ClientSeed), event.Text("clientSource", r.ClientSource.String()), event.Text("next", next),
		event.Text("revealed", ServerSeedFromText(r.ServerSeed).Commitment()), event.Int("rounds", r.Rounds),
		event.Time("since", r.Since))
}

// PairState is what blocks cover of a pair, read back: its seed is never there.
type PairState struct {
	ID         string
	State      string // next, active, closing or retired
	Commitment string
	// ClientSeed and its source are of an active pair, a closing and a retired one.
	ClientSeed   string
	ClientSource ClientSource
	// Next is the pair after it, Rounds how many a closing or a retired one had.
	Next   string
	Rounds int64
	Since  time.Time
}

// The states.
const (
	NextState    = "next"
	ActiveState  = "active"
	ClosingState = "closing"
	RetiredState = "retired"
)

// FromCovered reads back what Covered wrote of a pair in any state.
func FromCovered(e event.Event) PairState {
	source, _ := ParseClientSource(e.Value("clientSource"))
	return PairState{
		ID: e.ID, State: e.Value("state"), Commitment: e.Value("commitment"), ClientSeed: e.Value("clientSeed"), ClientSource: source,
		Next: e.Value("next"), Rounds: e.Number("rounds"), Since: e.At("since"),
	}
}
