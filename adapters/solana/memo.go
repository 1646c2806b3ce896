package solana

import (
	"context"
	"crypto/ed25519"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

var (
	_ ports.Memos = (*Node)(nil)
	_ ports.Memos = (*Cluster)(nil)
)

// Key returns the address of the treasury in the configuration, and its public key.
func (n *Node) Key() (address string, key ed25519.PublicKey) {
	return n.TreasuryAddress(), n.treasuryKey()
}

// SignMemo signs a transaction with a memo as its only instruction. The treasury of the
// configuration signs and pays for it.
func (n *Node) SignMemo(ctx context.Context, text string) (ports.SignedMemo, error) {
	recent, err := n.recentBlockhash(ctx)
	if err != nil {
		return ports.SignedMemo{}, err
	}
	memo := solana.NewInstruction(solana.MemoProgramID, solana.AccountMetaSlice{solana.Meta(n.treasury).SIGNER()}, []byte(text))
	unsigned, err := buildTransaction([]solana.Instruction{memo}, recent.hash, n.treasury)
	if err != nil {
		return ports.SignedMemo{}, err
	}
	signature, raw, err := n.signMessage(ctx, unsigned, nil)
	return ports.SignedMemo{Signature: signature.String(), Transaction: raw, LastValidHeight: recent.lastValid}, err
}

// SendMemo sends the signed bytes to the node.
func (n *Node) SendMemo(ctx context.Context, m ports.SignedMemo) error {
	return n.sendRaw(ctx, m.Transaction)
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

// Key returns the address of the treasury in the configuration, and its public key.
func (c *Cluster) Key() (address string, key ed25519.PublicKey) { return c.nodes[0].Key() }

// SignMemo signs the transaction with data from the first working node.
func (c *Cluster) SignMemo(ctx context.Context, text string) (ports.SignedMemo, error) {
	return askInTurn(ctx, c, func(ctx context.Context, n *Node) (ports.SignedMemo, error) { return n.SignMemo(ctx, text) })
}

// SendMemo sends the signed bytes to all nodes; one that accepts them is enough.
func (c *Cluster) SendMemo(ctx context.Context, m ports.SignedMemo) error {
	replies := askAll(ctx, c, func(ctx context.Context, n *Node) (struct{}, error) { return struct{}{}, n.SendMemo(ctx, m) })
	for _, r := range replies {
		if r.err == nil {
			return nil
		}
	}
	return joinErrors(replies)
}

// ReadMemo returns the memo that a node reports. It returns a fault of kind NotFound only
// if every node reports that there is none.
func (c *Cluster) ReadMemo(ctx context.Context, signature string) (ports.Memo, error) {
	replies := askAll(ctx, c, func(ctx context.Context, n *Node) (ports.Memo, error) { return n.ReadMemo(ctx, signature) })
	for _, r := range replies {
		if r.err == nil {
			return r.answer, nil
		}
	}
	for _, r := range replies {
		if !fault.Is(r.err, fault.NotFound) {
			return ports.Memo{}, r.err
		}
	}
	return ports.Memo{}, replies[0].err
}
