package httpapi

import (
	"encoding/base64"
	"errors"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/money"
	domainrefusal "github.com/casino-service/casino/domain/refusal"
)

// receiptedError is the refusal of a bet with the receipt of it.
type receiptedError struct {
	error
	receipt api.RefusalReceipt
}

// Unwrap returns the refusal.
func (e *receiptedError) Unwrap() error { return e.error }

// withReceipt returns the error of a bet with a receipt, where the request asks for one and
// the bet's seed pair was known when it was refused.
func (a *API) withReceipt(r *request, steps bool, bet play.PlayRequest, err error) error {
	var refused *domainrefusal.Refused
	if a.casino.Receipts == nil || !errors.As(err, &refused) || !prefersReceipt(r.http.Header) {
		return err
	}
	order := domainrefusal.Order{
		Steps: steps, Game: bet.GameType, Token: money.Token(bet.Token), Wager: money.Amount(bet.Wager), Config: bet.Config, Key: bet.Idempotency.Key,
	}
	row, _ := shownOf(err)
	signed, failed := a.casino.Receipts.Refuse(r.caller.Wallet, order, refused, row.code)
	if failed != nil {
		a.casino.Logger.WarnContext(r.ctx, "no receipt of a refusal could be made", "error", failed.Error())
		return err
	}
	return &receiptedError{err, api.RefusalReceipt{
		Text: signed.Text, Kid: signed.Key, Signature: base64.StdEncoding.EncodeToString(signed.Signature),
	}}
}

// refusalReceiptOf returns the receipt of a refusal, nil where it has none.
func refusalReceiptOf(err error) *api.RefusalReceipt {
	var receipted *receiptedError
	if errors.As(err, &receipted) {
		return &receipted.receipt
	}
	return nil
}
