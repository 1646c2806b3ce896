package sim

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// The initial balances of agents and their players, in lamports. Bets and wins are small compared
// to the hourly caps, so that no win waits for an admin.
const (
	atSite      = 6_000_000
	prepaid     = 4_000_000
	creditLimit = 1_000_000
	siteBetMax  = 2_000_000
	siteWinMax  = 2_500_000
)

// siteAgent is an agent that keeps its players' money at its own site and pays providers from its
// prepaid account.
type siteAgent struct {
	*fakes.AgentSite
	code, site string
	funded     int64
}

// network is agents with their players, and the answers that the provider got about them.
type network struct {
	sites   *fakes.Sites
	agents  [2]*siteAgent
	members [2]wallet.Address
	boss    wallet.Address
	rounds  []*forwarded
	open    []*forwarded // not answered yet
}

// forwarded is a message about a player whose money is at a site, as the provider knows it: the
// message and its answer.
type forwarded struct {
	message
	of     wallet.Address
	at     time.Time
	answer *kernel.ProviderResponse
	bet    *forwarded // of a win
	won    bool       // a win was sent
}

// sites are the agents' sites as the service reaches them.
type sites struct {
	*fakes.Sites
	world *World
}

// Send fails at random; while the site is responding a superadmin may move the player to another
// agent.
func (s sites) Send(ctx context.Context, to ports.SiteAccess, m ports.SiteMessage) (ports.SiteResponse, error) {
	switch o := s.At(to.Endpoint); {
	case s.world.planted == RenamedRepeat && o.Received(m.TxnID, m.Leg) > 0:
		m.TxnID += " again"
	case s.world.planted == ReversalUnsent && strings.HasPrefix(m.TxnID, seamless.ReversalID("")):
		return ports.SiteResponse{Accepted: true, Balance: "0"}, nil
	}
	answer, err := s.Sites.Send(ctx, to, m)
	if s.world.random.IntN(6) == 0 {
		_ = s.world.rebind(ctx, m.Wallet) // if its answer is lost, that is another fault
	}
	return answer, err
}

// join creates the agents and their players.
func (w *World) join(ctx context.Context) error {
	n := &w.network
	known := admin.RoleCommands{Roles: w.kept, Withdrawals: w.kept, Policy: rbac.DefaultPolicy(), Clock: w.clock, Entropy: w.entropy}
	var err error
	if n.boss, err = w.newWallet(); err != nil {
		return err
	}
	if err := known.Found(ctx, n.boss, "superadmin", ""); err != nil {
		return err
	}
	for i := range n.members {
		if n.members[i], err = w.newWallet(); err != nil {
			return err
		}
	}
	for i, code := range []string{"acme", "birch"} {
		o := &siteAgent{AgentSite: fakes.NewAgentSite(code, "secret of "+code, scale), code: code, site: "https://" + code + ".example/"}
		n.agents[i] = o
		n.sites.Set(o.site, o.AgentSite)
		for _, member := range n.members {
			o.Pay(member, atSite)
		}
		o.Trouble(func(ports.SiteMessage) fakes.Trouble {
			struck := w.faults.strike()
			if !struck { // sites fail twice as often as databases
				struck = w.faults.strike()
			}
			if !struck {
				return fakes.SiteFine
			}
			all := fakes.Troubles()
			return all[w.random.IntN(len(all))]
		})
		if err := w.enter(ctx, o); err != nil {
			return err
		}
	}
	for i, member := range n.members {
		if err := w.enrol(ctx, member, n.agents[i].code); err != nil {
			return err
		}
	}
	return nil
}

// enter creates an agent and books its prepaid account.
func (w *World) enter(ctx context.Context, o *siteAgent) error {
	made := agent.Agent{
		ID: "id-" + o.code, Code: o.code, Name: o.code, Status: agent.Active, SiteEndpoint: o.site,
		CreatedAt: w.clock.Now(), UpdatedAt: w.clock.Now(),
	}
	secrets := agent.Credentials{Token: agent.SecretFrom("token of " + o.code), Secret: agent.SecretFrom(o.Secret)}
	record := audit.Record{ID: w.entropy.ID(), Action: audit.AgentChanged, Target: o.code, At: w.clock.Now()}
	err := w.kept.ChangeAgent(ctx, "", o.code, func(rbac.Assignment, *agent.Agent) (ports.AgentChange, audit.Record, error) {
		return ports.AgentChange{Agent: made, Credentials: &secrets}, record, nil
	})
	if err != nil {
		return err
	}
	if _, err := w.casino.Admin.SetCreditLimit(ctx, caller(w.network.boss), made.ID, string(money.SOL), creditLimit); err != nil {
		return err
	}
	return w.prepay(ctx, o, prepaid)
}

func (w *World) prepay(ctx context.Context, o *siteAgent, amount int64) error {
	request := admin.FundingRequest{AgentID: "id-" + o.code, Token: string(money.SOL), Amount: amount, Reason: "simulated", Idempotency: w.key()}
	_, err := again(w, func() (admin.FundingResult, error) {
		return w.casino.Admin.FundAgent(ctx, caller(w.network.boss), request)
	})
	o.funded += amount
	return err
}

// enrol signs a player of an agent in and launches a game.
func (w *World) enrol(ctx context.Context, member wallet.Address, code string) error {
	if err := w.signInAs(ctx, member, code); err != nil {
		return err
	}
	_, err := w.casino.Providers.Launch(ctx, caller(member), providers.LaunchRequest{GameCode: slots[0], UserCode: string(member)})
	return err
}

// prepays lets the superadmin book an agent's payment.
func (w *World) prepays(ctx context.Context, _ *account) error {
	return w.prepay(ctx, w.network.agents[w.random.IntN(2)], 1+w.random.Int64N(500_000))
}

// rebinds moves a player to one of the agents.
func (w *World) rebinds(ctx context.Context, _ *account) error {
	err := w.rebind(ctx, w.network.members[w.random.IntN(2)])
	if err == nil {
		return nil
	}
	return refusedWith(err, fault.Unavailable)
}

func (w *World) rebind(ctx context.Context, member wallet.Address) error {
	_, err := w.casino.Admin.Rebind(ctx, caller(w.network.boss), string(member), w.network.agents[w.random.IntN(2)].code, "simulated")
	return err
}

// forward delivers a message about a player whose money is at a site: a bet, a whole round, the
// win of a bet, or a repeated one.
func (w *World) forward(ctx context.Context, _ *account) error {
	f := w.drawForwarded()
	if err := w.send(ctx, f); err != nil {
		return fmt.Errorf("%+v: %w", f.message, err)
	}
	return w.covered(ctx)
}

func (w *World) drawForwarded() *forwarded {
	n := &w.network
	roll := w.random.IntN(10)
	if len(n.rounds) > 0 && roll < 2 {
		return n.rounds[w.random.IntN(len(n.rounds))]
	}
	f := &forwarded{of: n.members[w.random.IntN(2)], at: w.clock.Now()}
	f.message = message{
		user: string(f.of), txn: fmt.Sprint("f", len(n.rounds)), kind: seamless.Debit, game: slots[w.random.IntN(2)],
		bet: w.random.Int64N(siteBetMax), finer: w.random.IntN(20) == 0,
	}
	switch {
	case roll < 4:
		f.kind, f.win = seamless.DebitCredit, w.random.Int64N(siteWinMax)
	case roll < 7:
		if bet := n.lacksWin(); bet != nil {
			bet.won = true
			f.of, f.bet = bet.of, bet
			f.message = message{user: bet.user, txn: bet.txn, kind: seamless.Credit, game: bet.game, win: w.random.Int64N(siteWinMax)}
		}
	}
	n.rounds, n.open = append(n.rounds, f), append(n.open, f)
	return f
}

// lacksWin returns the oldest accepted bet without a win.
func (n *network) lacksWin() *forwarded {
	for _, f := range n.rounds {
		if f.kind == seamless.Debit && !f.won && f.taken() {
			return f
		}
	}
	return nil
}

func (f *forwarded) taken() bool { return f.answer != nil && f.answer.Accepted }

// send sends a message a few times. An unanswered message is sent again at another time; an
// answered one always gets the same answer.
func (w *World) send(ctx context.Context, f *forwarded) error {
	for range attempts {
		answer, err := w.casino.Providers.ProviderTransact(ctx, kernel.ProviderCall{
			UserCode: f.user, TxnID: f.txn, Kind: string(f.kind), GameType: "slot", Provider: maker, Game: f.game,
			Bet: decimal(f.message.bet, f.finer), Win: decimal(f.win, false),
		})
		switch {
		case fault.Is(err, fault.Unavailable), fault.Is(err, fault.External), fault.Is(err, fault.AgentSeamless):
			continue
		case err != nil:
			return err
		case f.answer != nil && (f.answer.Accepted != answer.Accepted || f.answer.Reason != answer.Reason):
			return fmt.Errorf("answered %+v and then %+v", *f.answer, answer)
		case f.answer != nil:
			return nil
		case f.kind == seamless.Credit && !answer.Accepted:
			return fmt.Errorf("a win is refused: %+v", answer)
		}
		f.answer = &answer
		w.network.answered(f)
		if answer.Accepted {
			w.stood(f)
		}
		return nil
	}
	return nil
}

func (n *network) answered(f *forwarded) {
	for i, other := range n.open {
		if other == f {
			n.open = append(n.open[:i], n.open[i+1:]...)
			return
		}
	}
}

// stood adds a message to the provider's log.
func (w *World) stood(f *forwarded) {
	w.table.paid += f.message.bet - f.win
	asked := seamless.Requested{}
	if f.kind.Bets() {
		asked.Bet = decimal(f.message.bet, f.finer)
	}
	if f.kind.Wins() {
		asked.Win = decimal(f.win, false)
	}
	w.provider.log[f.of] = append(w.provider.log[f.of], seamless.Record{
		TxnID: f.txn, Kind: f.kind, Provider: maker, Game: f.game, Requested: asked, At: f.at.Truncate(time.Second),
	})
}

// fundsOf returns an agent's prepaid account.
func (w *World) fundsOf(ctx context.Context, code string) (agent.Funds, error) {
	lines, err := w.kept.FundsOf(ctx, code)
	for _, line := range lines {
		if line.Token == money.SOL {
			return line.Funds, err
		}
	}
	return agent.Funds{}, err
}

// covered checks that agents owe no more than their credit limits.
func (w *World) covered(ctx context.Context) error {
	for _, o := range w.network.agents {
		funds, err := w.fundsOf(ctx, o.code)
		if err != nil {
			return err
		}
		if funds.Balance-int64(funds.Reserved) < -creditLimit {
			return fmt.Errorf("%s has %+v, below its credit limit", o.code, funds)
		}
	}
	return nil
}

// agreed compares sites and accounts with the provider's answers, once every message is answered.
func (w *World) agreed(ctx context.Context) error {
	n := &w.network
	if len(n.open) > 0 {
		return fmt.Errorf("%+v was never answered", n.open[0].message)
	}
	if left, err := w.kept.OpenDeliveries(ctx, "", 1); err != nil || len(left) > 0 {
		return fmt.Errorf("still on their way: %+v (%w)", left, err)
	}
	type playerAtSite struct {
		member wallet.Address
		code   string
	}
	there, accounts := map[playerAtSite]int64{}, map[string]int64{}
	for _, f := range n.rounds {
		if !f.taken() {
			continue
		}
		payer, err := n.payer(f)
		if err != nil {
			return err
		}
		there[playerAtSite{f.of, payer}] += f.win - f.message.bet
		accounts[payer] += f.win - f.message.bet
	}
	for _, o := range n.agents {
		for _, member := range n.members {
			if got, want := int64(o.Has(member)), atSite+there[playerAtSite{member, o.code}]; got != want {
				return fmt.Errorf("%s has %d at the site of %s, the provider's answers make it %d", member, got, o.code, want)
			}
		}
		funds, err := w.fundsOf(ctx, o.code)
		if want := o.funded + accounts[o.code]; err != nil || funds.Balance != want || funds.Reserved != 0 {
			return fmt.Errorf("the account of %s is %+v, the provider's answers make it %d (%w)", o.code, funds, want, err)
		}
		if err := w.inLedger(ctx, o, funds.Balance); err != nil {
			return err
		}
	}
	return nil
}

// inLedger compares an agent's account with its total in the ledger.
func (w *World) inLedger(ctx context.Context, o *siteAgent, balance int64) error {
	totals, err := w.kept.Totals(ctx)
	sum := money.Total{}
	for _, total := range totals {
		if total.Account == ledger.AgentOf(o.code) && total.Token == money.SOL {
			sum = sum.Add(total.Amount)
		}
	}
	if err == nil && sum != money.TotalOfInt(balance) {
		err = fmt.Errorf("the ledger has %v for %s, its account %d", sum, o.code, balance)
	}
	return err
}

// payer returns the agent at whose site an accepted bet was paid; for a win, that of its bet.
func (n *network) payer(f *forwarded) (code string, err error) {
	bet := f
	if f.bet != nil {
		bet = f.bet
	}
	for _, o := range n.agents {
		if !o.Took(bet.txn, seamless.Debit) {
			continue
		}
		if code != "" {
			return "", fmt.Errorf("bet %s was paid at both sites", bet.txn)
		}
		code = o.code
	}
	if code == "" {
		return "", errors.New("bet " + bet.txn + " stands, and no site took it")
	}
	return code, nil
}
