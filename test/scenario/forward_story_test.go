package scenario_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/sites"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// tale is the story as the provider knows it: its messages and the responses. They determine all
// final balances.
type tale struct {
	*network
	random  *rand.Rand
	players []*taleplayer
	rounds  []*taleround
	pending []*message
	prepaid map[string]int64
}

type taleplayer struct {
	wallet wallet.Address
	code   string
	// here and there are the player's initial money, in the balance and at the agent's site.
	here, there int64
}

// taleround is a debit and its credits.
type taleround struct {
	player *taleplayer
	txn    string
	bet    int64
	taken  bool
	// atSite says that the bet was forwarded.
	atSite bool
	wins   []*message
	whole  *message
}

// message is one transaction of the provider, sent until it is answered.
type message struct {
	kernel.ProviderCall
	round    *taleround
	bet, win int64
	answer   *kernel.ProviderResponse
	failed   error
	copies   int
}

// TestForwardingUnderEveryTrouble lets players of agents play while the sites are slow, answer
// garbage or too late, move, are removed and come back, and processes die between their commits;
// every message arrives 1 to 3 times, on either instance. In the end player, agent and provider
// must agree.
func TestForwardingUnderEveryTrouble(t *testing.T) {
	t.Parallel()
	for name, open := range forwardStores() {
		seeds, steps := []uint64{1, 2, 3, 4, 5, 6, 7, 8}, 400
		if name != "memory" {
			seeds, steps = []uint64{11}, 200
		}
		for _, seed := range seeds {
			t.Run(fmt.Sprint(name, "/", seed), func(t *testing.T) {
				t.Parallel()
				s := newTale(newNetwork(t, open(t), seed), seed)
				for range steps {
					s.step()
				}
				s.end()
				s.agree()
			})
		}
	}
}

func newTale(n *network, seed uint64) *tale {
	s := &tale{network: n, random: rand.New(rand.NewPCG(seed, 77)), prepaid: map[string]int64{}}
	s.acme = n.agentWithSite("acme", oldSite)
	birch := n.agentWithSite("birch", "") // gets its first site during the test
	n.sites.Set("https://birch.example/", birch)
	for i := range 5 {
		p := &taleplayer{code: "acme", there: 6_000}
		o := s.acme
		if i >= 3 {
			p.code, o = "birch", birch
			p.here = 30_000
		}
		name := fmt.Sprint("player ", i, " of ", seed)
		o.Pay(fakes.Wallet(name), money.Amount(p.there))
		p.wallet = n.member(name, p.code)
		if p.here > 0 {
			_, err := n.instances[0].Admin.AdjustBalance(n.Context(), n.admin, admin.AdjustmentRequest{
				User: string(p.wallet), Token: string(money.SOL), Amount: p.here, Reason: "to play with",
			})
			n.must(err)
		}
		s.players = append(s.players, p)
	}
	for _, code := range []string{"acme", "birch"} {
		n.creditLimit(code, 5_000)
		n.prepay(code, 25_000)
		s.prepaid[code] = 25_000
	}
	for _, o := range []*fakes.AgentSite{s.acme, birch} {
		o.Trouble(func(ports.SiteMessage) fakes.Trouble {
			if s.random.IntN(100) < 65 {
				return fakes.SiteFine
			}
			all := fakes.Troubles()
			return all[s.random.IntN(len(all))]
		})
	}
	return s
}

// step does one random thing.
func (s *tale) step() {
	s.clock.Advance(time.Duration(s.random.IntN(3000)) * time.Millisecond)
	switch roll := s.random.IntN(100); {
	case roll < 35:
		s.begin()
	case roll < 55:
		s.win()
	case roll < 75:
		s.again()
	case roll < 85:
		s.work(time.Duration(s.random.IntN(4)) * time.Second)
	case roll < 90:
		s.move()
	case roll < 94: // one process dies within the next commits, or at once; it is started again later
		s.deaths[s.random.IntN(len(s.deaths))].left = s.random.IntN(3)
	case roll < 98:
		s.restart()
	default:
		code := []string{"acme", "birch"}[s.random.IntN(2)]
		amount := int64(s.random.IntN(3000) + 1)
		s.restart() // an admin's call isn't repeated here
		s.prepay(code, amount)
		s.prepaid[code] += amount
	}
}

func (s *tale) restart() {
	for i, death := range s.deaths {
		if death.left >= 0 {
			death.left = -1
			s.instances[i] = s.build(i)
			s.workers[i] = s.instances[i].Sites.DeliveryWorker()
		}
	}
}

// move changes the endpoints of the agents' sites. acme's site answers at both of its endpoints;
// one of them is sometimes off.
func (s *tale) move() {
	s.restart()
	switch s.random.IntN(7) {
	case 5:
		s.acme.Refuse(seamless.Debit, seamless.LimitExceeded)
	case 6:
		s.acme.Refuse(seamless.Debit, seamless.None)
	case 0:
		s.moves("acme", oldSite)
	case 1:
		s.moves("acme", newSite)
	case 2:
		s.sites.Set(oldSite, nil)
		s.sites.Set(newSite, s.acme)
	case 3:
		s.sites.Set(oldSite, s.acme)
	case 4:
		s.moves("birch", "https://birch.example/")
	}
}

// begin sends a bet, or a whole round.
func (s *tale) begin() {
	p := s.players[s.random.IntN(len(s.players))]
	r := &taleround{player: p, txn: fmt.Sprint("t", len(s.rounds)), bet: int64(s.random.IntN(3000))}
	m := &message{round: r, bet: r.bet}
	if s.random.IntN(4) == 0 {
		m.win = int64(s.random.IntN(4000))
		m.ProviderCall = call(p.wallet, r.txn, seamless.DebitCredit, decimalOf(m.bet), decimalOf(m.win))
		r.whole = m
	} else {
		m.ProviderCall = call(p.wallet, r.txn, seamless.Debit, decimalOf(m.bet), "")
	}
	s.rounds = append(s.rounds, r)
	s.send(m)
}

func decimalOf(units int64) seamless.Decimal {
	return seamless.DecimalOf(money.Amount(units), forwardScale)
}

// win sends a credit of a round whose bet was accepted, under its id or a new one.
func (s *tale) win() {
	var taken []*taleround
	for _, r := range s.rounds {
		if r.taken && r.whole == nil && len(r.wins) == 0 {
			taken = append(taken, r)
		}
	}
	if len(taken) == 0 {
		return
	}
	r := taken[s.random.IntN(len(taken))]
	m := &message{round: r, win: int64(s.random.IntN(6000))}
	m.ProviderCall = call(r.player.wallet, r.txn, seamless.Credit, "", decimalOf(m.win))
	r.wins = append(r.wins, m)
	s.send(m)
}

// again repeats a message, unanswered or answered.
func (s *tale) again() {
	if len(s.pending) > 0 {
		s.deliver(s.pending[s.random.IntN(len(s.pending))])
	}
}

// send delivers a message for the first time; it may be repeated in any order.
func (s *tale) send(m *message) {
	m.copies = 1 + s.random.IntN(3)
	s.pending = append(s.pending, m)
	s.deliver(m)
}

// deliver sends a message to an instance and compares the answer with the first.
func (s *tale) deliver(m *message) {
	s.Helper()
	m.copies--
	got, err := s.instances[s.random.IntN(len(s.instances))].Providers.ProviderTransact(s.Context(), m.ProviderCall)
	if err != nil {
		m.failed = err
		return // HTTP 503: the provider sends it again
	}
	if m.answer == nil {
		m.answer = &got
		if m.Kind != string(seamless.Credit) {
			// A bet on a balance here is one commit, so it was made now.
			m.round.taken, m.round.atSite = got.Accepted, s.agents[m.round.player.code].SiteEndpoint != ""
		} else if !got.Accepted {
			s.Errorf("the win %s is refused: %+v", m.TxnID, got)
		}
	}
	if got.Accepted != m.answer.Accepted || got.Reason != m.answer.Reason {
		s.Errorf("%s %s is answered %+v and then %+v", m.Kind, m.TxnID, *m.answer, got)
	}
	if m.answer != nil && m.copies <= 0 {
		for i, other := range s.pending {
			if other == m {
				s.pending = append(s.pending[:i], s.pending[i+1:]...)
				return
			}
		}
	}
}

// end completes everything: the sites answer, acme's old one stays gone, an admin sends its
// deliveries to the new one, and the provider repeats its messages until they are answered.
func (s *tale) end() {
	s.Helper()
	s.restart()
	s.acme.Trouble(nil)
	s.acme.Refuse(seamless.Debit, seamless.None)
	s.sites.Set(oldSite, nil)
	s.sites.Set(newSite, s.acme)
	s.moves("acme", newSite)
	s.moves("birch", "https://birch.example/")
	if birch := s.birch(); birch != nil {
		birch.Trouble(nil)
	}
	for range 3 { // a late answer may begin another delivery to the old site
		for range 10 {
			for _, m := range append([]*message(nil), s.pending...) {
				s.deliver(m)
			}
		}
		s.work(30 * time.Minute)
		for _, r := range s.open() {
			if r.Site != oldSite {
				s.Errorf("delivery %s of %s is still %s at %s", r.ID, r.Agent, r.Status, r.Site)
			}
			_, err := s.instances[0].Sites.DecideDelivery(s.Context(), s.admin, sites.DeliveryDecision{ID: r.ID, Resend: true, Reason: "they moved"})
			s.must(err)
		}
		s.work(20 * time.Minute)
	}
	for _, r := range s.open() {
		s.Errorf("delivery %s is still %s", r.ID, r.Status)
	}
	if len(s.pending) > 0 {
		s.Errorf("%d messages are never answered: %+v: %v", len(s.pending), s.pending[0].ProviderCall, s.pending[0].failed)
	}
}

func (s *tale) birch() *fakes.AgentSite { return s.sites.At("https://birch.example/") }

// agree computes the expected final balances from the provider's responses.
func (s *tale) agree() {
	s.Helper()
	here, there := map[*taleplayer]int64{}, map[*taleplayer]int64{}
	accounts, provider, forwarded := map[string]int64{}, int64(0), 0
	for _, p := range s.players {
		here[p], there[p] = p.here, p.there
	}
	for code, amount := range s.prepaid {
		accounts[code] = amount
	}
	for _, r := range s.rounds {
		net := int64(0)
		if r.taken {
			net -= r.bet
			if r.whole != nil {
				net += r.whole.win
			}
		}
		for _, m := range r.wins {
			net += m.win
		}
		provider -= net
		if r.atSite {
			forwarded++
			there[r.player] += net
			accounts[r.player.code] += net
		} else {
			here[r.player] += net
		}
	}
	for i, p := range s.players {
		o := s.acme
		if p.code == "birch" {
			o = s.birch()
		}
		if got := int64(o.Has(p.wallet)); got != there[p] {
			s.Errorf("player %d has %d at %s, the provider's responses make it %d", i, got, p.code, there[p])
		}
		lines, err := s.store().Balances(s.Context(), p.wallet)
		s.must(err)
		got := int64(0)
		for _, line := range lines {
			got += int64(line.Amount)
		}
		if got != here[p] {
			s.Errorf("player %d has %d here, the provider's responses make it %d", i, got, here[p])
		}
	}
	for code, want := range accounts {
		if f := s.funds(code); f.Balance != want || f.Reserved != 0 {
			s.Errorf("the account of %s is %+v, the provider's responses make it %d", code, f, want)
		}
		if got := s.total(ledger.AgentOf(code)); got != money.TotalOfInt(want) {
			s.Errorf("the ledger has %v for %s, not %d", got, code, want)
		}
	}
	if got := s.total(ledger.ProviderOf("gold")); got != money.TotalOfInt(provider) {
		s.Errorf("the ledger has %v for the provider, its own books %d", got, provider)
	}
	for _, status := range []seamless.DeliveryStatus{seamless.Paid, seamless.Declined, seamless.Reversed, seamless.Delivered} {
		page, err := s.store().Deliveries(s.Context(), ports.DeliveryFilter{Status: status}, ports.Page{Number: 1, Limit: 1})
		s.must(err)
		if page.Total == 0 || forwarded < 20 {
			s.Errorf("%d deliveries are %s, %d rounds were forwarded: the story covers too little", page.Total, status, forwarded)
		}
	}
	s.proved()
}
