package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"net/netip"
	"strings"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

var _ ports.Agents = (*Store)(nil)

// agentColumns are the columns of an agent in the order of scanAgent.
const agentColumns = `a.code, a.id, a.name, a.status, a.rtp, a.share, a.site_endpoint, a.allowlist, a.memo, a.deleted,
	a.created_at, a.updated_at`

func scanAgent(row interface{ Scan(...any) error }) (a agent.Agent, err error) {
	var allowlist string
	var created, updated int64
	err = row.Scan(&a.Code, &a.ID, &a.Name, &a.Status, &a.RTP, &a.Share, &a.SiteEndpoint, &allowlist, &a.Memo, &a.Deleted,
		&created, &updated)
	if err != nil {
		return a, err
	}
	a.CreatedAt, a.UpdatedAt = moment(created), moment(updated)
	for _, text := range strings.Fields(allowlist) {
		network, err := netip.ParsePrefix(text)
		if err != nil {
			return a, defect("agent %s has the network %q", a.Code, text)
		}
		a.IPAllowlist = append(a.IPAllowlist, network)
	}
	return a, nil
}

// Agent serves ports.Agents.
func (s *Store) Agent(ctx context.Context, code string) (agent.Agent, error) {
	var found agent.Agent
	err := s.one(ctx, "read agent", "SELECT "+agentColumns+" FROM agents AS a WHERE a.code = ?", []any{code}, func(row *sql.Row) (err error) {
		found, err = scanAgent(row)
		return err
	}, fault.New(fault.NotFound, "no agent %q", code))
	if err != nil {
		return agent.Agent{}, err
	}
	return found, nil
}

// Agents serves ports.Agents.
func (s *Store) Agents(ctx context.Context) ([]agent.Agent, error) {
	all := []agent.Agent{}
	err := s.rows(ctx, "list agents", "SELECT "+agentColumns+" FROM agents AS a WHERE NOT a.deleted ORDER BY a.code", nil, func(row *sql.Rows) error {
		a, err := scanAgent(row)
		all = append(all, a)
		return err
	})
	return all, err
}

// secretBinding ties a sealed secret to its agent.
func secretBinding(code string) []string { return []string{"agent secret", code} }

// AgentSecret serves ports.Agents.
func (s *Store) AgentSecret(ctx context.Context, code string) (agent.Secret, error) {
	var box []byte
	missing := fault.New(fault.NotFound, "agent %q has no secret", code)
	err := s.one(ctx, "read secret", "SELECT sealed FROM agents WHERE code = ? AND sealed IS NOT NULL", []any{code},
		func(row *sql.Row) error { return row.Scan(&box) }, missing)
	if err != nil {
		return agent.Secret{}, err
	}
	text, err := s.sealer.Open(box, secretBinding(code)...)
	if err != nil {
		return agent.Secret{}, wrap("open secret", err)
	}
	return agent.SecretFrom(string(text)), nil
}

// ChangeAgent serves ports.Agents.
func (s *Store) ChangeAgent(ctx context.Context, by wallet.Address, code string, decide ports.AgentDecision) error {
	return s.administer(ctx, "agents", by, func(ctx context.Context, tx bun.Tx, actor rbac.Assignment) (audit.Record, error) {
		var present *agent.Agent
		found, err := scanAgent(tx.QueryRowContext(ctx, "SELECT "+agentColumns+" FROM agents AS a WHERE a.code = ?", code))
		if err == nil {
			present = &found
		} else if !errors.Is(err, sql.ErrNoRows) {
			return audit.Record{}, wrap("read agent", err)
		}
		next, record, err := decide(actor, present)
		if err != nil {
			return audit.Record{}, err
		}
		if next.Agent.Code != code || present != nil && next.Agent.ID != present.ID {
			return audit.Record{}, defect("agent %q becomes another", code)
		}
		if err := writeAgent(ctx, tx, next.Agent); err != nil {
			return audit.Record{}, err
		}
		return record, s.writeCredentials(ctx, tx, code, next.Credentials)
	})
}

func writeAgent(ctx context.Context, tx bun.Tx, a agent.Agent) error {
	networks := make([]string, len(a.IPAllowlist))
	for i, network := range a.IPAllowlist {
		networks[i] = network.String()
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO agents (code, id, name, status, rtp, share, site_endpoint, allowlist, memo, deleted,
		created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (code) DO UPDATE SET name = excluded.name,
		status = excluded.status, rtp = excluded.rtp, share = excluded.share, site_endpoint = excluded.site_endpoint,
		allowlist = excluded.allowlist, memo = excluded.memo, deleted = excluded.deleted, updated_at = excluded.updated_at`,
		a.Code, a.ID, a.Name, string(a.Status), int(a.RTP), int(a.Share), a.SiteEndpoint, strings.Join(networks, " "), a.Memo, a.Deleted,
		micros(a.CreatedAt), micros(a.UpdatedAt))
	return wrap("write agent", err)
}

func (s *Store) writeCredentials(ctx context.Context, tx bun.Tx, code string, c *agent.Credentials) error {
	if c == nil {
		return nil
	}
	box, err := s.sealer.Seal([]byte(c.Secret.Reveal()), secretBinding(code)...)
	if err != nil {
		return wrap("seal secret", err)
	}
	_, err = tx.ExecContext(ctx, "UPDATE agents SET token_hash = ?, sealed = ? WHERE code = ?", agent.TokenHash(c.Token), box, code)
	return wrap("write credentials", err)
}
