package recovery

import (
	"context"
	"fmt"
	"slices"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// explainMovement finds the withdrawal that a movement paid. With apply it books the
// payment, and reports whether the ledger then has it. Movements that aren't payouts are
// left to the service's own review.
func (r *Recovery) explainMovement(ctx context.Context, m treasury.Movement, apply bool) (explained bool, err error) {
	if m.WithdrawalID == "" {
		return false, nil
	}
	w, err := r.options.Store.Withdrawal(ctx, m.WithdrawalID)
	switch {
	case fault.Is(err, fault.NotFound):
		return r.bringBack(ctx, m, apply)
	case err != nil:
		return false, err
	}
	switch w.Means(m) {
	case withdrawal.Expected:
		return true, nil
	case withdrawal.Proof:
		if apply {
			if err := r.completeWithdrawal(ctx, w, m); err != nil {
				return false, err
			}
		}
		return true, r.noteRecovered(ctx, RecoveredPayout{Movement: m, Wallet: w.Wallet, Was: w.Status})
	case withdrawal.CostOnly, withdrawal.Foreign:
	}
	return false, nil
}

// completeWithdrawal completes a withdrawal by a payment that the ledger lacked.
func (r *Recovery) completeWithdrawal(ctx context.Context, w withdrawal.Withdrawal, m treasury.Movement) error {
	item := payouts.OfWithdrawal(w, []player.UniqueKey{{Kind: player.OperationKey, ID: r.options.Entropy.ID()}})
	item.Source = player.FromAdmin
	item.At, item.WhileRestored = kernel.Now(r.options.Clock), true
	item.Decide = func(v player.View) (player.Change, error) { return player.SettleByChain(v, m, item.At) }
	_, err := r.options.Store.Commit(ctx, item)
	return err
}

// bringBack inserts a withdrawal that the ledger lost, and completes it.
func (r *Recovery) bringBack(ctx context.Context, m treasury.Movement, apply bool) (bool, error) {
	if m.Failed {
		return false, nil // it only paid a fee
	}
	owner, found, err := r.ownerOf(ctx, m)
	if err != nil {
		return false, err
	}
	if !found || len(m.Payments) != 1 {
		r.report.Unknown = append(r.report.Unknown, m)
		return false, nil
	}
	if apply {
		if err := r.restoreWithdrawal(ctx, owner, m); err != nil {
			return false, err
		}
	}
	return true, r.noteRecovered(ctx, RecoveredPayout{Movement: m, Wallet: owner})
}

func (r *Recovery) restoreWithdrawal(ctx context.Context, owner wallet.Address, m treasury.Movement) error {
	lost := player.LostPayout{Movement: m, Requested: m.At, At: kernel.Now(r.options.Clock)}
	if drawn, known := r.options.DrawnAt(m.WithdrawalID); known {
		lost.Requested = drawn
	}
	receipt, err := r.options.Store.Commit(ctx, player.Item{
		Wallet: owner, At: lost.At, Source: player.FromAdmin, WhileRestored: true,
		Keys: []player.UniqueKey{{Kind: player.WithdrawalKey, ID: m.WithdrawalID}},
		Needs: player.Needs{
			Tokens: []money.Token{m.Payments[0].Token}, Withdrawals: []string{m.WithdrawalID}, Open: true,
		},
		Decide: func(v player.View) (player.Change, error) { return player.BringBack(v, lost) },
	})
	if err != nil {
		return err
	}
	if receipt.Change.Withdrawal == nil {
		return kernel.ErrResultLost
	}
	return r.completeWithdrawal(ctx, *receipt.Change.Withdrawal, m)
}

// noteRecovered adds a payout to the report, with the player's resulting debt.
func (r *Recovery) noteRecovered(ctx context.Context, p RecoveredPayout) error {
	owner, err := r.options.Store.Player(ctx, p.Wallet)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	if len(p.Payments) == 1 {
		p.Owes = owner.Protection.Owes(p.Payments[0].Token)
	}
	r.report.Payouts = append(r.report.Payouts, p)
	return nil
}

// ownerOf returns the player whose tag is in the movement's memo. It tries the paid wallet
// first, because most players are paid to their own wallet.
func (r *Recovery) ownerOf(ctx context.Context, m treasury.Movement) (wallet.Address, bool, error) {
	if m.Tag == "" {
		return "", false, nil
	}
	if len(m.Payments) == 1 {
		paid := wallet.Address(m.Payments[0].Destination)
		tags, err := r.tagsOf(paid)
		if err != nil {
			return "", false, err
		}
		if slices.Contains(tags, m.Tag) {
			_, err := r.options.Store.Player(ctx, paid)
			if fault.Is(err, fault.NotFound) {
				return "", false, nil
			}
			return paid, err == nil, err
		}
	}
	if _, looked := r.owners[m.Tag]; !looked {
		if err := r.findOwners(ctx, append(slices.Clone(r.open), m)); err != nil {
			return "", false, err
		}
	}
	owner := r.owners[m.Tag]
	return owner, owner != "", nil
}

// findOwners finds the players of all movements in one walk over the players. It keeps only
// the players that it looks for.
func (r *Recovery) findOwners(ctx context.Context, all []treasury.Movement) error {
	missing := 0
	if r.owners == nil {
		r.owners = map[string]wallet.Address{}
	}
	for _, m := range all {
		if _, known := r.owners[m.Tag]; m.Tag != "" && !known {
			r.owners[m.Tag] = ""
			missing++
		}
	}
	page := ports.Page{Limit: ports.PageMax, Uncounted: true}
	for missing > 0 {
		found, err := r.options.Store.PlayerList(ctx, ports.PlayerFilter{}, page)
		if err != nil {
			r.owners = nil
			return err
		}
		for _, p := range found.Players {
			tags, err := r.tagsOf(p.Wallet)
			if err != nil {
				r.owners = nil
				return err
			}
			for _, tag := range tags {
				if owner, wanted := r.owners[tag]; wanted && owner == "" {
					r.owners[tag] = p.Wallet
					missing--
				}
			}
		}
		if page.After = found.Next; page.After == "" {
			return nil
		}
	}
	return nil
}

// tagsOf returns the tags of a wallet's payouts under every present key, because a payout
// may be older than a rotation.
func (r *Recovery) tagsOf(w wallet.Address) ([]string, error) {
	all, err := r.options.Rotated.Seals(withdrawal.MemoPurpose, []byte(w))
	for i, sealed := range all {
		all[i] = payouts.TagOf(sealed)
	}
	return all, err
}

// summaryLine summarizes the report for the audit record.
func (r RecoveryReport) summaryLine() string {
	owing := 0
	for _, p := range r.Payouts {
		if p.Owes > 0 {
			owing++
		}
	}
	return fmt.Sprintf("epoch %d; %d payouts found on chain, %d of players who owe; %d payments without a player", r.Epoch, len(r.Payouts), owing, len(r.Unknown))
}
