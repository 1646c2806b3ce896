// Package play stores seed pairs and the house's own rounds.
package play

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/chain"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/provider"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Store implements ports.Rounds, ports.Seeds and ports.RevealedSeeds.
type Store struct {
	*read.Reads
	pairs read.Lookups[fairness.Pair]
	seeds read.Lookups[string]
}

// New returns the rounds and seeds of a database.
func New(r *read.Reads) *Store {
	s := &Store{Reads: r}
	s.pairs.Read, s.seeds.Read = s.readPairs, s.readSeeds
	return s
}

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
	chain.InBlock
}

// Rounds is the model of the house's own rounds, read together with their seed pairs p.
var Rounds = OfPairs(table.ModelOf[roundRow, bet.Round]())

// OfPairs returns the model with a round's columns of the seed pair read from p.
func OfPairs[T any](m *table.Model[T]) *table.Model[T] {
	return m.Reading("commitment", "coalesce(p.commitment, '')").Reading("client_seed", "coalesce(p.client_seed, '')").
		Reading("client_source", "coalesce(p.client_source, 'server')")
}

// Played is the model of rounds without the columns of their pairs.
var Played = Rounds.Without("commitment", "client_seed", "client_source")

// PairsOfRounds joins each round to its seed pair, which a bet on a shared round doesn't have.
const PairsOfRounds = " LEFT JOIN seed_pairs AS p ON p.wallet = r.wallet AND p.id = r.pair_id"

// ProvidedAsRounds selects ProviderRounds with the columns of Rounds, without a seed pair; the
// game's maker takes the place of the rules.
var ProvidedAsRounds = func() string {
	others := map[string]string{
		"wallet": provider.ProviderRounds.Only("wallet").Columns(), "rules": "r.provider", "multiplier_num": "0", "multiplier_den": "1", "config": "'null'", "outcome": "'null'", "actions": "''",
		"void": "FALSE", "pair_id": "CASE WHEN FALSE THEN r.id END", "nonce": "0", "commitment": "''", "client_seed": "''", "client_source": "'server'",
	}
	all := Rounds.Names()
	for i, name := range all {
		if all[i] = "r." + name; others[name] != "" {
			all[i] = others[name]
		}
	}
	return strings.Join(all, ", ")
}()

// WholeRounds is a view of rounds joined with their pairs, RoundsOfProviders one of providers'
// rounds with the same columns.
var (
	WholeRounds       = table.NewView[bet.Round](Rounds.Columns(), Rounds.From()+PairsOfRounds, ScanRound)
	RoundsOfProviders = table.NewView[bet.Round](ProvidedAsRounds, provider.ProviderRounds.From(), ScanRound)
)

// SelectRound is the query of the house's or a provider's round by id, which is passed twice.
var SelectRound = Rounds.Select() + PairsOfRounds + " WHERE r.id = ? UNION ALL SELECT " + ProvidedAsRounds + " FROM provider_rounds AS r WHERE r.id = ?"

// ScanRound reads a round. A round without a seed pair is a provider's, or a bet on a shared round.
func ScanRound(row db.Row) (bet.Round, error) {
	r, err := Rounds.Scan(row)
	if err == nil && r.PairID == "" && !r.IsShared() {
		return seamless.Round{
			ID: r.ID, Wallet: r.Wallet, Agent: r.Agent, Ref: seamless.Ref{Provider: r.Rules, Game: r.GameType},
			Token: r.Token, Wager: r.Wager, Payout: r.Payout, Balance: r.Balance, At: r.At,
		}.Bet(), nil
	}
	return r, err
}

var (
	readRoundAnswers = db.NewQuery("SELECT "+Rounds.Columns()+`
		FROM {sent} AS s CROSS JOIN {rounds} AS r`+PairsOfRounds+` WHERE r.id = s.id`, "id:uuid")
	addRounds = Rounds.Insert("", chain.BlockColumns...)
)

// AskRounds reads rounds as the answers they had, with the balance after them; these rows no
// longer change.
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

// RoundPart writes the rounds of the batch. A round's transfers follow from its row; its position
// is that of its first transfer in the block.
type RoundPart struct{ batch.NoPart }

func (RoundPart) Check(b *batch.Batch, s *batch.Step) error {
	if s.Change.Round == nil {
		return nil
	}
	if s.Change.Round.Stepped() { // its id is from its opening
		return batch.IsUUID(s.Change.Round.ID)
	}
	return cmp.Or(batch.IsUUID(s.Change.Round.ID), b.CheckID(s.Change.Round.ID, s.Change.Round.At))
}

func (RoundPart) Stage(b *batch.Batch, s *batch.Step) {
	if s.Change.Round == nil {
		return
	}
	if b.Content.Rounds == nil {
		b.Content.Rounds = make([]bet.Round, 0, len(b.Items))
	}
	b.Content.Rounds = append(b.Content.Rounds, *s.Change.Round)
}

func (RoundPart) Write(b *batch.Batch) error {
	rows := make([][]any, 0, len(b.Content.Rounds))
	for i := range b.Content.Postings {
		p := &b.Content.Postings[i]
		if p.Key.Kind == ledger.Round {
			if len(rows) == len(b.Content.Rounds) || b.Content.Rounds[len(rows)].ID != p.Key.ID {
				return db.Defect("round %s is booked and was not played", p.Key.ID)
			}
			rows = append(rows, addRounds.Row(&b.Content.Rounds[len(rows)], b.Head.Lane, b.Head.Seq, b.Places.Postings[i]))
		}
	}
	if len(rows) < len(b.Content.Rounds) {
		return db.Defect("round %s was played and is not booked", b.Content.Rounds[len(rows)].ID)
	}
	askNames(b, b.Content.Rounds)
	b.Write("write rounds", addRounds.Query, rows)
	return nil
}

// addNames inserts new names. A trigger refuses a name with the key of another name, because it
// would be read as that one.
var addNames = table.ModelOf[table.NameRow, table.NameRow]().InsertNew()

// askNames adds the names of rounds that aren't known to be stored, sorted: two batches with the
// same new name wait for each other only while one inserts it, and never for existing names.
func askNames(b *batch.Batch, rounds []bet.Round) {
	var names []table.Name
	for i := range rounds {
		r := &rounds[i]
		for _, n := range [...]table.Name{table.GameName(r.GameType), table.RulesName(r.Rules), table.TokenName(string(r.Token))} {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	b.Named = slices.DeleteFunc(names, func(n table.Name) bool { return batch.Has(b.Stored, n) })
	sent := make([][]any, len(b.Named))
	for i, n := range b.Named {
		sent[i] = addNames.Row(&table.NameRow{Key: n.Key(), Kind: n.Kind, Name: n.Text})
	}
	slices.SortFunc(sent, db.CompareRows)
	b.Ask("write names", addNames.Query, sent, nil)
}

// lateAfter are the lower bounds of the classes of lateness: how long a round played step by step
// was open. The schema's function lateness has the same. The classes limit how many rounds a list
// of a period reads: rounds of a class that were open at its start ended at most the class's
// upper bound later, and were open for at least a tenth of that.
var lateAfter = [...]time.Duration{
	table.IDSlack, 10 * time.Minute, 100 * time.Minute, 1_000 * time.Minute, 10_000 * time.Minute, 100_000 * time.Minute,
}

// lateRounds selects a class of lateness. An id contains the time when the round was opened, so
// rounds that were open longer than table.IDSlack are outside the ids of the period in which they
// ended.
const (
	lateRounds    = "r.actions <> '' AND lateness(r.id, r.at) "
	AllLateRounds = lateRounds + "IN (1, 2, 3, 4, 5, 6)"
)

// late returns the rounds that a list of a period misses: those opened before the period's ids
// and ended in the period.
func (s *Store) late(of read.List, from, to time.Time) read.List {
	for i := range lateAfter {
		var c read.Conditions
		c.Is(lateRounds + "= " + strconv.Itoa(i+1))
		c.Add("r.at >= ?", db.Micros(from))
		c.Add("r.id < ?", of.Key(s.DB.Dialect, s.IDFrom(from.Add(-table.IDSlack))))
		if until := i + 1; until < len(lateAfter) {
			most := lateAfter[until] + time.Millisecond // ids have milliseconds
			c.Add("r.id >= ?", of.Key(s.DB.Dialect, s.IDFrom(from.Add(-most))))
			c.Add("r.at < ?", db.Micros(from.Add(most)))
		}
		if !to.IsZero() {
			c.Add("r.at < ?", db.Micros(to))
		}
		of.Among = append(of.Among, c)
	}
	of.Spanned = true
	return of
}

// readPairs runs before and after players play; concurrent requests share it.
func (s *Store) readPairs(ctx context.Context, wallets []string, found func(string, fairness.Pair)) error {
	keys, named := table.WalletKeys(wallets)
	return s.DB.Known(ctx, "read active pairs", ReadShownPairs, keys, func(row *sql.Rows) error {
		pair, of, err := ScanShownPair(row)
		found(named[of], pair)
		return err
	})
}

// ActivePair implements ports.Seeds. It doesn't read encrypted seeds.
func (s *Store) ActivePair(ctx context.Context, w wallet.Address) (fairness.Pair, error) {
	pair, ok, err := s.pairs.Find(ctx, string(w))
	if err == nil && !ok {
		err = fault.New(fault.NotFound, "%s has no seed pair", w)
	}
	return pair, err
}

// RevealedPairs implements ports.Seeds.
func (s *Store) RevealedPairs(ctx context.Context, w wallet.Address, page ports.Page) (ports.RevealedPage, error) {
	l := read.ListOf(RevealedPairs, "p.id")
	l.UUID = true
	l.Add("p.wallet = ?", s.Key(w))
	l.Texts = append(l.Texts, "p.state = 'retired'")
	found, info, err := read.ListPage(ctx, s.Reads, "list revealed pairs", page, RevealedPairs,
		func(p *fairness.Revealed) string { return p.ID }, l)
	return ports.RevealedPage{Pairs: found, PageInfo: info}, err
}

// RevealedPair implements ports.Seeds.
func (s *Store) RevealedPair(ctx context.Context, id string) (fairness.Revealed, error) {
	missing := fault.New(fault.NotFound, "no revealed seed pair %q", id)
	if !db.IsID(id) {
		return fairness.Revealed{}, missing
	}
	return read.From(s.Reads, RevealedPairs).Where("p.id = ? AND p.state = 'retired'", s.DB.Dialect.ID(id)).One(ctx, "read revealed pair", missing)
}

// readSeeds runs for every page of rounds; concurrent requests share it.
func (s *Store) readSeeds(ctx context.Context, pairs []string, found func(string, string)) error {
	return s.DB.Known(ctx, "read revealed seeds", ReadRevealedSeeds, pairs, func(row *sql.Rows) error {
		var id, seed string
		err := row.Scan((*table.ID)(&id), &seed)
		found(id, seed)
		return err
	})
}

// RevealedSeeds implements ports.RevealedSeeds.
func (s *Store) RevealedSeeds(ctx context.Context, pairs []string) (map[string]string, error) {
	return s.seeds.All(ctx, pairs)
}

// Round implements ports.Rounds.
func (s *Store) Round(ctx context.Context, id string) (bet.Round, error) {
	missing := fault.New(fault.NotFound, "no round %q", id)
	if !db.IsID(id) {
		return bet.Round{}, missing
	}
	key := s.DB.Dialect.ID(id)
	found, err := read.Collect(ctx, s.Kept, "read round", SelectRound, []any{key, key}, ScanRound)
	if err != nil || len(found) == 0 {
		return bet.Round{}, cmp.Or[error](err, missing)
	}
	return found[0], nil
}

// roundLists returns the lists of the house's own rounds and of providers' rounds under a filter.
// The house has few games, so two indexes, with and without a wallet, hold every combination of
// game, token and agent. Providers have thousands, so their indexes have variants for filters
// without a game. A wallet's rounds of one agent are found by reading the wallet's rounds: all
// have that agent, unless the player changed agents. Late rounds of the house are a further list.
func (s *Store) roundLists(filter ports.RoundFilter) []read.List {
	own, provided := read.ListOf(WholeRounds, "r.id"), read.ListOf(RoundsOfProviders, "r.id")
	own.From, own.Joined = Rounds.From(), PairsOfRounds
	own.Keyed, own.UUID, own.ByKey, provided.UUID, provided.ByKey = true, true, true, true, true
	late := own
	for _, l := range [...]*read.List{&own, &provided} {
		l.Owned(s.DB.Dialect, filter.Wallet)
		s.Between(l, "r.at", filter.From, filter.To, table.IDSlack)
	}
	wants := read.Filter{"game": filter.GameType, "token": string(filter.Token), "agent": filter.Agent}
	ownCells, providedCells := read.KeptCells("rounds", true), read.KeptCells("provider_rounds", true)
	switch of := filter; {
	case of.Wallet != "" && of.GameType != "":
		own.By(ownCells, wants, "game", "token")
		provided.By(providedCells, wants, "game", "token")
	case of.Wallet != "" && of.Token != "":
		own.By(ownCells, wants, "game", "token")
		provided.By("", wants)
	case of.GameType != "":
		own.By(ownCells, wants, "game", "token", "agent")
		provided.By(providedCells, wants, "game", "token", "agent")
	case of.Wallet == "" && (of.Token != "" || of.Agent != ""):
		own.By(ownCells, wants, "game", "token", "agent")
		provided.By(read.KeptCells("provider_rounds", false), wants, "token", "agent")
	default:
		own.By("", wants)
		provided.By("", wants)
	}
	if filter.From.IsZero() || s.IDFrom == nil {
		return []read.List{own, provided}
	}
	late.Owned(s.DB.Dialect, filter.Wallet)
	late.By("", wants)
	return []read.List{own, provided, s.late(late, filter.From, filter.To)}
}

// Rounds implements ports.Rounds.
func (s *Store) Rounds(ctx context.Context, filter ports.RoundFilter, page ports.Page) (ports.RoundPage, error) {
	found, info, err := read.ListPage(ctx, s.Reads, "list rounds", page, WholeRounds, func(round *bet.Round) string { return round.ID }, s.roundLists(filter)...)
	return ports.RoundPage{Rounds: found, PageInfo: info}, err
}

// RecentRounds implements ports.Rounds.
func (s *Store) RecentRounds(ctx context.Context, n int) ([]bet.Round, error) {
	lists := s.roundLists(ports.RoundFilter{})
	lists[0].Is("NOT r.void")
	lists[1].Is("r.wager > 0")
	text, arguments := s.Chosen(lists, "", n)
	return read.Collect(ctx, s.Kept, "read recent rounds", text+" LIMIT ?", append(arguments, n), ScanRound)
}
