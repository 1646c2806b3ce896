package rows

import (
	"net/netip"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/agent"
)

// AgentRow is a row of agents.
type AgentRow struct {
	bun.BaseModel `bun:"table:agents,alias:a"`
	Agent         struct {
		ID           string
		Code         string `bun:",pk"`
		Name         string
		Status       agent.Status
		RTP          agent.Percent
		Share        agent.Percent
		SiteEndpoint string
		IPAllowlist  []netip.Prefix `bun:"allowlist"`
		Memo         string
		Deleted      bool
		CreatedAt    time.Time
		UpdatedAt    time.Time
	} `bun:"embed:"`
	TokenHash string
	Sealed    []byte // the secret
}

// Agents are the agents, without their credentials.
var Agents = modelOf[AgentRow, agent.Agent]()

// AgentSecrets are the sealed secrets of agents.
var AgentSecrets = View[[]byte]{"a.sealed", Agents.From(), func(row db.Row) (box []byte, err error) { return box, row.Scan(&box) }}

// AgentSecretBinding ties a sealed secret to its agent.
func AgentSecretBinding(code string) []string { return []string{"agent secret", code} }
