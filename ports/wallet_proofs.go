package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/proof"
	"github.com/casino-service/casino/domain/wallet"
)

// WalletProofs is what a wallet's balances are proved from before money leaves: the
// blocks that have something of it, and the proof that was kept last.
type WalletProofs interface {
	// WalletProof returns the wallet's proof as it was kept last, the zero one before the
	// first.
	WalletProof(ctx context.Context, w wallet.Address) (proof.Proof, error)
	// KeepWalletProof keeps a proof in the place of the wallet's last one.
	KeepWalletProof(ctx context.Context, p proof.Proof) error
	// WalletBlocks returns a page of the blocks that the wallet's rounds, transactions of
	// providers, deposits, withdrawals and adjustments name, months that were taken out
	// included as long as they are there, and with it what stands of the wallet.
	//
	// It is as of one moment: a page that leaves nothing out has every such block which
	// was committed when its State was. A block that can't be read as it was sealed is
	// there with what is Wrong.
	WalletBlocks(ctx context.Context, q WalletQuery) (WalletPage, error)
}

// WalletQuery asks for some of a wallet's blocks.
type WalletQuery struct {
	Wallet wallet.Address
	// Since leaves out rounds and providers' transactions of an earlier moment, and other
	// transactions that began and last changed before; zero leaves out nothing.
	Since time.Time
	// After goes on after the page that named it; empty for the first.
	After string
	// Counted leaves out blocks; nil leaves out none. It must not call the store.
	Counted func(lane int, seq int64) bool
	// Limit is how many blocks a page has at most.
	Limit int
	// Heads are blocks of which the page says whether all are there.
	Heads []hashchain.Head
}

// WalletPage is a page of a wallet's blocks.
type WalletPage struct {
	Blocks []proof.Block
	State  proof.State
	// More says that blocks are left out for the limit; the next page comes After Next.
	More bool
	Next string
	// Lost says that one of the query's Heads is no block here.
	Lost bool
}
