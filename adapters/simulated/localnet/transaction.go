package localnet

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"

	"filippo.io/edwards25519"
	"github.com/gagliardetto/solana-go"
)

// transactionMax is the largest transaction that a validator accepts, in bytes.
const transactionMax = 1232

// transaction is a decoded transaction with the data for its execution.
type transaction struct {
	bytes      []byte // as it would go over the wire
	signatures []solana.Signature
	body       []byte // the signed message
	message    *solana.Message
	keys       []solana.PublicKey
	writable   []bool
}

// signature is the transaction's id.
func (t *transaction) signature() solana.Signature { return t.signatures[0] }

// messageDigest identifies the message: two signatures over one message are one transaction.
func (t *transaction) messageDigest() [32]byte { return sha256.Sum256(t.body) }

// isSigner reports whether the key at the index signed.
func (t *transaction) isSigner(index int) bool { return index < len(t.signatures) }

// Errors of transactions that can't be decoded.
var (
	errUndecodable = errors.New("failed to deserialize solana_transaction::versioned::VersionedTransaction")
	errUnsanitary  = errors.New("invalid transaction: Transaction failed to sanitize accounts offsets correctly")
	errLookups     = errors.New("invalid transaction: address lookup tables are not simulated by localnet")
)

// decodeTransaction decodes a transaction. Bytes after its end are dropped, as validators
// do; an encoding that is not canonical is an error.
func decodeTransaction(raw []byte) (*transaction, error) {
	parsed, err := solana.TransactionFromBytes(raw)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUndecodable, err)
	}
	if version := parsed.Message.GetVersion(); version != solana.MessageVersionLegacy && version != solana.MessageVersionV0 {
		return nil, fmt.Errorf("%w: only legacy and v0 messages are simulated by localnet", errUndecodable)
	}
	if len(parsed.Message.AddressTableLookups) > 0 {
		return nil, errLookups
	}
	if len(parsed.Signatures) == 0 || parsed.Sanitize() != nil {
		return nil, errUnsanitary
	}
	canonical, err := parsed.MarshalBinary()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUndecodable, err)
	}
	if !bytes.HasPrefix(raw, canonical) {
		return nil, fmt.Errorf("%w: not canonically encoded", errUndecodable)
	}
	body, err := parsed.Message.MarshalBinary()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUndecodable, err)
	}
	t := &transaction{
		bytes: canonical, signatures: parsed.Signatures, body: body, message: &parsed.Message, keys: parsed.Message.AccountKeys,
	}
	t.writable = writableKeys(t.message)
	return t, nil
}

// writableKeys returns which accounts a message may change: those marked in its header,
// without called programs and addresses reserved for the runtime.
func writableKeys(m *solana.Message) []bool {
	programs := make(map[int]bool, len(m.Instructions))
	for _, instruction := range m.Instructions {
		programs[int(instruction.ProgramIDIndex)] = true
	}
	signed := int(m.Header.NumRequiredSignatures)
	writable := make([]bool, len(m.AccountKeys))
	for i, key := range m.AccountKeys {
		if i < signed {
			writable[i] = i < signed-int(m.Header.NumReadonlySignedAccounts)
		} else {
			writable[i] = i < len(m.AccountKeys)-int(m.Header.NumReadonlyUnsignedAccounts)
		}
		writable[i] = writable[i] && !programs[i] && !reserved[key]
	}
	return writable
}

// reserved are addresses that no transaction may lock for writing.
var reserved = map[solana.PublicKey]bool{
	solana.SystemProgramID: true, solana.ComputeBudget: true, solana.BPFLoaderProgramID: true,
	solana.SysVarRentPubkey: true, solana.SysVarClockPubkey: true, solana.SysVarInstructionsPubkey: true,
	solana.SysVarRecentBlockHashesPubkey: true,
}

// hasValidSignatures reports whether every signature is valid under validators' strict
// rules. Go accepts keys and points of small order, under which a signature can be made
// without the key; this doesn't.
func (t *transaction) hasValidSignatures() bool {
	for i, signature := range t.signatures {
		key := t.keys[i]
		if smallOrder(key[:]) || smallOrder(signature[:32]) || !ed25519.Verify(key[:], t.body, signature[:]) {
			return false
		}
	}
	return true
}

// smallOrder reports whether 32 bytes encode a point of small order, or no point.
func smallOrder(encoded []byte) bool {
	point, err := new(edwards25519.Point).SetBytes(encoded)
	if err != nil {
		return true
	}
	return point.MultByCofactor(point).Equal(edwards25519.NewIdentityPoint()) == 1
}
