package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/casino-service/casino/adapters/sqlstore"
)

var _ sqlstore.Pipeliner = dialect{}

// Pipeliner is a connection made through Options.Through that takes several
// statements at once itself. One without this method must be the driver's own.
type Pipeliner interface {
	Pipeline(ctx context.Context, statements []sqlstore.Statement) (failed int, err error)
}

// Pipeline implements sqlstore.Pipeliner.
func (dialect) Pipeline(ctx context.Context, connection any, statements []sqlstore.Statement) (failed int, err error) {
	if own, ok := connection.(Pipeliner); ok {
		return own.Pipeline(ctx, statements)
	}
	return Pipeline(ctx, connection, statements)
}

// Changing implements sqlstore.Pipeliner.
func (dialect) Changing(text string) string {
	return "WITH changed AS (" + text + " RETURNING 1) SELECT all_changed(count(*), cardinality($1)) FROM changed"
}

// stale is the SQLSTATE of a prepared statement whose tables have other columns
// now; it is prepared anew on another connection.
const stale = "0A000"

// Pipeline sends all statements before it reads the first answer, in the
// extended protocol's pipeline mode, and reads the answers in order. Each text is
// prepared once on the connection, which must be the driver's own.
func Pipeline(ctx context.Context, connection any, statements []sqlstore.Statement) (failed int, err error) {
	switch through := connection.(type) {
	case *session:
		failed, err = pipe(ctx, through.Conn(), statements)
		return failed, through.examine(ctx, err)
	case *native:
		return pipe(ctx, through.Conn(), statements)
	}
	return 0, fmt.Errorf("postgres: a connection of type %T takes no pipeline", connection)
}

// pipe is Pipeline on a connection.
func pipe(ctx context.Context, conn *pgx.Conn, statements []sqlstore.Statement) (failed int, err error) {
	prepared := make([]*pgconn.StatementDescription, len(statements))
	for i, s := range statements {
		if prepared[i], err = conn.Prepare(ctx, s.Text, s.Text); err != nil {
			return i, err
		}
	}
	last := len(statements) - 1
	pipeline := conn.PgConn().StartPipeline(ctx)
	if failed, err := send(conn, pipeline, prepared, statements); err != nil {
		return failed, errors.Join(err, pipeline.Close())
	}
	if err := pipeline.Sync(); err != nil {
		return last, errors.Join(err, pipeline.Close())
	}
	for i, s := range statements {
		err := answer(conn, pipeline, s)
		if err == nil {
			continue
		}
		_ = pipeline.Close() // says the same again, or less
		var refused *pgconn.PgError
		if !errors.As(err, &refused) {
			return last, err
		}
		if refused.Code == stale {
			_ = conn.Close(ctx)
		}
		return i, err
	}
	return last, pipeline.Close()
}

// send writes all statements into the driver's buffer, with their rows as one
// array a column, or none of them.
func send(conn *pgx.Conn, pipeline *pgconn.Pipeline, prepared []*pgconn.StatementDescription,
	statements []sqlstore.Statement,
) (failed int, err error) {
	scratch := scratches.Get().(*scratch)
	defer scratches.Put(scratch)
	scratch.reset()
	for i, s := range statements {
		if err := scratch.encode(s.Columns, s.Rows); err != nil {
			return i, err
		}
	}
	conn.PgConn().Frontend().Send(room(len(scratch.encoded) + len(statements)*overhead))
	values := scratch.values()
	for i, s := range statements {
		formats := make([]int16, len(prepared[i].Fields))
		for n, field := range prepared[i].Fields {
			formats[n] = conn.TypeMap().FormatCodeForOID(field.DataTypeOID)
		}
		pipeline.SendQueryStatement(prepared[i], values[:len(s.Columns)], binaryOnly, formats)
		values = values[len(s.Columns):]
	}
	return 0, nil
}

// binaryOnly says that all parameters are in binary form.
var binaryOnly = []int16{pgx.BinaryFormatCode}

// overhead is about what a statement's messages take beside its parameters.
const overhead = 256

// room is no message: it makes room in the driver's buffer, which would grow in
// many small steps to the size of a batch, each time anew.
type room int

// Frontend implements pgproto3.FrontendMessage.
func (room) Frontend() {}

// Decode implements pgproto3.Message.
func (room) Decode([]byte) error { return nil }

// Encode implements pgproto3.Message.
func (r room) Encode(buffer []byte) ([]byte, error) { return slices.Grow(buffer, int(r)), nil }

func answer(conn *pgx.Conn, pipeline *pgconn.Pipeline, s sqlstore.Statement) error {
	listen(conn)
	results, err := pipeline.GetResults()
	if err != nil {
		return err
	}
	reader, ok := results.(*pgconn.ResultReader)
	if !ok {
		return fmt.Errorf("postgres: a statement was answered with %T", results)
	}
	if s.Row == nil {
		done, err := reader.Close()
		switch {
		case err != nil:
			return err
		case s.Text == "COMMIT" && done.String() != s.Text:
			return pgx.ErrTxCommitRollback // the server's answer where the transaction had failed before
		case s.Text == "COMMIT":
			return doubt(conn)
		case s.Written != nil:
			s.Written(done.RowsAffected())
		}
		return nil
	}
	rows := pgx.RowsFromResultReader(conn.TypeMap(), reader)
	defer rows.Close()
	for rows.Next() {
		if err := s.Row(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
