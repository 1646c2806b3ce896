package client

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// Balances returns the caller's balances, sorted by token.
func (c *Client) Balances(ctx context.Context) ([]api.Balance, error) {
	found, err := get[api.BalancesResponse](ctx, c, "/balance", nil)
	return found.Balances, err
}

// Deposit registers an on-chain deposit by its transaction's signature.
func (c *Client) Deposit(ctx context.Context, signature, token string) (api.Deposited, error) {
	body := api.DepositRequest{Signature: signature, Token: token}
	return do[api.Deposited](ctx, c, call{method: http.MethodPost, path: "/deposit", body: body})
}

// DepositTransaction returns the transaction by which the caller's wallet deposits an
// amount of a token, for the wallet to sign and send.
func (c *Client) DepositTransaction(ctx context.Context, token string, amount int64) (api.DepositTransaction, error) {
	body := api.DepositTransactionRequest{Token: token, Amount: amount}
	return do[api.DepositTransaction](ctx, c, call{method: http.MethodPost, path: "/deposit/transaction", body: body})
}

// Withdraw asks for a withdrawal.
func (c *Client) Withdraw(ctx context.Context, r api.WithdrawRequest) (made api.Withdrawn, err error) {
	made, made.Replayed, err = doOnce[api.Withdrawn](ctx, c, call{method: http.MethodPost, path: "/withdraw", body: r, key: r.IdempotencyKey})
	return made, err
}

// CancelWithdrawal cancels a pending withdrawal.
func (c *Client) CancelWithdrawal(ctx context.Context, id string) (api.Withdrawn, error) {
	return do[api.Withdrawn](ctx, c, call{method: http.MethodPost, path: "/withdraw/" + url.PathEscape(id) + "/cancel"})
}

// PlaySession returns what was played in the session of the client's token.
func (c *Client) PlaySession(ctx context.Context) (api.PlaySessionResponse, error) {
	return get[api.PlaySessionResponse](ctx, c, "/account/session", nil)
}

// Transactions lists the caller's deposits, withdrawals and adjustments.
func (c *Client) Transactions(ctx context.Context, f api.AccountFilter) (api.TransactionPage, error) {
	return get[api.TransactionPage](ctx, c, "/account/transactions", f)
}

// Play plays one round.
func (c *Client) Play(ctx context.Context, r api.PlayRequest) (played api.Played, err error) {
	played, played.Replayed, err = doOnce[api.Played](ctx, c, call{method: http.MethodPost, path: "/play", body: r, key: r.IdempotencyKey})
	return played, err
}

// OpenRound opens a round that is played step by step.
func (c *Client) OpenRound(ctx context.Context, r api.PlayRequest) (opened api.Stepped, err error) {
	opened, opened.Replayed, err = doOnce[api.Stepped](ctx, c, call{method: http.MethodPost, path: "/rounds", body: r, key: r.IdempotencyKey})
	return opened, err
}

// Step takes an action in an open round. The same one at the same step gets its first
// answer again.
func (c *Client) Step(ctx context.Context, roundID string, r api.StepRequest) (stepped api.Stepped, err error) {
	stepped, stepped.Replayed, err = doOnce[api.Stepped](ctx, c, call{method: http.MethodPost, path: "/rounds/" + url.PathEscape(roundID) + "/steps", body: r})
	return stepped, err
}

// OpenRounds lists the caller's open rounds, oldest first.
func (c *Client) OpenRounds(ctx context.Context) ([]api.OpenRound, error) {
	found, err := get[api.OpenRoundsResponse](ctx, c, "/rounds", nil)
	return found.Rounds, err
}

// History lists the caller's rounds.
func (c *Client) History(ctx context.Context, f api.RoundFilter) (api.RoundPage, error) {
	return get[api.RoundPage](ctx, c, "/history", f)
}

// Round returns one of the caller's rounds.
func (c *Client) Round(ctx context.Context, id string) (api.SettledRound, error) {
	found, err := get[api.RoundResponse](ctx, c, "/history/"+url.PathEscape(id), nil)
	return found.Round, err
}

// Seed returns the active pair.
func (c *Client) Seed(ctx context.Context) (api.Seed, error) {
	return get[api.Seed](ctx, c, "/seed", nil)
}

// RotateSeed reveals the active server seed and starts the next pair.
func (c *Client) RotateSeed(ctx context.Context, r api.RotateRequest) (rotated api.Rotated, err error) {
	rotated, rotated.Replayed, err = doOnce[api.Rotated](ctx, c, call{method: http.MethodPost, path: "/seed/rotate", body: r, key: r.IdempotencyKey})
	return rotated, err
}

// SeedHistory lists the caller's retired pairs.
func (c *Client) SeedHistory(ctx context.Context, f api.RevealedPairFilter) (api.RevealedPairPage, error) {
	return get[api.RevealedPairPage](ctx, c, "/seed/history", f)
}

// Launch asks for a provider's game and returns where the player plays it. An empty
// language means the service's default.
func (c *Client) Launch(ctx context.Context, gameCode, userCode, language string) (string, error) {
	body := api.LaunchRequest{GameCode: gameCode, UserCode: userCode, Language: language}
	found, err := do[api.LaunchResponse](ctx, c, call{method: http.MethodPost, path: "/legacy/launch", body: body})
	return found.URL, err
}

// Limits returns the caller's limits.
func (c *Client) Limits(ctx context.Context) ([]api.Limit, error) {
	found, err := get[api.LimitsResponse](ctx, c, "/account/limits", nil)
	return found.Limits, err
}

// SetLimits sets all of the caller's limits.
func (c *Client) SetLimits(ctx context.Context, limits []api.LimitRequest) ([]api.Limit, error) {
	found, err := do[api.LimitsResponse](ctx, c, call{method: http.MethodPut, path: "/account/limits", body: allLimits(limits)})
	return found.Limits, err
}

// allLimits makes a nil list an empty one, because null is refused.
func allLimits(limits []api.LimitRequest) api.LimitsRequest {
	return api.LimitsRequest{Limits: append([]api.LimitRequest{}, limits...)}
}

// Exclude excludes the caller from play until a moment; the zero time means for ever.
func (c *Client) Exclude(ctx context.Context, until time.Time) (api.Exclusion, error) {
	found, err := do[api.ExclusionResponse](ctx, c, call{method: http.MethodPost, path: "/account/exclusion", body: exclusion(until)})
	return found.Exclusion, err
}

// CoolOff has the caller take a break from play until a moment.
func (c *Client) CoolOff(ctx context.Context, until time.Time) (api.Exclusion, error) {
	found, err := do[api.ExclusionResponse](ctx, c, call{method: http.MethodPost, path: "/account/cool-off", body: api.CoolOffRequest{Until: until.UnixMilli()}})
	return found.Exclusion, err
}

func exclusion(until time.Time) api.ExclusionRequest {
	if until.IsZero() {
		return api.ExclusionRequest{Permanent: true}
	}
	return api.ExclusionRequest{Until: until.UnixMilli()}
}
