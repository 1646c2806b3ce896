package client

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// Limit is a limit on play: in force since EffectiveAt, or from then on.
type Limit struct {
	Kind        string `json:"kind"`
	Period      string `json:"period"`
	Token       string `json:"token"`
	Amount      *int64 `json:"amount"`      // nil for a limit that ends
	EffectiveAt int64  `json:"effectiveAt"` // Unix milliseconds
}

// LimitWish is a limit as it is wanted.
type LimitWish struct {
	Kind   string `json:"kind"`
	Period string `json:"period"`
	Token  string `json:"token"`
	Amount int64  `json:"amount"`
}

// Exclusion says whether a player may play.
type Exclusion struct {
	Status    string `json:"status"`
	Until     *int64 `json:"until"` // Unix milliseconds
	Permanent bool   `json:"permanent"`
}

// playerLimits are the limits of a player.
type playerLimits struct {
	Limits []Limit `json:"limits"`
}

type exclusionAnswer struct {
	Exclusion Exclusion `json:"exclusion"`
}

// Limits returns the caller's limits.
func (c *Client) Limits(ctx context.Context) ([]Limit, error) {
	answer, err := do[playerLimits](ctx, c, call{method: http.MethodGet, path: "/account/limits"})
	return answer.Limits, err
}

// SetLimits sets all of the caller's limits.
func (c *Client) SetLimits(ctx context.Context, limits []LimitWish) ([]Limit, error) {
	answer, err := do[playerLimits](ctx, c, call{
		method: http.MethodPut, path: "/account/limits", body: map[string]any{"limits": append([]LimitWish{}, limits...)},
	})
	return answer.Limits, err
}

// Exclude ends the caller's play until a moment; the zero time means for ever.
func (c *Client) Exclude(ctx context.Context, until time.Time) (Exclusion, error) {
	answer, err := do[exclusionAnswer](ctx, c, call{method: http.MethodPost, path: "/account/exclusion", body: exclusionOf(until)})
	return answer.Exclusion, err
}

func exclusionOf(until time.Time) map[string]any {
	if until.IsZero() {
		return map[string]any{"permanent": true}
	}
	return map[string]any{"until": until.UnixMilli()}
}

func ofPlayer(wallet, what string) string { return "/admin/players/" + url.PathEscape(wallet) + what }

// LimitsOf returns a player's limits.
func (c *Client) LimitsOf(ctx context.Context, wallet string) ([]Limit, error) {
	answer, err := do[playerLimits](ctx, c, call{method: http.MethodGet, path: ofPlayer(wallet, "/limits")})
	return answer.Limits, err
}

// SetLimitsOf sets all of a player's limits.
func (c *Client) SetLimitsOf(ctx context.Context, wallet, reason string, limits []LimitWish) ([]Limit, error) {
	answer, err := do[playerLimits](ctx, c, call{
		method: http.MethodPut, path: ofPlayer(wallet, "/limits"), body: map[string]any{"limits": append([]LimitWish{}, limits...), "reason": reason},
	})
	return answer.Limits, err
}

// ExcludePlayer ends a player's play until a moment; the zero time means for ever.
func (c *Client) ExcludePlayer(ctx context.Context, wallet, reason string, until time.Time) (Exclusion, error) {
	body := exclusionOf(until)
	body["reason"] = reason
	answer, err := do[exclusionAnswer](ctx, c, call{method: http.MethodPost, path: ofPlayer(wallet, "/exclusion"), body: body})
	return answer.Exclusion, err
}

// Freeze stops a player's play, or lets him go on.
func (c *Client) Freeze(ctx context.Context, wallet, reason string, frozen bool) (Exclusion, error) {
	answer, err := do[exclusionAnswer](ctx, c, call{
		method: http.MethodPost, path: ofPlayer(wallet, "/freeze"), body: map[string]any{"frozen": frozen, "reason": reason},
	})
	return answer.Exclusion, err
}
