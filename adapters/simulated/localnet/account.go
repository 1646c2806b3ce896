package localnet

import (
	"github.com/gagliardetto/solana-go"
)

// account is the content of an address. A stored account is never changed; transactions
// work on copies.
type account struct {
	lamports   uint64
	owner      solana.PublicKey
	data       []byte
	executable bool
}

// version is an account's content from a slot on; account is nil if it was closed there.
type version struct {
	slot    uint64
	account *account
}

// accounts holds all accounts, with the old versions that readers at a settled slot may
// need.
type accounts struct {
	versions map[solana.PublicKey][]version
}

func newAccounts() accounts {
	return accounts{versions: make(map[solana.PublicKey][]version)}
}

// accountAt returns the account as it was after the slot; nil if there was none.
func (a accounts) accountAt(key solana.PublicKey, slot uint64) *account {
	versions := a.versions[key]
	for i := len(versions) - 1; i >= 0; i-- {
		if versions[i].slot <= slot {
			return versions[i].account
		}
	}
	return nil
}

// putAccount stores the account's content from the slot on, and drops versions that were
// replaced at or before the settled slot. Nil closes the account.
func (a accounts) putAccount(key solana.PublicKey, stored *account, slot, settled uint64) {
	kept := a.versions[key]
	for len(kept) > 1 && kept[1].slot <= settled {
		kept = kept[1:]
	}
	if last := len(kept) - 1; last >= 0 && kept[last].slot == slot {
		kept = kept[:last]
	}
	a.versions[key] = append(kept, version{slot: slot, account: stored})
}

// createGenesisAccounts creates the accounts that exist before any transaction.
func (c *Chain) createGenesisAccounts() {
	put := func(key solana.PublicKey, stored account) { c.accounts.putAccount(key, &stored, 0, 0) }
	native := solana.MustPublicKeyFromBase58("NativeLoader1111111111111111111111111111111")
	for _, program := range []solana.PublicKey{solana.SystemProgramID, solana.ComputeBudget} {
		put(program, account{lamports: 1, owner: native, executable: true})
	}
	for _, program := range []solana.PublicKey{
		solana.TokenProgramID, solana.SPLAssociatedTokenAccountProgramID, solana.MemoProgramID, solana.MemoProgramIDV1,
	} {
		put(program, account{lamports: c.rentExemptMinimum(0), owner: solana.BPFLoaderProgramID, executable: true})
	}
	put(c.genesis.faucetKey().PublicKey(), account{lamports: faucetLamports})
	put(c.genesis.Identity, account{lamports: solana.LAMPORTS_PER_SOL})
}

// rentExemptMinimum returns the rent-exempt minimum of an account with size bytes of data.
func (c *Chain) rentExemptMinimum(size int) uint64 {
	const overhead = 128 // bytes charged for every account beside its data
	return uint64(overhead+size) * lamportsPerByte
}
