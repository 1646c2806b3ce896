package ports

import (
	"context"

	"github.com/casino-service/casino/domain/seal"
)

// SealedRows reads the rows that carry seals, for auditors, and gives them other seals,
// after the keys of seals were changed.
type SealedRows interface {
	// SealedRows calls visit once for each row that carries a seal: requests and approvals
	// of withdrawals, payout attempts, the list of roles, tokens' terms, wallets' proofs,
	// and blocks. visit may call Reseal. An error of visit ends the walk and is returned.
	SealedRows(ctx context.Context, visit func(seal.Row) error) error
	// Reseal puts seals in the place of those that rows were read with; a row that has
	// another one by now is left alone. It returns how many it put.
	Reseal(ctx context.Context, replaced []seal.Replacement) (int, error)
}
