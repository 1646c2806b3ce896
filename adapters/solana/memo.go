package solana

import (
	"context"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

var (
	_ ports.Memos = (*Node)(nil)
	_ ports.Memos = (*Cluster)(nil)
)

// WriteMemo sends a transaction whose only instruction is a memo, signed and paid for by
// the treasury of the configuration, and returns its signature. An error doesn't tell
// whether the transaction landed.
func (n *Node) WriteMemo(ctx context.Context, text string) (string, error) {
	signature, raw, err := n.signMemo(ctx, text)
	if err != nil {
		return "", err
	}
	return signature.String(), n.sendRaw(ctx, raw)
}

func (n *Node) signMemo(ctx context.Context, text string) (signature solana.Signature, raw []byte, err error) {
	recent, err := n.recentBlockhash(ctx)
	if err != nil {
		return signature, nil, err
	}
	memo := solana.NewInstruction(solana.MemoProgramID, solana.AccountMetaSlice{solana.Meta(n.treasury).SIGNER()}, []byte(text))
	unsigned, err := buildTransaction([]solana.Instruction{memo}, recent.hash, n.treasury)
	if err != nil {
		return signature, nil, err
	}
	return n.signMessage(ctx, unsigned, nil)
}

// ReadMemo returns the only memo of a finalized transaction that succeeded. It returns a
// fault of kind NotFound if the node has no such transaction.
func (n *Node) ReadMemo(ctx context.Context, signature string) (ports.Memo, error) {
	parsed, err := solana.SignatureFromBase58(signature)
	if err != nil {
		return ports.Memo{}, fault.Field("signature", "must be a transaction signature: the base58 of 64 bytes")
	}
	shown, err := n.readTransaction(ctx, parsed, finalized)
	if err != nil {
		return ports.Memo{}, err
	}
	text := ""
	if shown != nil && !hasError(shown.meta.Err) {
		text = memoOf(shown.decoded)
	}
	if text == "" {
		return ports.Memo{}, fault.New(fault.NotFound, "no finalized transaction %s with one memo", signature)
	}
	memo := ports.Memo{Text: text, By: shown.keys[0].String(), Slot: shown.slot}
	if shown.made != nil {
		memo.At = time.Unix(*shown.made, 0).UTC()
	}
	return memo, nil
}

// signedMemo is a signed transaction with a memo.
type signedMemo struct {
	signature solana.Signature
	raw       []byte
}

// WriteMemo builds the transaction with data from the first working node, and sends it to
// all nodes; one that accepts it is enough.
func (c *Cluster) WriteMemo(ctx context.Context, text string) (string, error) {
	made, err := askInTurn(ctx, c, func(ctx context.Context, n *Node) (m signedMemo, err error) {
		m.signature, m.raw, err = n.signMemo(ctx, text)
		return m, err
	})
	if err != nil {
		return "", err
	}
	replies := askAll(ctx, c, func(ctx context.Context, n *Node) (struct{}, error) { return struct{}{}, n.sendRaw(ctx, made.raw) })
	for _, r := range replies {
		if r.err == nil {
			return made.signature.String(), nil
		}
	}
	return "", joinErrors(replies)
}

// ReadMemo returns the memo that the first working node reports.
func (c *Cluster) ReadMemo(ctx context.Context, signature string) (ports.Memo, error) {
	return askInTurn(ctx, c, func(ctx context.Context, n *Node) (ports.Memo, error) { return n.ReadMemo(ctx, signature) })
}
