package embedder_test

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// frozenStore is every method that an embedder's store had to have when the ports
// were frozen, written out: it doesn't follow the ports when they change.
type frozenStore interface {
	Commit(ctx context.Context, item player.Item) (player.Receipt, error)
	Player(ctx context.Context, w wallet.Address) (player.Player, error)
	Balances(ctx context.Context, w wallet.Address) ([]ports.TokenBalance, error)
	PlayerList(ctx context.Context, filter ports.PlayerFilter, page ports.Page) (ports.PlayerPage, error)
	ActivePair(ctx context.Context, w wallet.Address) (fairness.Pair, error)
	RevealedPairs(ctx context.Context, w wallet.Address, page ports.Page) (ports.RevealedPage, error)
	RevealedPair(ctx context.Context, id string) (fairness.Revealed, error)
	Round(ctx context.Context, id string) (bet.Round, error)
	Rounds(ctx context.Context, filter ports.RoundFilter, page ports.Page) (ports.RoundPage, error)
	RecentRounds(ctx context.Context, n int) ([]bet.Round, error)
	Transactions(ctx context.Context, filter ports.TransactionFilter, page ports.Page) (ports.TransactionPage, error)
	Totals(ctx context.Context) ([]ledger.Balance, error)
	Bankroll(ctx context.Context, token money.Token) (money.Total, error)
	Daily(ctx context.Context, from, to string) ([]ports.DailyFigure, error)
	Role(ctx context.Context, w wallet.Address) (rbac.Assignment, error)
	Roles(ctx context.Context) ([]rbac.Assignment, error)
	ChangeRole(ctx context.Context, w wallet.Address, decide ports.RoleDecision) error
	Agent(ctx context.Context, code string) (agent.Agent, error)
	Agents(ctx context.Context) ([]agent.Agent, error)
	AgentSecret(ctx context.Context, code string) (agent.Secret, error)
	ChangeAgent(ctx context.Context, by wallet.Address, code string, decide ports.AgentDecision) error
	Claim(ctx context.Context, w wallet.Address, ref deposit.Ref) (deposit.Claim, error)
	ClaimsOf(ctx context.Context, ref deposit.Ref) ([]deposit.Claim, error)
	PendingClaims(ctx context.Context, after string, limit int) ([]deposit.Claim, error)
	Withdrawal(ctx context.Context, id string) (withdrawal.Withdrawal, error)
	WithdrawalsIn(ctx context.Context, status withdrawal.Status, after string, limit int) ([]withdrawal.Withdrawal, error)
	OpenWithdrawals(ctx context.Context, w wallet.Address) ([]withdrawal.Withdrawal, error)
	Attempt(ctx context.Context, withdrawalID string) (withdrawal.Attempt, error)
	Lease(ctx context.Context, withdrawalID, worker string, now, until time.Time) (bool, error)
	Release(ctx context.Context, withdrawalID, worker string) error
	PayoutState(ctx context.Context, query withdrawal.PayoutQuery) (withdrawal.PayoutControls, error)
	Pause(ctx context.Context) (withdrawal.Pause, error)
	ChangePause(ctx context.Context, decide ports.PauseDecision) error
	Approval(ctx context.Context, id string) (approval.Approval, error)
	OpenApprovals(ctx context.Context, filter ports.ApprovalFilter, page ports.Page) (ports.ApprovalPage, error)
}

// frozenChain is every method that an embedder's chain had to have then.
type frozenChain interface {
	Observe(ctx context.Context, signature string) (deposit.Observation, error)
	Treasury(terms token.Terms) (deposit.Treasury, error)
	Since(ctx context.Context, terms token.Terms, cursor string, limit int) (ports.HistoryPage, error)
	Mint(ctx context.Context, terms token.Terms) (token.Mint, error)
	Sign(ctx context.Context, w withdrawal.Withdrawal, terms token.Terms) (withdrawal.Attempt, error)
	Send(ctx context.Context, attempt withdrawal.Attempt) error
	Outcome(ctx context.Context, attempt withdrawal.Attempt) (withdrawal.Outcome, error)
	Genesis(ctx context.Context) (string, error)
	Holding(ctx context.Context, terms token.Terms) (money.Amount, error)
	Healthy(ctx context.Context) error
	TreasuryAddress() string
	Reserved(address string) bool
}
