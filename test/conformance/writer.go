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
		{"a decision that asks for more is decided on that too", decisionAsksForMore},
		{"an unknown wallet's view names it", unknownWalletsViewNamesIt},
		{"an item without a wallet moves money between system accounts", itemWithoutWallet},
		{"the first sign-in pays what arrived before", firstSignInPaysUnclaimed},
		{"adjustments credit and debit", adjustments},
		{"a void round returns the stake and retires its pair", voidRound},
		{"open withdrawals and waiting deposit claims are counted", openIsCounted},

		{"a refusal is returned as it is", refusalIsReturnedAsItIs},
		{"a refusal stores nothing and frees its unique keys", refusalFreesItsKeys},
		{"a decision that panics is refused alone", panicIsRefusedAlone},
		{"an item that breaks a rule of the store fails alone", ruleBreakersFailAlone},
		{"what breaks the law is refused with the rule's message", theLawIsKept},
		{"a decision doesn't see what other items of its batch asked for", neighboursShareNothing},
		{"a posting key is used once ever", postingKeysAreUsedOnce},
		{"commitments and pairs are unique across players", commitmentsAreUnique},

		{"a used unique key gets its first answer", heldKeyIsAnswered},
		{"a used unique key gets its first answer after reopening", heldKeyIsAnsweredAfterReopening},
		{"a replay names the holder", replayNamesTheHolder},
		{"one used unique key of several is enough for a replay", oneHeldKeyIsEnough},
		{"an idempotency key under another fingerprint is a conflict", otherFingerprintIsAConflict},
		{"the same key in another scope is another unique key", otherScopeIsAnotherKey},
		{"a login message is used once", loginMessageIsUsedOnce},
		{"one transaction is credited once for each token, whoever claims it", transactionPaysOnce},
		{"a unique key is taken by one of many items at once", keyIsTakenByOneOfMany},

		{"a withdrawal is paid", withdrawalIsPaid},
		{"a withdrawal is refunded once", withdrawalIsRefundedOnce},
		{"a payout that the books don't know is brought back, and what the balance lacks is owed", lostPayoutIsBroughtBack},
		{"a dead attempt is signed again", deadAttemptIsSignedAgain},
		{"a failed payout keeps its hold until an admin decides", failedPayoutKeepsItsHold},
		{"a fee is held with the amount, and kept or given back", feeIsHeld},
		{"of racing decisions one wins", ofRacingDecisionsOneWins},
		{"roles are read when the item is decided", rolesAreReadWhenDeciding},

		{"a rotation reveals the pair and the promised one follows", rotationReveals},
		{"a round after 30 days is its pair's last, and the next pair keeps the player's client seed as a repeated one", oldPairsEnd},
		{"a client seed that a pair of the wallet had before is repeated", clientSeedsAreRepeated},
		{"nonces have no gap under two hundred items at once", noncesHaveNoGap},
		{"rotations and rounds at once keep every nonce in its pair", rotationsAmongRounds},
		{"the history of a wallet is linearizable", historyIsLinearizable},

		{"an item whose context ended before its batch is not decided", endedContextIsNotTakenUp},
		{"an item in a batch completes although its context ends", takenUpItemCompletes},
		{"more than sixteen items of a player in flight are refused", sixteenInFlight},
		{"a full queue is refused", fullQueueIsRefused},
		{"each source of items has places of its own", sourcesHavePlacesOfTheirOwn},
		{"after stop every item is refused", stoppedWriterRefuses},
		{"an item whose COMMIT lost its answer is answered as it was committed", lostCommitIsResolved},
		{"a bet whose COMMIT lost its answer is booked once", freshIsBookedOnce},
	}
	run(t, newStore, stories)
}
