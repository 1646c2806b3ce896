package api

import "github.com/casino-service/casino/domain/approval"

// AdjustRequest credits (positive amount) or debits (negative) a player.
type AdjustRequest struct {
	User           string `json:"-"`
	Token          string `json:"token"`
	Amount         int64  `json:"amount" units:"base"`
	Reason         string `json:"reason"`
	IdempotencyKey string `json:"-"`
}

// Adjusted is an adjustment and the balance after it. For a credit above the token's
// threshold the response is an ApprovalResponse instead: then only Approval is set.
type Adjusted struct {
	Wallet      string      `json:"wallet"`
	Token       string      `json:"token"`
	Balance     int64       `json:"balance" units:"base"`
	Transaction Transaction `json:"transaction"`
	Approval    *Approval   `json:"approval,omitzero"`
	Replayed    bool        `json:"-"`
}

// UnclaimedFilter narrows the list of unclaimed balances.
type UnclaimedFilter struct {
	PageRequest
	Wallet string `query:"wallet"`
	Token  string `query:"token"`
}

// UnclaimedBalance is what arrived from a wallet that never signed in.
type UnclaimedBalance struct {
	Wallet string `json:"wallet"`
	Token  string `json:"token"`
	Amount int64  `json:"amount"`
}

// UnclaimedPage is a page of them.
type UnclaimedPage struct {
	Unclaimed []UnclaimedBalance `json:"unclaimed"`
	PageInfo
}

// AssignRequest assigns unclaimed money of Wallet to the player To.
type AssignRequest struct {
	Wallet   string `json:"wallet"`
	To       string `json:"to"`
	Token    string `json:"token"`
	Amount   int64  `json:"amount"`
	Reason   string `json:"reason"`
	Evidence string `json:"evidence"`
}

// WithdrawalDetails is a withdrawal as admins decide on it, with what they sign.
type WithdrawalDetails struct {
	Withdrawal        Withdrawal           `json:"withdrawal"`
	Approvals         []WithdrawalApproval `json:"approvals"`
	Treasury          string               `json:"treasury"`
	SignatureRequired bool                 `json:"signatureRequired"`
}

// WithdrawalApproval is one admin's approval; the last three are nil without a signature.
type WithdrawalApproval struct {
	By        string  `json:"by"`
	At        int64   `json:"at"`
	Note      *string `json:"note"`
	Message   *string `json:"message"`
	Timestamp *int64  `json:"timestamp"`
	Signature *string `json:"signature"`
}

// ApproveRequest approves a withdrawal, signed or not: Signature is base64, over
// "casino-approve:{treasury}:{withdrawal}:{token}:{amount}:{destination}:{timestamp}".
type ApproveRequest struct {
	ID             string `json:"id"`
	Note           string `json:"note,omitempty"`
	Timestamp      int64  `json:"timestamp,omitzero"`
	Signature      string `json:"signature,omitempty"`
	IdempotencyKey string `json:"-"`
}

// RejectRequest rejects a withdrawal.
type RejectRequest struct {
	ID             string `json:"id"`
	Reason         string `json:"reason"`
	IdempotencyKey string `json:"-"`
}

// DecidedWithdrawal is a withdrawal after an admin's decision.
type DecidedWithdrawal struct {
	Withdrawal Withdrawal `json:"withdrawal"`
	Replayed   bool       `json:"-"`
}

// ResolveRequest decides a deposit in review: for the wallet, or with an empty one
// for nobody.
type ResolveRequest struct {
	Signature string `json:"signature"`
	Token     string `json:"token"`
	Wallet    string `json:"wallet,omitzero"`
	Reason    string `json:"reason"`
}

// ResolvedDeposit is a deposit after an admin's decision.
type ResolvedDeposit struct {
	Signature string  `json:"signature"`
	Token     string  `json:"token"`
	Status    string  `json:"status"`
	Wallet    *string `json:"wallet"`
	Amount    *int64  `json:"amount" units:"base"`
}

// ResolvedResponse is a decided deposit, or the Approval that its credit waits for.
type ResolvedResponse struct {
	Deposit  ResolvedDeposit `json:"deposit"`
	Approval *Approval       `json:"approval,omitzero"`
}

// PayoutsRequest pauses payouts or asks for them to be resumed.
type PayoutsRequest struct {
	Reason string `json:"reason"`
}

// Payouts says whether payouts are paused, and who decided that last.
type Payouts struct {
	Paused    bool    `json:"paused"`
	By        *string `json:"by"`
	Reason    *string `json:"reason"`
	UpdatedAt *int64  `json:"updatedAt"`
}

// PayoutsResponse says whether payouts are paused.
type PayoutsResponse struct {
	Payouts Payouts `json:"payouts"`
}

// Approval is a request that a second person decides.
type Approval struct {
	ID        string          `json:"id"`
	Kind      approval.Kind   `json:"kind"`
	Request   ApprovalFacts   `json:"request"`
	By        string          `json:"by"`
	Status    approval.Status `json:"status"`
	CreatedAt int64           `json:"createdAt"`
	ExpiresAt int64           `json:"expiresAt"`
	DecidedBy *string         `json:"decidedBy"`
	DecidedAt *int64          `json:"decidedAt"`
}

// ApprovalFacts are what an approval is about; nil for those that its kind doesn't
// have.
type ApprovalFacts struct {
	Wallet    *string `json:"wallet"`
	AgentCode *string `json:"agentCode"` // of the player, or whose funds it is about
	Token     *string `json:"token"`
	Amount    *int64  `json:"amount" units:"base"`
	Signature *string `json:"signature"`
	ReviewID  *string `json:"reviewId"` // of a provider's win
	Sender    *string `json:"sender"`   // of unclaimed money
	Reason    *string `json:"reason"`
}

// ApprovalResponse is one approval.
type ApprovalResponse struct {
	Approval Approval `json:"approval"`
	Replayed bool     `json:"-"`
}

// ApprovalFilter chooses a page of the open approvals.
type ApprovalFilter struct {
	PageRequest
}

// ApprovalPage is a page of approvals.
type ApprovalPage struct {
	Approvals []Approval `json:"approvals"`
	PageInfo  `json:",inline"`
}

// ApprovalRequest decides an approval.
type ApprovalRequest struct {
	ID             string `json:"-"`
	Approve        bool   `json:"approve"`
	IdempotencyKey string `json:"-"`
}
