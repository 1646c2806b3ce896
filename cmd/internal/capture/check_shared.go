package capture

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/game"
)

// sharedSide is the state of a player's bet on the shared crash.
type sharedSide struct {
	// before is GET /crash before the bet, ended the round of the bet before.
	before, ended *verifier.CrashAnswer
	// bet has no result yet; line is that of its answer.
	bet  *api.OwnCrashBet
	line int
}

// readShared reads the open round before a bet.
func (c *checker) readShared(s *side, l Line) {
	at := finding{player: s.number}
	read, err := verifier.ReadCrash(l.Answered)
	if err != nil {
		c.addFinding(checkForm, at, "the shared crash can't be read: %v", err)
		return
	}
	s.shared.before = &read
	c.countCheck(checkHidden)
	if read.Round.Hash != "" || read.Round.Salt != "" {
		c.addFinding(checkHidden, at, "the hash or the salt of round %d was shown while it took bets", read.Round.Number)
	}
}

// readSharedBet reads a bet or its cash-out by hand.
func (c *checker) readSharedBet(s *side, l Line) {
	at := finding{player: s.number}
	var said api.CrashBetAndBalance
	if err := json.Unmarshal(l.Answered, &said); err != nil || l.Line == lineSharedBet && (l.Asked == nil || s.shared.before == nil || s.shared.bet != nil) {
		c.addFinding(checkForm, at, "the bet on the shared crash can't be read, or isn't due")
		return
	}
	b, taken, was := said.Bet, int64(0), said.Bet.CreatedAt
	at.round = b.ID
	c.countCheck(checkAsked)
	if l.Line == lineSharedBet {
		c.report.Shared++
		taken = l.Asked.Wager
		open := s.shared.before.Round
		if b.Chain != open.Chain || b.Round != int64(open.Number) || b.Token != l.Asked.Token || b.Wager != taken || b.CashedOut != "" ||
			l.Asked.CashOut != "" && string(b.CashOut) != l.Asked.CashOut {
			c.addFinding(checkAsked, at, "asked was a bet of %d of %s on round %d of chain %s with the cash-out %q, answered %+v",
				taken, l.Asked.Token, open.Number, open.Chain, l.Asked.CashOut, b)
		}
		c.checkNewID(&answered{round: api.Round{ID: b.ID}}, at)
	} else {
		bet := b
		bet.CashedOut, bet.ReceivedAt, was = "", 0, b.ReceivedAt
		if s.shared.bet == nil || bet != *s.shared.bet || b.CashedOut == "" {
			c.addFinding(checkAsked, at, "the cash-out answers another bet: %+v", b)
		}
	}
	c.checkTime(was, l, at)
	c.checkReceipt(s, l, "round.open", at)
	c.countCheck(checkBalance)
	if !s.known || said.Balance != s.balance-taken {
		c.addFinding(checkBalance, at, "the balance is %d: it was %d, less the wager of %d", said.Balance, s.balance, taken)
	}
	s.setBalance(said.Balance)
	s.shared.bet, s.shared.line = &b, c.line
}

// checkSharedRound verifies the ended round of a bet, and compares it with the answers before.
func (c *checker) checkSharedRound(s *side, l Line) {
	at := finding{player: s.number}
	read, err := verifier.ReadCrash(l.Answered)
	var said api.CrashRoundResponse
	if err != nil || json.Unmarshal(l.Answered, &said) != nil || s.shared.bet == nil {
		c.addFinding(checkForm, at, "the round of the shared crash can't be read, or no bet was on it: %v", err)
		return
	}
	own := *s.shared.bet
	at.round, s.shared.bet = own.ID, nil
	c.countCheck(checkShared)
	report, err := read.Verify(s.shared.before, nil)
	if err != nil {
		c.addFinding(checkShared, at, "%v", err)
	}
	if last := s.shared.ended; last != nil && last.Chain.ID == read.Chain.ID {
		follows, _ := read.Verify(last, nil) // its error was found above
		report.Findings = append(report.Findings, slices.DeleteFunc(follows.Findings, func(text string) bool { return !strings.HasPrefix(text, "before: ") })...)
	}
	for _, text := range report.Findings {
		c.addFinding(checkShared, at, "%s", text)
	}
	s.shared.ended = &read
	i := slices.IndexFunc(said.Bets, func(b api.CrashBet) bool { return b.ID == own.ID })
	if i < 0 || said.Bets[i].Payout == nil || said.Round.Chain != own.Chain || said.Round.Number != own.Round {
		c.addFinding(checkShared, at, "round %d has no such bet, or no result of it", said.Round.Number)
		return
	}
	b := said.Bets[i]
	if b.Token != own.Token || b.Wager != own.Wager || b.CashOut != own.CashOut || b.CashedOut != own.CashedOut {
		c.addFinding(checkShared, at, "the round has the bet as %+v, answered was %+v", b, own)
	}
	if own.CashedOut != "" {
		worth := min(uint64(read.Bets[i].CashOut), crash.MultiplierAt(own.ReceivedAt-said.Round.StartedAt))
		if text := game.Dec(int64(worth), 2).NumberText(); text != string(own.CashedOut) {
			c.addFinding(checkShared, at, "the cash-out is worth %s, when it was received it was %s", own.CashedOut, text)
		}
	}
	s.balance += *b.Payout
}
