package remote

import (
	"context"
	"fmt"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
)

// depositToken pays one whole token (SOL) or a hundred (SPL) to the treasury with Alice's
// key and registers the transaction.
func (d *demo) depositToken(ctx context.Context, symbol string) error {
	accepted, err := d.findAccepted(symbol)
	if err != nil {
		return err
	}
	units := uint64(1_000_000_000)
	if symbol != "SOL" {
		units = 100_000_000
	}
	signature, _, err := d.payIn(ctx, accepted, units)
	if err != nil {
		return err
	}
	d.printFact("%s, transaction %.12s…, finalized and credited to the unit", formatAmount(accepted, int64(units)), signature)
	return nil
}

// payIn pays to the treasury, registers the transaction, and waits until the balance has
// risen by the amount. It returns the transaction and the balance.
func (d *demo) payIn(ctx context.Context, accepted api.TokenTerms, units uint64) (solana.Signature, int64, error) {
	before, err := d.readBalance(ctx, accepted.Token)
	if err != nil {
		return solana.Signature{}, 0, err
	}
	signature, err := d.payTreasury(ctx, accepted, units)
	if err != nil {
		return signature, 0, fmt.Errorf("paying on chain: %w", err)
	}
	err = d.waitUntil(ctx, "the deposit is credited", func(ctx context.Context) (bool, error) {
		deposited, err := d.player.Deposit(ctx, api.DepositRequest{Signature: signature.String(), Token: accepted.Token})
		return deposited.Transaction.Status == "credited", err
	})
	if err != nil {
		return signature, 0, err
	}
	after, err := d.readBalance(ctx, accepted.Token)
	if err == nil && after-before != int64(units) {
		err = fmt.Errorf("the balance rose by %d, %d was paid", after-before, units)
	}
	return signature, after, err
}

func (d *demo) payTreasury(ctx context.Context, accepted api.TokenTerms, units uint64) (solana.Signature, error) {
	payer := d.alice
	treasury, err := solana.PublicKeyFromBase58(d.treasury)
	if err != nil {
		return solana.Signature{}, err
	}
	instruction := solana.Instruction(system.NewTransferInstruction(units, payer.PublicKey(), treasury).Build())
	if accepted.Symbol != "SOL" {
		mint, err := solana.PublicKeyFromBase58(accepted.Token)
		if err != nil {
			return solana.Signature{}, err
		}
		from, _, err := solana.FindAssociatedTokenAddress(payer.PublicKey(), mint)
		if err != nil {
			return solana.Signature{}, err
		}
		to, _, err := solana.FindAssociatedTokenAddress(treasury, mint)
		if err != nil {
			return solana.Signature{}, err
		}
		instruction = token.NewTransferCheckedInstruction(units, accepted.Decimals, from, mint, to, payer.PublicKey(), nil).Build()
	}
	latest, err := d.chain.GetLatestBlockhash(ctx, rpc.CommitmentConfirmed)
	if err != nil {
		return solana.Signature{}, err
	}
	transaction, err := solana.NewTransaction([]solana.Instruction{instruction}, latest.Value.Blockhash, solana.TransactionPayer(payer.PublicKey()))
	if err != nil {
		return solana.Signature{}, err
	}
	if _, err := transaction.Sign(func(solana.PublicKey) *solana.PrivateKey { return &payer }); err != nil {
		return solana.Signature{}, err
	}
	return d.chain.SendTransactionWithOpts(ctx, transaction, rpc.TransactionOpts{PreflightCommitment: rpc.CommitmentConfirmed})
}

// onChain returns the finalized balance of Alice's wallet.
func (d *demo) onChain(ctx context.Context, held api.TokenTerms) (uint64, error) {
	owner := d.alice.PublicKey()
	if held.Symbol == "SOL" {
		balance, err := d.chain.GetBalance(ctx, owner, rpc.CommitmentFinalized)
		if err != nil {
			return 0, err
		}
		return balance.Value, nil
	}
	mint, err := solana.PublicKeyFromBase58(held.Token)
	if err != nil {
		return 0, err
	}
	account, _, err := solana.FindAssociatedTokenAddress(owner, mint)
	if err != nil {
		return 0, err
	}
	balance, err := d.chain.GetTokenAccountBalance(ctx, account, rpc.CommitmentFinalized)
	if err != nil {
		return 0, err
	}
	var units uint64
	_, err = fmt.Sscan(balance.Value.Amount, &units)
	return units, err
}

// withdrawToken requests half a token (SOL) or fifty, has the withdrawal approved, and
// waits until it has arrived on chain.
func (d *demo) withdrawToken(ctx context.Context, symbol string) error {
	wanted, err := d.findAccepted(symbol)
	if err != nil {
		return err
	}
	units := int64(500_000_000)
	if symbol != "SOL" {
		units = 50_000_000
	}
	chainBefore, err := d.onChain(ctx, wanted)
	if err != nil {
		return err
	}
	balanceBefore, err := d.readBalance(ctx, wanted.Token)
	if err != nil {
		return err
	}
	destination := d.alice.PublicKey().String()
	withdrawn, err := d.player.Withdraw(ctx, api.WithdrawRequest{Amount: units, Token: wanted.Token, Destination: destination})
	if err != nil {
		return err
	}
	withdrawal, balance := withdrawn.Withdrawal, withdrawn.Balance
	if balance != balanceBefore-units || withdrawal.Status != "pending" {
		return fmt.Errorf("the withdrawal is %s and the balance %d, expected pending and %d", withdrawal.Status, balance, balanceBefore-units)
	}
	yes := client.SignApproval(d.finance, d.treasury, withdrawal, d.clock.Now()) // also valid with CASINO_SIGNED_APPROVALS
	yes.Note = "demo"
	if _, err := d.player.ApproveWithdrawal(ctx, yes); client.CodeOf(err) != "ADMIN_FORBIDDEN" {
		return fmt.Errorf("the player's own approval answered %w, expected ADMIN_FORBIDDEN", err)
	}
	approved, err := d.admin.ApproveWithdrawal(ctx, yes)
	if err != nil {
		return err
	}
	if approved.Withdrawal.Status != "approved" {
		return fmt.Errorf("the approved withdrawal is %s", approved.Withdrawal.Status)
	}
	err = d.waitUntil(ctx, "the payout is finalized", func(ctx context.Context) (bool, error) {
		return d.isPaid(ctx, withdrawal.ID)
	})
	if err != nil {
		return err
	}
	chainAfter, err := d.onChain(ctx, wanted)
	if err != nil {
		return err
	}
	if chainAfter-chainBefore != uint64(units) {
		return fmt.Errorf("%d arrived on chain, %d was withdrawn", chainAfter-chainBefore, units)
	}
	d.printFact("%s: held, approved by finance with its signature, signed, finalized, arrived to the unit", formatAmount(wanted, units))
	return nil
}

func (d *demo) isPaid(ctx context.Context, id string) (bool, error) {
	list, err := d.player.AccountTransactions(ctx, api.AccountTransactionsParams{})
	if err != nil {
		return false, err
	}
	for _, t := range list.Transactions {
		if t.ID == id && (t.Status == "failed" || t.Status == "rejected") {
			return false, fmt.Errorf("the withdrawal is %s", t.Status)
		}
		if t.ID == id {
			return t.Status == "completed", nil
		}
	}
	return false, fmt.Errorf("withdrawal %s is not among the transactions", id)
}
