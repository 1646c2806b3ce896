package chaos_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/history"
)

// The amounts of a cashier, in lamports. A payout opens a new account on chain, which must hold
// more than the rent.
const (
	deposited = 7_000_000
	paidOut   = 3_000_000
)

// cashier is the number of a player's client that deposits and withdraws, after those that play.
const cashier = 8

// errWaiting says that a response isn't final yet.
var errWaiting = errors.New("not yet")

// cash lets some of the players deposit and withdraw on chain, one after the other, until stop is
// closed and all of that is finished.
func (p *party) cash(cashiers int, stop <-chan struct{}) *sync.WaitGroup {
	p.Helper()
	var all sync.WaitGroup
	for n, g := range p.players[:cashiers] {
		p.provide(g, 1_000_000_000)
		all.Go(func() {
			for i := 0; !p.Failed(); i++ {
				select {
				case <-stop:
					return
				default:
				}
				p.payIn(g, n+i)
				p.payOut(g, n+i)
			}
		})
	}
	return &all
}

// provide gives lamports to a player's wallet on chain, and waits for them.
func (p *party) provide(g *guest, lamports uint64) {
	p.Helper()
	p.instances[0].fund(g.name, lamports)
	node := rpc.New(p.instances[0].rpc)
	eventually(p, g.name+" has money on chain", func() bool {
		held, err := node.GetBalance(p.Context(), solana.PrivateKey(fakes.Key(g.name)).PublicKey(), rpc.CommitmentConfirmed)
		return err == nil && held.Value > 0
	})
}

// payIn pays the treasury and registers the transaction, at every instance at once, until all
// show it credited.
func (p *party) payIn(g *guest, turn int) {
	operation := g.past.Begin(cashier, history.Ask{Kind: history.Credit, Key: fmt.Sprint("deposit ", turn), Amount: deposited})
	signature, err := p.transfer(g)
	if err != nil {
		p.Errorf("%s pays in: %v", g.name, err)
		return
	}
	var everywhere sync.WaitGroup
	var first sync.Once
	for i := range p.instances {
		everywhere.Go(func() {
			p.insist(g, turn+i, "a deposit", func(ctx context.Context, s *client.Client) error {
				look := g.past.Begin(cashier+i, history.Ask{Kind: history.BalanceRead, Key: "deposit"})
				deposited, err := s.Deposit(ctx, api.DepositRequest{Signature: signature.String(), Token: sol})
				if err == nil && deposited.Transaction.Status != "credited" {
					return errWaiting
				}
				if err == nil {
					look.End(history.Response{Outcome: history.Done, Balance: deposited.Balance})
					first.Do(func() { operation.End(history.Response{Outcome: history.Done}) })
				}
				return err
			})
		})
	}
	everywhere.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.balance += deposited
	p.deposits.Add(1)
}

// transfer pays from a player's wallet to the treasury on chain.
func (p *party) transfer(g *guest) (solana.Signature, error) {
	ctx, node := context.Background(), rpc.New(p.instances[0].rpc)
	payer, treasury := solana.PrivateKey(fakes.Key(g.name)), solana.PrivateKey(fakes.Key("treasury")).PublicKey()
	latest, err := node.GetLatestBlockhash(ctx, rpc.CommitmentConfirmed)
	if err != nil {
		return solana.Signature{}, err
	}
	pay := system.NewTransferInstruction(deposited, payer.PublicKey(), treasury).Build()
	transaction, err := solana.NewTransaction([]solana.Instruction{pay}, latest.Value.Blockhash, solana.TransactionPayer(payer.PublicKey()))
	if err != nil {
		return solana.Signature{}, err
	}
	if _, err := transaction.Sign(func(solana.PublicKey) *solana.PrivateKey { return &payer }); err != nil {
		return solana.Signature{}, err
	}
	return node.SendTransactionWithOpts(ctx, transaction, rpc.TransactionOpts{PreflightCommitment: rpc.CommitmentConfirmed})
}

// payOut withdraws to a vault of the player, gets it approved, and waits for the money to be
// final on chain.
func (p *party) payOut(g *guest, turn int) {
	key := fmt.Sprintf("%s/payout/%d", g.name, turn)
	asked, ok := p.ask(g, cashier, turn, api.WithdrawRequest{Amount: paidOut, Token: sol, Destination: vault(g), IdempotencyKey: key})
	if !ok {
		return
	}
	operation := g.past.Begin(cashier, history.Ask{Kind: history.Payout, Key: key, Amount: paidOut})
	if !p.insistAs(p.admin, turn, "an approval", func(ctx context.Context, s *client.Client) error {
		_, err := s.ApproveWithdrawal(ctx, api.ApproveRequest{ID: asked.Withdrawal.ID, IdempotencyKey: key})
		return err
	}) {
		return
	}
	approved := time.Now()
	ended := p.insist(g, turn, "a payout's end", func(ctx context.Context, s *client.Client) error {
		list, err := s.AccountTransactions(ctx, api.AccountTransactionsParams{Limit: 100})
		if err != nil {
			return err
		}
		for _, t := range list.Transactions {
			if t.ID == asked.Withdrawal.ID && t.Status == "completed" {
				return nil
			}
		}
		return errWaiting
	})
	if !ended {
		return
	}
	operation.End(history.Response{Outcome: history.Done})
	took := time.Since(approved)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.balance -= paidOut
	g.payouts++
	g.slowest = max(g.slowest, took)
}

// vault returns an address that only receives a player's payouts.
func vault(g *guest) string { return string(fakes.Wallet("vault of " + g.name)) }

// landed compares the vaults on chain with the payouts that players saw completed.
func (p *party) landed() {
	p.Helper()
	node, payouts, slowest := rpc.New(p.instances[0].rpc), 0, time.Duration(0)
	for _, g := range p.players {
		held, err := node.GetBalance(p.Context(), solana.MustPublicKeyFromBase58(vault(g)), rpc.CommitmentFinalized)
		noError(p, err)
		if want := uint64(g.payouts) * paidOut; held.Value != want {
			p.Errorf("%s was paid %d times, and %d landed on chain instead of %d", g.name, g.payouts, held.Value, want)
		}
		payouts += g.payouts
		slowest = max(slowest, g.slowest)
	}
	p.Logf("%d deposits credited, %d payouts landed, the slowest %s after its approval", p.deposits.Load(), payouts, slowest.Round(time.Second))
}
