package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"testing"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
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
		b.reopen()
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
		b.same("codes", mapped(must(b.Agents(background))(b), func(a agent.Agent) string { return a.Code }), []string{"b", "e", "house"})
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
			b.errorIf(err == nil, "not refused")
		}
	}},
	{"a refusal is returned as it is, and like a record that can't be kept it changes nothing", Rows, func(b *bench) {
		a := b.acme("acme")
		b.keepAgent(a, nil)
		a.Name = "B"
		b.unchanged(audit.AgentChanged, func(record audit.Record, refusal error) error {
			return b.ChangeAgent(background, admin, "acme", func(rbac.Assignment, *agent.Agent) (ports.AgentChange, audit.Record, error) {
				return ports.AgentChange{Agent: a}, record, refusal
			})
		})
	}},
	{"a code and an id belong to one agent forever", Rows, func(b *bench) {
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
		b.reopen()
		b.same("the new secret", must(b.AgentSecret(background, "acme"))(b).Reveal(), second.Secret.Reveal())
		if b.AtRest == nil {
			return
		}
		written := b.AtRest(b.T)
		for _, secret := range []agent.Secret{first.Token, first.Secret, second.Token, second.Secret} {
			b.errorIf(bytes.Contains(written, []byte(secret.Reveal())), "a credential is written as it is")
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
	b.ok(err)
}

// AgentFunds is the suite of ports.AgentFunds, and of the Writer's changes to agents' prepaid
// accounts.
func AgentFunds(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, agentFundsCases)
}

var agentFundsCases = []story{
	{"funds are booked up and down and listed by agent and token", Rows, func(b *bench) {
		b.prepaidAgent("acme", 1000, 0)
		b.prepaidAgent("zulu", 5, 7)
		b.commit(b.funds(agent.FundsRef{Agent: "acme", Token: usd}, 3))
		b.commit(b.funds(agent.FundsRef{Agent: "acme", Token: money.SOL}, -400))
		lines := func(code string) (all []string) {
			for _, l := range must(b.FundsOf(background, code))(b) {
				all = append(all, fmt.Sprint(l.Agent, " ", l.Token == usd, " ", l.Balance, " ", l.CreditLimit))
			}
			slices.Sort(all)
			return all
		}
		b.same("acme's", lines("acme"), []string{"acme false 600 0", "acme true 3 0"})
		b.same("all", lines(""), []string{"acme false 600 0", "acme true 3 0", "zulu false 5 7"})
		b.same("nobody's", lines("nobody"), []string(nil))
		b.same("the agent stands at", b.totalOf(ledger.AgentOf("acme"), money.SOL), "600")
		b.sound()
	}},
	{"bets of many players at once never pass the limit", Races, func(b *bench) {
		b.prepaidAgent("acme", 30, 20)
		players := []wallet.Address{alice, bob, carol}
		for _, w := range players {
			b.member(w, "acme")
		}
		items := make([]player.Item, 36)
		for i := range items {
			items[i] = b.forwarded(players[i%3], "acme", fmt.Sprint("t", i), seamless.Debit, "3", "")
		}
		asked := 0
		for _, receipt := range b.commitAll(items) {
			asked += len(receipt.Change.Deliveries)
		}
		b.same("bets that are asked for", asked, 16) // 48 of 50
		b.same("funds", b.fundsIn("acme"), agent.Funds{Balance: 30, Reserved: 48, CreditLimit: 20})
		b.sound()
	}},
	{"a credit above the threshold is booked by two persons", Logic, func(b *bench) {
		b.prepaidAgent("acme", 0, 0)
		b.seasoned(admin, "superadmin")
		b.seasoned(other, "superadmin")
		ref := agent.FundsRef{Agent: "acme", Token: money.SOL}
		asked := b.commit(b.funds(ref, 1_000_001)).Change.Approval
		b.fatalIf(asked == nil || asked.Kind != approval.AgentFunds || asked.Agent != "acme",
			"a credit above the threshold: %+v", asked)
		b.same("funds", b.fundsIn("acme"), agent.Funds{})
		item := b.decision(*asked, other, true)
		item.Needs.Funds = []agent.FundsRef{ref}
		decision := player.ApprovalDecision{ID: asked.ID, By: other, Approve: true, Policy: b.policy, AuditID: b.id(), At: item.At}
		id, auditID := b.id(), b.id()
		item.Decide = func(v player.View) (player.Change, error) {
			return player.DecideApproval(v, decision, func(v player.View, a approval.Approval) (player.Change, error) {
				return player.FundApproved(v, a, id, auditID, "")
			})
		}
		b.commit(item)
		b.same("funds", b.fundsIn("acme"), agent.Funds{Balance: 1_000_001})
		b.sound()
	}},
}

// limits returns an item that sets a credit limit.
func (b *bench) limits(ref agent.FundsRef, limit money.Amount) player.Item {
	w := player.CreditLimitRequest{
		CreditLimit: player.CreditLimit{Ref: ref, Amount: limit}, By: admin, Policy: b.policy, AuditID: b.id(), At: b.now(),
	}
	return itemOf("", w.At, operation(b.id()), player.Needs{Funds: []agent.FundsRef{ref}, Roles: []wallet.Address{admin}},
		func(v player.View) (player.Change, error) { return player.SetCreditLimit(v, w) })
}

// funds returns an item of a booking by the admin.
func (b *bench) funds(ref agent.FundsRef, amount int64) player.Item {
	return b.fundsBy(admin, ref, amount)
}

func (b *bench) fundsBy(by wallet.Address, ref agent.FundsRef, amount int64) player.Item {
	w := player.FundingRequest{
		Funding: player.Funding{ID: b.id(), Ref: ref, Amount: amount, Reason: "wire", By: by, At: b.now()},
		Terms:   terms(ref.Token), Policy: b.policy, ApprovalID: b.id(), AuditID: b.id(),
	}
	return itemOf("", w.At, operation(w.ID),
		player.Needs{
			Funds: []agent.FundsRef{ref}, Roles: []wallet.Address{by}, Votes: &player.VotesNeed{Token: ref.Token, By: by, At: w.At},
		},
		func(v player.View) (player.Change, error) { return player.RequestFunding(v, w) })
}

// soundFunds compares agents' prepaid accounts with their transfers and with the bets that sites
// are being asked for.
func (b *bench) soundFunds(book *ledger.Book) {
	b.Helper()
	want, stored := map[agent.FundsRef]string{}, map[agent.FundsRef]string{}
	reserved := map[agent.FundsRef]money.Amount{}
	for _, r := range must(b.OpenDeliveries(background, "", 10_000))(b) {
		if r.Status == seamless.Asking {
			reserved[agent.FundsRef{Agent: r.Agent, Token: r.Token}] += r.Amount
		}
	}
	for _, l := range book.Balances() {
		if ref := (agent.FundsRef{Agent: l.Account.Owner, Token: l.Token}); l.Account.Kind == ledger.Agent &&
			(l.Amount.Sign() != 0 || reserved[ref] > 0) {
			want[ref] = fmt.Sprint(l.Amount, " ", reserved[ref])
			delete(reserved, ref)
		}
	}
	for ref, amount := range reserved {
		want[ref] = fmt.Sprint("0 ", amount)
	}
	for _, l := range must(b.FundsOf(background, ""))(b) {
		if l.Balance != 0 || l.Reserved != 0 {
			stored[l.FundsRef] = fmt.Sprint(l.Balance, " ", l.Reserved)
		}
		b.errorIf(l.Free().Sign() < 0, "the account of %s passes its limit: %+v", l.Agent, l.Funds)
	}
	b.same("operators' funds", stored, want)
}
