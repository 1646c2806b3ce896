package validator

import (
	"encoding/hex"
	"fmt"

	"github.com/gagliardetto/solana-go"
	associatedtoken "github.com/gagliardetto/solana-go/programs/associated-token-account"
	computebudget "github.com/gagliardetto/solana-go/programs/compute-budget"
	"github.com/gagliardetto/solana-go/programs/system"
	spltoken "github.com/gagliardetto/solana-go/programs/token"
)

// Refusal is why the chain did not do what a helper asked. Landed says whether
// the transaction landed and paid its fee nevertheless.
type Refusal struct {
	Reason string
	Landed bool
}

func (r *Refusal) Error() string { return "validator: transaction failed: " + r.Reason }

// Airdrop pays lamports from the faucet in a real transaction.
func (c *Chain) Airdrop(address solana.PublicKey, lamports uint64) (solana.Signature, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.airdrop(address, lamports)
}

func (c *Chain) airdrop(address solana.PublicKey, lamports uint64) (solana.Signature, error) {
	faucet := c.faucet()
	// Two airdrops alike in one slot would be one transaction: the unit limit,
	// which costs nothing without a price, tells them apart.
	return c.send(faucet, []solana.Instruction{
		computebudget.NewSetComputeUnitLimitInstruction(uint32(10_000 + len(c.landed)%100_000)).Build(),
		system.NewTransferInstruction(lamports, faucet.PublicKey(), address).Build(),
	})
}

// CreateMint makes an SPL token with that many decimals, of which the authority
// may mint and freeze; the authority pays. It returns the mint's address.
func (c *Chain) CreateMint(authority solana.PrivateKey, decimals uint8) (solana.PublicKey, error) {
	const mintSize = 82
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made++
	key, owner := c.key(fmt.Sprint("mint ", c.made)), authority.PublicKey()
	lamports, err := c.rent(mintSize)
	if err != nil {
		return key.PublicKey(), err
	}
	_, err = c.send(authority, []solana.Instruction{
		system.NewCreateAccountInstruction(lamports, mintSize, solana.TokenProgramID, owner, key.PublicKey()).Build(),
		spltoken.NewInitializeMint2Instruction(decimals, owner, owner, key.PublicKey()).Build(),
	}, key)
	return key.PublicKey(), err
}

func (c *Chain) rent(size int) (lamports uint64, err error) {
	err = c.surfpool(&lamports, "getMinimumBalanceForRentExemption", size)
	return lamports, err
}

// MintTo mints base units of an SPL token to the owner's associated token
// account, which is made when missing; the mint's authority signs and pays.
func (c *Chain) MintTo(authority solana.PrivateKey, mint, owner solana.PublicKey, amount uint64) (solana.PublicKey, error) {
	account, _, err := solana.FindAssociatedTokenAddress(owner, mint)
	if err != nil {
		return account, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err = c.send(authority, []solana.Instruction{
		computebudget.NewSetComputeUnitLimitInstruction(uint32(100_000 + len(c.landed)%100_000)).Build(),
		associatedtoken.NewCreateIdempotentInstruction(authority.PublicKey(), owner, mint).Build(),
		spltoken.NewMintToInstruction(amount, mint, account, authority.PublicKey(), nil).Build(),
	})
	return account, err
}

// Submit lands a signed transaction, whose failure is a *Refusal.
func (c *Chain) Submit(signed *solana.Transaction) (solana.Signature, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.submit(signed)
}

// send signs instructions over the newest blockhash and lands them.
func (c *Chain) send(payer solana.PrivateKey, instructions []solana.Instruction, others ...solana.PrivateKey) (solana.Signature, error) {
	recent, err := c.blockhash(c.slotAt(processed))
	if err != nil {
		return solana.Signature{}, err
	}
	built, err := solana.NewTransaction(instructions, recent, solana.TransactionPayer(payer.PublicKey()))
	if err != nil {
		return solana.Signature{}, err
	}
	if _, err := built.Sign(func(wanted solana.PublicKey) *solana.PrivateKey {
		for _, held := range append(others, payer) {
			if held.PublicKey() == wanted {
				return &held
			}
		}
		return nil
	}); err != nil {
		return solana.Signature{}, err
	}
	return c.submit(built)
}

func (c *Chain) submit(signed *solana.Transaction) (solana.Signature, error) {
	raw, err := signed.MarshalBinary()
	if err != nil {
		return solana.Signature{}, err
	}
	signature := signed.Signatures[0]
	if err := signed.VerifySignatures(); err != nil {
		return signature, err
	}
	if _, duplicate := c.known[signature]; duplicate {
		return signature, &Refusal{Reason: "AlreadyProcessed"}
	}
	if !c.usable(signed.Message.RecentBlockhash, c.slotAt(processed)) {
		return signature, &Refusal{Reason: "BlockhashNotFound"}
	}
	l, err := c.land(signed, raw)
	if err != nil {
		return signature, &Refusal{Reason: err.Error()}
	}
	if reason := string(l.err()); reason != "null" {
		return signature, &Refusal{Reason: reason, Landed: true}
	}
	return signature, nil
}

// Blockhash returns the newest blockhash.
func (c *Chain) Blockhash() (solana.Hash, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.blockhash(c.slotAt(processed))
}

// Slot returns the newest slot as the runtime has it.
func (c *Chain) Slot() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.passed
}

// Held returns what an account holds in the newest block: its lamports, and the
// units of a token when it is a token account.
func (c *Chain) Held(key solana.PublicKey) (lamports, units uint64, err error) {
	const amountAt, amountEnd = 64, 72
	c.mu.Lock()
	defer c.mu.Unlock()
	stored, err := c.account(key.String(), c.slotAt(processed))
	if err != nil {
		return 0, 0, err
	}
	if lamports, err = lamportsOf(stored); err != nil {
		return 0, 0, err
	}
	data, err := dataOf(stored)
	if err == nil && len(data) >= amountEnd {
		units = littleEndian(data[amountAt:amountEnd])
	}
	return lamports, units, err
}

// Genesis returns the chain's genesis hash.
func (c *Chain) Genesis() (hash string, err error) {
	return hash, c.surfpool(&hash, "getGenesisHash")
}

// AddProgram deploys a program at an address.
func (c *Chain) AddProgram(id solana.PublicKey, elf []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.surfpool(nil, "surfnet_writeProgram", id, hex.EncodeToString(elf), 0)
}
