package admin

import (
	"context"
	"strings"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/proof"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// resealing are the tables that have seals, and which row a seal is of, by the parts of its
// id. cut is what stands between the parts; an id that is ofWallet is a wallet, which stands
// there by its key.
var resealing = map[string]struct {
	table, which, cut string
	ofWallet          bool
}{
	withdrawal.RequestPurpose:  {"transactions", "id = ? AND type = 'withdrawal'", "", false},
	withdrawal.ApprovalPurpose: {"approvals", "withdrawal_id = ? AND approver = ?", "/", false},
	withdrawal.AttemptPurpose:  {"payout_attempts", "withdrawal_id = ? AND number = CAST(? AS integer)", "/", false},
	rbac.RolesPurpose:          {"role_list", "'list' = ? AND id = 1", "", false},
	token.TermsPurpose:         {"tokens", "mint = ?", "", false},
	proof.Purpose:              {"wallet_proofs", "wallet = ?", "", true},
	hashchain.SealPurpose:      {"blocks", "lane = CAST(? AS integer) AND seq = CAST(? AS bigint)", ":", false},
}

// Reseal serves ports.SealedRows.
func (c *Changes) Reseal(ctx context.Context, replaced []seal.Replacement) (put int, err error) {
	err = c.short(ctx, "seals", func(ctx context.Context, tx bun.Tx) error {
		put = 0
		for _, r := range replaced {
			how, known := resealing[r.Purpose]
			if !known {
				return db.Defect("no row has a seal for %q", r.Purpose)
			}
			arguments := []any{r.ID}
			if how.ofWallet {
				arguments[0] = c.key(wallet.Address(r.ID))
			}
			if how.cut != "" {
				at := strings.LastIndex(r.ID, how.cut)
				if at < 0 {
					continue
				}
				arguments = []any{r.ID[:at], r.ID[at+1:]}
			}
			n, err := changed(tx.NewUpdate().Table(how.table).Set("seal = ?", r.By).Where(how.which, arguments...).Where("seal = ?", r.Seal).Exec(ctx))
			if err != nil {
				return db.Wrap("reseal", err)
			}
			put += int(n)
		}
		return nil
	})
	return put, err
}
