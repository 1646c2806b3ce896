// Package audit defines the audit log: one Record for each change by an admin and each
// event that regulators require.
//
// Use cases add Records to the change they commit, so both are in the same commit;
// stores only append them.
package audit

import (
	"time"

	"github.com/casino-service/casino/domain/wallet"
)

// Action is a kind of change, as "<noun>.<verb>".
type Action string

// The actions.
const (
	BalanceAdjusted     Action = "balance.adjusted"
	WithdrawalApproved  Action = "withdrawal.approved"
	WithdrawalRejected  Action = "withdrawal.rejected"
	RoleGranted         Action = "role.granted"
	RoleRevoked         Action = "role.revoked"
	ApprovalRequested   Action = "approval.asked"
	ApprovalDecided     Action = "approval.decided"
	BrandingChanged     Action = "branding.changed"
	AgentCreated        Action = "agent.created"
	AgentChanged        Action = "agent.changed"
	AgentDeleted        Action = "agent.deleted"
	CredentialsRotated  Action = "agent.credentials_rotated" // #nosec G101 -- a name, no credential
	GameSwitched        Action = "game.switched"
	LimitsChanged       Action = "limits.changed"
	PlayerExcluded      Action = "player.excluded"
	PlayerCooledOff     Action = "player.cooled_off"
	PlayerFrozen        Action = "player.frozen"
	PlayerReleased      Action = "player.released"
	PlayerRebinding     Action = "player.rebound"
	SessionOpened       Action = "session.opened"
	LargeWin            Action = "win.large"
	RoundVoided         Action = "round.voided"
	RoundAbandoned      Action = "round.abandoned"
	PayoutsPaused       Action = "payouts.paused"
	PayoutsResumed      Action = "payouts.resumed"
	PlayPaused          Action = "play.paused"
	PlayResumed         Action = "play.resumed"
	DepositResolved     Action = "deposit.resolved"
	UnclaimedAssigned   Action = "unclaimed.assigned"
	CapitalBooked       Action = "capital.booked"
	AdjustmentCorrected Action = "balance.corrected"
	AssignmentCorrected Action = "unclaimed.corrected"
	CapitalCorrected    Action = "capital.corrected"
	SweepAnnounced      Action = "capital.sweep"
	MovementAccepted    Action = "treasury.accepted"
	SessionsEnded       Action = "sessions.ended"
	ProviderReviewed    Action = "provider.reviewed"
	AgentFunded         Action = "agent.funded"
	CreditLimitChanged  Action = "agent.credit_limit_changed"
	DeliveryDecided     Action = "route.ordered"
	PlayerFirstSignedIn Action = "player.first_signed_in"
	DatabaseRestored    Action = "database.restored"
	DatabaseReopened    Action = "database.reopened"
	EpochBegun          Action = "epoch.begun"
	LimitsPublished     Action = "limits.published"
	RolesAccepted       Action = "roles.accepted"
	WebhookChanged      Action = "webhook.changed"
	AlarmRaised         Action = "alarm.raised"
	AlarmAcknowledged   Action = "alarm.acknowledged"
	AlarmCleared        Action = "alarm.cleared"
	SolvencyStated      Action = "solvency.stated"
	CrashChained        Action = "crash.chained"
	AdmissionDecided    Action = "admission.decided"
	AdmissionOverruled  Action = "admission.overruled"
	AdmissionFileRead   Action = "admission.file_read"
	ReportRun           Action = "report.run"
)

// Actions returns every action.
func Actions() []Action {
	return []Action{
		BalanceAdjusted, WithdrawalApproved, WithdrawalRejected, RoleGranted, RoleRevoked, ApprovalRequested,
		ApprovalDecided, BrandingChanged, AgentCreated, AgentChanged, AgentDeleted, CredentialsRotated, GameSwitched,
		LimitsChanged, PlayerExcluded, PlayerCooledOff, PlayerFrozen, PlayerReleased, PlayerRebinding, SessionOpened,
		LargeWin, RoundVoided, RoundAbandoned, PayoutsPaused, PayoutsResumed, PlayPaused, PlayResumed, DepositResolved,
		UnclaimedAssigned,
		CapitalBooked, AdjustmentCorrected, AssignmentCorrected, CapitalCorrected, SweepAnnounced, MovementAccepted, SessionsEnded, ProviderReviewed, AgentFunded, CreditLimitChanged,
		DeliveryDecided, PlayerFirstSignedIn, DatabaseRestored, DatabaseReopened, EpochBegun, RolesAccepted, LimitsPublished,
		WebhookChanged, AlarmRaised, AlarmAcknowledged, AlarmCleared, SolvencyStated, CrashChained, AdmissionDecided, AdmissionOverruled, AdmissionFileRead,
		ReportRun,
	}
}

// Record is one entry of the log.
type Record struct {
	ID     string
	Action Action
	// By is the wallet that made the change, empty for the service itself.
	By wallet.Address
	// Target names the changed thing, such as a wallet or a withdrawal's id.
	Target string
	// Before and After describe the changed value in short readable text, empty if there
	// was none.
	Before, After string
	At            time.Time
	// RequestID links the record to the request's log lines; empty for commands.
	RequestID string
}

// Part is a part of the log.
type Part string

// The parts. Players can write any number of records, so lists keep theirs apart: they
// can't crowd out admins' records.
const (
	// Players are changes by players to their own account: sign-ins, sign-outs, limits,
	// exclusions and breaks, and whether they were admitted.
	Players Part = "players"
	// Admins are all other changes, by admins, the command line and the service.
	Admins Part = "admins"
)

// Part returns the part of the log that the record belongs to.
func (r Record) Part() Part {
	switch r.Action {
	case SessionOpened, SessionsEnded, PlayerFirstSignedIn, AdmissionDecided:
		return Players
	case LimitsChanged, PlayerExcluded, PlayerCooledOff:
		if r.Target == string(r.By) {
			return Players
		}
	}
	return Admins
}
