package capture

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/refusal"
)

// errNoConfig is the error of a bet that is of no config of the capture.
var errNoConfig = errors.New("it is of no config of the capture")

// readUnanswered takes a bet that got no answer, or one that says nothing about the bet.
func (c *checker) readUnanswered(s *side, l Line) {
	c.report.Unanswered++
	if l.Asked == nil {
		c.addFinding(checkForm, finding{player: s.number}, "no answer, and no bet that was asked for")
	} else if s.pair != nil {
		s.pair.addAsk(l.Config, *l.Asked, true)
	}
}

// decided are the codes of refusals that come after the seed pair is known, so that they are
// signed.
var decided = []string{
	"WAGER_OUT_OF_RANGE", "LIMIT_EXCEEDED", "GAME_DISABLED", "INSUFFICIENT_USER_FUNDS", "PLAYER_EXCLUDED", "PLAYER_FROZEN", "BLOCKED_AGENT",
	"TOO_MANY_OPEN", "TOKEN_NOT_ACCEPTED", "FORBIDDEN",
}

// readRefusal takes a bet that was refused. Nothing was drawn for it: no nonce is missing, no
// balance changes.
func (c *checker) readRefusal(s *side, l Line) {
	c.report.Refusals++
	at := finding{player: s.number, line: c.line, config: l.Config}
	var said api.Failure
	if l.Asked == nil || json.Unmarshal(l.Answered, &said) != nil || said.Code == "" {
		c.addFinding(checkForm, at, "a refusal without a bet or an answer")
		return
	}
	if len(l.Asked.Actions) > 0 { // of a step
		return
	}
	if s.pair != nil {
		s.pair.addAsk(l.Config, *l.Asked, true)
	}
	if len(c.keys) == 0 { // no receipts are given
		return
	}
	c.countCheck(checkRefusal)
	if said.Receipt == nil {
		if slices.Contains(decided, said.Code) {
			c.addFinding(checkRefusal, at, "the bet was refused with %s, and the refusal that was asked for isn't signed: nobody can hold the house to why", said.Code)
		}
		return
	}
	made, err := c.openReceipt(*said.Receipt, refusal.Purpose, l)
	var stated refusal.Stated
	if err == nil {
		stated, err = refusal.FromStatement(made)
	}
	if err != nil {
		c.addFinding(checkRefusal, at, "the receipt of the refusal doesn't hold: %v", err)
		return
	}
	if err := c.compareStated(s, l, said.Code, stated, at); err != nil {
		c.addFinding(checkForm, at, "the bet that was refused can't be read: %v", err)
		return
	}
	if stated.Code != "TOKEN_NOT_ACCEPTED" { // that one has no figures
		c.checkFigures(l, stated, at)
	}
}

// openReceipt returns what one of the published keys signed for a purpose, at the time of its
// answer and for the ledger that everything is signed for.
func (c *checker) openReceipt(receipt api.SignedStatement, purpose checkpoint.Purpose, l Line) (checkpoint.Statement, error) {
	signature, err := base64.StdEncoding.DecodeString(receipt.Signature)
	if err != nil {
		return checkpoint.Statement{}, err
	}
	made, err := checkpoint.Signed{Text: receipt.Statement, Key: receipt.Kid, Signature: signature}.Open(purpose, c.keys...)
	if err != nil {
		return checkpoint.Statement{}, err
	}
	if c.ledger == "" {
		c.ledger = made.Ledger
	}
	answered := time.UnixMilli(l.At).UTC()
	switch {
	case made.Ledger != c.ledger:
		err = fmt.Errorf("it is of the ledger %s, others are of %s", made.Ledger, c.ledger)
	case answered.Sub(made.At).Abs() > clocksApart:
		err = fmt.Errorf("it is of %s, it was answered at %s", made.At.Format(time.RFC3339), answered.Format(time.RFC3339))
	}
	return made, err
}

// orderDigest returns the digest of a bet as it was sent.
func (c *checker) orderDigest(l Line) (string, error) {
	of := c.configs[l.Config]
	if of == nil || of.gameType != l.Asked.GameType {
		return "", errNoConfig
	}
	sent := api.PlayRequest{
		GameType: l.Asked.GameType, Token: l.Asked.Token, Wager: l.Asked.Wager,
		ExpectedServerSeedHash: l.Asked.ExpectedServerSeedHash, ExpectedNonce: l.Asked.ExpectedNonce,
	}
	if l.Asked.Config != nil {
		sent.Config = l.Asked.Config
	}
	body, err := json.Marshal(sent)
	if err == nil {
		body, err = jsontext.AppendFormat(nil, body, jsontext.ReorderRawObjects(true), jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false))
	}
	route := "/play"
	if of.name == stepped {
		route = "/rounds"
	}
	return refusal.Digest(route, l.Asked.Key, string(body)), err
}

// compareStated finds what a signed refusal states otherwise than it is.
func (c *checker) compareStated(s *side, l Line, code string, r refusal.Stated, at finding) error {
	digest, err := c.orderDigest(l)
	if err != nil {
		return err
	}
	facts := [][3]string{
		{"order", r.Digest, digest}, {"game", r.Game, l.Asked.GameType}, {"token", string(r.Token), l.Asked.Token},
		{"wager", strconv.FormatInt(int64(r.Wager), 10), strconv.FormatInt(l.Asked.Wager, 10)}, {"code", r.Code, code},
	}
	if players := c.report.Header.Players; s.number <= len(players) && players[s.number-1] != "" {
		facts = append(facts, [3]string{"wallet", string(r.Wallet), players[s.number-1]})
	}
	if s.pair != nil {
		facts = append(facts, [3]string{"commitment", r.Commitment, s.pair.commitment},
			[3]string{"nonce", strconv.FormatInt(r.Nonce, 10), strconv.Itoa(len(s.pair.rounds))})
	}
	if s.known {
		facts = append(facts, [3]string{"balance", strconv.FormatInt(int64(r.Balance), 10), strconv.FormatInt(s.balance, 10)})
	}
	for _, f := range facts {
		if f[1] != f[2] {
			c.addFinding(checkRefusal, at, "the signed refusal states the %s %s, it is %s", f[0], f[1], f[2])
		}
	}
	return nil
}

// checkFigures compares the figures of a signed refusal with the rules, and notes them for
// checkLimits.
func (c *checker) checkFigures(l Line, r refusal.Stated, at finding) {
	if most, known := c.couldPay(c.configs[l.Config], *l.Asked, r.MaxPayout); known && most != r.CouldPay {
		c.addFinding(checkRefusal, at, "the signed refusal states the most that the bet could pay as %d, by its rules it is %d", r.CouldPay, most)
	}
	_, fits := r.Balance.Add(r.CouldPay)
	if r.Code == "WAGER_OUT_OF_RANGE" && r.Allow(r.Wager) && fits || r.Code == "INSUFFICIENT_USER_FUNDS" && r.Balance >= r.Wager {
		c.addFinding(checkRefusal, at, "the bet of %d was refused with %s, and the figures of the signed refusal allow it: wagers from %d to %d, at most %d a round, room for %d, of which it could take %d, and a balance of %d",
			r.Wager, r.Code, r.MinWager, r.MaxWager, r.MaxPayout, r.Room, r.CouldPay, r.Balance)
	}
	c.stated = append(c.stated, statedLimits{at, r.Token, r.Figures})
}

// couldPay returns the most that a bet can pay by its rules.
func (c *checker) couldPay(of *played, asked Asked, maxPayout money.Amount) (most money.Amount, known bool) {
	wager := money.Amount(asked.Wager)
	if of.name != stepped {
		plan, err := verifier.Plan(c.games, of.gameType, of.rules, asked.Config, wager)
		if err != nil {
			return 0, false
		}
		return mostOf(wager, plan.MaxMultiplier()), true
	}
	steps, err := verifier.Steps(c.games, of.gameType, of.rules, asked.Config, wager)
	if err != nil {
		return 0, false
	}
	if steps, _, bounded := bet.BoundSteps(steps, wager, maxPayout); bounded {
		return mostOf(wager, steps.MaxMultiplier()), true
	}
	return money.Max, true
}

func mostOf(wager money.Amount, multiplier money.Ratio) money.Amount {
	if most, fits := wager.Times(multiplier); fits {
		return most
	}
	return money.Max
}

// statedLimits are the limits that a signed refusal states.
type statedLimits struct {
	at      finding
	token   money.Token
	figures bet.Figures
}

// readLimits takes the published limits, as they are signed where receipts are given.
func (c *checker) readLimits(l Line) {
	var said api.PublicLimitsResponse
	if err := json.Unmarshal(l.Answered, &said); err != nil {
		c.addFinding(checkForm, finding{}, "the published limits can't be read: %v", err)
		return
	}
	if len(c.keys) > 0 {
		c.countCheck(checkLimits)
		if said.Receipt == nil {
			c.addFinding(checkLimits, finding{}, "the published limits aren't signed: nobody can hold the house to them")
			return
		}
		made, err := c.openReceipt(*said.Receipt, refusal.Limits, l)
		if err == nil {
			text, _ := made.Fact(refusal.LimitsFact)
			said = api.PublicLimitsResponse{}
			err = json.Unmarshal([]byte(text), &said)
		}
		if err != nil {
			c.addFinding(checkLimits, finding{}, "the receipt of the published limits doesn't hold: %v", err)
			return
		}
	}
	c.limits = append(c.limits, said.Tokens...)
}

// readKeys takes the keys that receipts are signed with.
func (c *checker) readKeys(l Line) {
	var said api.PublicKeysResponse
	if err := json.Unmarshal(l.Answered, &said); err != nil {
		c.addFinding(checkForm, finding{}, "the published keys can't be read: %v", err)
		return
	}
	for _, k := range said.Keys {
		der, err := base64.StdEncoding.DecodeString(k.PublicKey)
		key, invalid := checkpoint.KeyOf(k.Kid, der)
		if err = errors.Join(err, invalid); err != nil {
			c.addFinding(checkForm, finding{}, "the key %q can't be read: %v", k.Kid, err)
		} else if k.Use == "receipts" {
			c.keys = append(c.keys, key)
		}
	}
	if keys, err := verifier.ReadReceiptKeys(l.Answered); err == nil { // else there are none for receipts
		c.receipts = verifier.NewReceipts(keys)
	}
}

// checkLimits compares the limits that refusals state with those that were published during
// the capture. Limits may change meanwhile: those of one answer at least must be the same.
func (c *checker) checkLimits() {
	for _, s := range c.stated {
		c.countCheck(checkLimits)
		f := s.figures
		published := slices.ContainsFunc(c.limits, func(t api.TokenLimits) bool {
			return t.Token == string(s.token) && !t.Closing && t.MinWager == int64(f.MinWager) && t.MaxWager == int64(f.MaxWager) && t.MaxPayout == int64(f.MaxPayout)
		})
		if !published && len(c.limits) > 0 {
			c.addFinding(checkLimits, s.at, "the bet was refused by limits that were never published: wagers from %d to %d, at most %d a round", f.MinWager, f.MaxWager, f.MaxPayout)
		}
	}
}

// wouldHavePaid returns what a void round would have paid by its seeds, in words.
func (c *checker) wouldHavePaid(p *pair, r *answered) string {
	if len(r.states) > 0 {
		return "what its seeds would have paid is up to its actions"
	}
	paid, _, err := c.wouldPay(p, ask{config: r.config, asked: r.asked, nonce: r.nonce()})
	if err != nil {
		return "its seeds decide nothing: " + err.Error()
	}
	return fmt.Sprintf("by its seeds it would have paid %g times its wager", paid)
}
