package kernel

import (
	"github.com/casino-service/casino/ports"
)

// Ports has every port of a store that use cases need. adapters/memory implements it in one
// value; a SQL store does together with its writer.
type Ports interface {
	ports.Writer
	ports.Players
	ports.Seeds
	ports.RevealedSeeds
	ports.Rounds
	ports.OpenRounds
	ports.CrashBets
	ports.Transactions
	ports.Bookings
	ports.PlaySessions
	ports.Figures
	ports.Reports
	ports.PlayerDays
	ports.TransactionSums
	ports.Roles
	ports.RoleLists
	ports.Agents
	ports.AgentFunds
	ports.Deposits
	ports.DepositCursors
	ports.ParkedDeposits
	ports.UnbookedDeposits
	ports.Unclaimed
	ports.Withdrawals
	ports.PayoutQueue
	ports.PayoutControls
	ports.WalletProofs
	ports.TreasuryIndex
	ports.TreasuryReview
	ports.TreasurySweeps
	ports.Approvals
	ports.Catalog
	ports.Launches
	ports.SeamlessTransactions
	ports.Reconciliations
	ports.Deliveries
	ports.AuditLog
	ports.Brandings
	ports.Checkpoints
	ports.Inclusions
	ports.HeadLog
	ports.LogCheckpoints
	ports.Anchors
	ports.Controls
	ports.StoreClock
	ports.Alarms
	ports.CrashChains
	ports.CrashRounds
	ports.CrashLease
	ports.Events
	ports.Webhooks
	ports.WebhookQueue
	ports.DeadLetters
	ports.PublishedLimits
	ports.DebtReader
	ports.Solvency
	ports.PastBalances
}

// Store holds the ports of a store as fields, so that each can be wrapped. All are required
// and must show the same state.
type Store struct {
	Writer               ports.Writer
	Players              ports.Players
	Seeds                ports.Seeds
	RevealedSeeds        ports.RevealedSeeds
	Rounds               ports.Rounds
	OpenRounds           ports.OpenRounds
	CrashBets            ports.CrashBets
	Transactions         ports.Transactions
	Bookings             ports.Bookings
	PlaySessions         ports.PlaySessions
	Figures              ports.Figures
	Reports              ports.Reports
	PlayerDays           ports.PlayerDays
	TransactionSums      ports.TransactionSums
	Roles                ports.Roles
	RoleLists            ports.RoleLists
	Agents               ports.Agents
	AgentFunds           ports.AgentFunds
	Deposits             ports.Deposits
	DepositCursors       ports.DepositCursors
	ParkedDeposits       ports.ParkedDeposits
	UnbookedDeposits     ports.UnbookedDeposits
	Unclaimed            ports.Unclaimed
	Withdrawals          ports.Withdrawals
	PayoutQueue          ports.PayoutQueue
	PayoutControls       ports.PayoutControls
	WalletProofs         ports.WalletProofs
	TreasuryIndex        ports.TreasuryIndex
	TreasuryReview       ports.TreasuryReview
	TreasurySweeps       ports.TreasurySweeps
	Approvals            ports.Approvals
	Catalog              ports.Catalog
	Launches             ports.Launches
	SeamlessTransactions ports.SeamlessTransactions
	Reconciliations      ports.Reconciliations
	Deliveries           ports.Deliveries
	AuditLog             ports.AuditLog
	Brandings            ports.Brandings
	Checkpoints          ports.Checkpoints
	Inclusions           ports.Inclusions
	HeadLog              ports.HeadLog
	LogCheckpoints       ports.LogCheckpoints
	Anchors              ports.Anchors
	Controls             ports.Controls
	StoreClock           ports.StoreClock
	Alarms               ports.Alarms
	CrashChains          ports.CrashChains
	CrashRounds          ports.CrashRounds
	CrashLease           ports.CrashLease
	Events               ports.Events
	Webhooks             ports.Webhooks
	WebhookQueue         ports.WebhookQueue
	DeadLetters          ports.DeadLetters
	PublishedLimits      ports.PublishedLimits
	DebtReader           ports.DebtReader
	Solvency             ports.Solvency
	PastBalances         ports.PastBalances
}
