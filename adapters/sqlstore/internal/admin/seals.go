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

// resealing are the statements that change a seal: the new one, the parts of the row's
// id, the one that it was read with. cut is what stands between the parts; an id that is
// ofWallet is a wallet, which stands there by its key.
var resealing = map[string]struct {
	text, cut string
	ofWallet  bool
}{
	withdrawal.RequestPurpose:  {"UPDATE transactions SET seal = ? WHERE id = ? AND type = 'withdrawal' AND seal = ?", "", false},
	withdrawal.ApprovalPurpose: {"UPDATE approvals SET seal = ? WHERE withdrawal_id = ? AND approver = ? AND seal = ?", "/", false},
	withdrawal.AttemptPurpose:  {"UPDATE payout_attempts SET seal = ? WHERE withdrawal_id = ? AND number = CAST(? AS integer) AND seal = ?", "/", false},
	rbac.RolesPurpose:          {"UPDATE role_list SET seal = ? WHERE 'list' = ? AND id = 1 AND seal = ?", "", false},
	token.TermsPurpose:         {"UPDATE tokens SET seal = ? WHERE mint = ? AND seal = ?", "", false},
	proof.Purpose:              {"UPDATE wallet_proofs SET seal = ? WHERE wallet = ? AND seal = ?", "", true},
	hashchain.SealPurpose:      {"UPDATE blocks SET seal = ? WHERE lane = CAST(? AS integer) AND seq = CAST(? AS bigint) AND seal = ?", ":", false},
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
			arguments := []any{r.By, r.ID, r.Seal}
			if how.ofWallet {
				arguments[1] = c.key(wallet.Address(r.ID))
			}
			if how.cut != "" {
				at := strings.LastIndex(r.ID, how.cut)
				if at < 0 {
					continue
				}
				arguments = []any{r.By, r.ID[:at], r.ID[at+1:], r.Seal}
			}
			result, err := tx.ExecContext(ctx, how.text, arguments...)
			if err != nil {
				return db.Wrap("reseal", err)
			}
			n, err := result.RowsAffected()
			if err != nil {
				return db.Wrap("reseal", err)
			}
			put += int(n)
		}
		return nil
	})
	return put, err
}
