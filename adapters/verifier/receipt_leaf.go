package verifier

import (
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// isRatio reports whether a number is a fraction, cut to a billionth.
func isRatio(shown jsonNode, numerator, denominator int64) bool {
	if shown.kind != '0' || !ratioNumber.MatchString(shown.text) {
		return false
	}
	said, ok := new(big.Rat).SetString(shown.text)
	if !ok {
		return false
	}
	distance := new(big.Rat).Sub(said, big.NewRat(numerator, denominator))
	return distance.Abs(distance).Cmp(big.NewRat(1, 1_000_000_000)) <= 0
}

var ratioNumber = regexp.MustCompile(`^[0-9]{1,30}(\.[0-9]{1,30})?$`)

// eventMembers are the members of an answer that an event states, with the fields that do.
type eventMembers struct {
	thing                  string
	texts, wholes, contain []string // "member field"
}

var eventKinds = map[string]eventMembers{
	"round.open": {
		"round",
		[]string{"gameType game", "rules rules", "token token", "serverSeedHash commitment", "clientSeed clientSeed", "clientSeedSource clientSource"},
		[]string{"wager wager", "stake stake", "nonce nonce"},
		[]string{"config config", "actions actions", "shown shown", "choices choices"},
	},
	"withdrawal": {"withdrawal", []string{"token token", "destination destination", "status status"}, []string{"amount amount", "fee fee"}, nil},
	"deposit":    {"transaction", []string{"token token", "signature signature"}, nil, nil},
	"pair":       {"seed", []string{"serverSeedHash commitment", "clientSeed clientSeed", "clientSeedSource clientSource"}, nil, nil},
}

// encodeLeaf returns the leaf's canonical encoding, and the member of the answer that
// differs from the leaf although it isn't part of it, "" if none does.
func encodeLeaf(answer, leaf jsonNode, wallet string) (data canonicalBytes, differs string, err error) {
	kind, err := memberText(leaf, "kind", "leaf")
	if err != nil {
		return nil, "", err
	}
	if kind == "round" {
		return encodeRoundLeaf(answer.get("round"), leaf, wallet)
	}
	members, known := eventKinds[kind]
	if !known {
		return nil, "", malformed("leaf.kind")
	}
	texts, err := memberTexts(leaf, "leaf", "id", "was")
	if err != nil {
		return nil, "", err
	}
	list := leaf.get("fields")
	if list.kind != '[' && list.kind != 'n' {
		return nil, "", malformed("leaf.fields")
	}
	data.texts("event", kind, texts["id"], wallet, texts["was"])
	data.integers(int64(len(list.items)))
	fields := map[string]string{}
	for _, pair := range list.items {
		if pair.kind != '[' || len(pair.items) != 2 || pair.items[0].kind != '"' || pair.items[1].kind != '"' {
			return nil, "", malformed("leaf.fields")
		}
		name := pair.items[0].text
		data.texts(name, pair.items[1].text)
		if _, twice := fields[name]; !twice {
			fields[name] = pair.items[1].text
		}
	}
	if thing := answer.get(members.thing); thing.kind == '{' {
		differs = members.differs(thing, texts["id"], fields)
	}
	return data, differs, nil
}

// differs returns the first member of a thing that the fields of its event contradict.
func (m eventMembers) differs(thing jsonNode, id string, fields map[string]string) string {
	if given := thing.get("id"); m.thing != "seed" && (given.kind != '"' || given.text != id) {
		return m.thing + ".id"
	}
	for i, list := range [][]string{m.texts, m.wholes, m.contain} {
		for _, pair := range list {
			name, field, _ := strings.Cut(pair, " ")
			given, stated := thing.get(name), fields[field]
			same := given.kind == '"' && given.text == stated
			switch i {
			case 1:
				first, whole := given.integer()
				if stated == "" {
					stated = "0"
				}
				second, whole2 := jsonNode{kind: '0', text: stated}.integer()
				same = whole && whole2 && first == second
			case 2:
				same = given.written() == stated
			}
			if !same {
				return m.thing + "." + name
			}
		}
	}
	return ""
}

// memberTexts returns the texts of an object by their names.
func memberTexts(n jsonNode, of string, names ...string) (map[string]string, error) {
	texts := map[string]string{}
	for _, name := range names {
		text, err := memberText(n, name, of)
		if err != nil {
			return nil, err
		}
		texts[name] = text
	}
	return texts, nil
}

// memberIntegers returns the integers of an object by their names.
func memberIntegers(n jsonNode, of string, names ...string) (map[string]int64, error) {
	integers := map[string]int64{}
	for _, name := range names {
		v, ok := n.get(name).integer()
		if !ok {
			return nil, malformed(of + "." + name)
		}
		integers[name] = v
	}
	return integers, nil
}

var ratioText = regexp.MustCompile("^" + wholePattern + "/" + wholePattern + "$")

// readRatio reads a leaf's multiplier.
func readRatio(n jsonNode) (numerator, denominator int64, ok bool) {
	found := ratioText.FindStringSubmatch(n.text)
	if n.kind != '"' || found == nil {
		return 0, 0, false
	}
	numerator, err := strconv.ParseInt(found[1], 10, 64)
	denominator, err2 := strconv.ParseInt(found[2], 10, 64)
	return numerator, denominator, err == nil && err2 == nil && denominator > 0
}

func encodeRoundLeaf(round, leaf jsonNode, wallet string) (data canonicalBytes, differs string, err error) {
	if round.kind != '{' {
		return nil, "", malformed("no round")
	}
	said, err := memberTexts(round, "round", "id", "gameType", "rules", "token", "serverSeedHash", "clientSeed", "clientSeedSource")
	if err != nil {
		return nil, "", err
	}
	numbers, err := memberIntegers(round, "round", "wager", "payout", "nonce", "createdAt")
	if err != nil {
		return nil, "", err
	}
	source := slices.Index([]string{"server", "player", "repeated"}, said["clientSeedSource"])
	if source < 0 {
		return nil, "", malformed("round.clientSeedSource")
	}
	more, err := memberTexts(leaf, "leaf", "agentCode", "pairId")
	if err != nil {
		return nil, "", err
	}
	numerator, denominator, ok := readRatio(leaf.get("multiplier"))
	if !ok {
		return nil, "", malformed("leaf.multiplier")
	}
	counted, err := memberIntegers(leaf, "leaf", "balance", "time")
	if err != nil {
		return nil, "", err
	}
	maps.Copy(numbers, counted)
	for _, name := range []string{"config", "outcome"} {
		if !round.has(name) {
			return nil, "", malformed("round." + name)
		}
	}
	void := int64(0)
	if round.get("outcome").kind == 'n' {
		void = 1
	}
	data.texts("round", said["id"], wallet, more["agentCode"], said["gameType"], said["rules"], said["token"])
	data.integers(numbers["wager"], numbers["payout"], numerator, denominator)
	data.value(round.get("config"))
	data.value(round.get("outcome"))
	data.integers(void)
	data.texts(more["pairId"], said["serverSeedHash"], said["clientSeed"])
	data.integers(int64(source), numbers["nonce"], numbers["balance"], numbers["time"])
	data.value(round.get("actions"))
	switch {
	case !isRatio(round.get("multiplier"), numerator, denominator):
		differs = "round.multiplier"
	case numbers["createdAt"] != floorMillis(numbers["time"]):
		differs = "round.createdAt"
	}
	return data, differs, nil
}

// floorMillis returns microseconds as whole milliseconds, rounded down.
func floorMillis(micros int64) int64 {
	const millisecond = 1000
	millis := micros / millisecond
	if micros%millisecond < 0 {
		millis--
	}
	return millis
}
