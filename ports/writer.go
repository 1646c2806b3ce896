package ports

import (
	"context"

	"github.com/casino-service/casino/domain/player"
)

// Writer commits every change of money, seeds, rounds, withdrawals and logins.
//
// Commit locks the item's wallet, takes its unique keys, runs its decision on the view
// that the item needs, and commits the returned change durably, all of it or nothing.
// The decision may run more than once and on another goroutine.
//
//   - Items of one wallet run one after another: each decision sees every earlier
//     committed change of the wallet.
//   - A refusal by the decision is returned unchanged. It stores nothing and frees the
//     unique keys. player.Missing is no refusal: the decision runs again on a view with
//     the missing data, at most player.NeedsTries times.
//   - If an earlier item holds a unique key, the decision doesn't run. The receipt is
//     Replayed, names the holder, and its Change is the first time's Change.Answer. An
//     idempotency key or a step held under another fingerprint is a fault of kind
//     IdempotencyConflict.
//   - An item that breaks a rule of the law (player.CheckItem, player.Check) is refused
//     with the rule's player.Breach and stores nothing, whatever its batch. One that
//     breaks a rule of the store, such as an id that exists already, fails alone: the
//     rest of its batch is committed.
//   - A wallet with more than 16 items of one player.Source in flight is refused with
//     RateLimited. A full queue is refused with Unavailable, Details["outcome"] "none".
//     Each source has places of its own, so no source fills another's queue.
//   - An item whose context ends before the writer takes it up, and every item after the
//     writer stopped, is Unavailable with outcome "none" too. Once taken up, an item
//     completes.
//   - If the connection is lost at COMMIT, the writer finds out the outcome before it
//     answers. If it can't, the fault is Unavailable with Details["outcome"] "unknown";
//     committing an item with the same unique keys again then gives the one answer.
type Writer interface {
	Commit(ctx context.Context, item player.Item) (player.Receipt, error)
}
