package app

import (
	"context"
	"errors"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/catalog"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/proof"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// ErrNotProvided is returned by a use case that needs an optional port which is nil. The
// error is also a fault of kind Unavailable with Details["status"] "notProvided" and
// Details["outcome"] "none": nothing was done, and asking again doesn't help.
var ErrNotProvided = errors.New("app: not provided by this deployment")

// absence is that error for one feature.
type absence struct{ refusal *fault.Error }

// Error returns the message for the caller.
func (a absence) Error() string { return a.refusal.Error() }

// Unwrap returns the fault and ErrNotProvided.
func (a absence) Unwrap() []error { return []error{a.refusal, ErrNotProvided} }

// absent takes the place of an optional port that is nil, so that no use case checks
// whether a port is there. Its feature says for clients what the port is for.
//
// Calls that only the feature's own use cases make are refused. Calls that other use
// cases make on their way are answered with the truth: the feature has no data.
type absent struct{ feature string }

func (a absent) refusal() error {
	return absence{fault.New(fault.Unavailable, "this deployment does not provide %s", a.feature).
		With("status", "notProvided").With("outcome", "none")}
}

// provided returns the refusal of an optional port that is nil, for a use case that
// reads the port only after its commit.
func provided(port any) error {
	if a, ok := port.(interface{ refusal() error }); ok {
		return a.refusal()
	}
	return nil
}

// orAbsent returns the port, or what takes its place when it is nil.
func orAbsent[P comparable](port, absent P) P {
	var none P
	if port == none {
		return absent
	}
	return port
}

// whole returns the store with a substitute for each optional port that is nil.
func (s Store) whole() Store {
	watch := absent{"the deposit watcher"}
	s.DepositCursors = orAbsent[ports.DepositCursors](s.DepositCursors, absentCursors{watch})
	s.ParkedDeposits = orAbsent[ports.ParkedDeposits](s.ParkedDeposits, absentParked{watch})
	s.UnbookedDeposits = orAbsent[ports.UnbookedDeposits](s.UnbookedDeposits, absentUnbooked{})
	s.Catalog = orAbsent[ports.Catalog](s.Catalog, absentCatalog{absent{"the catalogue of games"}})
	s.Launches = orAbsent[ports.Launches](s.Launches, absentLaunches{absent{"games of other providers"}})
	s.SeamlessTransactions = orAbsent[ports.SeamlessTransactions](s.SeamlessTransactions, absentSeamless{absent{"transactions of game providers"}})
	s.Reconciliations = orAbsent[ports.Reconciliations](s.Reconciliations, absentReconciliations{absent{"the reconciliation with game providers"}})
	s.Deliveries = orAbsent[ports.Deliveries](s.Deliveries, absentDeliveries{absent{"deliveries to agents' sites"}})
	s.AgentFunds = orAbsent[ports.AgentFunds](s.AgentFunds, absentFunds{absent{"agents' prepaid accounts"}})
	s.Reports = orAbsent[ports.Reports](s.Reports, absentReports{absent{"reports"}})
	s.AuditLog = orAbsent[ports.AuditLog](s.AuditLog, absentAuditLog{absent{"the audit log"}})
	s.Brandings = orAbsent[ports.Brandings](s.Brandings, absentBrandings{absent{"changes of the branding"}})
	s.Unclaimed = orAbsent[ports.Unclaimed](s.Unclaimed, absentUnclaimed{absent{"a list of unclaimed balances"}})
	s.PlaySessions = orAbsent[ports.PlaySessions](s.PlaySessions, absentSessions{absent{"what was played in a session"}})
	s.RevealedSeeds = orAbsent[ports.RevealedSeeds](s.RevealedSeeds, seedsOneByOne{s.Seeds})
	s.Controls = orAbsent[ports.Controls](s.Controls, absentControls{absent{"pauses of play"}})
	s.WalletProofs = orAbsent[ports.WalletProofs](s.WalletProofs, absentProofs{absent{"proofs of what wallets have"}})
	s.Checkpoints = orAbsent[ports.Checkpoints](s.Checkpoints, absentCheckpoints{absent{"checkpoints"}})
	s.StoreClock = orAbsent[ports.StoreClock](s.StoreClock, absentClock{})
	s.OpenRounds = orAbsent[ports.OpenRounds](s.OpenRounds, absentRounds{absent{"rounds that are played step by step"}})
	s.Events = orAbsent[ports.Events](s.Events, absentEvents{absent{"events of what was committed"}})
	s.Alarms = orAbsent[ports.Alarms](s.Alarms, absentAlarms{absent{"alarms that are kept"}})
	s.WebhookPorts = s.WebhookPorts.whole(provided(s.Events) == nil)
	return s
}

type absentEvents struct{ absent }

func (a absentEvents) After(context.Context, stream.Cursor, stream.Filter, int) (stream.Page, error) {
	return stream.Page{}, a.refusal()
}

func (a absentEvents) Newest(context.Context) (stream.Cursor, error) {
	return stream.Cursor{}, a.refusal()
}

// seedsOneByOne asks for one pair after the other.
type seedsOneByOne struct{ seeds ports.Seeds }

func (s seedsOneByOne) RevealedSeeds(ctx context.Context, pairs []string) (map[string]string, error) {
	found := map[string]string{}
	for _, id := range pairs {
		revealed, err := s.seeds.RevealedPair(ctx, id)
		switch {
		case err == nil:
			found[id] = revealed.ServerSeed
		case !fault.Is(err, fault.NotFound):
			return nil, err
		}
	}
	return found, nil
}

// absentClock has no time, as a store without a clock.
type absentClock struct{}

func (absentClock) StoreTime(context.Context) (time.Time, error) { return time.Time{}, nil }

type absentCursors struct{ absent }

func (a absentCursors) Cursor(context.Context, money.Token) (deposit.WatchProgress, error) {
	return deposit.WatchProgress{}, a.refusal()
}

func (a absentCursors) Advance(context.Context, money.Token, string, deposit.WatchProgress, []deposit.Parked) error {
	return a.refusal()
}

type absentParked struct{ absent }

func (a absentParked) Park(context.Context, deposit.Parked) error { return a.refusal() }
func (absentParked) Unpark(context.Context, deposit.Ref) error    { return nil }

func (absentParked) Parked(_ context.Context, ref deposit.Ref) (deposit.Parked, error) {
	return deposit.Parked{}, fault.New(fault.NotFound, "transaction %q is not parked", ref.Signature)
}

func (a absentParked) ParkedDue(context.Context, time.Time, int) ([]deposit.Parked, error) {
	return nil, a.refusal()
}

// absentUnbooked refuses nothing: without a watcher nothing is parked.
type absentUnbooked struct{}

func (absentUnbooked) ParkedIn(context.Context, deposit.Status, int) ([]deposit.Parked, error) {
	return nil, nil
}

func (absentUnbooked) Unbooked(context.Context) (map[money.Token]money.Total, error) {
	return nil, nil
}

type absentCatalog struct{ absent }

func (a absentCatalog) ProviderGame(context.Context, string) (catalog.Game, error) {
	return catalog.Game{}, a.refusal()
}

func (a absentCatalog) ProviderGames(context.Context, ports.GameFilter, ports.Page) (ports.GamePage, error) {
	return ports.GamePage{}, a.refusal()
}

func (a absentCatalog) RegisterGames(context.Context, []catalog.Game) ([]string, error) {
	return nil, a.refusal()
}

func (a absentCatalog) ChangeGame(context.Context, wallet.Address, string, ports.GameDecision) error {
	return a.refusal()
}

type absentLaunches struct{ absent }

func (a absentLaunches) Launch(context.Context, wallet.Address, string) (seamless.Launch, error) {
	return seamless.Launch{}, a.refusal()
}

func (a absentLaunches) LaunchedSince(context.Context, string, time.Time, wallet.Address, int) ([]seamless.Launch, error) {
	return nil, a.refusal()
}

type absentSeamless struct{ absent }

func (a absentSeamless) SeamlessTransaction(context.Context, string) (seamless.Transaction, error) {
	return seamless.Transaction{}, a.refusal()
}

func (a absentSeamless) SeamlessTransactions(context.Context, ports.SeamlessFilter, ports.Page) (ports.SeamlessPage, error) {
	return ports.SeamlessPage{}, a.refusal()
}

type absentReconciliations struct{ absent }

func (a absentReconciliations) Reconciled(context.Context, string) (time.Time, error) {
	return time.Time{}, a.refusal()
}

func (a absentReconciliations) AdvanceReconciled(context.Context, string, time.Time, time.Time) error {
	return a.refusal()
}

type absentDeliveries struct{ absent }

func (a absentDeliveries) Delivery(context.Context, string) (seamless.Delivery, error) {
	return seamless.Delivery{}, a.refusal()
}

func (a absentDeliveries) DeliveriesOf(context.Context, string) ([]seamless.Delivery, error) {
	return nil, a.refusal()
}

func (absentDeliveries) OpenDeliveries(context.Context, string, int) ([]seamless.Delivery, error) {
	return nil, nil
}

func (a absentDeliveries) Deliveries(context.Context, ports.DeliveryFilter, ports.Page) (ports.DeliveryPage, error) {
	return ports.DeliveryPage{}, a.refusal()
}

type absentFunds struct{ absent }

func (absentFunds) FundsOf(context.Context, string) ([]ports.FundsLine, error) { return nil, nil }

type absentReports struct{ absent }

func (a absentReports) Sums(context.Context, ports.FigureFilter, ports.Grouping) ([]ports.DailyFigure, error) {
	return nil, a.refusal()
}

func (a absentReports) Counts(context.Context, string) (ports.Counts, error) {
	return ports.Counts{}, a.refusal()
}

type absentAuditLog struct{ absent }

func (a absentAuditLog) Records(context.Context, ports.AuditFilter, ports.Page) (ports.AuditPage, error) {
	return ports.AuditPage{}, a.refusal()
}

type absentBrandings struct{ absent }

func (absentBrandings) Branding(context.Context) (branding.Branding, error) {
	return branding.Branding{}, fault.New(fault.NotFound, "the branding was never changed")
}

func (a absentBrandings) ChangeBranding(context.Context, wallet.Address, ports.BrandingDecision) error {
	return a.refusal()
}

type absentCheckpoints struct{ absent }

func (a absentCheckpoints) Heads(context.Context) ([]hashchain.Head, error) { return nil, a.refusal() }

type absentControls struct{ absent }

func (absentControls) State(context.Context) (control.State, error) { return control.First(), nil }

func (a absentControls) ChangeControl(context.Context, ports.ControlDecision) error {
	return a.refusal()
}

type absentProofs struct{ absent }

func (a absentProofs) WalletProof(context.Context, wallet.Address) (proof.Proof, error) {
	return proof.Proof{}, a.refusal()
}

func (a absentProofs) KeepWalletProof(context.Context, proof.Proof) error { return a.refusal() }

func (a absentProofs) WalletBlocks(context.Context, ports.WalletQuery) (ports.WalletPage, error) {
	return ports.WalletPage{}, a.refusal()
}

type absentUnclaimed struct{ absent }

func (a absentUnclaimed) UnclaimedBalances(context.Context, ports.UnclaimedFilter, ports.Page) (ports.UnclaimedPage, error) {
	return ports.UnclaimedPage{}, a.refusal()
}

type absentSessions struct{ absent }

func (a absentSessions) PlaySession(context.Context, wallet.Address, time.Time) ([]session.Played, error) {
	return nil, a.refusal()
}

type absentRounds struct{ absent }

func (a absentRounds) OpenRound(context.Context, string) (bet.Open, error) {
	return bet.Open{}, a.refusal()
}

func (a absentRounds) OpenRoundsOf(context.Context, wallet.Address) ([]bet.Open, error) {
	return nil, a.refusal()
}

func (absentRounds) UntouchedRounds(context.Context, time.Time, string, int) ([]bet.Open, error) {
	return nil, nil
}

func (absentRounds) OpenExposure(context.Context, money.Token) (money.Total, error) {
	return money.Total{}, nil
}
