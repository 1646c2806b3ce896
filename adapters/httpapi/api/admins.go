package api

import (
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/rbac"
)

// Identity is the role of a wallet.
type Identity struct {
	Wallet      string            `json:"wallet"`
	Role        string            `json:"role"`
	Level       int               `json:"level"`
	Permissions []rbac.Permission `json:"permissions"`
	AgentCode   *string           `json:"agentCode"`
}

// Role is the role of a wallet, with who granted it when. A founding role counts as old,
// and as granted by nobody.
type Role struct {
	Identity  `json:",inline"`
	GrantedBy *string `json:"grantedBy"`
	GrantedAt int64   `json:"grantedAt"`
	Founding  bool    `json:"founding"`
}

// RolesResponse is all roles that wallets have.
type RolesResponse struct {
	Roles []Role `json:"roles"`
}

// GrantRequest gives a wallet a role; AgentCode is needed for roles bound to an agent.
type GrantRequest struct {
	Wallet    string `json:"-"`
	Role      string `json:"role"`
	AgentCode string `json:"agentCode,omitempty"`
}

// AuditRecord says who changed what.
type AuditRecord struct {
	ID        string       `json:"id"`
	Action    audit.Action `json:"action"`
	By        *string      `json:"by"` // nil when the service did
	Target    string       `json:"target"`
	Before    *string      `json:"before"`
	After     *string      `json:"after"`
	CreatedAt int64        `json:"createdAt"`
	RequestID *string      `json:"requestId"`
}

// AuditFilter narrows a list of records; zero fields don't narrow.
type AuditFilter struct {
	PageRequest
	By     string    `query:"by"`
	Target string    `query:"target"`
	Action string    `query:"action"`
	Part   string    `query:"part"` // "admins", "players" or "all"
	From   time.Time `query:"from"`
	To     time.Time `query:"to"`
}

// AuditPage is a page of records.
type AuditPage struct {
	Records  []AuditRecord `json:"records"`
	PageInfo `json:",inline"`
}
