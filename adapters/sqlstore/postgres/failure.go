package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/casino-service/casino/adapters/sqlstore"
)

// fences are the primary keys that keep two writers from sealing one block. What a block
// covers as events is numbered by it and written before it.
var fences = map[string]bool{"blocks_pkey": true, "ledger_events_pkey": true}

// byCode are the failures that a SQLSTATE says by itself; its class says the rest.
var byCode = map[string]sqlstore.Failure{
	"40001":  sqlstore.Contended, // serialization_failure
	"40P01":  sqlstore.Contended, // deadlock_detected
	readOnly: sqlstore.Contended, // read_only_sql_transaction: another server is the primary now
	"55P03":  sqlstore.Locked,    // lock_not_available, by lock_timeout
	"53300":  sqlstore.Lost,      // too_many_connections
	"57P01":  sqlstore.Lost,      // admin_shutdown
	"57P02":  sqlstore.Lost,      // crash_shutdown
	"57P03":  sqlstore.Lost,      // cannot_connect_now: starting or stopping
	"25P03":  sqlstore.Lost,      // idle_in_transaction_session_timeout
}

// constraintClass is the class of SQLSTATEs of rules that rows broke.
const constraintClass = "23"

// Failure reads the SQLSTATE, or what the driver says of the connection.
func (dialect) Failure(err error) sqlstore.Failure {
	var said *pgconn.PgError
	if errors.As(err, &said) {
		if kind, known := byCode[said.Code]; known {
			return kind
		}
		switch {
		case fences[said.ConstraintName]:
			return sqlstore.Fenced
		case len(said.Code) == 5 && said.Code[:2] == constraintClass:
			return sqlstore.Constraint
		}
		return sqlstore.Broken
	}
	var network net.Error
	switch {
	case errors.Is(err, errInDoubt), errors.Is(err, errUnanswered):
		return sqlstore.InDoubt
	case errors.Is(err, pgx.ErrTxCommitRollback):
		return sqlstore.Contended
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return sqlstore.Broken
	case errors.Is(err, driver.ErrBadConn), pgconn.SafeToRetry(err), errors.Is(err, io.EOF), errors.Is(err, pgconn.ErrReadOnlyConnection),
		errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed), errors.As(err, &network):
		return sqlstore.Lost
	}
	return sqlstore.Broken
}
