package game

// The cards of an endless deck: pick(52) is rank·4 + suit, ranks from the two to
// the ace, suits diamond, heart, spade, club. Source: the published form.

const (
	deckCards  = 52
	ranksCount = 13
)

// rankNames and suitNames are how a card is written: "Qd", "10s".
var (
	rankNames = [ranksCount]string{"2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"}
	suitNames = [4]string{"d", "h", "s", "c"}
)

// cardNames are all cards, in the order of pick(52).
var cardNames = func() (names [deckCards]Value) {
	for i := range names {
		names[i] = Text(rankNames[i/4] + suitNames[i%4])
	}
	return names
}()

// rankOf returns the rank of a card as it is written; that of no card is the two's.
func rankOf(card Value) int {
	for i := range cardNames {
		if cardNames[i].text == card.text {
			return i / 4
		}
	}
	return 0
}

// rankDraws is how many of the 2^32 draws give a card of each rank.
var rankDraws = func() (draws [ranksCount]uint64) {
	for rank := range uint64(ranksCount) {
		draws[rank] = drawsBelow(4*rank+4, deckCards) - drawsBelow(4*rank, deckCards)
	}
	return draws
}()
