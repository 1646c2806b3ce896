package sqlstore

import (
	"context"
	"slices"
	"time"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// claimKey is a claim without what may differ between two who want it.
type claimKey struct {
	kind      player.ClaimKind
	scope, id string
}

func keyOf(c player.Claim) claimKey { return claimKey{c.Kind, c.Scope, c.ID} }

// ownRow reports whether the row of the thing itself is the claim, so that the
// table of claims has none.
func (k claimKey) ownRow() bool {
	return k.kind == player.RoundID || k.kind == player.WithdrawalID || k.kind == player.AdjustmentID
}

// claim is a key that entries of the batch want.
type claim struct {
	key claimKey
	// held is who has it: an earlier item of the database or of this batch.
	held *held
	// taker is the entry of this batch that keeps it.
	taker *entry
	// free says that nobody can hold it.
	free bool
}

// held is a claim as it was taken, with the answer kept for it.
type held struct {
	holder player.Holder
	// takenBy marks the entry that took it; empty where an own row is the claim.
	takenBy string
	// made is the change of the item of this batch that took it, nil otherwise.
	made   *player.Change
	answer player.Change
	// round is the id of the answer's round while that is not loaded.
	round string
}

var (
	takeClaims = insert("claims", "ON CONFLICT DO NOTHING RETURNING kind, scope, id",
		"kind", "scope", "id", "wallet", "fingerprint", "taken_by", "at:int")
	findClaims = newQuery(`SELECT c.kind, c.scope, c.id, c.wallet, c.fingerprint, c.taken_by, c.answer, c.at
		FROM {sent} AS s CROSS JOIN claims AS c WHERE c.kind = s.kind AND c.scope = s.scope AND c.id = s.id`,
		"kind", "scope", "id")
	keepClaims = change(`UPDATE claims SET wallet = s.wallet, fingerprint = s.fingerprint, taken_by = s.taken_by,
		answer = s.answer, at = s.at, keep_until = s.keep_until FROM {sent} AS s
		WHERE claims.kind = s.kind AND claims.scope = s.scope AND claims.id = s.id`,
		"kind", "scope", "id", "wallet", "fingerprint", "taken_by", "answer", "at:int", "keep_until:int")
	freeClaims = change(`DELETE FROM claims WHERE (kind, scope, id) IN (SELECT s.kind, s.scope, s.id FROM {sent} AS s)`,
		"kind", "scope", "id")
)

// askClaims notes every claim of the batch, asks to take those that have rows, each
// once and sorted, and looks for the others.
func (r *run) askClaims() {
	r.claims, r.taken = make(map[claimKey]*claim, len(r.entries)), nil
	var rows [][]any
	for _, e := range r.entries {
		for _, c := range e.item.Claims {
			k := keyOf(c)
			if r.claims[k] != nil {
				continue
			}
			r.claims[k] = &claim{key: k, free: e.item.Fresh && !e.again}
			if !k.ownRow() {
				rows = append(rows, []any{string(c.Kind), c.Scope, c.ID, string(e.item.Wallet), c.Fingerprint, e.name, micros(e.item.At)})
			}
		}
	}
	slices.SortFunc(rows, compareRows)
	r.ask("take claims", takeClaims, rows, func(row Row) error {
		var k claimKey
		err := row.Scan(&k.kind, &k.scope, &k.id)
		put(&r.taken, k, true)
		return err
	})
	r.askOwnRows()
}

// findHolders reads the claims that others hold, with their answers.
func (r *run) findHolders(ctx context.Context) error {
	var missed [][]any
	for k := range r.claims {
		if !k.ownRow() && !r.taken[k] {
			missed = append(missed, []any{string(k.kind), k.scope, k.id})
		}
	}
	slices.SortFunc(missed, compareRows)
	rounds := map[string][]*held{}
	r.ask("read claims", findClaims, missed, func(row Row) error {
		var (
			k           claimKey
			owner, kept string
			h           held
			at          int64
		)
		if err := row.Scan(&k.kind, &k.scope, &k.id, &owner, &h.holder.Claim.Fingerprint, &h.takenBy, &kept, &at); err != nil {
			return err
		}
		h.holder.Claim.Kind, h.holder.Claim.Scope, h.holder.Claim.ID = k.kind, k.scope, k.id
		h.holder.Wallet, h.holder.At = wallet.Address(owner), moment(at)
		var err error
		if h.answer, h.round, err = wire.DecodeAnswer([]byte(kept)); err != nil {
			return err
		}
		if h.round != "" {
			rounds[h.round] = append(rounds[h.round], &h)
		}
		r.claims[k].held = &h
		return nil
	})
	if err := r.send(ctx); err != nil {
		return err
	}
	for _, row := range missed {
		if r.claims[claimKey{player.ClaimKind(row[0].(string)), row[1].(string), row[2].(string)}].held == nil {
			return errClaimGone
		}
	}
	r.askRounds(sortedRows(rounds), func(answer player.Change) {
		for _, h := range rounds[answer.Round.ID] {
			h.answer, h.round = answer, ""
		}
	})
	return r.send(ctx)
}

// askOwnRows looks for the things whose own row is the claim.
func (r *run) askOwnRows() {
	rounds, others := map[string]struct{}{}, map[string]struct{}{}
	for k, c := range r.claims {
		switch {
		case c.free:
		case k.kind == player.RoundID:
			rounds[k.id] = struct{}{}
		case k.ownRow():
			others[k.id] = struct{}{}
		}
	}
	r.askRounds(sortedRows(rounds), func(answer player.Change) {
		r.foundOwn(player.RoundID, answer.Round.ID, answer.Round.Wallet, answer.Round.At, answer)
	})
	r.askTransactions("read transactions", readTransactions, sortedRows(others), func(t transaction) {
		switch t.kind {
		case withdrawalType:
			first := t.requested()
			r.foundOwn(player.WithdrawalID, t.id, t.wallet, t.createdAt, player.Change{Withdrawal: &first, Balance: t.balance})
		case adjustmentType:
			made := t.adjustment()
			r.foundOwn(player.AdjustmentID, t.id, t.wallet, t.createdAt, player.Change{Adjustment: &made, Balance: t.balance})
		}
	})
}

func (r *run) foundOwn(kind player.ClaimKind, id string, owner wallet.Address, at time.Time, change player.Change) {
	if c := r.claims[claimKey{kind: kind, id: id}]; c != nil {
		c.held = &held{
			holder: player.Holder{Claim: player.Claim{Kind: kind, ID: id}, Wallet: owner, At: at}, answer: change,
		}
	}
}

// heldAgainst returns the receipt of an entry one of whose claims is held
// already, or nil when all of them are free. A client's own key speaks first:
// what it was used for is the answer to this very request, or a conflict.
func (r *run) heldAgainst(e *entry) (*player.Receipt, error) {
	var found *held
	for _, c := range e.item.Claims {
		h := r.claims[keyOf(c)].held
		switch {
		case h == nil:
		case c.Kind == player.IdempotencyKey && h.holder.Claim.Fingerprint != c.Fingerprint:
			return nil, fault.New(fault.IdempotencyConflict, "the idempotency key was used for another request")
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
		return nil, defect("round %s of a kept answer is gone", found.round)
	}
	return &player.Receipt{Change: found.told(), Replayed: true, Holder: found.holder}, nil
}

// told is the answer that a replay gets.
func (h *held) told() player.Change {
	if h.made != nil {
		return replayed(h.made)
	}
	return h.answer
}

// hold makes the entry, whose change is staged, the holder of its claims.
func (r *run) hold(e *entry, change *player.Change) {
	for _, c := range e.item.Claims {
		state := r.claims[keyOf(c)]
		state.taker = e
		state.held = &held{
			holder:  player.Holder{Claim: c, Wallet: e.item.Wallet, At: e.item.At},
			takenBy: e.name, made: change,
		}
	}
}

// replayed is the part of a change that a replay answers with.
func replayed(c *player.Change) player.Change {
	kept := player.Change{
		Withdrawal: c.Withdrawal, Deposit: c.Deposit, Adjustment: c.Adjustment, Approval: c.Approval, Retired: c.Retired, Seamless: c.Told(),
		Funding: c.Funding,
		Balance: c.Balance,
	}
	if c.Round != nil {
		round := *c.Round
		round.Theory = bet.Theory{}
		kept.Round = &round
	}
	if c.Pair != nil {
		bare := *c.Pair
		bare.Seed, bare.Next.Seed = fairness.ServerSeed{}, fairness.ServerSeed{}
		if c.Round != nil && c.Retired == nil {
			bare.Next = fairness.NextSeed{}
		}
		kept.Pair = &bare
	}
	return kept
}

// finishClaims writes the answers of the claims that entries took and removes
// those whose items were refused.
func (r *run) finishClaims() error {
	var kept, free [][]any
	for _, c := range r.claims {
		switch {
		case c.key.ownRow():
		case c.taker != nil:
			answer, err := wire.EncodeAnswer(c.held.told())
			if err != nil {
				return err
			}
			holder := c.held.holder
			kept = append(kept, []any{
				string(c.key.kind), c.key.scope, c.key.id, string(holder.Wallet), holder.Claim.Fingerprint, c.held.takenBy,
				string(answer), micros(holder.At), r.keepUntil(c),
			})
		case c.held == nil:
			free = append(free, []any{string(c.key.kind), c.key.scope, c.key.id})
		}
	}
	slices.SortFunc(kept, compareRows)
	slices.SortFunc(free, compareRows)
	r.write("keep claims", keepClaims, kept)
	r.write("free claims", freeClaims, free)
	return nil
}

// keepUntil is when a claim may be forgotten: a login's with its window, a
// client's key after its time, everything else never.
func (r *run) keepUntil(c *claim) any {
	switch c.key.kind {
	case player.LoginMessage:
		if login := r.out.logins[c.taker]; login != nil {
			return micros(login.KeepUntil)
		}
	case player.IdempotencyKey:
		return micros(c.held.holder.At.Add(r.writer.options.IdempotencyKeep))
	}
	return nil
}
