package auditing

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/adapters/sqlstore/internal/accounts"
	"github.com/casino-service/casino/adapters/sqlstore/internal/archive"
	"github.com/casino-service/casino/adapters/sqlstore/internal/chain"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/play"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/steps"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/proof"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// WalletProof is a row of wallet_proofs.
type WalletProof struct {
	bun.BaseModel `bun:"table:wallet_proofs,alias:k"`
	Wallet        wallet.Address `bun:",pk,type:uuid"`
	State         string
	Seal          string
}

// WalletProofs is the model of stored wallet proofs.
var WalletProofs = table.ModelOf[WalletProof, WalletProof]()

// WalletProof implements ports.WalletProofs. A row that can't be read counts as missing:
// corrupting one gains nothing.
func (s *Store) WalletProof(ctx context.Context, w wallet.Address) (p proof.Proof, err error) {
	err = read.From(s.Reads, WalletProofs).Where("k.wallet = ?", s.Key(w)).Each(ctx, "read a wallet's proof", func(stored WalletProof) error {
		if kept, err := wire.DecodeProof(stored.State); err == nil {
			p = kept
			p.Wallet, p.Seal = w, stored.Seal
		}
		return nil
	})
	return p, err
}

// WalletBlocks implements ports.WalletProofs.
func (s *Store) WalletBlocks(ctx context.Context, q ports.WalletQuery) (page ports.WalletPage, err error) {
	err = s.MomentOf(ctx, "read a wallet's blocks", table.WalletKey(q.Wallet), func(at *read.Reads) error {
		page, err = (&Store{s.At(at)}).walletBlocks(ctx, q)
		return err
	})
	return page, err
}

func (s *Store) walletBlocks(ctx context.Context, q ports.WalletQuery) (page ports.WalletPage, err error) {
	if page.State, err = s.walletState(ctx, q.Wallet); err != nil {
		return page, err
	}
	if len(q.Heads) > 0 {
		found, err := (&archive.Store{Reads: s.Reads}).BlocksAt(ctx, q.Heads)
		if err != nil {
			return page, err
		}
		page.Lost = slices.ContainsFunc(q.Heads, func(h hashchain.Head) bool { return !slices.Contains(found, h) })
	}
	list := placeList{query: q, page: &page, seen: map[archive.Place]bool{}}
	if err := s.played(ctx, &list); err != nil {
		return page, err
	}
	if !page.More {
		if err := s.booked(ctx, &list); err != nil {
			return page, err
		}
	}
	page.Blocks, err = s.blocksAt(ctx, list.places)
	return page, err
}

// walletState reads the current state of a wallet.
func (s *Store) walletState(ctx context.Context, w wallet.Address) (state proof.State, err error) {
	if state.Heads, err = (&archive.Store{Reads: s.Reads}).Heads(ctx); err != nil {
		return state, err
	}
	// Stakes are no balance that anything is paid from.
	err = read.From(s.Reads, accounts.Balances).Where("b.wallet = ? AND b.kind <> 'stake'", s.Key(w)).Each(ctx, "read a wallet's balances", func(stored accounts.Balance) error {
		state.Balances = append(state.Balances, stored.Owed())
		return nil
	})
	if err != nil {
		return state, err
	}
	err = read.From(s.Reads, accounts.ProtectedPlayers).Where("p.key = ? AND p.created_at IS NOT NULL", s.Key(w)).Each(ctx, "read a player", func(p player.Player) error {
		state.Owed = map[money.Token]money.Amount{}
		for _, debt := range p.Protection.Owed {
			state.Owed[debt.Token] = debt.Amount
		}
		return nil
	})
	if err != nil {
		return state, err
	}
	err = s.Rows(ctx, "count nonces", `SELECT (SELECT coalesce(sum(p.nonce), 0) FROM seed_pairs AS p WHERE p.wallet = ? AND p.state = 'retired')
		+ (SELECT coalesce(sum(p.nonce), 0) FROM seed_pairs AS p WHERE p.wallet = ? AND p.state = 'closing')
		+ (SELECT coalesce(sum(p.nonce), 0) FROM seed_pairs AS p WHERE p.wallet = ? AND p.state = 'active')`, []any{s.Key(w), s.Key(w), s.Key(w)},
		func(row *sql.Rows) error { return row.Scan(&state.Nonces) })
	return state, err
}

// placeList lists the positions of the blocks that a page reads.
type placeList struct {
	query  ports.WalletQuery
	page   *ports.WalletPage
	seen   map[archive.Place]bool
	places []archive.Place
}

// add adds a position, and reports false if the page is full.
func (l *placeList) add(p archive.Place) bool {
	if l.seen[p] || l.query.Counted != nil && l.query.Counted(p.Lane, p.Seq) {
		return true
	}
	if len(l.places) >= l.query.Limit {
		l.page.More = true
		return false
	}
	l.seen[p] = true
	l.places = append(l.places, p)
	return true
}

// playedAtOnce is how many rows of each list are read at once. A page continues until it is full.
// Rows in blocks already listed don't fill it, so that even a player who plays all the time is
// covered completely.
const playedAtOnce = 1_000

// played lists the blocks of rounds and of providers' transactions, by id.
func (s *Store) played(ctx context.Context, list *placeList) error {
	list.page.Next = list.query.After
	for {
		some, end, err := s.playedAfter(ctx, list.query, list.page.Next)
		if err != nil {
			return err
		}
		stakes, err := s.stakesOf(ctx, some)
		if err != nil {
			return err
		}
		for _, p := range some {
			if end != "" && p.ID > end {
				break
			}
			for _, at := range append(stakes[p.ID], p.Place) {
				if !list.add(at) {
					return nil
				}
			}
			list.page.Next = p.ID
		}
		if end == "" {
			return nil
		}
	}
}

// playedAfter returns the next rows of all lists after an id, by id, and the id up to which they
// are complete; empty if there are no more.
func (s *Store) playedAfter(ctx context.Context, q ports.WalletQuery, after string) (some []archive.PlayedRow, end string, err error) {
	rounds := read.List{Columns: "r.actions <> ''", From: "kept_rounds AS r", ID: "r.id", UUID: true, ByKey: true}
	lists := []read.List{rounds, {Columns: "FALSE", From: "provider_transactions AS r", ID: "r.id", ByKey: true}}
	if !q.Since.IsZero() {
		for i := range lists {
			lists[i].Add("r.at >= ?", db.Micros(q.Since))
		}
		if s.IDFrom != nil {
			begin := s.IDFrom(q.Since.Add(-table.IDSlack))
			for i := range lists {
				lists[i].Add("r.id >= ?", lists[i].Key(s.DB.Dialect, begin))
			}
			rounds.Is(play.AllLateRounds)
			rounds.Add("r.at >= ?", db.Micros(q.Since))
			lists = append(lists, rounds.Under("r.id < ?", rounds.Key(s.DB.Dialect, begin)))
		}
	}
	for _, l := range lists {
		l.Owned(s.DB.Dialect, q.Wallet)
		l = l.Under("r.id > ?", l.Key(s.DB.Dialect, after))
		found, err := read.Collect(ctx, s.Rows, "read where a wallet played", "SELECT r.id, r.lane, r.seq, "+l.Columns+" FROM "+l.From+l.Where()+
			" ORDER BY r.id LIMIT ?", append(l.Arguments, playedAtOnce), archive.ScanPlayed)
		if err != nil {
			return nil, "", err
		}
		if len(found) == playedAtOnce { // rows after its last one are not known yet
			if last := found[playedAtOnce-1].ID; end == "" || last < end {
				end = last
			}
		}
		some = append(some, found...)
	}
	slices.SortFunc(some, func(a, b archive.PlayedRow) int { return cmp.Compare(a.ID, b.ID) })
	return some, end, nil
}

// stakesOf finds the blocks in which the stakes of rounds played step by step were taken, by the
// rounds' ids.
func (s *Store) stakesOf(ctx context.Context, played []archive.PlayedRow) (map[string][]archive.Place, error) {
	var ids []string
	for _, p := range played {
		if p.Stepped {
			ids = append(ids, p.ID)
		}
	}
	places := map[string][]archive.Place{}
	for some := range slices.Chunk(ids, archive.BlocksAtOnce) {
		found, err := s.bookedAs(ctx, some, "'stake'")
		if err != nil {
			return nil, err
		}
		for _, p := range found {
			places[p.ID] = append(places[p.ID], p.Place)
		}
	}
	return places, nil
}

// bookedAs finds the postings of these kinds under keys with these ids.
func (s *Store) bookedAs(ctx context.Context, ids []string, kinds string) ([]archive.PlayedRow, error) {
	arguments := make([]any, len(ids))
	for i, id := range ids {
		arguments[i] = id
	}
	return read.Collect(ctx, s.Rows, "read postings", "SELECT t.id, t.lane, t.seq, FALSE FROM kept_transfers AS t WHERE t.id IN (?"+
		strings.Repeat(", ?", len(ids)-1)+") AND t.kind IN ("+kinds+") ORDER BY t.lane, t.seq", arguments, archive.ScanPlayed)
}

// booked lists the blocks of deposits, withdrawals, adjustments and stakes of open rounds. Their
// rows don't hold the block: it is found by the keys of their postings.
func (s *Store) booked(ctx context.Context, list *placeList) error {
	ids := []string{string(list.query.Wallet)} // of unclaimed deposits
	text, arguments := "SELECT t.id, t.signature FROM transactions AS t WHERE t.wallet = ?", []any{s.Key(list.query.Wallet)}
	if since := list.query.Since; !since.IsZero() {
		text += " AND (t.updated_at >= ? OR t.created_at >= ?"
		arguments = append(arguments, db.Micros(since), db.Micros(since))
		if s.IDFrom != nil {
			text += " OR t.id >= ?"
			arguments = append(arguments, s.IDFrom(since.Add(-table.IDSlack)))
		}
		text += ")"
	}
	if err := s.Rows(ctx, "read what was booked for a wallet", text, arguments, func(row *sql.Rows) error {
		var id, signature string
		err := row.Scan(&id, &signature)
		if ids = append(ids, id); signature != "" {
			ids = append(ids, signature)
		}
		return err
	}); err != nil {
		return err
	}
	open, err := (&steps.Store{Reads: s.Reads}).OpenRoundsOf(ctx, list.query.Wallet)
	if err != nil {
		return err
	}
	for i := range open {
		ids = append(ids, open[i].ID)
	}
	for some := range slices.Chunk(ids, archive.BlocksAtOnce) {
		found, err := s.bookedAs(ctx, some, "'withdraw', 'refund', 'payout', 'repayment', 'adjust', 'assign', 'correct', 'deposit', 'claimed', 'top_up', 'stake'")
		if err != nil {
			return err
		}
		for _, p := range found {
			if !list.add(p.Place) {
				return nil
			}
		}
	}
	return nil
}

// errNoBlock reports rows of a block that doesn't exist.
var errNoBlock = errors.New("there is no such block")

// blocksAt reads blocks with their contents, in no order.
func (s *Store) blocksAt(ctx context.Context, places []archive.Place) ([]proof.Block, error) {
	lanes := map[int][]int64{}
	for _, p := range places {
		lanes[p.Lane] = append(lanes[p.Lane], p.Seq)
	}
	var all []proof.Block
	for lane, seqs := range lanes {
		slices.Sort(seqs)
		for some := range slices.Chunk(seqs, archive.BlocksAtOnce) {
			read, err := s.blocksOf(ctx, lane, some)
			if err != nil {
				return nil, err
			}
			all = append(all, read...)
		}
	}
	return all, nil
}

// blocksOf reads blocks of a lane by their sorted numbers.
func (s *Store) blocksOf(ctx context.Context, lane int, seqs []int64) ([]proof.Block, error) {
	blocks, at := make([]proof.Block, len(seqs)), map[int64]int{}
	for i, seq := range seqs {
		blocks[i] = proof.Block{Head: hashchain.Head{Lane: lane, Seq: seq}, Wrong: errNoBlock}
		at[seq] = i
	}
	which := archive.Runs(lane, archive.RunsOf(seqs)...)
	err := read.From(s.Reads, chain.Blocks).Where(which.Of("b"), which.Arguments...).Each(ctx, "read blocks", func(b chain.Block) error {
		i, wanted := at[b.Seq]
		if !wanted {
			return nil
		}
		blocks[i].Head, blocks[i].Previous = b.Head(), b.Previous
		blocks[i].Content = hashchain.Content{At: b.At, Epoch: b.Epoch}
		blocks[i].Wrong = s.Seals.Verify(hashchain.SealPurpose, b.Head().Sealed(), b.Seal)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return blocks, archive.ReadContents(ctx, s.Reads, archive.Contents{
		Which: which,
		Of: func(seq int64) (*hashchain.Content, error) {
			if i, wanted := at[seq]; wanted {
				return &blocks[i].Content, nil
			}
			return nil, nil
		},
		Wrong: func(seq int64, err error) error {
			blocks[at[seq]].Wrong = err
			return nil
		},
	})
}

// KeepWalletProof implements ports.WalletProofs.
func (s *Store) KeepWalletProof(ctx context.Context, p proof.Proof) error {
	state, err := wire.EncodeProof(p)
	if err != nil {
		return err
	}
	return s.Run(ctx, "proofs", func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewInsert().Model(&accounts.WalletRow{Wallet: p.Wallet, Key: p.Wallet}).On("CONFLICT DO NOTHING").Exec(ctx)
		if err != nil {
			return db.Wrap("keep a wallet", err)
		}
		_, err = tx.NewInsert().Model(&WalletProof{Wallet: p.Wallet, State: state, Seal: p.Seal}).On("CONFLICT (wallet) DO UPDATE").Exec(ctx)
		return db.Wrap("keep a wallet's proof", err)
	})
}
