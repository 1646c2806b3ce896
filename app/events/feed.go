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

// FeedRate is the number of bets that the public feed shows in a second: the newest ones.
const FeedRate = 20

// feed selects the bets of the public feed for all watchers.
type feed struct {
	clock ports.Clock

	mu sync.Mutex
	// shown are the times of the bets shown in the last second, at most FeedRate.
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

// addBets holds the newest bets until they may be shown.
func (f *feed) addBets(bets []PublicBet) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.held = lastOf(append(f.held, bets...), FeedRate)
}

// showDue shows as many of the newest bets as the rate allows now.
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

// lastOf returns the last n elements, or all if there are fewer.
func lastOf[T any](of []T, n int) []T { return of[max(0, len(of)-n):] }

// FeedListener gets bets as they are played. It is for one goroutine, and must be closed.
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

// Next returns the next bets, at least one, oldest first. It waits until ctx ends, and then
// returns its error. A caller that calls it rarely gets only the newest bets.
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

// RecentBetsMax is the number of bets that RecentBets returns.
const RecentBetsMax = 20

// PublicBet is a bet without the player's wallet, because anyone can read a wallet's
// deposits on the chain.
type PublicBet struct {
	ID         string
	Provider   string // figure.Own for house games
	GameType   string
	Player     string // a pseudonym, see pseudonyms
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
	// The bet's own month is used, so that a bet never has two names.
	name, err := c.pseudonyms.pseudonymOf(r.Wallet, r.At)
	return PublicBet{
		ID: r.ID, Provider: provider, GameType: r.GameType, Player: name, Token: r.Token,
		Wager: r.Wager, Payout: r.Payout, Multiplier: r.Multiplier, At: r.At,
	}, err
}

// PseudonymPurpose is the purpose of the seals from which pseudonyms are made.
const PseudonymPurpose = "pseudonym"

// pseudonyms gives players public names that change every month. Without the keys, a name
// can't be linked to a wallet or to the same player's name in another month. The oldest key
// is used: keys are added in front and never dropped, so a rotation changes no name, even
// while instances have different key lists.
type pseudonyms struct {
	seals seal.Authenticator
	// salt replaces the keys if nothing is sealed; names then differ between processes.
	salt func() [32]byte
}

func newPseudonyms(seals seal.Authenticator, entropy ports.Entropy) pseudonyms {
	return pseudonyms{seals: seals, salt: sync.OnceValue(entropy.Seed)}
}

// pseudonymOf returns the name of a wallet in a month (UTC): 16 hexadecimal digits.
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
