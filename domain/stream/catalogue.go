package stream

import "github.com/casino-service/casino/domain/audit"

// Type is a kind of event.
type Type string

// The types. Things that are committed together and mean one thing are one event: a
// withdrawal's transition, without the audit record beside it. If a thing and a record
// say the same, the event is the thing's; recorded lists both.
const (
	// LedgerRestored is sent if blocks that were already read are lost. LedgerClosed and
	// LedgerOpened are about a database found restored; LedgerRecovered is the epoch begun
	// by its recovery, which ends all sessions.
	LedgerRestored  Type = "ledger.restored"
	LedgerClosed    Type = "ledger.closed"
	LedgerOpened    Type = "ledger.opened"
	LedgerRecovered Type = "ledger.recovered"

	// RoundOpened and RoundStepped are states of a stepped round, with what is shown and
	// offered. It ends like any other round.
	RoundOpened    Type = "round.opened"
	RoundStepped   Type = "round.stepped"
	RoundSettled   Type = "round.settled"
	RoundVoid      Type = "round.void"
	RoundAbandoned Type = "round.abandoned"
	WinLarge       Type = "win.large"

	// CrashChained is a new hash chain of the shared crash, CrashChanged a change of a round.
	CrashChained Type = "crash.chained"
	CrashChanged Type = "crash.round"
	// CrashBet is a bet on the shared crash, CrashCashedOut its cash-out by hand. It ends like
	// any other round.
	CrashBet       Type = "crash.bet"
	CrashCashedOut Type = "crash.cashout"

	// BalanceChanged is a change of a player's balance by any cause. Each starts from the
	// balance after the previous one, the first from 0.
	BalanceChanged Type = "balance.changed"

	// ProviderTransaction is a bet or a win of a third-party game, ProviderReviewed an
	// admin's decision on a win in review.
	ProviderTransaction Type = "provider.transaction"
	ProviderReviewed    Type = "provider.reviewed"

	DepositPending  Type = "deposit.pending"
	DepositReview   Type = "deposit.review"
	DepositCredited Type = "deposit.credited"
	DepositRejected Type = "deposit.rejected"
	// DepositResolved is an admin's decision on a deposit, including unclaimed
	// transactions.
	DepositResolved Type = "deposit.resolved"

	WithdrawalRequested Type = "withdrawal.requested"
	// WithdrawalVoted is an approval after which more are needed.
	WithdrawalVoted    Type = "withdrawal.voted"
	WithdrawalApproved Type = "withdrawal.approved"
	// WithdrawalHindered is an approved withdrawal with the reason why it can't be signed.
	WithdrawalHindered Type = "withdrawal.hindered"
	WithdrawalSending  Type = "withdrawal.sending"
	// WithdrawalExpired is a withdrawal with a transaction that can never land: it is
	// approved again.
	WithdrawalExpired   Type = "withdrawal.expired"
	WithdrawalCompleted Type = "withdrawal.completed"
	WithdrawalFailed    Type = "withdrawal.failed"
	WithdrawalRejected  Type = "withdrawal.rejected"
	WithdrawalCancelled Type = "withdrawal.cancelled"

	// SeedClosed is a pair that takes no more rounds but has open ones, with the pair that
	// is now active. SeedRotated is a revealed pair.
	SeedClosed  Type = "seed.closed"
	SeedRotated Type = "seed.rotated"

	SessionStarted Type = "session.started"
	// SessionEnded ends all of a player's sessions issued before it.
	SessionEnded Type = "session.ended"

	PlayerCreated   Type = "player.created"
	PlayerLimited   Type = "player.limited"
	PlayerExcluded  Type = "player.excluded"
	PlayerCooledOff Type = "player.cooled_off"
	PlayerFrozen    Type = "player.frozen"
	PlayerReleased  Type = "player.released"
	PlayerRebound   Type = "player.rebound"

	ApprovalOpened  Type = "approval.opened"
	ApprovalDecided Type = "approval.decided"

	RoleGranted   Type = "role.granted"
	RoleRevoked   Type = "role.revoked"
	RolesAccepted Type = "roles.accepted"

	// LimitsPublished is a change of what admits bets.
	LimitsPublished Type = "limits.published"
	SolvencyStated  Type = "solvency.stated"

	// AdmissionDecided is what screeners led to.
	AdmissionDecided   Type = "admission.decided"
	AdmissionOverruled Type = "admission.overruled"
	AdmissionFileRead  Type = "admission.file_read"
	ReportRun          Type = "report.run"

	AgentCreated            Type = "agent.created"
	AgentChanged            Type = "agent.changed"
	AgentDeleted            Type = "agent.deleted"
	AgentCredentialsRotated Type = "agent.credentials_rotated" // #nosec G101 -- a name, no credential

	// WebhookChanged is a change of an agent's endpoints for events.
	WebhookChanged Type = "webhook.changed"

	FundsBooked  Type = "funds.booked"
	FundsLimited Type = "funds.limited"

	DeliveryDecided Type = "delivery.decided"

	GameSwitched    Type = "game.switched"
	BrandingChanged Type = "branding.changed"

	PlayPaused     Type = "play.paused"
	PlayResumed    Type = "play.resumed"
	PayoutsPaused  Type = "payouts.paused"
	PayoutsResumed Type = "payouts.resumed"

	CapitalBooked    Type = "capital.booked"
	CapitalCorrected Type = "capital.corrected"
	CapitalAnnounced Type = "capital.announced"
	TreasuryAccepted Type = "treasury.accepted"

	// AlarmAcknowledged is an alarm that an admin handles and that isn't cleared.
	AlarmRaised       Type = "alarm.raised"
	AlarmAcknowledged Type = "alarm.acknowledged"
	AlarmCleared      Type = "alarm.cleared"
)

// Audience says who may receive events of a type.
type Audience uint8

// The audiences.
const (
	// Admins receive everything within their scope, and types of this audience only they.
	Admins Audience = iota
	// Owner is the player concerned, besides admins.
	Owner
	// Everybody is every listener.
	Everybody
)

// Entry is a type of the catalogue with the type of its data.
type Entry struct {
	Type     Type
	Audience Audience
	// Holds is an empty value of the data's type.
	Holds Data
}

// catalogue lists all types.
var catalogue = [...]Entry{
	{LedgerRestored, Everybody, nil},
	{LedgerClosed, Admins, Note{}}, {LedgerOpened, Admins, Note{}}, {LedgerRecovered, Admins, Note{}},
	{RoundOpened, Owner, Open{}}, {RoundStepped, Owner, Open{}}, {RoundSettled, Owner, Settled{}}, {RoundVoid, Owner, Settled{}},
	{RoundAbandoned, Admins, Note{}}, {WinLarge, Admins, Note{}},
	{CrashChained, Admins, Note{}}, {CrashChanged, Admins, CrashRound{}}, {CrashBet, Owner, Open{}}, {CrashCashedOut, Owner, Open{}},
	{BalanceChanged, Owner, Balance{}},
	{ProviderTransaction, Owner, Provided{}}, {ProviderReviewed, Admins, Note{}},
	{DepositPending, Owner, Deposit{}}, {DepositReview, Owner, Deposit{}}, {DepositCredited, Owner, Deposit{}}, {DepositRejected, Owner, Deposit{}},
	{DepositResolved, Admins, Note{}},
	{WithdrawalRequested, Owner, Withdrawal{}}, {WithdrawalVoted, Owner, Withdrawal{}}, {WithdrawalApproved, Owner, Withdrawal{}},
	{WithdrawalHindered, Owner, Withdrawal{}}, {WithdrawalSending, Owner, Withdrawal{}}, {WithdrawalExpired, Owner, Withdrawal{}},
	{WithdrawalCompleted, Owner, Withdrawal{}}, {WithdrawalFailed, Owner, Withdrawal{}}, {WithdrawalRejected, Owner, Withdrawal{}},
	{WithdrawalCancelled, Owner, Withdrawal{}},
	{SeedClosed, Owner, Rotated{}}, {SeedRotated, Owner, Rotated{}},
	{SessionStarted, Owner, Session{}}, {SessionEnded, Owner, SessionsEnd{}},
	{PlayerCreated, Owner, Player{}}, {PlayerLimited, Owner, Player{}}, {PlayerExcluded, Owner, Player{}}, {PlayerCooledOff, Owner, Player{}},
	{PlayerFrozen, Owner, Player{}}, {PlayerReleased, Owner, Player{}}, {PlayerRebound, Admins, Player{}},
	{ApprovalOpened, Admins, Approval{}}, {ApprovalDecided, Admins, Approval{}},
	{RoleGranted, Admins, Role{}}, {RoleRevoked, Admins, Role{}}, {RolesAccepted, Admins, Note{}},
	{LimitsPublished, Admins, Note{}},
	{SolvencyStated, Admins, Note{}},
	{AdmissionDecided, Admins, Note{}}, {AdmissionOverruled, Admins, Note{}}, {AdmissionFileRead, Admins, Note{}},
	{ReportRun, Admins, Note{}},
	{AgentCreated, Admins, Note{}}, {AgentChanged, Admins, Note{}}, {AgentDeleted, Admins, Note{}}, {AgentCredentialsRotated, Admins, Note{}},
	{WebhookChanged, Admins, Note{}},
	{FundsBooked, Admins, Funds{}}, {FundsLimited, Admins, Note{}},
	{DeliveryDecided, Admins, Note{}},
	{GameSwitched, Admins, Note{}}, {BrandingChanged, Admins, Note{}},
	{PlayPaused, Admins, Note{}}, {PlayResumed, Admins, Note{}}, {PayoutsPaused, Admins, Note{}}, {PayoutsResumed, Admins, Note{}},
	{CapitalBooked, Admins, Note{}}, {CapitalCorrected, Admins, Note{}}, {CapitalAnnounced, Admins, Note{}}, {TreasuryAccepted, Admins, Note{}},
	{AlarmRaised, Admins, Alarm{}}, {AlarmAcknowledged, Admins, Alarm{}}, {AlarmCleared, Admins, Alarm{}},
}

// Catalogue returns every type with its audience.
func Catalogue() []Entry { return append([]Entry(nil), catalogue[:]...) }

// ParseType returns the type with a name, or false.
func ParseType(name string) (Type, bool) {
	_, known := entries[Type(name)]
	return Type(name), known
}

var entries = func() map[Type]Entry {
	all := make(map[Type]Entry, len(catalogue))
	for _, e := range catalogue {
		all[e.Type] = e
	}
	return all
}()

// record says how an audit record is announced: by the type of its event, or by another
// event of the same commit.
type record struct {
	as      Type
	instead Type
}

// recorded has every action.
var recorded = map[audit.Action]record{
	audit.BalanceAdjusted:     {instead: BalanceChanged}, // with by and reason
	audit.WithdrawalApproved:  {instead: WithdrawalApproved},
	audit.WithdrawalRejected:  {instead: WithdrawalRejected},
	audit.RoleGranted:         {as: RoleGranted},
	audit.RoleRevoked:         {as: RoleRevoked},
	audit.ApprovalRequested:   {instead: ApprovalOpened},
	audit.ApprovalDecided:     {instead: ApprovalDecided},
	audit.BrandingChanged:     {as: BrandingChanged},
	audit.AgentCreated:        {as: AgentCreated},
	audit.AgentChanged:        {as: AgentChanged},
	audit.AgentDeleted:        {as: AgentDeleted},
	audit.CredentialsRotated:  {as: AgentCredentialsRotated},
	audit.GameSwitched:        {as: GameSwitched},
	audit.LimitsChanged:       {instead: PlayerLimited},
	audit.PlayerExcluded:      {instead: PlayerExcluded},
	audit.PlayerCooledOff:     {instead: PlayerCooledOff},
	audit.PlayerFrozen:        {instead: PlayerFrozen},
	audit.PlayerReleased:      {instead: PlayerReleased},
	audit.PlayerRebinding:     {instead: PlayerRebound},
	audit.SessionOpened:       {instead: SessionStarted},
	audit.LargeWin:            {as: WinLarge},
	audit.RoundVoided:         {instead: RoundVoid},
	audit.RoundAbandoned:      {as: RoundAbandoned},
	audit.PayoutsPaused:       {as: PayoutsPaused},
	audit.PayoutsResumed:      {as: PayoutsResumed},
	audit.PlayPaused:          {as: PlayPaused},
	audit.PlayResumed:         {as: PlayResumed},
	audit.DepositResolved:     {as: DepositResolved},
	audit.UnclaimedAssigned:   {instead: BalanceChanged}, // with by and reason
	audit.CapitalBooked:       {as: CapitalBooked},
	audit.AdjustmentCorrected: {instead: BalanceChanged}, // with by and reason
	audit.AssignmentCorrected: {instead: BalanceChanged},
	audit.CapitalCorrected:    {as: CapitalCorrected},
	audit.SweepAnnounced:      {as: CapitalAnnounced},
	audit.MovementAccepted:    {as: TreasuryAccepted},
	audit.SessionsEnded:       {instead: SessionEnded},
	audit.ProviderReviewed:    {as: ProviderReviewed},
	audit.AgentFunded:         {instead: FundsBooked},
	audit.CreditLimitChanged:  {as: FundsLimited},
	audit.DeliveryDecided:     {as: DeliveryDecided},
	audit.PlayerFirstSignedIn: {instead: PlayerCreated},
	audit.DatabaseRestored:    {as: LedgerClosed},
	audit.DatabaseReopened:    {as: LedgerOpened},
	audit.EpochBegun:          {as: LedgerRecovered},
	audit.RolesAccepted:       {as: RolesAccepted},
	audit.LimitsPublished:     {as: LimitsPublished},
	audit.WebhookChanged:      {as: WebhookChanged},
	audit.SolvencyStated:      {as: SolvencyStated},
	audit.CrashChained:        {as: CrashChained},
	audit.AdmissionDecided:    {as: AdmissionDecided},
	audit.AdmissionOverruled:  {as: AdmissionOverruled},
	audit.AdmissionFileRead:   {as: AdmissionFileRead},
	audit.ReportRun:           {as: ReportRun},
	audit.AlarmRaised:         {instead: AlarmRaised},
	audit.AlarmAcknowledged:   {instead: AlarmAcknowledged},
	audit.AlarmCleared:        {instead: AlarmCleared},
}

// ofAgents are the types with records that name an agent by its code.
var ofAgents = map[Type]bool{
	AgentCreated: true, AgentChanged: true, AgentDeleted: true, AgentCredentialsRotated: true, FundsLimited: true,
	WebhookChanged: true,
}

// protected maps the actions in facts of a player's protection to event types.
var protected = map[audit.Action]Type{
	audit.LimitsChanged: PlayerLimited, audit.PlayerExcluded: PlayerExcluded, audit.PlayerCooledOff: PlayerCooledOff,
	audit.PlayerFrozen: PlayerFrozen, audit.PlayerReleased: PlayerReleased, audit.PlayerRebinding: PlayerRebound,
}

// Recorded returns the type that announces an audit record, or else the type of the
// event of the same commit that replaces it.
func Recorded(action audit.Action) (as, instead Type) {
	r := recorded[action]
	return r.as, r.instead
}
