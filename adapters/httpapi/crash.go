package httpapi

import (
	"bytes"
	"context"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/adapters/httpapi/internal/shape"
	"github.com/casino-service/casino/app/sharedcrash"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/ports"
)

// crashRoutes returns the routes of the shared crash.
func (a *API) crashRoutes() []route {
	return []route{
		{operation.Crash, anyone, publicWindow, a.crash},
		{operation.CrashStream, anyone, publicWindow, a.crashStream},
		{operation.CrashRounds, anyone, publicWindow, a.crashRounds},
		{operation.CrashRound, anyone, publicWindow, a.crashRound},
		{operation.PlaceCrashBet, bettors, noWindow, a.placeCrashBet},
		{operation.CashOutCrash, cashers, noWindow, a.cashOutCrash},
		{operation.CrashBet, players, noWindow, a.crashBet},
	}
}

// crashDecimals is the number of decimals of the curve's multipliers.
const crashDecimals = 2

// placeCrashBet bets on the newest round.
func (a *API) placeCrashBet(r *request) (answer, error) {
	f := r.readBody()
	order := sharedcrash.BetRequest{Wager: f.Amount("wager"), Token: f.Token(), CashOut: cashOutOf(f)}
	order.Idempotency = r.idempotencyKey(f)
	if f.Err != nil {
		return answer{}, f.Err
	}
	result, err := a.casino.Crash.PlaceBet(r.ctx, r.caller, order)
	return a.crashBetAnswer(r, http.StatusCreated, result, err)
}

// cashOutOf reads the optional "cashOut" in hundredths, 0 if it is missing.
func cashOutOf(f *parse.Fields) uint64 {
	if !f.Has("cashOut") {
		return 0
	}
	hundredths, ok := f.Value("cashOut").Units(crashDecimals)
	if !ok || hundredths < crash.CashOutMin || hundredths > crash.CapMax {
		f.Refuse("cashOut", "must be a number from 1.01 to 1000000 with at most two decimals, without exponent")
	}
	return uint64(hundredths)
}

// receive reads a cash-out ahead and notes when the whole request was read. The round isn't
// settled before the caller has called answered.
func (a *API) receive(seen *observation, r *http.Request) (answered func()) {
	if !parse.Ahead(r) {
		return func() {}
	}
	seen.received = a.casino.Clock.Now()
	return a.casino.Crash.Receive(seen.received)
}

// cashOutCrash cashes out a bet as of the moment at which the whole request was read.
func (a *API) cashOutCrash(r *request) (answer, error) {
	f := r.readBody()
	received := observationOf(r.ctx).received
	if received.IsZero() { // the body was too long to be read ahead
		received = a.casino.Clock.Now()
		defer a.casino.Crash.Receive(received)()
	}
	id := f.Text("bet")
	if f.Err != nil {
		return answer{}, f.Err
	}
	result, err := a.casino.Crash.CashOut(r.ctx, r.caller, id, received)
	return a.crashBetAnswer(r, http.StatusOK, result, err)
}

func (a *API) crashBetAnswer(r *request, status int, result sharedcrash.BetResult, err error) (answer, error) {
	if err != nil {
		return answer{}, err
	}
	return answer{status: status, replayed: result.Replayed, body: api.CrashBetAndBalance{
		Bet: ownCrashBetOf(result.Bet), Balance: int64(result.Balance), Receipt: a.issueReceipt(r, result.Committed),
	}}, nil
}

// crashBet returns the caller's bet without a result, for a client that reconnects.
func (a *API) crashBet(r *request) (answer, error) {
	found, err := a.casino.Crash.OwnBet(r.ctx, r.caller)
	if fault.Is(err, fault.NotFound) {
		return ok(api.CrashBetResponse{}), nil
	}
	shown := ownCrashBetOf(found)
	return ok(api.CrashBetResponse{Bet: &shown}), err
}

// crash returns the newest round with its bets.
func (a *API) crash(r *request) (answer, error) {
	now, err := a.casino.Crash.Snapshot(r.ctx)
	if err != nil {
		return answer{}, err
	}
	return ok(a.crashSnapshotOf(now)), nil
}

// crashRounds lists rounds of a chain.
func (a *API) crashRounds(r *request) (answer, error) {
	chain, before := r.query.Text("chain"), r.query.Integer("before", 0, math.MaxInt64)
	limit := r.query.Integer("limit", ports.PageDefault, ports.PageMax)
	if r.query.Err != nil {
		return answer{}, r.query.Err
	}
	rounds, err := a.casino.Crash.Rounds(r.ctx, chain, before, int(limit))
	return ok(api.CrashRoundsResponse{Rounds: mapEach(rounds, crashRoundOf)}), err
}

// crashRound returns a round with all its bets.
func (a *API) crashRound(r *request) (answer, error) {
	chain := r.query.Text("chain")
	if r.query.Err != nil {
		return answer{}, r.query.Err
	}
	number, err := strconv.ParseInt(r.params["number"], 10, 64)
	if err != nil || number < 1 || strconv.FormatInt(number, 10) != r.params["number"] {
		return answer{}, fault.New(fault.NotFound, "a crash round is a number from 1")
	}
	of, round, err := a.casino.Crash.Round(r.ctx, chain, number)
	if err != nil {
		return answer{}, err
	}
	bets, err := a.casino.Crash.RoundBets(r.ctx, round)
	if err != nil {
		return answer{}, err
	}
	return ok(api.CrashRoundResponse{Chain: crashChainOf(of), Round: crashRoundOf(round), Bets: mapEach(bets, crashBetOf)}), nil
}

// crashStream streams the newest round with its bets, and then what changes.
func (a *API) crashStream(r *request) (answer, error) {
	asText := parse.AmountsAsText(r.http.Header)
	return a.answerStream(r, func(ctx context.Context) (source, error) {
		now, listener, err := a.casino.Crash.Listen(ctx)
		if err != nil {
			return source{}, err
		}
		news := &sharedcrash.News{Whole: &now}
		return source{close: listener.Close, next: func(ctx context.Context) (some []message, err error) {
			if news == nil {
				if news, err = listener.Next(ctx); err != nil {
					return nil, err
				}
			}
			text, err := a.crashTexts.encode(news, asText, a.crashNewsOf)
			news = nil
			return []message{{text: text}}, err
		}}, nil
	})
}

// crashTexts keeps the newest encoded news of the shared crash, so that they are encoded once
// for all listeners.
type crashTexts struct {
	mu     sync.Mutex
	newest [32]crashText
	next   int
}

type crashText struct {
	of     any
	asText bool
	text   []byte
}

// encode returns the news as one message of an event stream. Callers must not modify it.
func (c *crashTexts) encode(news *sharedcrash.News, asText bool, shown func(*sharedcrash.News) api.CrashNews) ([]byte, error) {
	of := any(news)
	if news.Whole != nil {
		of = snapshotKey(news.Whole)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, known := range c.newest {
		if known.of == of && known.asText == asText {
			return known.text, nil
		}
	}
	text := bytes.NewBufferString("data: ")
	if err := shape.Encode(text, shown(news), asText); err != nil {
		return nil, err
	}
	text.WriteString("\n\n")
	c.newest[c.next] = crashText{of, asText, text.Bytes()}
	c.next = (c.next + 1) % len(c.newest)
	return text.Bytes(), nil
}

// snapshotKey identifies a snapshot: copies of one have the same key.
func snapshotKey(s *sharedcrash.Snapshot) any {
	type key struct {
		now   time.Time
		round crash.Round
		bets  *sharedcrash.PublicBet
	}
	of := key{now: s.Now, round: s.Round}
	if len(s.Bets) > 0 {
		of.bets = &s.Bets[0]
	}
	return of
}

// crashNewsOf converts news. A snapshot has every member.
func (a *API) crashNewsOf(n *sharedcrash.News) api.CrashNews {
	if n.Whole != nil {
		return a.crashSnapshotOf(*n.Whole)
	}
	body := api.CrashNews{Now: unixMillis(n.Now)}
	if n.Round != nil {
		round := crashRoundUntil(*n.Round, n.ClosesAt)
		body.Round = &round
	}
	if len(n.Bets) > 0 {
		body.Bets = mapEach(n.Bets, crashBetOf)
	}
	return body
}

func (a *API) crashSnapshotOf(s sharedcrash.Snapshot) api.CrashNews {
	chain, round := crashChainOf(s.Chain), crashRoundUntil(s.Round, s.ClosesAt)
	return api.CrashNews{
		Now: unixMillis(s.Now), Chain: &chain, BettingMs: a.casino.Crash.Rules().Betting.Milliseconds(), Round: &round, Bets: mapEach(s.Bets, crashBetOf),
	}
}

func crashChainOf(c crash.Commitment) api.CrashChain {
	text, _ := c.Text() // a stored commitment has one
	return api.CrashChain{ID: c.Chain, Commitment: text, Length: c.Length}
}

// crashRoundUntil converts a round. closesAt is when its betting ends.
func crashRoundUntil(r crash.Round, closesAt time.Time) api.CrashRound {
	body := crashRoundOf(r)
	if r.Status == crash.Betting && !r.Stopped {
		body.ClosesAt = unixMillis(closesAt)
	}
	return body
}

func crashRoundOf(r crash.Round) api.CrashRound {
	body := api.CrashRound{
		Chain: r.Chain, Number: r.Number, Status: string(r.Status), Cap: crashMultiplier(r.Cap), PreviousHash: r.Previous, AboveHeight: int64(r.Above),
		OpenedAt: unixMillis(r.OpenedAt), Stopped: r.Stopped, Closing: r.Closing, Height: int64(r.Height),
		Salt: r.Salt, BeaconHeight: int64(r.BeaconHeight), Hash: r.Hash, Point: knownMultiplier(r.Point), Recovered: r.Recovered,
	}
	if !r.StartedAt.IsZero() {
		body.StartedAt = unixMillis(r.StartedAt)
	}
	return body
}

// crashMultiplier writes hundredths with two decimals.
func crashMultiplier(hundredths uint64) api.Number {
	return api.Number(game.Dec(int64(hundredths), crashDecimals).NumberText())
}

// knownMultiplier is crashMultiplier for an optional member, which is left out for 0.
func knownMultiplier(hundredths uint64) api.Number {
	if hundredths == 0 {
		return ""
	}
	return crashMultiplier(hundredths)
}

func crashBetOf(b sharedcrash.PublicBet) api.CrashBet {
	body := api.CrashBet{
		ID: b.ID, Player: b.Player, Token: string(b.Token), Wager: int64(b.Wager), CashOut: crashMultiplier(b.Auto), CashedOut: knownMultiplier(b.Out),
	}
	if b.Result != nil {
		payout := int64(b.Result.Payout)
		body.Multiplier, body.Payout = ratioNumber(b.Result.Multiplier), &payout
	}
	return body
}

// ownCrashBetOf converts a bet as its player sees it.
func ownCrashBetOf(o bet.Open) api.OwnCrashBet {
	body := api.OwnCrashBet{
		ID: o.ID, Chain: o.Shared.Chain, Round: o.Shared.Number, Token: string(o.Token), Wager: int64(o.Wager), CreatedAt: unixMillis(o.OpenedAt),
	}
	auto, out := crash.CashOutsIn(o.Config, o.Actions)
	body.CashOut = crashMultiplier(auto)
	if out != nil {
		body.CashedOut, body.ReceivedAt = crashMultiplier(out.Multiplier), unixMillis(out.Received)
	}
	return body
}
