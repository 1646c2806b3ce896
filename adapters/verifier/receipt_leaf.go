package verifier

import (
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// provedMembers lists the members of an answer that an event proves, each as "form name
// field": how to compare it, its name, and the name of the event's field.
type provedMembers struct {
	thing   string
	members []string
}

var eventKinds = map[string]provedMembers{
	"round.open": {"round", []string{
		"text gameType game", "text rules rules", "text token token", "text serverSeedHash commitment", "text clientSeed clientSeed",
		"text clientSeedSource clientSource", "integer wager wager", "integer stake stake", "integer nonce nonce", "integer maxPayout maxPayout",
		"value config config", "value asked asked", "value actions actions", "value shown shown", "value choices choices", "ratio maxMultiplier maxMultiplier",
	}},
	"withdrawal": {"withdrawal", []string{"text token token", "text destination destination", "integer amount amount", "integer fee fee"}},
	"deposit":    {"transaction", []string{"text token token", "text signature signature", "known amount amount"}},
	"pair":       {"seed", []string{"text serverSeedHash commitment", "text clientSeed clientSeed", "text clientSeedSource clientSource"}},
}

// encodeLeaf returns the leaf's canonical encoding, and the name of a member of the answer
// that contradicts the leaf without being part of it, "" if none does.
func encodeLeaf(answer, leaf jsonNode, wallet string) (data canonicalBytes, differs string, err error) {
	var m memberReader
	kind := m.text(leaf, "leaf", "kind")
	members, known := eventKinds[kind]
	m.check(known || kind == "round", "leaf.kind")
	switch {
	case m.err != nil:
	case kind == "round":
		data, differs = m.encodeRound(answer.get("round"), leaf, wallet)
	default:
		data, differs = m.encodeEvent(members, answer.get(members.thing), leaf, wallet)
	}
	return data, differs, m.err
}

func (m *memberReader) encodeEvent(members provedMembers, thing, leaf jsonNode, wallet string) (data canonicalBytes, differs string) {
	kind, id, was := leaf.get("kind").text, m.text(leaf, "leaf", "id"), m.text(leaf, "leaf", "was")
	m.check(kind != "withdrawal" || was == "", "leaf.was")
	list := leaf.get("fields")
	m.check(list.kind == '[' || list.kind == 'n', "leaf.fields")
	data.texts("event", kind, id, wallet, was)
	data.integers(int64(len(list.items)))
	fields := map[string]string{}
	for _, pair := range list.items {
		m.check(len(pair.items) == 2 && pair.kind == '[' && pair.items[0].kind == '"' && pair.items[1].kind == '"', "leaf.fields")
		if m.err != nil {
			return nil, ""
		}
		name, value := pair.items[0].text, pair.items[1].text
		data.texts(name, value)
		if _, twice := fields[name]; !twice {
			fields[name] = value
		}
	}
	if thing.kind == '{' {
		differs = members.contradicted(thing, id, fields)
	}
	return data, differs
}

// contradicted returns the first member of a thing that the fields of its event contradict.
func (p provedMembers) contradicted(thing jsonNode, id string, fields map[string]string) string {
	if given := thing.get("id"); p.thing != "seed" && (given.kind != '"' || given.text != id) {
		return p.thing + ".id"
	}
	for _, member := range p.members {
		part := strings.Fields(member)
		given, stated := thing.get(part[1]), fields[part[2]]
		var same bool
		switch part[0] {
		case "text":
			same = given.kind == '"' && given.text == stated
		case "integer":
			same = given.isInteger(stated)
		case "known": // an integer, or null while it isn't known
			same = given.kind == 'n' || given.isInteger(stated)
		case "value":
			same = given.written() == stated
		case "ratio":
			same = isRatio(given, fields[part[2]+"Num"]+"/"+fields[part[2]+"Den"])
		}
		if !same {
			return p.thing + "." + part[1]
		}
	}
	return ""
}

var clientSeedSources = []string{"server", "player", "repeated"}

func (m *memberReader) encodeRound(round, leaf jsonNode, wallet string) (data canonicalBytes, differs string) {
	if round.kind != '{' {
		m.check(false, "no round")
		return nil, ""
	}
	var said [7]string
	for i, name := range []string{"id", "gameType", "rules", "token", "serverSeedHash", "clientSeed", "clientSeedSource"} {
		said[i] = m.text(round, "round", name)
	}
	var wager, payout, nonce, createdAt = m.integer(round, "round", "wager"), m.integer(round, "round", "payout"),
		m.integer(round, "round", "nonce"), m.integer(round, "round", "createdAt")
	source := slices.Index(clientSeedSources, said[6])
	m.check(source >= 0, "round.clientSeedSource")
	agent, pair := m.text(leaf, "leaf", "agentCode"), m.text(leaf, "leaf", "pairId")
	ratio := leaf.get("multiplier")
	numerator, denominator, isFraction := readRatio(ratio.text)
	m.check(ratio.kind == '"' && isFraction, "leaf.multiplier")
	balance, micros := m.integer(leaf, "leaf", "balance"), m.integer(leaf, "leaf", "time")
	config, outcome := round.get("config"), round.get("outcome")
	m.check(slices.Contains(round.names, "config"), "round.config")
	m.check(slices.Contains(round.names, "outcome"), "round.outcome")
	void := int64(0)
	if outcome.kind == 'n' {
		void = 1
	}
	data.texts("round", said[0], wallet, agent, said[1], said[2], said[3])
	data.integers(wager, payout, numerator, denominator)
	data.value(config)
	data.value(outcome)
	data.integers(void)
	data.texts(pair, said[4], said[5])
	data.integers(int64(source), nonce, balance, micros)
	data.value(round.get("actions"))
	switch {
	case !isRatio(round.get("multiplier"), ratio.text):
		differs = "round.multiplier"
	case createdAt != time.UnixMicro(micros).UnixMilli():
		differs = "round.createdAt"
	}
	return data, differs
}

var ratioText = regexp.MustCompile("^" + wholePattern + "/" + wholePattern + "$")

// readRatio reads a fraction such as "99/50".
func readRatio(text string) (numerator, denominator int64, ok bool) {
	found := ratioText.FindStringSubmatch(text)
	if found == nil {
		return 0, 0, false
	}
	numerator, err := strconv.ParseInt(found[1], 10, 64)
	denominator, err2 := strconv.ParseInt(found[2], 10, 64)
	return numerator, denominator, err == nil && err2 == nil && denominator > 0
}

var ratioNumber = regexp.MustCompile(`^[0-9]{1,30}(\.[0-9]{1,30})?$`)

// isRatio reports whether a number is a fraction, cut to a billionth.
func isRatio(shown jsonNode, ratio string) bool {
	numerator, denominator, ok := readRatio(ratio)
	if !ok || shown.kind != '0' || !ratioNumber.MatchString(shown.text) {
		return false
	}
	said, ok := new(big.Rat).SetString(shown.text)
	if !ok {
		return false
	}
	distance := said.Sub(said, big.NewRat(numerator, denominator))
	return distance.Abs(distance).Cmp(big.NewRat(1, 1_000_000_000)) <= 0
}
