package play_test

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
	"github.com/casino-service/casino/test/apptest"
)

func TestRotationRevealsTheOldPairAndStartsTheOneCommittedTo(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	alice := h.NewPlayer("alice", 10_000)
	for range 3 {
		apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t)
	}
	before := apptest.OK(h.Play.Seed(h.Ctx, alice))(t)
	mine := "my own: seed"
	answer := apptest.OK(h.Play.Rotate(h.Ctx, alice, play.RotateRequest{ClientSeed: &mine, ExpectedCommitment: before.Commitment}))(t)

	revealed, active := answer.Revealed, answer.Active
	apptest.Equal(t, "revealed", revealed.ID, before.ID)
	apptest.Equal(t, "its commitment", revealed.Commitment, before.Commitment)
	apptest.Equal(t, "its client seed", revealed.ClientSeed, before.ClientSeed)
	apptest.Equal(t, "its rounds", revealed.Rounds, 3)
	if err := revealed.Verify(); err != nil {
		t.Fatal(err)
	}
	apptest.Equal(t, "active", active.Commitment, before.Next.Commitment)
	apptest.Equal(t, "client seed", active.ClientSeed, mine)
	apptest.Equal(t, "source", active.ClientSource, fairness.FromPlayer)
	apptest.Equal(t, "nonce", active.Nonce, 0)
	if active.Next.Commitment == active.Commitment || len(active.Next.Commitment) != 64 {
		t.Fatalf("the seed after that: %q", active.Next.Commitment)
	}
	kept := apptest.OK(h.Play.Seed(h.Ctx, alice))(t)
	if !reflect.DeepEqual(kept, active) {
		t.Fatalf("kept %+v, shown %+v", kept, active)
	}

	// Without a choice the server makes one, and records that it did.
	active = apptest.OK(h.Play.Rotate(h.Ctx, alice, play.RotateRequest{}))(t).Active
	apptest.Equal(t, "source", active.ClientSource, fairness.FromServer)
	apptest.Equal(t, "client seed's length", len(active.ClientSeed), 32)
}

// TestAnOldPairEndsWithARoundThatAnswersLikeAnyOther: the caller sees it by the next hash.
// Its own client seed then counts as repeated until it chooses another one.
func TestAnOldPairEndsWithARoundThatAnswersLikeAnyOther(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	alice, mine := h.NewPlayer("alice", 10_000), "mine"
	apptest.OK(h.Play.Rotate(h.Ctx, alice, play.RotateRequest{ClientSeed: &mine}))(t)
	before := apptest.OK(h.Play.Seed(h.Ctx, alice))(t)
	h.Clock.Advance(fairness.AgeMax)
	round := apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t).Round
	apptest.Equal(t, "the round's pair", round.Commitment, before.Commitment)
	apptest.Equal(t, "the round's source", round.ClientSource, fairness.FromPlayer)
	after := apptest.OK(h.Play.Seed(h.Ctx, alice))(t)
	apptest.Equal(t, "the pair that follows", after.Commitment, before.Next.Commitment)
	apptest.Equal(t, "its client seed", after.ClientSeed, mine)
	apptest.Equal(t, "its source", after.ClientSource, fairness.FromRepeated)
	apptest.Equal(t, "its nonce", after.Nonce, 0)
	shown := apptest.OK(h.Accounts.Round(h.Ctx, alice, round.ID))(t)
	apptest.Equal(t, "the seed of the round is shown", len(shown.ServerSeed), 64)
	again := apptest.OK(h.Play.Rotate(h.Ctx, alice, play.RotateRequest{ClientSeed: &mine}))(t).Active
	apptest.Equal(t, "the source of the same choice", again.ClientSource, fairness.FromRepeated)
	other := "another"
	fresh := apptest.OK(h.Play.Rotate(h.Ctx, alice, play.RotateRequest{ClientSeed: &other}))(t).Active
	apptest.Equal(t, "the source of a new choice", fresh.ClientSource, fairness.FromPlayer)
}

func TestNoAnswerHoldsAnActiveSeed(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	alice := h.NewPlayer("alice", 10_000)
	var shown []string
	show := func(v any) { shown = append(shown, fmt.Sprintf("%+v %#v", v, v)) }
	show(apptest.OK(h.Play.Seed(h.Ctx, alice))(t))
	show(apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t))
	first := apptest.OK(h.Play.Rotate(h.Ctx, alice, play.RotateRequest{}))(t)
	show(first.Active)
	show(apptest.OK(h.Play.Seed(h.Ctx, alice))(t))
	show(apptest.OK(h.Accounts.History(h.Ctx, alice, ports.RoundFilter{}, ports.Page{Number: 1, Limit: 10}))(t))
	second := apptest.OK(h.Play.Rotate(h.Ctx, alice, play.RotateRequest{}))(t)
	for i, text := range shown {
		if strings.Contains(text, second.Revealed.ServerSeed) || i < 3 && strings.Contains(text, first.Revealed.ServerSeed) {
			t.Fatalf("answer %d contains a seed that was active: %s", i, text)
		}
	}
}

func TestRotationRefusals(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	alice := h.SignIn("alice")
	before := apptest.OK(h.Play.Seed(h.Ctx, alice))(t).Commitment
	for _, seed := range []string{"", strings.Repeat("x", 65), "tab\t", "ü"} {
		apptest.Refused(t, apptest.ErrorOf(h.Play.Rotate(h.Ctx, alice, play.RotateRequest{ClientSeed: &seed})), fault.Invalid, "field", "clientSeed")
	}
	apptest.Refused(t, apptest.ErrorOf(h.Play.Rotate(h.Ctx, alice, play.RotateRequest{ExpectedCommitment: strings.Repeat("0", 64)})),
		fault.InvalidState, "field", "expectedServerSeedHash", "status", "rotated")
	apptest.Equal(t, "active pair", apptest.OK(h.Play.Seed(h.Ctx, alice))(t).Commitment, before)
	apptest.Refused(t, apptest.ErrorOf(h.Play.Seed(h.Ctx, apptest.Caller("stranger"))), fault.NotFound)
}

func TestARepeatedRotationRotatesOnce(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	alice := h.SignIn("alice")
	request := play.RotateRequest{Idempotency: app.Idempotency{Key: "turn", Fingerprint: "print"}}
	first := apptest.OK(h.Play.Rotate(h.Ctx, alice, request))(t)
	apptest.OK(h.Play.Rotate(h.Ctx, alice, play.RotateRequest{}))(t)
	again := apptest.OK(h.Play.Rotate(h.Ctx, alice, request))(t)
	apptest.Equal(t, "replayed", again.Replayed, true)
	apptest.Equal(t, "revealed", again.Revealed, first.Revealed)
	apptest.Equal(t, "active then", again.Active.Commitment, first.Active.Commitment)
	apptest.Equal(t, "revealed pairs", apptest.OK(h.Play.SeedHistory(h.Ctx, alice, ports.Page{Number: 1, Limit: 10}))(t).Total, 2)
	request.Idempotency.Fingerprint = "another print"
	apptest.Refused(t, apptest.ErrorOf(h.Play.Rotate(h.Ctx, alice, request)), fault.IdempotencyConflict)
}

func TestSeedHistoryIsTheCallersNewestFirst(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	alice, bob := h.SignIn("alice"), h.SignIn("bob")
	var want []string
	for range 3 {
		want = append([]string{apptest.OK(h.Play.Rotate(h.Ctx, alice, play.RotateRequest{}))(t).Revealed.ID}, want...)
	}
	page := apptest.OK(h.Play.SeedHistory(h.Ctx, alice, ports.Page{Number: 1, Limit: 2}))(t)
	rest := apptest.OK(h.Play.SeedHistory(h.Ctx, alice, ports.Page{Limit: 2, After: page.Next}))(t)
	var got []string
	for _, pair := range append(page.Pairs, rest.Pairs...) {
		got = append(got, pair.ID)
	}
	apptest.Equal(t, "pairs", strings.Join(got, " "), strings.Join(want, " "))
	apptest.Equal(t, "bob's", apptest.OK(h.Play.SeedHistory(h.Ctx, bob, ports.Page{Number: 1, Limit: 2}))(t).Total, 0)
}
