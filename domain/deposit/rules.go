package deposit

import (
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

// Observation is one transaction as the chain shows it, with the signatures
// verified again by the adapter. What it did shows in balances alone: no
// instruction is looked at, so inner calls, batches and plain transfers all
// count by their effect.
type Observation struct {
	Signature string
	Found     bool
	// Finalized: both the status and the transaction itself are final. Without it
	// nothing below means anything.
	Finalized bool
	// Incomplete: it is final by the status, and the chain's answer lacks what it did.
	Incomplete bool
	// Slot is the one it landed in, as a DepositHistory lists it.
	Slot uint64
	// Failed: the transaction landed with an error and moved nothing.
	Failed bool
	// Signers are the addresses whose signatures were verified.
	Signers []string
	// Lamports are the native balances of every account it named, each once.
	Lamports []LamportChange
	// Tokens are the token accounts it named, each once; one that was closed and
	// opened anew for another mint has an entry for each.
	Tokens []TokenChange
}

// LamportChange is an account's native balance before and after.
type LamportChange struct {
	Address   string
	Pre, Post uint64
}

// TokenChange is a token account before and after. An account that did not
// exist has an empty owner and a zero amount on that side.
type TokenChange struct {
	Account             string
	Mint                money.Token
	Program             token.Program
	Decimals            uint8
	OwnerPre, OwnerPost string
	Pre, Post           uint64
}

// Treasury is where deposits of one token arrive.
type Treasury struct {
	// Owner is the treasury's wallet; native SOL arrives there.
	Owner string
	// TokenAccount is the treasury's associated token account for the mint and
	// program, empty for native SOL.
	TokenAccount string
	// WrappedSOL is the treasury's associated token account of wrapped SOL: what
	// arrives there is the treasury's, and yet no plain SOL deposit.
	WrappedSOL string
	// After is the slot when the watch of the token began (WatchProgress), 0 for none: what
	// was paid up to it is nobody's deposit, whoever paid it.
	After uint64
}

// Reason is why a transaction was not credited, in the codes of the API.
type Reason string

// The reasons.
const (
	NoReason          Reason = ""
	NotFound          Reason = "not_found"           // never seen on chain
	TransactionFailed Reason = "failed"              // it landed with an error
	NoCredit          Reason = "no_credit"           // the treasury's balance of this token did not rise
	NotSender         Reason = "not_sender"          // the player neither signed nor paid it
	BelowMinimum      Reason = "below_minimum"       // less than the token's minimum deposit
	WrongToken        Reason = "wrong_token"         // program or decimals differ from the accepted token
	OwnerChanged      Reason = "owner_changed"       // the account was handed over, not paid into
	TreasurySigned    Reason = "treasury_signed"     // the treasury moved its own money
	SeveralSenders    Reason = "several_senders"     // a second owner's balance fell too
	WrappedSOL        Reason = "wrapped_sol"         // wrapped SOL was paid or closed to the treasury
	NoSender          Reason = "no_sender"           // nobody both signed it and paid it alone
	Capital           Reason = "capital"             // it is the operator's own money
	BeforeWatch       Reason = "before_watch"        // paid before the treasury was watched for deposits
	Declined          Reason = "declined"            // an admin decided that it is no deposit
	Unreadable        Reason = "unreadable"          // the chain could not be read, or showed it malformed
	AmountTooLarge    Reason = "amount_out_of_range" // above what an amount can hold
)

// Verdict is the judgement on a transaction for one claimant.
type Verdict struct {
	Status Status       // Pending, Review, Rejected, or Credited when it is to be credited
	Amount money.Amount // of Credited and, when known, of Review
	Reason Reason
	// Sender is the wallet that signed it and alone paid it, whoever claims it;
	// empty when there isn't exactly one.
	Sender wallet.Address
}
