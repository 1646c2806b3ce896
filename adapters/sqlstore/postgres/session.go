package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
)

// errInDoubt reports that the server committed with a warning. When a wait for a synchronous
// standby is cancelled, the server answers with success and a warning: the commit is on this
// server and possibly nowhere else.
var errInDoubt = errors.New("postgres: a commit was answered with a warning")

// errUnanswered reports that no answer came to a commit.
var errUnanswered = errors.New("postgres: a commit was not answered")

// warningKey is the key under which a connection keeps the server's last warning.
const warningKey = "casino.warning"

// plainWarning is the SQLSTATE of warnings without a code of their own, such as that of a
// cancelled wait for a standby. readOnly is that of a write in a read-only transaction.
const (
	plainWarning = "01000"
	readOnly     = "25006"
)

// KeepWarning is the notice handler (pgconn.Config.OnNotice) for connections that are passed to
// OpenPool and OpenDB. A commit that a synchronous standby may lack is answered with a warning
// alone.
func KeepWarning(conn *pgconn.PgConn, notice *pgconn.Notice) {
	if notice.SeverityUnlocalized == "WARNING" {
		conn.CustomData()[warningKey] = notice
	}
}

// alsoKeepingWarnings returns a handler that keeps warnings and then calls the given one.
func alsoKeepingWarnings(theirs pgconn.NoticeHandler) pgconn.NoticeHandler {
	if theirs == nil {
		return KeepWarning
	}
	return func(conn *pgconn.PgConn, notice *pgconn.Notice) {
		KeepWarning(conn, notice)
		theirs(conn, notice)
	}
}

// resetNotice forgets earlier warnings.
func resetNotice(conn *pgx.Conn) { delete(conn.PgConn().CustomData(), warningKey) }

// lastNotice returns the warning since resetNotice, nil if there was none.
func lastNotice(conn *pgx.Conn) *pgconn.Notice {
	notice, _ := conn.PgConn().CustomData()[warningKey].(*pgconn.Notice)
	return notice
}

// commitWarning returns the error of a COMMIT that was answered with a warning since resetNotice,
// else nil.
func commitWarning(conn *pgx.Conn) error {
	if notice := lastNotice(conn); notice != nil {
		return fmt.Errorf("%w: %s (SQLSTATE %s)", errInDoubt, notice.Message, notice.Code)
	}
	return nil
}

// sessions makes the driver's connections such that a commit with a warning is an error, by any
// way of committing, and such that all sessions leave a server together: once it is read-only or
// stops answering it is no longer the primary, and each session would run into the same error.
type sessions struct {
	driver.Connector
	// left counts how often the store has left its server; the pools share it.
	left *atomic.Int64
	// writes says that these sessions may write: one that can't is on the wrong server.
	writes bool
}

// Connect makes one connection.
func (s sessions) Connect(ctx context.Context) (driver.Conn, error) {
	made := s.left.Load() // before the server is chosen
	conn, err := s.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	own, ok := conn.(*native)
	if !ok {
		return nil, errors.Join(fmt.Errorf("postgres: a connection of type %T", conn), conn.Close())
	}
	return &session{native: own, of: s, made: made, end: own.Close}, nil
}

// native is the driver's connection, under a name that doesn't hide its method Conn.
type native = stdlib.Conn

// session is a connection made by sessions.
type session struct {
	*native
	of   sessions
	made int64
	// end ends the session.
	end func() error
	// mode is how its statements are sent, if not in the connection's default mode.
	mode pgx.QueryExecMode
	// kept counts the kept statements since plans were last discarded.
	kept int
}

// Close ends the session.
func (s *session) Close() error { return s.end() }

// QueryContext runs a query.
func (s *session) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if len(args) > 0 && args[0].Value == keep {
		s.forgetPlans(ctx)
	}
	return s.native.QueryContext(ctx, query, s.prepareArguments(args))
}

// prepareArguments returns the arguments of a statement, after the execution mode.
func (s *session) prepareArguments(args []driver.NamedValue) []driver.NamedValue {
	if s.mode == 0 {
		return args
	}
	return append([]driver.NamedValue{{Value: s.mode}}, args...)
}

// examineError inspects the error of a statement, and leaves the server if it is the wrong one.
func (s *session) examineError(ctx context.Context, err error) error {
	var refused *pgconn.PgError
	switch {
	case err == nil:
	case errors.As(err, &refused):
		if refused.Code == readOnly && s.of.writes {
			s.of.left.CompareAndSwap(s.made, s.made+1)
		}
	case s.of.writes && errors.Is(ctx.Err(), context.DeadlineExceeded):
		s.of.left.CompareAndSwap(s.made, s.made+1)
	}
	return err
}

// IsValid reports whether the session may still be used.
func (s *session) IsValid() bool { return s.made == s.of.left.Load() }

// ResetSession is called before the session is used again.
func (s *session) ResetSession(ctx context.Context) error {
	if !s.IsValid() {
		return driver.ErrBadConn
	}
	return s.native.ResetSession(ctx)
}

// Ping checks that the server answers. It fails on a session of a server that was left: locks
// held there exclude no writer on the current server.
func (s *session) Ping(ctx context.Context) error {
	if !s.IsValid() {
		return driver.ErrBadConn
	}
	return s.native.Ping(ctx)
}

// BeginTx begins a transaction with a commit that checks for warnings.
func (s *session) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	tx, err := s.native.BeginTx(ctx, o)
	if err != nil {
		return nil, err
	}
	return transaction{tx, s.native.Conn()}, nil
}

// idle is the status of a connection without an open transaction.
const idle = 'I'

// ExecContext runs a statement, which commits when no transaction is open. Statements may warn
// for other reasons; the code tells a cancelled wait for a standby.
func (s *session) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	conn := s.native.Conn()
	resetNotice(conn)
	commits := conn.PgConn().TxStatus() == idle
	result, err := s.native.ExecContext(ctx, query, s.prepareArguments(args))
	if notice := lastNotice(conn); err == nil && commits && notice != nil && notice.Code == plainWarning {
		return nil, commitWarning(conn)
	}
	return result, s.examineError(ctx, err)
}

// transaction is one that was begun without a pipeline.
type transaction struct {
	driver.Tx
	conn *pgx.Conn
}

// Commit commits. It returns an in-doubt error if the server warned or didn't answer.
func (t transaction) Commit() error {
	resetNotice(t.conn)
	err := t.Tx.Commit()
	if err == nil {
		return commitWarning(t.conn)
	}
	var refused *pgconn.PgError
	if errors.As(err, &refused) || errors.Is(err, pgx.ErrTxCommitRollback) {
		return err
	}
	return fmt.Errorf("%w: %w", errUnanswered, err)
}

var _ db.Keeper = dialect{}

// keep is the execution mode of statements that stay prepared.
const keep = pgx.QueryExecModeCacheStatement

// Keep implements db.Keeper.
func (dialect) Keep() any { return keep }

// keptMax is how many statements a read connection keeps. One over the monthly partitions of
// rounds takes a quarter of a megabyte on the server.
const keptMax = 96

// replanAfter is after how many kept statements a session discards its plans. A generic plan is
// made for the table sizes of that moment. The server replans when autovacuum has analyzed a
// grown table, which may take a minute for one that was empty.
const replanAfter = 256

// forgetPlans discards plans when it is time. If the session is broken, the next statement fails
// and is sent again over another session.
func (s *session) forgetPlans(ctx context.Context) {
	if s.kept++; s.kept >= replanAfter {
		s.kept = 0
		_, _ = s.native.Conn().Exec(ctx, dialect{}.Replan())
	}
}
