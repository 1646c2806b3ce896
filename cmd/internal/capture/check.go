package capture

import (
	"errors"
	"fmt"
	"io"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/game"
)

// Names of the checks in findings. docs/fairness/capture.md describes what each check
// shows.
const (
	checkForm       = "form"
	checkRules      = "rules"
	checkReturn     = "return"
	checkCommitment = "commitment"
	checkClientSeed = "client seed"
	checkNonce      = "nonce"
	checkBound      = "bound"
	checkHidden     = "hidden"
	checkAsked      = "asked"
	checkOutcome    = "outcome"
	checkCreated    = "time"
	checkVoid       = "void"
	checkHistory    = "history"
	checkBalance    = "balance"
	checkStatistics = "statistics"
	checkRefusal    = "refusal"
	checkLimits     = "limits"
	checkReceipt    = "receipt"
	checkSolvency   = "solvency"
	checkSelection  = "selection"
	checkShared     = "shared crash"
)

// checker reads a capture line by line. Its memory is limited to the pairs in use, plus the
// ids and a few numbers of each round.
type checker struct {
	games  *game.Registry
	report *Report
	line   int
	begun  bool
	ended  bool
	rules  published
	// rulesAfter are the rules published last; unpublished is checked against them at the end.
	rulesAfter  published
	unpublished []unpublished
	configs     map[int]*played
	sides       map[int]*side
	ids         map[string]bool
	// seeds are the chosen client seeds, commitments those of pairs.
	seeds, commitments map[string]bool
	samples            []sample
	draws              map[string][]int // by game and upper byte
	odds               map[string]*odds
	// keys sign receipts, limits are the published ones, stated those of signed refusals.
	keys   []checkpoint.Key
	limits []api.TokenLimits
	stated []statedLimits
	// receipts verifies the receipts of answers, nil where none are given.
	receipts *verifier.Receipts
	// ledger is the one that statements are signed for, empty before the first.
	ledger     string
	selections map[string]*selection // by game; that of all games is of ""
}

// played is a config of the capture.
type played struct {
	gameType, name, text string
	rules                string
}

// Check reads a capture and reports its findings by the rules of the given games. Level is
// the probability of a statistical finding in a fair capture. An error means that reading
// failed.
func Check(from io.Reader, games *game.Registry, level float64) (Report, error) {
	report := Report{Level: level, Checks: map[string]int{}}
	c := &checker{
		games: games, report: &report, configs: map[int]*played{}, sides: map[int]*side{}, ids: map[string]bool{}, seeds: map[string]bool{}, commitments: map[string]bool{},
		draws: map[string][]int{}, odds: map[string]*odds{}, selections: map[string]*selection{},
	}
	lines := newReader(from)
	for {
		l, before, err := lines.readLine()
		if errors.Is(err, io.EOF) {
			break
		}
		c.line = lines.at
		if err != nil {
			if c.line == 0 || lines.lines.Err() != nil {
				return report, err
			}
			c.addFinding(checkForm, finding{}, "%v", err)
			continue
		}
		c.checkLine(l, before)
	}
	c.checkMissing()
	c.checkLimits()
	c.checkBlocks()
	c.checkUnpublished()
	c.testStatistics()
	c.testSelection()
	report.Clean = report.Found == 0
	return report, nil
}

// finding locates a finding; zero members are unknown.
type finding struct {
	player, line int
	round        string
	config       int
}

// addFinding adds a finding to the report.
func (c *checker) addFinding(check string, at finding, format string, args ...any) {
	line := at.line
	if line == 0 {
		line = c.line
	}
	by := ByRecomputing
	if check == checkStatistics || check == checkSelection {
		by, line = ByStatistics, 0
	}
	found := Finding{Check: check, By: by, Line: line, Player: at.player, Round: at.round, Text: fmt.Sprintf(format, args...)}
	if of := c.configs[at.config]; of != nil {
		found.Game, found.Config = of.gameType, of.text
	}
	c.report.addFinding(found)
}

// checkLine checks a line.
func (c *checker) checkLine(l Line, before string) {
	if c.ended {
		c.addFinding(checkForm, finding{}, "there is a line after the end")
		return
	}
	if !c.begun {
		c.readFirstLine(l)
		return
	}
	switch l.Line {
	case lineRules:
		c.checkPublished(l)
	case lineConfig:
		c.readConfig(l)
	case lineLimits:
		c.readLimits(l)
	case lineKeys:
		c.readKeys(l)
	case lineBalance, lineSeed, lineRotation, lineRound, lineOpen, lineStep, lineKept, lineRefused, lineUnanswered, lineSolvency,
		lineShared, lineSharedBet, lineSharedCashOut, lineSharedRound:
		s := c.sides[l.Player]
		if s == nil {
			c.addFinding(checkForm, finding{}, "the capture has no player %d", l.Player)
			return
		}
		c.ofPlayer(s, l)
	case lineEnd:
		c.readLastLine(l, before)
	default:
		c.addFinding(checkForm, finding{}, "lines of the kind %q are unknown", l.Line)
	}
}

func (c *checker) ofPlayer(s *side, l Line) {
	switch l.Line {
	case lineBalance:
		c.checkBalance(s, l)
	case lineSeed:
		c.readSeed(s, l)
	case lineRotation:
		c.readRotation(s, l)
	case lineRound:
		c.readRound(s, l)
	case lineOpen:
		c.readOpening(s, l)
	case lineStep:
		c.readStep(s, l)
	case lineKept:
		c.checkHistory(s, l)
	case lineRefused:
		c.readRefusal(s, l)
	case lineUnanswered:
		c.readUnanswered(s, l)
	case lineSolvency:
		c.checkSolvency(s, l)
	case lineShared:
		c.readShared(s, l)
	case lineSharedBet, lineSharedCashOut:
		c.readSharedBet(s, l)
	case lineSharedRound:
		c.checkSharedRound(s, l)
	}
}

// readFirstLine reads the first line.
func (c *checker) readFirstLine(l Line) {
	c.begun = true
	if l.Line != lineCapture || l.Capture == nil || l.Capture.Form != Form {
		c.addFinding(checkForm, finding{}, "the first line is not that of a capture of form %d", Form)
		c.ended = true
		return
	}
	c.report.Header, c.report.From = *l.Capture, l.At
	for i := range l.Capture.Players {
		c.sides[i+1] = &side{number: i + 1}
	}
}

// readLastLine reads the last line.
func (c *checker) readLastLine(l Line, before string) {
	c.ended = true
	if l.End == nil {
		c.addFinding(checkForm, finding{}, "the end says nothing")
		return
	}
	c.report.To, c.report.Stopped, c.report.SHA256 = l.At, l.End.Stopped, before
	if l.End.SHA256 != before {
		c.addFinding(checkForm, finding{}, "the lines before the end have the digest %s, it says %s: they are not those that were written", before, l.End.SHA256)
	}
	if l.End.Rounds != c.report.Rounds {
		c.addFinding(checkForm, finding{}, "there are %d rounds, the end says %d", c.report.Rounds, l.End.Rounds)
	}
}

// checkMissing finds missing lines at the end.
func (c *checker) checkMissing() {
	if !c.begun || !c.ended {
		c.addFinding(checkForm, finding{}, "the capture has no end: lines are missing")
	}
	for i := range c.report.Header.Players {
		s := c.sides[i+1]
		c.findUnread(s)
		if s.shared.bet != nil {
			c.addFinding(checkShared, finding{player: s.number, line: s.shared.line, round: s.shared.bet.ID}, "the round of this bet was not read after its end")
		}
		if s.pair != nil && len(s.pair.rounds) > 0 {
			c.addFinding(checkCommitment, finding{player: s.number, line: s.pair.line}, "the pair that begins here has %d rounds and was not revealed", len(s.pair.rounds))
		}
	}
	if c.report.Rounds == 0 {
		c.addFinding(checkForm, finding{}, "no round was captured, so nothing is shown")
	}
}
