package withdrawal_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/withdrawal"
)

//go:generate go test -run ^TestStatesAreDrawnFromTheTable$ -update .

var update = flag.Bool("update", false, "write states.md anew")

// wants repeats the state machine: rows are states, columns events.
const wants = `
           approve   reject    cancel     sign     finalize   fail    expire    prove
pending    approved  rejected  cancelled  -        -          -       -         completed
approved   -         rejected  cancelled  sending  -          -       -         completed
sending    -         -         -          -        completed  failed  approved  completed
completed  -         -         -          -        -          -       -         -
failed     approved  rejected  -          -        -          -       -         completed
rejected   -         -         -          -        -          -       -         -
cancelled  -         -         -          -        -          -       -         -
`

func TestTheMachineIsThisAndNothingElse(t *testing.T) {
	t.Parallel()
	lines := strings.Split(strings.TrimSpace(wants), "\n")
	events := strings.Fields(lines[0])
	if len(events) != len(withdrawal.Events()) || len(lines)-1 != len(withdrawal.Statuses()) {
		t.Fatalf("the table here has %d events and %d states", len(events), len(lines)-1)
	}
	for i, line := range lines[1:] {
		fields := strings.Fields(line)
		from := withdrawal.Status(fields[0])
		if from != withdrawal.Statuses()[i] {
			t.Fatalf("row %d is of %s, not %s", i, from, withdrawal.Statuses()[i])
		}
		for j, event := range events {
			to, ok := from.Next(withdrawal.Event(event))
			if want := fields[j+1]; ok != (want != "-") || ok && string(to) != want {
				t.Errorf("%s on %s is %q, %v; want %s", from, event, to, ok, want)
			}
		}
	}
}

func TestNothingLeavesAnEndAndEverythingElseHoldsMoney(t *testing.T) {
	t.Parallel()
	for _, s := range withdrawal.Statuses() {
		leaves := false
		for _, e := range withdrawal.Events() {
			_, ok := s.Next(e)
			leaves = leaves || ok
		}
		if s.Open() != leaves {
			t.Errorf("%s: open %v, can go on %v: held money must have a way out, spent money none", s, s.Open(), leaves)
		}
	}
	if withdrawal.Status("").Open() {
		t.Error("no state holds money")
	}
}

// TestStatesAreDrawnFromTheTable compares states.md with the table; go generate writes
// it.
func TestStatesAreDrawnFromTheTable(t *testing.T) {
	t.Parallel()
	drawn := draw()
	if *update {
		if err := os.WriteFile("states.md", []byte(drawn), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile("states.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(kept) != drawn {
		t.Error("states.md is stale: go generate ./domain/withdrawal")
	}
}

// causes describes the cause of each event.
var causes = map[withdrawal.Event]string{
	withdrawal.Approve:  "an admin approves, or the second of two does",
	withdrawal.Reject:   "an admin rejects; the money goes back",
	withdrawal.Cancel:   "the player cancels; the money goes back",
	withdrawal.Sign:     "the payout worker stored a signed transaction",
	withdrawal.Finalize: "the transaction is finalized; the money has left",
	withdrawal.Fail:     "the transaction is finalized with an error; the money stays held",
	withdrawal.Expire:   "the transaction is proved dead: it can never land",
	withdrawal.Prove:    "the chain shows that another transaction of the treasury's paid it",
}

func draw() string {
	var b strings.Builder
	b.WriteString("<!-- Generated from the table in state.go by go generate. DO NOT EDIT. -->\n")
	b.WriteString("# The states of a withdrawal\n\n```mermaid\nstateDiagram-v2\n    [*] --> pending: requested, the money is held\n")
	for _, from := range withdrawal.Statuses() {
		for _, event := range withdrawal.Events() {
			if to, ok := from.Next(event); ok {
				fmt.Fprintf(&b, "    %s --> %s: %s\n", from, to, event)
			}
		}
	}
	for _, s := range withdrawal.Statuses() {
		if !s.Open() {
			fmt.Fprintf(&b, "    %s --> [*]\n", s)
		}
	}
	b.WriteString("```\n\n| from | event | to | when |\n|---|---|---|---|\n")
	for _, from := range withdrawal.Statuses() {
		for _, event := range withdrawal.Events() {
			if to, ok := from.Next(event); ok {
				cause := causes[event]
				if from == withdrawal.Approved && event == withdrawal.Cancel {
					cause = "the player cancels what is hindered for good (it can never be paid as it was requested); the money goes back"
				}
				fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", from, event, to, cause)
			}
		}
	}
	b.WriteString("\nWhat isn't here can't happen. A first approval of two leaves a withdrawal as it is.\n")
	return b.String()
}
