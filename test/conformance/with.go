package conformance

import (
	"testing"

	"github.com/casino-service/casino/ports"
)

// With returns a store each of whose ports is served by the first of your own values that
// serves it, and by the rest where none does. So a suite runs on one port alone, and its
// stories use the others:
//
//	conformance.Reconciliations(t, func(t *testing.T) conformance.Store {
//		return conformance.Store{Ports: conformance.With(t, memory.New(), &myReconciliations{})}
//	})
//
// A port that reads what a Writer commits, or what another port changes, needs one that
// shows it that. A value that serves no port fails the test.
func With(t *testing.T, rest Ports, own ...any) Ports {
	t.Helper()
	c := whose{own: own, used: make([]bool, len(own))}
	served := parts{
		writerPort:               servedBy[ports.Writer](&c, rest),
		playersPort:              servedBy[ports.Players](&c, rest),
		seedsPort:                servedBy[ports.Seeds](&c, rest),
		roundsPort:               servedBy[ports.Rounds](&c, rest),
		transactionsPort:         servedBy[ports.Transactions](&c, rest),
		figuresPort:              servedBy[ports.Figures](&c, rest),
		rolesPort:                servedBy[ports.Roles](&c, rest),
		agentsPort:               servedBy[ports.Agents](&c, rest),
		depositsPort:             servedBy[ports.Deposits](&c, rest),
		withdrawalsPort:          servedBy[ports.Withdrawals](&c, rest),
		payoutQueuePort:          servedBy[ports.PayoutQueue](&c, rest),
		payoutControlsPort:       servedBy[ports.PayoutControls](&c, rest),
		approvalsPort:            servedBy[ports.Approvals](&c, rest),
		roleListsPort:            servedBy[ports.RoleLists](&c, rest),
		depositCursorsPort:       servedBy[ports.DepositCursors](&c, rest),
		parkedDepositsPort:       servedBy[ports.ParkedDeposits](&c, rest),
		unbookedDepositsPort:     servedBy[ports.UnbookedDeposits](&c, rest),
		treasuryIndexPort:        servedBy[ports.TreasuryIndex](&c, rest),
		treasuryReviewPort:       servedBy[ports.TreasuryReview](&c, rest),
		treasurySweepsPort:       servedBy[ports.TreasurySweeps](&c, rest),
		catalogPort:              servedBy[ports.Catalog](&c, rest),
		launchesPort:             servedBy[ports.Launches](&c, rest),
		seamlessTransactionsPort: servedBy[ports.SeamlessTransactions](&c, rest),
		reconciliationsPort:      servedBy[ports.Reconciliations](&c, rest),
		deliveriesPort:           servedBy[ports.Deliveries](&c, rest),
		agentFundsPort:           servedBy[ports.AgentFunds](&c, rest),
		reportsPort:              servedBy[ports.Reports](&c, rest),
		auditLogPort:             servedBy[ports.AuditLog](&c, rest),
		brandingsPort:            servedBy[ports.Brandings](&c, rest),
		checkpointsPort:          servedBy[ports.Checkpoints](&c, rest),
		controlsPort:             servedBy[ports.Controls](&c, rest),
		recoveryPort:             servedBy[ports.Recovery](&c, rest),
		archivePort:              servedBy[ports.Archive](&c, rest),
		blockHashesPort:          servedBy[ports.BlockHashes](&c, rest),
		originsPort:              servedBy[ports.Origins](&c, rest),
		auditRowsPort:            servedBy[ports.AuditRows](&c, rest),
		walletProofsPort:         servedBy[ports.WalletProofs](&c, rest),
		sealedRowsPort:           servedBy[ports.SealedRows](&c, rest),
		registryPort:             servedBy[ports.Registry](&c, rest),
		storeClockPort:           servedBy[ports.StoreClock](&c, rest),
		ledgerPagesPort:          servedBy[ports.LedgerPages](&c, rest),
		playSessionsPort:         servedBy[ports.PlaySessions](&c, rest),
		unclaimedPort:            servedBy[ports.Unclaimed](&c, rest),
		revealedSeedsPort:        servedBy[ports.RevealedSeeds](&c, rest),
		openRoundsPort:           servedBy[ports.OpenRounds](&c, rest),
		eventsPort:               servedBy[ports.Events](&c, rest),
		webhooksPort:             servedBy[ports.Webhooks](&c, rest),
		webhookQueuePort:         servedBy[ports.WebhookQueue](&c, rest),
		deadLettersPort:          servedBy[ports.DeadLetters](&c, rest),
		alarmsPort:               servedBy[ports.Alarms](&c, rest),
	}
	c.check(t)
	return served
}

// WithChain is With for the ports to the chain; FakeChain has the others:
//
//	conformance.Payer(t, func(t *testing.T) conformance.Chain {
//		c := conformance.FakeChain()
//		c.ChainPorts = conformance.WithChain(t, c.ChainPorts, &myPayer{c.ChainPorts})
//		return c
//	})
func WithChain(t *testing.T, rest ChainPorts, own ...any) ChainPorts {
	t.Helper()
	c := whose{own: own, used: make([]bool, len(own))}
	served := chainParts{
		depositReaderPort:       servedBy[ports.DepositReader](&c, rest),
		depositTransactionsPort: servedBy[ports.DepositTransactions](&c, rest),
		depositHistoryPort:      servedBy[ports.DepositHistory](&c, rest),
		mintsPort:               servedBy[ports.Mints](&c, rest),
		payerPort:               servedBy[ports.Payer](&c, rest),
		treasuryHistoryPort:     servedBy[ports.TreasuryHistory](&c, rest),
		chainProbePort:          servedBy[ports.ChainProbe](&c, rest),
		chainHeightsPort:        servedBy[ports.ChainHeights](&c, rest),
		houseAddressesPort:      servedBy[ports.HouseAddresses](&c, rest),
	}
	c.check(t)
	return served
}

// whose is which own values serve which ports.
type whose struct {
	own  []any
	used []bool
}

// servedBy returns the first own value that serves the port, or the rest.
func servedBy[P any](c *whose, rest P) P {
	for i, value := range c.own {
		if served, ok := value.(P); ok {
			c.used[i] = true
			return served
		}
	}
	return rest
}

func (c *whose) check(t *testing.T) {
	t.Helper()
	for i, used := range c.used {
		if !used {
			t.Fatalf("%T serves no port, or only those that others serve already", c.own[i])
		}
	}
}

// The ports under names that their methods don't have, to be embedded.
type (
	writerPort               = ports.Writer
	playersPort              = ports.Players
	seedsPort                = ports.Seeds
	roundsPort               = ports.Rounds
	transactionsPort         = ports.Transactions
	figuresPort              = ports.Figures
	rolesPort                = ports.Roles
	agentsPort               = ports.Agents
	depositsPort             = ports.Deposits
	withdrawalsPort          = ports.Withdrawals
	payoutQueuePort          = ports.PayoutQueue
	payoutControlsPort       = ports.PayoutControls
	approvalsPort            = ports.Approvals
	roleListsPort            = ports.RoleLists
	depositCursorsPort       = ports.DepositCursors
	parkedDepositsPort       = ports.ParkedDeposits
	unbookedDepositsPort     = ports.UnbookedDeposits
	treasuryIndexPort        = ports.TreasuryIndex
	treasuryReviewPort       = ports.TreasuryReview
	treasurySweepsPort       = ports.TreasurySweeps
	catalogPort              = ports.Catalog
	launchesPort             = ports.Launches
	seamlessTransactionsPort = ports.SeamlessTransactions
	reconciliationsPort      = ports.Reconciliations
	deliveriesPort           = ports.Deliveries
	agentFundsPort           = ports.AgentFunds
	reportsPort              = ports.Reports
	auditLogPort             = ports.AuditLog
	brandingsPort            = ports.Brandings
	checkpointsPort          = ports.Checkpoints
	controlsPort             = ports.Controls
	recoveryPort             = ports.Recovery
	archivePort              = ports.Archive
	blockHashesPort          = ports.BlockHashes
	originsPort              = ports.Origins
	auditRowsPort            = ports.AuditRows
	walletProofsPort         = ports.WalletProofs
	sealedRowsPort           = ports.SealedRows
	registryPort             = ports.Registry
	storeClockPort           = ports.StoreClock
	ledgerPagesPort          = ports.LedgerPages
	playSessionsPort         = ports.PlaySessions
	unclaimedPort            = ports.Unclaimed
	revealedSeedsPort        = ports.RevealedSeeds
	openRoundsPort           = ports.OpenRounds
	eventsPort               = ports.Events
	webhooksPort             = ports.Webhooks
	webhookQueuePort         = ports.WebhookQueue
	deadLettersPort          = ports.DeadLetters
	alarmsPort               = ports.Alarms
)

// parts is a store of ports that several values serve.
type parts struct {
	writerPort
	playersPort
	seedsPort
	roundsPort
	transactionsPort
	figuresPort
	rolesPort
	agentsPort
	depositsPort
	withdrawalsPort
	payoutQueuePort
	payoutControlsPort
	approvalsPort
	roleListsPort
	depositCursorsPort
	parkedDepositsPort
	unbookedDepositsPort
	treasuryIndexPort
	treasuryReviewPort
	treasurySweepsPort
	catalogPort
	launchesPort
	seamlessTransactionsPort
	reconciliationsPort
	deliveriesPort
	agentFundsPort
	reportsPort
	auditLogPort
	brandingsPort
	checkpointsPort
	controlsPort
	recoveryPort
	archivePort
	blockHashesPort
	originsPort
	auditRowsPort
	walletProofsPort
	sealedRowsPort
	registryPort
	storeClockPort
	ledgerPagesPort
	playSessionsPort
	unclaimedPort
	revealedSeedsPort
	openRoundsPort
	eventsPort
	webhooksPort
	webhookQueuePort
	deadLettersPort
	alarmsPort
}

type (
	depositReaderPort       = ports.DepositReader
	depositTransactionsPort = ports.DepositTransactions
	depositHistoryPort      = ports.DepositHistory
	mintsPort               = ports.Mints
	payerPort               = ports.Payer
	treasuryHistoryPort     = ports.TreasuryHistory
	chainProbePort          = ports.ChainProbe
	chainHeightsPort        = ports.ChainHeights
	houseAddressesPort      = ports.HouseAddresses
)

// chainParts are the ports to the chain as several values serve them.
type chainParts struct {
	depositReaderPort
	depositTransactionsPort
	depositHistoryPort
	mintsPort
	payerPort
	treasuryHistoryPort
	chainProbePort
	chainHeightsPort
	houseAddressesPort
}
