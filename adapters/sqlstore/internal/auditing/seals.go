package auditing

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/adapters/sqlstore/internal/archive"
	"github.com/casino-service/casino/adapters/sqlstore/internal/chain"
	"github.com/casino-service/casino/adapters/sqlstore/internal/change"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/payments"
	"github.com/casino-service/casino/adapters/sqlstore/internal/payouts"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/registry"
	"github.com/casino-service/casino/adapters/sqlstore/internal/roles"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/proof"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// sealedAtOnce is how many rows of a table are read before they are visited.
const sealedAtOnce = 500

// SealedRows implements ports.SealedRows.
func (s *Store) SealedRows(ctx context.Context, visit func(seal.Row) error) error {
	each := func(row seal.Row) error {
		if row.Seal == "" {
			return nil
		}
		return visit(row)
	}
	for _, part := range []func(context.Context, func(seal.Row) error) error{
		s.sealedWithdrawals, s.sealedLists, s.sealedProofs, s.sealedBlocks,
	} {
		if err := part(ctx, each); err != nil {
			return err
		}
	}
	return nil
}

// sealedWithdrawals visits requests, their approvals and attempts.
func (s *Store) sealedWithdrawals(ctx context.Context, visit func(seal.Row) error) error {
	for after := ""; ; {
		page, err := payments.ReadWithdrawals(ctx, s.Reads, "read withdrawals", read.From(s.Reads, payments.Transactions).Where("t.type = 'withdrawal' AND t.id > ?", after).
			Order("t.id").Limit(withdrawalsAtOnce))
		if err != nil || len(page) == 0 {
			return err
		}
		var found []seal.Row
		ids := make([]any, len(page))
		for i, w := range page {
			ids[i] = w.ID
			found = append(found, seal.Row{Purpose: withdrawal.RequestPurpose, ID: w.ID, Message: w.SealedRequest(), Seal: w.Seal})
			for _, a := range w.Approvals {
				found = append(found, seal.Row{
					Purpose: withdrawal.ApprovalPurpose, ID: w.ID + "/" + string(a.By), Message: w.SealedApproval(a), Seal: a.Seal,
				})
			}
		}
		err = read.From(s.Reads, payouts.Attempts).In("a.withdrawal_id", ids).Order("a.withdrawal_id, a.number").Each(ctx, "read payout attempts", func(a payouts.Attempt) error {
			found = append(found, seal.Row{
				Purpose: withdrawal.AttemptPurpose, ID: a.WithdrawalID + "/" + strconv.Itoa(a.Number), Message: a.Signed().Sealed(), Seal: a.Seal,
			})
			return nil
		})
		if err == nil {
			err = visitAll(found, visit)
		}
		if err != nil {
			return err
		}
		after = page[len(page)-1].ID
	}
}

func visitAll(found []seal.Row, visit func(seal.Row) error) error {
	for _, row := range found {
		if err := visit(row); err != nil {
			return err
		}
	}
	return nil
}

// sealedLists visits the list of roles and the terms of tokens.
func (s *Store) sealedLists(ctx context.Context, visit func(seal.Row) error) error {
	list, err := (&roles.Store{Changes: s.Changes}).RoleList(ctx)
	if err != nil {
		return err
	}
	found := []seal.Row{{Purpose: rbac.RolesPurpose, ID: "list", Message: list.Sealed(), Seal: list.Seal}}
	err = read.From(s.Reads, registry.Tokens).Order("t.mint").Each(ctx, "read tokens", func(t token.Terms) error {
		found = append(found, seal.Row{Purpose: token.TermsPurpose, ID: string(t.Mint), Message: t.Sealed(), Seal: t.Seal})
		return nil
	})
	if err != nil {
		return err
	}
	return visitAll(found, visit)
}

// sealedProofs visits wallets' proofs; one that can't be read has no message.
func (s *Store) sealedProofs(ctx context.Context, visit func(seal.Row) error) error {
	for after := table.ID(""); ; {
		var found []seal.Row
		err := s.Rows(ctx, "read wallets' proofs", `SELECT coalesce(o.wallet, ''), k.wallet, k.state, k.seal FROM wallet_proofs AS k
			LEFT JOIN players AS o ON o.key = k.wallet WHERE k.wallet > ? ORDER BY k.wallet LIMIT ?`,
			[]any{s.DB.Dialect.ID(string(after)), sealedAtOnce}, func(row *sql.Rows) error {
				var w, state, sealed string
				if err := row.Scan(&w, &after, &state, &sealed); err != nil {
					return err
				}
				kept := seal.Row{Purpose: proof.Purpose, ID: w, Seal: sealed}
				if p, err := wire.DecodeProof(state); err == nil {
					p.Wallet = wallet.Address(w)
					kept.Message = p.Sealed()
				}
				found = append(found, kept)
				return nil
			})
		if err == nil {
			err = visitAll(found, visit)
		}
		if err != nil || len(found) == 0 {
			return err
		}
	}
}

func (s *Store) sealedBlocks(ctx context.Context, visit func(seal.Row) error) error {
	heads, err := (&archive.Store{Reads: s.Reads}).Heads(ctx)
	if err != nil {
		return err
	}
	for _, head := range heads {
		for after := int64(0); after < head.Seq; {
			page, err := read.From(s.Reads, chain.Blocks).Where("b.lane = ? AND b.seq > ?", head.Lane, after).Order("b.seq").Limit(sealedAtOnce).All(ctx, "read blocks")
			if err != nil || len(page) == 0 {
				return err
			}
			for _, b := range page {
				if err := visit(seal.Row{
					Purpose: hashchain.SealPurpose, ID: fmt.Sprintf("%d:%d", b.Lane, b.Seq), Message: b.Head().Sealed(), Seal: b.Seal,
				}); err != nil {
					return err
				}
			}
			after = page[len(page)-1].Seq
		}
	}
	return nil
}

// resealing maps the purposes of seals to their tables, and to a condition for the row by the
// parts of its id. cut separates the parts; with ofWallet the id is a wallet, stored by its key.
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

// Reseal implements ports.SealedRows.
func (s *Store) Reseal(ctx context.Context, replaced []seal.Replacement) (put int, err error) {
	err = s.Run(ctx, "seals", func(ctx context.Context, tx bun.Tx) error {
		put = 0
		for _, r := range replaced {
			how, known := resealing[r.Purpose]
			if !known {
				return db.Defect("no row has a seal for %q", r.Purpose)
			}
			arguments := []any{r.ID}
			if how.ofWallet {
				arguments[0] = s.Key(wallet.Address(r.ID))
			}
			if how.cut != "" {
				at := strings.LastIndex(r.ID, how.cut)
				if at < 0 {
					continue
				}
				arguments = []any{r.ID[:at], r.ID[at+1:]}
			}
			n, err := change.RowsChanged(tx.NewUpdate().Table(how.table).Set("seal = ?", r.By).Where(how.which, arguments...).Where("seal = ?", r.Seal).Exec(ctx))
			if err != nil {
				return db.Wrap("reseal", err)
			}
			put += int(n)
		}
		return nil
	})
	return put, err
}
