package solana

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/gagliardetto/solana-go"
	associatedtoken "github.com/gagliardetto/solana-go/programs/associated-token-account"
	computebudget "github.com/gagliardetto/solana-go/programs/compute-budget"
	"github.com/gagliardetto/solana-go/programs/system"
	spltoken "github.com/gagliardetto/solana-go/programs/token"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// transactionMax is the largest transaction that validators accept, in bytes.
const transactionMax = 1232

// payout is a payout transaction being built. Its instructions are, in this order: unit
// limit, unit price, creation of the destination's account (tokens only), memo, transfer.
type payout struct {
	destination solana.PublicKey
	opens       solana.Instruction // creates the destination's token account, nil for SOL
	moves       solana.Instruction // the transfer
	memo        string
	// from is the treasury's token account under program; zero for SOL.
	from, program solana.PublicKey
}

// withBudget completes the payout with its compute budget.
func (p payout) withBudget(unitLimit uint32, unitPrice uint64) []solana.Instruction {
	all := []solana.Instruction{
		computebudget.NewSetComputeUnitLimitInstruction(unitLimit).Build(),
		computebudget.NewSetComputeUnitPriceInstruction(unitPrice).Build(),
	}
	if p.opens != nil {
		all = append(all, p.opens)
	}
	// The memo carries the withdrawal's id and a tag of its wallet, so that the chain
	// itself records each payment, whatever happens to our books. It comes just before the
	// transfer, where Token-2022 looks for a memo that the destination requires.
	return append(all, solana.NewInstruction(solana.MemoProgramID, nil, []byte(p.memo)), p.moves)
}

// Sign builds and signs the transaction that pays the withdrawal, and sends nothing. The
// simulation before it uses an unsigned transaction, so the node's operator gets nothing
// that could land. A destination that can't be paid is a fault of kind InvalidDestination,
// and a first payment too small to keep an account alive one of kind AmountOutOfRange. A
// chain that can't be read and a treasury that can't pay now are External.
func (n *Node) Sign(ctx context.Context, w withdrawal.Withdrawal, terms token.Terms) (withdrawal.Attempt, error) {
	plan, err := n.planPayout(ctx, w, terms)
	if err != nil {
		return withdrawal.Attempt{}, err
	}
	recent, err := n.recentBlockhash(ctx)
	if err != nil {
		return withdrawal.Attempt{}, err
	}
	limit, err := n.simulatePayout(ctx, plan, recent)
	if err != nil {
		return withdrawal.Attempt{}, err
	}
	unsigned, err := buildTransaction(plan.withBudget(limit, 0), recent.hash, n.treasury)
	if err != nil {
		return withdrawal.Attempt{}, err
	}
	price, err := n.unitPrice(ctx, unsigned, limit)
	if err != nil {
		return withdrawal.Attempt{}, err
	}
	if unsigned, err = buildTransaction(plan.withBudget(limit, price), recent.hash, n.treasury); err != nil {
		return withdrawal.Attempt{}, err
	}
	signature, raw, err := n.signMessage(ctx, unsigned, w.Approvals)
	if err != nil {
		return withdrawal.Attempt{}, err
	}
	return withdrawal.Attempt{
		WithdrawalID: w.ID, Number: w.Attempt + 1, Signature: signature.String(), Transaction: raw,
		Blockhash: recent.hash.String(), LastValidHeight: recent.lastValid, Slot: recent.slot,
	}, nil
}

// planPayout checks the destination on chain and returns the instructions that pay it.
func (n *Node) planPayout(ctx context.Context, w withdrawal.Withdrawal, terms token.Terms) (payout, error) {
	switch {
	case w.Token != terms.Mint:
		return payout{}, fmt.Errorf("solana: withdrawal %s is in %s, the terms are of %s", w.ID, w.Token, terms.Mint)
	case w.Amount < 1:
		return payout{}, fault.New(fault.AmountOutOfRange, "amount: must be at least 1 base unit").With("field", "amount")
	}
	address, err := wallet.Parse(w.Destination)
	if err != nil || n.Reserved(w.Destination) {
		return payout{}, unpayableError("is not a wallet that can be paid")
	}
	destination := solana.PublicKeyFromBytes(address.PublicKey())
	// One byte of data is enough to tell whether the account has any.
	found, err := n.readAccount(ctx, destination, confirmed, 1)
	if err != nil {
		return payout{}, err
	}
	if found != nil && (found.Owner != solana.SystemProgramID || len(found.data) > 0 || found.Executable) {
		return payout{}, unpayableError("belongs to a program")
	}
	if terms.Program == token.System {
		return n.planSOL(ctx, w, destination, found)
	}
	return n.planToken(ctx, w, terms, destination)
}

// unpayableError rejects a destination for good.
func unpayableError(why string) error {
	return fault.New(fault.InvalidDestination, "destination: %s", why).With("field", "destination")
}

func (n *Node) planSOL(ctx context.Context, w withdrawal.Withdrawal, destination solana.PublicKey, found *account) (payout, error) {
	minimum, err := n.accountMinimum(ctx)
	if err != nil {
		return payout{}, err
	}
	holds := uint64(0)
	if found != nil {
		holds = found.Lamports
	}
	if after, carry := bits.Add64(holds, uint64(w.Amount), 0); carry == 0 && after < uint64(minimum) {
		return payout{}, fault.New(fault.AmountOutOfRange,
			"amount: the destination holds %d lamports and must hold at least %d afterwards", holds, minimum).With("field", "amount")
	}
	pay := system.NewTransferInstruction(uint64(w.Amount), n.treasury, destination).Build()
	return payout{destination: destination, memo: w.Memo(), moves: pay}, nil
}

func (n *Node) planToken(ctx context.Context, w withdrawal.Withdrawal, terms token.Terms, destination solana.PublicKey) (payout, error) {
	from, mint, program, err := tokenAccount(n.treasury, terms)
	if err != nil {
		return payout{}, fmt.Errorf("solana: %w", err)
	}
	to, err := associatedAccount(destination, mint, program)
	if err != nil {
		return payout{}, unpayableError("can't have a token account")
	}
	found, err := n.readAccount(ctx, to, confirmed, tokenAccountSize)
	if err != nil {
		return payout{}, err
	}
	if found != nil && found.Owner != solana.SystemProgramID {
		// The owner of a token account can change: it may no longer be the requested
		// wallet.
		if held, ok := found.decodeHolding(program); !ok || held.owner != destination || held.mint != mint || !held.usable {
			return payout{}, unpayableError("its token account is frozen or belongs to somebody else")
		}
	}
	moves, err := transferChecked(program, w.Amount, terms.Decimals, from, mint, to, n.treasury)
	if err != nil {
		return payout{}, err
	}
	return payout{
		destination: destination, memo: w.Memo(), moves: moves, from: from, program: program,
		opens: associatedtoken.NewCreateIdempotentInstructionBuilder().SetPayer(n.treasury).SetWallet(destination).SetMint(mint).
			SetTokenProgram(program).Build(),
	}, nil
}

// transferChecked moves an amount between two token accounts of a mint. Both token programs
// use the same encoding. A transfer fee is deducted from the received amount.
func transferChecked(program solana.PublicKey, amount money.Amount, decimals uint8, from, mint, to, owner solana.PublicKey) (solana.Instruction, error) {
	moves := spltoken.NewTransferCheckedInstruction(uint64(amount), decimals, from, mint, to, owner, nil).Build()
	data, err := moves.Data()
	if err != nil {
		return nil, fmt.Errorf("solana: encoding a transfer: %w", err)
	}
	return solana.NewInstruction(program, moves.Accounts(), data), nil
}

// blockhash is a recent blockhash with its validity.
type blockhash struct {
	hash      solana.Hash
	lastValid uint64
	slot      uint64
}

// recentBlockhash returns the newest confirmed blockhash.
func (n *Node) recentBlockhash(ctx context.Context) (blockhash, error) {
	var answer contextual[struct {
		Hash      solana.Hash `json:"blockhash"`
		LastValid uint64      `json:"lastValidBlockHeight"`
	}]
	if err := n.rpc.callMethod(ctx, &answer, "getLatestBlockhash", atCommitment(confirmed)); err != nil {
		return blockhash{}, err
	}
	found := blockhash{hash: answer.Value.Hash, lastValid: answer.Value.LastValid, slot: answer.Context.Slot}
	if found.hash.IsZero() || found.lastValid == 0 || found.slot == 0 {
		return blockhash{}, unusableError("the newest blockhash is incomplete")
	}
	if found.lastValid > n.blockhashAge && heightImpossible(found.lastValid-n.blockhashAge, found.slot) {
		return blockhash{}, unusableError("last valid height %d at slot %d: the node reports slots as heights", found.lastValid, found.slot)
	}
	return found, nil
}

// buildTransaction returns the unsigned transaction of the instructions; payer pays its
// fee.
func buildTransaction(instructions []solana.Instruction, recent solana.Hash, payer solana.PublicKey) (*solana.Transaction, error) {
	built, err := solana.NewTransaction(instructions, recent, solana.TransactionPayer(payer))
	if err != nil {
		return nil, fmt.Errorf("solana: building a transaction: %w", err)
	}
	raw, err := built.MarshalBinary()
	switch {
	case err != nil:
		return nil, fmt.Errorf("solana: encoding a transaction: %w", err)
	case len(raw) > transactionMax:
		return nil, fmt.Errorf("solana: %d bytes don't fit a transaction", len(raw))
	}
	return built, nil
}

// signMessage gets the message signed and verifies the signature over the bytes built here.
func (n *Node) signMessage(ctx context.Context, unsigned *solana.Transaction, approvals []withdrawal.Approval) (
	signature solana.Signature, raw []byte, err error) {
	message, err := unsigned.Message.MarshalBinary()
	if err != nil {
		return signature, nil, fmt.Errorf("solana: encoding a payout: %w", err)
	}
	var signed []byte
	if asks, ok := n.signer.(ApprovalSigner); ok {
		signed, err = asks.SignApproved(ctx, slices.Clone(message), approvals)
	} else {
		signed, err = n.signer.Sign(ctx, slices.Clone(message))
	}
	if err != nil {
		return signature, nil, fmt.Errorf("solana: signing a payout: %w", err)
	}
	if len(signed) != ed25519.SignatureSize || !ed25519.Verify(n.treasuryKey(), message, signed) {
		return signature, nil, errors.New("solana: the signer's response is not the treasury's signature")
	}
	copy(signature[:], signed)
	unsigned.Signatures = []solana.Signature{signature}
	if raw, err = unsigned.MarshalBinary(); err != nil {
		return signature, nil, fmt.Errorf("solana: encoding a payout: %w", err)
	}
	return signature, raw, nil
}
