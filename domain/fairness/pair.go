package fairness

import (
	"errors"
	"time"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
)

// ClientSource says who chose a pair's client seed. Only rounds with a client seed
// chosen by the player are called provably fair.
type ClientSource uint8

// The sources of a client seed.
const (
	// FromServer: the house made it, for the first pair or for a rotation without one.
	FromServer ClientSource = iota
	// FromPlayer: the player chose it after the commitment to the server seed.
	FromPlayer
	// FromRepeated: the player chose it for an earlier pair, so the house knew it when it
	// drew the server seed and could have chosen that to match.
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

// ParseClientSource returns the source with this name, or false.
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

// Unproven returns a sentence for people about what a round with such a client seed doesn't
// prove; empty for one that the player chose.
func (c ClientSource) Unproven() string {
	switch c {
	case FromServer:
		return "The house chose both seeds (clientSeedSource server): it could have tried many until they suited it, so the round proves nothing against the house."
	case FromRepeated:
		return "The house knew the client seed when it drew the server seed (clientSeedSource repeated): it could have drawn one that suits it, so the round proves nothing against the house."
	}
	return ""
}

// ClientSeed is a client seed and its source.
type ClientSeed struct {
	Text   string
	Source ClientSource
}

// Choose returns the client seed of a pair that a rotation begins: the player's choice,
// marked as repeated if an earlier pair of the player had it, or the server's if the
// player chooses none.
func Choose(choice string, before bool, server string) ClientSeed {
	switch {
	case choice == "":
		return ClientSeed{server, FromServer}
	case before:
		return ClientSeed{choice, FromRepeated}
	}
	return ClientSeed{choice, FromPlayer}
}

// ClientSeedMax is the greatest length of a chosen client seed, in characters.
const ClientSeedMax = 64

// ParseClientSeed returns a client seed unchanged: 1–64 printable ASCII characters,
// blanks included. Anything else is a fault naming the field "clientSeed". A colon is
// allowed: nonce and cursor are the last two parts of a round's message, so no two
// rounds share one.
func ParseClientSeed(text string) (string, error) {
	if len(text) == 0 || len(text) > ClientSeedMax {
		return "", fault.Field("clientSeed", "must be 1–%d characters", ClientSeedMax)
	}
	if !isPrintableASCII(text) {
		return "", fault.Field("clientSeed", "must be printable ASCII")
	}
	return text, nil
}

// isPrintableASCII reports whether a text has only printable ASCII characters.
func isPrintableASCII(text string) bool {
	for i := range len(text) {
		if text[i] < 0x20 || text[i] > 0x7e {
			return false
		}
	}
	return true
}

// Spare is fresh randomness that a pair may need for its next server seed. It is drawn
// before the decision that may use it runs.
type Spare struct {
	ID   string
	Seed ServerSeed
}

// NextSeed is the server seed of the pair after the active one. The player sees its
// commitment before choosing a client seed for it.
type NextSeed struct {
	ID         string
	Seed       ServerSeed
	Commitment string
}

// Commit returns the spare with its commitment.
func (s Spare) Commit() NextSeed {
	return NextSeed{ID: s.ID, Seed: s.Seed, Commitment: s.Seed.Commitment()}
}

// RoundsMax and AgeMax limit a pair: the round that reaches either is its last. So a
// leaked server seed reveals little.
const (
	RoundsMax = 10_000
	AgeMax    = 30 * 24 * time.Hour
)

// Pair is a player's active seed pair as decisions see it. Nonce is the next round's,
// Since the time when the pair became active. Epoch is the ledger's epoch in which the
// pair and its next seed were made; in later epochs neither is used.
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

// Revealed is a retired pair. No further round uses it, so its server seed is plain
// text. Rounds counts its rounds: the nonces 0 … Rounds-1. Since is when it became
// active, zero if it never did.
type Revealed struct {
	ID           string
	ServerSeed   string
	Commitment   string
	ClientSeed   string
	ClientSource ClientSource
	Rounds       int64
	Since        time.Time
}

// Closing is a pair that ended while it has open rounds: it takes no further nonce, and
// is revealed when the last of them ends. Its Pair has no Next, because that seed is
// active by then, or was; NextID names it.
type Closing struct {
	Pair
	NextID string
}

// Reveal retires the pair, as Rotate retires an active one.
func (c Closing) Reveal() Revealed { return c.revealSeed() }

// Equal reports whether two closing pairs are equal in all fields.
func (c Closing) Equal(d Closing) bool { return c.NextID == d.NextID && c.Pair.Equal(d.Pair) }

// Closing returns the pair in state closing.
func (p Pair) Closing() Closing {
	next := p.Next.ID
	p.Next = NextSeed{}
	return Closing{p, next}
}

// NewPair returns a player's first pair, of the first epoch, active since at. The house
// makes its client seed, because there was no commitment yet for the player to see.
func NewPair(first, next Spare, clientSeed string, at time.Time) Pair {
	return first.Commit().activatePair(1, ClientSeed{clientSeed, FromServer}, next, at)
}

// In returns the pair with the epoch set.
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

// Rotate retires the pair and reveals its server seed. The next pair gets the server
// seed committed to as Next, nonce 0 and the client seed. The spare becomes the seed
// after that.
//
// Both results must go into one commit, and the old pair must take no nonce after it.
func (p Pair) Rotate(client ClientSeed, spare Spare, at time.Time) (Revealed, Pair) {
	return p.revealSeed(), p.Next.activatePair(p.Epoch, client, spare, at)
}

// Kept returns the next client seed when a pair ends without the player's request: the
// player's own, marked as repeated, or a new one of the server's if the last one was.
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

// Renew retires a pair of an earlier epoch and its next seed, and reveals both: the lost
// part of the ledger may have rounds of either. The second has no client seed and no
// rounds. The new pair has new seeds and a client seed of the house, like a first pair.
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

// Ended reports whether the round just decided at that time was the pair's last: the
// pair then retires in the round's own commit.
func (p Pair) Ended(at time.Time) bool { return p.Exhausted() || at.Sub(p.Since) >= AgeMax }

// Advance returns the pair after one more round. It panics on an exhausted pair, which
// Admit refuses: reusing a nonce would repeat a round that the player has seen.
func (p Pair) Advance() Pair {
	if p.Exhausted() {
		panic("fairness: advance of an exhausted seed pair")
	}
	p.Nonce++
	return p
}

// The errors of a broken pair. They are defects, not refusals.
var (
	// ErrCommitment: a server seed doesn't match its commitment.
	ErrCommitment = errors.New("fairness: server seed does not match its commitment")
	// ErrNonce: the nonce is below zero.
	ErrNonce = errors.New("fairness: negative nonce")
)

// Equal reports whether two pairs are equal in all fields, seeds included.
func (p Pair) Equal(q Pair) bool {
	return p.ID == q.ID && p.Epoch == q.Epoch && p.Seed.Reveal() == q.Seed.Reveal() && p.Commitment == q.Commitment &&
		p.ClientSeed == q.ClientSeed && p.ClientSource == q.ClientSource && p.Nonce == q.Nonce && p.Since.Equal(q.Since) &&
		p.Next.ID == q.Next.ID && p.Next.Seed.Reveal() == q.Next.Seed.Reveal() && p.Next.Commitment == q.Next.Commitment
}

// Verify checks a pair after it is opened from storage: the server seeds match their
// commitments and the nonce is not negative. A pair opened without its next seed has no
// Next. The error shows no seed.
func (p Pair) Verify() error {
	switch {
	case p.Seed.Commitment() != p.Commitment, p.Next.ID != "" && p.Next.Seed.Commitment() != p.Next.Commitment:
		return ErrCommitment
	case p.Nonce < 0:
		return ErrNonce
	}
	return nil
}

// Verify checks the revealed seed against its commitment.
func (r Revealed) Verify() error {
	if ServerSeedFromText(r.ServerSeed).Commitment() != r.Commitment {
		return ErrCommitment
	}
	return nil
}

// Blocks cover seed pairs when they are committed to, become active, close and retire.
// Rounds cover the nonces in between.

// Covered returns the values of a wallet's next seed that blocks cover.
func (n NextSeed) Covered(w wallet.Address) event.Event {
	return event.New(event.Pair, n.ID, w, event.Text("state", NextState), event.Text("commitment", n.Commitment))
}

// Covered returns the values of a wallet's active pair that blocks cover.
func (p Pair) Covered(w wallet.Address) event.Event {
	return event.New(event.Pair, p.ID, w, event.Text("state", ActiveState), event.Text("commitment", p.Commitment),
		event.Text("clientSeed", p.ClientSeed), event.Text("clientSource", p.ClientSource.String()), event.Text("next", p.Next.ID),
		event.Int("epoch", p.Epoch), event.Time("since", p.Since))
}

// Covered returns the values of a wallet's closing pair that blocks cover.
func (c Closing) Covered(w wallet.Address) event.Event {
	return event.New(event.Pair, c.ID, w, event.Text("state", ClosingState), event.Text("commitment", c.Commitment),
		event.Text("clientSeed", c.ClientSeed), event.Text("clientSource", c.ClientSource.String()), event.Text("next", c.NextID),
		event.Int("epoch", c.Epoch), event.Int("rounds", c.Nonce), event.Time("since", c.Since))
}

// Covered returns the values of a wallet's retired pair that blocks cover; next is the
// id of the pair after it. They include a hash of the revealed seed, so that it is
// compared with the commitment even if the pair has no rounds.
func (r Revealed) Covered(w wallet.Address, next string) event.Event {
	return event.New(event.Pair, r.ID, w, event.Text("state", RetiredState), event.Text("commitment", r.Commitment),
		event.Text("clientSeed", r.ClientSeed), event.Text("clientSource", r.ClientSource.String()), event.Text("next", next),
		event.Text("revealed", ServerSeedFromText(r.ServerSeed).Commitment()), event.Int("rounds", r.Rounds),
		event.Time("since", r.Since))
}

// PairState holds a pair's covered values, without its seed.
type PairState struct {
	ID         string
	State      string // next, active, closing or retired
	Commitment string
	// ClientSeed and its source are set for active, closing and retired pairs.
	ClientSeed   string
	ClientSource ClientSource
	// Next is the pair after it, Rounds the number of rounds of a closing or retired pair.
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

// FromCovered returns the pair state of an event that Covered made.
func FromCovered(e event.Event) PairState {
	source, _ := ParseClientSource(e.Value("clientSource"))
	return PairState{
		ID: e.ID, State: e.Value("state"), Commitment: e.Value("commitment"), ClientSeed: e.Value("clientSeed"), ClientSource: source,
		Next: e.Value("next"), Rounds: e.Number("rounds"), Since: e.At("since"),
	}
}
