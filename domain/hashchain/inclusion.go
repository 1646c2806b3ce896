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

// Find proves that the block, which is of the content, has a wallet's round of an id, or
// the last event of its open round, withdrawal, deposit or seed pair of that id.
func (s *Sealed) Find(c *Content, w wallet.Address, id string) (proved Inclusion, found bool) {
	if at := slices.IndexFunc(c.Rounds, func(r bet.Round) bool { return r.ID == id && r.Wallet == w }); at >= 0 {
		return s.Include(Leaf{Round: &c.Rounds[at]}, c.RoundIndex(at)), true
	}
	for at, e := range slices.Backward(c.Events) {
		switch e.Kind {
		case event.OpenRound, event.Withdrawal, event.Deposit, event.Pair:
			if e.ID == id && e.Wallet == w {
				return s.Include(Leaf{Event: &c.Events[at]}, c.EventIndex(at)), true
			}
		}
	}
	return Inclusion{}, false
}

// Valid reports whether the block has the leaf.
func (i Inclusion) Valid() bool { return i.Holds(i.Leaf.Hash(), i.Index, i.Path) }
