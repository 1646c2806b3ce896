package postgres

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
)

var _ db.Pipeliner = dialect{}

// Pipeliner is a connection made through Options.Through that runs several statements at once
// itself. A connection without this method must be the driver's own.
type Pipeliner interface {
	Pipeline(ctx context.Context, statements []db.Statement) (failed int, err error)
}

// Pipeline implements db.Pipeliner.
func (dialect) Pipeline(ctx context.Context, connection any, statements []db.Statement) (failed int, err error) {
	if own, ok := connection.(Pipeliner); ok {
		return own.Pipeline(ctx, statements)
	}
	return Pipeline(ctx, connection, statements)
}

// Changing implements db.Pipeliner.
func (dialect) Changing(text string) string {
	return "WITH changed AS (" + text + " RETURNING 1) SELECT all_changed(count(*), cardinality($1)) FROM changed"
}

// stale is the SQLSTATE of a prepared statement after its tables changed; it is prepared
// again on another connection.
const stale = "0A000"

// Pipeline sends all statements before it reads the first answer, in the
// extended protocol's pipeline mode, and reads the answers in order. Each text is
// prepared once on the connection, which must be the driver's own.
func Pipeline(ctx context.Context, connection any, statements []db.Statement) (failed int, err error) {
	switch through := connection.(type) {
	case *session:
		failed, err = runPipeline(ctx, through.Conn(), statements)
		return failed, through.examineError(ctx, err)
	case *native:
		return runPipeline(ctx, through.Conn(), statements)
	}
	return 0, fmt.Errorf("postgres: a connection of type %T takes no pipeline", connection)
}

// runPipeline is Pipeline on a connection.
func runPipeline(ctx context.Context, conn *pgx.Conn, statements []db.Statement) (failed int, err error) {
	prepared := make([]*pgconn.StatementDescription, len(statements))
	for i, s := range statements {
		if prepared[i], err = conn.Prepare(ctx, s.Text, s.Text); err != nil {
			return i, err
		}
	}
	last := len(statements) - 1
	pipeline := conn.PgConn().StartPipeline(ctx)
	if failed, err := sendAll(conn, pipeline, prepared, statements); err != nil {
		return failed, errors.Join(err, pipeline.Close())
	}
	if err := pipeline.Sync(); err != nil {
		return last, errors.Join(err, pipeline.Close())
	}
	for i, s := range statements {
		err := readAnswer(conn, pipeline, s)
		if err == nil {
			continue
		}
		_ = pipeline.Close() // reports the same error again, or less
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

// sendAll writes all statements into the driver's buffer, with their rows as one array per
// column, or none of them.
func sendAll(conn *pgx.Conn, pipeline *pgconn.Pipeline, prepared []*pgconn.StatementDescription,
	statements []db.Statement,
) (failed int, err error) {
	scratch := scratches.Get().(*scratch)
	defer scratches.Put(scratch)
	scratch.resetScratch()
	for i, s := range statements {
		if err := scratch.encodeColumns(s.Columns, s.Rows); err != nil {
			return i, err
		}
	}
	conn.PgConn().Frontend().Send(room(len(scratch.encoded) + len(statements)*overhead))
	values := scratch.encodedValues()
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

// binaryOnly requests binary form for all parameters.
var binaryOnly = []int16{pgx.BinaryFormatCode}

// overhead is the approximate size of a statement's messages without its parameters.
const overhead = 256

// room is a fake message that reserves space in the driver's buffer, which would otherwise grow
// in many small steps for each batch.
type room int

// Frontend implements pgproto3.FrontendMessage.
func (room) Frontend() {}

// Decode implements pgproto3.Message.
func (room) Decode([]byte) error { return nil }

// Encode implements pgproto3.Message.
func (r room) Encode(buffer []byte) ([]byte, error) { return slices.Grow(buffer, int(r)), nil }

func readAnswer(conn *pgx.Conn, pipeline *pgconn.Pipeline, s db.Statement) error {
	resetNotice(conn)
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
			return pgx.ErrTxCommitRollback // the server's answer after the transaction had failed before
		case s.Text == "COMMIT":
			return commitWarning(conn)
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

// scratch is the buffer in which a pipeline's arrays are encoded, in the server's binary form of
// arrays (array_send): the number of dimensions, whether there are nulls, the type of the
// elements, their number, the first index, and each element after its length. The driver's own
// encoder boxes each element and grows its buffers from nothing for each batch, which was a
// quarter of all memory that a bet took.
type scratch struct {
	encoded []byte
	// ends holds the end of each array in encoded.
	ends []int
}

var scratches = sync.Pool{New: func() any { return &scratch{} }}

func (s *scratch) resetScratch() { s.encoded, s.ends = s.encoded[:0], s.ends[:0] }

// elementOf maps column types to the OIDs of array elements.
var elementOf = map[db.Type]uint32{
	db.Text: pgtype.TextOID, db.Integer: pgtype.Int8OID, db.Bytes: pgtype.ByteaOID,
	db.Bool: pgtype.BoolOID, db.JSON: pgtype.JSONOID, db.UUID: pgtype.UUIDOID,
}

// encodeColumns appends one array per column.
func (s *scratch) encodeColumns(columns []db.Column, rows [][]any) error {
	for i, column := range columns {
		if err := s.encodeArray(column.Type, rows, i); err != nil {
			return fmt.Errorf("postgres: column %s: %w", column.Name, err)
		}
		s.ends = append(s.ends, len(s.encoded))
	}
	return nil
}

// encodedValues returns the arrays in the order they were encoded.
func (s *scratch) encodedValues() [][]byte {
	all := make([][]byte, len(s.ends))
	begin := 0
	for i, end := range s.ends {
		all[i] = s.encoded[begin:end]
		begin = end
	}
	return all
}

func (s *scratch) encodeArray(of db.Type, rows [][]any, column int) error {
	s.encodeNumber(1)
	nulls := len(s.encoded)
	s.encodeNumber(0)
	s.encodeNumber(elementOf[of])
	s.encodeNumber(uint32(len(rows)))
	s.encodeNumber(1)
	for _, row := range rows {
		switch value := row[column].(type) {
		case string:
			if of == db.UUID {
				id, ok := db.ParseID(value)
				if !ok {
					s.encodeNull(nulls)
					continue
				}
				s.encodeNumber(uint32(len(id)))
				s.encoded = append(s.encoded, id[:]...)
				continue
			}
			s.encodeNumber(uint32(len(value)))
			s.encoded = append(s.encoded, value...)
		case []byte:
			s.encodeNumber(uint32(len(value)))
			s.encoded = append(s.encoded, value...)
		case int64:
			s.encodeInteger(value)
		case int:
			s.encodeInteger(int64(value))
		case bool:
			s.encodeNumber(1)
			s.encoded = append(s.encoded, 0)
			if value {
				s.encoded[len(s.encoded)-1] = 1
			}
		case nil:
			s.encodeNull(nulls)
		default:
			return fmt.Errorf("a value of type %T", value)
		}
	}
	return nil
}

// encodeNull appends a null, and sets the null flag of the array, which is at this offset.
func (s *scratch) encodeNull(nulls int) {
	s.encodeNumber(1<<32 - 1)
	s.encoded[nulls+3] = 1
}

func (s *scratch) encodeInteger(value int64) {
	s.encodeNumber(8)
	s.encoded = binary.BigEndian.AppendUint64(s.encoded, uint64(value))
}

func (s *scratch) encodeNumber(n uint32) { s.encoded = binary.BigEndian.AppendUint32(s.encoded, n) }
