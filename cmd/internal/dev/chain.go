package dev

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/casino-service/casino/adapters/simulated/localnet"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
)

// Balances on the simulated chain at the first start, in base units.
const (
	demoDecimals    = 6
	treasurySOL     = 1_000 * solana.LAMPORTS_PER_SOL
	treasuryDemo    = 1_000_000_000_000 // 1,000,000 demo tokens
	walletSOL       = 10 * solana.LAMPORTS_PER_SOL
	walletDemo      = 10_000_000_000 // 10,000 demo tokens
	authoritySOL    = 10 * solana.LAMPORTS_PER_SOL
	anchorSOL       = 1 * solana.LAMPORTS_PER_SOL
	DemoSymbol      = "DEMO"
	devBlockhashAge = 3_000
)

// devKeys are the keys of `casino dev`, kept in the data folder.
type devKeys struct {
	treasury  ed25519.PrivateKey
	mint      ed25519.PrivateKey // the demo token's address
	authority ed25519.PrivateKey // may mint it
	anchor    ed25519.PrivateKey // writes anchors of the log
	wallets   map[string]ed25519.PrivateKey
}

func (d Folder) readKeys(entropy ports.Entropy) (devKeys, error) {
	keys := devKeys{wallets: map[string]ed25519.PrivateKey{}}
	var faults []error
	read := func(path string) ed25519.PrivateKey {
		key, err := readKeypair(path, entropy)
		faults = append(faults, err)
		return key
	}
	keys.treasury = read(d.Treasury())
	keys.mint = read(d.File("demo-mint.json"))
	keys.authority = read(d.File("demo-mint-authority.json"))
	keys.anchor = read(d.anchorPath())
	for _, name := range demoWallets {
		keys.wallets[name] = read(d.Wallet(name))
	}
	return keys, errors.Join(faults...)
}

func PublicKey(key ed25519.PrivateKey) solana.PublicKey {
	return solana.PrivateKey(key).PublicKey()
}

// demoTerms returns the terms of the two tokens of `casino dev`: generous limits, and two
// persons for large withdrawals, to show the second approval.
func demoTerms(keys devKeys) []token.Terms {
	share := money.Ratio{Num: 1, Den: 10}
	return []token.Terms{
		{
			Mint: money.SOL, Symbol: "SOL", Decimals: 9, Program: token.System,
			MinDeposit: 1_000_000, MinWager: token.MinWagerDefault, MaxWager: 10_000_000_000, MaxPayout: 100_000_000_000,
			MinWithdrawal: 1_000_000, MaxWithdrawal: 100_000_000_000, TwoPersonAbove: 50_000_000_000, TwoPersonAbovePerDay: 1_000_000_000_000,
			PayoutCap: 100_000_000_000, PayoutCapPerHour: 1_000_000_000_000, BankrollShare: share,
		},
		{
			Mint: money.Token(PublicKey(keys.mint).String()), Symbol: DemoSymbol, Decimals: demoDecimals, Program: token.SPL,
			MinDeposit: 1_000_000, MinWager: token.MinWagerDefault, MaxWager: 1_000_000_000, MaxPayout: 100_000_000_000,
			MinWithdrawal: 1_000_000, MaxWithdrawal: 100_000_000_000, TwoPersonAbove: 50_000_000_000, TwoPersonAbovePerDay: 1_000_000_000_000,
			PayoutCap: 100_000_000_000, PayoutCapPerHour: 1_000_000_000_000, BankrollShare: share,
		},
	}
}

// fundChain gives the treasury, the demo wallets and the mint their first balances. It
// skips what exists, so that an interrupted start continues.
func fundChain(ctx context.Context, chain *localnet.Chain, client *rpc.Client, keys devKeys) error {
	lamports := map[solana.PublicKey]uint64{PublicKey(keys.treasury): treasurySOL, PublicKey(keys.authority): authoritySOL, PublicKey(keys.anchor): anchorSOL}
	owners := map[solana.PublicKey]uint64{PublicKey(keys.treasury): treasuryDemo}
	for _, name := range []string{"alice", "bob"} {
		lamports[PublicKey(keys.wallets[name])] = walletSOL
		owners[PublicKey(keys.wallets[name])] = walletDemo
	}
	for owner, amount := range lamports {
		held, err := client.GetBalance(ctx, owner, rpc.CommitmentProcessed)
		if err != nil {
			return err
		}
		if held.Value == 0 {
			if _, err := chain.Airdrop(owner, amount); err != nil {
				return fmt.Errorf("funding %s: %w", owner, err)
			}
		}
	}
	mint := PublicKey(keys.mint)
	there, err := accountExists(ctx, client, mint)
	if err != nil {
		return err
	}
	if !there {
		if err := chain.CreateMintAt(solana.PrivateKey(keys.authority), solana.PrivateKey(keys.mint), demoDecimals); err != nil {
			return fmt.Errorf("making the demo token: %w", err)
		}
	}
	for owner, amount := range owners {
		account, _, err := solana.FindAssociatedTokenAddress(owner, mint)
		if err != nil {
			return err
		}
		there, err := accountExists(ctx, client, account)
		if err != nil {
			return err
		}
		if !there {
			if _, err := chain.MintTo(solana.PrivateKey(keys.authority), mint, owner, amount); err != nil {
				return fmt.Errorf("minting to %s: %w", owner, err)
			}
		}
	}
	for owner := range owners {
		// This account is made last: once it is final, so is the rest.
		account, _, err := solana.FindAssociatedTokenAddress(owner, mint)
		if err != nil {
			return err
		}
		if err := waitFinalized(ctx, client, account); err != nil {
			return err
		}
	}
	return nil
}

// waitFinalized waits until the chain's finalized state has the account, so that every
// later read finds it.
func waitFinalized(ctx context.Context, client *rpc.Client, address solana.PublicKey) error {
	for every := time.NewTicker(localnet.DefaultSlotDuration); ; {
		_, err := client.GetAccountInfoWithOpts(ctx, address, &rpc.GetAccountInfoOpts{Commitment: rpc.CommitmentFinalized})
		if !errors.Is(err, rpc.ErrNotFound) {
			every.Stop()
			return err
		}
		select {
		case <-ctx.Done():
			every.Stop()
			return context.Cause(ctx)
		case <-every.C:
		}
	}
}

func accountExists(ctx context.Context, client *rpc.Client, address solana.PublicKey) (bool, error) {
	_, err := client.GetAccountInfoWithOpts(ctx, address, &rpc.GetAccountInfoOpts{Commitment: rpc.CommitmentProcessed})
	if errors.Is(err, rpc.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// newServer returns the simulated chain's server.
func newServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler: handler, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second,
		WriteTimeout: 30 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
	}
}
