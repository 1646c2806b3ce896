package conformance

import (
	"bytes"
	"errors"
	"net/netip"
	"testing"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/ports"
)

// Agents is the suite of ports.Agents.
func Agents(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, agentsCases)
}

var agentsCases = []story{
	{"the house agent is there from the beginning", Rows, func(b *bench) {
		b.same("the house", must(b.Agent(background, agent.House))(b), agent.HouseAgent())
		b.same("agents", must(b.Agents(background))(b), []agent.Agent{agent.HouseAgent()})
	}},
	{"an agent is stored, changed and read", Rows, func(b *bench) {
		a := b.acme("acme")
		b.keepAgent(a, nil)
		b.same("the agent", must(b.Agent(background, "acme"))(b), a)
		a.Name, a.Status, a.RTP, a.Share, a.SiteEndpoint, a.IPAllowlist, a.Memo = "B", agent.Blocked, 0, 0, "", nil, ""
		a.UpdatedAt = b.now()
		b.keepAgent(a, nil)
		b.same("the agent", must(b.Agent(background, "acme"))(b), a)
		b.same("records", len(b.recordsOf(audit.AgentChanged)), 2)
		b.sound()
	}},
	{"agents are sorted by code, without deleted ones", Rows, func(b *bench) {
		for _, code := range []string{"e", "b", "d"} {
			a := b.acme(code)
			a.Deleted = code == "d"
			b.keepAgent(a, nil)
		}
		codes := []string{}
		for _, a := range must(b.Agents(background))(b) {
			codes = append(codes, a.Code)
		}
		b.same("codes", codes, []string{"b", "e", "house"})
		if deleted := must(b.Agent(background, "d"))(b); !deleted.Deleted {
			b.Errorf("the deleted one is %+v", deleted)
		}
	}},
	{"an unknown code is not found", Rows, func(b *bench) {
		b.fails(fault.NotFound, errorOf(b.Agent(background, "acme")))
		b.fails(fault.NotFound, errorOf(b.AgentSecret(background, agent.House)))
	}},
	{"the decision sees the actor's role and the agent", Rows, func(b *bench) {
		b.grant(admin, "ops")
		a := b.acme("acme")
		b.keepAgent(a, nil)
		for code, want := range map[string]*agent.Agent{"acme": &a, "free": nil} {
			err := b.ChangeAgent(background, admin, code, func(actor rbac.Assignment, present *agent.Agent) (ports.AgentChange, audit.Record, error) {
				holder := must(b.policy.Assign(admin, "ops", "", actor.GrantedAt))(b)
				holder.Founding = true
				b.same("the actor", actor, holder)
				if (present == nil) != (want == nil) {
					b.Errorf("%s is %+v", code, present)
				} else if want != nil {
					b.same("the agent", *present, *want)
				}
				return ports.AgentChange{}, audit.Record{}, errors.New("no")
			})
			if err == nil {
				b.Error("not refused")
			}
		}
	}},
	{"a refusal changes nothing and is returned as it is", Logic, func(b *bench) {
		b.keepAgent(b.acme("acme"), nil)
		before := b.snapshot()
		refusal := fault.New(fault.Forbidden, "no")
		if err := b.changeAgent("acme", func(*agent.Agent) (ports.AgentChange, error) { return ports.AgentChange{}, refusal }); !errors.Is(err, refusal) {
			b.Error(err)
		}
		b.same("everything", b.snapshot(), before)
	}},
	{"a code and an id belong to one agent for ever", Rows, func(b *bench) {
		a := b.acme("acme")
		b.keepAgent(a, nil)
		other := b.acme("other")
		b.keepAgent(other, nil)
		for name, next := range map[string]agent.Agent{
			"another code": {ID: a.ID, Code: "zzz"}, "another id": {ID: "zzz", Code: "acme"}, "the other's id": {ID: other.ID, Code: "acme"},
		} {
			next.Name, next.Status = "N", agent.Active
			if err := b.changeAgent("acme", func(*agent.Agent) (ports.AgentChange, error) { return ports.AgentChange{Agent: next}, nil }); err == nil {
				b.Errorf("%s is taken", name)
			}
		}
		taken := b.acme("new")
		taken.ID = a.ID
		if err := b.changeAgent("new", func(*agent.Agent) (ports.AgentChange, error) { return ports.AgentChange{Agent: taken}, nil }); err == nil {
			b.Error("two agents have one id")
		}
		b.same("the agent", must(b.Agent(background, "acme"))(b), a)
	}},
	{"credentials are replaced as a whole and kept sealed", Rows, func(b *bench) {
		a := b.acme("acme")
		first := agent.NewCredentials([32]byte{1}, [32]byte{2})
		b.keepAgent(a, &first)
		b.same("the secret", must(b.AgentSecret(background, "acme"))(b).Reveal(), first.Secret.Reveal())
		b.keepAgent(a, nil)
		b.same("the secret that stays", must(b.AgentSecret(background, "acme"))(b).Reveal(), first.Secret.Reveal())
		second := agent.NewCredentials([32]byte{3}, [32]byte{4})
		b.keepAgent(a, &second)
		b.same("the new secret", must(b.AgentSecret(background, "acme"))(b).Reveal(), second.Secret.Reveal())
		if b.AtRest == nil {
			return
		}
		written := b.AtRest(b.T)
		for _, secret := range []agent.Secret{first.Token, first.Secret, second.Token, second.Secret} {
			if bytes.Contains(written, []byte(secret.Reveal())) {
				b.Error("a credential is written as it is")
			}
		}
	}},
	{"a blocked agent's players are seen as such by the next commit", Rows, func(b *bench) {
		a := b.acme("acme")
		b.keepAgent(a, nil)
		b.commit(b.loginAs(bob, b.now().UnixMilli(), "acme"))
		b.commit(b.credit(bob, "bob", "So11111111111111111111111111111111111111112", 1000))
		b.commit(b.loginAs(carol, b.now().UnixMilli(), "nobody's"))
		b.commit(b.credit(carol, "carol", "So11111111111111111111111111111111111111112", 1000))
		b.commit(b.play(bob, 1))
		b.commit(b.play(carol, 1))
		for name, block := range map[string]func(*agent.Agent){
			"blocked": func(a *agent.Agent) { a.Status = agent.Blocked }, "deleted": func(a *agent.Agent) { a.Deleted = true },
		} {
			closed := a
			block(&closed)
			if name == "deleted" { // a deletion isn't taken back
				closed.Code, closed.ID = "gone", b.id()
				b.keepAgent(closed, nil)
				b.commit(b.loginAs(alice, b.now().UnixMilli(), "gone"))
				b.refuse(b.play(alice, 1), fault.BlockedAgent)
				continue
			}
			b.keepAgent(closed, nil)
			b.refuse(b.play(bob, 1), fault.BlockedAgent)
			b.commit(b.withdraw(bob, 1))
			b.commit(b.login(bob, b.now().UnixMilli()))
			b.keepAgent(a, nil)
			b.commit(b.play(bob, 1))
		}
		b.sound()
	}},
	{"agents outlive reopening", Rows, func(b *bench) {
		a := b.acme("acme")
		made := agent.NewCredentials([32]byte{1}, [32]byte{2})
		b.keepAgent(a, &made)
		b.reopen()
		b.same("agents", must(b.Agents(background))(b), []agent.Agent{a, agent.HouseAgent()})
		b.same("the secret", must(b.AgentSecret(background, "acme"))(b).Reveal(), made.Secret.Reveal())
	}},
}

func (b *bench) acme(code string) agent.Agent {
	return agent.Agent{
		ID: b.id(), Code: code, Name: "Acme ü", Status: agent.Active, RTP: 96_50, Share: 12_34, SiteEndpoint: "https://acme.example.com/",
		IPAllowlist: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("2001:db8::/32")}, Memo: "m",
		CreatedAt: b.now(), UpdatedAt: b.now(),
	}
}

func (b *bench) changeAgent(code string, decide func(present *agent.Agent) (ports.AgentChange, error)) error {
	record := audit.Record{ID: b.id(), Action: audit.AgentChanged, By: admin, Target: code, At: b.now()}
	return b.ChangeAgent(background, admin, code, func(_ rbac.Assignment, present *agent.Agent) (ports.AgentChange, audit.Record, error) {
		next, err := decide(present)
		return next, record, err
	})
}

func (b *bench) keepAgent(a agent.Agent, c *agent.Credentials) {
	b.Helper()
	err := b.changeAgent(a.Code, func(*agent.Agent) (ports.AgentChange, error) { return ports.AgentChange{Agent: a, Credentials: c}, nil })
	if err != nil {
		b.Fatal(err)
	}
}
