package hub88

import (
	"errors"
	"strconv"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
)

// status is the protocol's result of a wallet call.
type status string

// The published statuses, with those that only some suppliers know: a rolled-back
// transaction, and a limit.
const (
	statusOK               status = "RS_OK"
	statusUnknown          status = "RS_ERROR_UNKNOWN"
	statusInvalidPartner   status = "RS_ERROR_INVALID_PARTNER"
	statusInvalidToken     status = "RS_ERROR_INVALID_TOKEN"
	statusInvalidGame      status = "RS_ERROR_INVALID_GAME"
	statusWrongCurrency    status = "RS_ERROR_WRONG_CURRENCY"
	statusNotEnoughMoney   status = "RS_ERROR_NOT_ENOUGH_MONEY"
	statusUserDisabled     status = "RS_ERROR_USER_DISABLED"
	statusInvalidSignature status = "RS_ERROR_INVALID_SIGNATURE"
	statusTokenExpired     status = "RS_ERROR_TOKEN_EXPIRED"
	statusWrongSyntax      status = "RS_ERROR_WRONG_SYNTAX"
	statusWrongTypes       status = "RS_ERROR_WRONG_TYPES"
	statusDuplicate        status = "RS_ERROR_DUPLICATE_TRANSACTION"
	statusDoesNotExist     status = "RS_ERROR_TRANSACTION_DOES_NOT_EXIST"
	statusRolledBack       status = "RS_ERROR_TRANSACTION_ROLLED_BACK"
	statusLimitReached     status = "RS_ERROR_LIMIT_REACHED"
)

// statuses maps the reasons of refusals to the protocol's statuses; others are unknown.
var statuses = map[seamless.Reason]status{
	seamless.InsufficientFunds: statusNotEnoughMoney, seamless.BlockedAgent: statusInvalidPartner, seamless.InvalidAmount: statusWrongTypes,
	seamless.InvalidGame: statusInvalidGame, seamless.GameDisabled: statusInvalidGame, seamless.PlayerExcluded: statusUserDisabled,
	seamless.PlayerFrozen: statusUserDisabled, seamless.LimitExceeded: statusLimitReached, seamless.TokenNotAccepted: statusWrongCurrency,
	seamless.RolledBack: statusRolledBack, seamless.UnknownBet: statusDoesNotExist, providers.Conflict: statusDuplicate,
}

// call is a wallet call. Unknown fields are ignored.
type call struct {
	User        string  `json:"user"`
	Token       string  `json:"token"`
	RequestUUID string  `json:"request_uuid"`
	Transaction string  `json:"transaction_uuid"`
	Reference   string  `json:"reference_transaction_uuid"`
	IsFree      bool    `json:"is_free"`
	GameCode    string  `json:"game_code"`
	Currency    string  `json:"currency"`
	Amount      *uint64 `json:"amount"`
}

// answer is the answer to a wallet call.
type answer struct {
	User     string  `json:"user,omitzero"`
	Status   status  `json:"status"`
	Request  string  `json:"request_uuid,omitzero"`
	Currency string  `json:"currency,omitzero"`
	Balance  *uint64 `json:"balance,omitzero"`
}

// parseCall reads a body. The status is statusOK, statusWrongTypes for a field of another
// type, or statusWrongSyntax.
func parseCall(text []byte) (call, status) {
	var c call
	err := json.Unmarshal(text, &c)
	var types *json.SemanticError
	switch {
	case err == nil:
		return c, statusOK
	case errors.As(err, &types):
		return call{RequestUUID: c.RequestUUID}, statusWrongTypes
	}
	return call{RequestUUID: c.RequestUUID}, statusWrongSyntax
}

// amountScale is the scale of amounts: 100,000 to a currency unit.
const amountScale seamless.Scale = 5

// toDecimal converts an amount to currency units. More than any balance stays more.
func toDecimal(amount uint64) seamless.Decimal {
	text := strconv.FormatUint(amount, 10)
	if amount <= uint64(money.Max) {
		return seamless.DecimalOf(money.Amount(amount), amountScale)
	}
	decimal, err := seamless.ParseDecimal("amount", text+"e-"+strconv.Itoa(int(amountScale)))
	if err != nil {
		return seamless.Decimal(text)
	}
	return decimal
}

// fromDecimal converts currency units to an amount, rounded down and at most money.Max.
func fromDecimal(balance seamless.Decimal) *uint64 {
	amount, _, ok := balance.Units(amountScale)
	if !ok {
		amount = money.Max
	}
	units := uint64(amount)
	return &units
}
