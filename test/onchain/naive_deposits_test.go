package onchain_test

import (
	"context"
	"encoding/binary"
	"slices"
	"sync"
	"testing"

	sol "github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/validator"
)

// TestNaiveVariantsOfDepositsAreCaught plants known mistakes, and checks that the suite of shapes
// finds each by the shapes made for it.
func TestNaiveVariantsOfDepositsAreCaught(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]struct {
		plant  planted
		caught []string
	}{
		"credit by reading instructions": {
			planted{chain: func(s *stage, honest app.Chain) app.Chain { return instructionReader{honest, s} }},
			[]string{
				"a Token-2022 token with a fee counts what arrives", "a delegate moves another's money",
				"a batch, in which no transfer can be seen from outside", "an inner transfer of a token",
			},
		},
		"the first signer is the sender": {
			planted{chain: func(_ *stage, honest app.Chain) app.Chain { return firstSigner{honest} }},
			[]string{"the first signer pays nothing but the fee", "the money passes through a signer's account"},
		},
		"a claim reserves the signature": {
			planted{store: func(_ *stage, honest Store) Store {
				return &reserving{Store: honest, first: map[string]wallet.Address{}}
			}},
			[]string{"native SOL", "another claims it first"},
		},
		"an account of the treasury is the treasury's account": {
			planted{chain: func(_ *stage, honest app.Chain) app.Chain { return anyAccount{honest} }},
			[]string{"into another account that the treasury owns", "an account full of money is handed over to the treasury"},
		},
		"what failed counts": {
			planted{chain: func(s *stage, honest app.Chain) app.Chain { return instructionReader{successful{honest}, s} }},
			[]string{"a transaction that failed"},
		},
		"confirmed is enough": {
			planted{chain: func(s *stage, honest app.Chain) app.Chain { return instructionReader{hasty{honest, s}, s} }},
			[]string{"an SPL token"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStageOn(t, r.plant, validator.StartLight)
			for _, shape := range shapes() {
				if !slices.Contains(r.caught, shape.name) {
					continue
				}
				signature, claims := shape.land(s)
				if faults := s.claimed(signature, claims, false); len(faults) == 0 {
					t.Errorf("%q does not notice it", shape.name)
				}
			}
		})
	}
}

// instructionReader reports the contents of a transaction's instructions, as a parsed view of it
// does.
type instructionReader struct {
	app.Chain
	s *stage
}

func (r instructionReader) Observe(ctx context.Context, signature string) (deposit.Observation, error) {
	seen, err := r.Chain.Observe(ctx, signature)
	if err != nil || !seen.Finalized {
		return seen, err
	}
	version := uint64(1)
	shown, err := rpc.New(r.s.url).GetTransaction(ctx, sol.MustSignatureFromBase58(signature), &rpc.GetTransactionOpts{
		Encoding: sol.EncodingBase64, Commitment: rpc.CommitmentConfirmed, MaxSupportedTransactionVersion: &version,
	})
	if err != nil {
		return seen, err
	}
	tx, err := shown.Transaction.GetTransaction()
	if err != nil {
		return seen, err
	}
	seen.Tokens = nil
	for _, terms := range []struct{ mint, account sol.PublicKey }{
		{mintOf(r.s.usd), account(r.s.treasury.PublicKey(), r.s.usd)}, {mintOf(r.s.fee), account(r.s.treasury.PublicKey(), r.s.fee)},
	} {
		of := r.s.usd
		if terms.mint == mintOf(r.s.fee) {
			of = r.s.fee
		}
		for _, instruction := range tx.Message.Instructions {
			authority, units := transferTo(tx, instruction, terms.account)
			if units == 0 {
				continue
			}
			house := r.s.treasury.PublicKey().String()
			seen.Tokens = append(seen.Tokens,
				deposit.TokenChange{
					Account: terms.account.String(), Mint: of.Mint, Program: of.Program, Decimals: of.Decimals,
					OwnerPre: house, OwnerPost: house, Post: units,
				},
				deposit.TokenChange{
					Account: "from", Mint: of.Mint, Program: of.Program, Decimals: of.Decimals,
					OwnerPre: authority, OwnerPost: authority, Pre: units,
				})
		}
	}
	return seen, nil
}

// transferTo reads one instruction as a transfer into an account.
func transferTo(tx *sol.Transaction, instruction sol.CompiledInstruction, to sol.PublicKey) (authority string, units uint64) {
	const transfer, checked, amountEnd = 3, 12, 9
	keys := tx.Message.AccountKeys
	program := keys[instruction.ProgramIDIndex]
	if program != sol.TokenProgramID && program != sol.Token2022ProgramID || len(instruction.Data) < amountEnd {
		return "", 0
	}
	at, by := 1, 2
	switch instruction.Data[0] {
	case transfer:
	case checked:
		at, by = 2, 3
	default:
		return "", 0
	}
	if int(instruction.Accounts[at]) >= len(keys) || keys[instruction.Accounts[at]] != to {
		return "", 0
	}
	return keys[instruction.Accounts[by]].String(), binary.LittleEndian.Uint64(instruction.Data[1:amountEnd])
}

// firstSigner treats the first signer as the payer.
type firstSigner struct{ app.Chain }

func (f firstSigner) Observe(ctx context.Context, signature string) (deposit.Observation, error) {
	seen, err := f.Chain.Observe(ctx, signature)
	if err != nil || len(seen.Signers) == 0 {
		return seen, err
	}
	first := seen.Signers[0]
	seen.Signers = seen.Signers[:1]
	seen.Tokens = slices.Clone(seen.Tokens)
	for i := range seen.Tokens {
		if change := &seen.Tokens[i]; change.Post < change.Pre {
			change.OwnerPre, change.OwnerPost = first, first
		}
	}
	return seen, nil
}

// anyAccount treats every account that the treasury owns in the end as one for deposits.
type anyAccount struct{ app.Chain }

func (a anyAccount) Observe(ctx context.Context, signature string) (deposit.Observation, error) {
	seen, err := a.Chain.Observe(ctx, signature)
	if err != nil {
		return seen, err
	}
	house := a.TreasuryAddress()
	seen.Tokens = slices.Clone(seen.Tokens)
	for i := range seen.Tokens {
		change := &seen.Tokens[i]
		if change.OwnerPost != house {
			continue
		}
		if change.OwnerPre != house { // the rise is all that it holds
			seen.Tokens = append(seen.Tokens, deposit.TokenChange{
				Account: "given", Mint: change.Mint, Program: change.Program, Decimals: change.Decimals,
				OwnerPre: change.OwnerPre, OwnerPost: change.OwnerPre, Pre: change.Pre,
			})
			change = &seen.Tokens[i]
			change.OwnerPre, change.Pre = house, 0
		}
		token, _, err := sol.FindAssociatedTokenAddress(sol.MPK(house), sol.MPK(string(change.Mint)))
		if err != nil {
			return seen, err
		}
		change.Account = token.String()
	}
	return seen, nil
}

// successful hides that transactions fail.
type successful struct{ app.Chain }

func (c successful) Observe(ctx context.Context, signature string) (deposit.Observation, error) {
	seen, err := c.Chain.Observe(ctx, signature)
	seen.Failed = false
	return seen, err
}

// hasty treats seen transactions as settled.
type hasty struct {
	app.Chain
	s *stage
}

func (h hasty) Observe(ctx context.Context, signature string) (deposit.Observation, error) {
	seen, err := h.Chain.Observe(ctx, signature)
	if err != nil || !seen.Found || seen.Finalized {
		return seen, err
	}
	seen.Finalized = true
	version := uint64(1)
	h.s.slots(3) // until it is confirmed
	shown, err := rpc.New(h.s.url).GetTransaction(ctx, sol.MustSignatureFromBase58(signature), &rpc.GetTransactionOpts{
		Encoding: sol.EncodingBase64, Commitment: rpc.CommitmentConfirmed, MaxSupportedTransactionVersion: &version,
	})
	if err != nil {
		return seen, err
	}
	tx, err := shown.Transaction.GetTransaction()
	if err != nil {
		return seen, err
	}
	for _, signer := range tx.Message.Signers() {
		seen.Signers = append(seen.Signers, signer.String())
	}
	return seen, nil
}

// reserving reserves a signature for its first claimant.
type reserving struct {
	Store
	mu    sync.Mutex
	first map[string]wallet.Address
}

func (r *reserving) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	r.mu.Lock()
	for _, ref := range item.Needs.Deposits {
		key := ref.Signature + string(ref.Token)
		if who, kept := r.first[key]; kept && who != item.Wallet {
			r.mu.Unlock()
			return player.Receipt{}, fault.New(fault.DepositTaken, "this transaction was claimed by another player")
		}
		r.first[key] = item.Wallet
	}
	r.mu.Unlock()
	return r.Store.Commit(ctx, item)
}
