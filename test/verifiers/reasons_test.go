package verifiers_test

import (
	"strings"
	"testing"
)

// ours is a round that its seeds decide.
const ours = `{"id":"1","provider":"casino","gameType":"dice","rules":"dice/1","config":{"target":50.00,"direction":"over"},` +
	`"serverSeed":"4f0cbd8d64f4f3b2c0f5a6d2e6f5a1c84c56fd9c9b6e1c3cbfe1e1b7e5a3c901",` +
	`"serverSeedHash":"43f4ead1721b88240c4ce15b215616a43536527030575db1736346029d38238e",` +
	`"clientSeed":"my seed","nonce":3,"outcome":{"roll":54.78},"multiplier":1.98,"wager":10000,"payout":19800}`

// but returns the round with some words replaced: old, new, old, new.
func but(t *testing.T, oldnew ...string) string {
	t.Helper()
	for i := 0; i < len(oldnew); i += 2 {
		if strings.Count(ours, oldnew[i]) != 1 {
			t.Fatalf("%q isn't in the round once", oldnew[i])
		}
	}
	return strings.NewReplacer(oldnew...).Replace(ours)
}

const (
	seedOfOurs = `"4f0cbd8d64f4f3b2c0f5a6d2e6f5a1c84c56fd9c9b6e1c3cbfe1e1b7e5a3c901"`
	hashOfOurs = `"43f4ead1721b88240c4ce15b215616a43536527030575db1736346029d38238e"`
	rollOfOurs = `{"roll":54.78}`
	paysOfOurs = `1.98,"wager":10000,"payout":19800`
	voids      = `1,"wager":10000,"payout":10000`
)

// TestReasons has one line for each reason why a round differs or can't be verified; "" is a
// round that is verified.
func TestReasons(t *testing.T) {
	t.Parallel()
	rows := []struct{ round, want string }{
		{ours, ""},
		{`{"round":` + ours + `,"more":1}`, ""},
		{but(t, `50.00`, `50`, `1.98`, `1.9800`, `54.78`, `54.780`), ""},
		{but(t, `{"target":50.00,"direction":"over"}`, `{}`), ""},
		{but(t, rollOfOurs, `null`, paysOfOurs, voids), "void"},
		{but(t, rollOfOurs, `null`, paysOfOurs, voids, `dice/1`, `dice/99`, `50.00`, `500`), "void"},
		{but(t, rollOfOurs, `null`), "multiplier payout"},
		{but(t, rollOfOurs, `null`, paysOfOurs, voids, `"43f4`, `"43f5`), "serverSeedHash"},
		{but(t, `"43f4`, `"43F4`), "serverSeedHash"},
		{but(t, `54.78`, `"54.78"`), "outcome"},
		{but(t, rollOfOurs, `{"roll":54.78,"more":null}`), "outcome"},
		{but(t, rollOfOurs, `{}`), "outcome"},
		{but(t, `1.98`, `1.98000000000000000000000000000000001`), "multiplier"},
		{but(t, `19800`, `19801`), "payout"},
		{but(t, paysOfOurs, `1.98,"wager":3037000500,"payout":6013260990`), ""},
		{but(t, paysOfOurs, `1.98,"wager":4611686018427387903,"payout":9131138316486228047`), ""},
		{but(t, paysOfOurs, `1.98,"wager":4611686018427387903,"payout":9131138316486228048`), "payout"},

		{but(t, seedOfOurs, `null`), "not revealed"},
		{but(t, rollOfOurs, `null`, paysOfOurs, voids, seedOfOurs, `null`), "not revealed"},
		{`{"provider":"pg","gameType":"slot","rules":null,"token":"t","wager":5,"payout":0,"multiplier":0,"config":null,"outcome":null,"serverSeedHash":null,"serverSeed":null,"clientSeed":null,"nonce":null}`, "a game provider has drawn"},
		{but(t, `dice/1`, `dice/99`), "rules: "},
		{but(t, `dice/1`, `limbo/1`), "rules: "},
		{but(t, `"gameType":"dice"`, `"gameType":"limbo"`), "rules: "},
		{but(t, `"rules":"dice/1"`, `"rules":null`), "malformed: rules "},
		{but(t, `50.00`, `1.98`), "config.target: pays less than 1.01"},
		{but(t, `50.00`, `50.001`), "config.target: must be a number from 0.01 to 99.99"},
		{but(t, `50.00`, `50.000`), "config.target: must be a number"},
		{but(t, `50.00`, `0`), "config.target: must be a number"},
		{but(t, `50.00`, `100`), "config.target: must be a number"},
		{but(t, `50.00`, `"50.00"`), "config.target: must be a number"},
		{but(t, `50.00`, `true`), "config.target: must be a number"},
		{but(t, `"over"`, `"Over"`), "config.direction: must be one of over, under"},
		{but(t, `"direction"`, `"way"`), "config: has no field"},
		{but(t, `{"target":50.00,"direction":"over"}`, `null`), "malformed: config "},
		{but(t, `"nonce":3`, `"nonce":3,"nonce":3`), "malformed: "},
		{but(t, `"nonce":3`, `"nonce":-1`), "malformed: nonce "},
		{but(t, `"nonce":3`, `"nonce":3.0`), "malformed: nonce "},
		{but(t, `"nonce":3`, `"nonce":true`), "malformed: nonce "},
		{but(t, `"nonce":3`, `"nonce":9223372036854775808`), "malformed: nonce "},
		{but(t, `"nonce":3,`, ``), "malformed: nonce is missing"},
		{but(t, `1.98`, `198e-2`), "malformed: "},
		{but(t, `1.98`, `NaN`), "malformed: "},
		{but(t, `1.98`, `null`), "malformed: multiplier "},
		{but(t, `"my seed"`, `""`), "malformed: clientSeed "},
		{but(t, `my seed`, `m\u0000y`), "malformed: clientSeed "},
		{but(t, `my seed`, `my\n`), "malformed: clientSeed "},
		{but(t, `my seed`, strings.Repeat(`a`, 65)), "malformed: clientSeed "},
		{but(t, seedOfOurs, strings.ToUpper(seedOfOurs)), "malformed: serverSeed "},
		{but(t, hashOfOurs, `null`), "malformed: serverSeedHash "},
		{but(t, rollOfOurs, `[]`), "malformed: outcome "},
		{but(t, `19800`, `19800.0`), "malformed: payout "},
		{but(t, `10000`, `-10000`), "malformed: wager "},
		{`[]`, "malformed: "}, {`no JSON`, "malformed: "}, {ours + ours, "malformed: "}, {"\xff", "malformed: "},
		{strings.Repeat("[", 100_000), "malformed: "}, {strings.Repeat("1", 10_000), "malformed: "},
	}
	var rounds [][]byte
	for _, row := range rows {
		rounds = append(rounds, []byte(row.round))
	}
	for i, got := range answers(t, rounds) {
		want, differs := rows[i].want, strings.Join(got.Differs, " ")
		refused := strings.HasPrefix(got.Error, want) && want != "" && !got.Verified
		if got.Void && differs == "" {
			differs = "void"
		}
		if verified := got.Error == "" && differs == want && got.Verified == (want == ""); !verified && !refused {
			t.Errorf("%.500s\n%+v, want %q", rows[i].round, got, want)
		}
	}
}

// TestWhatPeopleAreShown checks the exit codes and the output.
func TestWhatPeopleAreShown(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		round, printed, faults string
		code                   int
	}{
		{ours, "verified\ncompare the commitment with what was shown before the round: " + strings.Trim(hashOfOurs, `"`) + "\n", "", 0},
		{but(t, rollOfOurs, `{"roll":7}`, `19800`, `1`), `outcome: the round says {"roll":7}, its seeds decide {"roll":54.78}
payout: the round says 1, its seeds decide 19800
`, "", 1},
		{but(t, `"gameType":"dice"`, `"gameType":"hilo"`, `dice/1`, `hilo/1`, `{"target":50.00,"direction":"over"}`, `{"guesses":["higher","skip","lower"]}`,
			`"nonce":3`, `"nonce":5`, rollOfOurs, `{"cards":["10c","Qs","8s","4c"],"right":3}`, paysOfOurs, `0.00000001,"wager":10000,"payout":47802`),
			"multiplier: the round says 0.00000001, its seeds decide 16731/3500\n", "", 1},
		{but(t, seedOfOurs, `null`), "", "can't be verified: not revealed: its server seed is shown when the seeds are rotated\n", 2},
	} {
		printed, faults, code := python(t, []byte(row.round), "verify.py", "-")
		if string(printed) != row.printed || string(faults) != row.faults || code != row.code {
			t.Errorf("%s\n%s%s%d", row.round, printed, faults, code)
		}
	}
	for _, arguments := range [][]string{{"verify.py", "--help"}, {"verify.py", "no such file"}} {
		if printed, faults, code := python(t, nil, arguments...); code != 2 || len(printed) > 0 || len(faults) == 0 {
			t.Errorf("%v: %s%s%d", arguments, printed, faults, code)
		}
	}
}
