package solana

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/domain/withdrawal"
)

// Send sends the stored bytes to the node, which forwards them once; the caller decides
// when to send again. An error doesn't tell whether they landed. Bytes that landed already
// are no error.
func (n *Node) Send(ctx context.Context, attempt withdrawal.Attempt) error {
	if _, _, err := decodeAttempt(attempt); err != nil {
		return err
	}
	return n.sendRaw(ctx, attempt.Transaction)
}

// sendRaw sends a signed transaction to the node. One that landed already is no error.
func (n *Node) sendRaw(ctx context.Context, raw []byte) error {
	// The result is a signature. Use our own instead; theirs proves nothing.
	var ignored string
	err := n.rpc.callMethod(ctx, &ignored, "sendTransaction", base64.StdEncoding.EncodeToString(raw), options{
		"encoding": "base64", "skipPreflight": true, "maxRetries": 0,
	})
	if refused := (*nodeError)(nil); errors.As(err, &refused) && landedAlready(refused) {
		return nil
	}
	return err
}

// landedAlready reports whether a node rejected a transaction because it has processed it.
func landedAlready(refused *nodeError) bool {
	return strings.Contains(string(refused.Data), "AlreadyProcessed") ||
		strings.Contains(refused.Message, "already been processed")
}

// decodeAttempt decodes an attempt's bytes and checks that they have its signature.
func decodeAttempt(attempt withdrawal.Attempt) (*solana.Transaction, solana.Signature, error) {
	decoded, err := decodeSigned(attempt.Transaction)
	if err != nil {
		return nil, solana.Signature{}, fmt.Errorf("solana: attempt %d of %s: the stored transaction %w",
			attempt.Number, attempt.WithdrawalID, err)
	}
	signature := decoded.Signatures[0]
	if signature.String() != attempt.Signature || decoded.Message.RecentBlockhash.String() != attempt.Blockhash {
		return nil, solana.Signature{}, fmt.Errorf("solana: attempt %d of %s: the stored transaction is another one",
			attempt.Number, attempt.WithdrawalID)
	}
	return decoded, signature, nil
}
