package reads

import (
	"context"
	"strconv"
	"strings"

	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/ports"
)

// pageOfVoteSums reads a page of what votes come to.
func (r *Reads) pageOfVoteSums(ctx context.Context, ask pageAsk, page *ports.LedgerPage) error {
	q := from(r, rows.VoteSums).order("v.sort, v.name, v.token, v.credit, v.slot").limit(ask.limit)
	if after := strings.Split(ask.after, "\x00"); len(after) == 5 {
		slot, err := strconv.ParseInt(after[4], 10, 64)
		if err != nil {
			return err
		}
		q.where("(v.sort, v.name, v.token, v.credit, v.slot) > (?, ?, ?, ?, ?)", after[0], after[1], after[2], after[3] == "1", slot)
	}
	return pageOf(ctx, q, ask, page, func(s rows.VoteSum) (ports.LedgerRow, error) {
		return ports.LedgerRow{Key: ports.KeyOfVoteSum(s.VoteTally), Sum: s.Total()}, nil
	})
}

// pageOfCreditors reads a page of who credited players.
func (r *Reads) pageOfCreditors(ctx context.Context, ask pageAsk, page *ports.LedgerPage) error {
	q := from(r, rows.Creditors.ByWallet()).where("c.wallet = w.key").order("w.wallet, c.by_wallet, c.granted_by, c.granted_at").limit(ask.limit)
	if after := strings.Split(ask.after, "\x00"); len(after) == 4 {
		granted, err := strconv.ParseInt(after[3], 10, 64)
		if err != nil {
			return err
		}
		q.where("w.wallet >= ? AND (w.wallet, c.by_wallet, c.granted_by, c.granted_at) > (?, ?, ?, ?)", after[0], after[0], after[1], after[2], granted)
	}
	return pageOf(ctx, q, ask, page, func(c rows.CreditorRow) (ports.LedgerRow, error) {
		return ports.LedgerRow{Key: ports.KeyOfCreditor(c.Creditor()), Last: c.At}, nil
	})
}
