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

// PayoutQueue is what payout workers share: which worker has leased which approved
// withdrawal, and what a signing commit must see besides the withdrawal.
type PayoutQueue interface {
	// Lease gives the worker the withdrawal until a moment. It reports false, and
	// changes nothing, while another worker has it; a worker's own lease is renewed. No
	// signing commit that reads the lease runs while it changes.
	Lease(ctx context.Context, withdrawalID, worker string, now, until time.Time) (bool, error)
	// Release ends the worker's lease. Another worker's stays.
	Release(ctx context.Context, withdrawalID, worker string) error
	// PayoutState returns what a signing commit would see now.
	PayoutState(ctx context.Context, query withdrawal.PayoutQuery) (withdrawal.PayoutControls, error)
}

// PayoutControls is the switch that pauses all payouts.
type PayoutControls interface {
	// Pause returns the present state of the switch.
	Pause(ctx context.Context) (withdrawal.Pause, error)
	// ChangePause runs decide on the switch, read under lock, and stores what it
	// returns with its audit record in the same commit. A refusal by decide changes
	// nothing and is returned as it is. After ChangePause returned, no commit that
	// saw the earlier state signs.
	ChangePause(ctx context.Context, decide PauseDecision) error
}

// PauseDecision decides on the next state of the switch from the present one.
type PauseDecision func(now withdrawal.Pause) (withdrawal.Pause, audit.Record, error)

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
