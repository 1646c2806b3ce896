package main

import (
	"context"
	"encoding/base64"
	"net/http"

	"github.com/casino-service/casino/test/lint-api/clients/go/oapi"
)

type oapiClient struct {
	api    *oapi.ClientWithResponses
	bearer string
}

func newOAPI(base string) *oapiClient {
	c := &oapiClient{}
	c.api = must(oapi.NewClientWithResponses(base, oapi.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		if c.bearer != "" {
			r.Header.Set("Authorization", "Bearer "+c.bearer)
		}
		return nil
	})))
	return c
}

func (c *oapiClient) wallets(ctx context.Context) map[string]string {
	all := map[string]string{}
	for _, w := range must(c.api.DemoWalletsWithResponse(ctx)).JSON200.Wallets {
		all[w.Name] = w.Wallet
	}
	return all
}

func (c *oapiClient) sign(ctx context.Context, name, message string) string {
	return must(c.api.DemoSignWithResponse(ctx, name, oapi.DemoSignJSONRequestBody{Message: message})).JSON200.Signature
}

func (c *oapiClient) send(ctx context.Context, name, transaction string) string {
	return must(c.api.DemoSendWithResponse(ctx, name, oapi.DemoSendJSONRequestBody{Transaction: must(base64.StdEncoding.DecodeString(transaction))})).JSON200.Signature
}

func (c *oapiClient) login(ctx context.Context, wallet string, timestamp int64, signature string) {
	c.bearer = must(c.api.LoginWithResponse(ctx, oapi.LoginJSONRequestBody{Wallet: wallet, Timestamp: timestamp, Signature: signature})).JSON200.Token
}

func (c *oapiClient) depositTransaction(ctx context.Context, amount int64) string {
	return base64.StdEncoding.EncodeToString(must(c.api.DepositTransactionWithResponse(ctx, oapi.DepositTransactionJSONRequestBody{Token: token, Amount: amount})).JSON200.Transaction)
}

func (c *oapiClient) deposit(ctx context.Context, signature string) string {
	got := must(c.api.DepositWithResponse(ctx, oapi.DepositJSONRequestBody{Token: token, Signature: signature}))
	if got.JSON200 == nil {
		return "pending"
	}
	return string(got.JSON200.Transaction.Status)
}

func (c *oapiClient) play(ctx context.Context, wager int64, key string) string {
	return must(c.api.PlayWithResponse(ctx, &oapi.PlayParams{IdempotencyKey: &key}, oapi.PlayJSONRequestBody{GameType: "dice", Wager: wager, Token: token})).JSON200.Round.Id
}

func (c *oapiClient) history(ctx context.Context) []string {
	var all []string
	for _, round := range must(c.api.ListRoundsWithResponse(ctx, nil)).JSON200.Rounds {
		all = append(all, round.Id)
	}
	return all
}

func (c *oapiClient) withdraw(ctx context.Context, amount int64, destination, key string) string {
	return must(c.api.WithdrawWithResponse(ctx, &oapi.WithdrawParams{IdempotencyKey: &key}, oapi.WithdrawJSONRequestBody{Amount: amount, Token: token, Destination: destination})).JSON201.Withdrawal.Id
}

func (c *oapiClient) cancel(ctx context.Context, id string) string {
	return string(must(c.api.CancelWithdrawalWithResponse(ctx, id, oapi.CancelWithdrawalJSONRequestBody{})).JSON200.Withdrawal.Status)
}

func (c *oapiClient) approve(ctx context.Context, id, key string) string {
	return string(must(c.api.ApproveWithdrawalWithResponse(ctx, &oapi.ApproveWithdrawalParams{IdempotencyKey: &key}, oapi.ApproveWithdrawalJSONRequestBody{Id: id})).JSON200.Withdrawal.Status)
}
