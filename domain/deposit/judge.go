package deposit

import (
	"slices"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

// Observation is one transaction as the chain shows it; the adapter verified its
// signatures again. Only balances show its effect: instructions are ignored, so inner
// calls, batches and plain transfers all count by their effect.
type Observation struct {
	Signature string
	Found     bool
	// Finalized: both the status and the transaction itself are final. Otherwise the fields
	// below are meaningless.
	Finalized bool
	// Incomplete: its status is final, but the chain's answer lacks its effects.
	Incomplete bool
	// Slot is the one it landed in, as in a DepositHistory.
	Slot uint64
	// Failed: the transaction landed with an error and moved nothing.
	Failed bool
	// Signers are the addresses whose signatures were verified.
	Signers []string
	// Lamports are the native balances of every account it named, each once.
	Lamports []LamportChange
	// Tokens are the token accounts it named, each once; an account that was closed and
	// reopened for another mint has an entry for each.
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

// Treasury holds the addresses that receive deposits of one token.
type Treasury struct {
	// Owner is the treasury's wallet; native SOL arrives there.
	Owner string
	// TokenAccount is the treasury's associated token account for the mint and
	// program, empty for native SOL.
	TokenAccount string
	// WrappedSOL is the treasury's associated token account of wrapped SOL. Money that
	// arrives there is the treasury's, but no plain SOL deposit.
	WrappedSOL string
	// After is the slot when the watch of the token began (WatchProgress), 0 if none:
	// payments up to it are not deposits.
	After uint64
}

// Reason says why a transaction was not credited, in the codes of the API.
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
	NoSender          Reason = "no_sender"           // no wallet both signed and alone paid it
	Capital           Reason = "capital"             // it is the operator's own money
	BeforeWatch       Reason = "before_watch"        // paid before the treasury was watched for deposits
	Declined          Reason = "declined"            // an admin decided that it is no deposit
	Unreadable        Reason = "unreadable"          // the chain could not be read, or showed it malformed
	AmountTooLarge    Reason = "amount_out_of_range" // above the greatest amount
	Screened          Reason = "screened"            // a screener doesn't allow its sender
)

// Verdict is the judgement on a transaction for one claimant.
type Verdict struct {
	Status Status       // Pending, Review, Rejected, or Credited when it is to be credited
	Amount money.Amount // of Credited and, when known, of Review
	Reason Reason
	// Sender is the wallet that signed and alone paid it, even if another one claims it;
	// empty if there isn't exactly one.
	Sender wallet.Address
}

// Judge decides whether an observed transaction is the claimant's deposit.
//
// It is credited if it is finalized without an error, the treasury didn't sign it, the
// treasury's own account of the token rose, and the claimant both signed it and is the
// only owner with a fallen balance, by at least as much. The credit is the amount that
// arrived. A signer who paid nothing, a payer who didn't sign (a delegate moved their
// money) and a memo's author are not senders.
//
// The first rule that applies decides: pending before the transaction is final, then
// whether it came before the watch, then what the treasury received, who sent it, and
// how much. It is Review if the claimant has only a part in the payment.
func Judge(obs Observation, claimant wallet.Address, terms token.Terms, treasury Treasury) Verdict {
	switch {
	case !obs.Found:
		return Verdict{Status: Pending, Reason: NotFound}
	case obs.Incomplete:
		return Verdict{Status: Pending, Reason: Unreadable}
	case !obs.Finalized:
		return Verdict{Status: Pending}
	case obs.Failed:
		return rejectedVerdict(TransactionFailed)
	case obs.Slot <= treasury.After && treasury.After > 0:
		return rejectedVerdict(BeforeWatch)
	case slices.Contains(obs.Signers, treasury.Owner):
		return rejectedVerdict(TreasurySigned)
	case terms.Program == token.System:
		return judgeSOL(obs, claimant, terms, treasury)
	}
	return judgeToken(obs, claimant, terms, treasury)
}

func rejectedVerdict(reason Reason) Verdict { return Verdict{Status: Rejected, Reason: reason} }

// judgeToken applies the rules to the treasury's own token account of the mint and
// program. Other accounts don't receive deposits, even if the treasury owns them: anyone
// can create one and hand it over.
func judgeToken(obs Observation, claimant wallet.Address, terms token.Terms, treasury Treasury) Verdict {
	credit, reason := receivedToken(obs, terms, treasury)
	if credit == 0 {
		return rejectedVerdict(reason)
	}
	var falls falls
	for _, change := range obs.Tokens {
		if change.Account != treasury.TokenAccount && change.Mint == terms.Mint {
			falls.addLoss(change.OwnerPre, change.Pre)
			falls.addGain(change.OwnerPost, change.Post)
		}
	}
	// An account of the mint that went to another owner looks like a payment by the old
	// one, although none was made.
	handedOver := slices.ContainsFunc(obs.Tokens, func(c TokenChange) bool {
		return c.Mint == terms.Mint && c.OwnerPre != "" && c.OwnerPost != "" && c.OwnerPre != c.OwnerPost
	})
	verdict := falls.judgeCredit(credit, obs.Signers, claimant, terms)
	if handedOver && verdict.Status == Credited {
		verdict.Status, verdict.Reason = Review, OwnerChanged
	}
	return verdict
}

// receivedToken returns the amount that the treasury's token account received, or 0 and
// the reason why it is no deposit.
func receivedToken(obs Observation, terms token.Terms, treasury Treasury) (uint64, Reason) {
	credit, reason := uint64(0), NoCredit
	for _, change := range obs.Tokens {
		if change.Account != treasury.TokenAccount {
			continue
		}
		if credited, why := receivedAmount(change, terms, treasury); why == NoReason {
			credit = credited
		} else if reason == NoCredit {
			reason = why
		}
	}
	if reason != NoCredit {
		return 0, reason
	}
	return credit, reason
}

// receivedSOL returns how much the treasury's own lamports rose.
func receivedSOL(obs Observation, treasury Treasury) (credit uint64) {
	for _, change := range obs.Lamports {
		if change.Address == treasury.Owner && change.Post > change.Pre {
			credit = change.Post - change.Pre
		}
	}
	return credit
}

// receivedAmount returns the amount that the treasury's token account received, or the
// reason why it is no deposit.
func receivedAmount(c TokenChange, terms token.Terms, treasury Treasury) (uint64, Reason) {
	owned := func(owner string, amount uint64) bool {
		return owner == treasury.Owner || owner == "" && amount == 0
	}
	switch {
	case c.Mint != terms.Mint || c.Program != terms.Program || c.Decimals != terms.Decimals:
		return 0, WrongToken
	case !owned(c.OwnerPre, c.Pre) || !owned(c.OwnerPost, c.Post):
		return 0, OwnerChanged
	case c.Post <= c.Pre:
		return 0, NoCredit
	}
	return c.Post - c.Pre, NoReason
}

// judgeSOL applies the rules to lamports; each address is its own owner.
func judgeSOL(obs Observation, claimant wallet.Address, terms token.Terms, treasury Treasury) Verdict {
	credit := receivedSOL(obs, treasury)
	var falls falls
	for _, change := range obs.Lamports {
		if change.Address != treasury.Owner {
			falls.addLoss(change.Address, change.Pre)
			falls.addGain(change.Address, change.Post)
		}
	}
	if owners, wrapped := wrappedSOL(obs, treasury, credit > 0); wrapped &&
		slices.Contains(obs.Signers, string(claimant)) &&
		(slices.Contains(owners, string(claimant)) || falls.fallOf(string(claimant)).Sign() > 0) {
		amount, _ := Arrived(obs, terms, treasury)
		return Verdict{Status: Review, Reason: WrappedSOL, Amount: amount}
	}
	if credit == 0 {
		return rejectedVerdict(NoCredit)
	}
	return falls.judgeCredit(credit, obs.Signers, claimant, terms)
}

// wrappedSOL reports whether wrapped SOL may have reached the treasury: its own account
// of it rose, or its lamports did while wrapped SOL of others was spent or closed. It
// returns the owners of that wrapped SOL.
func wrappedSOL(obs Observation, treasury Treasury, lamportsRose bool) (owners []string, reached bool) {
	for _, c := range obs.Tokens {
		switch {
		case c.Mint != money.SOL:
		case c.Account == treasury.WrappedSOL:
			reached = reached || c.Post > c.Pre
		case c.Post < c.Pre || c.OwnerPre != "" && c.OwnerPost == "" || lostLamports(obs, c.Account):
			owners = append(owners, c.OwnerPre)
		}
	}
	return owners, reached || lamportsRose && len(owners) > 0
}

// lostLamports reports whether an account lost lamports: some nodes still list a closed
// token account, and only the lamports show that it was closed.
func lostLamports(obs Observation, account string) bool {
	return slices.ContainsFunc(obs.Lamports, func(l LamportChange) bool {
		return l.Address == account && l.Post < l.Pre
	})
}

// falls is how much each owner's balance fell, summed over the owner's accounts, because
// a transfer between two accounts of one owner is no payment. Negative figures are
// rises.
type falls struct {
	owners  []string
	amounts []money.Total
}

func (f *falls) addLoss(owner string, amount uint64) {
	f.addFall(owner, money.TotalOfProduct(amount, 1))
}

func (f *falls) addGain(owner string, amount uint64) {
	f.addFall(owner, money.TotalOfProduct(amount, 1).Neg())
}

// addFall adds to an owner's figure. The owner "" of ownerless amounts never matches a
// signer.
func (f *falls) addFall(owner string, amount money.Total) {
	if amount.Sign() == 0 {
		return
	}
	at := slices.Index(f.owners, owner)
	if at < 0 {
		at = len(f.owners)
		f.owners, f.amounts = append(f.owners, owner), append(f.amounts, money.Total{})
	}
	f.amounts[at] = f.amounts[at].Add(amount)
}

func (f *falls) fallOf(owner string) money.Total {
	if at := slices.Index(f.owners, owner); at >= 0 {
		return f.amounts[at]
	}
	return money.Total{}
}

// judgeCredit decides whether a credit belongs to the claimant and can be booked.
func (f *falls) judgeCredit(credit uint64, signers []string, claimant wallet.Address, terms token.Terms) Verdict {
	var payers []string
	for i, owner := range f.owners {
		if f.amounts[i].Sign() > 0 {
			payers = append(payers, owner)
		}
	}
	whole := money.TotalOfProduct(credit, 1)
	paid := func(owner string) bool {
		return slices.Contains(signers, owner) && f.fallOf(owner).Cmp(whole) >= 0
	}
	verdict := Verdict{Status: Rejected, Reason: NotSender}
	if len(payers) == 1 && paid(payers[0]) {
		verdict.Sender = wallet.Address(payers[0])
	}
	amount, fits := whole.Amount()
	switch {
	case !slices.Contains(signers, string(claimant)) || f.fallOf(string(claimant)).Sign() <= 0:
		// the claimant paid no part of it
	case len(payers) > 1:
		verdict.Status, verdict.Reason, verdict.Amount = Review, SeveralSenders, amount
	case !paid(string(claimant)):
		// more arrived than the claimant paid
	case !fits:
		verdict.Status, verdict.Reason = Review, AmountTooLarge
	case amount < terms.MinDeposit:
		verdict.Reason = BelowMinimum
	default:
		verdict.Status, verdict.Reason, verdict.Amount = Credited, NoReason, amount
	}
	return verdict
}
