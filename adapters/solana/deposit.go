package solana

import (
	"context"
	"fmt"

	"github.com/gagliardetto/solana-go"
	associatedtoken "github.com/gagliardetto/solana-go/programs/associated-token-account"
	"github.com/gagliardetto/solana-go/programs/system"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

var (
	_ ports.DepositTransactions = (*Node)(nil)
	_ ports.DepositTransactions = (*Cluster)(nil)
)

// DepositTransaction serves ports.DepositTransactions. The node provides only a blockhash,
// so no node can redirect a player's payment. Wallets set the priority fee themselves, and
// show the result of a simulation.
func (n *Node) DepositTransaction(ctx context.Context, from wallet.Address, terms token.Terms, amount money.Amount) (deposit.Unsigned, error) {
	player, err := solana.PublicKeyFromBase58(string(from))
	if err != nil {
		return deposit.Unsigned{}, fmt.Errorf("solana: wallet %s: %w", from, err)
	}
	pays, err := n.depositInstructions(player, terms, amount)
	if err != nil {
		return deposit.Unsigned{}, err
	}
	recent, err := n.recentBlockhash(ctx)
	if err != nil {
		return deposit.Unsigned{}, err
	}
	built, err := buildTransaction(pays, recent.hash, player)
	if err != nil {
		return deposit.Unsigned{}, err
	}
	raw, err := built.MarshalBinary()
	if err != nil {
		return deposit.Unsigned{}, fmt.Errorf("solana: encoding a deposit: %w", err)
	}
	return deposit.Unsigned{Transaction: raw, LastValidHeight: recent.lastValid}, nil
}

// Funds serves ports.DepositTransactions.
func (n *Node) Funds(ctx context.Context, of wallet.Address, terms token.Terms) (money.Amount, error) {
	owner, err := solana.PublicKeyFromBase58(string(of))
	if err != nil {
		return 0, fmt.Errorf("solana: wallet %s: %w", of, err)
	}
	if terms.Program == token.System {
		return n.lamports(ctx, owner)
	}
	return n.tokenHolding(ctx, owner, terms)
}

// depositInstructions returns the instructions that pay the treasury.
func (n *Node) depositInstructions(player solana.PublicKey, terms token.Terms, amount money.Amount) ([]solana.Instruction, error) {
	if terms.Program == token.System {
		return []solana.Instruction{system.NewTransferInstruction(uint64(amount), player, n.treasury).Build()}, nil
	}
	from, mint, program, err := tokenAccount(player, terms)
	if err != nil {
		return nil, fmt.Errorf("solana: %w", err)
	}
	to, err := associatedAccount(n.treasury, mint, program)
	if err != nil {
		return nil, fmt.Errorf("solana: %w", err)
	}
	moves, err := transferChecked(program, amount, terms.Decimals, from, mint, to, player)
	if err != nil {
		return nil, err
	}
	return []solana.Instruction{
		// Without the account the first deposit of a token would fail. If it exists, this
		// does nothing.
		associatedtoken.NewCreateIdempotentInstructionBuilder().SetPayer(player).SetWallet(n.treasury).SetMint(mint).
			SetTokenProgram(program).Build(),
		moves,
	}, nil
}

// DepositTransaction uses the blockhash of the first working node.
func (c *Cluster) DepositTransaction(ctx context.Context, from wallet.Address, terms token.Terms, amount money.Amount) (deposit.Unsigned, error) {
	return askInTurn(ctx, c, func(ctx context.Context, n *Node) (deposit.Unsigned, error) {
		return n.DepositTransaction(ctx, from, terms, amount)
	})
}

// Funds returns the balance that the first working node reports.
func (c *Cluster) Funds(ctx context.Context, of wallet.Address, terms token.Terms) (money.Amount, error) {
	return askInTurn(ctx, c, func(ctx context.Context, n *Node) (money.Amount, error) { return n.Funds(ctx, of, terms) })
}
