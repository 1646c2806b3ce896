package capture

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/ports"
)

// Player is a signed-in wallet that isn't used elsewhere during the capture.
type Player struct {
	// Wallet is its address, empty if unknown.
	Wallet, Token string
	// SignIn returns a new session after the old one has ended; nil if the key isn't known.
	SignIn func(context.Context) (token string, err error)
}

// Plan describes a capture.
type Plan struct {
	BaseURL string
	Players []Player
	Token   string // the symbol or mint of the bet token
	// Rounds is the number for each game, over its configs in turn; PairRounds that for each
	// pair.
	Rounds, PairRounds int
	// SharedRounds is the number of rounds of the shared crash that the first player bets on.
	SharedRounds int
	// Games limits the played games; empty means all that both the service and the registry
	// have.
	Games    []string
	Registry *game.Registry
	TakenBy  string
	Clock    ports.Clock
	Entropy  ports.Entropy
	// Wait waits between tries; it returns early if the context ends.
	Wait func(context.Context, time.Duration)
	// Watch is called after each round; it may be nil.
	Watch func(done, of int)
}

// Summary is the result of a capture.
type Summary struct {
	Rounds, Pairs int
	// Refused are configs that the service refuses, and unknown games.
	Refused []string
	Stopped string
	SHA256  string
}

// job is one round to play.
type job struct {
	of       *config
	multiple int64
}

// config is a chosen config of a game.
type config struct {
	chosen
	number   int
	gameType string
	// smallest means that only the smallest stake is accepted, refused that none is.
	smallest, refused atomic.Bool
	// declined is how often the smallest stake was refused since one was taken.
	declined atomic.Int32
	// taken says that a stake was taken.
	taken atomic.Bool
}

// run is a capture in progress.
type run struct {
	Plan
	out     *Writer
	public  *service
	terms   api.TokenTerms
	least   int64 // the smallest stake
	configs []*config
	// stepped means that the service offers stepped rounds.
	stepped bool
	jobs    []job
	next    atomic.Int64
	done    atomic.Int64
	pairs   atomic.Int64

	mu      sync.Mutex
	refused []string
}

// Run plays and writes a capture. If the context ends or something fails, it reveals the
// played rounds and ends the capture, so that it can be checked; Summary.Stopped is the
// reason. It returns an error if nothing can be captured or written.
func Run(ctx context.Context, p Plan, out *Writer) (Summary, error) {
	through := newTransport(len(p.Players))
	r := &run{Plan: p, out: out, public: newService(p.BaseURL, "", through, p.Wait)}
	if err := r.writeBeginning(ctx); err != nil {
		return Summary{}, err
	}
	// If one player fails, the others stop, and all reveal their rounds.
	playing, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	faults := make([]error, len(p.Players))
	seed := fairness.NewServerSeed(p.Entropy.Seed())
	var all sync.WaitGroup
	for i := range p.Players {
		all.Go(func() {
			one := &seat{run: r, number: i + 1, player: p.Players[i], service: newService(p.BaseURL, p.Players[i].Token, through, p.Wait)}
			one.actions = fairness.NewStream(seed, "actions", int64(i))
			if faults[i] = one.playAll(playing); faults[i] != nil {
				stop(faults[i])
			}
		})
	}
	all.Wait()
	stopped := ""
	if err := errors.Join(faults...); err != nil {
		stopped = err.Error()
	} else if ctx.Err() != nil {
		stopped = "it was interrupted"
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	if err := errors.Join(r.writeRules(closing), r.writeLimits(closing, r.public)); err != nil && stopped == "" {
		stopped = err.Error()
	}
	slices.Sort(r.refused)
	digest, err := out.writeEnd(r.nowMillis(), stopped)
	return Summary{
		Rounds: out.rounds, Pairs: int(r.pairs.Load()), Refused: r.refused, Stopped: stopped, SHA256: digest,
	}, err
}

// closeTime is how long the reveal may take after an interruption.
const closeTime = time.Minute

func (r *run) nowMillis() int64 { return r.Clock.Now().UnixMilli() }

// writeBeginning writes the plan, the service and its rules.
func (r *run) writeBeginning(ctx context.Context) error {
	if len(r.Players) == 0 || r.Rounds < 1 || r.PairRounds < 1 {
		return errors.New("capture: players, rounds and rounds of a pair must be one at least")
	}
	health, err := r.public.client.Health(ctx)
	if err != nil {
		return fmt.Errorf("asking the casino at %s: %w", r.BaseURL, err)
	}
	tokens, err := r.public.client.Tokens(ctx)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(tokens, func(t api.TokenTerms) bool { return t.Token == r.Token || t.Symbol == r.Token })
	if at < 0 {
		return fmt.Errorf("the service does not accept %s", r.Token)
	}
	r.terms = tokens[at]
	r.least = (max(r.terms.MinWager, wagerParts) + wagerParts - 1) / wagerParts * wagerParts
	offered, err := r.public.client.Games(ctx)
	if err != nil {
		return err
	}
	games := r.public.lastAnswer()
	_, err = newService(r.BaseURL, r.Players[0].Token, newTransport(1), r.Wait).client.OpenRounds(ctx)
	if r.stepped = err == nil; !r.stepped {
		r.refused = append(r.refused, "rounds that are played step by step: "+err.Error())
	}
	played, err := r.chooseGames(offered)
	if err != nil {
		return err
	}
	header := Header{
		Form: Form, TakenBy: r.TakenBy, BaseURL: r.BaseURL, Version: health.Version, Token: r.terms.Token, Symbol: r.terms.Symbol,
		Rounds: r.Rounds, PairRounds: r.PairRounds, Games: played,
	}
	for _, p := range r.Players {
		header.Players = append(header.Players, p.Wallet)
	}
	err = errors.Join(r.out.writeLine(Line{Line: lineCapture, At: r.nowMillis(), Capture: &header}), r.out.writeLine(Line{Line: lineRules, At: r.nowMillis(), Answered: games}),
		r.writeKeys(ctx), r.writeLimits(ctx, r.public))
	for _, gameType := range played {
		err = errors.Join(err, r.planGame(ctx, gameType))
	}
	r.shuffleJobs()
	r.findShared(ctx)
	return err
}

// chooseGames returns the types of the games to play.
func (r *run) chooseGames(offered []api.Game) (played []string, err error) {
	for _, g := range offered {
		if len(r.Games) > 0 && !slices.Contains(r.Games, g.GameType) {
			continue
		}
		rules, err := r.Registry.Rules(g.GameType, g.Rules)
		if err != nil {
			r.refused = append(r.refused, fmt.Sprintf("%s: this program doesn't know the rules %s", g.GameType, g.Rules))
			continue
		}
		if !r.stepped && !game.AtOnce(rules) {
			continue // reported once for all games
		}
		played = append(played, g.GameType)
	}
	for _, wanted := range r.Games {
		if !slices.ContainsFunc(offered, func(g api.Game) bool { return g.GameType == wanted }) {
			return nil, fmt.Errorf("the service offers no game %q", wanted)
		}
	}
	if len(played) == 0 {
		return nil, errors.New("the service offers no game that this program knows")
	}
	return played, nil
}

// planGame writes the configs of a game with the returns that the service states, and plans
// their rounds.
func (r *run) planGame(ctx context.Context, gameType string) error {
	var own []*config
	for _, c := range configsOf(gameType) {
		if c.steps && !r.stepped {
			continue
		}
		next := &config{chosen: c, number: len(r.configs) + 1, gameType: gameType}
		line := Line{Line: lineConfig, Config: next.number, Name: c.name, Asked: &Asked{GameType: gameType, Config: next.configFor(r.least)}}
		if !c.steps {
			if err := r.public.sendRetried(ctx, func(ctx context.Context, c *client.Client) error {
				_, err := c.GameReturn(ctx, gameType, api.ReturnRequest{Config: line.Asked.Config})
				return err
			}); err != nil {
				return fmt.Errorf("the return of %s %s: %w", gameType, line.Asked.Config, err)
			}
			line.Answered = r.public.lastAnswer()
		}
		line.At = r.nowMillis()
		if err := r.out.writeLine(line); err != nil {
			return err
		}
		r.configs, own = append(r.configs, next), append(own, next)
	}
	for i := range r.Rounds {
		r.jobs = append(r.jobs, job{of: own[i%len(own)], multiple: multiples[i/len(own)%len(multiples)]})
	}
	return nil
}

// shuffleJobs draws the order of the rounds, so that the service can't predict game, config
// and stake of a nonce.
func (r *run) shuffleJobs() {
	draws := fairness.NewStream(fairness.NewServerSeed(r.Entropy.Seed()), "order", 0)
	for i := len(r.jobs) - 1; i > 0; i-- {
		j := draws.Pick(uint32(i + 1))
		r.jobs[i], r.jobs[j] = r.jobs[j], r.jobs[i]
	}
}

// writeRules writes the presently published games.
func (r *run) writeRules(ctx context.Context) error {
	if err := r.public.sendRetried(ctx, func(ctx context.Context, c *client.Client) error { _, err := c.Games(ctx); return err }); err != nil {
		return err
	}
	return r.out.writeLine(Line{Line: lineRules, At: r.nowMillis(), Answered: r.public.lastAnswer()})
}

// writeLimits writes down which limits are published at the moment.
func (r *run) writeLimits(ctx context.Context, by *service) error {
	if err := by.sendRetried(ctx, func(ctx context.Context, c *client.Client) error { _, err := c.PublicLimits(ctx); return err }); err != nil {
		return fmt.Errorf("reading the published limits: %w", err)
	}
	return r.out.writeLine(Line{Line: lineLimits, At: r.nowMillis(), Answered: by.lastAnswer()})
}

// writeKeys writes down the keys that receipts are signed with.
func (r *run) writeKeys(ctx context.Context) error {
	if err := r.public.sendRetried(ctx, func(ctx context.Context, c *client.Client) error { _, err := c.PublicKeys(ctx); return err }); err != nil {
		return fmt.Errorf("reading the published keys: %w", err)
	}
	return r.out.writeLine(Line{Line: lineKeys, At: r.nowMillis(), Answered: r.public.lastAnswer()})
}

// takeJob returns the next round to play.
func (r *run) takeJob() (job, bool) {
	for {
		i := int(r.next.Add(1)) - 1
		if i >= len(r.jobs) {
			return job{}, false
		}
		if next, ok := r.playableJob(r.jobs[i]); ok {
			return next, true
		}
		r.countRound()
	}
}

// playableJob returns the job, or one with another config of the game if its config is
// refused. It reports false if all are refused.
func (r *run) playableJob(j job) (job, bool) {
	for range r.configs {
		if !j.of.refused.Load() {
			return j, true
		}
		j.of = r.configAfter(j.of)
	}
	return j, false
}

// configAfter is the next config of the same game, the same one where it has no other.
func (r *run) configAfter(of *config) *config {
	at := of.number % len(r.configs) // numbers begin at 1, so this is the next config
	for r.configs[at].gameType != of.gameType {
		at = (at + 1) % len(r.configs)
	}
	return r.configs[at]
}

func (r *run) countRound() {
	if done := r.done.Add(1); r.Watch != nil {
		r.Watch(int(done), len(r.jobs))
	}
}

// betOf returns the bet of a job.
func (r *run) betOf(j job) *Asked {
	wager := r.least * j.multiple
	if j.of.smallest.Load() || wager > r.terms.MaxWager {
		wager = r.least
	}
	return &Asked{GameType: j.of.gameType, Config: j.of.configFor(wager), Token: r.terms.Token, Wager: wager}
}
