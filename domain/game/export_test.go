package game

// SlotsSpin returns a window's payout in tenths of the wager and its free spins, for
// tests that enumerate all windows.
func SlotsSpin(stops [5]uint8) (tenths uint64, free int) {
	window := reels(stops)
	return window.totalPay(), slotsFreeSpins[window.countScatters()]
}

// LimboPoint returns the point of a draw in hundredths, for tests that enumerate all
// draws.
func LimboPoint(k uint32) uint64 { return limboReach.pointOf(k) }

// LimboWins and CrashWins return how many draws reach a target in hundredths.
func LimboWins(target uint64) uint64 { return limboReach.oddsOf(target).Wins }
func CrashWins(target uint64) uint64 { return crashReach.oddsOf(target).Wins }

// ReachRTP returns the range of a game like limbo with other bits and targets, and
// ReachOdds the odds of one target.
func ReachRTP(bits uint, standard, least, most uint64) RTP {
	return reach{bits}.rtpRange(standard, least, most)
}

func ReachOdds(bits uint, target uint64) Odds { return reach{bits}.oddsOf(target) }

// CardName returns the name of a card of pick(52).
func CardName(card uint32) string { return cardNames[card].Text() }

// PokerPays returns the payout of five cards in video poker.
func PokerPays(hand *[5]uint8) uint64 { return pokerTable[pokerHandOf(hand)].pays }
