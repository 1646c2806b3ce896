package app

import (
	"context"

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

// ProviderAnswer is what a provider is told: whether the transaction stands, the
// player's balance in its money, and why it doesn't stand.
type ProviderAnswer struct {
	Taken   bool
	Balance seamless.Decimal
	Reason  seamless.Reason
}

// conflict is the reason of a transaction whose key was used for another one.
const conflict seamless.Reason = "DUPLICATED_TRANSACTION"

// ProviderBalance returns a player's balance in the money of his launch. A user
// who never launched a game there is InvalidUser.
func (c *Casino) ProviderBalance(ctx context.Context, userCode string) (seamless.Decimal, error) {
	unknown := fault.New(fault.InvalidUser, "the user never launched a game there")
	w, err := wallet.Parse(userCode)
	if err != nil || c.Provider == nil {
		return "", unknown
	}
	launch, err := c.Store.Launch(ctx, w, c.Provider.Code)
	if fault.Is(err, fault.NotFound) {
		return "", unknown
	}
	if err != nil {
		return "", err
	}
	balances, err := c.Store.Balances(ctx, w)
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
func (c *Casino) ProviderTransact(ctx context.Context, call ProviderCall) (ProviderAnswer, error) {
	w, err := wallet.Parse(call.UserCode)
	if err != nil || c.Provider == nil {
		return ProviderAnswer{}, fault.New(fault.InvalidUser, "the user never launched a game there")
	}
	callback, err := c.callback(call)
	if err != nil {
		return ProviderAnswer{}, err
	}
	if callback.Barred, err = c.barred(ctx, w, callback); err != nil {
		return ProviderAnswer{}, err
	}
	receipt, err := c.commitCallback(ctx, w, callback)
	if err != nil {
		return ProviderAnswer{}, err
	}
	t := receipt.Change.Seamless
	if t == nil {
		return ProviderAnswer{}, errAnswerLost
	}
	if receipt.Replayed && !t.Same(w, callback.Ref, callback.Kind, callback.Asked) {
		c.alarms.raise(ctx, AlarmProviderConflict, callback.TxnID, "connection", callback.Connection,
			"wallet", string(w), "first_wallet", string(t.Wallet))
		balance, err := c.ProviderBalance(ctx, call.UserCode)
		return ProviderAnswer{Balance: balance, Reason: conflict}, err
	}
	if t.Status == seamless.Review && !receipt.Replayed {
		c.alarms.raise(ctx, AlarmProviderReview, t.ID, "connection", t.Connection, "txn_id", t.TxnID,
			"wallet", string(w), "token", string(t.Token), "amount", int64(t.Win), "reason", string(t.Reason))
	}
	answer := ProviderAnswer{Taken: t.Status != seamless.Refused, Balance: seamless.DecimalOf(t.Balance, t.Scale)}
	if !answer.Taken {
		answer.Reason = t.Reason
	}
	return answer, nil
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
	asked := seamless.Asked{}
	if kind.Bets() {
		asked.Bet = call.Bet
	}
	if kind.Wins() {
		asked.Win = call.Win
	}
	return player.ProviderCallback{
		ID: c.Entropy.ID(), Kind: kind, GameType: call.GameType, Asked: asked, Caps: c.Provider.Caps,
		Tokens: c.Tokens, At: c.now(),
		Ref: seamless.Ref{Connection: c.Provider.Code, TxnID: call.TxnID, Provider: call.Provider, Game: call.Game},
	}, nil
}

// barred tells why no bet is taken in the game. It is read just before the commit:
// a round may still begin in the moment that the game is switched off.
func (c *Casino) barred(ctx context.Context, w wallet.Address, callback player.ProviderCallback) (seamless.Reason, error) {
	if !callback.Kind.Bets() {
		return seamless.None, nil
	}
	switch err := c.playsHere(ctx, w); {
	case fault.Is(err, fault.AgentSeamless):
		return seamless.AgentSeamless, nil
	case err != nil && !fault.Is(err, fault.NotFound): // who isn't known is refused by the decision
		return seamless.None, err
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

// playsHere returns nil for a player whose money for provider games is his balance
// here. That of the players of an operator with a site of its own is kept there:
// their bets must never be taken from balances here, and are refused with
// AgentSeamless because this service doesn't ask operators' sites.
func (c *Casino) playsHere(ctx context.Context, w wallet.Address) error {
	known, err := c.Store.Player(ctx, w)
	if err != nil || known.Agent == player.HouseAgent {
		return err
	}
	operator, err := c.Store.Agent(ctx, known.Agent)
	if err == nil && operator.SiteEndpoint != "" {
		return fault.New(fault.AgentSeamless, "the operator's own site, which keeps its players' money, is not asked by this service")
	}
	if fault.Is(err, fault.NotFound) { // an operator that was never entered has no site
		return nil
	}
	return err
}

// tokensTried is how often a callback is tried with one more token: the launch's
// and then the debit's may be others than the connection's.
const tokensTried = 3

func (c *Casino) commitCallback(ctx context.Context, w wallet.Address, callback player.ProviderCallback) (player.Receipt, error) {
	tokens := []money.Token{c.Provider.Token}
	for try := 1; ; try++ {
		item := player.Item{
			Wallet: w, At: callback.At,
			Claims: player.ProviderClaims(callback.Connection, callback.TxnID, callback.Kind),
			Needs:  player.Needs{Tokens: tokens, Launches: []string{callback.Connection}},
			Decide: func(v player.View) (player.Change, error) { return player.Transacts(v, callback, tokens) },
		}
		if !callback.Kind.Bets() {
			item.Needs.Seamless = []seamless.Ref{callback.Ref}
		}
		receipt, err := c.Store.Commit(ctx, item)
		token, unseen := player.UnseenToken(err)
		if !unseen || try == tokensTried {
			return receipt, err
		}
		tokens = append(tokens[:len(tokens):len(tokens)], token)
	}
}

// ProviderProbe tells whether the provider answers.
func ProviderProbe(provider ports.GameProvider) Probe {
	return func(ctx context.Context) error {
		_, err := provider.Funds(ctx)
		return err
	}
}
