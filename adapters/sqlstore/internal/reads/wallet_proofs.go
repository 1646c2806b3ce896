package reads

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/proof"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// WalletProof serves ports.WalletProofs. A row that can't be read counts as none: whoever
// made it so has gained nothing by it.
func (r *Reads) WalletProof(ctx context.Context, w wallet.Address) (p proof.Proof, err error) {
	err = from(r, rows.WalletProofs).where("k.wallet = ?", r.key(w)).each(ctx, "read a wallet's proof", func(stored rows.WalletProof) error {
		if kept, err := wire.DecodeProof(stored.State); err == nil {
			p = kept
			p.Wallet, p.Seal = w, stored.Seal
		}
		return nil
	})
	return p, err
}

// WalletBlocks serves ports.WalletProofs.
func (r *Reads) WalletBlocks(ctx context.Context, q ports.WalletQuery) (page ports.WalletPage, err error) {
	err = r.moment(ctx, "read a wallet's blocks", func(at *Reads) error {
		page, err = at.walletBlocks(ctx, q)
		return err
	})
	return page, err
}

func (r *Reads) walletBlocks(ctx context.Context, q ports.WalletQuery) (page ports.WalletPage, err error) {
	if page.State, err = r.walletState(ctx, q.Wallet); err != nil {
		return page, err
	}
	if len(q.Heads) > 0 {
		found, err := r.BlocksAt(ctx, q.Heads)
		if err != nil {
			return page, err
		}
		page.Lost = slices.ContainsFunc(q.Heads, func(h hashchain.Head) bool { return !slices.Contains(found, h) })
	}
	list := placeList{query: q, page: &page, seen: map[place]bool{}}
	if err := r.played(ctx, &list); err != nil {
		return page, err
	}
	if !page.More {
		if err := r.booked(ctx, &list); err != nil {
			return page, err
		}
	}
	page.Blocks, err = r.blocksAt(ctx, list.places)
	return page, err
}

// walletState reads what stands of a wallet.
func (r *Reads) walletState(ctx context.Context, w wallet.Address) (s proof.State, err error) {
	if s.Heads, err = r.Heads(ctx); err != nil {
		return s, err
	}
	// What is staked is no balance that anything is paid from.
	err = from(r, rows.Balances).where("b.wallet = ? AND b.kind <> 'stake'", r.key(w)).each(ctx, "read a wallet's balances", func(stored rows.Balance) error {
		of, err := account(stored.Kind, cmp.Or(stored.Hold, string(w)))
		s.Balances = append(s.Balances, ledger.Balance{Account: of, Token: stored.Token, Amount: money.TotalOf(stored.Amount)})
		return err
	})
	if err != nil {
		return s, err
	}
	err = from(r, rows.ProtectedPlayers).where("p.key = ? AND p.created_at IS NOT NULL", r.key(w)).each(ctx, "read a player", func(p player.Player) error {
		s.Owed = map[money.Token]money.Amount{}
		for _, debt := range p.Protection.Owed {
			s.Owed[debt.Token] = debt.Amount
		}
		return nil
	})
	if err != nil {
		return s, err
	}
	err = r.rows(ctx, "count nonces", `SELECT (SELECT coalesce(sum(p.nonce), 0) FROM seed_pairs AS p WHERE p.wallet = ? AND p.state = 'retired')
		+ (SELECT coalesce(sum(p.nonce), 0) FROM seed_pairs AS p WHERE p.wallet = ? AND p.state = 'closing')
		+ (SELECT coalesce(sum(p.nonce), 0) FROM seed_pairs AS p WHERE p.wallet = ? AND p.state = 'active')`, []any{r.key(w), r.key(w), r.key(w)},
		func(row *sql.Rows) error { return row.Scan(&s.Nonces) })
	return s, err
}

type place struct {
	lane int
	seq  int64
}

// placeList is the places of blocks that a page reads.
type placeList struct {
	query  ports.WalletQuery
	page   *ports.WalletPage
	seen   map[place]bool
	places []place
}

// add notes a place, and reports false where the page has no room for it.
func (l *placeList) add(p place) bool {
	if l.seen[p] || l.query.Counted != nil && l.query.Counted(p.lane, p.seq) {
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

// playedAtOnce is how many rows of each list are read at once. A page goes on until it is
// full: rows whose blocks were counted don't fill it, so that whoever plays all the time is
// counted to the end too.
const playedAtOnce = 1_000

// playedRow is a round or a provider's transaction with the place of its block.
type playedRow struct {
	id string
	place
	stepped bool // its stakes are in blocks of their own
}

func scanPlayed(row db.Row) (p playedRow, err error) {
	err = row.Scan((*rows.ID)(&p.id), &p.lane, &p.seq, &p.stepped)
	return p, err
}

// played lists the blocks of rounds and of providers' transactions, by id.
func (r *Reads) played(ctx context.Context, list *placeList) error {
	list.page.Next = list.query.After
	for {
		some, end, err := r.playedAfter(ctx, list.query, list.page.Next)
		if err != nil {
			return err
		}
		stakes, err := r.stakesOf(ctx, some)
		if err != nil {
			return err
		}
		for _, p := range some {
			if end != "" && p.id > end {
				break
			}
			for _, at := range append(stakes[p.id], p.place) {
				if !list.add(at) {
					return nil
				}
			}
			list.page.Next = p.id
		}
		if end == "" {
			return nil
		}
	}
}

// playedAfter returns the next rows of all lists after an id, by id, and the id up to
// which none is left out; empty where none is at all.
func (r *Reads) playedAfter(ctx context.Context, q ports.WalletQuery, after string) (some []playedRow, end string, err error) {
	rounds := list{columns: "r.actions <> ''", from: "kept_rounds AS r", id: "r.id", uuid: true, ofKeys: true}
	lists := []list{rounds, {columns: "FALSE", from: "provider_transactions AS r", id: "r.id", ofKeys: true}}
	if !q.Since.IsZero() {
		for i := range lists {
			lists[i].add("r.at >= ?", db.Micros(q.Since))
		}
		if r.idFrom != nil {
			begin := r.idFrom(q.Since.Add(-rows.IDSlack))
			for i := range lists {
				lists[i].add("r.id >= ?", lists[i].key(r.db.Dialect, begin))
			}
			rounds.is(allLateRounds)
			rounds.add("r.at >= ?", db.Micros(q.Since))
			lists = append(lists, rounds.under("r.id < ?", rounds.key(r.db.Dialect, begin)))
		}
	}
	for _, l := range lists {
		l.owned(r.db.Dialect, q.Wallet)
		l = l.under("r.id > ?", l.key(r.db.Dialect, after))
		found, err := gathered(ctx, r.rows, "read where a wallet played", "SELECT r.id, r.lane, r.seq, "+l.columns+" FROM "+l.from+l.where()+
			" ORDER BY r.id LIMIT ?", append(l.arguments, playedAtOnce), scanPlayed)
		if err != nil {
			return nil, "", err
		}
		if len(found) == playedAtOnce { // what comes after its last one is not known yet
			if last := found[playedAtOnce-1].id; end == "" || last < end {
				end = last
			}
		}
		some = append(some, found...)
	}
	slices.SortFunc(some, func(a, b playedRow) int { return cmp.Compare(a.id, b.id) })
	return some, end, nil
}

// stakesOf finds the blocks in which stakes of rounds were taken that were played step by
// step, by the rounds' ids.
func (r *Reads) stakesOf(ctx context.Context, played []playedRow) (map[string][]place, error) {
	var ids []string
	for _, p := range played {
		if p.stepped {
			ids = append(ids, p.id)
		}
	}
	places := map[string][]place{}
	for some := range slices.Chunk(ids, blocksAtOnce) {
		found, err := r.bookedAs(ctx, some, "'stake'")
		if err != nil {
			return nil, err
		}
		for _, p := range found {
			places[p.id] = append(places[p.id], p.place)
		}
	}
	return places, nil
}

// bookedAs finds the postings of some kinds under keys with these ids.
func (r *Reads) bookedAs(ctx context.Context, ids []string, kinds string) ([]playedRow, error) {
	arguments := make([]any, len(ids))
	for i, id := range ids {
		arguments[i] = id
	}
	return gathered(ctx, r.rows, "read postings", "SELECT t.id, t.lane, t.seq, FALSE FROM kept_transfers AS t WHERE t.id IN (?"+
		strings.Repeat(", ?", len(ids)-1)+") AND t.kind IN ("+kinds+") ORDER BY t.lane, t.seq", arguments, scanPlayed)
}

// booked lists the blocks of deposits, withdrawals, adjustments and stakes of open rounds.
// Their rows don't say where they were booked: that is found by the keys of their postings.
func (r *Reads) booked(ctx context.Context, list *placeList) error {
	ids := []string{string(list.query.Wallet)} // of what was unclaimed
	text, arguments := "SELECT t.id, t.signature FROM transactions AS t WHERE t.wallet = ?", []any{r.key(list.query.Wallet)}
	if since := list.query.Since; !since.IsZero() {
		text += " AND (t.updated_at >= ? OR t.created_at >= ?"
		arguments = append(arguments, db.Micros(since), db.Micros(since))
		if r.idFrom != nil {
			text += " OR t.id >= ?"
			arguments = append(arguments, r.idFrom(since.Add(-rows.IDSlack)))
		}
		text += ")"
	}
	if err := r.rows(ctx, "read what was booked for a wallet", text, arguments, func(row *sql.Rows) error {
		var id, signature string
		err := row.Scan(&id, &signature)
		if ids = append(ids, id); signature != "" {
			ids = append(ids, signature)
		}
		return err
	}); err != nil {
		return err
	}
	open, err := r.OpenRoundsOf(ctx, list.query.Wallet)
	if err != nil {
		return err
	}
	for i := range open {
		ids = append(ids, open[i].ID)
	}
	for some := range slices.Chunk(ids, blocksAtOnce) {
		found, err := r.bookedAs(ctx, some, "'withdraw', 'refund', 'payout', 'repayment', 'adjust', 'assign', 'deposit', 'claimed', 'stake'")
		if err != nil {
			return err
		}
		for _, p := range found {
			if !list.add(p.place) {
				return nil
			}
		}
	}
	return nil
}

// errNoBlock is what is wrong with rows of a block that isn't there.
var errNoBlock = errors.New("there is no such block")

// blocksAt reads blocks with their contents, in no order.
func (r *Reads) blocksAt(ctx context.Context, places []place) ([]proof.Block, error) {
	lanes := map[int][]int64{}
	for _, p := range places {
		lanes[p.lane] = append(lanes[p.lane], p.seq)
	}
	var all []proof.Block
	for lane, seqs := range lanes {
		slices.Sort(seqs)
		for some := range slices.Chunk(seqs, blocksAtOnce) {
			read, err := r.blocksOf(ctx, lane, some)
			if err != nil {
				return nil, err
			}
			all = append(all, read...)
		}
	}
	return all, nil
}

// gapMax is how many blocks that nobody asked for are read past rather than around.
const gapMax = 16

// blocksOf reads blocks of a lane, by their sorted numbers.
func (r *Reads) blocksOf(ctx context.Context, lane int, seqs []int64) ([]proof.Block, error) {
	blocks, at := make([]proof.Block, len(seqs)), map[int64]int{}
	var spans []run
	for i, seq := range seqs {
		blocks[i] = proof.Block{Head: hashchain.Head{Lane: lane, Seq: seq}, Wrong: errNoBlock}
		at[seq] = i
		if last := len(spans) - 1; last >= 0 && seq-spans[last].to <= gapMax {
			spans[last].to = seq
			continue
		}
		spans = append(spans, run{seq, seq})
	}
	which := runs(lane, spans...)
	err := from(r, rows.Blocks).where(which.of("b"), which.arguments...).each(ctx, "read blocks", func(b rows.Block) error {
		i, wanted := at[b.Seq]
		if !wanted {
			return nil
		}
		blocks[i].Head, blocks[i].Previous = b.Head(), b.Previous
		blocks[i].Content = hashchain.Content{At: b.At, Epoch: b.Epoch}
		blocks[i].Wrong = r.seals.Verify(hashchain.SealPurpose, b.Head().Sealed(), b.Seal)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return blocks, r.contents(ctx, contents{
		which: which,
		of: func(seq int64) (*hashchain.Content, error) {
			if i, wanted := at[seq]; wanted {
				return &blocks[i].Content, nil
			}
			return nil, nil
		},
		wrong: func(seq int64, err error) error {
			blocks[at[seq]].Wrong = err
			return nil
		},
	})
}
