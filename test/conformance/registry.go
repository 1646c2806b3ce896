package conformance

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// Registry is the suite of ports.Registry.
func Registry(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, registryCases)
}

var registryCases = []story{
	{"an empty store takes the identity and any other is compared", Rows, func(b *bench) {
		dev := ports.Identity{Mode: ports.ModeDev, Genesis: "genesis one"}
		for range 2 {
			b.ok(b.Initialize(background, dev))
		}
		for what, id := range map[string]ports.Identity{
			"mode":    {Mode: ports.ModeReal, Genesis: dev.Genesis},
			"genesis": {Mode: dev.Mode, Genesis: "genesis two"},
		} {
			err := b.Initialize(background, id)
			if !fault.Is(err, fault.InvalidState) || !strings.Contains(err.Error(), what) {
				b.Errorf("another %s: %v", what, err)
			}
		}
		b.check(b.Initialize(background, dev))
	}},
	{"of two that store the identity at once one wins", Races, func(b *bench) {
		var won, lost atomic.Int32
		ids := []ports.Identity{
			{Mode: ports.ModeDev, Genesis: "one"}, {Mode: ports.ModeReal, Genesis: "one"},
			{Mode: ports.ModeDev, Genesis: "two"}, {Mode: ports.ModeReal, Genesis: "two"},
		}
		atOnce(len(ids), func(i int) {
			switch err := b.Initialize(background, ids[i]); {
			case err == nil:
				won.Add(1)
			case fault.Is(err, fault.InvalidState):
				lost.Add(1)
			default:
				b.Error(err)
			}
		})
		if won.Load() != 1 || lost.Load() != 3 {
			b.Errorf("%d won, %d lost", won.Load(), lost.Load())
		}
	}},
	{"tokens are known for ever and closing when not given", Rows, func(b *bench) {
		b.same("nothing", len(b.know()), 0)
		sol, dollar := terms(money.SOL), terms(usd)
		sol.BankrollShare, sol.TwoPersonAbove = money.Ratio{Num: 1, Den: 1 << 63}, token.NoTwoPerson
		b.same("both", b.know(sol, dollar), wants(sol, dollar))
		sol.MinWager, sol.MaxPayout, sol.Symbol, dollar.NewAccountFee, dollar.TwoPersonAbovePerDay, sol.Seal = 77, 78, "SOL2", 9, 79, "k:1"
		b.same("both, changed", b.know(sol, dollar), wants(sol, dollar))
		closing := dollar
		closing.Closing = true
		b.same("one left out", b.know(sol), wants(sol, closing))
		solClosing := sol
		solClosing.Closing = true
		euro := terms(fakes.Mint("eur"))
		b.same("another one", b.know(euro), wants(solClosing, closing, euro))
		euro.Closing = true
		b.same("none", b.know(), wants(solClosing, closing, euro))
		b.same("opened again", b.know(dollar), wants(solClosing, dollar, euro))
	}},
	{"decimals and program never change", Logic, func(b *bench) {
		dollar, euro := terms(usd), terms(fakes.Mint("eur"))
		b.know(dollar)
		decimals, program := dollar, dollar
		decimals.Decimals++
		program.Program = token.Token2022
		for what, other := range map[string]token.Terms{"decimals": decimals, "program": program} {
			other.MinWager = 999
			_, err := b.RegisterTokens(background, []token.Terms{euro, other})
			if !fault.Is(err, fault.InvalidState) || !strings.Contains(err.Error(), string(usd)) {
				b.Errorf("other %s: %v", what, err)
			}
		}
		b.same("what is known", b.know(dollar), wants(dollar))
	}},
	{"the identity and the tokens outlive reopening", Rows, func(b *bench) {
		b.ok(b.Initialize(background, ports.Identity{Mode: ports.ModeReal, Genesis: "one"}))
		b.know(terms(usd))
		b.reopen()
		b.fails(fault.InvalidState, b.Initialize(background, ports.Identity{Mode: ports.ModeDev, Genesis: "one"}), "after reopening")
		closing := terms(usd)
		closing.Closing = true
		b.same("the tokens", b.know(), wants(closing))
	}},
}

func (b *bench) know(open ...token.Terms) []token.Terms {
	b.Helper()
	return must(b.RegisterTokens(background, open))(b).All()
}

// wants prepares an expected list: the terms, sorted as a token.Book sorts them.
func wants(all ...token.Terms) []token.Terms { return token.NewBook(all...).All() }
