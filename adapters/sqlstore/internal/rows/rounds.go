package rows

import (
	"cmp"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// roundRow is a row of rounds.
type roundRow struct {
	bun.BaseModel `bun:"table:rounds,alias:r"`
	Round         struct {
		ID           string         `bun:",type:uuid"`
		Wallet       wallet.Address `bun:",type:uuid"`
		Agent        string
		Source       string      `bun:"-"`
		GameType     string      `bun:"game,type:name"`
		Rules        string      `bun:",type:name"`
		Token        money.Token `bun:",type:name"`
		Wager        money.Amount
		Payout       money.Amount
		Multiplier   money.Ratio `bun:"embed:multiplier_"`
		Config       game.Value
		Outcome      game.Value
		Actions      game.Value `bun:",type:text"`
		Void         bool
		PairID       string                `bun:",type:uuid"`
		Commitment   string                `bun:",scanonly"`
		ClientSeed   string                `bun:",scanonly"`
		ClientSource fairness.ClientSource `bun:",scanonly"`
		Nonce        int64
		Balance      money.Amount
		At           time.Time
		Theory       bet.Theory `bun:"-"`
	} `bun:"embed:"`
	inBlock
}

// Rounds are the house's own rounds, read together with the seed pairs p that they
// were drawn from.
var Rounds = ofPairs(modelOf[roundRow, bet.Round]())

// Played are rounds without what their pairs know.
var Played = Rounds.without("commitment", "client_seed", "client_source")

// PairsOfRounds joins each round to the pair that it was drawn from.
const PairsOfRounds = " JOIN seed_pairs AS p ON p.wallet = r.wallet AND p.id = r.pair_id"

// ProvidedAsRounds are the columns of ProviderRounds as those of Rounds, without a
// seed pair; the maker of the game takes the place of the rules.
var ProvidedAsRounds = func() string {
	others := map[string]string{
		"wallet": ProviderRounds.only("wallet").Columns(), "rules": "r.provider", "multiplier_num": "0", "multiplier_den": "1", "config": "'null'", "outcome": "'null'", "actions": "''",
		"void": "FALSE", "pair_id": "CASE WHEN FALSE THEN r.id END", "nonce": "0", "commitment": "''", "client_seed": "''", "client_source": "'server'",
	}
	all := make([]string, len(Rounds.columns))
	for i, c := range Rounds.columns {
		if all[i] = "r." + c.Name; others[c.Name] != "" {
			all[i] = others[c.Name]
		}
	}
	return strings.Join(all, ", ")
}()

// WholeRounds are rounds with their pairs joined, and RoundsOfProviders those of providers
// with columns alike.
var (
	WholeRounds       = View[bet.Round]{Rounds.Columns(), Rounds.From() + PairsOfRounds, ScanRound}
	RoundsOfProviders = View[bet.Round]{ProvidedAsRounds, ProviderRounds.From(), ScanRound}
)

// SelectRound is the query of the round with an id, asked for twice, whoever made its game.
var SelectRound = Rounds.Select() + PairsOfRounds + " WHERE r.id = ? UNION ALL SELECT " + ProvidedAsRounds + " FROM provider_rounds AS r WHERE r.id = ?"

// ScanRound reads a round. One without a seed pair is a provider's.
func ScanRound(row db.Row) (bet.Round, error) {
	r, err := Rounds.Scan(row)
	if err == nil && r.PairID == "" {
		return seamless.Round{
			ID: r.ID, Wallet: r.Wallet, Agent: r.Agent, Ref: seamless.Ref{Provider: r.Rules, Game: r.GameType},
			Token: r.Token, Wager: r.Wager, Payout: r.Payout, Balance: r.Balance, At: r.At,
		}.Bet(), nil
	}
	return r, err
}

var (
	readRoundAnswers = db.NewQuery("SELECT "+Rounds.Columns()+`
		FROM {sent} AS s CROSS JOIN {rounds} AS r CROSS JOIN seed_pairs AS p
		WHERE r.id = s.id AND p.wallet = r.wallet AND p.id = r.pair_id`, "id:uuid")
	addRounds = Rounds.insert("", blockColumns...)
)

// AskRounds reads rounds as the answers that they were, with the balance after them: rows
// that no longer change.
func AskRounds(a *db.Asks, ids [][]any, found func(player.Change)) {
	a.Ask("read rounds", readRoundAnswers, ids, func(row db.Row) error {
		round, err := ScanRound(row)
		if err != nil {
			return err
		}
		found(player.Change{Round: &round, Balance: round.Balance})
		return nil
	})
}

// rounds are those that the batch plays. What a round books follows from its row, whose
// position is that of its first transfer in the block.
type rounds struct{ plain }

func (rounds) check(b *Batch, s *Step) error {
	if s.Change.Round == nil {
		return nil
	}
	if s.Change.Round.Stepped() { // its id is of its opening
		return isUUID(s.Change.Round.ID)
	}
	return cmp.Or(isUUID(s.Change.Round.ID), b.drawn(s.Change.Round.ID, s.Change.Round.At))
}

func (rounds) stage(b *Batch, s *Step) {
	if s.Change.Round == nil {
		return
	}
	if b.Content.Rounds == nil {
		b.Content.Rounds = make([]bet.Round, 0, len(b.Items))
	}
	b.Content.Rounds = append(b.Content.Rounds, *s.Change.Round)
}

func (rounds) write(b *Batch) error {
	rows := make([][]any, 0, len(b.Content.Rounds))
	for i := range b.Content.Postings {
		p := &b.Content.Postings[i]
		if p.Key.Kind == ledger.Round {
			if len(rows) == len(b.Content.Rounds) || b.Content.Rounds[len(rows)].ID != p.Key.ID {
				return db.Defect("round %s is booked and was not played", p.Key.ID)
			}
			rows = append(rows, addRounds.row(&b.Content.Rounds[len(rows)], b.Head.Lane, b.Head.Seq, b.places.postings[i]))
		}
	}
	if len(rows) < len(b.Content.Rounds) {
		return db.Defect("round %s was played and is not booked", b.Content.Rounds[len(rows)].ID)
	}
	askNames(b, b.Content.Rounds)
	b.Write("write rounds", addRounds.query, rows)
	return nil
}
