package httpapi

import (
	"errors"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/money"
	domainrefusal "github.com/casino-service/casino/domain/refusal"
)

// betRequest is a bet as its request asks for it.
type betRequest struct {
	play.PlayRequest
	body *parse.Fields
}

// signedError is the refusal of a bet with its receipt.
type signedError struct {
	error
	receipt api.SignedStatement
}

// Unwrap returns the refusal.
func (e *signedError) Unwrap() error { return e.error }

// withReceipt returns the error of a bet with a receipt, where the request asks for one and
// the bet's seed pair was known when it was refused.
func (a *API) withReceipt(r *request, bet betRequest, err error) error {
	var refused *domainrefusal.Refused
	if a.casino.Receipts == nil || !errors.As(err, &refused) || !prefersReceipt(r.http.Header) {
		return err
	}
	asked, failed := bet.body.Canonical()
	if failed == nil {
		row, _ := shownOf(err)
		order := domainrefusal.Order{
			Digest: domainrefusal.Digest(r.path, bet.Idempotency.Key, string(asked)),
			Game:   bet.GameType, Wager: money.Amount(bet.Wager), Token: money.Token(bet.Token),
		}
		signed, fault := a.casino.Receipts.Refuse(refused.Statement(r.caller.Wallet, order, row.code))
		if failed = fault; failed == nil {
			return &signedError{err, signedStatementOf(signed)}
		}
	}
	a.casino.Logger.WarnContext(r.ctx, "a refusal could not be signed", "error", failed.Error())
	return err
}

// receiptOfRefusal returns the receipt of a refusal, nil where it has none.
func receiptOfRefusal(err error) *api.SignedStatement {
	var signed *signedError
	if errors.As(err, &signed) {
		return &signed.receipt
	}
	return nil
}
