package hashchain

import (
	"slices"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/merkle"
	"github.com/casino-service/casino/domain/wallet"
)

// Inclusion proves that a block has a leaf.
type Inclusion struct {
	Header
	Leaf  Leaf
	Index int
	// Path is the leaf's audit path, the lowest hash first.
	Path []merkle.Hash
}

// Include proves that the block has the leaf at the index.
func (s *Sealed) Include(leaf Leaf, index int) Inclusion {
	return Inclusion{Header: s.Header, Leaf: leaf, Index: index, Path: s.Tree.Path(index)}
}

// Find returns the leaf of a wallet's round of an id, or of the last event of its open
// round, deposit or seed pair of that id, with its index. Of a withdrawal it returns the
// request, which is its first event: later ones have what admins note for each other.
func (c *Content) Find(w wallet.Address, id string) (leaf Leaf, index int, found bool) {
	if at := slices.IndexFunc(c.Rounds, func(r bet.Round) bool { return r.ID == id && r.Wallet == w }); at >= 0 {
		return Leaf{Round: &c.Rounds[at]}, c.RoundIndex(at), true
	}
	for at, e := range slices.Backward(c.Events) {
		if e.ID == id && e.Wallet == w && shownToPlayers(&e) {
			return Leaf{Event: &c.Events[at]}, c.EventIndex(at), true
		}
	}
	return Leaf{}, 0, false
}

// shownToPlayers reports whether a player may see the whole event.
func shownToPlayers(e *event.Event) bool {
	switch e.Kind {
	case event.OpenRound, event.Deposit, event.Pair:
		return true
	case event.Withdrawal:
		return e.Was == ""
	}
	return false
}

// Valid reports whether the block has the leaf.
func (i Inclusion) Valid() bool { return i.Holds(i.Leaf.Hash(), i.Index, i.Path) }
