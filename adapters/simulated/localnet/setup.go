package localnet

import (
	"crypto/ed25519"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/gagliardetto/solana-go"
)

// Refusal is the error of a helper's transaction, with its log. Landed reports whether the
// transaction landed and paid its fee anyway.
type Refusal struct {
	Reason string
	Logs   []string
	Landed bool
}

func (r *Refusal) Error() string { return "localnet: transaction failed: " + r.Reason }

// Airdrop pays lamports from the faucet in a real transaction, and returns its signature. A
// failed transaction is a *Refusal; other errors come from the journal.
func (c *Chain) Airdrop(address solana.PublicKey, lamports uint64) (solana.Signature, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.advanceSlot(); err != nil {
		return solana.Signature{}, err
	}
	return c.airdropLocked(address, lamports)
}

// airdropLocked is Airdrop for callers that hold the lock.
func (c *Chain) airdropLocked(address solana.PublicKey, lamports uint64) (solana.Signature, error) {
	faucet := c.genesis.faucetKey()
	// Two equal airdrops in one slot would be one transaction. The unit limit, which costs
	// nothing without a price, makes them differ.
	limit := binary.LittleEndian.AppendUint32([]byte{setUnitLimit}, uint32(10_000+len(c.history.entries)%1_000_000))
	return c.sendInstructions(faucet, []solana.Instruction{
		solana.NewInstruction(solana.ComputeBudget, nil, limit),
		solana.NewInstruction(solana.SystemProgramID, solana.AccountMetaSlice{
			solana.Meta(faucet.PublicKey()).WRITE().SIGNER(), solana.Meta(address).WRITE(),
		}, encodeInstruction(systemTransfer, lamports)),
	})
}

// CreateMint creates an SPL token with the decimals; the authority may mint and freeze, and
// pays. It returns the mint's address.
func (c *Chain) CreateMint(authority solana.PrivateKey, decimals uint8) (solana.PublicKey, error) {
	var seed [ed25519.SeedSize]byte
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := io.ReadFull(c.cfg.Random, seed[:]); err != nil {
		return solana.PublicKey{}, fmt.Errorf("localnet: drawing a mint's key: %w", err)
	}
	key := solana.PrivateKey(ed25519.NewKeyFromSeed(seed[:]))
	return key.PublicKey(), c.createMint(authority, key, decimals)
}

// CreateMintAt is CreateMint at the address of the given key.
func (c *Chain) CreateMintAt(authority, key solana.PrivateKey, decimals uint8) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.createMint(authority, key, decimals)
}

func (c *Chain) createMint(authority, key solana.PrivateKey, decimals uint8) error {
	if err := c.advanceSlot(); err != nil {
		return err
	}
	owner, address := authority.PublicKey(), key.PublicKey()
	_, err := c.sendInstructions(authority, []solana.Instruction{
		solana.NewInstruction(solana.SystemProgramID, solana.AccountMetaSlice{
			solana.Meta(owner).WRITE().SIGNER(), solana.Meta(address).WRITE().SIGNER(),
		}, append(encodeInstruction(systemCreateAccount, c.rentExemptMinimum(mintSize), mintSize), solana.TokenProgramID.Bytes()...)),
		solana.NewInstruction(solana.TokenProgramID, solana.AccountMetaSlice{solana.Meta(address).WRITE()},
			slices.Concat([]byte{tokenInitializeMint2, decimals}, owner.Bytes(), []byte{1}, owner.Bytes())),
	}, key)
	return err
}

// MintTo mints base units of a token to the owner's associated token account, which it
// creates if missing; the mint's authority signs and pays. It returns the token account.
func (c *Chain) MintTo(authority solana.PrivateKey, minted, owner solana.PublicKey, amount uint64) (solana.PublicKey, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.advanceSlot(); err != nil {
		return solana.PublicKey{}, err
	}
	account, _, err := solana.FindAssociatedTokenAddress(owner, minted)
	if err != nil {
		return solana.PublicKey{}, fmt.Errorf("localnet: %w", err)
	}
	payer := authority.PublicKey()
	_, err = c.sendInstructions(authority, []solana.Instruction{
		solana.NewInstruction(solana.SPLAssociatedTokenAccountProgramID, solana.AccountMetaSlice{
			solana.Meta(payer).WRITE().SIGNER(), solana.Meta(account).WRITE(), solana.Meta(owner), solana.Meta(minted),
			solana.Meta(solana.SystemProgramID), solana.Meta(solana.TokenProgramID),
		}, []byte{associatedCreateIdempotent}),
		solana.NewInstruction(solana.TokenProgramID, solana.AccountMetaSlice{
			solana.Meta(minted).WRITE(), solana.Meta(account).WRITE(), solana.Meta(payer).SIGNER(),
		}, binary.LittleEndian.AppendUint64([]byte{tokenMintTo}, amount)),
	})
	return account, err
}

// Submit lands a signed transaction; its failure is a *Refusal.
func (c *Chain) Submit(signed *solana.Transaction) (solana.Signature, error) {
	raw, err := signed.MarshalBinary()
	if err != nil {
		return solana.Signature{}, fmt.Errorf("localnet: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.advanceSlot(); err != nil {
		return solana.Signature{}, err
	}
	return c.submitTransaction(raw)
}

// sendInstructions signs instructions over the newest blockhash and lands them.
func (c *Chain) sendInstructions(payer solana.PrivateKey, instructions []solana.Instruction, others ...solana.PrivateKey) (solana.Signature, error) {
	recent := c.blockhashOf(c.slotAt(processed))
	unsigned, err := solana.NewTransaction(instructions, recent, solana.TransactionPayer(payer.PublicKey()))
	if err != nil {
		return solana.Signature{}, fmt.Errorf("localnet: %w", err)
	}
	if _, err := unsigned.Sign(func(key solana.PublicKey) *solana.PrivateKey {
		for _, held := range append(others, payer) {
			if held.PublicKey() == key {
				return &held
			}
		}
		return nil
	}); err != nil {
		return solana.Signature{}, fmt.Errorf("localnet: %w", err)
	}
	raw, err := unsigned.MarshalBinary()
	if err != nil {
		return solana.Signature{}, fmt.Errorf("localnet: %w", err)
	}
	return c.submitTransaction(raw)
}

// submitTransaction decodes, verifies and lands a transaction in the processed bank.
func (c *Chain) submitTransaction(raw []byte) (solana.Signature, error) {
	t, err := decodeTransaction(raw)
	if err != nil {
		return solana.Signature{}, fmt.Errorf("localnet: %w", err)
	}
	if len(t.bytes) > transactionMax {
		return solana.Signature{}, fmt.Errorf("localnet: a transaction of %d bytes is beyond %d", len(t.bytes), transactionMax)
	}
	if !t.hasValidSignatures() {
		return solana.Signature{}, errors.New("localnet: " + signatureFailure)
	}
	out, err := c.landTransaction(t)
	if err != nil {
		return solana.Signature{}, err
	}
	if out.err != nil {
		return t.signature(), &Refusal{Reason: out.err.Error(), Logs: out.logs, Landed: out.landed}
	}
	return t.signature(), nil
}

// tryTransaction executes a transaction on the accounts of a slot without changing
// anything.
func (c *Chain) tryTransaction(t *transaction, slot uint64) outcome {
	_, known := c.blockOf(t.message.RecentBlockhash, slot)
	_, duplicate := c.history.digests[t.messageDigest()]
	return bank{chain: c, slot: slot}.executeTransaction(t, known, duplicate)
}

// landTransaction executes a verified transaction on the newest accounts, and stores it if
// it could pay. An error comes only from the journal.
func (c *Chain) landTransaction(t *transaction) (outcome, error) {
	slot := c.slotAt(processed)
	out := c.tryTransaction(t, slot)
	if !out.landed {
		return out, nil
	}
	return out, c.commitRecord(record{Landed: &landed{
		Slot: slot, Bytes: t.bytes, Fee: out.fee, Units: out.units, Err: out.err, Logs: out.logs, Inner: out.inner, Writes: out.writes,
	}})
}
