package ports

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/session"
)

// LedgerPages reads what changes with every commit while it changes, for auditors beside
// a running service: each page as it stood at one moment, with the heads of that moment.
// What blocks up to those heads add up to is what the page must hold.
type LedgerPages interface {
	// LedgerPage returns the rows of a part whose keys are above after, in order of keys,
	// with the heads of the moment in which they were read, and none of a key beyond Last. It
	// returns at most limit rows of a part of which each row has a key of its own and there
	// are the more the more is played; about as many of transactions and figures; and all of
	// LedgerAdministration, of which there is little. More is false when no row has a greater
	// key; the page then stands for all keys above after.
	LedgerPage(ctx context.Context, part LedgerPart, after string, limit int) (LedgerPage, error)
	// LedgerSums returns what is kept of sums, with the heads of that moment.
	LedgerSums(ctx context.Context) (LedgerSums, error)
	// BlocksAfter calls visit for each block of each lane in until that comes after the
	// one of its lane in after, up to the one in until, lane by lane, oldest first, with
	// what it covers, exactly as stored, and the seeds that are revealed or none at all. An
	// error of visit ends the walk and is returned.
	BlocksAfter(ctx context.Context, after, until []hashchain.Head, visit func(Block) error) error
}

// LedgerPart is a part of the rows that auditors hold against blocks.
type LedgerPart string

// The parts, with what their keys are.
const (
	LedgerPlayers        LedgerPart = "players"         // a wallet
	LedgerPairs          LedgerPart = "seed pairs"      // the id of a pair
	LedgerTransactions   LedgerPart = "transactions"    // the id of a withdrawal with its attempts, of a deposit or an adjustment
	LedgerOpenRounds     LedgerPart = "open rounds"     // the id of a round that is played step by step
	LedgerLogins         LedgerPart = "sign-ins"        // wallet, and the time that its message names
	LedgerRequests       LedgerPart = "requests"        // the id of what two persons decide
	LedgerVotes          LedgerPart = "votes"           // what it is of, who gave it, when
	LedgerAdministration LedgerPart = "administration"  // kind and id of a role or an alarm
	LedgerBalances       LedgerPart = "balances"        // a player's or an unclaimed one: wallet, kind, token
	LedgerHolds          LedgerPart = "holds"           // withdrawal, token
	LedgerFigures        LedgerPart = "figures"         // a day and what else names a figure
	LedgerProviderRounds LedgerPart = "provider rounds" // the id of a provider's round
	LedgerVoteSums       LedgerPart = "sums of votes"   // sort, name, token, whether of credits, step
	LedgerCreditors      LedgerPart = "creditors"       // player, admin, and the origin of the admin's role
)

// LedgerParts returns every part.
func LedgerParts() []LedgerPart {
	return []LedgerPart{
		LedgerPlayers, LedgerPairs, LedgerTransactions, LedgerOpenRounds, LedgerLogins, LedgerRequests, LedgerVotes, LedgerAdministration,
		LedgerBalances, LedgerHolds, LedgerFigures, LedgerProviderRounds, LedgerVoteSums, LedgerCreditors,
	}
}

// LedgerRow is a row of a part, with what its part has of it.
type LedgerRow struct {
	Key string
	// Things are the events that would make what the row shows what it is.
	Things []event.Event
	// Next is the nonce that the next round of a seed pair takes, or would take.
	Next    int64
	Balance ledger.Balance
	// Tally is what was counted of a player's balance, where the store counts it and says
	// so by Tallied.
	Tally   session.Tally
	Tallied bool
	Figure  DailyFigure
	Round   seamless.Round
	// Sum is what votes that are counted together come to in a step, Last when a creditor's
	// newest vote was given.
	Sum  money.Total
	Last time.Time
}

// LedgerPage is some rows of a part as they stood at one moment.
type LedgerPage struct {
	Rows []LedgerRow
	// Last is the greatest key that the page stands for; More says that greater ones may
	// have rows.
	Last  string
	More  bool
	Heads []hashchain.Head
}

// LedgerSums is what is kept of sums, as it stood at one moment.
type LedgerSums struct {
	Heads  []hashchain.Head
	Totals []ledger.Balance
	Funds  []FundsLine
	// Open are the deliveries that are not done.
	Open []seamless.Delivery
	// Exposures are what rounds may cost that are played step by step, by token.
	Exposures []ExposureLine
}

// ExposureLine is what open rounds of a token may cost: as it is kept for openings, and
// what the open rounds come to.
type ExposureLine struct {
	Token      money.Token
	Kept, Open money.Total
}

// PartOfThing returns the part that a thing's row is of, and its key there.
func PartOfThing(kind event.Kind, id string) (LedgerPart, string) {
	switch kind {
	case event.Player:
		return LedgerPlayers, id
	case event.Pair:
		return LedgerPairs, id
	case event.Withdrawal, event.Deposit, event.Adjustment:
		return LedgerTransactions, id
	case event.Attempt, event.DeadAttempt:
		of, _ := cutLast(id)
		return LedgerTransactions, of
	case event.OpenRound:
		return LedgerOpenRounds, id
	case event.Login:
		of, message, _ := strings.Cut(id, "/")
		return LedgerLogins, LedgerKey(of, message)
	case event.Request:
		return LedgerRequests, id
	case event.Vote:
		vote, at := cutLast(id)
		of, by := cutLast(vote)
		micros, _ := strconv.ParseInt(at, 10, 64) // that of the kind alone, which has no id, is 0
		return LedgerVotes, LedgerKey(of, by, ordinal(micros))
	}
	return LedgerAdministration, LedgerKey(string(kind), id)
}

// cutLast parts an id at its last slash.
func cutLast(id string) (before, last string) {
	if at := strings.LastIndexByte(id, '/'); at >= 0 {
		return id[:at], id[at+1:]
	}
	return id, ""
}

// PartOfBalance returns the part that the row of a balance owed to a player is of, and
// its key there.
func PartOfBalance(of ledger.Account, token money.Token) (LedgerPart, string) {
	if of.Kind == ledger.Hold {
		return LedgerHolds, LedgerKey(of.Owner, string(token))
	}
	return LedgerBalances, LedgerKey(of.Owner, of.Kind.String(), string(token))
}

// KeyOfFigure returns the key of a daily figure in its part.
func KeyOfFigure(k figure.Key) string {
	return LedgerKey(k.Day, string(k.Token), k.Source, k.Game, k.Agent)
}

// KeyOfVoteSum returns the key of a sum of votes in its part.
func KeyOfVoteSum(k player.VoteTally) string {
	credit := "0"
	if k.Credit {
		credit = "1"
	}
	return LedgerKey(string(k.Sort), k.Name, string(k.Token), credit, ordinal(k.Slot))
}

// KeyOfCreditor returns the key of who credited a player in its part.
func KeyOfCreditor(c player.Creditor) string {
	var granted int64
	if !c.GrantedAt.IsZero() {
		granted = c.GrantedAt.UnixMicro()
	}
	return LedgerKey(string(c.Wallet), string(c.By), string(c.GrantedBy), ordinal(granted))
}

// ordinal writes a number from 0 so that texts sort as numbers do.
func ordinal(n int64) string { return fmt.Sprintf("%019d", n) }

// LedgerKey writes texts as one key that sorts like them, one after the other.
func LedgerKey(texts ...string) string { return strings.Join(texts, "\x00") }

// AuditRows reads the rows that services go by, so that auditors can hold them against
// the events that blocks cover.
type AuditRows interface {
	// Things calls visit once for each stored thing of a kind, with the event that would
	// make it what it is; of sign-ins for those whose message could still be used. Was is
	// empty. An error of visit ends the walk and is returned.
	Things(ctx context.Context, kind event.Kind, visit func(event.Event) error) error
	// SealedSeeds opens the server seed of each pair that is not revealed yet, and calls
	// visit with what is wrong with it: nil where it is the one that was committed to. It
	// shows no seed, and needs the keys that seeds are sealed with.
	SealedSeeds(ctx context.Context, visit func(pair string, wrong error) error) error
}

// SealedRows reads the rows that carry seals, for auditors, and gives them other seals,
// after the keys of seals were changed.
type SealedRows interface {
	// SealedRows calls visit once for each row that carries a seal: requests and approvals
	// of withdrawals, payout attempts, the list of roles, tokens' terms, wallets' proofs,
	// and blocks. visit may call Reseal. An error of visit ends the walk and is returned.
	SealedRows(ctx context.Context, visit func(seal.Row) error) error
	// Reseal puts seals in the place of those that rows were read with; a row that has
	// another one by now is left alone. It returns how many it put.
	Reseal(ctx context.Context, replaced []seal.Replacement) (int, error)
}
