package capture

import (
	"bytes"
	"errors"
	"io"
)

// Configs are those that are played of each game.
var Configs = configs

// AllChecks are the checks that findings name.
var AllChecks = []string{
	checkForm, checkRules, checkReturn, checkCommitment, checkClientSeed, checkNonce, checkBound, checkHidden, checkAsked,
	checkOutcome, checkVoid, checkHistory, checkBalance, checkStatistics, checkRefusal, checkLimits, checkSelection,
}

// InSteps are the configs of rounds that are played step by step.
var InSteps = inSteps

// ConfigFor is the config for a wager.
func ConfigFor(c chosen, wager int64) []byte { return c.configFor(wager) }

// ConfigName is default, least, greatest or border.
func ConfigName(c chosen) string { return c.name }

// LinesOf reads the lines of a capture.
func LinesOf(file []byte) (lines []Line, err error) {
	r := newReader(bytes.NewReader(file))
	for {
		l, _, err := r.readLine()
		if errors.Is(err, io.EOF) {
			return lines, nil
		}
		if err != nil {
			return nil, err
		}
		lines = append(lines, l)
	}
}

// FileOf writes lines, with an end that is theirs.
func FileOf(lines []Line) ([]byte, error) {
	var file bytes.Buffer
	w := NewWriter(&file)
	for _, l := range lines {
		if l.Line != lineEnd {
			if err := w.writeLine(l); err != nil {
				return nil, err
			}
		}
	}
	_, err := w.writeEnd(0, "")
	return file.Bytes(), err
}
