package dev

import (
	"context"
	"crypto/ed25519"
	"slices"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/simulated/localnet"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
)

// demoSigners are the folder's demo wallets for pages in a browser. `casino dev` listens on
// loopback only, and the money is simulated.
type demoSigners struct {
	keys  map[string]ed25519.PrivateKey
	chain *rpc.Client
}

func newDemoWallets(keys devKeys, open chainListener, _ *localnet.Chain) httpapi.DemoWallets {
	return demoSigners{keys.wallets, rpc.New(rpcURL(open))}
}

// Wallets lists the wallets, players first.
func (d demoSigners) Wallets() []httpapi.DemoWallet {
	var all []httpapi.DemoWallet
	for _, name := range demoWallets {
		all = append(all, httpapi.DemoWallet{Name: name, Wallet: wallet.Address(PublicKey(d.keys[name]).String()), Role: demoRoles[name]})
	}
	slices.SortStableFunc(all, func(a, b httpapi.DemoWallet) int { return min(len(a.Role), 1) - min(len(b.Role), 1) })
	return all
}

func (d demoSigners) keyOf(name string) (ed25519.PrivateKey, error) {
	key, known := d.keys[name]
	if !known {
		return nil, fault.New(fault.NotFound, "there is no demo wallet %q", name)
	}
	return key, nil
}

// SignMessage signs a text with a wallet's key.
func (d demoSigners) SignMessage(name, text string) ([]byte, error) {
	key, err := d.keyOf(name)
	if err != nil {
		return nil, err
	}
	return ed25519.Sign(key, []byte(text)), nil
}

// SendTransaction signs a transaction with a wallet's key and sends it to the simulated
// chain.
func (d demoSigners) SendTransaction(ctx context.Context, name string, raw []byte) (string, error) {
	key, err := d.keyOf(name)
	if err != nil {
		return "", err
	}
	built, err := solana.TransactionFromBytes(raw)
	if err != nil {
		return "", fault.Field("transaction", "is not a transaction")
	}
	owner := PublicKey(key)
	if header := built.Message.Header; header.NumRequiredSignatures != 1 || len(built.Message.AccountKeys) == 0 || built.Message.AccountKeys[0] != owner {
		return "", fault.Field("transaction", "must need the signature of %s alone", owner)
	}
	message, err := built.Message.MarshalBinary()
	if err != nil {
		return "", fault.Field("transaction", "is not a transaction")
	}
	built.Signatures = []solana.Signature{solana.SignatureFromBytes(ed25519.Sign(key, message))}
	signature, err := d.chain.SendTransactionWithOpts(ctx, built, rpc.TransactionOpts{PreflightCommitment: rpc.CommitmentConfirmed})
	if err != nil {
		if refused := cli.NodeRefusal(err); refused != nil {
			return "", fault.New(fault.External, "the simulated chain refused the transaction: %s", refused.Message)
		}
		return "", err
	}
	return signature.String(), nil
}
