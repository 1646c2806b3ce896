package writer

import (
	"context"
	"time"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/payments"
	"github.com/casino-service/casino/adapters/sqlstore/internal/play"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// ownRow reports whether the claimed object's own row is the claim, so that the table of claims
// has no row for it.
func ownRow(k batch.KeyName) bool {
	return k.Kind == player.RoundKey || k.Kind == player.WithdrawalKey || k.Kind == player.AdjustmentKey
}

// takenKey is a claim that entries of the batch want.
type takenKey struct {
	key batch.KeyName
	// held is the holder: an earlier item, from the database or this batch.
	held *held
	// taker is the entry of this batch that holds it.
	taker *entry
	// free says that no item can hold it yet.
	free bool
}

// held is a claim that was taken, with the answer stored for it.
type held struct {
	holder player.Holder
	// takenBy marks the entry that took it; empty if the object's own row is the claim.
	takenBy string
	// made is the change of the item of this batch that took it, else nil.
	made   *player.Change
	answer player.Change
	// round is the id of the answer's round until that is loaded.
	round string
}

// askKeys collects the claims of the batch, takes those that have rows, each once and sorted, and
// queries the others.
func (r *run) askKeys() {
	r.keys, r.taken = make(map[batch.KeyName]*takenKey, len(r.entries)), nil
	var wanted []batch.Key
	for _, e := range r.entries {
		for _, c := range e.item.Keys {
			k := batch.KeyOf(c)
			if r.keys[k] != nil {
				continue
			}
			r.keys[k] = &takenKey{key: k, free: e.item.Fresh && !e.again}
			if !ownRow(k) {
				wanted = append(wanted, batch.Key{
					KeyName: k, Wallet: e.item.Wallet, Fingerprint: c.Fingerprint, TakenBy: e.name, At: e.item.At,
				})
			}
		}
	}
	batch.TakeKeys(&r.batch.Asks, wanted, func(k batch.KeyName) {
		if r.taken == nil {
			r.taken = map[batch.KeyName]bool{}
		}
		r.taken[k] = true
	})
	r.askOwnRows()
}

// findHolders reads the claims that other items hold, with their answers.
func (r *run) findHolders(ctx context.Context) error {
	var missed []batch.KeyName
	for k := range r.keys {
		if !ownRow(k) && !r.taken[k] {
			missed = append(missed, k)
		}
	}
	rounds := map[string][]*held{}
	batch.FindKeys(&r.batch.Asks, missed, func(c batch.Key) (err error) {
		h := &held{takenBy: c.TakenBy, holder: player.Holder{
			Key:    player.UniqueKey{Kind: c.Kind, Scope: c.Scope, ID: c.ID, Fingerprint: c.Fingerprint},
			Wallet: c.Wallet, At: c.At,
		}}
		if h.answer, h.round, err = wire.DecodeAnswer([]byte(c.Answer)); err != nil {
			return err
		}
		if h.round != "" {
			rounds[h.round] = append(rounds[h.round], h)
		}
		r.keys[c.KeyName].held = h
		return nil
	})
	if err := r.sendStatements(ctx); err != nil {
		return err
	}
	for _, k := range missed {
		if r.keys[k].held == nil {
			return errKeyGone
		}
	}
	play.AskRounds(&r.batch.Asks, db.SortedRows(rounds), func(answer player.Change) {
		for _, h := range rounds[answer.Round.ID] {
			h.answer, h.round = answer, ""
		}
	})
	return r.sendStatements(ctx)
}

// askOwnRows queries the objects whose own row is the claim.
func (r *run) askOwnRows() {
	rounds, others := map[string]struct{}{}, map[string]struct{}{}
	for k, c := range r.keys {
		switch {
		case c.free:
		case k.Kind == player.RoundKey:
			rounds[k.ID] = struct{}{}
		case ownRow(k):
			others[k.ID] = struct{}{}
		}
	}
	play.AskRounds(&r.batch.Asks, db.SortedRows(rounds), func(answer player.Change) {
		r.foundOwn(player.UniqueKey{Kind: player.RoundKey, ID: answer.Round.ID}, answer.Round.Wallet, answer.Round.At, answer)
	})
	payments.AskOwnTransactions(r.batch, db.SortedRows(others), r.foundOwn)
}

func (r *run) foundOwn(own player.UniqueKey, owner wallet.Address, at time.Time, answer player.Change) {
	if c := r.keys[batch.KeyOf(own)]; c != nil {
		c.held = &held{holder: player.Holder{Key: own, Wallet: owner, At: at}, answer: answer}
	}
}

// heldAgainst returns the receipt for an entry with a claim that is already held, or nil if all
// are free. A client's own key comes first: its stored answer belongs to this request, or is a
// conflict.
func (r *run) heldAgainst(e *entry) (*player.Receipt, error) {
	var found *held
	for _, c := range e.item.Keys {
		h := r.keys[batch.KeyOf(c)].held
		switch {
		case h == nil:
		case c.Conflicts(h.holder.Key):
			return nil, c.Conflict()
		case found == nil || c.Kind == player.IdempotencyKey:
			found = h
		}
	}
	switch {
	case found == nil:
		return nil, nil
	case e.first != nil && (found.takenBy == e.name || found.takenBy == ""):
		return e.first, nil
	case found.round != "":
		return nil, db.Defect("round %s of a kept answer is gone", found.round)
	}
	return &player.Receipt{Change: found.replayAnswer(), Replayed: true, Holder: found.holder}, nil
}

// replayAnswer returns the answer for a replay.
func (h *held) replayAnswer() player.Change {
	if h.made != nil {
		return h.made.Answer()
	}
	return h.answer
}

// holdClaims makes the entry the holder of its claims; its change is staged.
func (r *run) holdClaims(e *entry, change *player.Change) {
	for _, c := range e.item.Keys {
		state := r.keys[batch.KeyOf(c)]
		state.taker = e
		state.held = &held{
			holder:  player.Holder{Key: c, Wallet: e.item.Wallet, At: e.item.At},
			takenBy: e.name, made: change,
		}
	}
}

// writeKeys writes the answers of the claims that entries took, and removes the claims of refused
// items.
func (r *run) writeKeys() error {
	var kept []batch.Key
	var free []batch.KeyName
	for _, c := range r.keys {
		switch {
		case ownRow(c.key):
		case c.taker != nil:
			answer, err := wire.EncodeAnswer(*c.held.made)
			if err != nil {
				return err
			}
			holder := c.held.holder
			kept = append(kept, batch.Key{
				KeyName: c.key, Wallet: holder.Wallet, Fingerprint: holder.Key.Fingerprint, TakenBy: c.held.takenBy,
				Answer: string(answer), At: holder.At, KeepUntil: r.keepUntil(c),
			})
		case c.held == nil:
			free = append(free, c.key)
		}
	}
	batch.KeepKeys(&r.batch.Asks, kept)
	batch.FreeKeys(&r.batch.Asks, free)
	return nil
}

// keepUntil returns when a claim expires: a login's with its window; a client's key, a step's and
// an operation's after a fixed time; others never.
func (r *run) keepUntil(c *takenKey) time.Time {
	switch c.key.Kind {
	case player.LoginKey:
		if login := c.held.made.Login; login != nil {
			return login.KeepUntil
		}
	case player.IdempotencyKey, player.StepKey:
		return c.held.holder.At.Add(r.writer.options.IdempotencyKeep)
	case player.OperationKey:
		return c.held.holder.At.Add(r.writer.options.OperationKeep)
	}
	return time.Time{}
}
