package fakes

import (
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/sha512"

	"github.com/mr-tron/base58"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// Key returns the wallet key of a name: the same name, the same key.
func Key(name string) ed25519.PrivateKey {
	seed := sha256.Sum256([]byte(name))
	return ed25519.NewKeyFromSeed(seed[:])
}

// Wallet returns the address of a name's key.
func Wallet(name string) wallet.Address {
	public, _ := Key(name).Public().(ed25519.PublicKey)
	return wallet.Address(base58.Encode(public))
}

// Mint returns a token of a name.
func Mint(name string) money.Token {
	sum := sha256.Sum256([]byte("mint " + name))
	return money.Token(base58.Encode(sum[:]))
}

// Signature returns the text of a transaction's signature made of a name. It signs
// nothing.
func Signature(name string) string {
	sum := sha512.Sum512([]byte(name))
	return base58.Encode(sum[:])
}
