package game

// SlotsSpin returns what one window pays in tenths of the wager and how many
// free spins it gives, for tests that go through all of them.
func SlotsSpin(stops [5]uint8) (tenths uint64, free int) {
	window := reels(stops)
	return window.pays(), slotsFreeSpins[window.scatters()]
}
