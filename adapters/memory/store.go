// Package memory stores everything in the memory of one process. It implements every store
// port with ledger.Book, player.Apply, hashchain.Next and figure.Of.
//
// It is the reference for the SQL store, and serves tests, simulators and embedders who try
// the use cases without a database. All data is lost with the process, so production uses
// sqlstore. It imports no other adapter.
package memory

import (
	"sync"
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/catalog"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/proof"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/ports"
)

// Store holds a casino's whole state. It is safe for concurrent use: one mutex serializes
// all calls. Used by one goroutine it is deterministic, because Commit runs the decision in
// the caller's goroutine.
type Store struct {
	flights flights

	mu      sync.Mutex
	stopped bool

	// wallets holds each wallet's whole view, and book all balances, including those of the
	// wallets. Both apply each change, or neither does.
	wallets map[wallet.Address]player.View
	book    ledger.Book
	keys    map[keyName]held

	// Sorted by id, oldest first.
	rounds               []bet.Round
	providerRounds       []seamless.Round
	providerTransactions []seamless.Transaction
	lines                []line
	retired              []retired
	approvals            []approval.Approval

	// open maps the ids of open rounds to their wallets; exposed is the most that these
	// rounds may cost together.
	open    map[string]wallet.Address
	exposed map[money.Token]money.Total

	votes       []player.Vote
	adjustments []player.Adjustment
	logins      []player.Login
	sessions    map[sessionName]session.Session
	nonces      map[nonce]bool
	pairs       map[string]bool // ids ever used
	commitments map[string]bool // ever used
	attempts    map[string][]withdrawal.Attempt
	signatures  map[string]bool // of payout attempts
	buried      map[string]bool // signatures of attempts that were proved dead
	leases      map[string]withdrawal.Lease
	proofs      map[wallet.Address]proof.Proof
	pause       withdrawal.Pause
	cursors     map[money.Token]deposit.WatchProgress
	reconciled  map[string]time.Time // by connection
	origin      witness.Origin
	parked      map[deposit.Ref]deposit.Parked
	index       index

	roles   map[wallet.Address]rbac.Assignment
	listed  rbac.List       // the version and the seal of the roles
	records map[string]bool // ids of audit records
	audit   []audit.Record  // sorted by id
	// scoped are the totals of liabilities by agent; players counts sign-ups.
	scoped     map[scopedBucket]money.Total
	players    map[string]int64
	branding   *branding.Branding
	agents     map[string]keptAgent // by code
	funds      map[agent.FundsRef]agent.Funds
	hours      map[seamless.HourRef]seamless.Hour
	deliveries []seamless.Delivery // sorted by id
	webhooks   map[string]*keptWebhook
	alarms     []alarm.Alarm  // sorted by id
	games      []catalog.Game // sorted by code
	figures    map[figure.Key]figure.Cell
	playerDays map[figure.PlayerKey]figure.Cell
	snapshots  []ports.SolvencySnapshot // the newest first
	blocks     []ports.Block
	heads      map[int]hashchain.Head // by lane
	log        headLog
	crash      crashes

	identity *ports.Identity
	// control is replaced, never modified, because views refer to it.
	control *control.State
	tokens  map[money.Token]token.Terms
}

// line is one line of an account, with the player's agent at that time.
type line struct {
	ports.Transaction
	agent string
}

type retired struct {
	wallet wallet.Address
	next   string // the pair after it
	fairness.Revealed
}

// sessionName identifies a session of a wallet.
type sessionName struct {
	wallet wallet.Address
	issued int64 // Unix milliseconds
}

type nonce struct {
	pair string
	n    int64
}

// New returns an empty store.
func New() *Store {
	first := control.First()
	return &Store{
		flights:     flights{open: map[places]int{}},
		wallets:     map[wallet.Address]player.View{},
		keys:        map[keyName]held{},
		nonces:      map[nonce]bool{},
		open:        map[string]wallet.Address{},
		exposed:     map[money.Token]money.Total{},
		sessions:    map[sessionName]session.Session{},
		pairs:       map[string]bool{},
		commitments: map[string]bool{},
		attempts:    map[string][]withdrawal.Attempt{},
		signatures:  map[string]bool{},
		buried:      map[string]bool{},
		leases:      map[string]withdrawal.Lease{},
		proofs:      map[wallet.Address]proof.Proof{},
		cursors:     map[money.Token]deposit.WatchProgress{},
		reconciled:  map[string]time.Time{},
		parked:      map[deposit.Ref]deposit.Parked{},
		roles:       map[wallet.Address]rbac.Assignment{},
		records:     map[string]bool{},
		figures:     map[figure.Key]figure.Cell{},
		playerDays:  map[figure.PlayerKey]figure.Cell{},
		scoped:      map[scopedBucket]money.Total{},
		players:     map[string]int64{},
		agents:      map[string]keptAgent{agent.House: {Agent: agent.HouseAgent()}},
		tokens:      map[money.Token]token.Terms{},
		funds:       map[agent.FundsRef]agent.Funds{},
		webhooks:    map[string]*keptWebhook{},
		hours:       map[seamless.HourRef]seamless.Hour{},
		control:     &first,
		heads:       map[int]hashchain.Head{},
		crash:       crashes{drained: map[string]drained{}},
	}
}

// Stop refuses every later Commit with Unavailable. Reads still work.
func (s *Store) Stop() {
	defer s.locked()()
	s.stopped = true
}

// view returns a wallet's whole view. The view of an unknown wallet holds only its address.
func (s *Store) view(w wallet.Address) player.View {
	v := s.wallets[w]
	v.Player.Wallet = w
	if v.Tallies == nil {
		v.Tallies = map[money.Token]session.Tally{}
	}
	return v
}

// locked locks the store and returns the function that unlocks it.
func (s *Store) locked() (unlock func()) {
	s.mu.Lock()
	return s.mu.Unlock
}
