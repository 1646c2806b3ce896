package conformance

import (
	"testing"
)

// Writer is the suite of ports.Writer.
func Writer(t *testing.T, newStore func(t *testing.T) Store) {
	stories := []story{
		{"a change is committed whole", changeIsCommittedWhole},
		{"items of one wallet happen one after the other", itemsOfOneWalletHappenInTurn},
		{"a decision sees what its item asked for and no more", decisionSeesWhatWasAskedFor},
		{"an unknown wallet's view names it", unknownWalletsViewNamesIt},
		{"an item without a wallet moves money between system accounts", itemWithoutWallet},
		{"the first sign-in pays what arrived before", firstSignInPaysUnclaimed},
		{"adjustments credit and debit", adjustments},
		{"a void round returns the stake and retires its pair", voidRound},
		{"open withdrawals and waiting claims are counted", openIsCounted},

		{"a refusal is returned as it is", refusalIsReturnedAsItIs},
		{"a refusal stores nothing and frees its claims", refusalFreesItsClaims},
		{"a decision that panics is refused alone", panicIsRefusedAlone},
		{"an item that breaks a rule of the store fails alone", ruleBreakersFailAlone},
		{"every rule of the law is kept and refuses in its own words", everyRuleIsKept},
		{"what a neighbour asked for isn't seen", neighboursLendNoSight},
		{"a posting key is used once ever", postingKeysAreUsedOnce},
		{"commitments and pairs are unique across players", commitmentsAreUnique},

		{"a held claim is answered as it was then", heldClaimIsAnswered},
		{"a held claim is answered as it was then after reopening", heldClaimIsAnsweredAfterReopening},
		{"a replay names the holder", replayNamesTheHolder},
		{"one held claim of several is enough", oneHeldClaimIsEnough},
		{"an idempotency key under another fingerprint is a conflict", otherFingerprintIsAConflict},
		{"the same key of another scope is another claim", otherScopeIsAnotherClaim},
		{"a login message is used once", loginMessageIsUsedOnce},
		{"one transaction pays one token once whoever claims it", transactionPaysOnce},
		{"a claim is taken by one of many at once", claimIsTakenByOneOfMany},

		{"a withdrawal is paid", withdrawalIsPaid},
		{"a withdrawal is refunded once", withdrawalIsRefundedOnce},
		{"a dead attempt is signed again", deadAttemptIsSignedAgain},
		{"a failed payout keeps its hold until a person decides", failedPayoutKeepsItsHold},
		{"a fee is held with the amount, and kept or given back", feeIsHeld},
		{"of racing decisions one wins", ofRacingDecisionsOneWins},
		{"roles are read when the item is decided", rolesAreReadWhenDeciding},

		{"a rotation reveals the pair and the promised one follows", rotationReveals},
		{"nonces have no gap under two hundred items at once", noncesHaveNoGap},
		{"rotations and rounds at once keep every nonce in its pair", rotationsAmongRounds},
		{"the history of a wallet is linearizable", historyIsLinearizable},

		{"an item whose context ended before is not taken up", endedContextIsNotTakenUp},
		{"once taken up an item completes", takenUpItemCompletes},
		{"more than sixteen items of a player in flight are refused", sixteenInFlight},
		{"a full queue is refused", fullQueueIsRefused},
		{"after stop every item is refused", stoppedWriterRefuses},
		{"an answer lost at commit is found out", lostCommitIsFoundOut},
	}
	run(t, newStore, stories)
}
