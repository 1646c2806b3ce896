package provider

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Transaction is a callback to be made. Bet and Win are JSON numbers, "" for 0.
type Transaction struct {
	User, Maker, Game string
	Kind              string // "debit", "credit" or "debit_credit"
	TxnID             string
	Bet, Win          string
}

// Reply is the answer of the agent's wallet.
type Reply struct {
	Status  int            `json:"status"`
	Balance jsontext.Value `json:"user_balance"`
	Message string         `json:"msg"`
}

// ErrUnknown is returned if the wallet didn't report a callback's outcome.
var ErrUnknown = errors.New("provider: the outcome is unknown")

// Balance requests a user's balance from the wallet.
func (p *Provider) Balance(ctx context.Context, user string) (Reply, error) {
	return p.callOperator(ctx, object{"method": "user_balance", "user_code": user})
}

// Transact makes one callback, once; the caller decides whether to repeat it.
func (p *Provider) Transact(ctx context.Context, t Transaction) (Reply, error) {
	orZero := func(text string) number {
		if text == "" {
			return "0"
		}
		return number(text)
	}
	return p.callOperator(ctx, object{
		"method": "transaction", "user_code": t.User, "agent_balance": 1_000_000, "user_balance": 0, "game_type": "slot",
		"slot": object{
			"provider_code": t.Maker, "game_code": t.Game, "type": "BASE", "txn_id": t.TxnID, "txn_type": t.Kind,
			"bet_money": orZero(t.Bet), "win_money": orZero(t.Win),
		},
	})
}

func (p *Provider) callOperator(ctx context.Context, body object) (Reply, error) {
	body["agent_code"], body["agent_secret"] = p.config.AgentCode, p.config.AgentSecret
	text, err := json.Marshal(body, json.Deterministic(true))
	if err != nil {
		return Reply{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.config.CallbackURL, bytes.NewReader(text))
	if err != nil {
		return Reply{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := p.http.Do(request)
	if err != nil {
		return Reply{}, fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(io.LimitReader(response.Body, bodyMax))
	var reply Reply
	if err != nil || response.StatusCode != http.StatusOK || json.Unmarshal(answer, &reply) != nil {
		return Reply{}, fmt.Errorf("%w: HTTP status %d", ErrUnknown, response.StatusCode)
	}
	return reply, nil
}

// pause is how long the provider waits before it repeats a callback.
const pause = 200 * time.Millisecond

// settleTransaction repeats a callback until its outcome is known, at most Tries times, and
// then repeats it as often as Resend says. It returns the first known answer.
func (p *Provider) settleTransaction(ctx context.Context, t Transaction) (reply Reply, err error) {
	p.mu.Lock()
	more := p.resend - 1
	p.mu.Unlock()
	for try := 1; ; try++ {
		if reply, err = p.Transact(ctx, t); err == nil {
			break
		}
		if try == p.config.Tries || ctx.Err() != nil {
			return reply, err
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
	}
	for range more {
		if _, err := p.Transact(ctx, t); err != nil {
			break // the first answer counts
		}
	}
	return reply, nil //nolint:nilerr // errors of later repeats don't matter
}
