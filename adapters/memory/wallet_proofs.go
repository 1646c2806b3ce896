package memory

import (
	"context"
	"slices"
	"strconv"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/proof"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// WalletProof serves ports.WalletProofs.
func (s *Store) WalletProof(_ context.Context, w wallet.Address) (proof.Proof, error) {
	defer s.locked()()
	return s.proofs[w], nil
}

// KeepWalletProof serves ports.WalletProofs.
func (s *Store) KeepWalletProof(_ context.Context, p proof.Proof) error {
	defer s.locked()()
	s.proofs[p.Wallet] = p
	return nil
}

// WalletBlocks serves ports.WalletProofs. A block holds one item, so the block's time is
// the item's.
func (s *Store) WalletBlocks(_ context.Context, q ports.WalletQuery) (ports.WalletPage, error) {
	defer s.locked()()
	page := ports.WalletPage{State: s.walletState(q.Wallet), Next: q.After}
	page.Lost = slices.ContainsFunc(q.Heads, func(h hashchain.Head) bool {
		return !slices.ContainsFunc(s.blocks, func(b ports.Block) bool { return b.Head == h })
	})
	after := -1
	if n, err := strconv.Atoi(q.After); err == nil {
		after = n
	}
	for i, b := range s.blocks {
		if i <= after || b.At.Before(q.Since) || !concernsWallet(b.Content, q.Wallet) || q.Counted != nil && q.Counted(b.Lane, b.Seq) {
			continue
		}
		if len(page.Blocks) >= q.Limit {
			page.More = true
			break
		}
		page.Blocks = append(page.Blocks, proof.Block{Head: b.Head, Previous: b.Previous, Content: b.Content})
		page.Next = strconv.Itoa(i)
	}
	return page, nil
}

// concernsWallet reports whether a block concerns a wallet.
func concernsWallet(c hashchain.Content, w wallet.Address) bool {
	for _, p := range c.Postings {
		for _, t := range p.Transfers {
			if own := t.Debit; own == ledger.PlayerOf(w) || own == ledger.UnclaimedOf(w) {
				return true
			}
			if own := t.Credit; own == ledger.PlayerOf(w) || own == ledger.UnclaimedOf(w) {
				return true
			}
		}
	}
	for _, r := range c.Rounds {
		if r.Wallet == w {
			return true
		}
	}
	return slices.ContainsFunc(c.Events, func(e event.Event) bool { return e.Kind == event.Withdrawal && e.Wallet == w })
}

func (s *Store) walletState(w wallet.Address) proof.State {
	v := s.view(w)
	state := proof.State{Heads: s.newest(), Owed: map[money.Token]money.Amount{}, Nonces: v.Pair.Nonce}
	for id := range v.Closing {
		state.Nonces += v.Closing[id].Nonce
	}
	for _, b := range s.book.Balances() {
		_, held := v.Withdrawals[b.Account.Owner]
		switch {
		case b.Account == ledger.PlayerOf(w), b.Account == ledger.UnclaimedOf(w), b.Account.Kind == ledger.Hold && held:
			state.Balances = append(state.Balances, b)
		}
	}
	for _, debt := range v.Player.Protection.Owed {
		state.Owed[debt.Token] = debt.Amount
	}
	for _, r := range s.retired {
		if r.wallet == w {
			state.Nonces += r.Rounds
		}
	}
	return state
}
