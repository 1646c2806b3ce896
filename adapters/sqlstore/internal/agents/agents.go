// Package agents stores agents, with their secrets and sites, and the branding of the site.
package agents

import (
	"context"
	"net/netip"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/change"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Store implements ports.Agents and ports.Brandings.
type Store struct{ *change.Changes }

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
	Sealed    []byte // the encrypted secret
}

// Agents is the model of agents, without their credentials.
var Agents = table.ModelOf[AgentRow, agent.Agent]()

// AgentSecrets is a view of agents' encrypted secrets.
var AgentSecrets = table.NewView[[]byte]("a.sealed", Agents.From(), func(row db.Row) (box []byte, err error) { return box, row.Scan(&box) })

// AgentSecretBinding binds an encrypted secret to its agent.
func AgentSecretBinding(code string) []string { return []string{"agent secret", code} }

// BrandingRow is the one row of branding.
type BrandingRow struct {
	bun.BaseModel `bun:"table:branding,alias:b"`
	One           table.Single `bun:",pk"`
	branding.Branding
}

// Branding is the model of the site's branding.
var Branding = table.ModelOf[BrandingRow, branding.Branding]()

// Agent implements ports.Agents.
func (s *Store) Agent(ctx context.Context, code string) (agent.Agent, error) {
	return read.From(s.Reads, Agents).Where("a.code = ?", code).One(ctx, "read agent", fault.New(fault.NotFound, "no agent %q", code))
}

// Agents implements ports.Agents.
func (s *Store) Agents(ctx context.Context) ([]agent.Agent, error) {
	return read.SharedRows(ctx, s.Reads, func(ctx context.Context) ([]agent.Agent, error) {
		return read.From(s.Reads, Agents).Where("NOT a.deleted").Order("a.code").Kept(ctx, "list agents")
	}, "list agents")
}

// AgentSecret implements ports.Agents.
func (s *Store) AgentSecret(ctx context.Context, code string) (agent.Secret, error) {
	box, err := read.From(s.Reads, AgentSecrets).Where("a.code = ? AND a.sealed IS NOT NULL", code).
		One(ctx, "read secret", fault.New(fault.NotFound, "agent %q has no secret", code))
	if err != nil {
		return agent.Secret{}, err
	}
	text, err := s.Sealer.Open(box, AgentSecretBinding(code)...)
	if err != nil {
		return agent.Secret{}, db.Wrap("open secret", err)
	}
	return agent.SecretFrom(string(text)), nil
}

// Branding implements ports.Brandings. It is public and the same for all, so requests share it.
func (s *Store) Branding(ctx context.Context) (branding.Branding, error) {
	return read.SharedByAll(ctx, s.Reads, func(ctx context.Context) (branding.Branding, error) {
		return read.From(s.Reads, Branding).One(ctx, "read branding", fault.New(fault.NotFound, "the branding was never changed"))
	}, "branding")
}

// ChangeAgent implements ports.Agents.
func (s *Store) ChangeAgent(ctx context.Context, by wallet.Address, code string, decide ports.AgentDecision) error {
	return s.Administer(ctx, "agents", by, func(ctx context.Context, tx bun.Tx, actor rbac.Assignment) (audit.Record, error) {
		var row AgentRow
		there, err := db.Found(tx.NewSelect().Model(&row).Where("a.code = ?", code).Scan(ctx))
		if err != nil {
			return audit.Record{}, db.Wrap("read agent", err)
		}
		var present *agent.Agent
		if there {
			present = (*agent.Agent)(&row.Agent)
		}
		next, record, err := decide(actor, present)
		if err != nil {
			return audit.Record{}, err
		}
		if next.Agent.Code != code || present != nil && next.Agent.ID != present.ID {
			return audit.Record{}, db.Defect("agent %q may not change its code or its id", code)
		}
		if err := writeAgent(ctx, tx, next.Agent); err != nil {
			return audit.Record{}, err
		}
		return record, s.writeCredentials(ctx, tx, code, next.Credentials)
	})
}

func writeAgent(ctx context.Context, tx bun.Tx, a agent.Agent) error {
	_, err := tx.NewInsert().Model(Agents.Row(&a)).On("CONFLICT (code) DO UPDATE").
		Set(table.Excluded("name", "status", "rtp", "share", "site_endpoint", "allowlist", "memo", "deleted", "updated_at")).Exec(ctx)
	return db.Wrap("write agent", err)
}

func (s *Store) writeCredentials(ctx context.Context, tx bun.Tx, code string, fresh *agent.Credentials) error {
	if fresh == nil {
		return nil
	}
	box, err := s.Sealer.Seal([]byte(fresh.Secret.Reveal()), AgentSecretBinding(code)...)
	if err != nil {
		return db.Wrap("seal secret", err)
	}
	_, err = tx.NewUpdate().Model(&AgentRow{TokenHash: agent.TokenHash(fresh.Token), Sealed: box}).
		Column("token_hash", "sealed").Where("code = ?", code).Exec(ctx)
	return db.Wrap("write credentials", err)
}

// ChangeBranding implements ports.Brandings.
func (s *Store) ChangeBranding(ctx context.Context, by wallet.Address, decide ports.BrandingDecision) error {
	return s.Administer(ctx, "branding", by, func(ctx context.Context, tx bun.Tx, actor rbac.Assignment) (audit.Record, error) {
		var row BrandingRow
		there, err := db.Found(tx.NewSelect().Model(&row).Scan(ctx))
		if err != nil {
			return audit.Record{}, db.Wrap("read branding", err)
		}
		var present *branding.Branding
		if there {
			present = &row.Branding
		}
		next, record, err := decide(actor, present)
		if err != nil {
			return audit.Record{}, err
		}
		_, err = tx.NewInsert().Model(Branding.Row(&next)).On("CONFLICT (one) DO UPDATE").Exec(ctx)
		return record, db.Wrap("write branding", err)
	})
}
