package headlog_test

import (
	"encoding/base64"
	"fmt"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/merkle"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// anchoring is a house that anchors its log on a chain.
type anchoring struct {
	*apptest.House
	Anchored *fakes.Chain
}

// anchored opens a house that anchors its log each hour, with a signed checkpoint.
func anchored(t *testing.T) anchoring {
	t.Helper()
	h := anchoring{apptest.Open(t), fakes.NewChain()}
	h.House = h.Remade(func(d *app.Deps) { d.AnchorChain, d.AnchorPeriod = h.Anchored, time.Hour })
	if err := h.Store.Initialize(h.Ctx, ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "ledger-1"}); err != nil {
		t.Fatal(err)
	}
	h.NewPlayer("alice", 1_000_000)
	published(t, h.House)
	return h
}

// grow adds a block to the log and returns its checkpoint's memo.
func grow(t *testing.T, h anchoring) string {
	t.Helper()
	apptest.OK(h.Play.Play(h.Ctx, apptest.Caller("alice"), apptest.Dice(100)))(t)
	origin, tree := published(t, h.House)
	return fmt.Sprintf("casino-log-1 %s %d %s", origin, tree.N, base64.StdEncoding.EncodeToString(tree.Hash[:]))
}

func memos(t *testing.T, h anchoring, what string, want int) {
	t.Helper()
	if got := h.Anchored.Memos(); len(got) != want {
		t.Errorf("%s: %d memos, want %d: %q", what, len(got), want, got)
	}
}

// One anchor is written in each period in which the log grew, and a block is proved by it.
func TestTheLogIsAnchoredOnceInEachPeriod(t *testing.T) {
	t.Parallel()
	h := anchored(t)
	worker := h.Anchors.AnchorWorker()
	step := func() { t.Helper(); apptest.OK(worker.Step(h.Ctx))(t) }
	first := grow(t, h)
	block := apptest.OK(h.Store.LoggedHeaders(h.Ctx, 0, 1))(t)[0]
	step()
	if got := h.Anchored.Memos(); len(got) != 1 || got[0] != first {
		t.Fatalf("the memos %q, want %q", got, first)
	}
	if early := apptest.OK(h.Anchors.Prove(h.Ctx, block))(t); early != nil {
		t.Errorf("proved before the anchor is finalized: %+v", early)
	}
	h.Anchored.Finalize()
	step()
	proved := apptest.OK(h.Anchors.Prove(h.Ctx, block))(t)
	root, valid := merkle.RootOf(block.LogLeaf(), int(proved.Index), int(proved.Anchor.Size), proved.Path)
	memo := apptest.OK(h.Anchored.ReadMemo(h.Ctx, proved.Anchor.Signature))(t)
	if want := fmt.Sprintf("casino-log-1 casino/ledger-1/1 %d %s", proved.Anchor.Size, base64.StdEncoding.EncodeToString(root[:])); !valid || memo.Text != want {
		t.Errorf("the path leads to %q, the memo is %q", want, memo.Text)
	}
	grow(t, h)
	step()
	memos(t, h, "within the period", 1)
	h.Clock.Advance(time.Hour)
	step()
	h.Anchored.Finalize()
	step()
	memos(t, h, "in the next period", 2)
	h.Clock.Advance(3 * time.Hour)
	step()
	memos(t, h, "of a log that did not grow", 2)
	if n := h.CountAlarms(alarm.PublicLog.Message()); n != 0 {
		t.Errorf("%d alarms", n)
	}
	if late := apptest.OK(h.Anchors.Prove(h.Ctx, hashchain.Header{Lane: 7, Seq: 1 << 40}))(t); late != nil {
		t.Errorf("a block that isn't logged is proved: %+v", late)
	}
}

// If the outcome of sending an anchor is unknown, any instance looks it up. Another anchor is
// signed only after the chain proves that this one can't land.
func TestAnAnchorIsNotWrittenTwice(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault  fakes.ChainFault
		before int // memos while nothing is proved
		after  int // memos once all recorded ones have expired
	}{
		"the answer to the sending is lost": {fakes.AnswerLost, 1, 1},
		"it is never sent":                  {fakes.Unreachable, 0, 1},
	} {
		h := anchored(t)
		h.Anchored.Script("SendMemo", c.fault)
		if _, err := h.Anchors.AnchorWorker().Step(h.Ctx); err == nil {
			t.Errorf("%s: the step reports nothing", name)
		}
		for range 3 { // after a kill, on several instances
			apptest.OK(h.Anchors.AnchorWorker().Step(h.Ctx))(t)
		}
		memos(t, h, name+", nothing is proved", c.before)
		h.Anchored.Expire()
		for range 3 {
			apptest.OK(h.Anchors.AnchorWorker().Step(h.Ctx))(t)
			apptest.OK(h.Anchors.AnchorWorker().Step(h.Ctx))(t)
		}
		memos(t, h, name+", it has expired", c.after)
		h.Anchored.Finalize()
		apptest.OK(h.Anchors.AnchorWorker().Step(h.Ctx))(t)
		landed, sent, err := h.Store.NewestAnchors(h.Ctx)
		if err != nil || landed == nil || sent != nil {
			t.Errorf("%s: %+v, %+v, %v", name, landed, sent, err)
		}
	}
}

// The worker that signed an anchor sends the same bytes again while they may land.
func TestAnUnsentAnchorIsSentAgain(t *testing.T) {
	t.Parallel()
	h := anchored(t)
	worker := h.Anchors.AnchorWorker()
	h.Anchored.Script("SendMemo", fakes.Unreachable)
	if _, err := worker.Step(h.Ctx); err == nil {
		t.Error("the step reports nothing")
	}
	for range 3 {
		apptest.OK(worker.Step(h.Ctx))(t)
	}
	memos(t, h, "sent again", 1)
}

// The alarm is raised while no anchor landed within two periods, and ends with the next one.
func TestOverdueAnchorsAreAnAlarm(t *testing.T) {
	t.Parallel()
	h := anchored(t)
	worker := h.Anchors.AnchorWorker()
	down := []fakes.ChainFault{fakes.Unreachable, fakes.Unreachable}
	h.Anchored.Script("SignMemo", down...)
	_, _ = worker.Step(h.Ctx)
	if n := h.CountAlarms(alarm.PublicLog.Message()); n != 0 {
		t.Errorf("%d alarms within the period", n)
	}
	h.Clock.Advance(2*time.Hour + time.Second)
	_, _ = worker.Step(h.Ctx)
	if n := h.CountAlarms(alarm.PublicLog.Message()); n != 1 || h.AlarmFact(alarm.PublicLog.Message(), "about") != "anchor" {
		t.Errorf("%d alarms, the last about %v", n, h.AlarmFact(alarm.PublicLog.Message(), "about"))
	}
}
