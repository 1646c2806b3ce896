package postgres

import (
	"context"
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/casino-service/casino/adapters/sqlstore"
)

var _ sqlstore.Streamer = dialect{}

// Stream asks the driver itself. Values come as texts, which is how connections that read
// ask for them, and are read where the driver has them.
func (dialect) Stream(ctx context.Context, connection any, query string, scan func(sqlstore.Row) error) error {
	session, ok := connection.(*session)
	if !ok {
		return sqlstore.ErrNoStream
	}
	answer, err := session.Conn().Query(ctx, query, pgx.QueryExecModeExec)
	if err != nil {
		return err
	}
	defer answer.Close()
	r := row{known: make([][known]string, len(answer.FieldDescriptions()))}
	for _, field := range answer.FieldDescriptions() {
		if field.Format != pgx.TextFormatCode {
			return fmt.Errorf("postgres: column %s comes in binary form", field.Name)
		}
		r.types = append(r.types, field.DataTypeOID)
	}
	for answer.Next() {
		r.values = answer.RawValues()
		if err := scan(&r); err != nil {
			return err
		}
	}
	return answer.Err()
}

// known is how many texts of a column are remembered: most columns repeat a few.
const known = 16

// row is a row as the server sent it.
type row struct {
	types  []uint32
	values [][]byte
	known  [][known]string
}

// Scan implements sqlstore.Row.
func (r *row) Scan(into ...any) error {
	if len(into) != len(r.values) {
		return fmt.Errorf("postgres: %d columns are read into %d places", len(r.values), len(into))
	}
	for i, raw := range r.values {
		if err := r.put(into[i], i, raw); err != nil {
			return fmt.Errorf("postgres: column %d: %w", i, err)
		}
	}
	return nil
}

func (r *row) put(into any, i int, raw []byte) error {
	if raw == nil {
		return sqlstore.PutOther(into, nil)
	}
	switch r.types[i] {
	case pgtype.Int2OID, pgtype.Int4OID, pgtype.Int8OID:
		v, err := strconv.ParseInt(string(raw), 10, 64)
		if err != nil {
			return err
		}
		return sqlstore.PutInteger(into, v)
	case pgtype.BoolOID:
		return sqlstore.PutOther(into, string(raw) == "t")
	case pgtype.ByteaOID:
		if len(raw) < 2 || string(raw[:2]) != `\x` {
			return fmt.Errorf("bytes come as %.8q", raw)
		}
		decoded := make([]byte, hex.DecodedLen(len(raw)-2))
		if _, err := hex.Decode(decoded, raw[2:]); err != nil {
			return err
		}
		return sqlstore.PutOther(into, decoded)
	}
	return sqlstore.PutText(into, r.text(i, raw))
}

// text is a value of a column, which is often one that was read before.
func (r *row) text(i int, raw []byte) string {
	if len(raw) == 0 {
		return ""
	}
	at := &r.known[i][(int(raw[0])+31*int(raw[len(raw)-1])+len(raw))%known]
	if *at != string(raw) {
		*at = string(raw)
	}
	return *at
}
