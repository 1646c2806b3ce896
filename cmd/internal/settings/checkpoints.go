package settings

import (
	"github.com/casino-service/casino/adapters/sealer"
)

// Checkpoints are the keys that statements about the ledger are signed with.
type Checkpoints struct {
	CheckpointKeys     []Secret `placeholder:"KID:SECRET" help:"Keys that public checkpoints and audits are signed with, newest first: Ed25519 seeds of exactly 32 bytes, used for nothing else."`
	CheckpointKeysFile string   `type:"path" placeholder:"FILE" help:"A file with them, one a line."`
}

const checkpointKeys = "CASINO_CHECKPOINT_KEYS"

// Signer returns what signs with the keys, and whether any were given.
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

// statementSigner are the keys of serve, which signs with none that does something else.
func (s Serve) statementSigner(sessions, seeds sealer.Keyring, found *faults) sealer.StatementSigner {
	ring := s.readKeyring(checkpointKeys, s.CheckpointKeys, s.CheckpointKeysFile, found)
	if sharesSecret(ring, sessions) || sharesSecret(ring, seeds) {
		found.addFault(checkpointKeys, "shares a secret with CASINO_JWT_KEYS or CASINO_SEED_KEYS: each needs its own")
	}
	return s.checkpointSigner(ring, found)
}
