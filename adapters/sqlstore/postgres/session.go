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

// errInDoubt says that the server committed and warned: whoever ended the wait for a
// synchronous standby ended it by an answer that reads as success. The commit is on
// this server and may be nowhere else.
var errInDoubt = errors.New("postgres: a commit was answered with a warning")

// errUnanswered says that no answer came to a commit.
var errUnanswered = errors.New("postgres: a commit was not answered")

// warningKey is where a connection keeps the last warning of its server.
const warningKey = "casino.warning"

// plainWarning is the SQLSTATE of warnings that have none of their own, as that of a
// wait for a standby that was cancelled; readOnly that of a write where nothing can be
// written.
const (
	plainWarning = "01000"
	readOnly     = "25006"
)

// KeepWarning is what the driver has to call for everything that a server says beside its
// answers (pgconn.Config.OnNotice) on connections that OpenPool and OpenDB are given: a
// commit that a synchronous standby may lack is answered with a warning alone.
func KeepWarning(conn *pgconn.PgConn, notice *pgconn.Notice) {
	if notice.SeverityUnlocalized == "WARNING" {
		conn.CustomData()[warningKey] = notice
	}
}

// alsoKeepingWarnings is an OnNotice that keeps warnings before somebody else's is called.
func alsoKeepingWarnings(theirs pgconn.NoticeHandler) pgconn.NoticeHandler {
	if theirs == nil {
		return KeepWarning
	}
	return func(conn *pgconn.PgConn, notice *pgconn.Notice) {
		KeepWarning(conn, notice)
		theirs(conn, notice)
	}
}

// resetNotice forgets what the server warned of before.
func resetNotice(conn *pgx.Conn) { delete(conn.PgConn().CustomData(), warningKey) }

// lastNotice is the warning since listen, nil when there was none.
func lastNotice(conn *pgx.Conn) *pgconn.Notice {
	notice, _ := conn.PgConn().CustomData()[warningKey].(*pgconn.Notice)
	return notice
}

// commitWarning is the error of a COMMIT that was answered since listen, nil for one without a
// warning beside it.
func commitWarning(conn *pgx.Conn) error {
	if notice := lastNotice(conn); notice != nil {
		return fmt.Errorf("%w: %s (SQLSTATE %s)", errInDoubt, notice.Message, notice.Code)
	}
	return nil
}

// sessions makes the driver's connections so that a commit with a warning beside it is
// an error, whichever way it was asked for, and so that all of them are left together:
// a server that became read-only, or that doesn't answer any more, is the primary no
// longer, and each of its sessions would tell so again.
type sessions struct {
	driver.Connector
	// left counts how often the store left its server; its pools share it.
	left *atomic.Int64
	// writes says that these sessions may write: one that refuses to is on the wrong server.
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

// native is the driver's connection, under a name that leaves its method Conn in sight.
type native = stdlib.Conn

// session is one of them.
type session struct {
	*native
	of   sessions
	made int64
	// end ends the session.
	end func() error
	// mode is how its statements are sent, where that isn't the connection's own way.
	mode pgx.QueryExecMode
	// kept counts the kept statements since their plans were made anew.
	kept int
}

// Close ends the session.
func (s *session) Close() error { return s.end() }

// QueryContext asks.
func (s *session) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if len(args) > 0 && args[0].Value == keep {
		s.forgetPlans(ctx)
	}
	return s.native.QueryContext(ctx, query, s.prepareArguments(args))
}

// prepareArguments are the arguments of a statement, after how it is to be sent.
func (s *session) prepareArguments(args []driver.NamedValue) []driver.NamedValue {
	if s.mode == 0 {
		return args
	}
	return append([]driver.NamedValue{{Value: s.mode}}, args...)
}

// examineError looks at the error of a statement, and leaves the server where it says that it
// is the wrong one.
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

// IsValid reports whether the session may go on being used.
func (s *session) IsValid() bool { return s.made == s.of.left.Load() }

// ResetSession is asked before the session is used again.
func (s *session) ResetSession(ctx context.Context) error {
	if !s.IsValid() {
		return driver.ErrBadConn
	}
	return s.native.ResetSession(ctx)
}

// Ping asks the server for a sign of life. A session of a server that was left has
// none: the locks that it holds there hold nobody off here.
func (s *session) Ping(ctx context.Context) error {
	if !s.IsValid() {
		return driver.ErrBadConn
	}
	return s.native.Ping(ctx)
}

// BeginTx begins a transaction whose commit looks at warnings.
func (s *session) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	tx, err := s.native.BeginTx(ctx, o)
	if err != nil {
		return nil, err
	}
	return transaction{tx, s.native.Conn()}, nil
}

// idle is the status of a connection that has no transaction open.
const idle = 'I'

// ExecContext runs a statement, which commits when no transaction is open. Statements
// have warnings of their own; that of a wait that was cancelled is known by its code.
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

// transaction is one that somebody began without a pipeline.
type transaction struct {
	driver.Tx
	conn *pgx.Conn
}

// Commit commits, in doubt when the server warned beside its answer or gave none.
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

// keep is how statements are sent that stay prepared.
const keep = pgx.QueryExecModeCacheStatement

// Keep implements db.Keeper.
func (dialect) Keep() any { return keep }

// keptMax is how many statements a connection of the readers keeps. One over the months of
// rounds takes the server a quarter of a megabyte.
const keptMax = 96

// replanAfter is after how many kept statements of a session their plans are made anew. A
// plan is made for any values, by the sizes that tables had then. The server itself makes
// it anew when it has looked at a table that grew, which for one that was empty may take
// a minute: who reads much within that minute doesn't keep to a plan of before.
const replanAfter = 256

// forgetPlans forgets plans when it is time. A session that can't any more shows that in the
// statement that comes next, which is sent again over another one.
func (s *session) forgetPlans(ctx context.Context) {
	if s.kept++; s.kept >= replanAfter {
		s.kept = 0
		_, _ = s.native.Conn().Exec(ctx, dialect{}.Replan())
	}
}
