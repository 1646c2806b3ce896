package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/domain/fault"
)

// refusal is a kind of fault in HTTP's terms.
type refusal struct {
	status int
	code   string
	title  string
}

// refusals maps each kind of fault to status, code and title. Refusals without a kind are
// below.
var refusals = map[fault.Kind]refusal{
	fault.Internal:               {http.StatusInternalServerError, "INTERNAL_ERROR", "Internal error"},
	fault.Invalid:                {http.StatusBadRequest, "INVALID_PARAMETER", "Invalid parameter"},
	fault.InsufficientFunds:      {http.StatusBadRequest, "INSUFFICIENT_USER_FUNDS", "Insufficient balance"},
	fault.InsufficientAgentFunds: {http.StatusBadRequest, "INSUFFICIENT_AGENT_FUNDS", "Insufficient agent balance"},
	fault.InvalidAgent:           {http.StatusBadRequest, "INVALID_AGENT", "Invalid agent"},
	fault.InvalidUser:            {http.StatusBadRequest, "INVALID_USER", "Invalid user"},
	fault.InvalidProvider:        {http.StatusBadRequest, "INVALID_PROVIDER", "Invalid provider"},
	fault.InvalidGame:            {http.StatusBadRequest, "INVALID_GAME", "Invalid game"},
	fault.GameDisabled:           {http.StatusBadRequest, "GAME_DISABLED", "Game disabled"},
	fault.TokenNotAccepted:       {http.StatusBadRequest, "TOKEN_NOT_ACCEPTED", "Token not accepted"},
	fault.WagerOutOfRange:        {http.StatusBadRequest, "WAGER_OUT_OF_RANGE", "Wager out of range"},
	fault.AmountOutOfRange:       {http.StatusBadRequest, "AMOUNT_OUT_OF_RANGE", "Amount out of range"},
	fault.InvalidDestination:     {http.StatusBadRequest, "INVALID_DESTINATION", "Invalid destination"},
	fault.DepositRejected:        {http.StatusBadRequest, "DEPOSIT_REJECTED", "Deposit rejected"},
	fault.LimitExceeded:          {http.StatusBadRequest, "LIMIT_EXCEEDED", "Limit exceeded"},
	fault.AgentSeamless:          {http.StatusBadRequest, "AGENT_SEAMLESS", "Agent's site failed"},
	fault.InvalidToken:           {http.StatusUnauthorized, "INVALID_TOKEN", "Invalid token"},
	fault.ExpiredToken:           {http.StatusUnauthorized, "EXPIRED_TOKEN", "Token expired"},
	fault.InvalidSignature:       {http.StatusUnauthorized, "INVALID_SIGNATURE", "Invalid signature"},
	fault.StaleTimestamp:         {http.StatusUnauthorized, "STALE_TIMESTAMP", "Stale timestamp"},
	fault.ReplayedLogin:          {http.StatusUnauthorized, "REPLAYED_LOGIN", "Login already used"},
	fault.AdminForbidden:         {http.StatusForbidden, "ADMIN_FORBIDDEN", "Permission missing"},
	fault.Forbidden:              {http.StatusForbidden, "FORBIDDEN", "Forbidden"},
	fault.BlockedAgent:           {http.StatusForbidden, "BLOCKED_AGENT", "Agent blocked"},
	fault.PlayerExcluded:         {http.StatusForbidden, "PLAYER_EXCLUDED", "Player excluded"},
	fault.PlayerFrozen:           {http.StatusForbidden, "PLAYER_FROZEN", "Player frozen"},
	fault.NotFound:               {http.StatusNotFound, "NOT_FOUND", "Not found"},
	fault.DuplicatedAgent:        {http.StatusConflict, "DUPLICATED_AGENT", "Agent code taken"},
	fault.InvalidState:           {http.StatusConflict, "INVALID_STATE", "Not possible in this state"},
	fault.DepositTaken:           {http.StatusConflict, "DEPOSIT_TAKEN", "Deposit already credited"},
	fault.IdempotencyConflict:    {http.StatusConflict, "IDEMPOTENCY_CONFLICT", "Idempotency key already used"},
	fault.TooManyOpen:            {http.StatusConflict, "TOO_MANY_OPEN", "Too many open requests"},
	fault.RateLimited:            {http.StatusTooManyRequests, "RATE_LIMITED", "Too many requests"},
	fault.External:               {http.StatusBadGateway, "EXTERNAL_ERROR", "External error"},
	fault.Maintenance:            {http.StatusServiceUnavailable, "API_CHECKING", "Maintenance"},
	fault.Unavailable:            {http.StatusServiceUnavailable, "UNAVAILABLE", "Temporarily unavailable"},
}

// Refusals of the HTTP layer, which have no kind of fault.
var (
	missingAuth          = refusal{http.StatusUnauthorized, "MISSING_AUTH", "Authentication required"}
	methodNotAllowed     = refusal{http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED", "Method not allowed"}
	bodyTooSlow          = refusal{http.StatusRequestTimeout, "BODY_TOO_SLOW", "Body too slow"}
	bodyTooLarge         = refusal{http.StatusRequestEntityTooLarge, "BODY_TOO_LARGE", "Body too large"}
	unsupportedMediaType = refusal{http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE", "Unsupported media type"}
)

// edgeRefusals lists them.
var edgeRefusals = []refusal{missingAuth, methodNotAllowed, bodyTooSlow, bodyTooLarge, unsupportedMediaType}

// edgeError is one of edgeRefusals with its message.
type edgeError struct {
	refusal
	message string
}

// Error returns the message for the caller.
func (e *edgeError) Error() string { return e.message }

// withMessage returns the refusal as an error with a formatted message.
func (r refusal) withMessage(format string, args ...any) error {
	return &edgeError{r, fmt.Sprintf(format, args...)}
}

// panicError is a handler's panic. Its text is only for the log.
type panicError struct {
	value any
	stack []byte
}

// Error returns the panic's value as text.
func (p *panicError) Error() string { return fmt.Sprintf("panic: %v", p.value) }

// faultOf returns the error as a fault that may be shown. A timed-out wait becomes
// Unavailable; any other error that isn't a fault becomes one without its text.
func faultOf(err error) *fault.Error {
	var known *fault.Error
	switch {
	case errors.As(err, &known) && known.Kind != fault.Internal:
		return known
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return fault.New(fault.Unavailable, "the request took too long and was stopped")
	}
	return fault.New(fault.Internal, "something went wrong on our side; please quote the request id to support")
}

// shownOf returns the refusal of an error, and its fault as it may be shown.
func shownOf(err error) (refusal, *fault.Error) {
	var edge *edgeError
	var media parse.Unsupported
	switch {
	case errors.As(err, &edge):
		return edge.refusal, &fault.Error{Kind: fault.Invalid, Message: edge.message}
	case errors.As(err, &media):
		return unsupportedMediaType, &fault.Error{Kind: fault.Invalid, Message: media.Error()}
	case errors.As(err, new(parse.TooSlow)):
		return bodyTooSlow, &fault.Error{Kind: fault.Invalid, Message: parse.TooSlow{}.Error()}
	case errors.As(err, new(parse.TooLarge)):
		return bodyTooLarge, &fault.Error{Kind: fault.Invalid, Message: parse.TooLarge{}.Error()}
	}
	shown := faultOf(err)
	return refusals[shown.Kind], shown
}
