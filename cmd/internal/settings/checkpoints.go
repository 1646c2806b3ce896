package settings

import (
	"slices"
	"time"

	"github.com/casino-service/casino/adapters/logwitness"
	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/ports"
)

// Checkpoints are the keys for signing statements about the ledger.
type Checkpoints struct {
	CheckpointKeys     []Secret `placeholder:"KID:SECRET" help:"Keys that public checkpoints and audits are signed with, newest first: Ed25519 seeds of exactly 32 bytes, used for nothing else."`
	CheckpointKeysFile string   `type:"path" placeholder:"FILE" help:"A file with them, one a line."`
}

const (
	checkpointKeys = "CASINO_CHECKPOINT_KEYS"
	receiptKeys    = "CASINO_RECEIPT_KEYS"
)

// Signer returns the signer of these keys, and whether any were given.
func (c Checkpoints) Signer() (signer sealer.StatementSigner, given bool, err error) {
	if len(c.CheckpointKeys) == 0 && c.CheckpointKeysFile == "" {
		return sealer.StatementSigner{}, false, nil
	}
	var found faults
	signer = c.checkpointSigner(Serve{}.readKeyring(checkpointKeys, c.CheckpointKeys, c.CheckpointKeysFile, &found), &found)
	return signer, true, found.err()
}

func (Checkpoints) checkpointSigner(ring sealer.Keyring, found *faults) sealer.StatementSigner {
	signer, err := sealer.NewStatementSigner(ring)
	found.addError(checkpointKeys, err)
	return signer
}

// receiptSigner returns the signer of receipts, nil if no keys were given.
func (s Serve) receiptSigner(others []sealer.Keyring, found *faults) ports.ReceiptSigner {
	if len(s.ReceiptKeys) == 0 && s.ReceiptKeysFile == "" {
		return nil
	}
	ring := s.readKeyring(receiptKeys, s.ReceiptKeys, s.ReceiptKeysFile, found)
	for _, other := range others {
		if sharesSecret(ring, other) {
			found.addFault(receiptKeys, "shares a secret with the keys of another setting: each needs its own")
			break
		}
	}
	signer, err := sealer.NewStatementSigner(ring)
	found.addError(receiptKeys, err)
	return signer
}

// logWitnesses returns the witnesses of the public log.
func (s Serve) logWitnesses(logged bool, found *faults) (all []ports.LogWitness) {
	const name = "CASINO_LOG_WITNESSES"
	if len(s.LogWitnesses) > 0 && !logged {
		found.addFault(name, "needs %s: without them there is no public log", receiptKeys)
	}
	for i, text := range s.LogWitnesses {
		witness, err := logwitness.Parse(text)
		switch {
		case err != nil:
			found.addFault(name, "entry %d: %v", i+1, err)
		case slices.ContainsFunc(all, func(w ports.LogWitness) bool { return w.Name() == witness.Name() }):
			found.addFault(name, "entry %d: the name %s is there twice", i+1, witness.Name())
		default:
			all = append(all, witness)
		}
	}
	return all
}

// statementSigner returns the signer of serve. It refuses keys that have another purpose
// too.
func (s Serve) statementSigner(sessions, seeds sealer.Keyring, found *faults) (sealer.StatementSigner, sealer.Keyring) {
	ring := s.readKeyring(checkpointKeys, s.CheckpointKeys, s.CheckpointKeysFile, found)
	if sharesSecret(ring, sessions) || sharesSecret(ring, seeds) {
		found.addFault(checkpointKeys, "shares a secret with CASINO_JWT_KEYS or CASINO_SEED_KEYS: each needs its own")
	}
	return s.checkpointSigner(ring, found), ring
}

// The limits of CASINO_ANCHOR_PERIOD.
const anchorPeriodMin, anchorPeriodMax = time.Minute, 24 * time.Hour

// anchorSigner returns the signer of the anchors of the public log, nil without a keypair.
func (s Serve) anchorSigner(plan Plan, found *faults) solana.Signer {
	const name = "CASINO_ANCHOR_KEYPAIR"
	if s.AnchorKeypair == "" {
		return nil
	}
	if s.AnchorPeriod < anchorPeriodMin || s.AnchorPeriod > anchorPeriodMax {
		found.addFault("CASINO_ANCHOR_PERIOD", "must be from %s to %s", anchorPeriodMin, anchorPeriodMax)
	}
	if plan.Receipts == nil {
		found.addFault(name, "needs %s: without them there is no public log", receiptKeys)
	}
	pair, err := solana.ReadKeypair(s.AnchorKeypair)
	if err != nil {
		found.addError(name, err)
		return nil
	}
	if plan.Treasury != nil && plan.Treasury.Address() == pair.Address() {
		found.addFault(name, "is the treasury's: its other transactions would be taken for theft")
	}
	return pair
}
