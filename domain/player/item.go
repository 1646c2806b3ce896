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

// The kinds of unique key. IdempotencyKey, StepKey, LoginKey and OperationKey are stored
// for a limited time, all others forever.
const (
	// IdempotencyKey is a client's own key: scope the caller, id the key.
	IdempotencyKey KeyKind = "idempotency"
	// LoginKey is one signed login: scope the wallet, id the timestamp. It is stored until
	// the message is too old to be accepted.
	LoginKey KeyKind = "login"
	// DepositKey is the credit of one token of one chain transaction: scope the
	// mint, id the signature.
	DepositKey KeyKind = "deposit"
	// CapitalKey is a top-up of the treasury: scope the mint, id its reference.
	CapitalKey KeyKind = "capital"
	// RoundKey, WithdrawalKey and AdjustmentKey are ids given before queueing to items
	// without a client's key; the row of the round, withdrawal or adjustment itself holds
	// the key.
	RoundKey      KeyKind = "round"
	WithdrawalKey KeyKind = "withdrawal"
	AdjustmentKey KeyKind = "adjustment"
	// ProviderDebitKey and ProviderCreditKey are the legs of a provider's transaction:
	// scope the connection, id the provider's txn_id.
	ProviderDebitKey  KeyKind = "provider_debit"
	ProviderCreditKey KeyKind = "provider_credit"
	// ProviderReviewKey is the decision on a transaction in review: scope and id as above.
	ProviderReviewKey KeyKind = "provider_review"
	// ProviderRollbackKey is the only rollback of a transaction: scope the connection, id
	// the txn_id of the transaction undone.
	ProviderRollbackKey KeyKind = "provider_rollback"
	// ApprovalKey is the only decision on an approval request; id the request's.
	ApprovalKey KeyKind = "approval"
	// StepKey is an action in an open round: scope the round's id, id the number of actions
	// before it.
	StepKey KeyKind = "step"
	// OperationKey is the unique id of any other item without a client's key. No other item
	// can use it, so it is stored only until the outcome of its COMMIT is known.
	OperationKey KeyKind = "operation"
	// AssignmentKey is a step of an assignment of unclaimed money: scope the step, id the
	// assignment's digest.
	AssignmentKey KeyKind = "assignment"
	// CorrectionKey is the only correction of a posting: scope its kind, a slash and its
	// scope, id its id.
	CorrectionKey KeyKind = "correction"
)

// UniqueKey is a key that exactly one committed item holds.
type UniqueKey struct {
	Kind  KeyKind
	Scope string
	ID    string
	// Fingerprint distinguishes different requests under one key; empty if the key alone
	// identifies the request.
	Fingerprint string
}

// Conflicts reports whether the held key was taken by another request. Only keys that
// clients choose can conflict.
func (c UniqueKey) Conflicts(held UniqueKey) bool {
	return (c.Kind == IdempotencyKey || c.Kind == StepKey) && c.Fingerprint != held.Fingerprint
}

// Conflict returns the refusal of a key that Conflicts.
func (c UniqueKey) Conflict() error {
	if c.Kind == StepKey {
		return fault.New(fault.IdempotencyConflict, "step: another action was taken at this step").With("field", "step")
	}
	return fault.New(fault.IdempotencyConflict, "the idempotency key was used for another request")
}

// Compare orders unique keys as every store locks them: by kind, scope, id.
func (c UniqueKey) Compare(d UniqueKey) int {
	return slices.Compare([]string{string(c.Kind), c.Scope, c.ID}, []string{string(d.Kind), d.Scope, d.ID})
}

// Source is the origin of an item. Each source has places of its own in a writer's
// queue, so that a flood from one doesn't delay another.
type Source int

// The sources. The default is a player.
const (
	FromPlayer   Source = iota // a player's request, including bets through a provider
	FromProvider               // a provider credits, or a site answered
	FromAdmin                  // an admin decides, or the operator at the command line
	FromWorker                 // a worker's task
	FromSession                // a player signs in or out, which ends a thief's sessions
	FromCashOut                // a player cashes out of a shared round
	Sources      = iota        // the number of sources
)

// Item is one write, with everything a store must know before it is queued. It concerns
// one wallet, or none for a posting between system accounts.
type Item struct {
	Wallet wallet.Address
	// Keys are taken after the wallet's lock and before the decision; an item
	// has at least one, and at most one of them is an IdempotencyKey.
	Keys   []UniqueKey
	Needs  Needs
	Decide Decision
	At     time.Time
	// Source selects the item's places in the queue.
	Source Source
	// WhileRestored allows the item while the control state is Restored, because it only
	// stops something.
	WhileRestored bool
	// Fresh reports that the item's own id was drawn for it just now. Only an earlier run
	// of the item with an unknown COMMIT can hold it, so a store looks it up only when it
	// runs the item again.
	Fresh bool
}

// Receipt is the result of a committed item.
type Receipt struct {
	// Change is the committed change, from now or (Replayed) from when the unique key was
	// taken. Replayed rounds that retired no pair lack the next seed; replayed pairs lack
	// the epoch.
	Change Change
	// Replayed reports that a unique key of the item was held already: the decision didn't
	// run.
	Replayed bool
	// Holder is set if Replayed: the held key and its item's wallet.
	Holder Holder
	// Covered is the place of the change in its block. It is zero if nothing was committed
	// now, or nothing that a block covers.
	Covered Covered
}

// Covered is the place of a change in its block.
type Covered struct {
	Block *hashchain.Sealed
	// Round is the index of the leaf of the change's round.
	Round int
	// Events are the change's events. Event is the index of the leaf of the first one; the
	// others follow it.
	Events []event.Event
	Event  int
}

// Inclusion proves that the block has the subject of the change: its round, or the event of
// its open round, withdrawal, deposit or new seed pair. It reports false without a block,
// and for changes of other subjects.
func (r *Receipt) Inclusion() (proved hashchain.Inclusion, known bool) {
	c := &r.Change
	if r.Covered.Block == nil {
		return hashchain.Inclusion{}, false
	}
	if c.Round != nil {
		round := *c.Round
		round.Theory = bet.Theory{} // not covered by blocks
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

// subject returns the kind and id of the subject of a change without a round.
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
