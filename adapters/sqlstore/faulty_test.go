package sqlstore_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/postgres"
)

// faults is between the store and its write connection: it records statements and fails where it
// is told to.
type faults struct {
	mu sync.Mutex
	// statements are those run since the last BEGIN, oldest first.
	statements []string
	// ever holds all statements that ever ran.
	ever map[string]bool
	// before and after are errors of the next commits: before they reach the database, or after
	// it carried them out.
	before, after []error
	// down fails everything after a lost commit.
	down, goesDown bool
	// meanwhile, if set, runs once on SQLite when a commit is lost before the database carried it
	// out.
	meanwhile func()
	// on holds errors of the next statements that contain the text.
	on map[string][]error
	// begins counts transactions, commits those that took effect, pipelines the exchanges of
	// several statements.
	begins, commits, pipelines int
}

var errCut = errors.New("the connection was cut")

func (f *faults) through(c driver.Connector) driver.Connector { return faultyConnector{c, f} }

func (f *faults) loseCommit(carriedOut bool, times int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for range times {
		if carriedOut {
			f.after = append(f.after, errCut)
		} else {
			f.before = append(f.before, errCut)
		}
	}
}

func (f *faults) failOn(text string, failures ...error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.on == nil {
		f.on = map[string][]error{}
	}
	f.on[text] = append(f.on[text], failures...)
}

// mend ends all failures.
func (f *faults) mend() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.before, f.after, f.on, f.down, f.goesDown = nil, nil, nil, false, false
}

// asked returns the statements of the last transaction.
func (f *faults) asked() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.statements...)
}

func (f *faults) note(query string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.down {
		return errCut
	}
	query = strings.Join(strings.Fields(query), " ")
	f.statements = append(f.statements, query)
	if f.ever == nil {
		f.ever = map[string]bool{}
	}
	f.ever[query] = true
	for text, failures := range f.on {
		if strings.Contains(query, text) && len(failures) > 0 {
			f.on[text] = failures[1:]
			return failures[0]
		}
	}
	return nil
}

func next(failures *[]error) error {
	if len(*failures) == 0 {
		return nil
	}
	failure := (*failures)[0]
	*failures = (*failures)[1:]
	return failure
}

type faultyConnector struct {
	driver.Connector
	faults *faults
}

func (c faultyConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &faultyConn{anyConn{conn.(fullConn)}, c.faults}, nil
}

// fullConn lists the methods of the drivers' connections that the store uses.
type fullConn interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ConnBeginTx
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
}

// anyConn is a connection with methods that only some drivers have.
type anyConn struct{ fullConn }

func (c anyConn) IsValid() bool {
	validator, ok := c.fullConn.(driver.Validator)
	return !ok || validator.IsValid()
}

func (c anyConn) Pipeline(ctx context.Context, statements []sqlstore.Statement) (failed int, err error) {
	return postgres.Pipeline(ctx, c.fullConn, statements)
}

func (c anyConn) CheckNamedValue(value *driver.NamedValue) error {
	if checker, ok := c.fullConn.(driver.NamedValueChecker); ok {
		return checker.CheckNamedValue(value)
	}
	return driver.ErrSkip
}

type faultyConn struct {
	anyConn
	faults *faults
}

func (c *faultyConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	tx, err := c.anyConn.BeginTx(ctx, o)
	if err != nil {
		return nil, err
	}
	c.faults.begin()
	return faultyTx{tx, c.faults}, nil
}

// Pipeline records each statement; those before a failing one are carried out.
func (c *faultyConn) Pipeline(ctx context.Context, statements []sqlstore.Statement) (failed int, err error) {
	c.faults.mu.Lock()
	c.faults.pipelines++
	c.faults.mu.Unlock()
	commits := false
	for i, s := range statements {
		var refused error
		switch s.Text {
		case "BEGIN":
			c.faults.begin()
		case "COMMIT":
			commits, refused = true, c.faults.beforeCommit()
		default:
			refused = c.faults.note(s.Text)
		}
		if refused == nil {
			continue
		}
		if i > 0 {
			if failed, err := c.anyConn.Pipeline(ctx, statements[:i]); err != nil {
				return failed, err
			}
		}
		return i, refused
	}
	failed, err = c.anyConn.Pipeline(ctx, statements)
	if err == nil && commits {
		err = c.faults.afterCommit()
	}
	return failed, err
}

func (c *faultyConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	stmt, err := c.anyConn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	return &faultyStmt{stmt.(sqliteStmt), query, c.faults}, nil
}

func (c *faultyConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if err := c.faults.note(query); err != nil {
		return nil, err
	}
	return c.anyConn.ExecContext(ctx, query, args)
}

func (c *faultyConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if err := c.faults.note(query); err != nil {
		return nil, err
	}
	return c.anyConn.QueryContext(ctx, query, args)
}

type sqliteStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

type faultyStmt struct {
	sqliteStmt
	query  string
	faults *faults
}

func (s *faultyStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	if err := s.faults.note(s.query); err != nil {
		return nil, err
	}
	return s.sqliteStmt.ExecContext(ctx, args)
}

func (s *faultyStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	if err := s.faults.note(s.query); err != nil {
		return nil, err
	}
	return s.sqliteStmt.QueryContext(ctx, args)
}

type faultyTx struct {
	driver.Tx
	faults *faults
}

func (t faultyTx) Commit() error {
	if failure := t.faults.beforeCommit(); failure != nil {
		failure = errors.Join(failure, t.Tx.Rollback())
		if happens := t.faults.meanwhile; happens != nil {
			t.faults.meanwhile = nil
			happens()
		}
		return failure
	}
	if err := t.Tx.Commit(); err != nil {
		return err
	}
	return t.faults.afterCommit()
}

func (f *faults) begin() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.statements = nil
	f.begins++
}

func (f *faults) beforeCommit() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	failure := next(&f.before)
	f.down = failure != nil && f.goesDown
	return failure
}

func (f *faults) afterCommit() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.commits++
	failure := next(&f.after)
	f.down = failure != nil && f.goesDown
	return failure
}

// busy returns the error of a database that another connection has locked.
func busy(t testing.TB) error {
	t.Helper()
	path := filepath.Join(t.TempDir(), "busy.db")
	open := func() *sql.DB {
		db, err := sql.Open("sqlite", "file:"+path+"?_txlock=immediate&_busy_timeout=0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		return db
	}
	tx, err := open().Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	_, err = open().Begin()
	if err == nil {
		t.Fatal("two transactions that write at the same time")
	}
	return err
}
