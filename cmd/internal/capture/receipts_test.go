package capture_test

import (
	"context"
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/cmd/internal/capture"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
)

// resigned changes the text of an answer's receipt, and signs it with the house's key.
func resigned(of object, change func(text string) string) {
	of.within("receipt", func(r object) {
		signed, err := fakes.StatementSigner{}.SignText(change(r.text("text")))
		if err != nil {
			panic(err)
		}
		r.set("text", signed.Text)
		r.set("signature", base64.StdEncoding.EncodeToString(signed.Signature))
	})
}

// replaceIn replaces a part of every receipt of an ended round.
func replaceIn(old, with string) func() house {
	return func() house {
		return house{between: answering(func(e exchange) {
			if e.call == "POST /play" {
				resigned(e.body, func(text string) string { return strings.Replace(text, old, with, 1) })
			}
		})}
	}
}

// receiptCheats are answers that the house signed otherwise.
var receiptCheats = map[string]cheat{
	"a rotation has no receipt": {found: "receipt", says: "no receipt", house: func() house {
		return house{between: answering(func(e exchange) {
			if e.call == "POST /seed/rotate" {
				delete(e.body, "receipt")
			}
		})}
	}},
	"rounds have receipts of another ledger": {found: "receipt", says: "others are of", house: replaceIn("ledger: ", "ledger: not ")},
	"blocks are signed twice":                {found: "receipt", says: "two histories: the block", house: replaceIn("\nepoch: ", "\nepoch: 1")},
	"a round has the receipt of a pair": {found: "receipt", says: "of the kind", house: func() house {
		pair := object{}
		return house{between: answering(func(e exchange) {
			switch e.call {
			case "POST /seed/rotate":
				pair = e.body
			case "POST /play":
				e.body["seed"], e.body["receipt"] = pair["seed"], pair["receipt"]
			}
		})}
	}},
	"the history has another payout than the receipt": {found: "receipt", says: "another payout", house: func() house {
		return house{between: answering(func(e exchange) {
			if strings.HasPrefix(e.call, "GET /history/") {
				e.body.within("round", func(r object) { r.set("payout", r.number("payout")+1) })
			}
		})}
	}},
	"a client seed is repeated": {found: "client seed", says: "proves nothing", house: func() house {
		return house{between: answering(func(e exchange) {
			if e.call == "POST /play" {
				e.body.within("round", func(r object) { r.set("clientSeedSource", "repeated") })
			}
		})}
	}},
	"a bet is played of another pair than expected": {found: "asked", says: "the bet was for the pair", house: func() house {
		return house{between: rounds(func(r object) { r.set("serverSeedHash", strings.Repeat("ab", 32)) })}
	}},
	"a bet is played at another nonce than expected": {found: "asked", says: "the bet was for the nonce", house: func() house {
		return house{between: rounds(func(r object) {
			if n := r.number("nonce"); n >= 3 {
				r.set("nonce", n+1)
			}
		})}
	}},
}

// stated captures a few rounds, with a proof of solvency at the end.
func stated(t *testing.T, between func(exchange)) capture.Report {
	t.Helper()
	var snapshot func(context.Context) (bool, error)
	file, _ := house{snapshot: &snapshot, between: answering(between)}.taken(t, 1, func(p *capture.Plan) {
		p.Games, p.Rounds = []string{"dice"}, 20
		p.Watch = func(done, of int) {
			if done == of {
				if worked, err := snapshot(t.Context()); err != nil || !worked {
					t.Error(worked, err)
				}
			}
		}
	})
	return checked(t, file)
}

// TestProofsOfSolvencyAreChecked has an honest house, and ones that state too little.
func TestProofsOfSolvencyAreChecked(t *testing.T) {
	t.Parallel()
	if report := stated(t, func(exchange) {}); !report.Clean || report.Checks["solvency"] != 1 {
		t.Errorf("%v, %+v", report.Checks, report.Findings)
	}
	for says, change := range map[string]func(exchange){
		"doesn't hold": func(e exchange) { e.body.set("salt", strings.Repeat("0", 64)) },
		"that it owes": func(e exchange) { e.body.set("proofs", []object{}) },
		"of the wallet": func(e exchange) {
			e.body.set("wallet", fakes.Wallet("other"))
			e.body.set("proofs", []object{})
		},
	} {
		report := stated(t, func(e exchange) {
			if e.call == "GET /account/solvency" {
				change(e)
			}
		})
		if !slices.ContainsFunc(report.Findings, func(f capture.Finding) bool { return f.Check == "solvency" && strings.Contains(f.Text, says) }) {
			t.Errorf("%s: %+v", says, report.Findings)
		}
	}
}

// TestReceiptsWithoutWalletsAreLeftOut captures as a player whose wallet isn't known.
func TestReceiptsWithoutWalletsAreLeftOut(t *testing.T) {
	t.Parallel()
	file := edited(t, honest(t), func(lines []capture.Line) []capture.Line {
		lines[0].Capture.Players[0] = ""
		return lines
	})
	if report := checked(t, file); !report.Clean || report.Checks["receipt"] != 0 || report.UnknownWallets != 1 {
		t.Errorf("%v, %d, %+v", report.Checks, report.UnknownWallets, report.Findings)
	}
}

// TestKeysThatAreNotShownAreSaid takes the keys away: no receipt can be checked, and the report
// says so.
func TestKeysThatAreNotShownAreSaid(t *testing.T) {
	t.Parallel()
	keys := func(l capture.Line) bool { return l.Line == "keys" }
	file := edited(t, honest(t), func(lines []capture.Line) []capture.Line { return slices.DeleteFunc(lines, keys) })
	report := checked(t, file)
	var printed strings.Builder
	if err := report.Print(&printed); err != nil || report.Checks["receipt"] != 0 || !strings.Contains(printed.String(), "not checked: receipts, signed refusals") {
		t.Errorf("%v, %v\n%s", err, report.Checks, printed.String())
	}
}

// TestAVoidRoundEndsItsPair has some wins made void, as by a broken game: nothing else is
// found, and what the bets would have paid is by the seeds of their own pair.
func TestAVoidRoundEndsItsPair(t *testing.T) {
	t.Parallel()
	file, summary := house{games: playing("dice", func(p game.Plan, wager money.Amount, draws game.Draws) game.Result {
		result := p.Play(draws)
		if wager >= 100_000 && result.Multiplier.Num > result.Multiplier.Den {
			panic("a win")
		}
		return result
	})}.taken(t, 1, func(p *capture.Plan) { p.Games, p.Rounds = []string{"dice"}, 200 })
	report := checked(t, file)
	if checks := onlyBy(report); !slices.Equal(checks, []string{"void"}) || summary.Stopped != "" || len(report.Declined) != 1 || report.Pairs != summary.Pairs {
		t.Fatalf("%v, %s, %+v", checks, summary.Stopped, report.Findings)
	}
	if d := report.Declined[0]; d.Bets < 5 || d.Won != d.Bets {
		t.Errorf("%+v", d)
	}
}
