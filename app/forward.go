package app

import (
	"context"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// playerFunds is where a player's money for providers' games is: at the site of his
// operator, or here when that has none.
type playerFunds struct {
	agent, site string
}

// fundsOf reads where it is now. The house's own players have theirs here.
func (c *Casino) fundsOf(ctx context.Context, w wallet.Address) (playerFunds, error) {
	known, err := c.store.Players.Player(ctx, w)
	switch {
	case fault.Is(err, fault.NotFound):
		return playerFunds{}, nil // who isn't known is refused by the decision
	case err != nil:
		return playerFunds{}, err
	case known.Agent == player.HouseAgent:
		return playerFunds{agent: known.Agent}, nil
	}
	operator, err := c.store.Agents.Agent(ctx, known.Agent)
	if fault.Is(err, fault.NotFound) { // an operator that was never entered has no site
		return playerFunds{agent: known.Agent}, nil
	}
	return playerFunds{agent: known.Agent, site: operator.SiteEndpoint}, err
}

// access is what a site is asked with. An operator that has no secret can't be
// asked: AgentSeamless.
func (c *Casino) access(ctx context.Context, at playerFunds) (ports.SiteAccess, error) {
	if c.Provider.Sites == nil {
		return ports.SiteAccess{}, errSeamless()
	}
	secret, err := c.store.Agents.AgentSecret(ctx, at.agent)
	if fault.Is(err, fault.NotFound) {
		return ports.SiteAccess{}, errSeamless()
	}
	return ports.SiteAccess{Endpoint: at.site, Agent: at.agent, Secret: secret}, err
}

func errSeamless() error {
	return fault.New(fault.AgentSeamless, "the agent's site, which holds its players' balances, does not answer")
}

// balanceAtSite asks an operator's site what a player has.
func (c *Casino) balanceAtSite(ctx context.Context, at playerFunds, w wallet.Address) (seamless.Decimal, error) {
	to, err := c.access(ctx, at)
	if err != nil {
		return "", err
	}
	balance, err := c.Provider.Sites.PlayerBalance(ctx, to, w)
	if err != nil && ctx.Err() == nil {
		return "", errSeamless()
	}
	return balance, err
}

// answerForwarded answers a transaction that an operator's site has a word in. It
// goes on when whoever asked has gone: what was begun here is finished.
func (c *Casino) answerForwarded(ctx context.Context, t seamless.Transaction, receipt player.Receipt) (ProviderResponse, error) {
	routes := receipt.Change.Deliveries
	if receipt.Replayed {
		var err error
		if routes, err = c.store.Deliveries.DeliveriesOf(ctx, t.ID); err != nil {
			return ProviderResponse{}, err
		}
	}
	if len(routes) > 0 && routes[0].Status == seamless.Asking {
		if receipt.Replayed {
			return ProviderResponse{}, errAsking()
		}
		change, err := c.settle(ctx, routes[0], c.recordResponse(ctx, routes[0]))
		if err != nil {
			return ProviderResponse{}, err
		}
		t, routes = *change.Seamless, change.Deliveries
	}
	if t.Status == seamless.Undecided {
		stored, err := c.store.SeamlessTransactions.SeamlessTransaction(ctx, t.ID)
		if err != nil {
			return ProviderResponse{}, err
		}
		t = stored
	}
	balance, err := c.toldOf(ctx, t, routes)
	return answerOf(t, balance), err
}

func errAsking() error {
	return fault.New(fault.Unavailable, "the agent's site has not answered yet").With("outcome", "unknown").
		With("retryAfterMs", int64(1000))
}

// toldOf is the player's balance as his operator's site told it last of this
// transaction. A win that the site hasn't heard of is told now, and Unavailable as
// long as it doesn't answer.
func (c *Casino) toldOf(ctx context.Context, t seamless.Transaction, routes []seamless.Delivery) (money.Amount, error) {
	if len(routes) == 0 { // refused, or in review, without the site
		told, err := c.balanceAtSite(ctx, playerFunds{t.Agent, t.Site}, t.Wallet)
		if err != nil {
			return 0, nil //nolint:nilerr // the answer stands without a balance
		}
		return unitsOf(told, t.Scale), nil
	}
	last := routes[len(routes)-1]
	if last.Leg == seamless.Debit {
		return t.Balance, nil
	}
	if last.Status == seamless.Delivering {
		heard := c.recordResponse(ctx, last)
		if !heard.Event.FromSite() {
			return 0, errAsking()
		}
		if _, err := c.settle(ctx, last, heard); err != nil {
			return 0, err
		}
		last.Balance = heard.Balance
	}
	return last.Balance, nil
}

// unitsOf is a site's balance in base units, rounded down; more than an amount can
// be counts as the largest.
func unitsOf(told seamless.Decimal, scale seamless.Scale) money.Amount {
	amount, _, ok := told.Units(scale)
	if !ok {
		return money.Max
	}
	return amount
}

// recordResponse sends a route's next message and says what was heard.
func (c *Casino) recordResponse(ctx context.Context, r seamless.Delivery) player.DeliveryResponse {
	heard := player.DeliveryResponse{DeliveryID: r.ID, Sent: r.Status, Site: r.Site, Event: seamless.NoResponse, Reason: seamless.AgentSeamless}
	to, err := c.access(ctx, playerFunds{r.Agent, r.Site})
	if err != nil {
		heard.Event = seamless.NotSent
		return heard
	}
	txnID, leg := r.Message()
	answer, err := c.Provider.Sites.Send(ctx, to, ports.SiteMessage{
		Wallet: r.Wallet, TxnID: txnID, Leg: leg, Provider: r.Provider, Game: r.Game, GameType: r.GameType,
		Amount: seamless.DecimalOf(r.Amount, r.Scale),
	})
	if fault.Is(err, fault.AgentSeamless) {
		heard.Event = seamless.NotSent
	}
	if err != nil {
		return heard
	}
	heard.Event, heard.Balance = seamless.SiteAccepted, unitsOf(answer.Balance, r.Scale)
	if !answer.Accepted {
		heard.Event, heard.Reason = seamless.SiteRefused, answer.Reason
		if leg == seamless.Credit {
			c.alarms.raise(ctx, AlarmSiteRefuses, r.ID, "agent", r.Agent, "txn_id", txnID, "wallet", string(r.Wallet),
				"token", string(r.Token), "amount", int64(r.Amount), "reason", string(answer.Reason))
		}
	}
	return heard
}

// settle commits what was heard. When somebody else was faster, the change has what
// that one made of it. The change of a bet's first word always has its transaction.
func (c *Casino) settle(ctx context.Context, r seamless.Delivery, heard player.DeliveryResponse) (player.Change, error) {
	heard.CreditID, heard.Caps, heard.At = c.Entropy.ID(), c.Provider.Caps, c.now()
	needs := player.Needs{Deliveries: []string{r.ID}}
	if r.Status == seamless.Asking {
		needs.Launches, needs.Funds = []string{r.Connection}, []agent.FundsRef{{Agent: r.Agent, Token: r.Token}}
	}
	receipt, err := c.store.Writer.Commit(ctx, player.Item{
		Wallet: r.Wallet, At: heard.At, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: c.Entropy.ID()}}, Needs: needs,
		Decide: func(v player.View) (player.Change, error) { return player.SettleDelivery(v, heard) },
	})
	overtaken := err == nil && r.Status == seamless.Asking && receipt.Change.Seamless == nil
	if !overtaken && !fault.Is(err, fault.InvalidState) {
		if t := receipt.Change.Seamless; t != nil && t.Status == seamless.Review {
			c.alarms.raise(ctx, AlarmProviderReview, t.ID, "connection", t.Connection, "txn_id", t.TxnID,
				"wallet", string(t.Wallet), "token", string(t.Token), "amount", int64(t.Win), "reason", string(t.Reason))
		}
		return receipt.Change, err
	}
	routes, err := c.store.Deliveries.DeliveriesOf(ctx, r.TransactionID)
	if err != nil {
		return player.Change{}, err
	}
	t, err := c.store.SeamlessTransactions.SeamlessTransaction(ctx, r.TransactionID)
	return player.Change{Seamless: &t, Deliveries: routes}, err
}
