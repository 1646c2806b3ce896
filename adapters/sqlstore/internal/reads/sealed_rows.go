package reads

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
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

// SealedRows serves ports.SealedRows.
func (r *Reads) SealedRows(ctx context.Context, visit func(seal.Row) error) error {
	each := func(row seal.Row) error {
		if row.Seal == "" {
			return nil
		}
		return visit(row)
	}
	for _, part := range []func(context.Context, func(seal.Row) error) error{
		r.sealedWithdrawals, r.sealedLists, r.sealedProofs, r.sealedBlocks,
	} {
		if err := part(ctx, each); err != nil {
			return err
		}
	}
	return nil
}

// sealedWithdrawals are requests, their approvals and attempts.
func (r *Reads) sealedWithdrawals(ctx context.Context, visit func(seal.Row) error) error {
	for after := ""; ; {
		page, err := r.withdrawals(ctx, "read withdrawals", from(r, rows.Transactions).where("t.type = 'withdrawal' AND t.id > ?", after).
			order("t.id").limit(withdrawalsAtOnce))
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
		err = from(r, rows.Attempts).in("a.withdrawal_id", ids).order("a.withdrawal_id, a.number").each(ctx, "read payout attempts", func(a rows.Attempt) error {
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

// sealedLists are the list of roles and the terms of tokens.
func (r *Reads) sealedLists(ctx context.Context, visit func(seal.Row) error) error {
	list, err := r.RoleList(ctx)
	if err != nil {
		return err
	}
	found := []seal.Row{{Purpose: rbac.RolesPurpose, ID: "list", Message: list.Sealed(), Seal: list.Seal}}
	err = from(r, rows.Tokens).order("t.mint").each(ctx, "read tokens", func(t token.Terms) error {
		found = append(found, seal.Row{Purpose: token.TermsPurpose, ID: string(t.Mint), Message: t.Sealed(), Seal: t.Seal})
		return nil
	})
	if err != nil {
		return err
	}
	return visitAll(found, visit)
}

// sealedProofs are wallets' proofs; one that can't be read has no message.
func (r *Reads) sealedProofs(ctx context.Context, visit func(seal.Row) error) error {
	for after := rows.ID(""); ; {
		var found []seal.Row
		err := r.rows(ctx, "read wallets' proofs", `SELECT coalesce(o.wallet, ''), k.wallet, k.state, k.seal FROM wallet_proofs AS k
			LEFT JOIN players AS o ON o.key = k.wallet WHERE k.wallet > ? ORDER BY k.wallet LIMIT ?`,
			[]any{r.db.Dialect.ID(string(after)), sealedAtOnce}, func(row *sql.Rows) error {
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

func (r *Reads) sealedBlocks(ctx context.Context, visit func(seal.Row) error) error {
	heads, err := r.Heads(ctx)
	if err != nil {
		return err
	}
	for _, head := range heads {
		for after := int64(0); after < head.Seq; {
			page, err := from(r, rows.Blocks).where("b.lane = ? AND b.seq > ?", head.Lane, after).order("b.seq").limit(sealedAtOnce).all(ctx, "read blocks")
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
