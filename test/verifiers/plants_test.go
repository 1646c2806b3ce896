package verifiers_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/casino-service/casino/test/fakes"
)

// A planter changes an honest capture. It fails the test where it finds nothing to change.
type planter struct {
	*testing.T
	lines
}

// find returns the place of the first line from a place on that has all these texts.
func (p *planter) find(from int, texts ...string) int {
	p.Helper()
	for i := from; i < len(p.lines); i++ {
		if !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(p.lines[i], text) }) {
			return i
		}
	}
	p.Fatalf("no line has %q", texts)
	return 0
}

// change replaces what a pattern matches first in a line, as regexp.Expand has it.
func (p *planter) change(at int, pattern, with string) {
	p.Helper()
	re := regexp.MustCompile(pattern)
	found := re.FindStringSubmatchIndex(p.lines[at])
	if found == nil {
		p.Fatalf("%s isn't in %s", pattern, p.lines[at])
	}
	made := string(re.ExpandString(nil, with, p.lines[at], found))
	p.lines[at] = p.lines[at][:found[0]] + made + p.lines[at][found[1]:]
}

var roundID = regexp.MustCompile(`"round":{"id":"([^"]*)"`)

// everywhere changes a round in its line and in its history.
func (p *planter) everywhere(at int, pattern, with string) {
	p.Helper()
	kept := p.find(at, `{"line":"kept"`, roundID.FindStringSubmatch(p.lines[at])[1])
	p.change(at, pattern, with)
	p.change(kept, pattern, with)
}

// signed changes the statement of a line, and signs it as the service does.
func (p *planter) signed(at int, pattern, with string) {
	p.Helper()
	p.sign(at, "statement", pattern, with)
}

func (p *planter) sign(at int, member, pattern, with string) {
	p.Helper()
	text := regexp.MustCompile(`"` + member + `":("(?:[^"\\]|\\.)*")`).FindStringSubmatch(p.lines[at])
	was := regexp.MustCompile(`"signature":"([^"]*)"`).FindAllStringSubmatch(p.lines[at], -1)
	if text == nil || was == nil {
		p.Fatalf("nothing is signed in %s", p.lines[at])
	}
	var plain string
	noError(p.T, json.Unmarshal([]byte(text[1]), &plain))
	re := regexp.MustCompile(pattern)
	made := re.ReplaceAllString(plain, with)
	if made == plain {
		p.Fatalf("%s isn't in %s", pattern, plain)
	}
	signed, err := fakes.StatementSigner{}.SignText(made)
	noError(p.T, err)
	quoted, err := json.Marshal(made)
	noError(p.T, err)
	p.lines[at] = strings.Replace(p.lines[at], text[1], string(quoted), 1)
	p.lines[at] = strings.Replace(p.lines[at], was[len(was)-1][1], base64.StdEncoding.EncodeToString(signed.Signature), 1)
}

const (
	otherHash = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
	aRound    = `{"line":"round"`
	anOpening = `{"line":"open"`
	aHistory  = `{"line":"kept"`
	aRefusal  = `{"line":"refused"`
	aRotation = `{"line":"rotation"`
)

// plants are cheats in a capture without receipts, by the check that finds them.
var plants = map[string]struct {
	check string
	plant func(*planter)
}{
	"a round never ended":       {"form", dropStep},
	"a line of an unknown kind": {"form", func(p *planter) { p.change(p.find(0, `"line":"limits"`), "limits", "limit") }},
	"a line cut off":            {"form", func(p *planter) { p.change(p.find(0, `"line":"limits"`), `}\n$`, "\n") }},
	"a round without a nonce":   {"form history", func(p *planter) { p.change(p.find(0, aHistory), `"nonce":\d+,`, "") }},
	"changed rules":             {"rules", func(p *planter) { p.change(p.find(2, `"line":"rules"`), `"title":"Dice"`, `"title":"Die"`) }},
	"a changed return":          {"rules", func(p *planter) { p.change(p.find(2, `"line":"rules"`), `"rtp":{"default":{"ratio":"`, `${0}1`) }},
	"the next commitment changed": {"commitment", func(p *planter) {
		p.change(p.find(p.find(0, aRotation), `"line":"seed"`), `nextServerSeedHash":"\w+`, `nextServerSeedHash":"`+otherHash)
	}},
	"the active commitment changed": {"commitment", func(p *planter) {
		p.change(p.find(p.find(0, aRotation), `"line":"seed"`), `serverSeedHash":"\w+`, `serverSeedHash":"`+otherHash)
	}},
	"another seed revealed": {"commitment", func(p *planter) {
		p.change(p.find(p.find(0, aRotation)+1, aRotation), `"serverSeed":"\w+`, `"serverSeed":"`+otherHash)
	}},
	"another seed in the history":  {"commitment", func(p *planter) { p.change(p.find(0, aHistory), `"serverSeed":"\w+`, `"serverSeed":"`+otherHash) }},
	"the present seed as the next": {"commitment", presentAsNext},
	"a pair that wasn't promised": {"commitment", func(p *planter) {
		p.change(p.find(0, `"line":"seed"`), `nextServerSeedHash":"\w+`, `nextServerSeedHash":"`+otherHash)
	}},
	"another client seed": {"bound client seed outcome", func(p *planter) { p.change(p.find(0, aRotation), `"clientSeed":"\w`, `"clientSeed":"!`) }},
	"a client seed of the server's": {"client seed", func(p *planter) {
		p.change(p.find(0, aRotation), `"clientSeedSource":"player"`, `"clientSeedSource":"server"`)
	}},
	"a round by a server's seed": {"client seed", func(p *planter) {
		p.everywhere(p.find(0, aRound), `"clientSeedSource":"player"`, `"clientSeedSource":"server"`)
	}},
	"a round by a repeated seed": {"client seed", func(p *planter) {
		p.everywhere(p.find(0, aRound), `"clientSeedSource":"player"`, `"clientSeedSource":"repeated"`)
	}},
	"rounds that aren't counted": {"nonce", func(p *planter) {
		p.change(p.find(p.find(0, aRotation)+1, aRotation), `"rounds":(\d+)`, `"rounds":1$1`)
	}},
	"a pair that begins later": {"nonce", func(p *planter) { p.change(p.find(0, aRotation), `"nonce":0`, `"nonce":1`) }},
	"a commitment of another pair": {"asked bound", func(p *planter) {
		p.everywhere(p.find(0, aRound), `"serverSeedHash":"\w+`, `"serverSeedHash":"`+otherHash)
	}},
	"a client seed of another pair": {"bound", func(p *planter) { p.everywhere(p.find(0, aRound), `"clientSeed":"\w`, `"clientSeed":"!`) }},
	"a round that moves": {"bound", func(p *planter) {
		p.change(p.find(0, anOpening, `"status":"open"`), `"clientSeed":"\w`, `"clientSeed":"!`)
	}},
	"a seed shown early": {"hidden", func(p *planter) { p.change(p.find(0, aRound), `"serverSeed":null`, `"serverSeed":"`+otherHash+`"`) }},
	"a seed shown elsewhere": {"hidden", func(p *planter) {
		p.change(p.find(0, `"line":"seed"`), `"answered":{`, `${0}"serverSeed":"`+otherHash+`",`)
	}},
	"another wager":  {"asked", func(p *planter) { p.change(p.find(0, aRound), `"wager":(\d+),"expected`, `"wager":1$1,"expected`) }},
	"another config": {"asked", func(p *planter) { p.change(p.find(0, aRound, `"mines","config":{"mines"`), `"mines":`, `"mines":1`) }},
	"another default": {"asked", func(p *planter) {
		p.change(p.find(0, aRound, `"dice","config":{}`), `"config":{}`, `"config":{"target":51.00}`)
	}},
	"another bet by default": {"asked", func(p *planter) {
		p.change(p.find(0, aRound, `"roulette","config":{},`), `"config":{}`, `"config":{"bets":[{"type":"black","amount":10000}]}`)
	}},
	"another nonce than expected": {"asked", func(p *planter) { p.change(p.find(0, aRound), `"expectedNonce":`, `"expectedNonce":9999`) }},
	"another pair than expected": {"asked", func(p *planter) {
		p.change(p.find(0, anOpening), `"expectedServerSeedHash":"\w+`, `"expectedServerSeedHash":"`+otherHash)
	}},
	"another action": {"asked", func(p *planter) {
		p.change(p.find(0, `{"line":"step"`, `"asked":{"gameType":"blackjack"`), `"type":"\w+"`, `"type":"surrender"`)
	}},
	"a bound by another maxPayout": {"asked", func(p *planter) {
		p.change(p.find(0, anOpening, `"hilo"`), `"maxPayout":9000000`, `"maxPayout":9000001`)
	}},
	"another bound": {"asked bound", func(p *planter) {
		p.change(p.find(0, anOpening, `"hilo","rules"`), `("rules":"hilo/1".*?"config":{"maxMultiplier":)`, `${1}1`)
	}},
	"asked by somebody else": {"asked", func(p *planter) {
		p.change(p.find(0, anOpening, `"hilo","rules"`), `"asked":{("maxM[^}]*)?},"maxP`, `"asked":{"maxMultiplier":49},"maxP`)
	}},
	"a round backdated":  {"time", func(p *planter) { p.everywhere(p.find(0, aRound), `"createdAt":\d`, `"createdAt":2`) }},
	"another outcome":    {"outcome", func(p *planter) { p.everywhere(p.find(0, aRound, `"dice/1"`), `"roll":`, `"roll":1`) }},
	"another multiplier": {"outcome", func(p *planter) { p.everywhere(p.find(0, aRound), `"multiplier":`, `"multiplier":1`) }},
	"another card shown": {"outcome", func(p *planter) { p.change(p.find(0, anOpening, `"videopoker"`), `"dealt":\["\w+"`, `"dealt":["X"`) }},
	"a choice withheld":  {"outcome", func(p *planter) { p.change(p.find(0, anOpening, `"type":"hit"`), `{"action":{"type":"hit"}},`, ``) }},
	"a tile withheld":    {"outcome", func(p *planter) { p.change(p.find(0, anOpening, `"mines"`), `"enum":\[0,`, `"enum":[`) }},
	"another prize":      {"outcome", func(p *planter) { p.change(p.find(0, anOpening, `"hilo"`, `"type":"higher"`), `"prize":`, `"prize":1`) }},
	"another chance": {"outcome", func(p *planter) {
		p.change(p.find(0, anOpening, `"hilo"`, `"type":"higher"`), `"chance":"`, `"chance":"1`)
	}},
	"a void round":                   {"void", makeVoid},
	"another outcome in the history": {"history", func(p *planter) { p.change(p.find(0, aHistory, `"dice/1"`), `"roll":`, `"roll":1`) }},
	"another balance in the history": {"history", func(p *planter) { p.change(p.find(0, aHistory), `"balanceAfter":`, `"balanceAfter":1`) }},
	"a round missing in the history": {"history", func(p *planter) { at := p.find(0, aHistory); p.lines = slices.Delete(p.lines, at, at+1) }},
	"a round twice in the history":   {"history", func(p *planter) { at := p.find(0, aHistory); p.lines = slices.Insert(p.lines, at, p.lines[at]) }},
	"a balance that jumps":           {"balance history", func(p *planter) { p.change(p.find(0, aRound), `"balance":`, `"balance":1`) }},
	"a balance between pairs":        {"balance", func(p *planter) { p.change(p.find(p.find(0, aRound), `"line":"balance"`), `"balance":`, `"balance":1`) }},
}

// dropStep takes the end of a lost round away, of a game whose actions stake nothing.
func dropStep(p *planter) {
	at := p.find(0, `{"line":"step"`, `"payout":0,`)
	for strings.Contains(p.lines[at], `"blackjack"`) {
		at = p.find(at+1, `{"line":"step"`, `"payout":0,`)
	}
	id := roundID.FindStringSubmatch(p.lines[at])[1]
	p.lines = slices.DeleteFunc(p.lines, func(line string) bool {
		return strings.Contains(line, id) && (strings.HasPrefix(line, aHistory) || strings.Contains(line, `"outcome":`))
	})
}

// selections are refusals put into a capture of coin flips without receipts.
var selections = map[string]struct {
	check string
	plant func(*planter)
}{
	"winners refused at first":    {"selection", func(p *planter) { p.refuse(func(payout, wager int) bool { return payout > wager }) }},
	"all refused at first":        {"", func(p *planter) { p.refuse(func(int, int) bool { return true }) }},
	"winners unanswered at first": {"selection", func(p *planter) { p.refuse(func(payout, wager int) bool { return payout > wager }); p.unanswered() }},
	"winners refused again":       {"selection", refusedAgain},
}

// makeVoid makes a round void, with the balances that follow.
func makeVoid(p *planter) {
	at := p.find(0, aRound)
	wager, payout := ofBet.FindStringSubmatch(p.lines[at])[2], ofPayout.FindStringSubmatch(p.lines[at])[1]
	p.everywhere(at, `"payout":\d+,"multiplier":[\d.]+`, `"payout":`+wager+`,"multiplier":1`)
	p.everywhere(at, `"outcome":{.*?},"serverSeedHash"`, `"outcome":null,"serverSeedHash"`)
	shift := whole(p.T, wager) - whole(p.T, payout)
	earlier, own := strings.Join(p.lines[:at], ""), roundID.FindStringSubmatch(p.lines[at])[1]
	for i := at; i < len(p.lines); i++ {
		id := roundID.FindStringSubmatch(p.lines[i])
		if id != nil && strings.Contains(earlier, id[1]) {
			continue // it was played before
		}
		p.lines[i] = regexp.MustCompile(`"balance(\w*)":(\d+)`).ReplaceAllStringFunc(p.lines[i], func(balance string) string {
			name, amount, _ := strings.Cut(balance, ":")
			if id != nil && id[1] == own && name == `"balanceBefore"` {
				return balance
			}
			return fmt.Sprint(name, ":", whole(p.T, amount)+shift)
		})
	}
}

func whole(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	noError(t, err)
	return n
}

func presentAsNext(p *planter) {
	at := p.find(0, aRotation)
	seed := regexp.MustCompile(`"seed":{"serverSeedHash":"(\w+)"`).FindStringSubmatch(p.lines[at])[1]
	next := regexp.MustCompile(`"nextServerSeedHash":"(\w+)"`).FindStringSubmatch(p.lines[at])[1]
	p.change(at, next, seed)
}

var ofBet = regexp.MustCompile(`^{"line":"(?:round|open)","at":\d+,("player":\d+,"config":\d+,"asked":{.*?,"key":"[^"]*"}),"answered".*"wager":(\d+)`)
var ofPayout = regexp.MustCompile(`"payout":(\d+)`)

// refuse puts a refusal before each bet that paid so much.
func (p *planter) refuse(refuses func(payout, wager int) bool) {
	var all lines
	for _, line := range p.lines {
		asked, paid := ofBet.FindStringSubmatch(line), ofPayout.FindStringSubmatch(line)
		if asked != nil && paid != nil {
			if refuses(whole(p.T, paid[1]), whole(p.T, asked[2])) {
				all = append(all, `{"line":"refused","at":1,`+asked[1]+`,"status":400,"answered":{"code":"RATE_LIMITED"}}`+"\n")
			}
		}
		all = append(all, line)
	}
	p.lines = all
}

// unanswered makes the refusals that refuse made bets without an answer.
func (p *planter) unanswered() {
	for i, line := range p.lines {
		if before, found := strings.CutSuffix(line, `,"status":400,"answered":{"code":"RATE_LIMITED"}}`+"\n"); found {
			p.lines[i] = strings.Replace(before, `"refused"`, `"unanswered"`, 1) + "}\n"
		}
	}
}

// refusedAgain refuses each bet once, and winners twice.
func refusedAgain(p *planter) {
	p.refuse(func(payout, wager int) bool { return payout > wager })
	p.refuse(func(int, int) bool { return true })
}

// signedPlants are cheats in a capture with receipts.
var signedPlants = map[string]struct {
	check string
	plant func(*planter)
}{
	"a forged signature":          {"receipt", func(p *planter) { p.change(p.find(0, aRound), `"signature":"..`, `"signature":"AA`) }},
	"no receipt of a round":       {"receipt", func(p *planter) { p.change(p.find(0, aRound), `,"receipt":{.*`, "}}") }},
	"no receipt of a rotation":    {"receipt", func(p *planter) { p.change(p.find(0, aRotation), `,"receipt":{.*`, "}}") }},
	"a receipt of another round":  {"receipt", func(p *planter) { p.change(p.find(0, aRound), `"balance":(\d+),"time"`, `"balance":1$1,"time"`) }},
	"a receipt of something else": {"receipt", func(p *planter) { p.change(p.find(0, aRound), `"receipt":.*`, p.rest(aRotation, `"seed":{`)+"}}") }},
	"two histories":               {"receipt", func(p *planter) { p.sign(p.find(0, aRound), "text", `previous: \w+`, "previous: "+otherHash) }},
	"a block of another ledger":   {"receipt", func(p *planter) { p.sign(p.find(p.find(0, aRound)+1, aRound), "text", "ledger: the", "ledger: my") }},
	"a history other than signed": {"history receipt", func(p *planter) { p.change(p.find(0, aHistory, `"dice/1"`), `"roll":`, `"roll":1`) }},
	"a wallet of somebody else":   {"receipt", func(p *planter) { p.change(0, `"players":\["\w`, `"players":["!`); p.dropStatements() }},
	"a refusal unsigned":          {"refusal", func(p *planter) { p.change(p.find(0, aRefusal), `,"receipt":{.*`, "}}") }},
	"a refusal badly signed":      {"refusal", func(p *planter) { p.change(p.find(0, aRefusal), `"signature":"..`, `"signature":"AA`) }},
	"a refusal at another nonce":  {"refusal", func(p *planter) { p.signed(p.find(0, aRefusal), `nonce: `, "nonce: 1") }},
	"a refusal of another pair":   {"refusal", func(p *planter) { p.signed(p.find(0, aRefusal), `hash: \w+`, "hash: "+otherHash) }},
	"a refusal of another order":  {"refusal", func(p *planter) { p.signed(p.find(0, aRefusal), `order: \w+`, "order: "+otherHash) }},
	"a refusal by another code":   {"refusal", func(p *planter) { p.signed(p.find(0, aRefusal), `code: \w+`, "code: LIMIT_EXCEEDED") }},
	"a refusal by another reason": {"refusal", func(p *planter) { p.signed(p.find(0, aRefusal), `reason: \w+`, "reason: pace") }},
	"a refusal of another time":   {"refusal", func(p *planter) { p.signed(p.find(0, aRefusal), `time: \d`, "time: 9") }},
	"a refusal at a balance":      {"refusal", func(p *planter) { p.signed(p.find(0, aRefusal), `balance: `, "balance: 1") }},
	"a refusal of another prize":  {"refusal", func(p *planter) { p.signed(p.find(0, aRefusal), `could-pay: (\d+)`, "could-pay: 77777777") }},
	"a refusal by no figures": {"limits refusal", func(p *planter) {
		p.signed(p.find(0, aRefusal, `"config":{"mines":12,"picks"`), `max-payout: \d+\n`, "max-payout: 9223372036854775807\n")
	}},
	"limits never published":    {"limits", func(p *planter) { p.signed(p.find(0, aRefusal), `min-wager: \d+`, "min-wager: 9999") }},
	"limits unsigned":           {"limits", func(p *planter) { p.change(p.find(0, `"line":"limits"`), `,"receipt":{.*`, "}}") }},
	"limits other than signed":  {"limits", func(p *planter) { p.change(p.find(0, `"line":"limits"`), `"paceMs":0`, `"paceMs":1`) }},
	"limits of another time":    {"limits", func(p *planter) { p.signed(p.find(0, `"line":"limits"`), `time: \d`, "time: 9") }},
	"another debt":              {"solvency", func(p *planter) { p.change(p.find(0, `"line":"solvency"`), `"available":`, `"available":1`) }},
	"a debt left out":           {"solvency", func(p *planter) { p.change(p.find(0, `"line":"solvency"`), `"proofs":\[.*\]`, `"proofs":[]`) }},
	"a sum of somebody else":    {"solvency", func(p *planter) { p.change(p.find(0, `"line":"solvency"`), `"wallet":"\w`, `"wallet":"!`) }},
	"another history of blocks": {"solvency", otherHistory},
}

// otherHistory makes the head of a lane another block than that of the last receipt before. The
// newest block can be one without a receipt: of a settlement of the shared crash.
func otherHistory(p *planter) {
	at := p.find(0, `"line":"solvency"`)
	places := regexp.MustCompile(`block 3\\nlane: (\d+)\\nseq: (\d+)\\n`).FindAllStringSubmatch(strings.Join(p.lines[:at], ""), -1)
	last := places[len(places)-1]
	p.signed(at, `head: `+last[1]+`:\d+:\w+`, "head: "+last[1]+":"+last[2]+":"+otherHash)
}

// rest returns the last members of the first line with a text.
func (p *planter) rest(text, from string) string {
	p.Helper()
	_, rest, found := strings.Cut(p.lines[p.find(0, text)], from)
	if !found {
		p.Fatalf("%s has no %s", text, from)
	}
	return strings.TrimSuffix(strings.TrimSpace(from+rest), "}}")
}

// dropStatements leaves out what also names the wallet.
func (p *planter) dropStatements() {
	p.lines = slices.DeleteFunc(p.lines, func(line string) bool {
		return strings.HasPrefix(line, aRefusal) || strings.HasPrefix(line, `{"line":"solvency"`)
	})
}

// TestCheatsInCapturesAreFound plants one thing at a time, and has exactly the named checks find it.
func TestCheatsInCapturesAreFound(t *testing.T) {
	t.Parallel()
	honest := captured(t, everyKind)
	files, want := map[string]lines{}, map[string]string{}
	plant := func(name, check string, file lines, change func(*planter)) {
		p := &planter{t, file}
		change(p)
		files[name], want[name] = p.lines.ended(), check
	}
	for name, row := range plants {
		plant(name, row.check, honest.bare(), row.plant)
	}
	flips := captured(t, flipped).bare()
	for name, row := range selections {
		plant(name, row.check, slices.Clone(flips), row.plant)
	}
	for name, row := range signedPlants {
		plant(name, row.check, slices.Clone(honest), row.plant)
	}
	tampered := slices.Clone(honest)
	tampered[0] = strings.Replace(tampered[0], `"takenBy":"`, `"takenBy":"!`, 1)
	files["another line"], want["another line"] = tampered, "form"
	files["no end"], want["no end"] = honest[:len(honest)-1], "form"
	found, printed := checks(t, files)
	for name, check := range want {
		got := strings.Fields(strings.ReplaceAll(strings.ReplaceAll(found[name], "client seed", "client-seed"), ",", " "))
		slices.Sort(got)
		if expected := strings.Fields(strings.ReplaceAll(check, "client seed", "client-seed")); !slices.Equal(got, slices.Sorted(slices.Values(expected))) {
			t.Errorf("%s: found by %q, not %q\n%s", name, got, expected, printed[name][:min(1500, len(printed[name]))])
		}
	}
}
