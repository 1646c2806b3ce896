package rows

import (
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// The models of small tables, which only short transactions and reads use.

// Fact is a row of meta: what the database was founded on.
type Fact struct {
	bun.BaseModel `bun:"table:meta,alias:m"`
	Name          string `bun:",pk"`
	Value         string
}

// Origin is the one row of origin: where the data of the server came from.
type Origin struct {
	bun.BaseModel `bun:"table:origin,alias:o"`
	One           single `bun:",pk"`
	System        string
	Timeline      int64
}

// RoleListRow is the one row of role_list: what the list of roles carries.
type RoleListRow struct {
	bun.BaseModel `bun:"table:role_list,alias:l"`
	ID            single `bun:",pk"`
	Version       int64
	Seal          string
}

// TokenFee is a row of token_fees: what opening an account of a token costs.
type TokenFee struct {
	bun.BaseModel `bun:"table:token_fees,alias:f"`
	Mint          money.Token `bun:",pk"`
	NewAccountFee money.Amount
}

// WalletProof is a row of wallet_proofs.
type WalletProof struct {
	bun.BaseModel `bun:"table:wallet_proofs,alias:k"`
	Wallet        wallet.Address `bun:",pk,type:uuid"`
	State         string
	Seal          string
}

// PayoutLease is a row of payout_leases: the worker who pays a withdrawal.
type PayoutLease struct {
	bun.BaseModel `bun:"table:payout_leases,alias:l"`
	WithdrawalID  string `bun:",pk"`
	Worker        string
	Until         time.Time
}

// WatchCursor is a row of watch_cursors: up to where a token's deposits were looked at.
type WatchCursor struct {
	bun.BaseModel `bun:"table:watch_cursors,alias:c"`
	Token         money.Token `bun:",pk"`
	Cursor        string
	After         uint64
}

// WatchCursors are up to where deposits were looked at.
var WatchCursors = modelOf[WatchCursor, WatchCursor]()

// Reconciled is a row of provider_reconciled: up to when a connection's log was compared.
type Reconciled struct {
	bun.BaseModel `bun:"table:provider_reconciled,alias:r"`
	Connection    string `bun:",pk"`
	Until         time.Time
}

// Reconciliations are up to when the logs of connections were compared.
var Reconciliations = modelOf[Reconciled, Reconciled]()

// Facts are what the database was founded on.
var Facts = modelOf[Fact, Fact]()

// WalletProofs are wallets' proofs, as they are stored.
var WalletProofs = modelOf[WalletProof, WalletProof]()
