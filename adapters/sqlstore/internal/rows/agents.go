package rows

import (
	"net/netip"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/agent"
)

// Agents are the agents, without their credentials.
var Agents = table("agents", "a",
	text("code", func(a *agent.Agent) *string { return &a.Code }).keyed(),
	text("id", func(a *agent.Agent) *string { return &a.ID }),
	text("name", func(a *agent.Agent) *string { return &a.Name }),
	text("status", func(a *agent.Agent) *agent.Status { return &a.Status }),
	integer("rtp", func(a *agent.Agent) *agent.Percent { return &a.RTP }),
	integer("share", func(a *agent.Agent) *agent.Percent { return &a.Share }),
	text("site_endpoint", func(a *agent.Agent) *string { return &a.SiteEndpoint }),
	networks("allowlist", func(a *agent.Agent) *[]netip.Prefix { return &a.IPAllowlist }),
	text("memo", func(a *agent.Agent) *string { return &a.Memo }),
	boolean("deleted", func(a *agent.Agent) *bool { return &a.Deleted }),
	moment("created_at", func(a *agent.Agent) *time.Time { return &a.CreatedAt }),
	moment("updated_at", func(a *agent.Agent) *time.Time { return &a.UpdatedAt }),
)

// AgentSecretBinding ties a sealed secret to its agent.
func AgentSecretBinding(code string) []string { return []string{"agent secret", code} }

// networks are written with blanks between them.
func networks(name string, at func(*agent.Agent) *[]netip.Prefix) column[agent.Agent] {
	c := text(name, func(*agent.Agent) *string { return nil })
	c.place = func(a *agent.Agent) any { return (*networkList)(at(a)) }
	c.value = func(a *agent.Agent) any {
		all := make([]string, len(*at(a)))
		for i, network := range *at(a) {
			all[i] = network.String()
		}
		return strings.Join(all, " ")
	}
	return c
}

// networkList reads networks.
type networkList []netip.Prefix

// Scan implements sql.Scanner.
func (l *networkList) Scan(from any) error {
	read, err := textOf(from)
	if err != nil {
		return err
	}
	for _, one := range strings.Fields(read) {
		network, err := netip.ParsePrefix(one)
		if err != nil {
			return err
		}
		*l = append(*l, network)
	}
	return nil
}
