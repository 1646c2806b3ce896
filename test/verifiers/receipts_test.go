package verifiers_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/sharedcrash"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// A seat is a player at a service that gives receipts.
type seat struct {
	*testing.T
	casino *app.Casino
	api    http.Handler
	bearer string
	keys   []byte
	paid   [][]byte // the answers to a deposit, before and after it is final
	chain  *fakes.Chain
	clock  *fakes.Clock
	slots  *fakes.Beacons
	driver *sharedcrash.Driver
	// witness of the public log, which knows it
	witness *fakes.LogWitness
}

// ledgerID is as long as those of services.
const ledgerID = "the-ledger-0000-0000-0000-0000000000"

const solWagers = 1_000_000_000_000

func sit(t *testing.T) *seat {
	t.Helper()
	return sitAt(t, fakes.NewClock(fakes.Start), token.Terms{MinWager: 1, MaxWager: solWagers, MaxPayout: solWagers * 1000})
}

// sitAt opens a service with the limits of these terms.
func sitAt(t *testing.T, clock *fakes.Clock, limits token.Terms) *seat {
	t.Helper()
	terms := token.Terms{
		Mint: money.SOL, Symbol: "SOL", Decimals: 9, Program: token.System,
		MinDeposit: 1, MinWager: limits.MinWager, MaxWager: limits.MaxWager, MaxPayout: limits.MaxPayout,
		MinWithdrawal: 1, MaxWithdrawal: solWagers, TwoPersonAbove: token.NoTwoPerson, TwoPersonAbovePerDay: token.NoTwoPerson,
		PayoutCap: solWagers, PayoutCapPerHour: solWagers, BankrollShare: money.Ratio{Num: 1, Den: 1},
	}
	chain, store, slots := fakes.NewChain(terms), memory.New(), fakes.NewBeacons()
	games, err := fakes.HouseGames()
	noError(t, err)
	noError(t, store.Initialize(t.Context(), ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: ledgerID}))
	witness := fakes.NewLogWitness("witness.example/one")
	casino, err := app.New(app.Deps{
		LogWitnesses: []ports.LogWitness{witness},
		Store:        app.StoreOf(store), Chain: chain, Clock: clock, Entropy: fakes.NewEntropy(1),
		Sessions: fakes.NewSessions(clock, "example", time.Hour), Games: games, Tokens: token.NewBook(terms),
		Policy: rbac.DefaultPolicy(), Receipts: fakes.StatementSigner{}, AnchorChain: chain, AnchorPeriod: time.Hour,
		Settings: app.Settings{SolvencyKeep: time.Hour},
		Beacons:  slots, Crash: sharedcrash.Rules{Cap: 2_00, Betting: 2 * time.Second, Delay: 2, Window: 10, Length: 20},
	})
	noError(t, err)
	noError(t, casino.Deposits.BeginWatch(t.Context()))
	_, err = casino.Treasury.BookCapital(t.Context(), money.SOL, solWagers*100_000, "founding")
	noError(t, err)
	config := httpapi.Config{Limiter: fakes.NewLimiter(clock)}
	config.Limits.Writes = limit.Rule{Max: 1 << 20, Window: time.Minute}
	config.Limits.Changes, config.Limits.Public = config.Limits.Writes, config.Limits.Writes
	surface, err := httpapi.New(casino, config)
	noError(t, err)
	s := &seat{T: t, api: surface, casino: casino, chain: chain, clock: clock, witness: witness, slots: slots, driver: casino.Crash.Driver()}
	login, err := client.SignLogin(fakes.Key("alice"), clock.Now())
	noError(t, err)
	body, err := json.Marshal(login)
	noError(t, err)
	var session struct{ Token string }
	_, answer := s.ask(http.MethodPost, "/auth/login", string(body))
	noError(t, json.Unmarshal(answer, &session))
	s.bearer = session.Token
	_, s.keys = s.ask(http.MethodGet, "/public/keys", "")
	var published struct{ Log []string }
	noError(t, json.Unmarshal(s.keys, &published))
	witness.Add(someOrigin, published.Log...)
	chain.Fund(fakes.Wallet("alice"), money.SOL, solWagers*1000)
	paid := chain.Deposit(fakes.Wallet("alice"), money.SOL, solWagers*1000)
	claim := fmt.Sprintf(`{"signature": %q, "token": %q}`, paid, money.SOL)
	s.paid = append(s.paid, s.kept("/deposit", claim))
	chain.Finalize()
	s.paid = append(s.paid, s.kept("/deposit", claim))
	return s
}

func (s *seat) ask(method, path, body string) (int, []byte) {
	s.Helper()
	request := httptest.NewRequestWithContext(s.Context(), method, httpapi.BasePathDefault+path, strings.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+s.bearer)
	request.Header.Set("Prefer", "receipt")
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	recorded := httptest.NewRecorder()
	s.api.ServeHTTP(recorded, request)
	return recorded.Code, bytes.TrimSpace(recorded.Body.Bytes())
}

// kept returns an answer with its receipt; it fails the test without one.
func (s *seat) kept(path, body string) []byte {
	s.Helper()
	s.clock.Advance(time.Millisecond) // so that times of the same thing differ
	code, answer := s.ask(http.MethodPost, path, body)
	if code >= http.StatusMultipleChoices || !bytes.Contains(answer, []byte(`"receipt":`)) {
		s.Fatalf("%s %s: %d %s", path, body, code, answer)
	}
	return answer
}

// everything plays every game and does every other thing that has a receipt.
func (s *seat) everything(rounds int) (answers [][]byte) {
	answers = slices.Clone(s.paid)
	m := newMaker(s.T, 77, known(s.T))
	for _, g := range m.games {
		for made, tries := 0, 0; made < rounds; tries++ {
			r := m.decided(s.T, game.RoundInputs{GameType: g.Type(), Rules: g.Rules(), Config: m.config(s.T, g)})
			if sum := r.Config.Get("bets").Kind() == game.ListKind; !sum {
				r.Wager = r.Wager%1_000_000 + 1_000_000
			}
			body := fmt.Sprintf(`{"gameType": %q, "wager": %d, "token": %q, "config": %s}`, g.Type(), r.Wager, money.SOL, verifier.Text(r.Config))
			if code, answer := s.ask(http.MethodPost, "/play", body); code == http.StatusOK {
				answers = append(answers, answer)
				made++
			} else if tries > 500 { // bets of a config may be above the limits
				s.Fatalf("%s: %d %s", body, code, answer)
			}
		}
	}
	for _, g := range m.stepped {
		for range rounds {
			answers = append(answers, s.steps(g.Type())...)
		}
	}
	answers = append(answers, s.kept("/seed/rotate", `{"clientSeed": "my own"}`))
	answers = append(answers, s.steps("mines")...) // at the nonce 0
	withdrawn := fmt.Sprintf(`{"amount": 1000000, "token": %q, "destination": %q}`, money.SOL, fakes.Wallet("alice"))
	return append(answers, s.kept("/withdraw", withdrawn))
}

// pass lets time pass for the shared crash: a slot and its workers' steps come every 50 ms.
func (s *seat) pass(d time.Duration) error {
	for ; d > 0; d -= 50 * time.Millisecond {
		s.clock.Advance(50 * time.Millisecond)
		s.slots.Pass(1)
		_, err := s.driver.Step(s.Context())
		if _, answering := s.casino.Crash.AnswersWorker().Step(s.Context()); err != nil || answering != nil {
			return errors.Join(err, answering)
		}
	}
	return nil
}

// sharedCrash bets on a round of the shared crash, and cashes out by hand.
func (s *seat) sharedCrash() [][]byte {
	noError(s.T, s.pass(time.Second)) // the first round
	placed := s.kept("/crash/bets", fmt.Sprintf(`{"token": %q, "wager": 1000000, "cashOut": 1.5}`, money.SOL))
	var bet api.CrashBetAndBalance
	noError(s.T, json.Unmarshal(placed, &bet))
	for now := (api.CrashNews{Round: &api.CrashRound{}}); now.Round.StartedAt == 0 || now.Now < now.Round.StartedAt+1000; {
		noError(s.T, s.pass(100*time.Millisecond))
		_, answer := s.ask(http.MethodGet, "/crash", "")
		noError(s.T, json.Unmarshal(answer, &now))
	}
	return [][]byte{placed, s.kept("/crash/cashout", fmt.Sprintf(`{"bet": %q}`, bet.Bet.ID))}
}

type openRound struct {
	Round struct {
		ID, Status string
		Step       int
		Choices    []struct {
			Action map[string]any
			Fields struct{ Properties map[string]map[string]any }
		}
	}
}

// steps plays a round to its end with each of its choices in turn.
func (s *seat) steps(gameType string) [][]byte {
	return s.rounds(fmt.Sprintf(`{"gameType": %q, "wager": 1000, "token": %q}`, gameType, money.SOL), func(now openRound) int {
		return (now.Round.Step + 1) % len(now.Round.Choices)
	})
}

// rounds opens a round and plays it to its end. pick returns the index of the choice for each step.
func (s *seat) rounds(body string, pick func(openRound) int) (answers [][]byte) {
	answers = append(answers, s.kept("/rounds", body))
	for {
		var now openRound
		noError(s.T, json.Unmarshal(answers[len(answers)-1], &now))
		if now.Round.Status != "open" {
			return answers
		}
		choice := now.Round.Choices[pick(now)]
		for name, shape := range choice.Fields.Properties {
			choice.Action[name] = smallest(shape)
		}
		action, err := json.Marshal(choice.Action)
		noError(s.T, err)
		answers = append(answers, s.kept("/rounds/"+now.Round.ID+"/steps", fmt.Sprintf(`{"step": %d, "action": %s}`, now.Round.Step, action)))
	}
}

// smallest returns a value of a JSON schema.
func smallest(shape map[string]any) any {
	if all, ok := shape["enum"].([]any); ok {
		return all[0]
	}
	if shape["type"] == "array" {
		return []any{}
	}
	if least, ok := shape["minimum"]; ok {
		return least
	}
	return false
}

// verdicts runs the three verifiers on files of receipts; history may be nil.
func verdicts(t *testing.T, receipts, history [][]byte, keys []byte) verdict {
	t.Helper()
	return evidence{receipts: receipts, history: history, keys: keys}.verdict(t)
}

// history returns every page of GET /history.
func (s *seat) history() (pages [][]byte) {
	for cursor := ""; ; {
		code, page := s.ask(http.MethodGet, "/history?limit=100"+cursor, "")
		var read struct{ NextCursor *string }
		if err := json.Unmarshal(page, &read); code != http.StatusOK || err != nil {
			s.Fatalf("%d %s", code, page)
		}
		pages = append(pages, page)
		if read.NextCursor == nil {
			return pages
		}
		cursor = "&cursor=" + *read.NextCursor
	}
}

// The three verifiers verify what a service answers, over all games and kinds of things,
// and find that its history has the same.
func TestReceiptsAreVerified(t *testing.T) {
	t.Parallel()
	s := sit(t)
	shared, answers := s.sharedCrash(), s.everything(8)
	if got := verdicts(t, append(slices.Clone(answers), shared...), s.history(), s.keys); got.code != 0 || len(answers) < 200 {
		t.Errorf("%d receipts:\n%s", len(answers), got.printed)
	}
	// Receipts that are asked for later, beside their things.
	var beside [][]byte
	for _, answer := range [][]byte{s.paid[1], answers[len(s.paid)], answers[len(answers)-1]} {
		var thing struct{ Round, Transaction, Withdrawal struct{ ID string } }
		noError(t, json.Unmarshal(answer, &thing))
		code, proof := s.ask(http.MethodGet, "/history/"+thing.Round.ID+thing.Transaction.ID+thing.Withdrawal.ID+"/proof", "")
		if code != http.StatusOK {
			t.Fatalf("%d %s", code, proof)
		}
		before, _, _ := bytes.Cut(answer, []byte(`"receipt":`))
		beside = append(beside, slices.Concat(before, bytes.TrimPrefix(proof, []byte("{"))))
	}
	seed, proof := s.retiredPair(answers)
	beside = append(beside, fmt.Appendf(nil, `{"seed":%s,"receipt":%s}`, seed, proof))
	if got := verdicts(t, beside, nil, s.keys); got.printed != "4 of 4 receipts are verified\n" {
		t.Errorf("%s\n%s", got.printed, bytes.Join(beside, []byte("\n")))
	}
}

// uncovered are the members of answers that no receipt covers.
var uncovered = []string{
	"/balance", "/round/provider", "/round/serverSeed", "/round/status", "/round/step", "/round/createdAt", "/round/updatedAt",
	"/withdrawal/wallet", "/withdrawal/destinationIsOwner", "/withdrawal/status", "/withdrawal/approvals", "/withdrawal/signature", "/withdrawal/reason", "/withdrawal/note",
	"/withdrawal/createdAt", "/withdrawal/updatedAt", "/seed/nonce", "/seed/nextServerSeedHash",
	"/transaction/type", "/transaction/direction", "/transaction/status", "/transaction/destination", "/transaction/reason", "/transaction/createdAt",
	"/transaction/updatedAt", "/transaction/corrects", "/transaction/correctedBy",
}

// scalars returns the places of an answer's texts, numbers and words, by their pointers.
func scalars(t *testing.T, answer []byte) map[string][2]int {
	t.Helper()
	places := map[string][2]int{}
	decoder := jsontext.NewDecoder(bytes.NewReader(answer))
	for decoder.PeekKind() != 0 {
		before := decoder.InputOffset()
		kind := decoder.PeekKind()
		_, err := decoder.ReadToken()
		noError(t, err)
		parent, length := decoder.StackIndex(decoder.StackDepth())
		name := parent == '{' && length%2 == 1
		if !name && !strings.ContainsRune("{}[]", rune(kind)) {
			end := int(decoder.InputOffset())
			begin := int(before)
			for strings.ContainsRune(",: ", rune(answer[begin])) {
				begin++
			}
			places[string(decoder.StackPointer())] = [2]int{begin, end}
		}
	}
	return places
}

// changed returns another value of the same kind.
func changed(value string) string {
	switch {
	case value == "null":
		return `"null"`
	case value == "true":
		return "false"
	case value == "false":
		return "true"
	case value[0] == '"' && len(value) > 2 && value[1] != 'B':
		return `"B` + value[2:]
	case value[0] == '"':
		return `"C` + value[min(2, len(value)-1):]
	case value[len(value)-1] == '7':
		return value[:len(value)-1] + "8"
	default:
		return value[:len(value)-1] + "7"
	}
}

// Each value of an answer and its receipt is changed on its own: all three find it, for the
// same reason, or the receipt doesn't cover it and the manual says so.
func TestForgedReceiptsAreRefused(t *testing.T) {
	t.Parallel()
	s := sit(t)
	var forged [][]byte
	var pointers []string
	for i, answer := range append(s.sharedCrash(), s.everything(1)...) {
		places := scalars(t, answer)
		for _, pointer := range slices.Sorted(maps.Keys(places)) {
			at := places[pointer]
			value := changed(string(answer[at[0]:at[1]]))
			if strings.HasSuffix(pointer, "ultiplier") && value[0] != '"' { // proved to a billionth
				value = "1" + value
			}
			if strings.HasPrefix(pointer, "/revealed/") || slices.Contains(uncovered, pointer) && (pointer != "/round/createdAt" || bytes.Contains(answer, []byte(`"kind":"round.open"`))) {
				continue
			}
			forged = append(forged, slices.Concat(answer[:at[0]], []byte(value), answer[at[1]:]))
			pointers = append(pointers, fmt.Sprint(i, " ", pointer, " ", value))
		}
		changes := [][2]string{
			{`"path":"`, `"path":"` + strings.Repeat("A", 128)}, {`"path":"`, `"path":"AAAA`}, {`"path":"`, `"Path":"`}, {`"leaf":{`, `"leaf":[{`},
			{`"kid":`, `"Kid":`}, {`"receipt":`, `"Receipt":`}, {`"kind":"withdrawal"`, `"kind":"attempt"`},
		}
		for _, thing := range []string{"round", "bet", "withdrawal", "transaction", "seed"} {
			changes = append(changes, [2]string{`"` + thing + `":{`, `"no` + thing + `":{`})
		}
		changes = append(changes, [2]string{`"fields":["`, `"fields":["","`}, [2]string{`"fields":["`, `"fields":[1,"`}, [2]string{`"fields":[`, `"Fields":[`})
		for _, change := range changes {
			if !bytes.Contains(answer, []byte(change[0])) {
				continue
			}
			forged = append(forged, bytes.Replace(answer, []byte(change[0]), []byte(change[1]), 1))
			pointers = append(pointers, fmt.Sprint(i, " ", change[1]))
		}
	}
	got := verdicts(t, forged, nil, s.keys)
	lines := strings.Split(got.printed, "\n")
	if got.code != 1 || len(forged) < 200 || !strings.Contains(got.printed, fmt.Sprintf("\n0 of %d receipts", len(forged))) {
		for i, pointer := range pointers {
			if !strings.Contains(got.printed, fmt.Sprintf("receipt %d: ", i+1)) {
				t.Errorf("not found: %s", pointer)
			}
		}
	}
	reasons := map[string]int{}
	for _, line := range lines {
		if _, reason, found := strings.Cut(line, ": "); found {
			reasons[documentedFinding(t, reason)]++
		}
	}
	for _, finding := range documentedFindings(t) {
		several := strings.HasPrefix(finding, "text: ") || strings.HasPrefix(finding, "two histories: ") || strings.HasPrefix(finding, "history: ")
		if !several && reasons[finding] == 0 { // the others are those of TestContradictionsAreNamed
			t.Errorf("no receipt was refused for %q: %v", finding, reasons)
		}
	}
	t.Logf("%d forged receipts: %v", len(forged), reasons)
}

// documentedFindings returns the findings of the table in the manual.
func documentedFindings(t *testing.T) (findings []string) {
	t.Helper()
	page, err := os.ReadFile("../../docs/fairness/receipts.md")
	noError(t, err)
	_, table, _ := strings.Cut(string(page), "| finding | meaning |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	for row := range strings.Lines(table) {
		findings = append(findings, strings.Split(row, "`")[1])
	}
	return findings
}

var placeholder = regexp.MustCompile(`\b(MEMBER|ID|N)\b`)

// documentedFinding returns the row of the table that has a finding, and fails without one.
func documentedFinding(t *testing.T, found string) string {
	t.Helper()
	for _, finding := range documentedFindings(t) {
		if regexp.MustCompile("^" + placeholder.ReplaceAllString(finding, `[\w.-]+`) + "$").MatchString(found) {
			return finding
		}
	}
	t.Errorf("the manual doesn't have the finding %q", found)
	return ""
}

// Receipts of which each verifies show together that the service changed its history.
func TestContradictionsAreNamed(t *testing.T) {
	t.Parallel()
	s := sit(t)
	bet := fmt.Sprintf(`{"gameType": "dice", "wager": 1000, "token": %q, "config": {"target": 50.00, "direction": "over"}}`, money.SOL)
	answers := [][]byte{s.kept("/play", bet), s.kept("/play", bet)}
	history := s.history()
	var first struct {
		Round   struct{ ID string }
		Receipt struct{ Text, Signature string }
	}
	noError(t, json.Unmarshal(answers[0], &first))
	resigned := func(old, new string) []byte {
		text := strings.Replace(first.Receipt.Text, old, new, 1)
		signed, err := fakes.StatementSigner{}.SignText(text)
		noError(t, err)
		was, err := json.Marshal(first.Receipt.Text)
		noError(t, err)
		is, err := json.Marshal(text)
		noError(t, err)
		made := bytes.Replace(answers[0], was, is, 1)
		return bytes.Replace(made, []byte(first.Receipt.Signature), []byte(base64.StdEncoding.EncodeToString(signed.Signature)), 1)
	}
	for name, c := range map[string]struct {
		receipts, history [][]byte
		want              string
	}{
		"two headers":   {[][]byte{answers[0], resigned("epoch: ", "epoch: 1")}, nil, "receipts 1 and 2: two histories: they have different blocks for lane"},
		"no successor":  {[][]byte{resigned("epoch: ", "epoch: 1"), answers[1]}, nil, "does not follow the other"},
		"another text":  {[][]byte{resigned("casino receipt 1", "casino receipt 2")}, nil, "receipt 1: text: it is not the signed text of a block"},
		"a lost round":  {answers, [][]byte{[]byte(`{"rounds":[]}`)}, "receipt 1: history: round " + first.Round.ID + " is missing"},
		"wager":         {answers, replaced(history, `"wager":1000`, `"wager":1001`), " has another wager"},
		"config":        {answers, replaced(history, `"direction":"over"`, `"direction":"under"`), " has another config"},
		"outcome":       {answers, replaced(history, `"roll":`, `"Roll":`), " has another outcome"},
		"payout":        {answers, replaced(history, `"payout":`, `"payout":1`), " has another payout"},
		"seed":          {answers, replaced(history, `"nonce":`, `"nonce":1`), " has another nonce"},
		"void":          {answers, replaced(history, `"outcome":{`, `"outcome":null,"Outcome":{`), " has another void"},
		"all in order":  {answers, history, "2 of 2 receipts are verified"},
		"the other way": {answers, replaced(history, `"wager":1000`, `"wager":"1000"`), "2 of 2 receipts are verified"},
	} {
		got := verdicts(t, c.receipts, c.history, s.keys)
		for line := range strings.Lines(got.printed) {
			if _, finding, found := strings.Cut(strings.TrimSpace(line), ": "); found {
				documentedFinding(t, finding)
			}
		}
		if !strings.Contains(got.printed, c.want) || (got.code == 0) != strings.HasPrefix(c.want, "2 of 2") {
			t.Errorf("%s: %d\n%s", name, got.code, got.printed)
		}
	}
	other := bytes.Replace(s.keys, []byte(`"kid":"fake"`), []byte(`"kid":"other"`), 1)
	if got := verdicts(t, answers[:1], nil, other); !strings.Contains(got.printed, "receipt 1: key: no key for receipts has its name") {
		t.Errorf("another key: %s", got.printed)
	}
}

func replaced(lines [][]byte, old, new string) (all [][]byte) {
	for _, line := range lines {
		all = append(all, bytes.ReplaceAll(line, []byte(old), []byte(new)))
	}
	return all
}
