// Package seamless defines third-party games in the seamless wallet model: providers
// keep no balances of players, and request each bet and each win from our wallet by a
// callback.
//
// A Transaction is the result of one callback, a Round a debit with its credits, a
// Launch the record of a player's launches at a provider and their token. Package player
// applies them to balances; adapters implement the protocols.
package seamless

import (
	"cmp"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// Kind is the effect of a callback.
type Kind string

// The kinds. A DebitCredit is a whole round in one callback; a Rollback undoes the
// transaction that its Reference names; a Settlement is not a callback, but an admin's
// decision on a win in review.
const (
	Debit       Kind = "debit"
	Credit      Kind = "credit"
	DebitCredit Kind = "debit_credit"
	Rollback    Kind = "rollback"
	Settlement  Kind = "settlement"
)

// ParseKind parses the kind of a callback in the protocol's form.
func ParseKind(text string) (Kind, bool) {
	kind := Kind(text)
	return kind, kind == Debit || kind == Credit || kind == DebitCredit
}

// Bets reports whether the kind takes a bet.
func (k Kind) Bets() bool { return k == Debit || k == DebitCredit }

// Wins reports whether the kind brings a win.
func (k Kind) Wins() bool { return k == Credit || k == DebitCredit || k == Settlement }

// Status is the result of a transaction; it never changes.
type Status string

// The statuses. The bet of a transaction in Review was taken; its win waits for an
// admin's decision.
const (
	Taken   Status = "taken"
	Refused Status = "refused"
	Review  Status = "review"
	// Undecided transactions await the response of an agent's site; they aren't stored.
	Undecided Status = "undecided"
)

// Ref names a transaction of a provider connection, and its game.
type Ref struct {
	Connection string // our name of the connection, such as "goldapi"
	TxnID      string // the provider's
	Provider   string // the maker of the game, such as "PRAGMATIC"
	Game       string // the maker's code of the game
}

// Launch is a player's launch record at a connection: the time of the first launch, the
// token of new bets, and the hour's sums for the caps.
type Launch struct {
	Wallet     wallet.Address
	Connection string
	Token      money.Token
	Scale      Scale
	FirstAt    time.Time
	At         time.Time // of the newest launch
	// Hour is the hour, as counted by HourOf, of Net: won less bet, in base units.
	Hour int64
	Net  int64
	// WithoutDebit is the sum of credits without a debit within the hour.
	WithoutDebit money.Amount
}

// Known reports whether the player ever launched a game at the connection.
func (l Launch) Known() bool { return !l.FirstAt.IsZero() }

// Transaction is one callback with its result.
type Transaction struct {
	ID string // ours, sorting by time
	Ref
	Kind     Kind
	GameType string // the provider's type of game, such as "slot"
	// Reference is the txn_id of the bet that a win settles, if the protocol names it, or of
	// the transaction that a rollback undoes.
	Reference string
	Wallet    wallet.Address
	Agent     string
	Token     money.Token
	Scale     Scale
	// Requested are the amounts in the provider's form, made canonical; a repeat must
	// request the same.
	Requested Requested
	// Bet is the amount moved from the player, Win the amount moved to the player, zero if
	// refused: a rollback returns a bet as Win and takes a win back as Bet. The Win of a
	// transaction in review waits.
	Bet, Win money.Amount
	// Residue is the part of a win below a base unit, as a decimal fraction of one; empty
	// if there is none.
	Residue string
	Status  Status
	// Reason is the protocol's code for a refusal or review.
	Reason  Reason
	RoundID string // of the round it belongs to; empty for a refused one
	// Site is the site to which it was forwarded, of the agent who keeps the player's
	// money; empty if it moved the player's balance here.
	Site string
	// Balance is the player's balance of Token after it. For a forwarded transaction it is
	// the site's response to the bet, rounded down, and 0 without a bet: the Delivery
	// stores the response to a win.
	Balance money.Amount
	At      time.Time
}

// Account returns the account of the player's side: the player's balance here, or the
// prepaid account of the agent who keeps the player's money.
func (t Transaction) Account() ledger.Account {
	if t.Site != "" {
		return ledger.AgentOf(t.Agent)
	}
	return ledger.PlayerOf(t.Wallet)
}

// Requested is a bet and a win in the provider's form.
type Requested struct{ Bet, Win Decimal }

// Reason says why a transaction was refused or is in review.
type Reason string

// The reasons.
const (
	None              Reason = ""
	InsufficientFunds Reason = "INSUFFICIENT_USER_FUNDS"
	AgentFunds        Reason = "INSUFFICIENT_AGENT_FUNDS"
	InvalidAmount     Reason = "INVALID_PARAMETER"
	BlockedAgent      Reason = "BLOCKED_AGENT"
	AgentSeamless     Reason = "AGENT_SEAMLESS"
	InvalidGame       Reason = "INVALID_GAME"
	GameDisabled      Reason = "GAME_DISABLED"
	PlayerExcluded    Reason = "PLAYER_EXCLUDED"
	PlayerFrozen      Reason = "PLAYER_FROZEN"
	LimitExceeded     Reason = "LIMIT_EXCEEDED"
	Paused            Reason = "API_CHECKING"
	TokenNotAccepted  Reason = "TOKEN_NOT_ACCEPTED"
	OverNetCap        Reason = "NET_WIN_CAP"
	OverCreditCap     Reason = "CREDIT_WITHOUT_DEBIT_CAP"
	OverConnectionCap Reason = "CONNECTION_WIN_CAP"
	BalanceFull       Reason = "BALANCE_FULL"
	// RolledBack refuses a bet that a rollback undid, even before it arrived.
	RolledBack Reason = "TRANSACTION_ROLLED_BACK"
	// UnknownBet refuses a win whose reference names no bet that stands.
	UnknownBet Reason = "TRANSACTION_DOES_NOT_EXIST"
)

// ReviewReasons returns the reasons for which a win waits for an admin.
func ReviewReasons() []Reason {
	return []Reason{BalanceFull, OverCreditCap, OverNetCap, OverConnectionCap}
}

// Same reports whether a repeated callback requests the same as this transaction.
func (t Transaction) Same(w wallet.Address, ref Ref, kind Kind, asked Requested, reference string) bool {
	return t.Wallet == w && t.Ref == ref && t.Kind == kind && t.Requested == asked && t.Reference == reference
}

// Undoes reports whether it is the rollback of a transaction of its connection.
func (t Transaction) Undoes(txnID string) bool { return t.Kind == Rollback && t.Reference == txnID }

// RoundRef names the round that a credit settles: the one that began with its Reference
// or, without one, with its own txn_id.
func (t Transaction) RoundRef() Ref {
	if t.Reference != "" {
		t.TxnID = t.Reference
	}
	return t.Ref
}

// Postings books the amounts moved: the bet Account → provider, the win provider →
// Account, each leg under a key of its own. A rollback is one posting under the txn_id of
// the transaction that it undoes, which can be undone only once.
func (t Transaction) Postings() []ledger.Posting {
	if t.Status == Refused {
		return nil
	}
	player, provider := t.Account(), ledger.ProviderOf(t.Connection)
	if t.Kind == Rollback {
		return t.rollbackPostings(player, provider)
	}
	var postings []ledger.Posting
	post := func(kind ledger.KeyKind, from, to ledger.Account, amount money.Amount) {
		if amount > 0 {
			postings = append(postings, ledger.Posting{
				Key:       ledger.Key{Kind: kind, Scope: t.Connection, ID: t.TxnID},
				Transfers: []ledger.Transfer{{Debit: from, Credit: to, Token: t.Token, Amount: amount}},
			})
		}
	}
	post(ledger.ProviderDebit, player, provider, t.Bet)
	if t.Status == Taken {
		kind := ledger.ProviderCredit
		if t.Kind == Settlement {
			kind = ledger.ProviderReview
		}
		post(kind, provider, player, t.Win)
	}
	return postings
}

func (t Transaction) rollbackPostings(player, provider ledger.Account) []ledger.Posting {
	var transfers []ledger.Transfer
	if t.Paid() > 0 {
		transfers = append(transfers, ledger.Transfer{Debit: provider, Credit: player, Token: t.Token, Amount: t.Paid()})
	}
	if t.Bet > 0 {
		transfers = append(transfers, ledger.Transfer{Debit: player, Credit: provider, Token: t.Token, Amount: t.Bet})
	}
	if transfers == nil {
		return nil
	}
	return []ledger.Posting{{Key: ledger.Key{Kind: ledger.ProviderRollback, Scope: t.Connection, ID: t.Reference}, Transfers: transfers}}
}

// Paid is the part of the win that reached the player.
func (t Transaction) Paid() money.Amount {
	if t.Status == Taken {
		return t.Win
	}
	return 0
}

// Round is a debit with its credits, less what rollbacks undid; a credit without a debit
// is a separate round with wager 0.
type Round struct {
	ID string // of its first transaction
	Ref
	GameType string
	Wallet   wallet.Address
	Agent    string
	Token    money.Token
	Scale    Scale
	Wager    money.Amount
	Payout   money.Amount
	// Site is where its debit was forwarded, and its credits go; empty if the player's
	// balance is here.
	Site string
	// Balance is the player's balance after its newest transaction; for a forwarded round
	// after its bet.
	Balance money.Amount
	// Credits counts the transactions after the first, rollbacks included.
	Credits int
	// WithoutDebit reports that it began without a debit.
	WithoutDebit bool
	// RolledBack reports that its debit was undone.
	RolledBack bool
	At         time.Time
}

// Begin returns the round that a transaction begins.
func Begin(t Transaction) Round {
	return Round{
		ID: t.ID, Ref: t.Ref, GameType: t.GameType, Wallet: t.Wallet, Agent: t.Agent, Token: t.Token, Scale: t.Scale,
		Site: t.Site, Wager: t.Bet, Payout: t.Paid(), Balance: t.Balance, WithoutDebit: !t.Kind.Bets(), At: t.At,
	}
}

// With returns the round after one more credit or rollback, and false if its payout would
// overflow, or if it has less than the rollback undoes.
func (r Round) With(t Transaction) (Round, bool) {
	wager, payout := r.Wager, r.Payout
	var ok bool
	if t.Kind == Rollback {
		var whole bool
		wager, whole = wager.Sub(t.Paid())
		payout, ok = payout.Sub(t.Bet)
		ok = ok && whole
	} else {
		payout, ok = payout.Add(t.Paid())
	}
	if !ok {
		return r, false
	}
	r.Wager, r.Payout, r.Credits, r.RolledBack = wager, payout, r.Credits+1, r.RolledBack || t.Undoes(r.TxnID)
	if t.Site == "" {
		r.Balance = t.Balance
	}
	return r, true
}

// multiplierScale cuts a provider round's multiplier to four decimals.
const multiplierScale = 10_000

// Bet returns the round in the form of the house's own rounds, for lists. Its multiplier
// is payout divided by wager, cut to four decimals.
func (r Round) Bet() bet.Round {
	round := bet.Round{
		ID: r.ID, Wallet: r.Wallet, Agent: r.Agent, Source: r.Provider, GameType: r.Game, Token: r.Token,
		Wager: r.Wager, Payout: r.Payout, Multiplier: money.Ratio{Den: 1}, Balance: r.Balance, At: r.At,
	}
	if r.Wager > 0 {
		if parts, ok := r.Payout.Times(money.Ratio{Num: multiplierScale, Den: uint64(r.Wager)}); ok {
			round.Multiplier = money.Ratio{Num: uint64(parts), Den: multiplierScale}.Reduced()
		}
	}
	return round
}

// RoundMatch holds the rounds that a transaction may belong to, as a decision sees them;
// a zero Round means that there is none.
type RoundMatch struct {
	// Exact is the round that began with the same txn_id.
	Exact Round
	// Latest is the player's newest round of the same game, with any txn_id.
	Latest Round
}

// LatestFor is how long after a debit credits of another txn_id can settle it.
const LatestFor = 24 * time.Hour

// DebitOf returns the round that a credit settles: the one of its own txn_id, else the
// newest of the game if recent enough. False means that the credit has no debit.
func (s RoundMatch) DebitOf(at time.Time) (Round, bool) {
	if s.Exact.ID != "" {
		return s.Exact, true
	}
	return s.Latest, s.Latest.ID != "" && at.Sub(s.Latest.At) <= LatestFor
}

// After returns the match for ref after a round began or continued. A credit without a
// debit begins a round that no other credit joins.
func (s RoundMatch) After(ref Ref, r Round) RoundMatch {
	if r.Connection != ref.Connection || r.WithoutDebit {
		return s
	}
	if r.TxnID == ref.TxnID {
		s.Exact = r
	}
	if r.Provider == ref.Provider && r.Game == ref.Game && r.ID >= s.Latest.ID {
		s.Latest = r
	}
	return s
}

// HourRef names the sums of all players of a connection in a token.
type HourRef struct {
	Connection string
	Token      money.Token
}

// Compare orders references as every store locks them: by connection, then token.
func (r HourRef) Compare(other HourRef) int {
	return cmp.Or(cmp.Compare(r.Connection, other.Connection), cmp.Compare(r.Token, other.Token))
}

// Hour sums the wins and bets of all players of a connection within a clock hour, in
// base units of one token.
//
// Won has every credited win, because wins of one connection and token are decided one
// after another. Bet may lack bets that other commits are about to make: that makes the
// cap narrower, never wider.
type Hour struct {
	// Number is the hour, counted from 1970 UTC.
	Number int64
	Won    money.Total
	Bet    money.Total
}

// HourOf returns the number of the hour that contains the moment.
func HourOf(at time.Time) int64 { return at.Unix() / int64(time.Hour/time.Second) }

// In returns the sums for an hour: these, or empty ones if it is later. An earlier hour
// counts as the latest one, so that a clock that is set back, or behind others, doesn't
// restart an hour.
func (h Hour) In(number int64) Hour {
	if number > h.Number {
		return Hour{Number: number}
	}
	return h
}

// Admits reports whether one more win keeps the amount won less bet within a limit.
func (h Hour) Admits(win, limit money.Amount) bool {
	return h.Won.AddAmount(win).Sub(h.Bet).Cmp(money.TotalOf(limit)) <= 0
}

// With returns the hour after one more transaction. Wins that an admin approved are
// exempt from the cap and not in the sums.
func (h Hour) With(t Transaction) Hour {
	if t.Kind == Settlement || t.Status == Refused {
		return h
	}
	h.Won, h.Bet = h.Won.AddAmount(t.Paid()), h.Bet.AddAmount(t.Bet)
	return h
}

// HourRef names the sums that count the transaction.
func (t Transaction) HourRef() HourRef { return HourRef{Connection: t.Connection, Token: t.Token} }

// Counts reports whether the transaction's win counts against its hour's cap.
func (t Transaction) Counts() bool { return t.Kind != Settlement && t.Paid() > 0 }
