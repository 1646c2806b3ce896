package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/proof"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// PayoutQueue holds the state that payout workers share: the leases of approved
// withdrawals, and the data that a signing commit must see besides the withdrawal.
type PayoutQueue interface {
	// Lease leases the withdrawal to the worker until a moment; a worker's own lease is
	// renewed. It reports false, and changes nothing, while another worker has it. It waits
	// for signing commits that read the lease.
	Lease(ctx context.Context, withdrawalID, worker string, now, until time.Time) (bool, error)
	// Release ends the worker's own lease, never another worker's.
	Release(ctx context.Context, withdrawalID, worker string) error
	// PayoutState returns the data that a signing commit would see now.
	PayoutState(ctx context.Context, query withdrawal.PayoutQuery) (withdrawal.PayoutControls, error)
}

// PayoutControls is the switch that pauses all payouts.
type PayoutControls interface {
	// Pause returns the present state of the switch.
	Pause(ctx context.Context) (withdrawal.Pause, error)
	// ChangePause reads the switch under lock, calls decide, and stores what it returns
	// with its audit record in the same commit. A refusal by decide changes nothing and is
	// returned unchanged. After ChangePause returns, no commit that saw the earlier state
	// signs.
	ChangePause(ctx context.Context, decide PauseDecision) error
}

// PauseDecision decides on the next state of the switch.
type PauseDecision func(now withdrawal.Pause) (withdrawal.Pause, audit.Record, error)

// WalletProofs stores proofs of wallets' balances and reads the blocks they are computed
// from. Balances are proved before money leaves.
type WalletProofs interface {
	// WalletProof returns the wallet's last stored proof, the zero one before the first.
	WalletProof(ctx context.Context, w wallet.Address) (proof.Proof, error)
	// KeepWalletProof stores a proof in place of the wallet's last one.
	KeepWalletProof(ctx context.Context, p proof.Proof) error
	// WalletBlocks returns a page of the blocks that hold the wallet's rounds, providers'
	// transactions, deposits, withdrawals and adjustments, and the wallet's present state.
	// Detached months are included while their tables exist.
	//
	// It reads at one moment: a page with no block left out has every such block committed
	// by the time of its State. A block that can't be read as sealed has the reason in
	// Wrong.
	WalletBlocks(ctx context.Context, q WalletQuery) (WalletPage, error)
}

// WalletQuery selects some of a wallet's blocks.
type WalletQuery struct {
	Wallet wallet.Address
	// Since leaves out earlier rounds and providers' transactions, and other transactions
	// that began and last changed before it; zero leaves out nothing.
	Since time.Time
	// After is the last page's After, empty for the first page.
	After string
	// Counted reports the blocks to leave out; nil leaves out none. It must not call the
	// store.
	Counted func(lane int, seq int64) bool
	// Limit is the largest number of blocks on a page.
	Limit int
	// Heads are blocks to look for; see WalletPage.Lost.
	Heads []hashchain.Head
}

// WalletPage is a page of a wallet's blocks.
type WalletPage struct {
	Blocks []proof.Block
	State  proof.State
	// More reports that the limit left blocks out; the next page begins at After.
	More bool
	Next string
	// Lost reports that the store lacks one of the query's Heads.
	Lost bool
}
