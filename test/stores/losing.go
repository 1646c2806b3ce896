package stores

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
)

// Loss is what becomes of a COMMIT.
type Loss uint8

// The losses: none, and a connection that breaks before the database carried the
// COMMIT out or after it.
const (
	Answered Loss = iota
	LostBefore
	LostAfter
)

// losing is a connector whose connections ask a function for the fate of each COMMIT.
type losing struct {
	driver.Connector
	next func() Loss
}

func (l losing) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := l.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	whole, ok := conn.(wholeConn)
	if !ok {
		return nil, errors.Join(fmt.Errorf("a connection of type %T can't do what the store asks of one", conn), conn.Close())
	}
	return losingConn{whole, l.next}, nil
}

// wholeConn is every interface of a connection to SQLite that the store uses.
type wholeConn interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ConnBeginTx
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

type losingConn struct {
	wholeConn
	next func() Loss
}

func (c losingConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	tx, err := c.wholeConn.BeginTx(ctx, o)
	return losingTx{tx, c.next}, err
}

type losingTx struct {
	driver.Tx
	next func() Loss
}

func (tx losingTx) Commit() error {
	switch tx.next() {
	case LostBefore:
		return errors.Join(tx.Rollback(), driver.ErrBadConn)
	case LostAfter:
		return errors.Join(tx.Tx.Commit(), driver.ErrBadConn)
	}
	return tx.Tx.Commit()
}
