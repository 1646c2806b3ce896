package app_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

func TestRotationRevealsTheOldPairAndStartsTheOneCommittedTo(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.player("alice", 10_000)
	for range 3 {
		ok(h.Play.Play(h.ctx, alice, flip(100)))(t)
	}
	before := ok(h.Play.Seed(h.ctx, alice))(t)
	mine := "my own: seed"
	answer := ok(h.Play.Rotate(h.ctx, alice, play.RotateRequest{ClientSeed: &mine, ExpectedCommitment: before.Commitment}))(t)

	revealed, active := answer.Revealed, answer.Active
	equal(t, "revealed", revealed.ID, before.ID)
	equal(t, "its commitment", revealed.Commitment, before.Commitment)
	equal(t, "its client seed", revealed.ClientSeed, before.ClientSeed)
	equal(t, "its rounds", revealed.Rounds, 3)
	if err := revealed.Verify(); err != nil {
		t.Fatal(err)
	}
	equal(t, "active", active.Commitment, before.Next.Commitment)
	equal(t, "client seed", active.ClientSeed, mine)
	equal(t, "source", active.ClientSource, fairness.FromPlayer)
	equal(t, "nonce", active.Nonce, 0)
	if active.Next.Commitment == active.Commitment || len(active.Next.Commitment) != 64 {
		t.Fatalf("the seed after that: %q", active.Next.Commitment)
	}
	kept := ok(h.Play.Seed(h.ctx, alice))(t)
	if !reflect.DeepEqual(kept, active) {
		t.Fatalf("kept %+v, shown %+v", kept, active)
	}

	// Without a choice the server makes one, and records that it did.
	active = ok(h.Play.Rotate(h.ctx, alice, play.RotateRequest{}))(t).Active
	equal(t, "source", active.ClientSource, fairness.FromServer)
	equal(t, "client seed's length", len(active.ClientSeed), 32)
}

// TestAnOldPairEndsWithARoundThatAnswersLikeAnyOther: the caller sees it by the next hash,
// and its own client seed is repeated from then on, until it chooses another one.
func TestAnOldPairEndsWithARoundThatAnswersLikeAnyOther(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, mine := h.player("alice", 10_000), "mine"
	ok(h.Play.Rotate(h.ctx, alice, play.RotateRequest{ClientSeed: &mine}))(t)
	before := ok(h.Play.Seed(h.ctx, alice))(t)
	h.clock.Advance(fairness.AgeMax)
	round := ok(h.Play.Play(h.ctx, alice, flip(100)))(t).Round
	equal(t, "the round's pair", round.Commitment, before.Commitment)
	equal(t, "the round's source", round.ClientSource, fairness.FromPlayer)
	after := ok(h.Play.Seed(h.ctx, alice))(t)
	equal(t, "the pair that follows", after.Commitment, before.Next.Commitment)
	equal(t, "its client seed", after.ClientSeed, mine)
	equal(t, "its source", after.ClientSource, fairness.FromRepeated)
	equal(t, "its nonce", after.Nonce, 0)
	shown := ok(h.Accounts.Round(h.ctx, alice, round.ID))(t)
	equal(t, "the seed of the round is shown", len(shown.ServerSeed), 64)
	again := ok(h.Play.Rotate(h.ctx, alice, play.RotateRequest{ClientSeed: &mine}))(t).Active
	equal(t, "the source of the same choice", again.ClientSource, fairness.FromRepeated)
	other := "another"
	fresh := ok(h.Play.Rotate(h.ctx, alice, play.RotateRequest{ClientSeed: &other}))(t).Active
	equal(t, "the source of a new choice", fresh.ClientSource, fairness.FromPlayer)
}

func TestNoAnswerHoldsAnActiveSeed(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.player("alice", 10_000)
	var shown []string
	show := func(v any) { shown = append(shown, fmt.Sprintf("%+v %#v", v, v)) }
	show(ok(h.Play.Seed(h.ctx, alice))(t))
	show(ok(h.Play.Play(h.ctx, alice, flip(100)))(t))
	first := ok(h.Play.Rotate(h.ctx, alice, play.RotateRequest{}))(t)
	show(first.Active)
	show(ok(h.Play.Seed(h.ctx, alice))(t))
	show(ok(h.Accounts.History(h.ctx, alice, ports.RoundFilter{}, ports.Page{Number: 1, Limit: 10}))(t))
	second := ok(h.Play.Rotate(h.ctx, alice, play.RotateRequest{}))(t)
	for i, text := range shown {
		if strings.Contains(text, second.Revealed.ServerSeed) || i < 3 && strings.Contains(text, first.Revealed.ServerSeed) {
			t.Fatalf("answer %d contains a seed that was active: %s", i, text)
		}
	}
}

func TestRotationRefusals(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.enter("alice")
	before := ok(h.Play.Seed(h.ctx, alice))(t).Commitment
	for _, seed := range []string{"", strings.Repeat("x", 65), "tab\t", "ü"} {
		refused(t, no(h.Play.Rotate(h.ctx, alice, play.RotateRequest{ClientSeed: &seed})), fault.Invalid, "field", "clientSeed")
	}
	refused(t, no(h.Play.Rotate(h.ctx, alice, play.RotateRequest{ExpectedCommitment: strings.Repeat("0", 64)})),
		fault.InvalidState, "field", "expectedServerSeedHash", "status", "rotated")
	equal(t, "active pair", ok(h.Play.Seed(h.ctx, alice))(t).Commitment, before)
	refused(t, no(h.Play.Seed(h.ctx, caller("stranger"))), fault.NotFound)
}

func TestARepeatedRotationRotatesOnce(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.enter("alice")
	request := play.RotateRequest{Idempotency: app.Idempotency{Key: "turn", Fingerprint: "print"}}
	first := ok(h.Play.Rotate(h.ctx, alice, request))(t)
	ok(h.Play.Rotate(h.ctx, alice, play.RotateRequest{}))(t)
	again := ok(h.Play.Rotate(h.ctx, alice, request))(t)
	equal(t, "replayed", again.Replayed, true)
	equal(t, "revealed", again.Revealed, first.Revealed)
	equal(t, "active then", again.Active.Commitment, first.Active.Commitment)
	equal(t, "revealed pairs", ok(h.Play.SeedHistory(h.ctx, alice, ports.Page{Number: 1, Limit: 10}))(t).Total, 2)
	request.Idempotency.Fingerprint = "another print"
	refused(t, no(h.Play.Rotate(h.ctx, alice, request)), fault.IdempotencyConflict)
}

func TestSeedHistoryIsTheCallersNewestFirst(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, bob := h.enter("alice"), h.enter("bob")
	var want []string
	for range 3 {
		want = append([]string{ok(h.Play.Rotate(h.ctx, alice, play.RotateRequest{}))(t).Revealed.ID}, want...)
	}
	page := ok(h.Play.SeedHistory(h.ctx, alice, ports.Page{Number: 1, Limit: 2}))(t)
	rest := ok(h.Play.SeedHistory(h.ctx, alice, ports.Page{Limit: 2, After: page.Next}))(t)
	var got []string
	for _, pair := range append(page.Pairs, rest.Pairs...) {
		got = append(got, pair.ID)
	}
	equal(t, "pairs", strings.Join(got, " "), strings.Join(want, " "))
	equal(t, "bob's", ok(h.Play.SeedHistory(h.ctx, bob, ports.Page{Number: 1, Limit: 2}))(t).Total, 0)
}
