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
	where, arguments := "", []any{}
	if after := strings.Split(ask.after, "\x00"); len(after) == 5 {
		slot, err := strconv.ParseInt(after[4], 10, 64)
		if err != nil {
			return err
		}
		where, arguments = " WHERE (v.sort, v.name, v.token, v.credit, v.slot) > (?, ?, ?, ?, ?)",
			[]any{after[0], after[1], after[2], after[3] == "1", slot}
	}
	return r.pageOfVotes(ctx, page, ask, func() error {
		return each(ctx, r, "read sums of votes", rows.VoteSums.Select()+where+" ORDER BY v.sort, v.name, v.token, v.credit, v.slot LIMIT ?",
			append(arguments, ask.limit), rows.VoteSums.Scan, func(s rows.VoteSum) error {
				page.Rows = append(page.Rows, ports.LedgerRow{Key: ports.KeyOfVoteSum(s.VoteTally), Sum: s.Total()})
				return nil
			})
	})
}

// pageOfCreditors reads a page of who credited players.
func (r *Reads) pageOfCreditors(ctx context.Context, ask pageAsk, page *ports.LedgerPage) error {
	where, arguments := "", []any{}
	if after := strings.Split(ask.after, "\x00"); len(after) == 4 {
		granted, err := strconv.ParseInt(after[3], 10, 64)
		if err != nil {
			return err
		}
		where, arguments = " AND w.wallet >= ? AND (w.wallet, c.by_wallet, c.granted_by, c.granted_at) > (?, ?, ?, ?)",
			[]any{after[0], after[0], after[1], after[2], granted}
	}
	return r.pageOfVotes(ctx, page, ask, func() error {
		return each(ctx, r, "read who credited players", "SELECT "+rows.Creditors.Columns()+" FROM players AS w CROSS JOIN "+rows.Creditors.From()+" WHERE c.wallet = w.key"+where+
			" ORDER BY w.wallet, c.by_wallet, c.granted_by, c.granted_at LIMIT ?",
			append(arguments, ask.limit), rows.Creditors.Scan, func(c rows.CreditorRow) error {
				page.Rows = append(page.Rows, ports.LedgerRow{Key: ports.KeyOfCreditor(c.Creditor()), Last: c.At})
				return nil
			})
	})
}

// pageOfVotes reads a page's rows and says up to where it stands.
func (r *Reads) pageOfVotes(_ context.Context, page *ports.LedgerPage, ask pageAsk, read func() error) error {
	err := read()
	if page.More = err == nil && len(page.Rows) == ask.limit; page.More {
		page.Last = page.Rows[len(page.Rows)-1].Key
	}
	return err
}
