package scenario_test

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/accounts"
	"github.com/casino-service/casino/app/admin"
	appaudit "github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/app/sites"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/catalog"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// The endpoints of the agents' sites in these stories.
const (
	oldSite = "https://old.acme.example/"
	newSite = "https://new.acme.example/"
)

// forwardScale is the scale of the provider's money: a unit is a thousand lamports.
const forwardScale = 3

// network is a service with players whose money may be at agents' sites: instances over one
// database, and agents.
type network struct {
	*testing.T
	instances []*app.Casino
	workers   []*sites.DeliveryWorker
	clock     *fakes.Clock
	entropy   *fakes.Entropy
	sites     *fakes.Sites
	acme      *fakes.AgentSite
	deaths    []*mortal
	build     func(of int) *app.Casino
	admin     app.Caller
	agents    map[string]agent.Agent
}

// mortal is a store whose process dies after a number of further commits: from then on nothing is
// committed until it is started again.
type mortal struct {
	Store
	left int // below zero: immortal
}

var errDead = errors.New("the process is dead")

func (m *mortal) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	if m.left == 0 {
		return player.Receipt{}, errDead
	}
	if m.left > 0 {
		m.left--
	}
	return m.Store.Commit(ctx, item)
}

// launches is a provider that only launches.
type launches struct{ ports.GameProvider }

func (launches) Launch(context.Context, ports.LaunchRequest) (string, error) {
	return "https://games.example/play", nil
}

// forwardStores are the stores for tests of forwarding, each opened by one or two instances.
func forwardStores() map[string]func(t *testing.T) []Store {
	stores := map[string]func(t *testing.T) []Store{
		"memory": func(*testing.T) []Store { s := memory.New(); return []Store{s, s} },
	}
	for name, open := range engines {
		stores[name] = func(t *testing.T) []Store {
			ring, err := sealer.ParseKeys([]string{"k1:" + hex.EncodeToString(make([]byte, 31)) + "07"})
			if err != nil {
				t.Fatal(err)
			}
			found := open(t, sealer.New(ring, rand.NewChaCha8([32]byte{9})))
			h := &house{T: t}
			var all []Store
			for i, store := range found.stores {
				all = append(all, h.running(store, fmt.Sprint("forward ", i)))
			}
			return []Store{all[0], all[len(all)-1]}
		}
	}
	return stores
}

var _ ports.Writer = (*sqlstore.Writer)(nil)

func newNetwork(t *testing.T, stores []Store, seed uint64) *network {
	t.Helper()
	n := &network{
		T: t, clock: fakes.NewClock(fakes.Start), entropy: fakes.NewEntropy(int64(seed)), sites: fakes.NewSites(), agents: map[string]agent.Agent{},
	}
	sol := terms(money.SOL, token.System, 9)
	games, err := fakes.StandardGames()
	n.must(err)
	chain := fakes.NewChain(sol)
	for _, store := range stores {
		n.deaths = append(n.deaths, &mortal{store, -1})
	}
	n.build = func(of int) *app.Casino {
		made, err := app.New(app.Deps{
			Store: app.StoreOf(n.deaths[of]), Chain: chain, Clock: n.clock, Entropy: n.entropy, Games: games,
			Sessions: fakes.NewSessions(n.clock, "test", time.Hour), Tokens: token.NewBook(sol), Policy: rbac.DefaultPolicy(),
			Branding: branding.Default(),
			Provider: &app.ProviderConnection{
				Code: "gold", Games: launches{}, Token: money.SOL, Scale: forwardScale, Sites: n.sites,
				Caps: player.ProviderCaps{NetWin: money.Max, WithoutDebit: money.Max, Connection: money.Max},
			},
		})
		n.must(err)
		return made
	}
	for of := range stores {
		n.instances = append(n.instances, n.build(of))
		n.workers = append(n.workers, n.instances[of].Sites.DeliveryWorker())
	}
	_, err = stores[0].RegisterGames(t.Context(), []catalog.Game{{
		Code: "fruits", Provider: "MAKER", Name: "Fruits", Type: "slot", Enabled: true, UpdatedAt: n.clock.Now(),
	}})
	n.must(err)
	n.admin = caller("boss")
	commands := admin.RoleCommands{Roles: stores[0], Withdrawals: stores[0], Policy: rbac.DefaultPolicy(), Clock: n.clock, Entropy: n.entropy}
	n.must(commands.SeedSuperadmins(t.Context(), []wallet.Address{n.admin.Wallet}))
	return n
}

func (n *network) must(err error) {
	n.Helper()
	if err != nil {
		n.Fatal(err)
	}
}

func (n *network) store() Store { return n.deaths[0].Store }

// agentWithSite creates an agent with its own site, and returns the site.
func (n *network) agentWithSite(code, site string) *fakes.AgentSite {
	n.Helper()
	o := fakes.NewAgentSite(code, "secret of "+code, forwardScale)
	n.agents[code] = agent.Agent{
		ID: "id-" + code, Code: code, Name: code, Status: agent.Active, SiteEndpoint: site, CreatedAt: n.clock.Now(), UpdatedAt: n.clock.Now(),
	}
	n.keep(code, &agent.Credentials{Token: agent.SecretFrom("token of " + code), Secret: agent.SecretFrom(o.Secret)})
	if site != "" {
		n.sites.Set(site, o)
	}
	return o
}

func (n *network) keep(code string, credentials *agent.Credentials) {
	n.Helper()
	record := audit.Record{ID: n.entropy.ID(), Action: audit.AgentChanged, Target: code, At: n.clock.Now()}
	n.must(n.store().ChangeAgent(n.Context(), "", code, func(rbac.Assignment, *agent.Agent) (ports.AgentChange, audit.Record, error) {
		return ports.AgentChange{Agent: n.agents[code], Credentials: credentials}, record, nil
	}))
}

// moves changes an agent's site.
func (n *network) moves(code, site string) {
	n.Helper()
	a := n.agents[code]
	a.SiteEndpoint = site
	n.agents[code] = a
	n.keep(code, nil)
}

func (n *network) prepay(code string, amount int64) {
	n.Helper()
	_, err := n.instances[0].Admin.FundAgent(n.Context(), n.admin, admin.FundingRequest{
		AgentID: "id-" + code, Token: string(money.SOL), Amount: amount, Reason: "by wire",
	})
	n.must(err)
}

func (n *network) creditLimit(code string, limit int64) {
	n.Helper()
	_, err := n.instances[0].Admin.SetCreditLimit(n.Context(), n.admin, "id-"+code, string(money.SOL), limit)
	n.must(err)
}

// member signs a name in as an agent's player who launched a game.
func (n *network) member(name, code string) wallet.Address {
	n.Helper()
	w, millis := fakes.Wallet(name), n.clock.Advance(time.Millisecond).UnixMilli()
	_, err := n.instances[0].Accounts.SignIn(n.Context(), accounts.SignInRequest{
		Wallet: string(w), Timestamp: millis, AgentCode: code,
		Signature: ed25519.Sign(fakes.Key(name), []byte(wallet.LoginMessage(w, millis))),
	})
	n.must(err)
	_, err = n.instances[0].Providers.Launch(n.Context(), app.Caller{Wallet: w}, providers.LaunchRequest{GameCode: "fruits", UserCode: string(w)})
	n.must(err)
	return w
}

// call is a provider's message.
func call(w wallet.Address, txn string, kind seamless.Kind, bet, win seamless.Decimal) kernel.ProviderCall {
	return kernel.ProviderCall{
		UserCode: string(w), TxnID: txn, Kind: string(kind), GameType: "slot", Provider: "MAKER", Game: "fruits", Bet: bet, Win: win,
	}
}

// funds returns an agent's prepaid account.
func (n *network) funds(code string) agent.Funds {
	n.Helper()
	lines, err := n.store().FundsOf(n.Context(), code)
	n.must(err)
	for _, line := range lines {
		return line.Funds
	}
	return agent.Funds{}
}

func (n *network) total(a ledger.Account) (sum money.Total) {
	n.Helper()
	lines, err := n.store().Totals(n.Context())
	n.must(err)
	for _, line := range lines {
		if line.Account == a {
			sum = sum.Add(line.Amount)
		}
	}
	return sum
}

// proved checks all stored data: the audit, and I1, the sum over all accounts.
func (n *network) proved() {
	n.Helper()
	report, err := appaudit.NewAuditor(n.store(), n.instances[0].Games, nil).Run(n.Context())
	n.must(err)
	for _, finding := range report.Findings {
		n.Error(finding)
	}
	var sum money.Total
	lines, err := n.store().Totals(n.Context())
	n.must(err)
	for _, line := range lines {
		sum = sum.Add(line.Amount)
	}
	if sum.Sign() != 0 {
		n.Errorf("all accounts add up to %v", sum)
	}
}

// work runs the workers for this time of the clock.
func (n *network) work(long time.Duration) {
	n.Helper()
	for end := n.clock.Now().Add(long); n.clock.Now().Before(end); n.clock.Advance(time.Second) {
		for _, worker := range n.workers {
			for {
				worked, err := worker.Step(n.Context())
				if err != nil && !errors.Is(err, errDead) {
					n.Fatal(err)
				}
				if !worked || err != nil {
					break
				}
			}
		}
	}
}

// open returns the deliveries that are not settled.
func (n *network) open() []seamless.Delivery {
	n.Helper()
	open, err := n.store().OpenDeliveries(n.Context(), "", 1000)
	n.must(err)
	return open
}
