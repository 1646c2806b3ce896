package providers

import (
	"context"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Conflict is the reason for refusing a transaction with an id that was used for another
// one.
const Conflict seamless.Reason = "DUPLICATED_TRANSACTION"

// ProviderBalance returns a player's balance in the money of the player's launch. If the
// balance is kept by an agent's site, it calls the site, and returns AgentSeamless if the
// site can't be reached. A user who never launched a game of the provider is InvalidUser.
func (c *Service) ProviderBalance(ctx context.Context, userCode string) (seamless.Decimal, error) {
	unknown := fault.New(fault.InvalidUser, "the user never launched a game there")
	w, err := wallet.Parse(userCode)
	if err != nil || c.core.Provider == nil {
		return "", unknown
	}
	launch, err := c.core.Store.Launches.Launch(ctx, w, c.core.Provider.Code)
	if fault.Is(err, fault.NotFound) {
		return "", unknown
	}
	if err != nil {
		return "", err
	}
	funds, err := c.fundsOf(ctx, w)
	if err != nil {
		return "", err
	}
	if funds.Site != "" {
		return c.sites.Balance(ctx, funds, w)
	}
	balances, err := c.core.Store.Players.Balances(ctx, w)
	if err != nil {
		return "", err
	}
	for _, line := range balances {
		if line.Token == launch.Token {
			return seamless.DecimalOf(line.Amount, launch.Scale), nil
		}
	}
	return "0", nil
}

// ProviderTransact answers a provider's transaction. It is decided once: a repeat gets the
// first response, also for a refused bet. Another transaction with the same id is refused
// and raises an alarm. The order of refusals is user, transaction, game, pauses and
// switches, amount, funds. After an error of a kind other than Invalid and InvalidUser the
// outcome is unknown, and the provider retries.
func (c *Service) ProviderTransact(ctx context.Context, call kernel.ProviderCall) (kernel.ProviderResponse, error) {
	w, err := wallet.Parse(call.UserCode)
	if err != nil || c.core.Provider == nil {
		return kernel.ProviderResponse{}, fault.New(fault.InvalidUser, "the user never launched a game there")
	}
	if call, err = c.withGame(ctx, call); err != nil {
		return kernel.ProviderResponse{}, err
	}
	callback, err := c.checkCallback(call)
	if err != nil {
		return kernel.ProviderResponse{}, err
	}
	funds, err := c.fundsOf(ctx, w)
	if err != nil {
		return kernel.ProviderResponse{}, err
	}
	callback.Site, callback.SiteAgent = funds.Site, funds.Agent
	if callback.Barred, err = c.barReason(ctx, funds, callback); err != nil {
		return kernel.ProviderResponse{}, err
	}
	receipt, err := c.commitCallback(ctx, w, funds, callback, call.WholeIDs)
	if fault.Is(err, fault.NotFound) {
		return c.refuse(ctx, w, seamless.UnknownBet)
	}
	if err != nil {
		return kernel.ProviderResponse{}, err
	}
	t := receipt.Change.Response()
	if t == nil {
		return kernel.ProviderResponse{}, kernel.ErrResultLost
	}
	if receipt.Replayed {
		return c.repeat(ctx, w, call, callback, *t, receipt)
	}
	return c.answer(ctx, *t, receipt)
}

// repeat answers a callback with keys that a transaction has: the same, its rollback, or
// another one.
func (c *Service) repeat(ctx context.Context, w wallet.Address, call kernel.ProviderCall, callback player.ProviderCallback,
	first seamless.Transaction, receipt player.Receipt,
) (kernel.ProviderResponse, error) {
	if call.WholeIDs {
		callback.Provider = first.Provider // which the catalogue may have changed
	}
	switch {
	case first.Wallet == w && first.Undoes(callback.TxnID):
		return c.refuse(ctx, w, seamless.RolledBack)
	case !first.Same(w, callback.Ref, callback.Kind, callback.Requested, callback.Reference):
		return c.conflict(ctx, w, callback.TxnID, first)
	case call.WholeIDs:
		if undone, err := c.isRolledBack(ctx, first); err != nil {
			return kernel.ProviderResponse{}, err
		} else if undone {
			return c.refuse(ctx, w, seamless.RolledBack)
		}
	}
	return c.answer(ctx, first, receipt)
}

// answer returns the response about a transaction, which the agent's site makes if the
// player's money is there.
func (c *Service) answer(ctx context.Context, t seamless.Transaction, receipt player.Receipt) (kernel.ProviderResponse, error) {
	if !receipt.Replayed {
		AlarmReview(ctx, c.core, t)
	}
	if t.Site != "" {
		return c.sites.Answer(context.WithoutCancel(ctx), t, receipt)
	}
	return AnswerOf(t, t.Balance), nil
}

// conflict refuses an id that was used for another transaction, and raises the alarm.
func (c *Service) conflict(ctx context.Context, w wallet.Address, txnID string, first seamless.Transaction) (kernel.ProviderResponse, error) {
	c.core.Alarms.Raise(ctx, alarm.ProviderConflict, txnID, "connection", first.Connection,
		"wallet", string(w), "first_wallet", string(first.Wallet))
	return c.refuse(ctx, w, Conflict)
}

// refuse returns a refusal that isn't stored, with the player's present balance.
func (c *Service) refuse(ctx context.Context, w wallet.Address, why seamless.Reason) (kernel.ProviderResponse, error) {
	balance, err := c.ProviderBalance(ctx, string(w))
	if fault.Is(err, fault.AgentSeamless) {
		balance, err = "0", nil
	}
	return kernel.ProviderResponse{Balance: balance, Reason: why}, err
}

// AlarmReview raises the alarm about a win in review. If the win is above the cap of all
// players together, the alarm's subject is the connection, because a stolen secret causes
// many such wins.
func AlarmReview(ctx context.Context, core *kernel.Kernel, t seamless.Transaction) {
	if t.Status != seamless.Review {
		return
	}
	kind, about := alarm.ProviderReview, t.ID
	if t.Reason == seamless.OverConnectionCap {
		kind, about = alarm.ProviderCapped, t.Connection
	}
	core.Alarms.Raise(ctx, kind, about, "connection", t.Connection, "txn_id", t.TxnID,
		"wallet", string(t.Wallet), "token", string(t.Token), "amount", int64(t.Win), "reason", string(t.Reason))
}

// AnswerOf returns the response to a provider about a transaction.
func AnswerOf(t seamless.Transaction, balance money.Amount) kernel.ProviderResponse {
	answer := kernel.ProviderResponse{Accepted: t.Status != seamless.Refused, Balance: seamless.DecimalOf(balance, t.Scale)}
	if !answer.Accepted {
		answer.Reason = t.Reason
	}
	return answer
}

// checkCallback checks the texts of a call.
func (c *Service) checkCallback(call kernel.ProviderCall) (player.ProviderCallback, error) {
	kind, known := seamless.ParseKind(call.Kind)
	switch {
	case !known:
		return player.ProviderCallback{}, fault.Field("txn_type", "must be debit, credit or debit_credit")
	case !seamless.ValidTxnID(call.TxnID) || call.Reference != "" && !seamless.ValidTxnID(call.Reference) || call.Reference == call.TxnID:
		return player.ProviderCallback{}, fault.Field("txn_id", "must have 1 to %d printable characters, and differ from the reference", seamless.TxnIDMax)
	case !seamless.ValidCode(call.Provider):
		return player.ProviderCallback{}, fault.Field("provider_code", "must be a code")
	case !seamless.ValidCode(call.Game):
		return player.ProviderCallback{}, fault.Field("game_code", "must be a code")
	case !seamless.ValidCode(call.GameType):
		return player.ProviderCallback{}, fault.Field("game_type", "must be a code")
	}
	asked := seamless.Requested{}
	if kind.Bets() {
		asked.Bet = call.Bet
	}
	if kind.Wins() {
		asked.Win = call.Win
	}
	return player.ProviderCallback{
		ID: c.core.Entropy.ID(), Kind: kind, GameType: call.GameType, Reference: call.Reference, Requested: asked, Caps: c.core.Provider.Caps,
		Tokens: c.core.Tokens, Pace: c.core.Settings.Pace.Least(call.GameType), At: c.core.Now(),
		Ref: seamless.Ref{Connection: c.core.Provider.Code, TxnID: call.TxnID, Provider: call.Provider, Game: call.Game},
	}, nil
}

// barReason returns the reason for refusing bets in the game, if there is one. It is read
// just before the commit, so a round may still begin while the game is switched off.
func (c *Service) barReason(ctx context.Context, funds PlayerFunds, callback player.ProviderCallback) (seamless.Reason, error) {
	if !callback.Kind.Bets() {
		return seamless.None, nil
	}
	if funds.Site != "" && !c.forwardsToSites() {
		return seamless.AgentSeamless, nil
	}
	game, err := c.providerGame(ctx, callback.Game)
	switch {
	case fault.Is(err, fault.InvalidGame), err == nil && game.Provider != callback.Provider:
		return seamless.InvalidGame, nil
	case err != nil:
		return seamless.None, err
	case !game.Enabled:
		return seamless.GameDisabled, nil
	}
	return seamless.None, nil
}

// commitCallback commits a callback. It declares the needs of a round that was launched
// with the present settings of the connection; for others the decision requests more.
func (c *Service) commitCallback(ctx context.Context, w wallet.Address, at PlayerFunds, callback player.ProviderCallback, wholeIDs bool) (player.Receipt, error) {
	legs := callback.Kind
	if wholeIDs {
		legs = seamless.DebitCredit
	}
	item := player.Item{
		Wallet: w, At: callback.At, Keys: player.ProviderKeys(callback.Connection, callback.TxnID, legs),
		Needs: player.Needs{
			Tokens: []money.Token{c.core.Provider.Token}, Launches: []string{callback.Connection},
			Hours: callback.Hours(c.core.Provider.Token, c.core.Provider.Scale),
		},
		Decide: func(v player.View) (player.Change, error) { return player.Transact(v, callback) },
	}
	if at.Site != "" {
		item.Needs.Funds = []agent.FundsRef{{Agent: at.Agent, Token: c.core.Provider.Token}}
	}
	if !callback.Kind.Bets() {
		item.Source = player.FromProvider
		item.Needs.Seamless = []seamless.Ref{callback.RoundRef()}
	}
	return c.core.Store.Writer.Commit(ctx, item)
}

// ProviderProbe returns a probe of the provider.
func ProviderProbe(provider ports.GameProvider) kernel.Probe {
	return func(ctx context.Context) error {
		_, err := provider.Funds(ctx)
		return err
	}
}
