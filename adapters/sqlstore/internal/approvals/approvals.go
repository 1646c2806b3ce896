// Package approvals stores requests that two admins decide, and admins' votes.
package approvals

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Store implements ports.Approvals.
type Store struct{ *read.Reads }

// approvalRequestRow is a row of approval_requests.
type approvalRequestRow struct {
	bun.BaseModel `bun:"table:approval_requests,alias:a"`
	Approval      struct {
		ID string `bun:",pk"`
		approval.Request
		Agent     string
		By        wallet.Address `bun:"asked_by"`
		Status    approval.Status
		CreatedAt time.Time
		ExpiresAt time.Time
		DecidedBy wallet.Address
		DecidedAt time.Time `bun:",nullzero"`
	} `bun:"embed:"`
}

// ApprovalRequests is the model of such requests.
var ApprovalRequests = table.ModelOf[approvalRequestRow, approval.Approval]()

var (
	readApprovalRequests   = ApprovalRequests.Find("a.id = s.id", "id")
	addApprovalRequests    = ApprovalRequests.Insert("")
	decideApprovalRequests = ApprovalRequests.Update(table.Update{
		Set: []string{"status", "decided_by", "decided_at"}, Where: "approval_requests.status = 'open'",
	})
)

// RequestPart reads the requests of the items and writes those of the batch.
type RequestPart struct {
	batch.NoPart
	staged map[string]stagedApprovalRequest
}

// stagedApprovalRequest is a request to be written by a batch.
type stagedApprovalRequest struct {
	approval.Approval
	isNew bool
}

func neededApprovals(n *player.Needs) []string { return n.Approvals }

// Ask reads the requests; an item doesn't see one about another wallet.
func (*RequestPart) Ask(b *batch.Batch) {
	readApprovalRequests.Ask(&b.Asks, "read requests", b.IdsOf(neededApprovals), func(a approval.Approval) error {
		if w := b.Wallets[a.Wallet]; w != nil && slices.Contains(w.Needs.Approvals, a.ID) {
			batch.Put(&w.View.Approvals, a.ID, a)
		}
		return nil
	})
}

// Check refuses a new request with an existing id.
func (o *RequestPart) Check(_ *batch.Batch, s *batch.Step) error {
	a := s.Change.Approval
	if a == nil || batch.Has(s.Seen.Approvals, a.ID) {
		return nil
	}
	return batch.Unique("request", a.ID, batch.Has(s.Wallet.View.Approvals, a.ID) || batch.Has(o.staged, a.ID))
}

func (o *RequestPart) Stage(_ *batch.Batch, s *batch.Step) {
	if a := s.Change.Approval; a != nil {
		_, stored := s.Wallet.View.Approvals[a.ID]
		batch.Put(&o.staged, a.ID, stagedApprovalRequest{*a, !stored || o.staged[a.ID].isNew})
	}
}

func (o *RequestPart) Write(b *batch.Batch) error {
	var fresh, decided [][]any
	for _, a := range o.staged {
		if a.isNew {
			fresh = append(fresh, addApprovalRequests.Row(&a.Approval))
		} else {
			decided = append(decided, decideApprovalRequests.Row(&a.Approval))
		}
	}
	b.WriteSorted("write requests", addApprovalRequests.Query, fresh)
	b.WriteSorted("decide requests", decideApprovalRequests.Query, decided)
	return nil
}

// Approval implements ports.Approvals.
func (s *Store) Approval(ctx context.Context, id string) (approval.Approval, error) {
	return read.From(s.Reads, ApprovalRequests).Where("a.id = ?", id).One(ctx, "read request", fault.New(fault.NotFound, "no request %q", id))
}

// OpenApprovals implements ports.Approvals.
func (s *Store) OpenApprovals(ctx context.Context, filter ports.ApprovalFilter, page ports.Page) (ports.ApprovalPage, error) {
	l := read.ListOf(ApprovalRequests, "a.id")
	l.Is("a.status = 'open'") // in the text, so that the partial index is used
	l.Add("a.expires_at > ?", db.Micros(filter.Now))
	l.Equals("a.agent", filter.Agent)
	found, info, err := read.ListPage(ctx, s.Reads, "list requests", page, ApprovalRequests,
		func(a *approval.Approval) string { return a.ID }, l)
	return ports.ApprovalPage{Approvals: found, PageInfo: info}, err
}

// CreditorRow is an admin who credited a player, and the time of the last credit.
type CreditorRow struct {
	bun.BaseModel `bun:"table:creditors,alias:c"`
	creditorColumns
	At time.Time
}

// creditorColumns are the columns of a player.Creditor.
type creditorColumns struct {
	Wallet    wallet.Address `bun:",type:uuid"`
	By        wallet.Address `bun:"by_wallet"`
	GrantedBy wallet.Address
	GrantedAt time.Time `bun:",notnull"`
}

// Creditor returns the row as a player.Creditor.
func (c CreditorRow) Creditor() player.Creditor { return player.Creditor(c.creditorColumns) }

// Creditors is the model of the admins who credited players.
var Creditors = table.ModelOf[CreditorRow, CreditorRow]()

var (
	readCreditors = Creditors.Find("c.wallet = s.wallet AND c.at > s.since", "wallet:uuid", "since:int")
	// A clock that is behind doesn't move the time back.
	addCreditors = Creditors.Insert(`ON CONFLICT (wallet, by_wallet, granted_by, granted_at) DO UPDATE SET
	at = CASE WHEN excluded.at > creditors.at THEN excluded.at ELSE creditors.at END`)
)

// creditors are those who credited the players whose withdrawals the batch's items approve: at
// most one row per origin of an admin's role.
type creditors struct {
	known []player.Vote
	fresh map[player.Creditor]time.Time
}

func (o *creditors) ask(b *batch.Batch) {
	earliest := map[wallet.Address]int64{}
	for _, item := range b.Items {
		n := item.Needs.Votes
		if n == nil || n.Credit() {
			continue
		}
		since := db.Micros(n.At.Add(-player.CreditorWindow))
		if first, asked := earliest[item.Wallet]; !asked || since < first {
			earliest[item.Wallet] = since
		}
	}
	var wanted [][]any
	for w, since := range earliest {
		wanted = append(wanted, []any{table.WalletKey(w), since})
	}
	readCreditors.Ask(&b.Asks, "read who credited players", wanted, func(c CreditorRow) error {
		o.known = append(o.known, c.Creditor().Vote(c.At))
		return nil
	})
}

// votes appends votes that stand for the creditors.
func (o *creditors) votes(others []player.Vote) []player.Vote { return append(others, o.known...) }

func (o *creditors) add(y player.Vote) {
	if c, credited := y.Creditor(); credited {
		if at, known := o.fresh[c]; !known || y.At.After(at) {
			batch.Put(&o.fresh, c, y.At)
		}
	}
}

func (o *creditors) write(b *batch.Batch) {
	var rows [][]any
	for c, at := range o.fresh {
		rows = append(rows, addCreditors.Row(&CreditorRow{creditorColumns: creditorColumns(c), At: at}))
	}
	b.WriteSorted("keep who credited players", addCreditors.Query, rows)
}

// VoteSum is the sum of votes that are counted together, for one interval.
type VoteSum struct {
	bun.BaseModel `bun:"table:vote_sums,alias:v"`
	player.VoteTally
	table.Sum
}

// VoteSums is the model of sums of votes.
var VoteSums = table.ModelOf[VoteSum, VoteSum]()

var (
	addVoteSums  = VoteSums.Insert("ON CONFLICT (sort, name, token, credit, slot) DO UPDATE SET " + table.AddUp("vote_sums", ""))
	readVoteSums = VoteSums.Find("v.sort = s.sort AND v.name = s.name AND v.token = s.token AND v.credit = s.credit AND v.slot >= s.slot",
		"sort", "name", "token", "credit:bool", "slot:int")
)

// voteSums are the sums that items of the batch need, plus the batch's own votes: for each tally
// the sums of its intervals.
type voteSums struct {
	stored map[player.VoteTally]map[int64]money.Total
	fresh  map[player.VoteTally]money.Total
}

// whole returns the key of a tally's sum over all intervals.
func whole(k player.VoteTally) player.VoteTally {
	k.Slot = 0
	return k
}

// ask reads the intervals that count: per tally at most as many rows as the window has intervals.
func (o *voteSums) ask(b *batch.Batch) {
	earliest := map[player.VoteTally]int64{}
	for _, item := range b.Items {
		n := item.Needs.Votes
		if n == nil {
			continue
		}
		for _, k := range n.Tallies(item.Wallet) {
			if first, asked := earliest[whole(k)]; !asked || k.Slot < first {
				earliest[whole(k)] = k.Slot
			}
		}
	}
	o.stored = make(map[player.VoteTally]map[int64]money.Total, len(earliest))
	var wanted [][]any
	for k, slot := range earliest {
		wanted = append(wanted, []any{string(k.Sort), k.Name, string(k.Token), k.Credit, slot})
	}
	readVoteSums.Ask(&b.Asks, "read sums of votes", wanted, func(s VoteSum) error {
		o.keep(s.VoteTally, s.Total())
		return nil
	})
}

// keep adds to the sum that decisions see.
func (o *voteSums) keep(k player.VoteTally, by money.Total) {
	slots := o.stored[whole(k)]
	batch.Put(&slots, k.Slot, slots[k.Slot].Add(by))
	batch.Put(&o.stored, whole(k), slots)
}

// counted returns the sums for an item, including earlier items of the batch.
func (o *voteSums) counted(w wallet.Address, n *player.VotesNeed) (sums player.Counted) {
	for _, k := range n.Tallies(w) {
		for slot, amount := range o.stored[whole(k)] {
			if slot >= k.Slot {
				sums.Add(k.Sort, amount)
			}
		}
	}
	return sums
}

func (o *voteSums) add(y player.Vote) {
	y.Tally(func(k player.VoteTally, by money.Total) {
		o.keep(k, by)
		batch.Put(&o.fresh, k, o.fresh[k].Add(by))
	})
}

func (o *voteSums) write(b *batch.Batch) {
	var rows [][]any
	for k, sum := range o.fresh {
		rows = append(rows, addVoteSums.Row(&VoteSum{VoteTally: k, Sum: table.SumOf(sum)}))
	}
	b.WriteSorted("add to sums of votes", addVoteSums.Query, rows)
}

// voteRow is a row of votes.
type voteRow struct {
	bun.BaseModel `bun:"table:votes,alias:y"`
	Vote          struct {
		Of          string `bun:"subject"`
		Credit      bool
		Wallet      wallet.Address `bun:",type:uuid"`
		Destination string
		Token       money.Token
		Amount      money.Amount
		By          wallet.Address `bun:"by_wallet"`
		At          time.Time
		GrantedBy   wallet.Address
		GrantedAt   time.Time `bun:",nullzero"`
		After       time.Time `bun:",nullzero"`
		AfterOwn    time.Time `bun:",nullzero"`
		Passes      bool
	} `bun:"embed:"`
}

// Votes is the model of admins' votes.
var Votes = table.ModelOf[voteRow, player.Vote]()

var (
	readVotes = Votes.Find("y.subject = s.subject", "subject")
	addVotes  = Votes.Insert("")
)

// votesGuard is locked by every transaction that counts votes.
const votesGuard = "votes"

// VotePart reads and writes the votes on objects of the batch's items, and their sums.
type VotePart struct {
	batch.NoPart
	known     map[voteKey]player.Vote
	fresh     []player.Vote
	sums      voteSums
	creditors creditors
}

// voteKey identifies a row of votes.
type voteKey struct {
	of string
	by wallet.Address
	at int64
}

func voteKeyOf(y player.Vote) voteKey { return voteKey{y.Of, y.By, db.Micros(y.At)} }

// Ask reads the votes that the items need. They concern other wallets too, so decisions that
// count votes run one after the other, over all writers: the guard is locked after all wallets
// and claims.
func (o *VotePart) Ask(b *batch.Batch) {
	var of [][]any
	asked := false
	for _, item := range b.Items {
		if n := item.Needs.Votes; n != nil {
			if asked = true; n.Of != "" {
				of = append(of, []any{n.Of})
			}
		}
	}
	if !asked {
		return
	}
	table.LockGuard(&b.Asks, votesGuard)
	readVotes.Ask(&b.Asks, "read votes", of, func(y player.Vote) error {
		batch.Put(&o.known, voteKeyOf(y), y)
		return nil
	})
	o.sums.ask(b)
	o.creditors.ask(b)
}

// Show adds the stored votes that items of the batch need, and those of earlier items.
func (o *VotePart) Show(_ *batch.Batch, item *player.Item, whole *player.View) {
	whole.Votes, whole.Counted = nil, player.Counted{}
	if n := item.Needs.Votes; n != nil {
		whole.Votes, whole.Counted = o.creditors.votes(slices.Collect(maps.Values(o.known))), o.sums.counted(item.Wallet, n)
	}
}

func (o *VotePart) Stage(_ *batch.Batch, s *batch.Step) {
	for _, y := range s.Change.Votes {
		batch.Put(&o.known, voteKeyOf(y), y)
		o.sums.add(y)
		o.creditors.add(y)
	}
	o.fresh = append(o.fresh, s.Change.Votes...)
}

func (o *VotePart) Write(b *batch.Batch) error {
	b.Write("write votes", addVotes.Query, addVotes.Rows(o.fresh))
	o.sums.write(b)
	o.creditors.write(b)
	return nil
}
