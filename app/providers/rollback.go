package providers

import (
	"cmp"
	"context"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// rollbackTries is how often a rollback is committed: against an unknown transaction, then
// against the known one, then against an admin's decision on its win.
const rollbackTries = 3

// ProviderRollback undoes the transaction that a call's Reference names. It counts once: a
// repeat gets the first response, and a rollback of the same transaction under another id
// moves nothing and is accepted. A rollback of an unknown transaction is accepted, and the
// transaction is refused when it arrives. A rollback that can't be carried out raises an
// alarm and is refused, and a repeat is decided anew.
func (c *Service) ProviderRollback(ctx context.Context, call kernel.ProviderCall) (kernel.ProviderResponse, error) {
	w, err := wallet.Parse(call.UserCode)
	if err != nil || c.core.Provider == nil {
		return kernel.ProviderResponse{}, fault.New(fault.InvalidUser, "the user never launched a game there")
	}
	rollback, err := c.checkRollback(ctx, call)
	if err != nil {
		return kernel.ProviderResponse{}, err
	}
	for range rollbackTries {
		receipt, err := c.commitRollback(ctx, w, rollback)
		if fault.Is(err, fault.InsufficientFunds) || fault.Is(err, fault.Forbidden) {
			return c.alarmRollback(ctx, w, rollback, err)
		}
		if err != nil {
			return kernel.ProviderResponse{}, err
		}
		t := receipt.Change.Response()
		switch {
		case t == nil:
			return kernel.ProviderResponse{}, kernel.ErrResultLost
		case !receipt.Replayed && rollback.Undone.ID == "":
			return c.acceptUnmoved(ctx, w)
		case !receipt.Replayed:
			return c.answer(ctx, *t, receipt)
		case t.Wallet != w || t.Kind != seamless.Rollback && t.TxnID != rollback.Reference:
			return c.conflict(ctx, w, rollback.TxnID, *t)
		case t.Kind == seamless.Rollback:
			return c.repeatRollback(ctx, w, rollback, *t, receipt)
		case t.Status == seamless.Undecided:
			return kernel.ProviderResponse{}, fault.New(fault.Unavailable, "the agent's site has not answered the bet yet").With("outcome", "none")
		case t.Kind == seamless.Settlement:
			rollback.Settled = *t
		default:
			rollback.Undone = *t
		}
	}
	return kernel.ProviderResponse{}, kernel.ErrResultLost
}

// checkRollback checks the texts of a call.
func (c *Service) checkRollback(ctx context.Context, call kernel.ProviderCall) (player.ProviderRollback, error) {
	call.Kind = string(seamless.Debit) // for the checks; a rollback has no amount
	call, err := c.withGame(ctx, call)
	if err != nil {
		return player.ProviderRollback{}, err
	}
	checked, err := c.checkCallback(call)
	if err == nil && call.Reference == "" {
		err = fault.Field("reference", "must name the transaction to undo")
	}
	return player.ProviderRollback{
		ID: checked.ID, Ref: checked.Ref, GameType: checked.GameType, Reference: checked.Reference, Caps: checked.Caps, At: checked.At,
	}, err
}

// repeatRollback answers a rollback with keys that another one has: the same, one of the
// same transaction under another id, or one of something else.
func (c *Service) repeatRollback(ctx context.Context, w wallet.Address, r player.ProviderRollback, first seamless.Transaction,
	receipt player.Receipt,
) (kernel.ProviderResponse, error) {
	switch {
	case !first.Undoes(r.Reference):
		return c.conflict(ctx, w, r.TxnID, first)
	case first.TxnID == r.TxnID:
		return c.answer(ctx, first, receipt)
	}
	return c.acceptUnmoved(ctx, w)
}

func (c *Service) commitRollback(ctx context.Context, w wallet.Address, rollback player.ProviderRollback) (player.Receipt, error) {
	return c.core.Store.Writer.Commit(ctx, player.Item{
		Wallet: w, At: rollback.At, Source: player.FromProvider, Keys: rollback.Keys(), Needs: rollback.Needs(c.core.Provider.Token),
		Decide: func(v player.View) (player.Change, error) { return player.RollBack(v, rollback) },
	})
}

// acceptUnmoved accepts a rollback that moved nothing.
func (c *Service) acceptUnmoved(ctx context.Context, w wallet.Address) (kernel.ProviderResponse, error) {
	answer, err := c.refuse(ctx, w, seamless.None)
	answer.Accepted = err == nil
	return answer, err
}

// alarmRollback refuses a rollback that can't be carried out.
func (c *Service) alarmRollback(ctx context.Context, w wallet.Address, rollback player.ProviderRollback, err error) (kernel.ProviderResponse, error) {
	why := seamless.InsufficientFunds
	if !fault.Is(err, fault.InsufficientFunds) {
		why = seamless.AgentSeamless
	}
	c.core.Alarms.Raise(ctx, alarm.ProviderRollback, rollback.TxnID, "connection", rollback.Connection, "wallet", string(w),
		"undoes", rollback.Reference, "token", string(rollback.Undone.Token), "reason", string(why))
	return c.refuse(ctx, w, why)
}

// isRolledBack reports whether a rollback undid a transaction.
func (c *Service) isRolledBack(ctx context.Context, t seamless.Transaction) (bool, error) {
	filter := ports.SeamlessFilter{Connection: t.Connection, Wallet: t.Wallet, Reference: t.TxnID}
	for page := (ports.Page{Number: 1, Limit: ports.PageMax, Uncounted: true}); ; {
		found, err := c.core.Store.SeamlessTransactions.SeamlessTransactions(ctx, filter, page)
		if err != nil {
			return false, err
		}
		for i := range found.Transactions {
			if found.Transactions[i].Undoes(t.TxnID) {
				return true, nil
			}
		}
		if page.After = found.Next; page.After == "" {
			return false, nil
		}
	}
}

// unlisted is the maker and the type of games that the catalogue doesn't have, in
// protocols whose callbacks don't name them.
const unlisted = "unlisted"

// withGame adds the maker and the type of a call's game from the catalogue, for protocols
// whose callbacks don't name them.
func (c *Service) withGame(ctx context.Context, call kernel.ProviderCall) (kernel.ProviderCall, error) {
	if !call.WholeIDs {
		return call, nil
	}
	game, err := c.providerGame(ctx, call.Game)
	if fault.Is(err, fault.InvalidGame) {
		err = nil
	}
	call.Provider, call.GameType = cmp.Or(game.Provider, unlisted), cmp.Or(game.Type, unlisted)
	return call, err
}
