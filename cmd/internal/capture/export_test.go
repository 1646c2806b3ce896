package capture

import (
	"bytes"
	"errors"
	"io"
)

// Configs are the played configs of each game.
var Configs = configs

// AllChecks are the names of checks in findings.
var AllChecks = []string{
	checkForm, checkRules, checkReturn, checkCommitment, checkClientSeed, checkNonce, checkBound, checkHidden, checkAsked,
	checkOutcome, checkVoid, checkHistory, checkBalance, checkStatistics, checkRefusal, checkLimits, checkSelection,
	checkReceipt, checkSolvency, checkShared,
}

// InSteps are the configs of stepped rounds.
var InSteps = inSteps

// ConfigFor returns the config for a wager.
func ConfigFor(c chosen, wager int64) []byte { return c.configFor(wager) }

// ConfigName returns default, least, greatest or border.
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

// FileOf writes lines with a matching end.
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
