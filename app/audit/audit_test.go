package audit_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	appaudit "github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
)

// openPlayed opens a casino with every kind of record.
func openPlayed(t *testing.T) *house {
	t.Helper()
	h := open(t, apptest.WithBroken(t, func(game.Draws) game.Result { panic("out of cards") }))
	w := h.ApprovedWithdrawal("alice", 2_000)
	alice, bob := apptest.Caller("alice"), h.NewPlayer("bob", 8_000)
	for range 10 {
		apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t)
		apptest.OK(h.Play.Play(h.Ctx, bob, play.PlayRequest{GameType: "dice", Wager: 200, Token: apptest.SOL}))(t)
	}
	apptest.OK(h.Play.Rotate(h.Ctx, alice, play.RotateRequest{}))(t)
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(300)))(t)
	apptest.OK(h.Play.Play(h.Ctx, bob, play.PlayRequest{GameType: "broken", Wager: 100, Token: apptest.SOL}))(t)
	apptest.OK(h.Play.Play(h.Ctx, bob, apptest.Flip(300)))(t)
	apptest.OK(h.Admin.AdjustBalance(h.Ctx, apptest.Caller("ada"), apptest.Gift("bob", 77)))(t)
	h.RequestWithdrawal(bob, 1_500)
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.Chain.Finalize()
	h.PassPayouts(h.Payouts.PayoutWorker())
	h.CheckPaid(w, 1)
	h.CountPlay()
	return h
}

func TestAuditProvesAPlayedLedger(t *testing.T) {
	t.Parallel()
	h := openPlayed(t)
	kept := apptest.OK(h.Store.Heads(h.Ctx))(t)
	report := apptest.OK(appaudit.NewAuditor(h.Store, h.Games, kept).Run(h.Ctx))(t)
	if err := report.Err(); err != nil {
		t.Fatalf("%v: %v", err, report.Findings)
	}
	apptest.Equal(t, "rounds", report.Rounds, 23)
	// Rounds of both retired pairs, without the void round.
	apptest.Equal(t, "recomputed", report.Recomputed, 20)
	apptest.Equal(t, "blocks", report.Blocks, h.CountBlocks())
	apptest.Equal(t, "records", report.Records, len(h.AuditRecords()))
	apptest.Equal(t, "accounts", report.Accounts, 4)
	if !slices.Equal(report.Heads, kept) {
		t.Fatalf("heads: %v", report.Heads)
	}
}

func TestAnEmptyLedgerIsNotProved(t *testing.T) {
	t.Parallel()
	h := bare(t)
	report := apptest.OK(appaudit.NewAuditor(h.Store, h.Games, nil).Run(h.Ctx))(t)
	apptest.Equal(t, "findings", len(report.Findings), 0)
	if report.Err() == nil {
		t.Fatal("an empty ledger was proved")
	}
}

func TestAuditFindsWhatWasChangedInABlock(t *testing.T) {
	t.Parallel()
	h := openPlayed(t)
	for name, c := range map[string]struct {
		blocks func([]ports.Block) []ports.Block
		want   string
	}{
		"an amount": {apptest.ChangeFirstBlock(func(b *ports.Block) bool {
			if len(b.Postings) > 0 {
				b.Postings[0].Transfers[0].Amount++
			}
			return len(b.Postings) > 0
		}), "block 0:1: its content was changed"},
		"a hash":          {apptest.ChangeFirstBlock(func(b *ports.Block) bool { b.Hash[7] ^= 1; return b.Seq == 1 }), "block 0:1: its content was changed"},
		"a time":          {apptest.ChangeFirstBlock(func(b *ports.Block) bool { b.At = b.At.Add(1_000_000); return true }), "block 0:1: its content was changed"},
		"an audit record": {firstRecord(func(r *audit.Record) { r.By = "somebody" }), "its content was changed"},
		"a link":          {func(all []ports.Block) []ports.Block { all[4].Previous[0] ^= 1; return all }, "block 0:5 names another block before it"},
		"a number": {func(all []ports.Block) []ports.Block { all[4].Number = all[3].Number; return all },
			"block 0:5 has number 4, the one before it has 4"},
		"a number taken away": {func(all []ports.Block) []ports.Block { all[4].Number = 0; return all }, "block 0:5 has number 0, the one before it has 4"},
		"a missing block":     {func(all []ports.Block) []ports.Block { return slices.Delete(all, 4, 5) }, "block 0:6 follows block 4: blocks are missing"},
		"the first block missing": {func(all []ports.Block) []ports.Block { return all[1:] },
			"block 0:2 follows block 0: blocks are missing"},
		"the last block missing": {func(all []ports.Block) []ports.Block { return all[:len(all)-1] }, "lane 0: its head is"},
		"a block twice":          {func(all []ports.Block) []ports.Block { return slices.Insert(all, 4, all[3]) }, "block 0:4 follows block 4"},
		"a round's outcome": {firstRound(some, func(b *ports.Block) { b.Rounds[0].Outcome = game.Text("won") }),
			"its content was changed"},
	} {
		if got := h.AuditFindings(apptest.Forged{Blocks: c.blocks}); !strings.Contains(got, c.want) {
			t.Errorf("%s: want %q, found:\n%s", name, c.want, got)
		}
	}
}

func TestAuditFindsForgeriesWithValidHashes(t *testing.T) {
	t.Parallel()
	h := openPlayed(t)
	for name, c := range map[string]struct {
		change func([]ports.Block) []ports.Block
		want   string
	}{
		"a payout that wasn't": {firstRound(lost, func(b *ports.Block) {
			b.Rounds[0].Payout = 198
			b.Postings[0] = b.Rounds[0].Posting()
		}), "does not match its seeds"},
		"a win taken away": {firstRound(won, func(b *ports.Block) {
			b.Rounds[0].Payout = 0
			b.Postings[0] = b.Rounds[0].Posting()
		}), "does not match its seeds"},
		"another outcome": {firstRound(won, func(b *ports.Block) { b.Rounds[0].Outcome = game.Text("lost") }),
			"does not match its seeds"},
		"another config": {firstRound(some, func(b *ports.Block) { b.Rounds[0].Config = game.Text("?") }), "config"},
		"a round and its booking": {firstRound(won, func(b *ports.Block) { b.Rounds[0].Payout-- }),
			"differs from its booking"},
		"rules that never were": {firstRound(some, func(b *ports.Block) { b.Rounds[0].Rules = "coinflip/0" }),
			"no such version of this game's rules"},
		"a seed pair": {firstRound(some, func(b *ports.Block) { b.Rounds[0].Commitment = strings.Repeat("0", 64) }),
			"the revealed seed is not the one committed to"},
		"a client seed": {firstRound(some, func(b *ports.Block) { b.Rounds[0].ClientSeed = "" }), "can't be recomputed"},
		"a nonce":       {firstRound(won, func(b *ports.Block) { b.Rounds[0].Nonce += 7 }), "is next"},
		"a round that's gone": {firstRound(won, func(b *ports.Block) { b.Rounds, b.Postings = nil, nil }),
			"is next"},
		"a booking without its round": {firstRound(won, func(b *ports.Block) { b.Rounds = nil }), "without the round"},
		"a round without its booking": {firstRound(won, func(b *ports.Block) { b.Postings = nil }), "differs from its booking"},
		"more than there is": {apptest.ChangeFirstBlock(func(b *ports.Block) bool {
			if len(b.Rounds) > 0 {
				b.Postings[0].Transfers[0].Amount = money.Max
			}
			return len(b.Rounds) > 0
		}), "can't be booked"},
		"a block twice": {func(all []ports.Block) []ports.Block { return slices.Insert(all, 1, apptest.CloneBlock(all[0])) }, "was booked before"},
		"a deposit": {apptest.ChangeFirstBlock(func(b *ports.Block) bool {
			if len(b.Postings) == 0 || b.Postings[0].Key.Kind != ledger.Deposit {
				return false
			}
			b.Postings[0].Transfers[0].Amount++
			return true
		}), "its transfers add up to"},
	} {
		if got := h.AuditFindings(apptest.Resealed(c.change)); !strings.Contains(got, c.want) {
			t.Errorf("%s: want %q, found:\n%s", name, c.want, got)
		}
	}
	gone := firstRound(won, func(b *ports.Block) { b.Rounds, b.Postings = nil, nil })
	apptest.Equal(t, "a gap is reported once", strings.Count(h.AuditFindings(apptest.Resealed(gone)), "is next"), 1)
	if got := h.AuditFindings(apptest.Resealed(func(all []ports.Block) []ports.Block { return all })); got != "" {
		t.Errorf("sealing alone: %s", got)
	}
}

// Only the chain protects a record of the audit log. If every block is sealed again, only a
// head that was kept elsewhere shows the change.
func TestAuditComparesBlocksWithKeptHeads(t *testing.T) {
	t.Parallel()
	h := openPlayed(t)
	kept := apptest.OK(h.Store.Heads(h.Ctx))(t)
	lie := firstRecord(func(r *audit.Record) { r.After = "nothing" })
	apptest.Equal(t, "without a head", h.AuditFindings(apptest.Resealed(lie)), "")
	if got := h.AuditFindings(apptest.Resealed(lie), kept...); !strings.Contains(got, "is not the one that was kept") {
		t.Errorf("with a head: %s", got)
	}
	cut := apptest.Resealed(func(all []ports.Block) []ports.Block { return all[:len(all)-1] })
	if got := h.AuditFindings(cut, kept...); !strings.Contains(got, "was kept and is not there any more") {
		t.Errorf("cut off: %s", got)
	}
	older := hashchain.Head{Seq: 3}
	if err := h.Store.Blocks(h.Ctx, func(b ports.Block) error {
		if b.Seq == older.Seq {
			older = b.Head
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	apptest.Equal(t, "an older head", h.AuditFindings(apptest.Forged{}, older), "")
}

func TestAuditFindsWhatWasChangedBesideTheBlocks(t *testing.T) {
	t.Parallel()
	h := openPlayed(t)
	one := money.TotalOf(1)
	for name, c := range map[string]struct {
		apptest.Forged
		want string
	}{
		"a balance": {apptest.Forged{Balances: func(all []ledger.Balance) []ledger.Balance {
			all[0].Amount = all[0].Amount.Add(one)
			return all
		}}, "its transfers add up to"},
		"a balance that's gone": {apptest.Forged{Balances: func(all []ledger.Balance) []ledger.Balance {
			return slices.DeleteFunc(all, func(b ledger.Balance) bool { return b.Amount.Sign() > 0 })
		}}, "has no balance of"},
		"a balance of nobody": {apptest.Forged{Balances: func(all []ledger.Balance) []ledger.Balance {
			return append(all, ledger.Balance{Account: ledger.PlayerOf("nobody"), Token: money.SOL, Amount: one})
		}}, "player:nobody holds 1"},
		"a kept total": {apptest.Forged{Totals: func(all []ledger.Balance) []ledger.Balance {
			all[0].Amount = all[0].Amount.Add(one)
			return all
		}}, "kept total of adjustment"},
		"the sum of them": {apptest.Forged{Totals: func(all []ledger.Balance) []ledger.Balance {
			all[0].Amount = all[0].Amount.Add(one)
			return all
		}}, "add up to 1 instead of 0"},
		"a kept total that's gone": {apptest.Forged{Totals: func(all []ledger.Balance) []ledger.Balance { return all[1:] }},
			"kept total of adjustment in " + apptest.SOL + " is missing"},
		"a daily figure": {apptest.Forged{Daily: func(all []ports.DailyFigure) []ports.DailyFigure {
			all[0].Paid = all[0].Paid.Add(one)
			return all
		}}, "kept figures of 2026-03-14"},
		"an expected payout": {apptest.Forged{Daily: func(all []ports.DailyFigure) []ports.DailyFigure {
			all[0].Expected = all[0].Expected.Add(one)
			return all
		}}, "kept figures of 2026-03-14"},
		"a daily figure that's gone": {apptest.Forged{Daily: func(all []ports.DailyFigure) []ports.DailyFigure { return all[1:] }}, "are missing"},
		"a daily figure of nothing": {apptest.Forged{Daily: func(all []ports.DailyFigure) []ports.DailyFigure {
			extra := all[0]
			extra.Day = "2026-03-15"
			return append(all, extra)
		}}, "kept figures of 2026-03-15"},
		"a revealed seed": {apptest.Forged{Seed: func(r *fairness.Revealed) { r.ServerSeed = strings.Repeat("0", 64) }},
			"the revealed seed is not the one committed to"},
		"a revealed seed of no size": {apptest.Forged{Seed: func(r *fairness.Revealed) { r.ServerSeed += strings.Repeat("0", 65) }},
			"can't be recomputed: serverSeed"},
		"a head": {apptest.Forged{Heads: func(all []hashchain.Head) []hashchain.Head { all[0].Hash[0] ^= 1; return all }},
			"lane 0: its head is"},
		"a head of no lane": {apptest.Forged{Heads: func(all []hashchain.Head) []hashchain.Head {
			return append(all, hashchain.Head{Lane: 3, Seq: 9})
		}}, "lane 3: its head is 9, the last block is 0"},
		"a head that's gone": {apptest.Forged{Heads: func([]hashchain.Head) []hashchain.Head { return nil }},
			"lane 0: its head is missing"},
	} {
		if got := h.AuditFindings(c.Forged); !strings.Contains(got, c.want) {
			t.Errorf("%s: want %q, found:\n%s", name, c.want, got)
		}
	}
}

func TestAReportIsBounded(t *testing.T) {
	t.Parallel()
	h := openPlayed(t)
	report := apptest.OK(appaudit.NewAuditor(apptest.Forged{AuditStore: h.Store, Daily: func(all []ports.DailyFigure) []ports.DailyFigure {
		return slices.Repeat(all, 1_000)
	}}, h.Games, nil).Run(h.Ctx))(t)
	apptest.Equal(t, "findings", len(report.Findings), 1_000)
}

// unreadable fails one of the reads.
type unreadable struct {
	appaudit.AuditStore
	what string
}

var errUnreadable = errors.New("can't be read")

func (u unreadable) fail(what string) error {
	if u.what == what {
		return errUnreadable
	}
	return nil
}

func (u unreadable) BlocksAfter(ctx context.Context, after, until []hashchain.Head, visit func(ports.Block) error) error {
	return errors.Join(u.fail("blocks"), u.AuditStore.BlocksAfter(ctx, after, until, func(b ports.Block) error {
		b.Revealed = nil // so that seeds are asked for
		return visit(b)
	}))
}

func (u unreadable) LedgerPage(ctx context.Context, part ports.LedgerPart, after string, limit int) (ports.LedgerPage, error) {
	page, err := u.AuditStore.LedgerPage(ctx, part, after, limit)
	return page, errors.Join(err, u.fail(string(part)))
}

func (u unreadable) LedgerSums(ctx context.Context) (ports.LedgerSums, error) {
	sums, err := u.AuditStore.LedgerSums(ctx)
	return sums, errors.Join(err, u.fail("sums"))
}

func (u unreadable) RevealedPair(ctx context.Context, id string) (fairness.Revealed, error) {
	pair, err := u.AuditStore.RevealedPair(ctx, id)
	return pair, errors.Join(err, u.fail("seeds"))
}

func TestWhatCannotBeReadIsAnErrorNotAFinding(t *testing.T) {
	t.Parallel()
	h := openPlayed(t)
	for _, what := range []string{"blocks", "sums", "balances", "figures", "seeds"} {
		if _, err := appaudit.NewAuditor(unreadable{h.Store, what}, h.Games, nil).Run(h.Ctx); !errors.Is(err, errUnreadable) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
