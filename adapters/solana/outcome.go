package solana

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/withdrawal"
)

// deadMargin is how many blocks the finalized height must be beyond the last valid one. An
// honest node needs no margin; it costs 15 seconds.
const deadMargin = 32

// Outcome reports the outcome of the attempt. Dead is proved as the package comment says.
// An error comes with Unknown, or with Landed if only the cost of a landed transaction
// can't be read yet.
func (n *Node) Outcome(ctx context.Context, attempt withdrawal.Attempt) (withdrawal.Outcome, error) {
	paid, signature, err := decodeAttempt(attempt)
	if err != nil {
		return withdrawal.Outcome{}, err
	}
	known, _, err := n.signatureStatus(ctx, signature)
	if err != nil {
		return withdrawal.Outcome{}, err
	}
	if known != nil {
		return n.landedStatus(ctx, attempt, paid, signature, known)
	}
	expired, since, err := n.isExpired(ctx, attempt)
	if err != nil || !expired {
		return withdrawal.Outcome{}, err
	}
	return n.proveDead(ctx, attempt, paid, signature, since)
}

// isExpired reports whether no future block can include the attempt, and the finalized slot
// that proves it.
func (n *Node) isExpired(ctx context.Context, attempt withdrawal.Attempt) (bool, uint64, error) {
	var height, slot uint64
	if err := n.rpc.callMethod(ctx, &height, "getBlockHeight", atCommitment(finalized)); err != nil {
		return false, 0, err
	}
	if height <= attempt.LastValidHeight+deadMargin {
		return false, 0, nil
	}
	if err := n.rpc.callMethod(ctx, &slot, "getSlot", atCommitment(finalized)); err != nil {
		return false, 0, err
	}
	if err := n.checkHeight(height, slot, attempt); err != nil {
		return false, 0, err
	}
	// Check both levels: the finalized bank doesn't know a fresh blockhash yet, and the
	// confirmed one forgets an old one first.
	for _, level := range []string{finalized, confirmed} {
		if err := n.checkBlockhashExpired(ctx, attempt.Blockhash, level, slot); err != nil {
			return false, 0, err
		}
	}
	return true, slot, nil
}

// checkBlockhashExpired returns nil if a blockhash is no longer valid, as of the slot or
// later.
func (n *Node) checkBlockhashExpired(ctx context.Context, blockhash, level string, slot uint64) error {
	var valid contextual[*bool]
	if err := n.rpc.callMethod(ctx, &valid, "isBlockhashValid", blockhash, options{"commitment": level, "minContextSlot": slot}); err != nil {
		return err
	}
	switch {
	case valid.Value == nil || valid.Context.Slot < slot:
		return unusableError("the node did not say as of slot %[2]d whether blockhash %[1]s is valid", blockhash, slot)
	case *valid.Value:
		return unusableError("blockhash %s is beyond its last height and still valid", blockhash)
	}
	return nil
}

// heightImpossible reports a height that is too high for the slot. Every chain that ran for
// long skipped more than one slot in a thousand. A node that reports a slot number as its
// height (one provider did, 22 million too high) skipped none.
func heightImpossible(height, slot uint64) bool {
	const long, fewest = 100_000_000, 1000
	return height > slot || slot > long && slot-height < slot/fewest
}

// checkHeight compares the height and the slot with each other and with those at which the
// attempt was signed: heights grow by at most one a slot.
func (n *Node) checkHeight(height, slot uint64, attempt withdrawal.Attempt) error {
	signedAt := attempt.LastValidHeight - min(attempt.LastValidHeight, n.blockhashAge)
	if slot < attempt.Slot || heightImpossible(height, slot) || height-min(height, signedAt) > slot-attempt.Slot {
		return unusableError("height %d at slot %d can't follow height %d at slot %d", height, slot, signedAt, attempt.Slot)
	}
	return nil
}

// proveDead looks once more for the expired attempt in the statuses and the history.
// Absence counts only if the node has kept every block since it was signed.
func (n *Node) proveDead(ctx context.Context, attempt withdrawal.Attempt, paid *solana.Transaction, signature solana.Signature,
	since uint64) (withdrawal.Outcome, error) {
	known, answeredAt, err := n.signatureStatus(ctx, signature)
	switch {
	case err != nil:
		return withdrawal.Outcome{}, err
	case known != nil:
		return n.landedStatus(ctx, attempt, paid, signature, known)
	case answeredAt < since:
		return withdrawal.Outcome{}, unusableError("the status is as of slot %d, the expiry as of %d", answeredAt, since)
	}
	shown, err := n.readTransaction(ctx, signature, confirmed)
	switch {
	case err != nil:
		return withdrawal.Outcome{}, err
	case shown != nil:
		return withdrawal.Outcome{Status: withdrawal.Landed}, unusableError("transaction %s is shown and has no status", signature)
	}
	// Ask this last: blocks are only ever dropped, so blocks kept now were kept then.
	var first *uint64
	if err := n.rpc.callMethod(ctx, &first, "getFirstAvailableBlock"); err != nil {
		return withdrawal.Outcome{}, err
	}
	if first == nil || *first > attempt.Slot {
		return withdrawal.Outcome{}, unusableError("attempt %d of %s expired, and the node no longer has the blocks that would prove it",
			attempt.Number, attempt.WithdrawalID)
	}
	return withdrawal.Outcome{Status: withdrawal.Dead, Slot: since}, nil
}

// landedStatus returns the outcome of an attempt that is in a block.
func (n *Node) landedStatus(ctx context.Context, attempt withdrawal.Attempt, paid *solana.Transaction, signature solana.Signature,
	known *status) (withdrawal.Outcome, error) {
	waiting := withdrawal.Outcome{Status: withdrawal.Landed}
	if known.Level != finalized {
		return waiting, nil
	}
	shown, err := n.readTransaction(ctx, signature, finalized)
	switch {
	case err != nil:
		return waiting, err
	case shown == nil:
		return waiting, unusableError("transaction %s is finalized and not shown", signature)
	case !bytes.Equal(shown.raw, attempt.Transaction):
		return waiting, unusableError("transaction %s is not what was signed", signature)
	case hasError(known.Err) != hasError(shown.meta.Err):
		return waiting, unusableError("transaction %s failed by its status or by its meta, not both", signature)
	}
	outcome := withdrawal.Outcome{Status: withdrawal.Finalized}
	var moved uint64
	if hasError(known.Err) {
		outcome.Status, outcome.Reason = withdrawal.Errored, describeFailure(known.Err, paid)
	} else {
		moved = lamportsPaid(paid)
	}
	if outcome.Cost, err = landedCost(shown.meta, moved); err != nil {
		return waiting, unusableError("transaction %s: %v", signature, err)
	}
	return outcome, nil
}

// landedCost returns what a landed transaction cost the treasury, its first account, beyond
// the lamports to be paid.
func landedCost(m meta, moved uint64) (withdrawal.Cost, error) {
	pre, post := m.PreBalances[0], m.PostBalances[0]
	fee := *m.Fee
	rest := pre - post - moved - fee
	if pre < post || pre-post < moved || pre-post-moved < fee || fee > uint64(money.Max) || rest > uint64(money.Max) {
		return withdrawal.Cost{}, fmt.Errorf("the treasury went from %d to %d, with %d paid and a fee of %d", pre, post, moved, fee)
	}
	return withdrawal.Cost{Fee: money.Amount(fee), Rent: money.Amount(rest)}, nil
}

// lamportsPaid returns the native SOL paid by our own transaction.
func lamportsPaid(paid *solana.Transaction) (lamports uint64) {
	const transfer, size = 2, 12 // the instruction's number and length: u32 number, u64 lamports
	for _, instruction := range paid.Message.Instructions {
		program, err := paid.ResolveProgramIDIndex(instruction.ProgramIDIndex)
		if err != nil || program != solana.SystemProgramID || len(instruction.Data) != size ||
			binary.LittleEndian.Uint32(instruction.Data) != transfer {
			continue
		}
		lamports += binary.LittleEndian.Uint64(instruction.Data[4:])
	}
	return lamports
}
