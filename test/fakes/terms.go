package fakes

import (
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/sha512"
	"fmt"

	"github.com/mr-tron/base58"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

// Terms returns the terms of native SOL, open for everything, with limits that an ordinary test
// doesn't reach: deposits from 0.001 SOL, wagers from 10,000 lamports to 0.01 SOL, payouts of a
// round up to 1 SOL, withdrawals of 0.001 to 1 SOL that one admin approves, 1 SOL a payout and 10
// SOL an hour, and a tenth of the bankroll per bet. Change fields of the copy for others.
func Terms() token.Terms {
	return token.Terms{
		Mint: money.SOL, Symbol: "SOL", Decimals: 9, Program: token.System,
		MinDeposit: 1_000_000, MinWager: token.MinWagerDefault, MaxWager: 10_000_000, MaxPayout: 1_000_000_000,
		MinWithdrawal: 1_000_000, MaxWithdrawal: 1_000_000_000, TwoPersonAbove: token.NoTwoPerson, TwoPersonAbovePerDay: token.NoTwoPerson,
		PayoutCap: 1_000_000_000, PayoutCapPerHour: 10_000_000_000, BankrollShare: money.Ratio{Num: 1, Den: 10},
	}
}

// TermsOf returns Terms for an SPL token of six decimals with the mint Mint(name).
func TermsOf(name string) token.Terms {
	terms := Terms()
	terms.Mint, terms.Symbol, terms.Decimals, terms.Program = Mint(name), name, 6, token.SPL
	return terms
}

// Key returns the wallet key of a name: the same name gives the same key.
func Key(name string) ed25519.PrivateKey {
	seed := sha256.Sum256([]byte(name))
	return ed25519.NewKeyFromSeed(seed[:])
}

// Wallet returns the address of a name's key.
func Wallet(name string) wallet.Address {
	public, _ := Key(name).Public().(ed25519.PublicKey)
	return wallet.Address(base58.Encode(public))
}

// Mint returns the token of a name.
func Mint(name string) money.Token {
	sum := sha256.Sum256([]byte("mint " + name))
	return money.Token(base58.Encode(sum[:]))
}

// Signature returns a transaction signature derived from a name. It signs nothing.
func Signature(name string) string {
	sum := sha512.Sum512([]byte(name))
	return base58.Encode(sum[:])
}

// SharedDeposit lands a transaction that two wallets sign and pay, half of the amount each.
func (c *Chain) SharedDeposit(one, two wallet.Address, of money.Token, half money.Amount) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made++
	signature := Signature(fmt.Sprintf("deposit %d", c.made))
	seen := deposit.Observation{Signature: signature, Found: true, Signers: []string{string(one), string(two)}}
	part := uint64(half)
	for _, payer := range []wallet.Address{one, two} {
		from, to := holder{string(payer), of}, holder{house, of}
		if c.held[from] < part {
			panic(fmt.Sprintf("fakes: %s holds %d and deposits %d", payer, c.held[from], half))
		}
		c.held[from], c.held[to] = c.held[from]-part, c.held[to]+part
		paid := c.observation(signature, of, [2]string{string(payer), house},
			[2]uint64{c.held[from] + part, c.held[to] - part}, [2]uint64{c.held[from], c.held[to]})
		seen.Lamports = append(seen.Lamports, paid.Lamports...)
		seen.Tokens = append(seen.Tokens, paid.Tokens...)
	}
	// The treasury was listed with each payer; it must have one balance before and one after.
	seen.Lamports, seen.Tokens = joined(seen.Lamports, seen.Tokens)
	c.keep(signature, &landed{height: c.height, seen: seen, gained: map[money.Token]int64{of: int64(2 * part)}})
	return signature
}

// joined combines two consecutive changes of one account, the second and the fourth, into one.
func joined(lamports []deposit.LamportChange, tokens []deposit.TokenChange) ([]deposit.LamportChange, []deposit.TokenChange) {
	if len(lamports) == 4 {
		lamports[1].Post = lamports[3].Post
		lamports = lamports[:3]
	}
	if len(tokens) == 4 {
		tokens[1].Post = tokens[3].Post
		tokens = tokens[:3]
	}
	return lamports, tokens
}
