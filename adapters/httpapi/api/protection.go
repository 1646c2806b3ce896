package api

import "github.com/casino-service/casino/domain/protection"

// Limit is a limit on play that is in force since EffectiveAt, or will be from then
// on. A future one is listed after the present one, with Amount nil when the limit ends.
type Limit struct {
	Kind        protection.Kind   `json:"kind"`
	Period      protection.Period `json:"period"`
	Token       string            `json:"token"`
	Amount      *int64            `json:"amount" units:"base"`
	By          protection.Maker  `json:"by"` // operator: only the operator changes it
	EffectiveAt int64             `json:"effectiveAt"`
}

// LimitsResponse is a player's limits.
type LimitsResponse struct {
	Limits []Limit `json:"limits"`
}

// LimitRequest is one limit of a LimitsRequest.
type LimitRequest struct {
	Kind   protection.Kind   `json:"kind"`
	Period protection.Period `json:"period"`
	Token  string            `json:"token"`
	Amount int64             `json:"amount" units:"base"`
}

// LimitsRequest sets all of the caller's limits.
type LimitsRequest struct {
	Limits []LimitRequest `json:"limits"`
}

// AdminLimitsRequest sets all of a player's limits.
type AdminLimitsRequest struct {
	LimitsRequest `json:",inline"`
	Reason        string `json:"reason"`
}

// Exclusion says whether a player may play.
type Exclusion struct {
	Status    protection.Status `json:"status"`
	Until     *int64            `json:"until"`
	Permanent bool              `json:"permanent"`
	// CoolOffUntil ends the newest break that the player took, apart from Until.
	CoolOffUntil *int64 `json:"coolOffUntil"`
}

// CoolOffRequest has the caller take a break from play.
type CoolOffRequest struct {
	Until int64 `json:"until"`
}

// ExclusionResponse is a player's exclusion.
type ExclusionResponse struct {
	Exclusion Exclusion `json:"exclusion"`
}

// ExclusionRequest excludes the caller from play: until a moment or for ever, exactly
// one of both.
type ExclusionRequest struct {
	Until     int64 `json:"until,omitzero"`
	Permanent bool  `json:"permanent,omitzero"`
}

// AdminExclusionRequest excludes a player from play.
type AdminExclusionRequest struct {
	ExclusionRequest `json:",inline"`
	Reason           string `json:"reason"`
}

// FreezeRequest freezes or unfreezes a player's account.
type FreezeRequest struct {
	Frozen bool   `json:"frozen"`
	Reason string `json:"reason"`
}
