package sqlstore

import (
	"database/sql"
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// approvalColumns are the columns of a request in the order of scanApproval.
const approvalColumns = `a.id, a.kind, a.wallet, a.agent, a.token, a.amount, a.signature, a.reason, a.asked_by, a.status,
	a.created_at, a.expires_at, a.decided_by, a.decided_at`

func scanApproval(row interface{ Scan(...any) error }) (a approval.Approval, err error) {
	var created, expires int64
	var decided sql.NullInt64
	err = row.Scan(&a.ID, &a.Kind, &a.Wallet, &a.Agent, &a.Token, &a.Amount, &a.Signature, &a.Reason, &a.By, &a.Status,
		&created, &expires, &a.DecidedBy, &decided)
	a.CreatedAt, a.ExpiresAt = moment(created), moment(expires)
	if decided.Valid {
		a.DecidedAt = moment(decided.Int64)
	}
	return a, err
}

var (
	readApprovalRequests = newQuery("SELECT "+approvalColumns+` FROM {sent} AS s CROSS JOIN approval_requests AS a
		WHERE a.id = s.id`, "id")
	insertApprovalRequests = insert("approval_requests", "",
		"id", "kind", "wallet", "agent", "token", "amount:int", "signature", "reason", "asked_by", "status",
		"created_at:int", "expires_at:int", "decided_by", "decided_at:int")
	decideApprovalRequests = change(`UPDATE approval_requests SET status = s.status, decided_by = s.decided_by,
		decided_at = s.decided_at FROM {sent} AS s WHERE approval_requests.id = s.id AND approval_requests.status = 'open'`,
		"id", "status", "decided_by", "decided_at:int")
)

// askApprovalRequests reads the requests that items ask for; one about another wallet
// is not theirs to see.
func (r *run) askApprovalRequests() {
	wanted := map[string]struct{}{}
	for _, h := range r.wallets {
		for _, id := range h.needs.Approvals {
			wanted[id] = struct{}{}
		}
	}
	r.ask("read requests", readApprovalRequests, sortedRows(wanted), func(row Row) error {
		a, err := scanApproval(row)
		if h := r.wallets[a.Wallet]; err == nil && h != nil && slices.Contains(h.needs.Approvals, a.ID) {
			put(&h.view.Approvals, a.ID, a)
		}
		return err
	})
}

func (r *run) writeApprovalRequests() {
	var fresh, decided [][]any
	for _, a := range sorted(r.out.approvals) {
		if a.isNew {
			fresh = append(fresh, []any{a.ID, string(a.Kind), string(a.Wallet), a.Agent, string(a.Token), a.Amount, a.Signature, a.Reason,
				string(a.By), string(a.Status), micros(a.CreatedAt), micros(a.ExpiresAt), string(a.DecidedBy), microsOrNil(a.DecidedAt)})
			continue
		}
		decided = append(decided, []any{a.ID, string(a.Status), string(a.DecidedBy), micros(a.DecidedAt)})
	}
	r.write("write requests", insertApprovalRequests, fresh)
	r.write("decide requests", decideApprovalRequests, decided)
}

// approvalRow is a request as a batch leaves it.
type approvalRow struct {
	approval.Approval
	isNew bool
}

func (o *output) stageApproval(h *holdings, a *approval.Approval) {
	if a == nil {
		return
	}
	_, stored := h.view.Approvals[a.ID]
	o.approvals[a.ID] = approvalRow{*a, !stored || o.approvals[a.ID].isNew}
}

// The yeses that bear on an item: each part finds its rows by an index of its own.
var (
	yesColumns      = "y.subject, y.by_wallet, y.at, y.credit, y.wallet, y.destination, y.token, y.amount"
	readYesesWallet = newQuery("SELECT "+yesColumns+` FROM {sent} AS s CROSS JOIN yeses AS y
		WHERE y.wallet = s.wallet AND y.at > s.since`, "wallet", "since:int")
	readYesesDestination = newQuery("SELECT "+yesColumns+` FROM {sent} AS s CROSS JOIN yeses AS y
		WHERE y.destination = s.destination AND y.destination <> '' AND y.at > s.since`, "destination", "since:int")
	readYesesBy = newQuery("SELECT "+yesColumns+` FROM {sent} AS s CROSS JOIN yeses AS y
		WHERE y.by_wallet = s.by_wallet AND y.at > s.since`, "by_wallet", "since:int")
	insertYeses = insert("yeses", "",
		"subject", "by_wallet", "at:int", "credit:bool", "wallet", "destination", "token", "amount:int")
)

// askYeses reads what bears on the items that ask. They concern other wallets
// too, so that decisions which count them come one after the other, whichever
// writer makes them: the guard is taken after all wallets and claims.
func (r *run) askYeses() {
	var ofWallet, ofDestination, ofPerson [][]any
	for _, e := range r.entries {
		n := e.item.Needs.Yeses
		if n == nil {
			continue
		}
		counted := micros(n.At.Add(-player.CountedTime))
		ofWallet = append(ofWallet, []any{string(e.item.Wallet), micros(n.At.Add(-player.CreditorTime))})
		ofPerson = append(ofPerson, []any{string(n.By), counted})
		if n.Destination != "" {
			ofDestination = append(ofDestination, []any{n.Destination, counted})
		}
	}
	if len(ofWallet) == 0 {
		return
	}
	r.ask("lock yeses", lockGuards, [][]any{{"yeses"}}, nil)
	for _, part := range []struct {
		query *query
		rows  [][]any
	}{{readYesesWallet, ofWallet}, {readYesesDestination, ofDestination}, {readYesesBy, ofPerson}} {
		r.ask("read yeses", part.query, part.rows, func(row Row) error {
			y, err := scanYes(row)
			r.yeses[yesKeyOf(y)] = y
			return err
		})
	}
}

func scanYes(row Row) (y player.Yes, err error) {
	var at int64
	err = row.Scan(&y.Of, &y.By, &at, &y.Credit, &y.Wallet, &y.Destination, &y.Token, &y.Amount)
	y.At = moment(at)
	return y, err
}

// yesKey names a row of yeses.
type yesKey struct {
	of string
	by wallet.Address
	at int64
}

func yesKeyOf(y player.Yes) yesKey { return yesKey{y.Of, y.By, micros(y.At)} }

// everyYes are the stored ones that items of the batch need, and those that items
// before this one brought, whichever wallet they were about.
func (r *run) everyYes(item *player.Item) []player.Yes {
	if item.Needs.Yeses == nil {
		return nil
	}
	return slices.Collect(maps.Values(r.yeses))
}

func (r *run) writeYeses() {
	rows := make([][]any, len(r.out.yeses))
	for i, y := range r.out.yeses {
		rows[i] = []any{y.Of, string(y.By), micros(y.At), y.Credit, string(y.Wallet), y.Destination, string(y.Token), int64(y.Amount)}
	}
	r.write("write yeses", insertYeses, rows)
}
