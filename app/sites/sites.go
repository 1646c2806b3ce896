// Package sites forwards providers' transactions to agents' own sites, and completes the
// deliveries that callbacks left open.
package sites

import (
	"context"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Service has the use cases of agents' sites. It is safe for concurrent use.
type Service struct{ core *kernel.Kernel }

// New returns the use cases of agents' sites. It makes package providers forward to them.
func New(core *kernel.Kernel, games *providers.Service) *Service {
	c := &Service{core}
	games.Forward(c)
	return c
}

// siteAccess returns a site's address and secret. It returns AgentSeamless if the agent has
// no secret.
func (c *Service) siteAccess(ctx context.Context, at providers.PlayerFunds) (ports.SiteAccess, error) {
	if c.core.Provider.Sites == nil {
		return ports.SiteAccess{}, providers.ErrSeamless()
	}
	secret, err := c.core.Store.Agents.AgentSecret(ctx, at.Agent)
	if fault.Is(err, fault.NotFound) {
		return ports.SiteAccess{}, providers.ErrSeamless()
	}
	return ports.SiteAccess{Endpoint: at.Site, Agent: at.Agent, Secret: secret}, err
}

// Balance implements providers.Sites. It reads a player's balance from the agent's site.
func (c *Service) Balance(ctx context.Context, at providers.PlayerFunds, w wallet.Address) (seamless.Decimal, error) {
	to, err := c.siteAccess(ctx, at)
	if err != nil {
		return "", err
	}
	balance, err := c.core.Provider.Sites.PlayerBalance(ctx, to, w)
	if err != nil && ctx.Err() == nil {
		return "", providers.ErrSeamless()
	}
	return balance, err
}

// Answer implements providers.Sites. It answers a transaction that involves an agent's
// site. Its context isn't cancelled when the provider disconnects, so that the exchange
// completes.
func (c *Service) Answer(ctx context.Context, t seamless.Transaction, receipt player.Receipt) (kernel.ProviderResponse, error) {
	deliveries := receipt.Change.Deliveries
	if receipt.Replayed {
		var err error
		if deliveries, err = c.core.Store.Deliveries.DeliveriesOf(ctx, t.ID); err != nil {
			return kernel.ProviderResponse{}, err
		}
	}
	if len(deliveries) > 0 && deliveries[0].Status == seamless.Asking {
		if receipt.Replayed {
			return kernel.ProviderResponse{}, errAsking()
		}
		change, err := c.settleResponse(ctx, deliveries[0], c.sendDelivery(ctx, deliveries[0]))
		if err != nil {
			return kernel.ProviderResponse{}, err
		}
		t, deliveries = *change.Seamless, change.Deliveries
	}
	if t.Status == seamless.Undecided {
		stored, err := c.core.Store.SeamlessTransactions.SeamlessTransaction(ctx, t.ID)
		if err != nil {
			return kernel.ProviderResponse{}, err
		}
		t = stored
	}
	balance, err := c.balanceOf(ctx, t, deliveries)
	return providers.AnswerOf(t, balance), err
}

func errAsking() error {
	return fault.New(fault.Unavailable, "the agent's site has not answered yet").With("outcome", "unknown").
		With("retryAfterMs", int64(1000))
}

// balanceOf returns the player's balance in base units, as the agent's site last reported
// it for this transaction. A win that the site has not answered is sent now; it returns
// Unavailable while the site doesn't answer.
func (c *Service) balanceOf(ctx context.Context, t seamless.Transaction, deliveries []seamless.Delivery) (money.Amount, error) {
	if len(deliveries) == 0 { // refused or in review without the site
		reported, err := c.Balance(ctx, providers.PlayerFunds{Agent: t.Agent, Site: t.Site}, t.Wallet)
		if err != nil {
			return 0, nil //nolint:nilerr // the answer is valid without a balance
		}
		return unitsOf(reported, t.Scale), nil
	}
	last := deliveries[len(deliveries)-1]
	if last.Leg == seamless.Debit {
		return t.Balance, nil
	}
	if last.Status == seamless.Delivering {
		response := c.sendDelivery(ctx, last)
		if !response.Event.FromSite() {
			return 0, errAsking()
		}
		if _, err := c.settleResponse(ctx, last, response); err != nil {
			return 0, err
		}
		last.Balance = response.Balance
	}
	return last.Balance, nil
}

// unitsOf converts a site's balance to base units, rounded down. Larger balances than the
// maximum amount become the maximum.
func unitsOf(reported seamless.Decimal, scale seamless.Scale) money.Amount {
	amount, _, ok := reported.Units(scale)
	if !ok {
		return money.Max
	}
	return amount
}

// sendDelivery sends a delivery's next message and returns the site's response, which may
// be NoResponse or NotSent.
func (c *Service) sendDelivery(ctx context.Context, r seamless.Delivery) player.DeliveryResponse {
	response := player.DeliveryResponse{DeliveryID: r.ID, Sent: r.Status, Site: r.Site, Event: seamless.NoResponse, Reason: seamless.AgentSeamless}
	to, err := c.siteAccess(ctx, providers.PlayerFunds{Agent: r.Agent, Site: r.Site})
	if err != nil {
		response.Event = seamless.NotSent
		return response
	}
	txnID, leg := r.Message()
	answer, err := c.core.Provider.Sites.Send(ctx, to, ports.SiteMessage{
		Wallet: r.Wallet, TxnID: txnID, Leg: leg, Provider: r.Provider, Game: r.Game, GameType: r.GameType,
		Amount: seamless.DecimalOf(r.Amount, r.Scale),
	})
	if fault.Is(err, fault.AgentSeamless) {
		response.Event = seamless.NotSent
	}
	if err != nil {
		return response
	}
	response.Event, response.Balance = seamless.SiteAccepted, unitsOf(answer.Balance, r.Scale)
	if !answer.Accepted {
		response.Event, response.Reason = seamless.SiteRefused, answer.Reason
		if leg == seamless.Credit {
			c.core.Alarms.Raise(ctx, alarm.SiteRefuses, r.ID, "agent", r.Agent, "txn_id", txnID, "wallet", string(r.Wallet),
				"token", string(r.Token), "amount", int64(r.Amount), "reason", string(answer.Reason))
		}
	}
	return response
}

// settleResponse commits a site's response. If another call was faster, it returns the
// result of that call. The change that settles a bet always has its transaction.
func (c *Service) settleResponse(ctx context.Context, r seamless.Delivery, response player.DeliveryResponse) (player.Change, error) {
	response.CreditID, response.Caps, response.At = c.core.Entropy.ID(), c.core.Provider.Caps, c.core.Now()
	needs := player.Needs{Deliveries: []string{r.ID}}
	if r.Status == seamless.Asking {
		needs.Launches, needs.Funds = []string{r.Connection}, []agent.FundsRef{{Agent: r.Agent, Token: r.Token}}
		if r.Kind.Wins() {
			needs.Hours = []seamless.HourRef{{Connection: r.Connection, Token: r.Token}}
		}
	}
	receipt, err := c.core.Store.Writer.Commit(ctx, player.Item{
		Wallet: r.Wallet, At: response.At, Source: player.FromProvider, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: c.core.Entropy.ID()}}, Needs: needs,
		Decide: func(v player.View) (player.Change, error) { return player.SettleDelivery(v, response) },
	})
	overtaken := err == nil && r.Status == seamless.Asking && receipt.Change.Seamless == nil
	if !overtaken && !fault.Is(err, fault.InvalidState) {
		if t := receipt.Change.Seamless; t != nil {
			providers.AlarmReview(ctx, c.core, *t)
		}
		return receipt.Change, err
	}
	deliveries, err := c.core.Store.Deliveries.DeliveriesOf(ctx, r.TransactionID)
	if err != nil {
		return player.Change{}, err
	}
	t, err := c.core.Store.SeamlessTransactions.SeamlessTransaction(ctx, r.TransactionID)
	return player.Change{Seamless: &t, Deliveries: deliveries}, err
}
