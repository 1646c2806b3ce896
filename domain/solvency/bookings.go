package solvency

import (
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// ErrUnproved reports that what is owed doesn't follow from the blocks of the ledger.
var ErrUnproved = errors.New("what is owed doesn't follow from the ledger")

func unproved(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrUnproved}, args...)...)
}

// Bookings adds up what successive blocks book for players. With it what is owed is derived
// from blocks: rows of balances are only compared.
type Bookings struct {
	last   map[int]hashchain.Head // by lane
	moved  map[debt]money.Total
	events map[string]string // digests of the events of kind event.Solvency, by id
}

// debt identifies what is owed to a wallet.
type debt struct {
	kind   ledger.Kind
	wallet wallet.Address
	token  money.Token
}

// BookedAfter returns the bookings after some heads; without heads those of the whole ledger.
func BookedAfter(heads []hashchain.Head) *Bookings {
	b := &Bookings{last: map[int]hashchain.Head{}, moved: map[debt]money.Total{}, events: map[string]string{}}
	for _, head := range heads {
		b.last[head.Lane] = head
	}
	return b
}

// Add adds the next block of a lane. It returns ErrUnproved if the block doesn't follow the
// one before it, or if its content isn't what its hash covers.
func (b *Bookings) Add(head hashchain.Head, c hashchain.Content) error {
	previous := b.last[head.Lane]
	previous.Lane = head.Lane
	if hashchain.Again(previous, head.Seq, c).Hash() != head.Hash {
		return unproved("block %d:%d doesn't follow block %d, or was changed", head.Lane, head.Seq, previous.Seq)
	}
	b.last[head.Lane] = head
	holders := map[string]wallet.Address{} // by withdrawal
	for _, e := range c.Events {
		switch e.Kind {
		case event.Withdrawal:
			holders[e.ID] = e.Wallet
		case event.Solvency:
			b.events[e.ID] = e.Digest()
		}
	}
	for _, p := range c.Postings {
		for _, t := range p.Transfers {
			b.book(t.Debit, t.Token, money.TotalOf(t.Amount).Neg(), holders)
			b.book(t.Credit, t.Token, money.TotalOf(t.Amount), holders)
		}
	}
	return nil
}

func (b *Bookings) book(of ledger.Account, token money.Token, by money.Total, holders map[string]wallet.Address) {
	if !of.Kind.Liability() {
		return
	}
	d := debt{of.Kind, wallet.Address(of.Owner), token}
	if of.Kind == ledger.Hold {
		d.wallet = holders[of.Owner]
	}
	b.moved[d] = b.moved[d].Add(by)
}

// Check returns nil if what is owed at some heads follows from the blocks, else ErrUnproved.
// The caller has checked the seal of each block. What the blocks book is taken back. That must leave what was owed at the snapshot before, of which
// one of the blocks has the root; key and hour are those of its salts. The zero statement
// stands for no snapshot: then it must leave nothing.
func (b *Bookings) Check(owed Debts, heads []hashchain.Head, key []byte, hour time.Time, before checkpoint.Statement) error {
	ends := map[int]hashchain.Head{}
	for _, head := range heads {
		ends[head.Lane] = head
	}
	if !maps.Equal(ends, b.last) {
		return unproved("the blocks end at %v, what is owed is of %v", b.last, ends)
	}
	left, err := b.takenBack(owed)
	if err != nil {
		return err
	}
	stated, err := ParseFacts(before.Facts)
	if err != nil {
		return err
	}
	for _, s := range stated {
		l, err := NewLedger(s.Token, key, hour, left[s.Token])
		if err != nil {
			return err
		}
		e := l.Event(before.At, before.Heads)
		if digest, found := b.events[e.ID]; !found || digest != e.Digest() {
			return unproved("what is owed of %s, less what was booked since %s, isn't what a block states of then", s.Token, before.At)
		}
		delete(left, s.Token)
	}
	for token, debts := range left {
		for w, o := range debts {
			if o != (Owed{}) {
				return unproved("%+v of %s is owed to %s, and no block books it", o, token, w)
			}
		}
	}
	return nil
}

// takenBack returns what was owed before the bookings.
func (b *Bookings) takenBack(owed Debts) (Debts, error) {
	left := Debts{}
	for token, debts := range owed {
		left[token] = maps.Clone(debts)
	}
	for d, moved := range b.moved {
		if left[d.token] == nil {
			left[d.token] = map[wallet.Address]Owed{}
		}
		o := left[d.token][d.wallet]
		part := o.part(d.kind)
		amount, fits := money.TotalOf(*part).Sub(moved).Amount()
		if !fits {
			return nil, unproved("%d of %s is owed to %q as %s, of which blocks book %v", *part, d.token, d.wallet, d.kind, moved)
		}
		*part = amount
		left[d.token][d.wallet] = o
	}
	return left, nil
}
