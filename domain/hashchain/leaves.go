package hashchain

import (
	"bytes"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/canonical"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/merkle"
	"github.com/casino-service/casino/domain/seamless"
)

// leafKind begins the encoding of a leaf.
type leafKind string

// The kinds of leaves, in their order in a tree.
const (
	postingLeaf  leafKind = "posting"
	roundLeaf    leafKind = "round"
	recordLeaf   leafKind = "audit record"
	seamlessLeaf leafKind = "provider transaction"
	eventLeaf    leafKind = "event"
)

// leaves returns the hashes of the leaves of the content's Merkle tree: postings, rounds,
// audit records, providers' transactions and events, each in the order of their positions
// in the block. The postings of rounds have no leaves, because they follow from the rounds
// (bet.Round.Posting).
func (c *Content) leaves() []merkle.Hash {
	w := newLeafWriter(len(c.Postings) + len(c.Rounds) + len(c.Audit) + len(c.Seamless) + len(c.Events))
	for i := range c.Postings {
		if c.Postings[i].Key.Kind != ledger.Round {
			w.add(postingLeaf, func(e *encoder) { e.encodePosting(c.Postings[i]) })
		}
	}
	for i := range c.Rounds {
		w.add(roundLeaf, func(e *encoder) { e.encodeRound(&c.Rounds[i]) })
	}
	for i := range c.Audit {
		w.add(recordLeaf, func(e *encoder) { e.encodeRecord(c.Audit[i]) })
	}
	for i := range c.Seamless {
		w.add(seamlessLeaf, func(e *encoder) { e.encodeTransaction(&c.Seamless[i]) })
	}
	for i := range c.Events {
		w.add(eventLeaf, func(e *encoder) { e.encodeEvent(&c.Events[i]) })
	}
	return w.leaves
}

// Leaf is the content of a leaf that a receipt proves: a round or an event. The other one
// is nil.
type Leaf struct {
	Round *bet.Round
	Event *event.Event
}

// Hash returns the hash of the leaf.
func (l Leaf) Hash() merkle.Hash {
	w := newLeafWriter(1)
	if l.Round != nil {
		w.add(roundLeaf, func(e *encoder) { e.encodeRound(l.Round) })
	} else {
		w.add(eventLeaf, func(e *encoder) { e.encodeEvent(l.Event) })
	}
	return w.leaves[0]
}

// RoundIndex returns the index of the leaf of the content's i-th round.
func (c *Content) RoundIndex(i int) int {
	for _, p := range c.Postings {
		if p.Key.Kind != ledger.Round {
			i++
		}
	}
	return i
}

// EventIndex returns the index of the leaf of the content's i-th event.
func (c *Content) EventIndex(i int) int {
	return c.RoundIndex(0) + len(c.Rounds) + len(c.Audit) + len(c.Seamless) + i
}

// BooksItsRounds reports whether the postings of rounds follow from the rounds. No leaf
// covers these postings.
func (c *Content) BooksItsRounds() bool {
	booked := map[string]ledger.Posting{}
	for _, p := range c.Postings {
		if p.Key.Kind == ledger.Round {
			booked[p.Key.ID] = p
		}
	}
	for i := range c.Rounds {
		made, found := booked[c.Rounds[i].ID]
		if !found || !c.Rounds[i].Posting().Equal(made) {
			return false
		}
		delete(booked, c.Rounds[i].ID)
	}
	return len(booked) == 0
}

// leafWriter hashes leaves one after the other.
type leafWriter struct {
	leaves  []merkle.Hash
	buffer  bytes.Buffer
	encoder encoder
}

func newLeafWriter(n int) *leafWriter {
	w := &leafWriter{leaves: make([]merkle.Hash, 0, n)}
	w.encoder = encoder{canonical.To(&w.buffer)}
	return w
}

func (w *leafWriter) add(kind leafKind, encode func(*encoder)) {
	w.buffer.Reset()
	w.buffer.WriteByte(merkle.LeafPrefix)
	w.encoder.encodeText(string(kind))
	encode(&w.encoder)
	w.leaves = append(w.leaves, merkle.LeafHash(w.buffer.Bytes()))
}

// encoder writes the canonical encoding of a block's content.
type encoder struct{ canonical.Encoder }

func (e *encoder) encodeInteger(v int64)  { e.Integer(v) }
func (e *encoder) encodeText(s string)    { e.Text(s) }
func (e *encoder) encodeTime(t time.Time) { e.Moment(t) }
func (e *encoder) encodeFlag(b bool)      { e.Flag(b) }

func (e *encoder) encodeAccount(a ledger.Account) {
	e.encodeInteger(int64(a.Kind))
	e.encodeText(a.Owner)
}

func (e *encoder) encodePosting(p ledger.Posting) {
	e.encodeText(string(p.Key.Kind))
	e.encodeText(p.Key.Scope)
	e.encodeText(p.Key.ID)
	e.encodeInteger(int64(len(p.Transfers)))
	for _, t := range p.Transfers {
		e.encodeAccount(t.Debit)
		e.encodeAccount(t.Credit)
		e.encodeText(string(t.Token))
		e.encodeInteger(int64(t.Amount))
	}
}

func (e *encoder) encodeRound(r *bet.Round) {
	e.encodeText(r.ID)
	e.encodeText(string(r.Wallet))
	e.encodeText(r.Agent)
	e.encodeText(r.GameType)
	e.encodeText(r.Rules)
	e.encodeText(string(r.Token))
	e.encodeInteger(int64(r.Wager))
	e.encodeInteger(int64(r.Payout))
	e.encodeInteger(int64(r.Multiplier.Num))
	e.encodeInteger(int64(r.Multiplier.Den))
	e.encodeValue(r.Config)
	e.encodeValue(r.Outcome)
	e.encodeFlag(r.Void)
	e.encodeText(r.PairID)
	e.encodeText(r.Commitment)
	e.encodeText(r.ClientSeed)
	e.encodeInteger(int64(r.ClientSource))
	e.encodeInteger(r.Nonce)
	e.encodeInteger(int64(r.Balance))
	e.encodeTime(r.At)
	e.encodeValue(r.Actions)
}

func (e *encoder) encodeRecord(a audit.Record) {
	e.encodeText(a.ID)
	e.encodeText(string(a.Action))
	e.encodeText(string(a.By))
	e.encodeText(a.Target)
	e.encodeText(a.Before)
	e.encodeText(a.After)
	e.encodeTime(a.At)
	e.encodeText(a.RequestID)
}

// encodeTransaction writes a provider's transaction.
func (e *encoder) encodeTransaction(t *seamless.Transaction) {
	for _, text := range [...]string{
		t.ID, t.Connection, t.TxnID, t.Provider, t.Game, string(t.Kind), t.GameType, t.Reference, string(t.Wallet), t.Agent,
		string(t.Token), string(t.Requested.Bet), string(t.Requested.Win), t.Residue, string(t.Status), string(t.Reason), t.RoundID, t.Site,
	} {
		e.encodeText(text)
	}
	e.encodeInteger(int64(t.Scale))
	e.encodeInteger(int64(t.Bet))
	e.encodeInteger(int64(t.Win))
	e.encodeInteger(int64(t.Balance))
	e.encodeTime(t.At)
}

// encodeEvent writes its fields with their names: kinds have fields of their own, which may be
// more one day.
func (e *encoder) encodeEvent(made *event.Event) {
	for _, text := range [...]string{string(made.Kind), made.ID, string(made.Wallet), made.Was} {
		e.encodeText(text)
	}
	e.encodeInteger(int64(len(made.Fields)))
	for _, f := range made.Fields {
		e.encodeText(f.Name)
		e.encodeText(f.Value)
	}
}

func (e *encoder) encodeValue(v game.Value) {
	e.encodeInteger(int64(v.Kind()))
	switch v.Kind() {
	case game.BoolKind:
		e.encodeFlag(v.Bool())
	case game.NumberKind:
		e.encodeText(v.NumberText())
	case game.TextKind:
		e.encodeText(v.Text())
	case game.ListKind:
		e.encodeInteger(int64(v.Len()))
		for item := range v.Items() {
			e.encodeValue(item)
		}
	case game.ObjectKind:
		e.encodeInteger(int64(v.Len()))
		for name, member := range v.Members() {
			e.encodeText(name)
			e.encodeValue(member)
		}
	}
}
