package rows

import (
	"cmp"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// providerRoundRow is a row of provider_rounds.
type providerRoundRow struct {
	bun.BaseModel `bun:"table:provider_rounds,alias:r"`
	Round         struct {
		ID string `bun:",pk,type:uuid"`
		seamless.Ref
		GameType     string
		Wallet       wallet.Address `bun:",pk,type:uuid"`
		Agent        string
		Token        money.Token
		Scale        seamless.Scale
		Wager        money.Amount
		Payout       money.Amount
		Site         string
		Balance      money.Amount
		Credits      int
		WithoutDebit bool
		At           time.Time
	} `bun:"embed:"`
}

// ProviderRounds are the rounds of providers' games.
var ProviderRounds = modelOf[providerRoundRow, seamless.Round]()

var (
	readExact = ProviderRounds.find("r.wallet = s.wallet AND r.connection = s.connection AND r.txn_id = s.txn_id AND NOT r.without_debit",
		"wallet:uuid", "connection", "txn_id")
	writeProviderRounds = ProviderRounds.upsert("payout", "balance", "credits")
)

// latestOf is the query of the newest round of a player in a game. Machines that rows are
// spread over look at all of the player's in it.
func latestOf(d db.Dialect) selection[seamless.Round] {
	which := `r.wallet = s.wallet AND r.id = (SELECT n.id FROM provider_rounds AS n WHERE n.wallet = s.wallet
			AND n.connection = s.connection AND n.provider = s.provider AND n.game = s.game AND NOT n.without_debit ORDER BY n.id DESC LIMIT 1)`
	if db.IsSpread(d) {
		which = `r.wallet = s.wallet AND r.connection = s.connection AND r.provider = s.provider AND r.game = s.game AND NOT r.without_debit
			AND NOT EXISTS (SELECT FROM provider_rounds AS n WHERE n.wallet = r.wallet AND n.connection = r.connection
				AND n.provider = r.provider AND n.game = r.game AND NOT n.without_debit AND n.id > r.id)`
	}
	return ProviderRounds.find(which, "wallet:uuid", "connection", "provider", "game")
}

// roundMatches are the rounds that providers' credits may belong to, and those that the
// batch begins or goes on with.
type roundMatches struct {
	plain
	rounds map[string]seamless.Round
}

func (*roundMatches) ask(b *Batch) {
	var exact, latest [][]any
	for _, w := range b.sorted {
		for _, ref := range w.Needs.Seamless {
			put(&w.View.Seamless, ref, seamless.RoundMatch{})
			exact = append(exact, []any{w.key, ref.Connection, ref.TxnID})
			latest = append(latest, []any{w.key, ref.Connection, ref.Provider, ref.Game})
		}
	}
	for _, part := range []struct {
		query selection[seamless.Round]
		rows  [][]any
	}{{readExact, exact}, {b.readLatest, latest}} {
		part.query.ask(&b.Asks, "read provider rounds", distinct(part.rows), func(round seamless.Round) error {
			w, err := b.owner(round.Wallet)
			if err != nil {
				return err
			}
			for ref, standing := range w.View.Seamless {
				w.View.Seamless[ref] = standing.After(ref, round)
			}
			return nil
		})
	}
}

// distinct sorts rows of texts and leaves out those that are there twice.
func distinct(rows [][]any) [][]any {
	slices.SortFunc(rows, db.CompareRows)
	return slices.CompactFunc(rows, func(a, b []any) bool { return db.CompareRows(a, b) == 0 })
}

func (*roundMatches) check(b *Batch, s *Step) error {
	if s.Change.ProviderRound == nil {
		return nil
	}
	return cmp.Or(isUUID(s.Change.ProviderRound.ID), b.drawn(s.Change.ProviderRound.ID, s.Change.ProviderRound.At))
}

func (p *roundMatches) stage(_ *Batch, s *Step) {
	if r := s.Change.ProviderRound; r != nil {
		put(&p.rounds, r.ID, *r)
	}
}

func (p *roundMatches) write(b *Batch) error {
	var rows [][]any
	var cells listCells
	for _, r := range p.rounds {
		rows = append(rows, writeProviderRounds.row(&r))
		if r.Wager == 0 { // one that a credit of nothing begins has no figure
			cells.add(listCell{List: "provider_rounds", Token: r.Token, Agent: r.Agent}, listCell{List: "provider_rounds", Game: r.Game, Token: r.Token, Agent: r.Agent})
		}
	}
	b.WriteSorted("write provider rounds", writeProviderRounds.query, rows)
	b.Ask("write cells of lists", addCells.query, cells.rows(), nil)
	return nil
}
