package events

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// FeedRate is how many bets a second the public feed shows: where more are played it
// shows the newest.
const FeedRate = 20

// feed chooses the bets that everybody may see as they are played, once for all who look.
type feed struct {
	clock ports.Clock

	mu sync.Mutex
	// shown is when the newest bets were shown, at most FeedRate of them.
	shown []time.Time
	// held are the newest bets that wait to be shown.
	held     []PublicBet
	watchers map[*FeedListener]struct{}
}

func newFeed(clock ports.Clock) *feed {
	return &feed{clock: clock, watchers: map[*FeedListener]struct{}{}}
}

func (f *feed) isWatched() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.watchers) > 0
}

// addBets holds bets until they may be shown, and only the newest of them.
func (f *feed) addBets(bets []PublicBet) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.held = lastOf(append(f.held, bets...), FeedRate)
}

// showDue shows as many of the newest as may be by now.
func (f *feed) showDue() {
	now := f.clock.Now()
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.shown) > 0 && (now.Sub(f.shown[0]) >= time.Second || now.Before(f.shown[0])) {
		f.shown = f.shown[1:]
	}
	room := FeedRate - len(f.shown)
	if room == 0 || len(f.held) == 0 {
		return
	}
	bets := lastOf(f.held, room)
	f.held = nil
	for range bets {
		f.shown = append(f.shown, now)
	}
	for l := range f.watchers {
		l.addBets(bets)
	}
}

// lastOf leaves the last n.
func lastOf[T any](of []T, n int) []T { return of[max(0, len(of)-n):] }

// FeedListener sees bets as they are played. It is for one goroutine, and must be closed.
type FeedListener struct {
	from    *broadcast
	news    chan struct{}
	mu      sync.Mutex
	waiting []PublicBet
}

func (l *FeedListener) addBets(bets []PublicBet) {
	l.mu.Lock()
	l.waiting = lastOf(append(l.waiting, bets...), FeedRate)
	l.mu.Unlock()
	select {
	case l.news <- struct{}{}:
	default:
	}
}

// Next returns the next bets, at least one, oldest first. It waits for them until ctx
// ends, whose error it returns then. Whoever asks seldom gets the newest.
func (l *FeedListener) Next(ctx context.Context) ([]PublicBet, error) {
	for {
		l.mu.Lock()
		bets := l.waiting
		l.waiting = nil
		l.mu.Unlock()
		if len(bets) > 0 {
			return bets, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-l.news:
		}
	}
}

// Close ends the listener.
func (l *FeedListener) Close() { l.from.removeFeedListener(l) }

// RecentBetsMax is how many bets the public feed shows.
const RecentBetsMax = 20

// PublicBet is a bet as everybody may see it: nothing of it names the player, whose
// deposits anybody reads on the chain.
type PublicBet struct {
	ID         string
	Provider   string // figure.Own for the house's own games
	GameType   string
	Player     string // a pseudonym, see Pseudonyms
	Token      money.Token
	Wager      money.Amount
	Payout     money.Amount
	Multiplier money.Ratio
	At         time.Time
}

// RecentBets lists the newest bets of all players.
func (c *Service) RecentBets(ctx context.Context) ([]PublicBet, error) {
	rounds, err := c.core.Store.Rounds.RecentRounds(ctx, RecentBetsMax)
	if err != nil {
		return nil, err
	}
	bets := make([]PublicBet, 0, len(rounds))
	for _, r := range rounds {
		shown, err := c.publicBet(r)
		if err != nil {
			return nil, err
		}
		bets = append(bets, shown)
	}
	return bets, nil
}

func (c *Service) publicBet(r bet.Round) (PublicBet, error) {
	provider := r.Source
	if provider == "" {
		provider = figure.Own
	}
	// The month is the bet's own: one bet never shows under two names.
	name, err := c.pseudonyms.pseudonymOf(r.Wallet, r.At)
	return PublicBet{
		ID: r.ID, Provider: provider, GameType: r.GameType, Player: name, Token: r.Token,
		Wager: r.Wager, Payout: r.Payout, Multiplier: r.Multiplier, At: r.At,
	}, err
}

// PseudonymPurpose is what pseudonyms are made for.
const PseudonymPurpose = "pseudonym"

// pseudonyms name players in public, each by another name in another month. Nobody who
// lacks the keys knows which wallet one is of, or which two of different months are one
// player's. They are made under the oldest key: keys are added in front and none is ever
// dropped, so a rotation changes no name, also while instances have different lists.
type pseudonyms struct {
	seals seal.Authenticator
	// salt takes the place of keys where nothing is sealed: names are then this process's
	// own.
	salt func() [32]byte
}

func newPseudonyms(seals seal.Authenticator, entropy ports.Entropy) pseudonyms {
	return pseudonyms{seals: seals, salt: sync.OnceValue(entropy.Seed)}
}

// pseudonymOf returns the name of a wallet in the month of a moment, in UTC: 16 hexadecimal digits.
func (p pseudonyms) pseudonymOf(w wallet.Address, at time.Time) (string, error) {
	message := []byte(at.UTC().Format("2006-01") + " " + string(w))
	sealed, err := p.oldestKeyed(message)
	if err != nil {
		return "", err
	}
	digest := sha256.Sum256([]byte(sealed))
	return hex.EncodeToString(digest[:8]), nil
}

func (p pseudonyms) oldestKeyed(message []byte) (string, error) {
	if seal.Off(p.seals) {
		salt := p.salt()
		return string(salt[:]) + string(message), nil
	}
	if rotated, ok := p.seals.(ports.RotatedSeals); ok {
		all, err := rotated.Seals(PseudonymPurpose, message)
		if err != nil || len(all) == 0 {
			return "", err
		}
		return all[len(all)-1], nil
	}
	return p.seals.Seal(PseudonymPurpose, message)
}
