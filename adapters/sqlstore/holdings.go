package sqlstore

import (
	"maps"

	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// holdings is one wallet in a batch: what its items may see, after the items
// before them.
type holdings struct {
	// view is wider than what one item asked for, and holds what is kept for
	// everybody as the item that is decided may see it.
	view  player.View
	needs player.Needs // of all its items together
	// stored are the tokens of which the player's balance has a row.
	stored []money.Token
	// held are the balances of its withdrawals' holds.
	held map[string]money.Amount
	// pairs are the states of the seed pairs that are stored, by id.
	pairs map[string]storedPair
	// played are the rounds of the player, those of the batch included.
	played played
	// rows are the transactions that are stored, by id.
	rows map[string]transaction
	// protection is the stored text of what restricts the player.
	protection string
	// broken is why its view can't be made; its items fail with it.
	broken error
}

type storedPair struct {
	state pairState
	nonce int64
}

// newHoldings returns a wallet of which nothing is read yet. Most items look at a
// balance and a seed pair, so that other maps are made when something is put there.
func newHoldings(w wallet.Address) *holdings {
	return &holdings{
		view: player.View{Player: player.Player{Wallet: w}, Balances: map[money.Token]money.Amount{}},
		held: map[string]money.Amount{}, pairs: map[string]storedPair{},
	}
}

// found notes a stored balance of the player's.
func (h *holdings) found(token money.Token, amount money.Amount) {
	h.view.Balances[token] = amount
	h.stored = append(h.stored, token)
}

func put[K comparable, V any](in *map[K]V, key K, value V) {
	if *in == nil {
		*in = map[K]V{}
	}
	(*in)[key] = value
}

// holdsAfter returns the balances of the holds after the postings.
func (h *holdings) holdsAfter(postings []ledger.Posting) (map[string]money.Amount, error) {
	held, cloned := h.held, false
	for _, p := range postings {
		for _, t := range p.Transfers {
			if t.Debit.Kind != ledger.Hold && t.Credit.Kind != ledger.Hold {
				continue
			}
			if !cloned {
				held, cloned = maps.Clone(h.held), true
			}
			ok := true
			if t.Debit.Kind == ledger.Hold {
				held[t.Debit.Owner], ok = held[t.Debit.Owner].Sub(t.Amount)
			}
			if ok && t.Credit.Kind == ledger.Hold {
				held[t.Credit.Owner], ok = held[t.Credit.Owner].Add(t.Amount)
			}
			if !ok {
				return nil, defect("posting %v: a hold can't move %d", p.Key, t.Amount)
			}
		}
	}
	return held, nil
}
