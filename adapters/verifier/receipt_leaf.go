package verifier

import (
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// eventForm says where an event's fields come from, in their order: each is the form of its
// value, the member of the thing that has it, and the field's name where that is another one.
// The form "leaf" takes the next of the leaf's own values.
type eventForm struct {
	thing  string
	fields []string
}

var eventForms = map[string]eventForm{
	"round.open": {"round", []string{
		"leaf agent", "text gameType game", "text rules", "text token", "integer wager", "integer stake", "value config", "value asked",
		"integer maxPayout", "leaf pair", "text serverSeedHash commitment", "text clientSeed", "text clientSeedSource clientSource",
		"ordinal nonce", "value actions", "value shown", "value choices", "leaf maxMultiplierNum", "leaf maxMultiplierDen",
		"leaf exposure", "leaf openedAt", "leaf touchedAt",
	}},
	"withdrawal": {"withdrawal", []string{
		"text token", "integer amount", "integer fee", "text destination", "leaf status", "leaf createdAt", "leaf updatedAt",
	}},
	"deposit": {"transaction", []string{
		"text token", "text signature", "leaf status", "known amount", "leaf reason", "leaf createdAt", "leaf updatedAt",
	}},
	"pair": {"seed", []string{
		"leaf state", "text serverSeedHash commitment", "text clientSeed", "text clientSeedSource clientSource",
		"leaf next", "leaf epoch", "leaf revealed", "leaf rounds", "leaf since",
	}},
}

// crashBetForm is the form of the event of a bet on the shared crash.
var crashBetForm = eventForm{"bet", []string{
	"leaf agent", "leaf game", "leaf rules", "text token", "integer wager", "leaf stake", "leaf config", "leaf asked", "leaf maxPayout",
	"leaf clientSource", "leaf nonce", "text chain", "integer round number", "leaf actions", "leaf shown", "leaf choices",
	"leaf maxMultiplierNum", "leaf maxMultiplierDen", "leaf exposure", "leaf openedAt", "leaf touchedAt",
}}

// encodeLeaf returns the leaf's canonical encoding, and the name of a member of the answer
// that contradicts the leaf without being part of it, "" if none does.
func encodeLeaf(answer, leaf jsonNode, wallet string) (data canonicalBytes, differs string, err error) {
	var m memberReader
	kind := m.text(leaf, "leaf", "kind")
	form, known := eventForms[kind]
	m.check(known || kind == "round", "leaf.kind")
	if kind == "round.open" && answer.get("bet").kind == '{' {
		form = crashBetForm
	}
	switch {
	case m.err != nil:
	case kind == "round":
		data, differs = m.encodeRound(answer.get("round"), leaf, wallet)
	default:
		data, differs = m.encodeEvent(form, answer.get(form.thing), leaf, wallet)
	}
	return data, differs, m.err
}

func (m *memberReader) encodeEvent(form eventForm, thing, leaf jsonNode, wallet string) (data canonicalBytes, differs string) {
	kind, was := leaf.get("kind").text, m.text(leaf, "leaf", "was")
	m.check(kind != "withdrawal" || was == "", "leaf.was")
	own := m.ownValues(form, leaf.get("fields"))
	m.check(thing.kind == '{', "no "+form.thing)
	var id string
	if kind == "pair" {
		id = m.text(leaf, "leaf", "id")
	} else {
		id = m.text(thing, form.thing, "id")
	}
	var names, values []string
	for _, field := range form.fields {
		if m.err != nil {
			return nil, ""
		}
		part := strings.Fields(field)
		name, value := part[len(part)-1], ""
		if part[0] == "leaf" {
			value, own = own[0], own[1:]
		} else {
			value = m.fieldValue(part[0], thing, form.thing, part[1])
		}
		if value != "" {
			names, values = append(names, name), append(values, value)
		}
	}
	data.texts("event", kind, id, wallet, was)
	data.integers(int64(len(names)))
	for i := range names {
		data.texts(names[i], values[i])
	}
	most := "maxMultiplier"
	if form.thing == crashBetForm.thing {
		most = "cashOut"
	}
	if kind == "round.open" && !isRatio(thing.get(most), valueOf(names, values, "maxMultiplierNum")+"/"+valueOf(names, values, "maxMultiplierDen")) {
		differs = form.thing + "." + most
	}
	if differs == "" && form.thing == crashBetForm.thing {
		differs = differsOfBet(thing, valueOf(names, values, "actions"), valueOf(names, values, "openedAt"))
	}
	return data, differs
}

var cashOutText = regexp.MustCompile(`^\[\{type: "cashOut", received: ([0-9]{4,19}), multiplier: ([0-9]{1,9})\.([0-9]{2})\}\]$`)

// differsOfBet returns the member of a bet on the shared crash that its leaf has otherwise.
func differsOfBet(bet jsonNode, actions, openedAt string) string {
	out := cashOutText.FindStringSubmatch(actions)
	shown, received := bet.get("cashedOut"), bet.get("receivedAt")
	switch {
	case out == nil && (actions != "[]" || shown.kind != 'n'), out != nil && !isRatio(shown, strings.TrimLeft(out[2]+out[3], "0")+"/100"):
		return "bet.cashedOut"
	case out == nil && received.kind != 'n', out != nil && received.text != millisOf(out[1]):
		return "bet.receivedAt"
	case bet.get("createdAt").text != millisOf(openedAt):
		return "bet.createdAt"
	}
	return ""
}

// millisOf returns microseconds as a number of milliseconds, rounded down.
func millisOf(micros string) string { return micros[:max(0, len(micros)-3)] }

// ownValues returns the leaf's own values of fields, one for each of the form "leaf".
func (m *memberReader) ownValues(form eventForm, list jsonNode) (own []string) {
	wanted := 0
	for _, field := range form.fields {
		if strings.HasPrefix(field, "leaf ") {
			wanted++
		}
	}
	m.check(list.kind == '[' && len(list.items) == wanted, "leaf.fields")
	for _, item := range list.items {
		m.check(item.kind == '"', "leaf.fields")
		own = append(own, item.text)
	}
	return own
}

// fieldValue returns a member of a thing as a field has it, "" if the event lacks the field.
func (m *memberReader) fieldValue(form string, thing jsonNode, of, name string) string {
	switch form {
	case "text":
		return m.text(thing, of, name)
	case "value":
		return thing.get(name).written()
	case "known": // an integer, or null while it isn't known
		if thing.get(name).kind == 'n' {
			return ""
		}
	}
	n := m.integer(thing, of, name)
	if n == 0 && form != "ordinal" {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func valueOf(names, values []string, name string) string {
	if i := slices.Index(names, name); i >= 0 {
		return values[i]
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
