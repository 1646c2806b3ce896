package capture

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/domain/game"
)

// seat is one player who plays rounds one after another.
type seat struct {
	*run
	*service
	number int
	player Player
	played []string // ids of the rounds of the pair in use
	// commitment is that of the pair in use.
	commitment string
	// actions are the draws that choose the actions in stepped rounds.
	actions game.Draws
	// unanswered counts bets without an answer.
	unanswered int
}

// playAll plays pair after pair until no round is left. At any end it reveals the played
// rounds.
func (s *seat) playAll(ctx context.Context) error {
	err := s.rotatePair(ctx)
	for again := err == nil; again; {
		again, err = s.playPair(ctx)
	}
	if len(s.played) > 0 {
		err = errors.Join(err, s.closing(ctx, s.rotatePair))
	}
	if err == nil && s.number == 1 {
		err = s.playShared(ctx)
	}
	return errors.Join(err, s.closing(ctx, s.writeSolvency))
}

// closing does what must be done after an interruption too.
func (s *seat) closing(ctx context.Context, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	return do(ctx)
}

// writeSolvency writes the proof of what the service owes to the player, where it makes any.
func (s *seat) writeSolvency(ctx context.Context) error {
	err := s.sendSignedIn(ctx, func(ctx context.Context, c *client.Client) error { _, err := c.AccountSolvency(ctx); return err })
	if client.CodeOf(err) == "NOT_FOUND" {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading the proof of solvency: %w", err)
	}
	return s.writeLine(Line{Line: lineSolvency})
}

// playPair plays the rounds of a pair and begins the next one. again reports whether more
// rounds may be left.
func (s *seat) playPair(ctx context.Context) (again bool, err error) {
	for len(s.played) < s.PairRounds {
		if ctx.Err() != nil {
			return false, nil //nolint:nilerr // another seat failed and reports the error
		}
		next, more := s.takeJob()
		if !more {
			return false, nil
		}
		if err := s.playRound(ctx, next); err != nil {
			return false, err
		}
		s.countRound()
	}
	err = s.rotatePair(ctx)
	return err == nil, err
}

// roomTries is how often opening a stepped round is tried, because it is refused while
// other open rounds use the room. roomWait is the pause between two tries.
const (
	roomTries = 50
	roomWait  = 20 * time.Millisecond
)

// playRound plays one round. A refused round is tried with the smallest stake; a config
// that is refused even then isn't played any more.
func (s *seat) playRound(ctx context.Context, j job) error {
	asked, tries := s.betOf(j), 1
	if j.of.steps {
		tries = roomTries
	}
	refused, err := s.takeBet(ctx, j, asked)
	for ; err == nil && refused != nil && tries > 1; tries-- {
		s.Wait(ctx, roomWait)
		refused, err = s.takeBet(ctx, j, asked)
	}
	if err != nil || refused == nil {
		return err
	}
	if err := s.writeLimits(ctx, s.service); err != nil {
		return err
	}
	if asked.Wager > s.least {
		j.of.smallest.Store(true)
		return s.playRound(ctx, j)
	}
	if j.of.declined.Add(1) >= j.of.declinedMax() && !j.of.refused.Swap(true) {
		s.mu.Lock()
		s.refused = append(s.refused, fmt.Sprintf("%s %s: %s", asked.GameType, asked.Config, refused.Message))
		s.mu.Unlock()
	}
	if other, ok := s.playableJob(job{s.configAfter(j.of), j.multiple}); ok && other.of != j.of {
		return s.playRound(ctx, other)
	}
	return nil
}

// takeBet sends a bet and plays the steps of a round that it opens. It returns the refusal
// if the house doesn't accept the possible payout.
func (s *seat) takeBet(ctx context.Context, j job, asked *Asked) (refused *client.Error, err error) {
	nonce := int64(len(s.played))
	asked.Key, asked.ExpectedServerSeedHash, asked.ExpectedNonce = s.Entropy.ID(), s.commitment, &nonce
	bet := api.PlayRequest{
		GameType: asked.GameType, Config: asked.Config, Token: asked.Token, Wager: asked.Wager, IdempotencyKey: asked.Key,
		ExpectedServerSeedHash: asked.ExpectedServerSeedHash, ExpectedNonce: asked.ExpectedNonce,
	}
	var played api.Played
	var opened api.Stepped
	err = s.sendSignedIn(ctx, func(ctx context.Context, c *client.Client) (err error) {
		if j.of.steps {
			opened, err = c.OpenRound(ctx, bet)
		} else {
			played, err = c.Play(ctx, bet)
		}
		return err
	})
	switch {
	case err == nil && j.of.steps:
		j.of.noteTaken()
		s.played = append(s.played, roundID(opened))
		if err := s.writeLine(Line{Line: lineOpen, Config: j.of.number, Asked: asked}); err != nil {
			return nil, err
		}
		ended, err := s.playSteps(ctx, j.of.number, opened)
		return nil, errors.Join(err, s.leaveVoid(ctx, ended))
	case err == nil:
		j.of.noteTaken()
		s.played = append(s.played, played.Round.ID)
		return nil, errors.Join(s.writeLine(Line{Line: lineRound, Config: j.of.number, Asked: asked}), s.leaveVoid(ctx, &played.Round))
	case errors.As(err, &refused) && refused.Status < http.StatusInternalServerError:
		failed := s.writeLine(Line{Line: lineRefused, Config: j.of.number, Asked: asked, Status: refused.Status})
		if failed == nil && tooMuch(refused.Code) {
			return refused, nil
		}
		return nil, errors.Join(fmt.Errorf("playing %s %s for %d: %w", asked.GameType, asked.Config, asked.Wager, err), failed)
	case ctx.Err() == nil && s.unanswered < unansweredMax:
		return nil, s.noteUnanswered(ctx, j, asked, err)
	default:
		return nil, fmt.Errorf("playing %s %s for %d: %w", asked.GameType, asked.Config, asked.Wager, err)
	}
}

func roundID(of api.Stepped) string {
	if of.Open != nil {
		return of.Open.ID
	}
	return of.Ended.ID
}

// unansweredMax is how many bets of a player may stay without an answer.
const unansweredMax = 20

// declinedMax returns how often in a row the smallest stake of a config is refused until it
// isn't played any more. A config that was taken before is tried longer: a house that refuses
// some bets would otherwise end the capture of what it does.
func (c *config) declinedMax() int32 {
	if c.taken.Load() {
		return 20
	}
	return 3
}

// noteTaken notes that the house took a bet.
func (c *config) noteTaken() {
	c.declined.Store(0)
	c.taken.Store(true)
}

// noteUnanswered writes down a bet that got no answer, however often it was sent. Where the
// pair's nonce still waits it was not taken, and the play goes on.
func (s *seat) noteUnanswered(ctx context.Context, j job, asked *Asked, failure error) error {
	s.unanswered++
	var refused *client.Error
	line := Line{Line: lineUnanswered, Config: j.of.number, Asked: asked}
	if errors.As(failure, &refused) {
		line.Status = refused.Status
	}
	if err := s.writeLine(line); err != nil {
		return err
	}
	var shown api.Seed
	if err := s.sendSignedIn(ctx, func(ctx context.Context, c *client.Client) (err error) { shown, err = c.Seed(ctx); return err }); err != nil {
		return errors.Join(fmt.Errorf("playing %s %s for %d: %w", asked.GameType, asked.Config, asked.Wager, failure), err)
	}
	if err := s.writeLine(Line{Line: lineSeed}); err != nil {
		return err
	}
	if shown.Nonce != int64(len(s.played)) {
		return fmt.Errorf("playing %s %s for %d: the bet was taken, but its answer didn't come: %w", asked.GameType, asked.Config, asked.Wager, failure)
	}
	return nil
}

// tooMuch reports whether a code means that the house doesn't accept the possible payout.
func tooMuch(code string) bool {
	return code == "WAGER_OUT_OF_RANGE" || code == "LIMIT_EXCEEDED" || code == "GAME_DISABLED"
}

// rotatePair writes the pair in use and the balance, chooses a client seed, and begins the
// next pair with it, which had its commitment shown before. Then it reads each round of the
// ended pair again.
func (s *seat) rotatePair(ctx context.Context) error {
	if err := s.writeState(ctx); err != nil {
		return fmt.Errorf("reading balance and seed: %w", err)
	}
	drawn, key := s.Entropy.Seed(), s.Entropy.ID()
	chosen := hex.EncodeToString(drawn[:16])
	if err := s.sendSignedIn(ctx, func(ctx context.Context, c *client.Client) error {
		rotated, err := c.RotateSeed(ctx, api.RotateRequest{ClientSeed: chosen, IdempotencyKey: key})
		s.commitment = rotated.Seed.ServerSeedHash
		return err
	}); err != nil {
		return fmt.Errorf("rotating the seeds: %w", err)
	}
	if err := s.writeLine(Line{Line: lineRotation, ClientSeed: chosen}); err != nil {
		return err
	}
	return s.readAgain(ctx)
}

// leaveVoid leaves the pair that a void round has retired: its rounds are read again, and the
// pair that follows has no client seed of the player's, so that another one is begun.
func (s *seat) leaveVoid(ctx context.Context, ended *api.Round) error {
	if ended == nil || string(ended.Outcome) != "null" {
		return nil
	}
	var shown api.Seed
	if err := s.sendSignedIn(ctx, func(ctx context.Context, c *client.Client) (err error) { shown, err = c.Seed(ctx); return err }); err != nil {
		return fmt.Errorf("reading the seed after a void round: %w", err)
	}
	if err := s.writeLine(Line{Line: lineSeed}); err != nil || shown.ServerSeedHash == s.commitment {
		return err
	}
	return errors.Join(s.readAgain(ctx), s.rotatePair(ctx))
}

// readAgain reads each round of the ended pair again.
func (s *seat) readAgain(ctx context.Context) error {
	ended := s.played
	s.played = nil
	if len(ended) > 0 {
		s.pairs.Add(1)
	}
	for _, id := range ended {
		if err := s.sendSignedIn(ctx, func(ctx context.Context, c *client.Client) error { _, err := c.Round(ctx, id); return err }); err != nil {
			return fmt.Errorf("reading round %s again: %w", id, err)
		}
		if err := s.writeLine(Line{Line: lineKept}); err != nil {
			return err
		}
	}
	return nil
}

// writeState writes the balance and the pair in use.
func (s *seat) writeState(ctx context.Context) error {
	if err := s.sendSignedIn(ctx, func(ctx context.Context, c *client.Client) error {
		_, err := c.Balance(ctx, api.BalanceParams{})
		return err
	}); err != nil {
		return err
	}
	if err := s.writeLine(Line{Line: lineBalance}); err != nil {
		return err
	}
	if err := s.sendSignedIn(ctx, func(ctx context.Context, c *client.Client) error { _, err := c.Seed(ctx); return err }); err != nil {
		return err
	}
	return s.writeLine(Line{Line: lineSeed})
}

// writeLine writes a line with the last answer.
func (s *seat) writeLine(l Line) error {
	l.At, l.Player, l.Answered = s.nowMillis(), s.number, s.lastAnswer()
	return s.out.writeLine(l)
}

// sendSignedIn sends a request, and signs in again first if the session has ended.
func (s *seat) sendSignedIn(ctx context.Context, what func(context.Context, *client.Client) error) error {
	err := s.sendRetried(ctx, what)
	code := client.CodeOf(err)
	if s.player.SignIn == nil || code != "INVALID_TOKEN" && code != "EXPIRED_TOKEN" {
		return err
	}
	token, err := s.player.SignIn(ctx)
	if err != nil {
		return err
	}
	s.client = s.client.WithToken(token)
	return s.sendRetried(ctx, what)
}
