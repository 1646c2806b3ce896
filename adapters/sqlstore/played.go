package sqlstore

import (
	"strconv"
	"strings"
)

// played tells how many of the house's rounds a player has played of each game, as
// "dice=12 limbo=3": names of games have no such signs. It is kept with his active
// seed pair, whose row each of his rounds writes anyway.
type played string

// with is one round of a game more.
func (p played) with(game string) played {
	count, at, end := p.find(game)
	if at < 0 {
		if p == "" {
			return played(game + "=1")
		}
		return p + played(" "+game+"=1")
	}
	digits := strconv.AppendInt(make([]byte, 0, 20), count+1, 10)
	return p[:at] + played(digits) + p[end:]
}

// of is the number of rounds of a game.
func (p played) of(game string) int64 {
	count, _, _ := p.find(game)
	return count
}

// games are the numbers of all games.
func (p played) games() map[string]int64 {
	all := map[string]int64{}
	for one := range strings.FieldsSeq(string(p)) {
		name, _, _ := strings.Cut(one, "=")
		all[name] = p.of(name)
	}
	return all
}

// find is the number of a game and the place of its digits; at is -1 where it has
// none.
func (p played) find(game string) (count int64, at, end int) {
	for from := 0; from < len(p); from = end + 1 {
		end = len(p)
		if space := strings.IndexByte(string(p[from:]), ' '); space >= 0 {
			end = from + space
		}
		if at = from + len(game) + 1; at < end && string(p[from:at-1]) == game && p[at-1] == '=' {
			count, _ = strconv.ParseInt(string(p[at:end]), 10, 64) // what is no number counts as none, and audits tell
			return count, at, end
		}
	}
	return 0, -1, -1
}
