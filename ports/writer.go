package ports

import (
	"context"

	"github.com/casino-service/casino/domain/player"
)

// Writer commits every change of money, seeds, rounds, withdrawals and logins.
//
// Commit locks the item's wallet, takes its unique keys, runs its decision on the
// view the item asked for, and commits the change that the decision returned,
// durably, all of it or nothing. The decision may run more than once and on another
// goroutine.
//
//   - Items of one wallet happen one after the other: each decision sees every
//     earlier committed change of the wallet.
//   - A refusal by the decision is returned as it is; it stores nothing and its
//     unique keys are free again. One by player.Missing is no refusal: the decision runs
//     again on a view that has what it asked for too, at most player.NeedsTries times.
//   - A unique key that is held by an earlier item: nothing is decided; the receipt
//     is Replayed, names the holder, and its Change is the Change.Answer of the first time.
//     An idempotency key or a step held under another fingerprint is a
//     fault of kind IdempotencyConflict.
//   - An item that breaks a rule of the law (player.CheckItem, player.Check) is
//     refused with the rule's player.Breach, whatever else is in its batch, and
//     stores nothing. One that breaks a rule of the store, such as an id that exists
//     already, fails alone: the rest of its batch is committed.
//   - A wallet with more than 16 items of one player.Source in flight is refused with
//     RateLimited. A full queue is refused with Unavailable, Details["outcome"] "none".
//     Each source has places of its own: what one of them fills refuses nothing of
//     another's.
//   - Unavailable with outcome "none" is also the answer to an item whose context ended
//     before it was taken up, and to every item after the writer was stopped. Once taken
//     up an item completes.
//   - When the connection is lost at COMMIT the writer finds out what happened
//     before it answers; what can't be found out is Unavailable with
//     Details["outcome"] "unknown": an item with the same unique keys, committed again,
//     then gets the one answer.
type Writer interface {
	Commit(ctx context.Context, item player.Item) (player.Receipt, error)
}
