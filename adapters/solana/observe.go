package solana

import (
	"context"

	"github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
)

// Observe returns the chain's knowledge of a transaction. It is finalized if both the
// node's status and its ledger say so, and the node shows the token balances. Until then
// only Found is set, and Incomplete if balances were left out. An invalid signature is a
// fault of kind Invalid.
func (n *Node) Observe(ctx context.Context, signature string) (deposit.Observation, error) {
	observation := deposit.Observation{Signature: signature}
	if err := deposit.CheckSignature(signature); err != nil {
		return observation, err
	}
	parsed, err := solana.SignatureFromBase58(signature)
	if err != nil {
		return observation, unusableError("signature %s: %v", signature, err)
	}
	known, _, err := n.signatureStatus(ctx, parsed)
	if err != nil || known == nil {
		return observation, err
	}
	observation.Found = true
	if known.Level != finalized {
		return observation, nil
	}
	shown, err := n.readTransaction(ctx, parsed, finalized)
	if err != nil || shown == nil {
		return observation, err
	}
	if hasError(known.Err) != hasError(shown.meta.Err) {
		return observation, unusableError("transaction %s failed by its status or by its meta, not both", signature)
	}
	if observation.Incomplete, err = n.lacksTokens(ctx, shown); err != nil || observation.Incomplete {
		return observation, err
	}
	return shown.toObservation(signature), nil
}

// toObservation converts a finalized transaction for the rules of domain/deposit.
func (t *transaction) toObservation(signature string) deposit.Observation {
	observation := deposit.Observation{Signature: signature, Found: true, Finalized: true, Slot: t.slot, Failed: hasError(t.meta.Err)}
	for i := range t.decoded.Signatures {
		observation.Signers = append(observation.Signers, t.keys[i].String())
	}
	for i, key := range t.keys {
		observation.Lamports = append(observation.Lamports, deposit.LamportChange{
			Address: key.String(), Pre: t.meta.PreBalances[i], Post: t.meta.PostBalances[i],
		})
	}
	observation.Tokens = t.tokenChanges()
	return observation
}

// tokenChanges pairs the balances before and after. A missing side means that the account
// did not exist; an account reopened for another mint has an entry for each.
func (t *transaction) tokenChanges() []deposit.TokenChange {
	var changes []deposit.TokenChange
	of := func(b tokenBalance) *deposit.TokenChange {
		account, mint, program := t.keys[b.Index].String(), money.Token(b.Mint.String()), programOf(*b.Program)
		for i := range changes {
			c := &changes[i]
			if c.Account == account && c.Mint == mint && c.Program == program && c.Decimals == b.Amount.Decimals {
				return c
			}
		}
		changes = append(changes, deposit.TokenChange{Account: account, Mint: mint, Program: program, Decimals: b.Amount.Decimals})
		return &changes[len(changes)-1]
	}
	for _, b := range t.meta.PreTokens {
		c := of(b)
		c.OwnerPre, c.Pre = b.Owner.String(), b.units
	}
	for _, b := range t.meta.PostTokens {
		c := of(b)
		c.OwnerPost, c.Post = b.Owner.String(), b.units
	}
	return changes
}
