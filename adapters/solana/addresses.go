package solana

import (
	"fmt"

	"github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
)

// programs maps the domain's names of the token programs to their addresses.
var programs = map[token.Program]solana.PublicKey{
	token.SPL:       solana.TokenProgramID,
	token.Token2022: solana.Token2022ProgramID,
}

// programOf returns the name of a token program, or its address if it is unknown.
func programOf(id solana.PublicKey) token.Program {
	for name, address := range programs {
		if address == id {
			return name
		}
	}
	return token.Program(id.String())
}

// associatedAccount returns a wallet's associated token account.
func associatedAccount(owner, mint, program solana.PublicKey) (solana.PublicKey, error) {
	account, _, err := solana.FindAssociatedTokenAddressWithProgram(owner, mint, program)
	if err != nil {
		return account, fmt.Errorf("%s has no token account of %s: %w", owner, mint, err)
	}
	return account, nil
}

// tokenAccount returns the account in which an owner holds a non-native token, with its
// mint and program.
func tokenAccount(owner solana.PublicKey, terms token.Terms) (account, mint, program solana.PublicKey, err error) {
	program, known := programs[terms.Program]
	if !known {
		return account, mint, program, fmt.Errorf("token %s: no token program is called %q", terms.Mint, terms.Program)
	}
	if mint, err = solana.PublicKeyFromBase58(string(terms.Mint)); err != nil {
		return account, mint, program, fmt.Errorf("token %s: %w", terms.Mint, err)
	}
	account, err = associatedAccount(owner, mint, program)
	return account, mint, program, err
}

// Treasury returns where deposits of a token arrive: the treasury's wallet for
// native SOL, else its associated token account.
func (n *Node) Treasury(terms token.Terms) (deposit.Treasury, error) {
	wrapped, err := associatedAccount(n.treasury, solana.WrappedSol, solana.TokenProgramID)
	if err != nil {
		return deposit.Treasury{}, fmt.Errorf("solana: %w", err)
	}
	treasury := deposit.Treasury{Owner: n.treasury.String(), WrappedSOL: wrapped.String()}
	if terms.Program == token.System {
		return treasury, nil
	}
	account, _, _, err := tokenAccount(n.treasury, terms)
	if err != nil {
		return deposit.Treasury{}, fmt.Errorf("solana: %w", err)
	}
	treasury.TokenAccount = account.String()
	return treasury, nil
}

// TreasuryAddress returns the wallet that receives deposits.
func (n *Node) TreasuryAddress() string { return n.treasury.String() }

// Reserved reports whether the address is the treasury, one of its token
// accounts, or an accepted mint.
func (n *Node) Reserved(address string) bool {
	_, reserved := n.reserved[address]
	return reserved
}

// houseAddresses returns the reserved addresses; the value is true for the treasury's token
// accounts. Each token has an account under both token programs, whichever program it uses.
func (n *Node) houseAddresses(tokens []token.Terms) (map[string]bool, error) {
	reserved := map[string]bool{n.treasury.String(): false}
	mints := []money.Token{money.SOL}
	for _, terms := range tokens {
		mints = append(mints, terms.Mint)
	}
	for _, text := range mints {
		mint, err := solana.PublicKeyFromBase58(string(text))
		if err != nil {
			return nil, fmt.Errorf("token %s: %w", text, err)
		}
		reserved[mint.String()] = false
		for _, program := range programs {
			account, err := associatedAccount(n.treasury, mint, program)
			if err != nil {
				return nil, err
			}
			reserved[account.String()] = true
		}
	}
	return reserved, nil
}
