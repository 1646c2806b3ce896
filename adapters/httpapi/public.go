package httpapi

import (
	"context"
	"encoding/base64"
	"net/http"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/app/events"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/ports"
)

// publicRoutes returns the public routes.
func (a *API) publicRoutes() []route {
	return []route{
		{operation.Index, anyone, publicWindow, a.index},
		{operation.Health, anyone, noWindow, a.health},
		{operation.WalletAddress, anyone, publicWindow, a.walletAddress},
		{operation.RecentBets, anyone, publicWindow, a.recentBets},
	}
}

// index lists the main URLs.
func (a *API) index(*request) (answer, error) {
	return ok(api.Index{Version: a.casino.Health().Report().Version, Links: api.Links{
		Docs: a.base + "/docs", OpenAPI: a.base + "/openapi.json", Health: a.base + "/health", Games: a.base + "/public/games",
		Tokens: a.base + "/public/tokens", Treasury: a.base + "/wallet-address", Login: a.base + "/auth/login",
	}}), nil
}

// health answers from the newest background probes; it doesn't probe itself.
func (a *API) health(*request) (answer, error) {
	report := a.casino.Health().Report()
	body := api.Health{Status: string(report.Status), Version: report.Version, Checks: map[string]api.Check{}}
	for name, check := range report.Checks {
		body.Checks[name] = api.Check{Status: string(check.Status), LatencyMs: max(0, check.Latency.Milliseconds()), Detail: check.Detail}
	}
	status := http.StatusOK
	if report.Status == kernel.Down {
		status = http.StatusServiceUnavailable
	}
	return answer{status: status, body: body}, nil
}

func (a *API) walletAddress(*request) (answer, error) {
	return ok(api.AddressResponse{Address: a.casino.Deposits.TreasuryAddress()}), nil
}

func (a *API) recentBets(r *request) (answer, error) { return a.recent.answer(r) }

func (a *API) newestBets(ctx context.Context) (any, error) {
	bets, err := a.casino.Events.RecentBets(ctx)
	return api.RecentBetsResponse{Bets: mapEach(bets, recentBetOf)}, err
}

func recentBetOf(b events.PublicBet) api.RecentBet {
	return api.RecentBet{
		ID: b.ID, Provider: b.Provider, GameType: b.GameType, Player: b.Player, Token: string(b.Token),
		Wager: int64(b.Wager), Payout: int64(b.Payout), Multiplier: ratioNumber(b.Multiplier), CreatedAt: unixMillis(b.At),
	}
}

// checkpointRoutes returns the route of the public checkpoints.
func (a *API) checkpointRoutes() []route {
	return []route{
		{operation.Checkpoints, anyone, publicWindow, a.checkpoints},
	}
}

// checkpoints returns the heads of the hash chains, with a signed statement of them. A
// stored copy can later prove that nothing before it was changed.
func (a *API) checkpoints(r *request) (answer, error) {
	made, err := a.casino.Audit.Checkpoint(r.ctx)
	if err != nil {
		return answer{}, err
	}
	return ok(api.CheckpointsResponse{
		Checkpoints: mapEach(made.Heads, checkpointOf), Signed: signedCheckpointOf(made.Signed), Keys: mapEach(made.Keys, statementKeyOf),
	}), nil
}

func signedCheckpointOf(s *audit.SignedCheckpoint) *api.SignedCheckpoint {
	if s == nil {
		return nil
	}
	return &api.SignedCheckpoint{
		Ledger: s.Ledger, Epoch: s.Epoch, Time: unixMillis(s.At), Slot: s.Slot,
		Statement: s.Signed.Text, Kid: s.Key, Signature: base64.StdEncoding.EncodeToString(s.Signature),
	}
}

// statementKeyOf returns a key as SubjectPublicKeyInfo, which openssl and browsers read.
func statementKeyOf(k checkpoint.Key) api.StatementKey {
	return api.StatementKey{Kid: k.ID, PublicKey: base64.StdEncoding.EncodeToString(k.PKIX())}
}

func checkpointOf(h hashchain.Head) api.Checkpoint {
	return api.Checkpoint{Lane: h.Lane, Seq: h.Seq, Hash: h.Hash.String(), Head: checkpoint.HeadText(h)}
}

// copyAge is the maximum age of a cached answer.
const copyAge = time.Second

// copied caches an answer that is the same for all callers. One request at a time refreshes
// it; errors are not cached.
type copied struct {
	clock ports.Clock
	read  func(context.Context) (any, error)
	turn  chan struct{} // one slot; its holder may use the fields below
	body  any
	text  []byte
	made  time.Time
}

func newCopied(clock ports.Clock, read func(context.Context) (any, error)) *copied {
	return &copied{clock: clock, read: read, turn: make(chan struct{}, 1)}
}

func (c *copied) answer(r *request) (answer, error) {
	select {
	case c.turn <- struct{}{}:
	case <-r.ctx.Done():
		return answer{}, fault.New(fault.Unavailable, "the answer was not ready in time")
	}
	defer func() { <-c.turn }()
	now := c.clock.Now() // taken before the read, so the copy is at least this new
	if age := now.Sub(c.made); c.text == nil || age < 0 || age >= copyAge {
		body, err := c.read(r.ctx)
		if err != nil {
			return answer{}, err
		}
		text, err := json.Marshal(body, json.Deterministic(true))
		if err != nil {
			return answer{}, err
		}
		c.body, c.text, c.made = body, text, now
	}
	if parse.AmountsAsText(r.http.Header) {
		return ok(c.body), nil
	}
	return answer{status: http.StatusOK, raw: c.text}, nil
}
