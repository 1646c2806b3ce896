package restore

import (
	"crypto/ed25519"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/casino-service/casino/app/accounts"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/witness"
)

// account is what the casino must know of a player.
type account struct {
	wallet wallet.Address
	// known says that the player signed in once.
	known         bool
	balance, owed int64
	// open are withdrawals that hold money.
	open map[string]int64
	// claims are what was paid to the treasury and not credited yet, by signature.
	claims   map[string]int64
	excluded time.Time
	launched bool
	// token is a session, "" when a new one is needed. It is the player's own.
	token string
	// ended says that a recovery ended the player's sessions.
	ended bool
}

func newAccount(w wallet.Address) *account {
	return &account{wallet: w, open: map[string]int64{}, claims: map[string]int64{}}
}

func (a *account) clone() *account {
	twin := *a
	twin.open, twin.claims = maps.Clone(a.open), maps.Clone(a.claims)
	return &twin
}

// books are what the database must say. They go back with it.
type books struct {
	accounts map[wallet.Address]*account
	// asked are the withdrawals that it knows.
	asked map[string]bool
	// answers are what callbacks were answered, by transaction.
	answers map[string]answered
	// paidIn is how many of the payments to the treasury had been made.
	paidIn int
}

// answered is the first answer to a callback.
type answered struct {
	accepted bool
	balance  seamless.Decimal
}

func newBooks() books {
	return books{accounts: map[wallet.Address]*account{}, asked: map[string]bool{}, answers: map[string]answered{}}
}

func (b books) clone() books {
	twin := books{accounts: map[wallet.Address]*account{}, asked: maps.Clone(b.asked), answers: maps.Clone(b.answers), paidIn: b.paidIn}
	for address, a := range b.accounts {
		twin.accounts[address] = a.clone()
	}
	return twin
}

// eyes are what players, providers, the chain and whoever keeps published heads saw. No
// restore takes it away.
type eyes struct {
	keys map[wallet.Address]ed25519.PrivateKey
	// players are all wallets, in the order of their coming.
	players []wallet.Address
	// outcomes are the rounds that were shown, by pair and nonce.
	outcomes map[outcome]string
	// dead are the pairs whose seeds may be known to decide what is lost.
	dead map[string]bool
	// shown are the pairs that players saw promised or played, dead at the next recovery.
	shown    map[string]bool
	messages []login
	sessions []string
	// deposits are all payments to the treasury.
	deposits []payment
	requests map[string]wanted
	sent     []message
	blocks   *blocks
}

type outcome struct {
	commitment string
	nonce      int64
}

type login struct {
	accounts.SignInRequest
	number int // how many backups there were
}

// payment is what a player paid to the treasury.
type payment struct {
	signature string
	from      wallet.Address
	amount    int64
}

// wanted is a withdrawal that was asked for.
type wanted struct {
	wallet wallet.Address
	amount int64
}

func newEyes() eyes {
	return eyes{
		keys: map[wallet.Address]ed25519.PrivateKey{}, outcomes: map[outcome]string{}, dead: map[string]bool{}, shown: map[string]bool{},
		requests: map[string]wanted{}, blocks: &blocks{seen: map[place]hashchain.Hash{}, newest: map[int]int64{}, lost: map[place]bool{}},
	}
}

// played notes a round that a player saw.
func (e *eyes) played(r bet.Round) error {
	seen := outcome{r.Commitment, r.Nonce}
	switch other, twice := e.outcomes[seen]; {
	case twice:
		return fmt.Errorf("rounds %s and %s are both of pair %s and nonce %d: an outcome comes twice", other, r.ID, r.Commitment, r.Nonce)
	case e.dead[r.Commitment]:
		return fmt.Errorf("round %s is drawn from pair %s, whose rounds may be lost", r.ID, r.Commitment)
	}
	e.outcomes[seen], e.shown[r.Commitment] = r.ID, true
	return nil
}

// epoch makes every pair that was ever shown a dead one.
func (e *eyes) epoch() {
	maps.Copy(e.dead, e.shown)
	clear(e.shown)
}

// blocks are the heads that were published. It is safe for concurrent use.
type blocks struct {
	mu     sync.Mutex
	seen   map[place]hashchain.Hash
	newest map[int]int64 // of the database's
	lost   map[place]bool
	twice  error
	// closed says that a restore was noticed and no epoch began yet. What is written then,
	// such as the discovery itself, goes on behind the database's newest block, with
	// numbers that lost blocks had.
	closed bool
}

type place struct {
	lane int
	seq  int64
}

// note takes down a block that was committed.
func (b *blocks) note(h hashchain.Head) {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := place{h.Lane, h.Seq}
	if b.closed && b.lost[at] {
		delete(b.seen, at)
		delete(b.lost, at)
	}
	if hash, known := b.seen[at]; known && hash != h.Hash && b.twice == nil {
		b.twice = fmt.Errorf("block %d of lane %d is %s and %s", h.Seq, h.Lane, hash, h.Hash)
	}
	b.seen[at], b.newest[h.Lane] = h.Hash, max(b.newest[h.Lane], h.Seq)
}

func (b *blocks) sealed(h witness.Head) { b.note(h.Head) }

// heads are the newest numbers, by lane.
func (b *blocks) heads() map[int]int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.newest)
}

// back makes the blocks above these lost ones. Those whose numbers nobody can know are
// forgotten: they are used again.
func (b *blocks) back(to map[int]int64, closed, forget bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for at := range b.seen {
		if at.seq <= to[at.lane] {
			continue
		}
		if forget {
			delete(b.seen, at)
		} else {
			b.lost[at] = true
		}
	}
	b.newest, b.closed = maps.Clone(to), closed
}

// begun takes down the blocks that an epoch began with.
func (b *blocks) begun(heads []hashchain.Head) {
	b.mu.Lock()
	b.closed = b.closed && len(heads) == 0
	b.mu.Unlock()
	for _, h := range heads {
		b.note(h)
	}
}

// kept are the blocks that are not lost, as somebody keeps them who compares.
func (b *blocks) kept() (heads []hashchain.Head, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for at, hash := range b.seen {
		if !b.lost[at] {
			heads = append(heads, hashchain.Head{Lane: at.lane, Seq: at.seq, Hash: hash})
		}
	}
	return heads, b.twice
}
