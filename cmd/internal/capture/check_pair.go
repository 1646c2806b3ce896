package capture

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/domain/game"
)

// side is the known state of a player.
type side struct {
	number int
	// shown is the newest answer of GET /seed since the last rotation.
	shown *api.Seed
	// balance is the player's balance in the newest answer.
	balance int64
	known   bool
	pair    *pair // in use
	ended   *pair // a revealed pair with rounds to be read again
	// open is a stepped round that has not ended.
	open *answered
	// block is that of the answer's receipt, held are the balances of all answers that have
	// one, in order: solvency compares with them.
	block  block
	held   []heldAt
	shared sharedSide
}

// pair is a seed pair with its rounds as answered.
type pair struct {
	line                         int
	commitment, next, clientSeed string
	rounds                       []*answered
	reveal                       api.RevealedSeed
	asks                         []ask // the bets, whether they were taken or not
	// retired means that a void round has ended the pair, and that its seed wasn't shown yet.
	retired bool
}

// answered is a round as answered during play.
type answered struct {
	line, config int
	round        api.Round
	text         jsontext.Value // the round as received
	asked        Asked
	balance      int64
	read         bool // read again after the reveal
	// receipt is that of the round, nil without one that holds.
	receipt *verifier.VerifiedReceipt
	// states are those of a stepped round, empty for others.
	states []state
}

// nonce returns the round's nonce, 0 of one that names none.
func (r *answered) nonce() int64 {
	if r.round.Nonce == nil {
		return 0
	}
	return *r.round.Nonce
}

// readSeed reads the pair in use from an answer.
func (c *checker) readSeed(s *side, l Line) {
	at := finding{player: s.number}
	var shown api.Seed
	if err := json.Unmarshal(l.Answered, &shown); err != nil {
		c.addFinding(checkForm, at, "the seed can't be read: %v", err)
		return
	}
	s.shown = &shown
	c.countCheck(checkCommitment)
	if s.pair == nil {
		return
	}
	if s.pair.endsVoid() && shown.ServerSeedHash == s.pair.next {
		c.retirePair(s, shown, at)
		return
	}
	if shown.ServerSeedHash != s.pair.commitment {
		c.addFinding(checkCommitment, at, "the commitment of the pair was %s before its rounds and is %s after them", s.pair.commitment, shown.ServerSeedHash)
	}
	if shown.NextServerSeedHash != s.pair.next {
		c.addFinding(checkCommitment, at, "the commitment of the next pair was %s and is %s", s.pair.next, shown.NextServerSeedHash)
	}
	if shown.ClientSeed != s.pair.clientSeed {
		c.addFinding(checkClientSeed, at, "the pair has the client seed %q, chosen was %q", shown.ClientSeed, s.pair.clientSeed)
	}
	if played := int64(len(s.pair.rounds)); shown.Nonce != played {
		c.addFinding(checkNonce, at, "the next nonce is %d after %d rounds", shown.Nonce, played)
	}
}

// endsVoid reports whether the last round of the pair is void.
func (p *pair) endsVoid() bool {
	return len(p.rounds) > 0 && p.rounds[len(p.rounds)-1].void()
}

// retirePair ends a pair that a void round has retired. The rounds that are read again after
// it reveal its seed; the pair that follows is left before a round.
func (c *checker) retirePair(s *side, shown api.Seed, at finding) {
	c.findUnread(s)
	c.commitments[shown.ServerSeedHash] = true
	if shown.Nonce != 0 {
		c.addFinding(checkNonce, at, "a new pair begins with the nonce %d", shown.Nonce)
	}
	s.pair.retired = true
	s.ended, s.pair = s.pair, nil
}

// revealRetired reveals a pair that a void round has retired.
func (c *checker) revealRetired(s *side, serverSeed string) {
	p := s.ended
	p.retired, p.reveal.ServerSeed = false, serverSeed
	if c.checkSeed(p, finding{player: s.number}) {
		c.recomputePair(s, p)
	}
}

// readRotation reveals the pair in use and begins the next one.
func (c *checker) readRotation(s *side, l Line) {
	at := finding{player: s.number}
	var rotated api.Rotated
	if err := json.Unmarshal(l.Answered, &rotated); err != nil {
		c.addFinding(checkForm, at, "the rotation can't be read: %v", err)
		return
	}
	c.findUnread(s)
	c.checkNoOpenRound(s, at)
	c.checkReveal(s, rotated.Revealed)
	c.checkReceipt(s, l, "pair", at)
	began := rotated.Seed
	c.countCheck(checkCommitment)
	switch {
	case s.shown == nil:
		c.addFinding(checkCommitment, at, "no commitment was shown before the client seed of this pair was chosen")
	case began.ServerSeedHash != s.shown.NextServerSeedHash:
		c.addFinding(checkCommitment, at, "before its client seed was chosen the commitment of this pair was %s, now it is %s", s.shown.NextServerSeedHash, began.ServerSeedHash)
	}
	if began.NextServerSeedHash == began.ServerSeedHash {
		c.addFinding(checkCommitment, at, "the next pair has the commitment of this one: its reveal would show it")
	}
	if c.commitments[began.ServerSeedHash] {
		c.addFinding(checkCommitment, at, "an earlier pair had the commitment %s: its seed is known", began.ServerSeedHash)
	}
	c.commitments[began.ServerSeedHash] = true
	c.countCheck(checkClientSeed)
	if began.ClientSeed != l.ClientSeed || began.ClientSeedSource != "player" {
		c.addFinding(checkClientSeed, at, "the pair has the client seed %q of the %s, chosen was %q", began.ClientSeed, began.ClientSeedSource, l.ClientSeed)
	}
	if c.seeds[l.ClientSeed] || l.ClientSeed == "" {
		c.addFinding(checkClientSeed, at, "the client seed %q was used before: the house could know it", l.ClientSeed)
	}
	c.seeds[l.ClientSeed] = true
	if began.Nonce != 0 {
		c.addFinding(checkNonce, at, "a new pair begins with the nonce %d", began.Nonce)
	}
	s.pair = &pair{line: c.line, commitment: began.ServerSeedHash, next: began.NextServerSeedHash, clientSeed: l.ClientSeed}
	s.shown = nil
}

// checkReveal checks the revealed values of the pair in use, and recomputes its rounds.
func (c *checker) checkReveal(s *side, revealed api.RevealedSeed) {
	p := s.pair
	s.ended, s.pair = p, nil
	if p == nil { // the pair was in use before the capture
		return
	}
	p.reveal = revealed
	at := finding{player: s.number}
	holds := c.checkSeed(p, at)
	if revealed.ServerSeedHash != p.commitment {
		c.addFinding(checkCommitment, at, "the reveal names the commitment %s, before the rounds it was %s", revealed.ServerSeedHash, p.commitment)
	}
	if revealed.ClientSeed != p.clientSeed {
		c.addFinding(checkClientSeed, at, "the reveal names the client seed %q, chosen was %q", revealed.ClientSeed, p.clientSeed)
	}
	if revealed.Rounds != int64(len(p.rounds)) {
		c.addFinding(checkNonce, at, "the reveal counts %d rounds, %d were answered", revealed.Rounds, len(p.rounds))
	}
	if holds {
		c.recomputePair(s, p)
	}
}

// checkSeed reports whether the revealed seed of a pair is that of its commitment. Nothing
// follows from another one.
func (c *checker) checkSeed(p *pair, at finding) bool {
	c.report.Pairs++
	c.countCheck(checkCommitment)
	seeds := game.RoundInputs{ServerSeed: p.reveal.ServerSeed}
	commitment := seeds.Commitment()
	if commitment != p.commitment {
		c.addFinding(checkCommitment, at, "the revealed seed has the hash %s, the commitment before the rounds was %s", commitment, p.commitment)
	}
	return commitment == p.commitment
}

// recomputePair recomputes the rounds of a revealed pair, and the bets that it didn't take.
func (c *checker) recomputePair(s *side, p *pair) {
	for _, r := range p.rounds {
		c.recomputeRound(s, p, r)
	}
	c.addDeclined(p)
}

// findUnread finds rounds of the ended pair that weren't read again.
func (c *checker) findUnread(s *side) {
	if s.ended == nil {
		return
	}
	if s.ended.retired {
		c.addFinding(checkCommitment, finding{player: s.number, line: s.ended.line}, "a void round has ended the pair that begins here, and its seed was not revealed")
	}
	for _, r := range s.ended.rounds {
		if !r.read {
			c.addFinding(checkHistory, finding{player: s.number, line: r.line, round: r.round.ID, config: r.config}, "the history was not read for this round")
		}
	}
	s.ended = nil
}

// checkBalance compares the balance with the result of earlier rounds.
func (c *checker) checkBalance(s *side, l Line) {
	var said api.BalancesResponse
	if err := json.Unmarshal(l.Answered, &said); err != nil {
		c.addFinding(checkForm, finding{player: s.number}, "the balance can't be read: %v", err)
		return
	}
	has := int64(0)
	if at := slices.IndexFunc(said.Balances, func(b api.Balance) bool { return b.Token == c.report.Header.Token }); at >= 0 {
		has = said.Balances[at].Balance
	}
	c.countCheck(checkBalance)
	if s.known && has != s.balance {
		c.addFinding(checkBalance, finding{player: s.number}, "the balance is %d, after the last round it was %d", has, s.balance)
	}
	s.balance, s.known = has, true
}

// void reports whether the round is void.
func (r *answered) void() bool { return bytes.Equal(r.round.Outcome, []byte("null")) }
