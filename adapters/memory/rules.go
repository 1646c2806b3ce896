package memory

import (
	"fmt"
	"slices"

	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
)

// checkUnique checks a change against facts that only the store knows: existing ids, keys,
// commitments and signatures. It runs before anything is stored, so that a change is stored
// whole or not at all.
func (s *Store) checkUnique(seen player.View, c player.Change) error {
	for _, thing := range []struct {
		what  string
		there bool
	}{
		{"a seed pair or a commitment", s.pairIsThere(seen, c)},
		{"a round", c.Round != nil && s.roundIsThere(seen, c)},
		{"an open round", len(c.Steps) > 0 && s.openIsThere(seen, c)},
		{"a transaction", s.lineIsThere(seen, c)},
		{"an attempt", s.attemptIsThere(c)},
		{"a request", s.requestIsThere(seen, c)},
		{"a vote", s.voteIsThere(c)},
		{"a provider's transaction", c.Seamless != nil && s.seamlessIsThere(*c.Seamless)},
		{"a delivery", s.deliveryIsThere(seen, c)},
		{"an audit record", s.recordIsThere(c)},
		{"a posting", s.postingIsThere(c)},
	} {
		if thing.there {
			return fmt.Errorf("%s is there already", thing.what)
		}
	}
	return nil
}

func (s *Store) pairIsThere(seen player.View, c player.Change) bool {
	if c.Pair == nil || c.Pair.ID == seen.Pair.ID {
		return false
	}
	next := c.Pair.Next
	return s.pairs[next.ID] || s.commitments[next.Commitment] ||
		c.Pair.ID != seen.Pair.Next.ID && (s.pairs[c.Pair.ID] || s.commitments[c.Pair.Commitment])
}

func (s *Store) roundIsThere(seen player.View, c player.Change) bool {
	if _, known := seen.OpenRounds[c.Round.ID]; known {
		return false // it existed already, as an open round
	}
	if _, open := s.open[c.Round.ID]; open {
		return true
	}
	return s.keys[keyName{player.RoundKey, "", c.Round.ID}].Wallet != "" || s.nonces[nonce{c.Round.PairID, c.Round.Nonce}]
}

// lineIsThere reports whether a new line of an account has the id of an existing one.
func (s *Store) lineIsThere(seen player.View, c player.Change) bool {
	if w := c.Withdrawal; w != nil {
		if _, known := seen.Withdrawals[w.ID]; !known && s.has(w.ID) {
			return true
		}
	}
	if d := c.Deposit; d != nil {
		if _, known := seen.Deposits[d.Ref]; !known && s.has(d.ID) {
			return true
		}
	}
	return c.Adjustment != nil && s.has(c.Adjustment.ID)
}

func (s *Store) attemptIsThere(c player.Change) bool {
	return c.Attempt != nil && s.signatures[c.Attempt.Signature]
}

func (s *Store) requestIsThere(seen player.View, c player.Change) bool {
	if c.Approval == nil {
		return false
	}
	_, there := search(s.approvals, approvalID, c.Approval.ID)
	_, known := seen.Approvals[c.Approval.ID]
	return there && !known
}

func (s *Store) voteIsThere(c player.Change) bool {
	for _, vote := range c.Votes {
		if slices.ContainsFunc(s.votes, func(old player.Vote) bool { return old.Of == vote.Of && old.By == vote.By && old.At.Equal(vote.At) }) {
			return true
		}
	}
	return false
}

func (s *Store) seamlessIsThere(t seamless.Transaction) bool {
	for _, old := range s.providerTransactions {
		if old.ID == t.ID || old.Connection == t.Connection && old.TxnID == t.TxnID && old.Kind == t.Kind {
			return true
		}
	}
	return false
}

func (s *Store) deliveryIsThere(seen player.View, c player.Change) bool {
	for _, r := range c.Deliveries {
		_, there := search(s.deliveries, deliveryID, r.ID)
		if _, known := seen.Deliveries[r.ID]; there && !known {
			return true
		}
	}
	return false
}

func (s *Store) recordIsThere(c player.Change) bool {
	for _, record := range c.Audit {
		if s.records[record.ID] {
			return true
		}
	}
	return false
}

func (s *Store) postingIsThere(c player.Change) bool {
	for _, posting := range c.Postings {
		if _, there := s.book.Posted(posting.Key); there {
			return true
		}
	}
	return false
}
