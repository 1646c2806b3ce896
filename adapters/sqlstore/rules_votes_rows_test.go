package sqlstore_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// rowsRead counts the rows that a write connection returns.
type rowsRead struct{ atomic.Int64 }

func (r *rowsRead) through(c driver.Connector) driver.Connector { return countingConnector{c, r} }

type countingConnector struct {
	driver.Connector
	read *rowsRead
}

func (c countingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &countingConn{anyConn{conn.(fullConn)}, c.read}, nil
}

type countingConn struct {
	anyConn
	read *rowsRead
}

func (c *countingConn) Pipeline(ctx context.Context, statements []sqlstore.Statement) (failed int, err error) {
	for i := range statements {
		if row := statements[i].Row; row != nil {
			statements[i].Row = func(r db.Row) error {
				c.read.Add(1)
				return row(r)
			}
		}
	}
	return c.anyConn.Pipeline(ctx, statements)
}

func (c *countingConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	rows, err := c.anyConn.QueryContext(ctx, query, args)
	return &countedRows{rows, c.read}, err
}

func (c *countingConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	stmt, err := c.anyConn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	return &countingStmt{stmt.(sqliteStmt), c.read}, nil
}

type countingStmt struct {
	sqliteStmt
	read *rowsRead
}

func (s *countingStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	rows, err := s.sqliteStmt.QueryContext(ctx, args)
	return &countedRows{rows, s.read}, err
}

type countedRows struct {
	driver.Rows
	read *rowsRead
}

func (r *countedRows) Next(into []driver.Value) error {
	err := r.Rows.Next(into)
	if err == nil {
		r.read.Add(1)
	}
	return err
}

// TestAVoteReadsNoMoreForVotesBeforeIt counts the rows that a credit and an approval read, after
// a few and after hundreds of credits of the day by the same admin to the same players.
func TestAVoteReadsNoMoreForVotesBeforeIt(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		var read rowsRead
		w := idleWorld(t, on, sqlstore.WriterOptions{}, read.through)
		w.begin(100_000, w.login(alice), w.login(bob))
		w.founders()
		batch := func(n int) {
			items := make([]player.Item, n)
			for i := range items {
				items[i] = w.crediting([]wallet.Address{alice, bob}[i%2])
			}
			if _, errs := w.together(items...); errors.Join(errs...) != nil {
				t.Fatal(errors.Join(errs...))
			}
		}
		reads := func(item player.Item) int64 {
			before := read.Load()
			if _, errs := w.together(item); errs[0] != nil {
				t.Fatal(errs[0])
			}
			return read.Load() - before
		}
		approval := func() int64 {
			asked, errs := w.together(w.withdrawTo(alice, 6, "here"))
			if errs[0] != nil {
				t.Fatal(errs[0])
			}
			return reads(w.approving(*asked[0].Change.Withdrawal, otherAdmin, 1_000_000))
		}
		batch(4)
		approval()
		credit, approved := reads(w.crediting(alice)), approval()
		for range 20 {
			batch(16)
		}
		if again := reads(w.crediting(alice)); again != credit || credit == 0 {
			t.Errorf("a credit reads %d rows after a few others and %d after 320 more", credit, again)
		}
		if again := approval(); again != approved || approved == 0 {
			t.Errorf("an approval reads %d rows after a few credits and %d after 320 more", approved, again)
		}
		if n := w.number("SELECT count(*) FROM votes"); n < 320 {
			t.Errorf("%d votes are kept", n)
		}
		w.sound()
	})
}

// crediting returns an item of the admin's credit of one lamport, as the service makes it.
func (w *world) crediting(who wallet.Address) player.Item {
	request := player.AdjustmentRequest{
		Adjustment: player.Adjustment{ID: w.id(), Wallet: who, Token: money.SOL, Amount: 1, Reason: "goodwill", By: admin, At: w.now()},
		Terms:      terms(money.SOL), Policy: rbac.DefaultPolicy(), ApprovalID: w.id(), AuditID: w.id(), RequestID: "req",
	}
	return player.Item{
		Wallet: who, At: request.At, Source: player.FromAdmin, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: request.ApprovalID}},
		Needs: player.Needs{
			Tokens: []money.Token{money.SOL}, Roles: []wallet.Address{admin},
			Votes: &player.VotesNeed{Token: money.SOL, By: admin, At: request.At},
		},
		Decide: func(v player.View) (player.Change, error) { return player.RequestAdjustment(v, request) },
	}
}

func TestRule04ALostCommitIsResolvedUnderTheLock(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		for _, carriedOut := range []bool{true, false} {
			for _, times := range []int{1, 2, 3} {
				t.Run(fmt.Sprintf("carried out %v, lost %d times", carriedOut, times), func(t *testing.T) {
					t.Parallel()
					w, f := watched(t, on, sqlstore.WriterOptions{})
					w.begin(1000, w.login(alice), w.login(bob))
					items := []player.Item{
						w.play(alice, 10), keyed(w.adjust(alice, 5), "key", "print"), w.rotate(alice, "mine"),
						w.withdraw(alice, 5000), w.login(carol), w.credit(bob, "more", money.SOL, 7), w.withdraw(bob, 500),
					}
					f.loseCommit(carriedOut, times)
					receipts, errs := w.together(items...)
					for i, err := range errs {
						if refused := i == 3; refused != fault.Is(err, fault.InsufficientFunds) || receipts[i].Replayed {
							t.Errorf("item %d: replayed %v, %v", i, receipts[i].Replayed, err)
						}
					}
					if receipts[0].Change.Round == nil || receipts[2].Change.Retired == nil || receipts[6].Change.Withdrawal == nil {
						t.Fatalf("answers %+v", receipts)
					}
					again, errs := w.together(items...)
					for i := range items {
						if i != 3 && (errs[i] != nil || !again[i].Replayed || again[i].Change.Balance != receipts[i].Change.Balance) {
							t.Errorf("item %d again: %+v, %v", i, again[i], errs[i])
						}
					}
					w.sound()
				})
			}
		}
	})
}

func TestRule04WhatCantBeResolvedIsUnknownAndItsKeyTellsLater(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		for _, carriedOut := range []bool{true, false} {
			w, f := watched(t, on, sqlstore.WriterOptions{ResolveTime: 30 * time.Millisecond})
			w.begin(1000, w.login(alice), w.login(bob))
			items := []player.Item{w.adjust(alice, 5), w.withdraw(alice, 5000), keyed(w.withdraw(bob, 500), "key", "print")}
			f.goesDown = true
			f.loseCommit(carriedOut, 1)
			for i, err := range w.failedStep(items...) {
				want := []string{"unknown", "none", "unknown"}[i]
				var refusal *fault.Error
				if !errors.As(err, &refusal) || refusal.Kind != fault.Unavailable || refusal.Details["outcome"] != want {
					t.Errorf("item %d: %v, want outcome %q", i, err, want)
				}
			}
			f.mend()
			receipts, errs := w.together(items[0], items[2])
			if errors.Join(errs...) != nil {
				t.Fatal(errs)
			}
			for i, balance := range []money.Amount{1005, 500} {
				if receipts[i].Replayed != carriedOut || receipts[i].Change.Balance != balance {
					t.Errorf("carried out %v, asked again: %+v", carriedOut, receipts[i])
				}
			}
			w.sound()
		}
	})
}

// commitAll submits the items one after the other and waits for all answers.
func (w *world) commitAll(items ...player.Item) []error {
	errs := make([]error, len(items))
	var all sync.WaitGroup
	for i, item := range items {
		queued := w.writer.Waiting()
		all.Go(func() { _, errs[i] = w.writer.Commit(context.WithoutCancel(w.Context()), item) })
		for i+1 < len(items) && w.writer.Waiting() == queued {
			pauseALittle()
		}
	}
	all.Wait()
	return errs
}

func (w *world) stepWhenWaiting(n int) error {
	for w.writer.Waiting() < n {
		pauseALittle()
	}
	_, err := w.writer.Step(w.Context())
	return err
}
