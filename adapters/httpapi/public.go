package httpapi

import (
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/hashchain"
)

type healthBody struct {
	Status  app.State              `json:"status"`
	Version string                 `json:"version"`
	Checks  map[string]healthCheck `json:"checks"`
}

type healthCheck struct {
	Status    app.State `json:"status"`
	LatencyMs int64     `json:"latencyMs"`
}

// health answers from the newest background probes; it asks nothing itself.
func (a *API) health(*request) (answer, error) {
	report := a.casino.Health().Report()
	body := healthBody{Status: report.Status, Version: report.Version, Checks: map[string]healthCheck{}}
	for name, check := range report.Checks {
		body.Checks[name] = healthCheck{Status: check.Status, LatencyMs: max(0, check.Latency.Milliseconds())}
	}
	status := http.StatusOK
	if report.Status == app.Down {
		status = http.StatusServiceUnavailable
	}
	return answer{status: status, body: body}, nil
}

func (a *API) walletAddress(*request) (answer, error) {
	return ok(struct {
		Address string `json:"address"`
	}{a.casino.TreasuryAddress()}), nil
}

type recentBet struct {
	ID         string         `json:"id"`
	GameType   string         `json:"gameType"`
	Wallet     string         `json:"wallet"`
	Token      string         `json:"token"`
	Wager      int64          `json:"wager"`
	Payout     int64          `json:"payout"`
	Multiplier jsontext.Value `json:"multiplier"`
	CreatedAt  int64          `json:"createdAt"`
}

func (a *API) recentBets(r *request) (answer, error) {
	rounds, err := a.casino.RecentBets(r.context())
	if err != nil {
		return answer{}, err
	}
	return ok(struct {
		Bets []recentBet `json:"bets"`
	}{each(rounds, recentBetOf)}), nil
}

func recentBetOf(r bet.Round) recentBet {
	return recentBet{
		ID: r.ID, GameType: r.GameType, Wallet: r.Wallet.Masked(), Token: string(r.Token),
		Wager: int64(r.Wager), Payout: int64(r.Payout), Multiplier: ratioJSON(r.Multiplier), CreatedAt: millis(r.At),
	}
}

type checkpoint struct {
	Lane int    `json:"lane"`
	Seq  int64  `json:"seq"`
	Hash string `json:"hash"`
	Head string `json:"head"`
}

// checkpoints shows the heads of the hash chains. Whoever keeps one holds the
// service to everything before it.
func (a *API) checkpoints(r *request) (answer, error) {
	heads, err := a.casino.Checkpoints(r.context())
	if err != nil {
		return answer{}, err
	}
	return ok(struct {
		Checkpoints []checkpoint `json:"checkpoints"`
	}{each(heads, checkpointOf)}), nil
}

func checkpointOf(h hashchain.Head) checkpoint {
	return checkpoint{Lane: h.Lane, Seq: h.Seq, Hash: h.Hash.String(), Head: fmt.Sprintf("%d:%d:%s", h.Lane, h.Seq, h.Hash)}
}
