package player

import (
	"slices"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// KeyKind is a kind of unique key that an item takes.
type KeyKind string

// The kinds of unique key. IdempotencyKey, StepKey, LoginKey and OperationKey are kept for a
// time, all others forever.
const (
	// IdempotencyKey is a client's own key: scope the caller, id the key.
	IdempotencyKey KeyKind = "idempotency"
	// LoginKey is one signed login: scope the wallet, id the timestamp. Kept
	// until no window can accept it.
	LoginKey KeyKind = "login"
	// DepositKey is the credit of one token of one chain transaction: scope the
	// mint, id the signature.
	DepositKey KeyKind = "deposit"
	// CapitalKey is a top-up of the treasury: scope the mint, id its reference.
	CapitalKey KeyKind = "capital"
	// RoundKey, WithdrawalKey and AdjustmentKey are the ids that an item without a
	// client's key was given before it was queued; the row of the round, withdrawal or
	// adjustment itself holds the key.
	RoundKey      KeyKind = "round"
	WithdrawalKey KeyKind = "withdrawal"
	AdjustmentKey KeyKind = "adjustment"
	// ProviderDebitKey and ProviderCreditKey are the legs of a provider's transaction:
	// scope the connection, id the provider's txn_id.
	ProviderDebitKey  KeyKind = "provider_debit"
	ProviderCreditKey KeyKind = "provider_credit"
	// ProviderReviewKey is the decision on a transaction in review: scope and id as above.
	ProviderReviewKey KeyKind = "provider_review"
	// ApprovalKey is the one decision on an approval request; id the request's.
	ApprovalKey KeyKind = "approval"
	// StepKey is an action in an open round: scope the round's id, id how many actions were
	// before it.
	StepKey KeyKind = "step"
	// OperationKey is the id of any other item without a client's key, drawn for it alone:
	// nobody else can ask for it, so it is kept only until its COMMIT was answered for certain.
	OperationKey KeyKind = "operation"
	// AssignmentKey is a step of an assignment of unclaimed money: scope the step, id the
	// digest of what is assigned.
	AssignmentKey KeyKind = "assignment"
)

// UniqueKey is a key that exactly one committed item holds.
type UniqueKey struct {
	Kind  KeyKind
	Scope string
	ID    string
	// Fingerprint tells different requests under one key apart; empty where the key
	// alone identifies the request.
	Fingerprint string
}

// Conflicts reports whether the key, which is held already, was taken by another request:
// only what clients name themselves can be meant for another.
func (c UniqueKey) Conflicts(held UniqueKey) bool {
	return (c.Kind == IdempotencyKey || c.Kind == StepKey) && c.Fingerprint != held.Fingerprint
}

// Conflict is the refusal of a key that Conflicts.
func (c UniqueKey) Conflict() error {
	if c.Kind == StepKey {
		return fault.New(fault.IdempotencyConflict, "step: another action was taken at this step").With("field", "step")
	}
	return fault.New(fault.IdempotencyConflict, "the idempotency key was used for another request")
}

// Compare orders unique keys the way every store locks them: by kind, scope, id.
func (c UniqueKey) Compare(d UniqueKey) int {
	return slices.Compare([]string{string(c.Kind), c.Scope, c.ID}, []string{string(d.Kind), d.Scope, d.ID})
}

// Source says who makes an item necessary. Each source has places of its own in a
// writer's queue, so that no flood of one holds off another.
type Source int

// The sources. What nobody stated is a player's.
const (
	FromPlayer   Source = iota // a player asks for it, also through a provider's bet
	FromProvider               // a provider credits, or a site answered
	FromAdmin                  // an admin decides, or the operator at the command line
	FromWorker                 // a worker found that it is to be done
	FromSession                // a player signs in or out, which ends a thief's sessions
	Sources      = iota        // how many there are
)

// Item is one write: everything a store must know before it is queued. An item
// concerns one wallet, or none for a posting between system accounts.
type Item struct {
	Wallet wallet.Address
	// Keys are taken after the wallet's lock and before the decision; an item
	// has at least one, and at most one of them is an IdempotencyKey.
	Keys   []UniqueKey
	Needs  Needs
	Decide Decision
	At     time.Time
	// Source decides which places of a queue the item takes.
	Source Source
	// WhileRestored says that the item is decided also while the control state is
	// Restored, because it only stops something.
	WhileRestored bool
	// Fresh says that the item's own id was drawn for it just now. Only the item itself
	// can hold it, from an earlier run whose COMMIT was not answered, so a store looks
	// it up only when it runs the item again.
	Fresh bool
}

// Receipt is the result of a committed item.
type Receipt struct {
	// Change is what was committed, now or (Replayed) when the unique key was taken. In
	// a replayed round that retired no pair the next seed is empty; no replayed pair has
	// its epoch.
	Change Change
	// Replayed says that a unique key of the item was held already: nothing was decided.
	Replayed bool
	// Holder says, when Replayed, which wallet's item holds which key.
	Holder Holder
	// Covered says where the change is in its block. It is the zero value where nothing
	// was committed now, or nothing that a block covers.
	Covered Covered
}

// Covered is where a block has a change.
type Covered struct {
	Block *hashchain.Sealed
	// Round is the index of the leaf of the change's round.
	Round int
	// Events are the change's events. Event is the index of the leaf of the first one; the
	// others follow it.
	Events []event.Event
	Event  int
}

// Inclusion proves that the change's block has what the change is about: its round, or
// the event of its open round, withdrawal, deposit or new seed pair. It reports false
// where no block is known, and for changes of other things.
func (r *Receipt) Inclusion() (proved hashchain.Inclusion, known bool) {
	c := &r.Change
	if r.Covered.Block == nil {
		return hashchain.Inclusion{}, false
	}
	if c.Round != nil {
		round := *c.Round
		round.Theory = bet.Theory{} // no block covers it
		return r.Covered.Block.Include(hashchain.Leaf{Round: &round}, r.Covered.Round), true
	}
	kind, id := c.subject()
	for i := range r.Covered.Events {
		if e := &r.Covered.Events[i]; e.Kind == kind && e.ID == id {
			return r.Covered.Block.Include(hashchain.Leaf{Event: e}, r.Covered.Event+i), true
		}
	}
	return hashchain.Inclusion{}, false
}

// subject names the thing that a change without a round is about.
func (c *Change) subject() (kind event.Kind, id string) {
	switch {
	case len(c.Steps) > 0:
		return event.OpenRound, c.Steps[len(c.Steps)-1].ID
	case c.Withdrawal != nil:
		return event.Withdrawal, c.Withdrawal.ID
	case c.Deposit != nil:
		return event.Deposit, c.Deposit.ID
	case c.Pair != nil:
		return event.Pair, c.Pair.ID
	}
	return "", ""
}

// Holder is a unique key with the wallet and the time of the item that took it.
type Holder struct {
	Key    UniqueKey
	Wallet wallet.Address
	At     time.Time
}

func sortedTokens[V any](m map[money.Token]V) []money.Token {
	tokens := make([]money.Token, 0, len(m))
	for token := range m {
		tokens = append(tokens, token)
	}
	slices.Sort(tokens)
	return tokens
}
