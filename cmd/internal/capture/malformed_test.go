package capture_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/cmd/internal/capture"
)

// first returns an edit of the first line of a kind.
func first(kind string, change func(*capture.Line)) func([]capture.Line) []capture.Line {
	return func(lines []capture.Line) []capture.Line {
		change(&lines[slices.IndexFunc(lines, func(l capture.Line) bool { return l.Line == kind })])
		return lines
	}
}

// unreadable replaces an answer by an invalid one.
func unreadable(l *capture.Line) { l.Answered = jsontext.Value(`[]`) }

// before moves the first line of a kind before that of another.
func before(moved, other string) func([]capture.Line) []capture.Line {
	return func(lines []capture.Line) []capture.Line {
		at := slices.IndexFunc(lines, func(l capture.Line) bool { return l.Line == moved })
		line := lines[at]
		lines = slices.Delete(lines, at, at+1)
		return slices.Insert(lines, slices.IndexFunc(lines, func(l capture.Line) bool { return l.Line == other }), line)
	}
}

// TestLinesThatMakeNoSenseAreFound expects a finding with a text for each.
func TestLinesThatMakeNoSenseAreFound(t *testing.T) {
	t.Parallel()
	for says, edit := range map[string]func([]capture.Line) []capture.Line{
		"has no player 9":                   first("round", func(l *capture.Line) { l.Player = 9 }),
		`the kind "sermon" are unknown`:     first("kept", func(l *capture.Line) { l.Line = "sermon" }),
		"the first line is not that":        first("capture", func(l *capture.Line) { l.Line = "rules" }),
		"the balance can't be read":         first("balance", unreadable),
		"the seed can't be read":            first("seed", unreadable),
		"the rotation can't be read":        first("rotation", unreadable),
		"the round can't be read":           first("round", unreadable),
		"the round of the history can't be": first("kept", unreadable),
		"the published games can't be read": first("rules", unreadable),
		"what the config returns can't be":  first("config", unreadable),
		"a config without a unique number":  first("config", func(l *capture.Line) { l.Config = 2 }),
		"of no config of the capture":       first("round", func(l *capture.Line) { l.Config = 99 }),
		"comes before a pair was begun":     before("round", "rotation"),
		"a round that wasn't asked for":     before("kept", "rotation"),
		"no commitment was shown before":    before("rotation", "seed"),
		"no round was captured": func(lines []capture.Line) []capture.Line {
			return slices.DeleteFunc(lines, func(l capture.Line) bool {
				return slices.Contains([]string{"round", "open", "step", "kept"}, l.Line)
			})
		},
		"a refusal without a bet": func(lines []capture.Line) []capture.Line {
			return slices.Insert(lines, len(lines)-1, capture.Line{Line: "refused", Player: 1})
		},
		"was used before: the house could know it": func(lines []capture.Line) []capture.Line {
			var rotations []int
			for i, l := range lines {
				if l.Line == "rotation" {
					rotations = append(rotations, i)
				}
			}
			lines[rotations[1]].ClientSeed = lines[rotations[0]].ClientSeed
			return lines
		},
		"a new pair begins with the nonce 7": first("rotation", func(l *capture.Line) {
			l.Answered = bytes.Replace(l.Answered, []byte(`"nonce":0`), []byte(`"nonce":7`), 1)
		}),
		"the next nonce is 8 after": func(lines []capture.Line) []capture.Line {
			return replaced(lines, "seed", `"nonce":25`, `"nonce":8`)
		},
		"the reveal counts 24 rounds": func(lines []capture.Line) []capture.Line {
			return replaced(lines, "rotation", `"rounds":25`, `"rounds":24`)
		},
		"the reveal names the commitment":  inReveal("serverSeedHash"),
		"the reveal names the client seed": inReveal("clientSeed"),
		"the pair has the client seed":     inSeed("clientSeed"),
		"the commitment of the next pair":  inSeed("nextServerSeedHash"),
		"the round names the client seed": func(lines []capture.Line) []capture.Line {
			return replaced(lines, "round", `"clientSeed":"`, `"clientSeed":"not `)
		},
		"the round's client seed is of the source": func(lines []capture.Line) []capture.Line {
			return replaced(lines, "round", `"clientSeedSource":"player"`, `"clientSeedSource":"server"`)
		},
		"the history names the server seed": func(lines []capture.Line) []capture.Line {
			return replaced(lines, "kept", `"serverSeed":"`, `"serverSeed":"0`)
		},
		"the history has the balances": func(lines []capture.Line) []capture.Line {
			return replaced(lines, "kept", `"balanceBefore":`, `"balanceBefore":1`)
		},
		"the rules refuse the config that was played": first("round", func(l *capture.Line) { l.Asked.Config = jsontext.Value(`{"no":1}`) }),
		"the round can't be recomputed": func(lines []capture.Line) []capture.Line {
			return replaced(lines, "round", `"config":{`, `"config":{"no":1,`)
		},
		"played at once has actions": func(lines []capture.Line) []capture.Line {
			return replaced(lines, "round", `"rules":"mines/1"`, `"rules":"mines/1","actions":[{"type":"cashOut"}]`)
		},
		"the opening can't be read":                      first("open", unreadable),
		"the step can't be read":                         first("step", unreadable),
		"the rules refuse the config that was asked for": first("open", func(l *capture.Line) { l.Asked.Config = jsontext.Value(`{"no":1}`) }),
		"the round begins with the actions": func(lines []capture.Line) []capture.Line {
			return replaced(lines, "open", `"actions":[]`, `"actions":[{"type":"cashOut"}]`)
		},
		`asked was the config {"mines":24}`: func(lines []capture.Line) []capture.Line {
			return replaced(lines, "open", `"config":{"mines":24}`, `"config":{"mines":23}`)
		},
		"the round can't be folded into the": func(lines []capture.Line) []capture.Line {
			at := slices.IndexFunc(lines, func(l capture.Line) bool { return l.Line == "step" && bytes.Contains(l.Answered, []byte(`"open"`)) })
			return slices.Delete(lines, at, at+1)
		},
		"the service answered for the rules": func(lines []capture.Line) []capture.Line {
			return replaced(lines, "config", `"rules":"dice/1"`, `"rules":"dice/0"`)
		},
		"the service says that its variance is": func(lines []capture.Line) []capture.Line {
			return replaced(lines, "config", `"variance":{"ratio":"`, `"variance":{"ratio":"1`)
		},
		"the service says that it pays": func(lines []capture.Line) []capture.Line {
			return replaced(lines, "config", `"maxMultiplier":`, `"maxMultiplier":1`)
		},
		"aren't known here, its rounds can't": func(lines []capture.Line) []capture.Line {
			return replaced(lines, "rules", `"rules":"dice/1"`, `"rules":"dice/9"`)
		},
		"the published return can't be read": func(lines []capture.Line) []capture.Line {
			return replaced(lines, "rules", `"rtp":{`, `"rtp":[],"was":{`)
		},
		"the rules dice/1 refuse the config": first("config", func(l *capture.Line) { l.Asked.Config = jsontext.Value(`{"no":1}`) }),
	} {
		t.Run(says, func(t *testing.T) {
			t.Parallel()
			report := checked(t, edited(t, honest(t), edit))
			if !slices.ContainsFunc(report.Findings, func(f capture.Finding) bool { return strings.Contains(f.Text, says) }) {
				t.Errorf("%+v", report.Findings)
			}
		})
	}
	for says, change := range map[string][2]string{
		"the end says nothing":                 {`,"end":{`, `,"ended":{`},
		"there are 180 rounds, the end says 1": {`"end":{"rounds":180`, `"end":{"rounds":1`},
	} {
		report := checked(t, bytes.Replace(honest(t), []byte(change[0]), []byte(change[1]), 1))
		if !slices.ContainsFunc(report.Findings, func(f capture.Finding) bool { return strings.Contains(f.Text, says) }) {
			t.Errorf("%s: %+v", says, report.Findings)
		}
	}
}

// replaced replaces a text in the first answer of a kind that has it.
func replaced(lines []capture.Line, kind, old, by string) []capture.Line {
	at := slices.IndexFunc(lines, func(l capture.Line) bool { return l.Line == kind && bytes.Contains(l.Answered, []byte(old)) })
	lines[at].Answered = bytes.Replace(lines[at].Answered, []byte(old), []byte(by), 1)
	return lines
}

// inReveal changes a revealed value of the second rotation.
func inReveal(member string) func([]capture.Line) []capture.Line {
	return func(lines []capture.Line) []capture.Line {
		rotations := 0
		for i, l := range lines {
			if l.Line == "rotation" {
				if rotations++; rotations == 2 {
					return append(lines[:i:i], replaced(lines[i:], "rotation", `"`+member+`":"`, `"`+member+`":"0`)...)
				}
			}
		}
		return lines
	}
}

// inSeed changes a shown value of a pair after its rounds.
func inSeed(member string) func([]capture.Line) []capture.Line {
	return func(lines []capture.Line) []capture.Line {
		at := slices.IndexFunc(lines, func(l capture.Line) bool { return l.Line == "seed" && bytes.Contains(l.Answered, []byte(`"nonce":25`)) })
		return append(lines[:at:at], replaced(lines[at:], "seed", `"`+member+`":"`, `"`+member+`":"0`)...)
	}
}
