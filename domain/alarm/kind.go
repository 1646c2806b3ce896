package alarm

// Kind is a kind of alarm, as named to clients and in metrics. Kinds never change.
type Kind string

// The kinds.
const (
	PayoutFailed     Kind = "payout_failed"
	PayoutStuck      Kind = "payout_stuck"
	PayoutUnsignable Kind = "payout_unsignable"
	PayoutForged     Kind = "payout_forged"
	PayoutCapped     Kind = "payout_capped"
	PayoutProved     Kind = "payout_proved"
	PayoutUnproved   Kind = "payout_unproved"

	TreasuryUnindexed Kind = "treasury_unindexed"
	TreasuryForeign   Kind = "treasury_foreign"
	TreasuryDiffers   Kind = "treasury_differs"
	Insolvent         Kind = "treasury_insolvent"
	LowFees           Kind = "treasury_low_fees"

	DepositUnreadable Kind = "deposit_unreadable"
	DepositsUnwatched Kind = "deposits_unwatched"
	DepositReview     Kind = "deposit_review"

	AssignmentInterrupted Kind = "assignment_interrupted"

	RTPOutOfBounds  Kind = "return_out_of_bounds"
	RoundVoided     Kind = "round_voided"
	OpenRoundForged Kind = "open_round_forged"
	OpenRoundsFull  Kind = "open_rounds_full"
	RolesForged     Kind = "roles_forged"

	SolvencyUnproved Kind = "solvency_unproved"

	ProviderConflict Kind = "provider_conflict"
	ProviderReview   Kind = "provider_review"
	ProviderCapped   Kind = "provider_capped"
	ProviderDiffers  Kind = "provider_differs"
	ProviderRollback Kind = "provider_rollback"

	ProviderCatalogue Kind = "provider_catalogue"

	SiteRefuses   Kind = "site_refuses"
	SiteUnsettled Kind = "site_unsettled"

	WebhookDisabled Kind = "webhook_disabled"

	PublicLog Kind = "public_log"

	CrashBeaconLate Kind = "crash_beacon_late"
	CrashStuck      Kind = "crash_stuck"
	ScreenerFails   Kind = "screener_fails"
	PayoutScreened  Kind = "payout_screened"

	Clocks Kind = "clocks_apart"
)

// Ending is how alarms of a kind end.
type Ending string

// The endings.
const (
	// Condition alarms are cleared when the condition ends. An admin may acknowledge them
	// before.
	Condition Ending = "condition"
	// Happening alarms are about one event. They are cleared when an admin acknowledges
	// them.
	Happening Ending = "happening"
)

// Entry describes a kind.
type Entry struct {
	Kind   Kind
	Ending Ending
	// Message is the message of its log record. Messages never change, so that log filters
	// can match them.
	Message string
	// Subject says what its alarms are about.
	Subject string
	// Runbook is the page below docs/operations, with its heading, that says what to do.
	Runbook string
	// OfAgent reports whether its alarms concern an agent, whose admins see them.
	OfAgent bool
}

// The pages of the runbooks.
const (
	moneyPage   = "alerts-money.md#"
	servicePage = "alerts-service.md#"
	othersPage  = "alarms.md#"
)

// kinds lists all kinds.
var kinds = [...]Entry{
	{Kind: PayoutFailed, Ending: Happening, Message: "payout landed with an error", Subject: "the withdrawal", Runbook: moneyPage + "casinopayoutfailed"},
	{Kind: PayoutStuck, Ending: Condition, Message: "payout is stuck", Subject: "the withdrawal", Runbook: moneyPage + "casinopayoutstuck"},
	{Kind: PayoutUnsignable, Ending: Condition, Message: "payout can't be signed", Subject: "the withdrawal", Runbook: moneyPage + "casinopayoutstuck"},
	{Kind: PayoutForged, Ending: Condition, Message: "payout rests on rows that the service did not write", Subject: "the withdrawal", Runbook: moneyPage + "casinopayoutstuck"},
	{Kind: PayoutCapped, Ending: Condition, Message: "payout is above a cap", Subject: "the withdrawal", Runbook: moneyPage + "casinopayoutstuck"},
	{Kind: PayoutProved, Ending: Happening, Message: "payout was found on chain and not in the books", Subject: "the withdrawal", Runbook: othersPage + "payout_proved"},
	{Kind: PayoutUnproved, Ending: Condition, Message: "payout waits because nobody knows whether it was paid", Subject: "the withdrawal", Runbook: moneyPage + "casinotreasuryunindexed"},

	{Kind: PayoutScreened, Ending: Condition, Message: "payout waits because a screener doesn't allow it", Subject: "the withdrawal", Runbook: othersPage + "payout_screened"},
	{Kind: ScreenerFails, Ending: Condition, Message: "a screener fails, so nothing that it is asked about is admitted", Subject: "the screener", Runbook: othersPage + "screener_fails"},

	{Kind: TreasuryUnindexed, Ending: Condition, Message: "treasury's history can't be read", Subject: "`treasury`", Runbook: moneyPage + "casinotreasuryunindexed"},
	{Kind: TreasuryForeign, Ending: Happening, Message: "treasury signed something that is no payout and no announced sweep", Subject: "the signature", Runbook: moneyPage + "casinotreasuryforeign"},
	{Kind: TreasuryDiffers, Ending: Condition, Message: "treasury and ledger differ", Subject: "the token", Runbook: moneyPage + "casinotreasurydiffers"},
	{Kind: Insolvent, Ending: Condition, Message: "treasury holds less than players are owed", Subject: "the token", Runbook: moneyPage + "casinotreasurybelowliabilities"},
	{Kind: LowFees, Ending: Condition, Message: "treasury is low on SOL for fees", Subject: "the token", Runbook: othersPage + "treasury_low_fees"},

	{Kind: DepositUnreadable, Ending: Condition, Message: "deposit can't be read", Subject: "the signature", Runbook: othersPage + "deposit_unreadable"},
	{Kind: DepositsUnwatched, Ending: Condition, Message: "deposits can't be watched", Subject: "the token", Runbook: othersPage + "deposits_unwatched"},
	{Kind: DepositReview, Ending: Condition, Message: "deposit needs a person", Subject: "the signature", Runbook: othersPage + "deposit_review"},

	{Kind: AssignmentInterrupted, Ending: Condition, Message: "unclaimed money was taken and not credited", Subject: "the token", Runbook: othersPage + "assignment_interrupted"},

	{Kind: RTPOutOfBounds, Ending: Condition, Message: "a game's return left its bound", Subject: "`source/game/token`", Runbook: moneyPage + "casinoreturnoutside"},
	{Kind: RoundVoided, Ending: Happening, Message: "a round broke down and its stakes were given back", Subject: "the round", Runbook: moneyPage + "casinovoidrounds"},
	{Kind: OpenRoundForged, Ending: Happening, Message: "an open round is not as the service wrote it", Subject: "the round", Runbook: othersPage + "open_round_forged"},
	{Kind: OpenRoundsFull, Ending: Condition, Message: "openings are refused because open rounds reserve the room", Subject: "the token", Runbook: othersPage + "open_rounds_full"},
	{Kind: RolesForged, Ending: Condition, Message: "the roles of the admins are not as they were granted", Subject: "`roles`", Runbook: othersPage + "roles_forged"},

	{Kind: SolvencyUnproved, Ending: Condition, Message: "what is owed to players doesn't follow from the ledger", Subject: "`solvency`", Runbook: othersPage + "solvency_unproved"},

	{Kind: ProviderConflict, Ending: Happening, Message: "provider used a transaction id for something else", Subject: "the provider's transaction id", Runbook: othersPage + "provider_conflict"},
	{Kind: ProviderReview, Ending: Condition, Message: "provider's win needs a person", Subject: "the transaction", Runbook: othersPage + "provider_review"},
	{Kind: ProviderCapped, Ending: Happening, Message: "a provider's players won more within an hour than its cap", Subject: "the connection", Runbook: moneyPage + "casinoconnectioncapped"},
	{Kind: ProviderDiffers, Ending: Happening, Message: "provider and ledger differ", Subject: "the provider's transaction id", Runbook: othersPage + "provider_differs"},
	{Kind: ProviderRollback, Ending: Happening, Message: "provider's rollback can't be carried out", Subject: "the provider's transaction id", Runbook: othersPage + "provider_rollback"},
	{Kind: ProviderCatalogue, Ending: Condition, Message: "provider's catalogue has entries that can't be read", Subject: "the connection", Runbook: othersPage + "provider_catalogue"},

	{Kind: SiteRefuses, Ending: Condition, Message: "an agent's site refuses what it is owed", Subject: "the delivery", Runbook: servicePage + "casinoroutesrejected", OfAgent: true},
	{Kind: SiteUnsettled, Ending: Condition, Message: "an agent's site leaves transactions unsettled", Subject: "the agent", Runbook: servicePage + "casinoroutesunsettled", OfAgent: true},

	{Kind: WebhookDisabled, Ending: Condition, Message: "an agent's webhook was disabled", Subject: "the endpoint", Runbook: servicePage + "casinowebhooksfailing", OfAgent: true},

	{Kind: PublicLog, Ending: Condition, Message: "the public log can't go on, or a witness refuses it", Subject: "`log`, `anchor`, or the witness", Runbook: othersPage + "public_log"},

	{Kind: CrashBeaconLate, Ending: Condition, Message: "a round of the shared crash waits for its beacon", Subject: "`chain/number` of the round", Runbook: othersPage + "crash_beacon_late"},
	{Kind: CrashStuck, Ending: Condition, Message: "the shared crash doesn't move", Subject: "`chain/number` of the round, or `driver`", Runbook: othersPage + "crash_stuck"},

	{Kind: Clocks, Ending: Condition, Message: "clocks are too far apart", Subject: "`clocks`, or `crash`", Runbook: othersPage + "clocks_apart"},
}

// Kinds returns the entries of all kinds.
func Kinds() []Entry { return append([]Entry(nil), kinds[:]...) }

var entries = func() map[Kind]Entry {
	all := make(map[Kind]Entry, len(kinds))
	for _, e := range kinds {
		all[e.Kind] = e
	}
	return all
}()

// Entry returns the kind's entry, the zero Entry for an unknown kind.
func (k Kind) Entry() Entry { return entries[k] }

// Message returns the message of the kind's log record.
func (k Kind) Message() string { return entries[k].Message }

// ParseKind returns the kind with a name, or false.
func ParseKind(name string) (Kind, bool) {
	_, known := entries[Kind(name)]
	return Kind(name), known
}
