package httpapi_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
)

//go:generate go test -run ^TestEventsAreAsPublished$ -update .

const (
	eventSchemas  = "../../docs/events/v1"
	eventExamples = "testdata/events.json"
)

// Subjects of the examples.
const (
	someone   = wallet.Address("5FHwkrdxntdK24hgQU8qgBjn35Y1zwhz1GZwCkP2UJnM")
	someAdmin = wallet.Address("FuMZgtbW6GXLnxQNVr5vNUaShgGo2qAdyZQ6Yu7JdLMp")
	signature = "3AsdoALgZFuq2oUVWrDYhg2pNeaLJKPLf8hU2mQ6U8qJxeJ6hsrPVpMn9ma39DtfYCrDQSvngWRP8NnTpEhezJpE"
)

var (
	eventTime = time.Date(2026, 11, 23, 8, 30, 0, 250_000_000, time.UTC)
	asked     = eventTime.Add(-time.Minute)
)

// exampleOf returns an example event of a type.
func exampleOf(entry stream.Entry) stream.Event {
	e := stream.Event{
		ID: "0.4711.6", Type: entry.Type, Wallet: someone, Agent: "acme", At: eventTime, Order: stream.Order{Number: 4711, Position: 6},
	}
	e.Subject, e.Data = exampleData(entry)
	switch entry.Holds.(type) {
	case nil:
		e.Subject, e.Wallet, e.Agent = "2", "", ""
	case stream.Note, stream.Role, stream.Funds, stream.Alarm, stream.CrashRound:
		e.Wallet = ""
	}
	return e
}

func exampleData(entry stream.Entry) (subject string, data stream.Data) {
	switch entry.Holds.(type) {
	case stream.Settled:
		return "r-1", stream.Settled{Round: exampleRound(entry.Type == stream.RoundVoid)}
	case stream.CrashRound:
		r := exampleCrashRound()
		return r.Chain + "/1", stream.CrashRound{Round: r}
	case stream.Open:
		if entry.Type == stream.CrashBet || entry.Type == stream.CrashCashedOut {
			return "b-1", stream.Open{Open: exampleCrashBet(entry.Type == stream.CrashCashedOut)}
		}
		return "r-2", stream.Open{Open: exampleOpenRound(entry.Type == stream.RoundStepped)}
	case stream.Balance:
		return "r-1", stream.Balance{Token: money.SOL, Amount: 980_000, After: 10_980_000, Cause: stream.CauseRound, Of: "r-1"}
	case stream.Provided:
		return "t-1", stream.Provided{Transaction: seamless.Transaction{
			ID: "t-1", Ref: seamless.Ref{Connection: "goldapi", TxnID: "778", Provider: "PRAGMATIC", Game: "vs20doghouse"}, Kind: seamless.DebitCredit,
			GameType: "slot", Wallet: someone, Agent: "acme", Token: money.SOL, Bet: 1_000_000, Win: 250_000, Status: seamless.Taken,
			RoundID: "t-1", Balance: 9_250_000, At: eventTime,
		}}
	case stream.Deposit:
		return "d-1", stream.Deposit{Claim: exampleDeposit(entry.Type)}
	case stream.Withdrawal:
		return "w-1", stream.Withdrawal{Withdrawal: exampleWithdrawal(entry.Type)}
	case stream.Approval:
		return "q-1", stream.Approval{Approval: exampleApproval(entry.Type == stream.ApprovalDecided)}
	case stream.Alarm:
		return "m-1", stream.Alarm{Alarm: exampleAlarm(entry.Type)}
	case stream.Note:
		record := exampleRecord(entry.Type)
		return record.Target, stream.Note{Record: record}
	case stream.Role:
		record := exampleRecord(entry.Type)
		role := stream.Role{Record: record, Role: "finance", Agent: "acme"}
		if entry.Type == stream.RoleRevoked {
			role.Role, role.Agent = "", ""
		}
		return record.Target, role
	case stream.Funds:
		return "f-1", stream.Funds{ID: "f-1", Agent: "acme", Token: money.SOL, Amount: 5_000_000_000, Balance: 7_500_000_000, Reason: "invoice 12", By: someAdmin}
	}
	return examplePlayer(entry)
}

func exampleRound(void bool) bet.Round {
	round := bet.Round{
		ID: "r-1", Wallet: someone, Agent: "acme", GameType: "dice", Rules: "1", Token: money.SOL, Wager: 1_000_000, Payout: 1_980_000,
		Multiplier: money.Ratio{Num: 198, Den: 100}, Config: game.Object(game.Member{Name: "target", Value: game.Dec(5000, 2)}),
		Outcome: game.Object(game.Member{Name: "roll", Value: game.Dec(7614, 2)}), PairID: "p-1", Commitment: strings.Repeat("a1", 32),
		ClientSeed: "mine", ClientSource: fairness.FromPlayer, Nonce: 3, Balance: 10_980_000, At: eventTime,
	}
	if void {
		round.Void, round.Payout, round.Multiplier, round.Outcome = true, round.Wager, money.Ratio{Num: 1, Den: 1}, game.Value{}
	}
	return round
}

func exampleOpenRound(stepped bool) bet.Open {
	open := bet.Open{
		ID: "r-2", Wallet: someone, Agent: "acme", GameType: "blackjack", Rules: "1", Token: money.SOL, Wager: 1_000_000, Stake: 1_000_000,
		Config: game.Object(), PairID: "p-1", Commitment: strings.Repeat("a1", 32), ClientSeed: "mine", ClientSource: fairness.FromPlayer, Nonce: 4,
		Actions: game.List(), Shown: game.Object(game.Member{Name: "dealer", Value: game.List(game.Text("9S"))}),
		Choices:       game.List(game.Object(game.Member{Name: "action", Value: game.Object(game.Member{Name: "type", Value: game.Text("hit")})})),
		MaxMultiplier: money.Ratio{Num: 8, Den: 1}, Exposure: 8_000_000, OpenedAt: asked, TouchedAt: asked,
	}
	if stepped {
		open.Actions, open.TouchedAt = game.List(game.Object(game.Member{Name: "type", Value: game.Text("hit")})), eventTime
	}
	return open
}

func exampleCrashRound() crash.Round {
	return crash.Round{
		Chain: "2026-1", Number: 1, Status: crash.Crashed, Cap: 100_00, Previous: strings.Repeat("a1", 32), Above: 379_999_000, OpenedAt: asked,
		Stopped: true, Closing: "casino crash round 1\n…", Height: 380_000_032, Salt: "solana:380000033:EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N",
		BeaconHeight: 380_000_033, StartedAt: asked.Add(30 * time.Second), Hash: strings.Repeat("b2", 32), Point: 502,
	}
}

func exampleCrashBet(cashedOut bool) bet.Open {
	open := exampleCrashRound().Open(crash.Bet{ID: "b-1", Wallet: someone, Token: money.SOL, Wager: 1_000_000, Auto: 250}, "acme", money.Max, asked)
	if cashedOut {
		open = crash.WithCashOut(open, crash.CashOut{Bet: "b-1", Received: eventTime, Multiplier: 116}, eventTime)
	}
	return open
}

func exampleDeposit(as stream.Type) deposit.Claim {
	_, status, _ := strings.Cut(string(as), ".")
	claim := deposit.Claim{
		ID: "d-1", Wallet: someone, Ref: deposit.Ref{Signature: signature, Token: money.SOL}, Status: deposit.Status(status), CreatedAt: asked, UpdatedAt: eventTime,
	}
	switch claim.Status {
	case deposit.Credited:
		claim.Amount = 2_000_000_000
	case deposit.Review, deposit.Rejected:
		claim.Amount, claim.Reason = 2_000_000_000, "the transaction was sent by another wallet"
	}
	return claim
}

func exampleWithdrawal(as stream.Type) withdrawal.Withdrawal {
	w := withdrawal.Withdrawal{
		ID: "w-1", Wallet: someone, Token: money.SOL, Amount: 1_500_000_000, Destination: string(someone), Status: withdrawal.Approved,
		CreatedAt: asked, UpdatedAt: eventTime, Approvals: []withdrawal.Approval{{By: someAdmin, At: eventTime, Needed: 1}},
	}
	switch as {
	case stream.WithdrawalRequested:
		w.Status, w.Approvals, w.UpdatedAt = withdrawal.Pending, nil, asked
	case stream.WithdrawalVoted:
		w.Status = withdrawal.Pending
	case stream.WithdrawalHindered:
		w.Reason = withdrawal.HinderedReason("the destination is no account of the token")
	case stream.WithdrawalSending, stream.WithdrawalCompleted:
		w.Attempt, w.Signature, w.Status = 1, signature, withdrawal.Sending
		if as == stream.WithdrawalCompleted {
			w.Status = withdrawal.Completed
		}
	case stream.WithdrawalExpired:
		w.Attempt, w.Signature = 1, signature
	case stream.WithdrawalFailed:
		w.Attempt, w.Signature, w.Status, w.Approvals, w.Reason = 1, signature, withdrawal.Failed, nil, "the destination account is frozen"
	case stream.WithdrawalRejected:
		w.Status, w.Reason = withdrawal.Rejected, "the destination is another player's"
	case stream.WithdrawalCancelled:
		w.Status, w.Approvals = withdrawal.Cancelled, nil
	}
	return w
}

func exampleAlarm(as stream.Type) alarm.Alarm {
	a := alarm.Raise("m-1", alarm.WebhookDisabled, "e-1", []alarm.Fact{{Name: "agent", Value: "acme"}, {Name: "reason", Value: "failing"}}, asked)
	if as != stream.AlarmRaised {
		a.AcknowledgedBy, a.AcknowledgedAt, a.Note = someAdmin, eventTime, "acme was called"
	}
	if as == stream.AlarmCleared {
		a.ClearedAt = eventTime
	}
	return a
}

func exampleApproval(decided bool) approval.Approval {
	a := approval.Approval{
		ID: "q-1", Request: approval.Request{Kind: approval.Adjustment, Wallet: someone, Token: money.SOL, Amount: 9_000_000_000, Reason: "goodwill"},
		Agent: "acme", By: someAdmin, Status: approval.Open, CreatedAt: asked, ExpiresAt: asked.Add(approval.OpenTime),
	}
	if decided {
		a.Status, a.DecidedBy, a.DecidedAt = approval.Approved, "BPFLoaderUpgradeab1e11111111111111111111111", eventTime
	}
	return a
}

// exampleRecord returns a record that is published as an event of a type.
func exampleRecord(as stream.Type) audit.Record {
	record := audit.Record{ID: "a-1", By: someAdmin, Target: "acme", Before: "before", After: "after", At: eventTime, RequestID: "8d0c5c6ad4f0"}
	for _, action := range audit.Actions() {
		if announced, _ := stream.Recorded(action); announced == as {
			record.Action = action
		}
	}
	return record
}

func examplePlayer(entry stream.Entry) (subject string, data stream.Data) {
	switch entry.Holds.(type) {
	case stream.Rotated:
		return "p-1", stream.Rotated{
			Retired: fairness.PairState{ID: "p-1", Commitment: strings.Repeat("a1", 32), ClientSeed: "mine", ClientSource: fairness.FromPlayer, Rounds: 5},
			Next:    fairness.PairState{ID: "p-2", Commitment: strings.Repeat("b2", 32), ClientSeed: "other", ClientSource: fairness.FromPlayer},
		}
	case stream.Session:
		return string(someone), stream.Session{IssuedAt: eventTime, Until: eventTime.Add(24 * time.Hour)}
	case stream.SessionsEnd:
		return string(someone), stream.SessionsEnd{From: eventTime}
	case stream.Player:
		p := stream.Player{Agent: "acme", CreatedAt: asked, By: someAdmin, Record: "a-1"}
		switch entry.Type {
		case stream.PlayerCreated:
			p.By, p.Record = "", ""
		case stream.PlayerLimited:
			p.By = someone
			p.Protection.Limits = []protection.Limit{{Kind: protection.Wager, Period: protection.Day, Token: money.SOL, Amount: 5_000_000, From: eventTime}}
		case stream.PlayerExcluded:
			p.Protection.ExcludedUntil = eventTime.AddDate(0, 1, 0)
		case stream.PlayerCooledOff:
			p.By, p.Protection.CoolOffUntil = someone, eventTime.Add(time.Hour)
		case stream.PlayerFrozen:
			p.Protection.Frozen = true
		case stream.PlayerRebound:
			p.From = "house"
		}
		return string(someone), p
	}
	return "", nil
}

// TestEventsAreAsPublished makes an example of every type, as seen by an admin and by its
// player. It compares both with the schema of the type, the schemas with the Go types, and
// the examples with the published ones.
func TestEventsAreAsPublished(t *testing.T) {
	t.Parallel()
	var examples []any
	var files []string
	for _, entry := range stream.Catalogue() {
		e := exampleOf(entry)
		shown := httpapi.EventOf("0190f6e2", e)
		file := filepath.Join(eventSchemas, string(entry.Type)+".json")
		files = append(files, filepath.Base(file))
		same(t, file, encoded(t, schemaOf(shown.Type, shown.DataSchema, reflect.TypeOf(shown.Data))))
		schema, err := jsonschema.NewCompiler().Compile(file)
		if err != nil {
			t.Fatal(err)
		}
		valid(t, schema, shown.Data)
		example := map[string]any{"event": shown}
		if own, theirs := e.Own(someone); theirs {
			heard := httpapi.EventOf("0190f6e2", own)
			valid(t, schema, heard.Data)
			example["ownData"] = heard.Data
			if text := string(encoded(t, heard)); strings.Contains(text, string(someAdmin)) || strings.Contains(text, "acme") {
				t.Errorf("a player hears of an admin or an agent: %s", text)
			}
		} else if entry.Audience != stream.Admins {
			t.Errorf("nobody hears %s", entry.Type)
		}
		examples = append(examples, example)
	}
	same(t, eventExamples, encoded(t, examples))
	published, err := filepath.Glob(eventSchemas + "/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range published {
		if !slices.Contains(files, filepath.Base(file)) {
			t.Errorf("%s is of no event", file)
		}
	}
}

// TestTheCatalogueIsDocumented compares the documented table of types with the catalogue.
func TestTheCatalogueIsDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/events.md")
	if err != nil {
		t.Fatal(err)
	}
	audiences := map[stream.Audience]string{stream.Admins: "admins", stream.Owner: "player", stream.Everybody: "everybody"}
	documented := regexp.MustCompile("(?m)^\\| `([a-z]+\\.[a-z_]+)` \\| ([a-z]+) \\|").FindAllStringSubmatch(string(page), -1)
	var want, got []string
	for _, e := range stream.Catalogue() {
		want = append(want, string(e.Type)+" "+audiences[e.Audience])
	}
	for _, row := range documented {
		got = append(got, row[1]+" "+row[2])
	}
	if !slices.Equal(got, want) {
		t.Errorf("docs/events.md has\n%s\nthe catalogue\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestTheAuditActionsAreDocumented compares the documented audit actions and their events with the
// catalogue.
func TestTheAuditActionsAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/events.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## Audit actions\n")
	_, section, _ = strings.Cut(section, "an event of the same name: ")
	same, others, _ := strings.Cut(section, ". The others:")
	var want, got []string
	for _, action := range audit.Actions() {
		as, instead := stream.Recorded(action)
		want = append(want, string(action)+" "+string(as+instead))
	}
	for _, row := range regexp.MustCompile("`([a-z._]+)`").FindAllStringSubmatch(same, -1) {
		got = append(got, row[1]+" "+row[1])
	}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z._]+)` \\| `([a-z._]+)` \\|").FindAllStringSubmatch(others, -1) {
		got = append(got, row[1]+" "+row[2])
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("docs/events.md has\n%s\nthe catalogue\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// valid checks data against its schema, and that the schema rejects data without a field.
func valid(t *testing.T, schema *jsonschema.Schema, data any) {
	t.Helper()
	read, err := jsonschema.UnmarshalJSON(bytes.NewReader(encoded(t, data)))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(read); err != nil {
		t.Errorf("%v of %s", err, encoded(t, data))
	}
	members := read.(map[string]any)
	for name := range members {
		if schema.Properties[name] == nil {
			t.Errorf("%s: the schema doesn't know %s", schema.Location, name)
		}
	}
	for _, name := range schema.Required {
		was := members[name]
		delete(members, name)
		if schema.Validate(read) == nil {
			t.Errorf("%s: nobody misses %s", schema.Location, name)
		}
		members[name] = was
	}
}

func encoded(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

// same compares a file with its expected content, or writes it.
func same(t *testing.T, file string, want []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, want, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s (%v) is not what events are: go generate ./adapters/httpapi", file, err)
	}
}

func TestTheEncoderConforms(t *testing.T) {
	t.Parallel()
	conformance.EventEncoder(t, func(*testing.T) ports.EventEncoder { return httpapi.EventEncoder{} })
}

// TestWhatIsSentIsTheSameFromEveryPlace: a receiver gets the same event from any starting
// position.
func TestWhatIsSentIsTheSameFromEveryPlace(t *testing.T) {
	t.Parallel()
	for _, entry := range stream.Catalogue() {
		e := exampleOf(entry)
		first, err := httpapi.EventEncoder{}.EncodeEvent("0190f6e2", e)
		e.Cursor = stream.Cursor{Epoch: 1, Marks: []stream.Mark{{Lane: 3, Seq: 9}}}
		again, err2 := httpapi.EventEncoder{}.EncodeEvent("0190f6e2", e)
		shown, err3 := json.Marshal(httpapi.EventOf("0190f6e2", exampleOf(entry)), json.Deterministic(true))
		if err := errors.Join(err, err2, err3); err != nil || !bytes.Equal(first, again) || !bytes.Equal(first, shown) {
			t.Errorf("%s is %s, then %s, shown as %s: %v", entry.Type, first, again, shown, err)
		}
	}
}
