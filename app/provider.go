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

// ProviderConnection is the connection to a provider of third-party games.
type ProviderConnection struct {
	// Code is our name of it, part of every key that its transactions are kept
	// under: it never changes.
	Code  string
	Games ports.GameProvider
	// Token and Scale are the money of new launches: one unit of the provider's
	// money is 10^Scale base units.
	Token money.Token
	Scale seamless.Scale
	Caps  player.ProviderCaps
	// Sites are those of operators who keep their players' money themselves; without
	// it their players are refused with AgentSeamless.
	Sites ports.AgentSite
	// EnableNew offers games that a sync meets for the first time at once; without
	// it an admin enables them.
	EnableNew bool
}

// ProviderCall is a provider's transaction as it came in, its texts unchecked.
type ProviderCall struct {
	UserCode string
	TxnID    string
	Kind     string
	GameType string
	Provider string
	Game     string
	Bet, Win seamless.Decimal
}

// ProviderResponse is what a provider is told: whether the transaction stands, the
// player's balance in its money, and why it doesn't stand.
type ProviderResponse struct {
	Accepted bool
	Balance  seamless.Decimal
	Reason   seamless.Reason
}

// conflict is the reason of a transaction whose key was used for another one.
const conflict seamless.Reason = "DUPLICATED_TRANSACTION"

// ProviderBalance returns a player's balance in the money of his launch: here, or at
// the site of the operator who keeps it, which is AgentSeamless when it can't be
// asked. A user who never launched a game there is InvalidUser.
func (c *Casino) ProviderBalance(ctx context.Context, userCode string) (seamless.Decimal, error) {
	unknown := fault.New(fault.InvalidUser, "the user never launched a game there")
	w, err := wallet.Parse(userCode)
	if err != nil || c.Provider == nil {
		return "", unknown
	}
	launch, err := c.store.Launches.Launch(ctx, w, c.Provider.Code)
	if fault.Is(err, fault.NotFound) {
		return "", unknown
	}
	if err != nil {
		return "", err
	}
	purse, err := c.fundsOf(ctx, w)
	if err != nil {
		return "", err
	}
	if purse.site != "" {
		return c.balanceAtSite(ctx, purse, w)
	}
	balances, err := c.store.Players.Balances(ctx, w)
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

// ProviderTransact answers a provider's transaction, once: a repeat is told what
// was told first, a refused bet included. Another transaction under the same key
// is told no, with an alarm. The order of refusals is user, transaction, game,
// whether bets are taken, amount, funds. An error of another kind than Invalid
// and InvalidUser says that the outcome isn't known: the provider asks again.
func (c *Casino) ProviderTransact(ctx context.Context, call ProviderCall) (ProviderResponse, error) {
	w, err := wallet.Parse(call.UserCode)
	if err != nil || c.Provider == nil {
		return ProviderResponse{}, fault.New(fault.InvalidUser, "the user never launched a game there")
	}
	callback, err := c.callback(call)
	if err != nil {
		return ProviderResponse{}, err
	}
	purse, err := c.fundsOf(ctx, w)
	if err != nil {
		return ProviderResponse{}, err
	}
	callback.Site, callback.SiteAgent = purse.site, purse.agent
	if callback.Barred, err = c.barred(ctx, purse, callback); err != nil {
		return ProviderResponse{}, err
	}
	receipt, err := c.commitCallback(ctx, w, purse, callback)
	if err != nil {
		return ProviderResponse{}, err
	}
	t := receipt.Change.Response()
	if t == nil {
		return ProviderResponse{}, errResultLost
	}
	if receipt.Replayed && !t.Same(w, callback.Ref, callback.Kind, callback.Requested) {
		c.alarms.raise(ctx, AlarmProviderConflict, callback.TxnID, "connection", callback.Connection,
			"wallet", string(w), "first_wallet", string(t.Wallet))
		balance, err := c.ProviderBalance(ctx, call.UserCode)
		if fault.Is(err, fault.AgentSeamless) {
			balance, err = "0", nil
		}
		return ProviderResponse{Balance: balance, Reason: conflict}, err
	}
	if t.Status == seamless.Review && !receipt.Replayed {
		c.alarms.raise(ctx, AlarmProviderReview, t.ID, "connection", t.Connection, "txn_id", t.TxnID,
			"wallet", string(w), "token", string(t.Token), "amount", int64(t.Win), "reason", string(t.Reason))
	}
	if t.Site != "" {
		return c.answerForwarded(context.WithoutCancel(ctx), *t, receipt)
	}
	return answerOf(*t, t.Balance), nil
}

// answerOf is what the provider is told of a transaction.
func answerOf(t seamless.Transaction, balance money.Amount) ProviderResponse {
	answer := ProviderResponse{Accepted: t.Status != seamless.Refused, Balance: seamless.DecimalOf(balance, t.Scale)}
	if !answer.Accepted {
		answer.Reason = t.Reason
	}
	return answer
}

// callback checks the texts of a call.
func (c *Casino) callback(call ProviderCall) (player.ProviderCallback, error) {
	kind, known := seamless.ParseKind(call.Kind)
	switch {
	case !known:
		return player.ProviderCallback{}, fault.Field("txn_type", "must be debit, credit or debit_credit")
	case !seamless.ValidTxnID(call.TxnID):
		return player.ProviderCallback{}, fault.Field("txn_id", "must have 1 to %d printable characters", seamless.TxnIDMax)
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
		ID: c.Entropy.ID(), Kind: kind, GameType: call.GameType, Requested: asked, Caps: c.Provider.Caps,
		Tokens: c.Tokens, At: c.now(),
		Ref: seamless.Ref{Connection: c.Provider.Code, TxnID: call.TxnID, Provider: call.Provider, Game: call.Game},
	}, nil
}

// barred tells why no bet is taken in the game. It is read just before the commit:
// a round may still begin in the moment that the game is switched off.
func (c *Casino) barred(ctx context.Context, purse playerFunds, callback player.ProviderCallback) (seamless.Reason, error) {
	if !callback.Kind.Bets() {
		return seamless.None, nil
	}
	if purse.site != "" && c.Provider.Sites == nil {
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

// seenTries is how often a callback is tried with one more thing to see: a token
// or an operator's funds, of the launch and then of the debit.
const seenTries = 5

func (c *Casino) commitCallback(ctx context.Context, w wallet.Address, purse playerFunds, callback player.ProviderCallback) (player.Receipt, error) {
	tokens := []money.Token{c.Provider.Token}
	var funds []agent.FundsRef
	if purse.site != "" {
		funds = []agent.FundsRef{{Agent: purse.agent, Token: c.Provider.Token}}
	}
	for try := 1; ; try++ {
		item := player.Item{
			Wallet: w, At: callback.At,
			Keys:   player.ProviderKeys(callback.Connection, callback.TxnID, callback.Kind),
			Needs:  player.Needs{Tokens: tokens, Launches: []string{callback.Connection}, Funds: funds},
			Decide: func(v player.View) (player.Change, error) { return player.Transact(v, callback, tokens) },
		}
		if !callback.Kind.Bets() {
			item.Needs.Seamless = []seamless.Ref{callback.Ref}
		}
		receipt, err := c.store.Writer.Commit(ctx, item)
		token, account, unseen := player.MissingNeed(err)
		switch {
		case !unseen || try == seenTries:
			return receipt, err
		case token != "":
			tokens = append(tokens[:len(tokens):len(tokens)], token)
		default:
			funds = append(funds[:len(funds):len(funds)], account)
		}
	}
}

// ProviderProbe tells whether the provider answers.
func ProviderProbe(provider ports.GameProvider) Probe {
	return func(ctx context.Context) error {
		_, err := provider.Funds(ctx)
		return err
	}
}
