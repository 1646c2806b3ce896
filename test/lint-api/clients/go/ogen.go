package main

import (
	"context"
	"fmt"

	"github.com/casino-service/casino/test/lint-api/clients/go/ogenapi"
)

type ogenClient struct {
	api    *ogenapi.Client
	bearer string
}

func newOgen(base string) *ogenClient {
	c := &ogenClient{}
	c.api = must(ogenapi.NewClient(base, c))
	return c
}

// Bearer serves ogenapi.SecuritySource.
func (c *ogenClient) Bearer(context.Context, ogenapi.OperationName) (ogenapi.Bearer, error) {
	return ogenapi.Bearer{Token: c.bearer}, nil
}

// as returns the answer as the wanted type.
func as[T any](answer any, err error) T {
	found, ok := must(answer, err).(T)
	if !ok {
		panic(fmt.Sprintf("%T: %+v", answer, answer))
	}
	return found
}

func (c *ogenClient) wallets(ctx context.Context) map[string]string {
	all := map[string]string{}
	answer, err := c.api.DemoWallets(ctx)
	for _, w := range as[*ogenapi.DemoWalletsOKHeaders](answer, err).Response.Wallets {
		all[string(w.Name)] = string(w.Wallet)
	}
	return all
}

func (c *ogenClient) sign(ctx context.Context, name, message string) string {
	answer, err := c.api.DemoSign(ctx, &ogenapi.DemoSignReq{Message: message}, ogenapi.DemoSignParams{Name: name})
	return string(as[*ogenapi.DemoSignOKHeaders](answer, err).Response.Signature)
}

func (c *ogenClient) send(ctx context.Context, name, transaction string) string {
	answer, err := c.api.DemoSend(ctx, &ogenapi.DemoSendReq{Transaction: ogenapi.TransactionBytes(transaction)}, ogenapi.DemoSendParams{Name: name})
	return string(as[*ogenapi.DemoSendOKHeaders](answer, err).Response.Signature)
}

func (c *ogenClient) login(ctx context.Context, wallet string, timestamp int64, signature string) {
	answer, err := c.api.Login(ctx, &ogenapi.LoginReq{Wallet: ogenapi.Wallet(wallet), Timestamp: timestamp, Signature: signature})
	c.bearer = as[*ogenapi.SessionHeaders](answer, err).Response.Token
}

func (c *ogenClient) depositTransaction(ctx context.Context, amount int64) string {
	answer, err := c.api.DepositTransaction(ctx, &ogenapi.DepositTransactionReq{Token: token, Amount: ogenapi.Amount(amount)})
	return string(as[*ogenapi.DepositTransactionOKHeaders](answer, err).Response.Transaction)
}

func (c *ogenClient) deposit(ctx context.Context, signature string) string {
	answer, err := c.api.Deposit(ctx, &ogenapi.DepositReq{Token: token, Signature: ogenapi.TransactionSignature(signature)})
	if _, waits := answer.(*ogenapi.DepositAcceptedHeaders); waits {
		return "pending"
	}
	return string(as[*ogenapi.DepositOKHeaders](answer, err).Response.Transaction.Status)
}

func (c *ogenClient) play(ctx context.Context, wager int64, key string) string {
	answer, err := c.api.Play(ctx, &ogenapi.PlayReq{GameType: "dice", Wager: ogenapi.Amount(wager), Token: token},
		ogenapi.PlayParams{IdempotencyKey: ogenapi.NewOptString(key)})
	return as[*ogenapi.PlayOKHeaders](answer, err).Response.Round.ID
}

func (c *ogenClient) history(ctx context.Context) []string {
	answer, err := c.api.ListRounds(ctx, ogenapi.ListRoundsParams{})
	var all []string
	for _, round := range as[*ogenapi.ListRoundsOKHeaders](answer, err).Response.Rounds {
		all = append(all, round.ID)
	}
	return all
}

func (c *ogenClient) withdraw(ctx context.Context, amount int64, destination, key string) string {
	answer, err := c.api.Withdraw(ctx, &ogenapi.WithdrawReq{Amount: ogenapi.Amount(amount), Token: token, Destination: destination},
		ogenapi.WithdrawParams{IdempotencyKey: ogenapi.NewOptString(key)})
	return as[*ogenapi.WithdrawalAndBalanceHeaders](answer, err).Response.Withdrawal.ID
}

func (c *ogenClient) cancel(ctx context.Context, id string) string {
	answer, err := c.api.CancelWithdrawal(ctx, &ogenapi.CancelWithdrawalReq{}, ogenapi.CancelWithdrawalParams{ID: id})
	return string(as[*ogenapi.CancelWithdrawalOKHeaders](answer, err).Response.Withdrawal.Status)
}

func (c *ogenClient) approve(ctx context.Context, id, key string) string {
	answer, err := c.api.ApproveWithdrawal(ctx, &ogenapi.ApproveWithdrawalReq{ID: id}, ogenapi.ApproveWithdrawalParams{IdempotencyKey: ogenapi.NewOptString(key)})
	return string(as[*ogenapi.DecidedWithdrawalHeaders](answer, err).Response.Withdrawal.Status)
}
