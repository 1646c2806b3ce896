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

// LedgerPages reads a changing ledger for auditors beside a running service. Each page
// shows its rows and the heads at one moment. The rows must match the sum of the blocks
// up to those heads.
type LedgerPages interface {
	// LedgerPage returns rows of a part in order of keys, with keys above after and up to
	// Last, and the heads of the moment they were read. It returns at most limit rows of
	// parts that grow with play and have one row a key; about as many transactions and
	// figures; and all of LedgerAdministration, which is small. If More is false no row has
	// a greater key, and the page covers all keys above after.
	LedgerPage(ctx context.Context, part LedgerPart, after string, limit int) (LedgerPage, error)
	// LedgerSums returns the stored sums and the heads of the same moment.
	LedgerSums(ctx context.Context) (LedgerSums, error)
	// BlocksAfter calls visit for each block after its lane's head in after, up to its
	// lane's head in until, lane by lane, oldest first. It passes the stored events of each
	// block, and either the revealed seeds or none. An error of visit ends the walk and is
	// returned.
	BlocksAfter(ctx context.Context, after, until []hashchain.Head, visit func(Block) error) error
}

// LedgerPart is a part of the rows that auditors compare with blocks.
type LedgerPart string

// The parts, with their keys.
const (
	LedgerPlayers        LedgerPart = "players"         // a wallet
	LedgerPairs          LedgerPart = "seed pairs"      // the id of a pair
	LedgerTransactions   LedgerPart = "transactions"    // the id of a withdrawal with its attempts, of a deposit or an adjustment
	LedgerOpenRounds     LedgerPart = "open rounds"     // the id of an open stepped round
	LedgerLogins         LedgerPart = "sign-ins"        // wallet, and the time in its message
	LedgerRequests       LedgerPart = "requests"        // the id of an approval request
	LedgerVotes          LedgerPart = "votes"           // subject, admin, time
	LedgerCrashRounds    LedgerPart = "crash rounds"    // chain, number
	LedgerAdministration LedgerPart = "administration"  // kind and id of a role, an alarm or a crash chain
	LedgerBalances       LedgerPart = "balances"        // a player's or an unclaimed one: wallet, kind, token
	LedgerHolds          LedgerPart = "holds"           // withdrawal, token
	LedgerFigures        LedgerPart = "figures"         // a day and the rest of a figure's key
	LedgerPlayerDays     LedgerPart = "players' days"   // wallet, day, token, agent
	LedgerProviderRounds LedgerPart = "provider rounds" // the id of a provider's round
	LedgerVoteSums       LedgerPart = "sums of votes"   // sort, name, token, whether of credits, step
	LedgerCreditors      LedgerPart = "creditors"       // player, admin, and the origin of the admin's role
)

// LedgerParts returns every part.
func LedgerParts() []LedgerPart {
	return []LedgerPart{
		LedgerPlayers, LedgerPairs, LedgerTransactions, LedgerOpenRounds, LedgerLogins, LedgerRequests, LedgerVotes, LedgerCrashRounds, LedgerAdministration,
		LedgerBalances, LedgerHolds, LedgerFigures, LedgerPlayerDays, LedgerProviderRounds, LedgerVoteSums, LedgerCreditors,
	}
}

// LedgerRow is a row of a part, with the values that its part has.
type LedgerRow struct {
	Key string
	// Things are the events that would give the row its values.
	Things []event.Event
	// Next is the nonce of the seed pair's next round.
	Next    int64
	Balance ledger.Balance
	// Tally holds the totals of a player's balance; Tallied reports whether the store keeps
	// them.
	Tally   session.Tally
	Tallied bool
	Figure  DailyFigure
	Played  PlayerDay
	Round   seamless.Round
	// Sum is the total of the votes counted together in a step, Last the time of a
	// creditor's newest vote.
	Sum  money.Total
	Last time.Time
}

// LedgerPage is a page of rows of a part, read at one moment.
type LedgerPage struct {
	Rows []LedgerRow
	// Last is the greatest key that the page covers; More reports that rows may have
	// greater ones.
	Last string
	More bool
	// Heads are the heads of the moment. Those of LedgerPlayerDays are the last blocks that
	// CountPlay added, which may be earlier.
	Heads []hashchain.Head
}

// LedgerSums holds the stored sums of one moment.
type LedgerSums struct {
	Heads  []hashchain.Head
	Totals []ledger.Balance
	Funds  []FundsLine
	// Open are the deliveries that aren't done.
	Open []seamless.Delivery
	// Exposures are the exposures of open rounds by token.
	Exposures []ExposureLine
}

// ExposureLine is the exposure of a token's open rounds: as stored for openings, and as
// summed over the open rounds.
type ExposureLine struct {
	Token      money.Token
	Kept, Open money.Total
}

// PartOfThing returns the part and the key of the row that stores a thing.
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
		micros, _ := strconv.ParseInt(at, 10, 64) // a kind without an id gives 0
		return LedgerVotes, LedgerKey(of, by, ordinal(micros))
	case event.CrashRound:
		chain, number := cutLast(id)
		n, _ := strconv.ParseInt(number, 10, 64) // a kind without an id gives 0
		return LedgerCrashRounds, LedgerKey(chain, ordinal(n))
	}
	return LedgerAdministration, LedgerKey(string(kind), id)
}

// cutLast splits an id at its last slash.
func cutLast(id string) (before, last string) {
	if at := strings.LastIndexByte(id, '/'); at >= 0 {
		return id[:at], id[at+1:]
	}
	return id, ""
}

// PartOfBalance returns the part and the key of the row of a balance owed to a player.
func PartOfBalance(of ledger.Account, token money.Token) (LedgerPart, string) {
	if of.Kind == ledger.Hold {
		return LedgerHolds, LedgerKey(of.Owner, string(token))
	}
	return LedgerBalances, LedgerKey(of.Owner, of.Kind.String(), string(token))
}

// KeyOfFigure returns the key of a daily figure in LedgerFigures.
func KeyOfFigure(k figure.Key) string {
	return LedgerKey(k.Day, string(k.Token), k.Source, k.Game, k.Agent)
}

// KeyOfPlayerDay returns the key of a player's day in LedgerPlayerDays.
func KeyOfPlayerDay(k figure.PlayerKey) string {
	return LedgerKey(string(k.Wallet), k.Day, string(k.Token), k.Agent)
}

// KeyOfVoteSum returns the key of a sum of votes in LedgerVoteSums.
func KeyOfVoteSum(k player.VoteTally) string {
	credit := "0"
	if k.Credit {
		credit = "1"
	}
	return LedgerKey(string(k.Sort), k.Name, string(k.Token), credit, ordinal(k.Slot))
}

// KeyOfCreditor returns the key of a player's creditor in LedgerCreditors.
func KeyOfCreditor(c player.Creditor) string {
	var granted int64
	if !c.GrantedAt.IsZero() {
		granted = c.GrantedAt.UnixMicro()
	}
	return LedgerKey(string(c.Wallet), string(c.By), string(c.GrantedBy), ordinal(granted))
}

// ordinal formats a non-negative number so that texts sort like numbers.
func ordinal(n int64) string { return fmt.Sprintf("%019d", n) }

// LedgerKey joins texts to one key that sorts like their sequence.
func LedgerKey(texts ...string) string { return strings.Join(texts, "\x00") }

// AuditRows reads the rows that services use, so that auditors can compare them with the
// events that blocks cover.
type AuditRows interface {
	// Things calls visit once for each stored thing of a kind, with the event that would
	// give it its values and an empty Was. Of sign-ins it visits those with a message that
	// can still be used. An error of visit ends the walk and is returned.
	Things(ctx context.Context, kind event.Kind, visit func(event.Event) error) error
	// SealedSeeds opens the server seed of each pair that isn't revealed, and calls visit
	// with what is wrong; the error is nil if the seed matches its commitment. It discloses
	// no seed, and needs the keys that seal seeds.
	SealedSeeds(ctx context.Context, visit func(pair string, wrong error) error) error
}

// SealedRows reads and replaces the seals of rows, for auditors and for changes of keys.
type SealedRows interface {
	// SealedRows calls visit once for each row with a seal: requests and approvals of
	// withdrawals, payout attempts, the list of roles, tokens' terms, wallets' proofs, and
	// blocks. visit may call Reseal. An error of visit ends the walk and is returned.
	SealedRows(ctx context.Context, visit func(seal.Row) error) error
	// Reseal replaces the given seals and returns how many it replaced. It skips rows with
	// a seal that changed since it was read.
	Reseal(ctx context.Context, replaced []seal.Replacement) (int, error)
}
